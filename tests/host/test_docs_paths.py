"""Check that what the docs point at is there: every path in backticks, every link, every make target, every command."""

import re
from pathlib import Path

import pytest
from kiebitz_host.cli import COMMANDS

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "hardware").glob("*.md")),
]
IDS = [str(page.relative_to(ROOT)) for page in PAGES]

FENCE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"(?:firmware|host|tests|docs|hardware)/[\w./*-]*")
LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
EXAMPLES = ("high_card", "NAME")  # the game that docs/adding-a-game.md builds, and any game


def prose(page):
    """Return a page without its blocks of code."""
    return FENCE.sub("", page.read_text("utf-8"))


def anchors(page):
    """Return the anchors of the headings of a page, as GitHub makes them."""
    found = set()
    for heading in HEADING.findall(prose(page)):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        found.add(anchor if anchor not in found else f"{anchor}-1")
    return found


def missing_paths(text, root=ROOT):
    """Return the paths in backticks that begin with a folder of the project and lead nowhere."""
    paths = [path for code in CODE.findall(text) for path in [PATH.match(code)] if path]
    names = [path.group().rstrip(".") for path in paths if not any(word in path.string for word in EXAMPLES)]
    return [name for name in names if not any(root.glob(name.rstrip("/")))]


def dead_links(page):
    """Return the relative links of a page without a file, or without a heading for their anchor."""
    found = []
    for one, other in LINK.findall(prose(page)):
        link = one or other
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            found.append(link)
    return found


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_path_exists(page):
    assert missing_paths(prose(page)) == []


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_link_leads_to_a_file_and_a_heading(page):
    assert dead_links(page) == []


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_make_target_and_command_exists(page):
    text = page.read_text("utf-8")
    targets = set(re.findall(r"^([a-z0-9]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = re.findall(r"(?:`|^)make ([a-z0-9]+)", text, re.MULTILINE)
    commands = re.findall(r"(?:`|\$ |bin/|^ *)kiebitz ([a-z]+)", text, re.MULTILINE)
    assert set(named) <= targets
    assert set(commands) <= set(COMMANDS)


def test_a_dead_end_is_found(tmp_path):
    told = "see `firmware/kiebitz/ui/texts.py` and `firmware/main.py`, `tests/games/poch/test_flow.py`"
    assert missing_paths(told) == ["firmware/kiebitz/ui/texts.py"]
    page = tmp_path / "page.md"
    page.write_text(
        "# One `two`, three\n[a](page.md#one-two-three) [b](page.md#four) [c](gone.md) [d](https://x.org)\n"
    )
    assert dead_links(page) == ["page.md#four", "gone.md"]
