"""Run this checkout on a real Kiebitz without building an image (`make dev`).

The modules are copied into a folder of the device, and a boot.py beside it puts that folder before the frozen modules.
The languages stay frozen because they are too large for the memory. `make dev OFF=1` removes folder and boot.py again.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from kiebitz_host.outcome import BAD_USAGE, OK

from .frozen_tree import compiled_tree

FOLDER = "dev"  # on the device
BOOT = f'import sys\n\nsys.path[:] = ["/{FOLDER}", ".frozen"]\n'
_PACKAGE = "kiebitz"


def dev_files(tree: Path) -> dict[str, bytes]:
    """Return {path: content} of the files for the device, from a tree of compiled modules."""
    modules = sorted(path for path in (tree / _PACKAGE).rglob("*.mpy"))
    files = {f"{FOLDER}/{path.relative_to(tree).as_posix()}": path.read_bytes() for path in modules}
    return {**files, "boot.py": BOOT.encode()}


def main(argv: list[str] | None = None) -> int:
    """Copy the tree to the device, or remove it. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="dev", description=__doc__)
    parser.add_argument("port", nargs="?", help="where the device is, if there are several")
    parser.add_argument("--off", action="store_true", help="remove the tree: the frozen firmware runs again")
    options = parser.parse_args(argv)
    remote = [sys.executable, "-m", "mpremote", *(["connect", options.port] if options.port else [])]
    if options.off:
        commands = [["fs", "rm", ":boot.py"], ["fs", "rm", "-r", f":{FOLDER}"], ["reset"]]
        return _run(remote, commands)
    with TemporaryDirectory() as folder:
        tree = Path(folder, FOLDER)
        compiled_tree(tree, machine_code=True)
        boot = Path(folder, "boot.py")
        boot.write_text(BOOT)
        for path in tree.iterdir():
            if path.name != _PACKAGE:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        return _run(remote, [["fs", "cp", "-r", str(tree), ":"], ["fs", "cp", str(boot), ":boot.py"], ["reset"]])


def _run(remote: list[str], commands: list[list[str]]) -> int:
    """Run commands of mpremote one after the other. Returns OK, or BAD_USAGE at the first that fails."""
    for command in commands:
        if subprocess.run([*remote, *command]).returncode:
            print(f"dev: mpremote {' '.join(command)} failed: is a Kiebitz plugged in?", file=sys.stderr)
            return BAD_USAGE
    return OK


if __name__ == "__main__":
    sys.exit(main())
