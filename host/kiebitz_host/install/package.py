"""Writes package.json, by which `mpremote mip` installs the firmware: `make package`, whenever a file comes or goes.

It names the sources, for these are what a repository holds. The archive of `make dist` has one of its own, with the
compiled modules.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from kiebitz import VERSION

from ..firmware import MAIN, SOURCE, source_files

PACKAGE = SOURCE.parent / "package.json"


def package(files: Iterable[str], folder: str = "") -> str:
    """The text of a package.json with these files, which lie in a folder beside it; main.py comes last."""
    names = sorted(files, key=lambda name: (name == MAIN, name))
    lines = [json.dumps([name, folder + name]) for name in names]
    urls = ",\n    ".join(lines)
    return f'{{\n  "version": "{VERSION}",\n  "deps": [],\n  "urls": [\n    {urls}\n  ]\n}}\n'


def source_package() -> str:
    """The package.json of the repository."""
    return package((name.as_posix() for name in source_files()), f"{SOURCE.name}/")


def write(path: Path = PACKAGE) -> None:
    path.write_text(source_package())
    print(f"wrote {path}")


if __name__ == "__main__":
    write()
