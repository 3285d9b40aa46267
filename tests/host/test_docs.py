"""The docs: paths, links and commands exist, and the contract of the games is complete."""

import re
from collections import Counter
from pathlib import Path

import pytest
from helpers.play import case_of
from kiebitz.games import GAMES, game_class
from kiebitz_host.cli import COMMANDS
from kiebitz_lab import gallery, refusals

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "hardware").rglob("*.md")),
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
    """Return the paths in backticks that begin with a folder of the project and do not exist."""
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


# --- the contract of the games ---

# What all games share, and the contract of each game in its folder
SECTIONS = {path.parent.name: path.read_text("utf-8") for path in sorted((ROOT / "tests" / "games").glob("*/rules.md"))}
RULES = (ROOT / "docs" / "rules.md").read_text("utf-8")
DOC = "\n".join([RULES, *SECTIONS.values()])

CASES = {kind: case_of(kind) for kind in GAMES}
NUMBER = rf"(?:H|{'|'.join(case.NUMBERED for case in CASES.values())})-[TA]\d+"
NAMED = re.compile(rf"\b{NUMBER}\b")
DEFINED = re.compile(rf"^(?:[-*] |\| ?)\**({NUMBER})\b", re.MULTILINE)


def described(text):
    """Return the ids in backticks; of `score(p, board)` also the name alone."""
    spans = re.findall(r"`([^`\n]+)`", text)
    return set(spans) | {span.partition("(")[0] for span in spans}


def test_every_case_named_in_a_test_is_described():
    defined = set(DEFINED.findall(DOC))
    for path in sorted((ROOT / "tests").rglob("*.py")):
        named = set(NAMED.findall(path.read_text(encoding="utf-8")))
        assert named <= defined, (path.name, named - defined)


def test_every_number_is_described_once_and_none_is_left_out():
    numbers = DEFINED.findall(DOC)
    assert [number for number, times in Counter(numbers).items() if times > 1] == []
    for series in {re.sub(r"\d+", "", number) for number in numbers}:
        known = {int(number[len(series) :]) for number in numbers if re.fullmatch(rf"{series}\d+", number)}
        assert known == set(range(1, len(known) + 1)), series


def test_numbers_mentioned_elsewhere_in_the_document_exist():
    assert set(NAMED.findall(DOC)) == set(DEFINED.findall(DOC))


@pytest.mark.parametrize("kind", GAMES)
def test_every_event_and_house_rule_is_described_in_the_section_of_its_game(kind):
    known = described(SECTIONS[kind])
    assert set(game_class(kind).EVENTS) <= known
    assert set(game_class(kind).OPTIONS) <= known


@pytest.mark.parametrize("kind", GAMES)
def test_every_value_of_a_house_rule_is_in_the_table_of_its_game(kind):
    rows = [line.split("|") for line in SECTIONS[kind].splitlines() if line.startswith("| `")]
    values = {row[1].strip(" `"): row[2] for row in rows}
    for name, allowed in game_class(kind).OPTIONS.items():
        told = [value.strip() for value in values[name].split(",")]
        assert told[: len(allowed)] == ["none" if value is None else str(value) for value in allowed], name


def test_every_code_is_described():
    codes = {code for code, _ in refusals.given()} | {"E_ARG"}
    assert codes <= described(DOC)


def test_a_number_at_the_start_of_an_item_or_row_is_its_description():
    assert DEFINED.findall("- **RF-T1** x\n| PC-A2 | y |\nsee P-T3\n- as in P-T4\n") == ["RF-T1", "PC-A2"]


# --- the guides for players in every language ---

TRANSLATED = [(lang, page) for lang in gallery.TRANSLATIONS for page in gallery.english_pages()]


def versions(lang, page):
    """Return the text of an English guide and of its translation."""
    return [(folder / page).read_text("utf-8") for folder in (gallery.DOCS, gallery.DOCS / lang)]


@pytest.mark.parametrize(("lang", "page"), TRANSLATED, ids=lambda value: str(value))
def test_every_section_of_a_guide_is_there_in_every_language(lang, page):
    english, translated = versions(lang, page)
    assert gallery.structure(translated) == gallery.structure(english), "translate what has changed"
    assert translated != english


@pytest.mark.parametrize(("lang", "page"), TRANSLATED, ids=lambda value: str(value))
def test_a_translated_guide_uses_the_words_of_the_device(lang, page):
    english, translated = versions(lang, page)
    assert translated == gallery.updated(english, translated, lang), "`make shots` updates the words"


def test_a_guide_that_lacks_something_is_noticed():
    english = "# A\n\n*All entries*\n\n## B\n- **Loans**: x\n"
    assert gallery.structure(english) != gallery.structure("# A\n\n## B\n- x\n- y\n")
    german = "# A\n\n*Einträge*\n\n## B\n- **geliehenes**: x\n"
    assert gallery.updated(english, german, "de") == german.replace("Einträge", "Alle Einträge")
    with pytest.raises(ValueError, match="emphasised"):
        gallery.updated(english, "# A\n", "de")


def test_french_pages_never_break_a_line_before_a_high_sign():
    pages = [*(ROOT / "docs" / "fr").rglob("*.md"), ROOT / "host/kiebitz_lab/site/languages/fr.txt"]
    for page in pages:
        words = CODE.sub("x", prose(page))
        assert re.findall(r".*\S [:;?!\u00bb](?=\s|$).*|.*\u00ab .*", words) == [], page.name
