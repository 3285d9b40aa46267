"""Print the locked requirements of dependency groups: `python host/locked.py project build`.

The groups are those of pyproject.toml; `project` stands for the dependencies of the package itself. It runs before any
package is installed, so it needs nothing but Python.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_VIA = re.compile(r"^ +# (?:via)? *([\w.-]+)$", re.MULTILINE)


def name_of(requirement: str) -> str:
    """Return the normalised name of a requirement such as `Foo_bar[extra]>=1`."""
    found = _NAME.match(requirement)
    if not found:
        raise SystemExit(f"pyproject.toml: {requirement!r} is not a requirement.")
    return re.sub(r"[-_.]+", "-", found.group()).lower()


def groups(project: dict) -> dict[str, set[str]]:
    """Return {group: names of its requirements}."""
    lists = {
        "project": project["project"]["dependencies"],
        **project["project"]["optional-dependencies"],
        **project["dependency-groups"],
    }
    return {group: set(map(name_of, requirements)) for group, requirements in lists.items()}


def entries(lock: str) -> list[tuple[str, str, set[str]]]:
    """Return (name, lines, names of the packages that require it) of every entry of the lock file."""
    found = []
    for entry in re.split(r"^(?=[a-zA-Z0-9])", lock, flags=re.MULTILINE)[1:]:
        parents = set(_VIA.findall(entry)) - {"via"}
        found.append((name_of(entry), entry, parents))
    return found


def selected(lock: str, wanted: set[str]) -> list[str]:
    """Return the entries of these packages and of everything that they require."""
    packages = entries(lock)
    missing = wanted - {name for name, _, _ in packages}
    if missing:
        raise SystemExit(f"host/requirements.txt lacks {', '.join(sorted(missing))}: run make lock.")
    while True:
        more = {name for name, _, parents in packages if parents & wanted} - wanted
        if not more:
            return [entry for name, entry, _ in packages if name in wanted]
        wanted = wanted | more


def main(names: list[str]) -> None:
    """Print the entries of the named groups."""
    known = groups(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8")))
    unknown = set(names) - set(known)
    if unknown or not names:
        raise SystemExit(f"usage: python host/locked.py GROUP ..., with {', '.join(known)}")
    wanted = set().union(*(known[name] for name in names))
    sys.stdout.write("".join(selected((ROOT / "host" / "requirements.txt").read_text("utf-8"), wanted)))


if __name__ == "__main__":
    main(sys.argv[1:])
