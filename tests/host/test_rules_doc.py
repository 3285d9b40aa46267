"""The contract of the games describes every case that a test names, every event, house rule and code."""

import re
from collections import Counter
from pathlib import Path

import pytest
from helpers.play import case_of
from kiebitz.games import GAMES, Refused, game_class
from kiebitz.store.table import Table
from kiebitz_lab import refusals

ROOT = Path(__file__).parents[2]
# The contract of the games: one document, and in the folder of each game its numbered cases, or all of its contract
SECTIONS = {path.parent.name: path.read_text("utf-8") for path in sorted((ROOT / "tests" / "games").glob("*/rules.md"))}
RULES = (ROOT / "docs" / "rules.md").read_text("utf-8")
DOC = "\n".join([RULES, *SECTIONS.values()])

CASES = {kind: case_of(kind) for kind in GAMES}
NUMBER = rf"(?:H|{'|'.join(case.NUMBERED for case in CASES.values())})-[TA]\d+"
NAMED = re.compile(rf"\b{NUMBER}\b")
DEFINED = re.compile(rf"^(?:[-*] |\| ?)\**({NUMBER})\b", re.MULTILINE)
SETUP = {"game": "royal_flush", "players": ["Anna", "Ben"]}
SPEND = {"ev": "spend", "p": 0, "k": 1}
# An event of all games that a table which knows it would take after one SPEND
TRIALS = {
    "insert": {"ev": "insert", "at": 0, "event": SPEND},
    "remove": {"ev": "remove", "at": 0},
    "seats": {"ev": "seats", "players": ["Cleo", "Dan"]},
}


def section(kind):
    """Return the contract of a game: the section of docs/rules.md that its case names, and rules.md in its folder."""
    title = getattr(CASES[kind], "RULES", None)
    if title is None:
        return SECTIONS[kind]
    found = re.search(rf"^## {re.escape(title)}$(.*?)(?=^## |\Z)", RULES, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1] + SECTIONS.get(kind, "")


def described(text):
    """Return the ids in backticks; of `score(p, board)` also the name alone."""
    spans = re.findall(r"`([^`\n]+)`", text)
    return set(spans) | {span.partition("(")[0] for span in spans}


def not_built():
    """Return the rows (kind, game, name) of the table "Decided, not built yet"."""
    table = DOC.partition("### 0.5 Decided, not built yet")[2].partition("\n## ")[0]
    rows = [[cell.strip(" `") for cell in line.split("|")[1:4]] for line in table.splitlines() if line.startswith("|")]
    return [tuple(row) for row in rows[2:]]


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
    known = described(section(kind))
    assert set(game_class(kind).EVENTS) <= known
    assert set(game_class(kind).OPTIONS) <= known


@pytest.mark.parametrize("kind", GAMES)
def test_every_value_of_a_house_rule_is_in_the_table_of_its_game(kind):
    rows = [line.split("|") for line in section(kind).splitlines() if line.startswith("| `")]
    values = {row[1].strip(" `"): row[2] for row in rows}
    for name, allowed in game_class(kind).OPTIONS.items():
        told = [value.strip() for value in values[name].split(",")]
        assert told[: len(allowed)] == ["none" if value is None else str(value) for value in allowed], name


def test_every_code_is_described():
    codes = {code for code, _ in refusals.given()} | {"E_ARG"}
    assert codes <= described(DOC)


def test_what_is_marked_as_not_built_is_not_there_yet():
    for kind, game, name in not_built():
        assert not is_built(kind, game, name), f"{name} was built: take it, and its marks, out of the document"


def is_built(kind, game, name):
    """Return True if a point of the table "Decided, not built yet" is there; nobody can tell of a behaviour."""
    if kind == "game":
        return name in GAMES
    if kind == "option":
        return name in game_class(game).OPTIONS
    if kind == "code":
        return name in {code for code, _ in refusals.given()}
    if kind == "event" and game != "all":
        return name in game_class(game).EVENTS
    if kind == "event":
        table = Table(SETUP)
        table.play(SPEND)
        try:
            table.play(TRIALS[name])
        except Refused:
            return False
        return True
    assert kind == "behaviour"
    return False


def test_what_is_built_would_be_noticed_in_the_table():
    assert is_built("game", "any_game", "any_game") and not is_built("game", "chess", "chess")
    assert is_built("option", "poch", "loans") and is_built("event", "poch", "bid")
    assert is_built("code", "poch", "E_POCH")
    assert is_built("event", "all", "insert") and not is_built("behaviour", "all", "x")


def test_a_number_at_the_start_of_an_item_or_row_is_its_description():
    assert DEFINED.findall("- **RF-T1** x\n| PC-A2 | y |\nsee P-T3\n- as in P-T4\n") == ["RF-T1", "PC-A2"]
