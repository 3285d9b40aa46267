"""Every code and id of the rules has its English text, short enough for the display; no refusal text is left over."""

import ast
import textwrap
from pathlib import Path

import pytest
from kiebitz.rules import GAMES, Refused, game_class
from kiebitz.rules.boards import BOARD_IDS
from kiebitz.rules.carre_grid import RUBRIC_POINTS, SMALLEST
from kiebitz.rules.poch_state import POOLS
from kiebitz.ui.texts import has, refusal, text
from kiebitz.ui.texts.phrases import Phrases
from kiebitz_host import languages

FIRMWARE = Path(__file__).parents[2] / "firmware" / "kiebitz"
SOURCES = sorted([*(FIRMWARE / "rules").glob("*.py"), *(FIRMWARE / "table").glob("*.py")])
NAMES = ["Johanna", "Matthias", "Ben", "Eva"]
TEXTS = languages.read("en")

# A long but possible value for everything a refusal may tell
SAMPLES = {
    "board": "double_three",
    "card": "TH",
    "direction": "DOWN",
    "have": 12,
    "high": 8,
    "id": "20260101-1",
    "kind": "straight",
    "length": 12,
    "low": 2,
    "missing": 109,
    "most": 13,
    "n": 9,
    "name": "pairs_need_different_ranks",
    "need": 100,
    "other": "SEQUENCE",
    "other_size": 7,
    "p": 1,
    "phase": "BETWEEN",
    "pool": "MARRIAGE",
    "pools": ["A", "K", "Q", "J", "T"],
    "rank": "K",
    "seats": [0, 1],
    "size": 7,
    "suit": "X",
    "what": "match_length",
    "x": -4,
    "y": -4,
}


def trees():
    for path in SOURCES:
        yield ast.parse(path.read_text(encoding="utf-8"))


def calls(name):
    for tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                yield node


def flaws():
    """The tails of E_COMBO: what `flaw` of the combinations may return."""
    tree = ast.parse((FIRMWARE / "rules" / "combos.py").read_text(encoding="utf-8"))
    flaw = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "flaw")
    for node in ast.walk(flaw):
        if isinstance(node, ast.Return):
            for value in ast.walk(node):
                if isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value.isupper():
                    yield value.value


def given():
    """{(code, names of what it tells)} of every refusal and note in the rules and the table."""
    found = set()
    for call in calls("Refused"):
        keys = tuple(sorted(keyword.arg for keyword in call.keywords))
        code = call.args[0]
        if isinstance(code, ast.Constant):
            found.add((code.value, keys))
        else:
            assert isinstance(code, ast.BinOp) and code.left.value == "E_COMBO:", ast.unparse(call)
            found.update((code.left.value + flaw, keys) for flaw in flaws())
    for tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Tuple) and len(node.elts) == 2 and isinstance(node.elts[1], ast.Dict):
                code, info = node.elts
                if isinstance(code, ast.Constant) and str(code.value).startswith("W_"):
                    found.add((code.value, tuple(sorted(key.value for key in info.keys))))
    return found


GIVEN = sorted(given())
CODES = {code for code, _ in GIVEN}


def arguments():
    """Everything that E_ARG may be about: named in the code, a set-up key or an argument of an event."""
    found = {call.args[0].value for call in calls("bad") if isinstance(call.args[0], ast.Constant)}
    for kind in GAMES:
        for spec in game_class(kind).EVENTS.values():
            found.update(what for what, _, _ in spec)
    return found


def test_the_rules_are_read_right():
    assert len(CODES) > 55
    assert {"E_ARG", "E_CHIPS", "E_COMBO:RUN", "E_COMBO:PICTURE", "W_SHORT", "W_UNCASHED", "E_MUST_PLACE"} <= CODES


@pytest.mark.parametrize(("code", "keys"), GIVEN, ids=lambda value: str(value))
def test_every_refusal_has_a_sentence_that_fits_the_display(code, keys):
    sentence = refusal(Refused(code, **{key: SAMPLES[key] for key in keys}), NAMES)
    assert "{" not in sentence
    assert sentence[-1] in ".?"
    assert len(textwrap.wrap(sentence, 24)) <= 4, sentence


def test_details_change_the_sentence_for_known_values_only():
    details = {*BOARD_IDS, *POOLS, *arguments(), *SAMPLES}
    for key in TEXTS:
        if key[:2] in ("E_", "W_"):
            code, _, detail = key.partition(".")
            assert code in CODES or code == "E_COMBO", f"{key} belongs to no refusal"
            assert not detail or detail in details, f"{key} is never chosen"


def test_every_detailed_sentence_can_be_filled():
    """With what the refusal tells, and with nothing else."""
    for key in TEXTS:
        if key[:2] in ("E_", "W_") and "." in key:
            code, _, detail = key.partition(".")
            fitting = 0
            for _, keys in [item for item in GIVEN if item[0] == code]:
                info = {name: SAMPLES[name] for name in keys}
                if detail not in keys:
                    info.update((name, detail) for name in keys if name in ("board", "pool", "what"))
                sentence = refusal(Refused(code, **info), NAMES)
                assert len(textwrap.wrap(sentence, 24)) <= 4, sentence
                fitting += 1
            assert fitting, key


def test_every_kind_of_bad_argument_has_a_sentence():
    for what in arguments():
        sentence = refusal(Refused("E_ARG", what=what), [])
        assert len(textwrap.wrap(sentence, 24)) <= 4, sentence


def phases():
    """Every value the rules give to `phase`."""
    for tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and any(
                isinstance(target, ast.Attribute) and target.attr == "phase" for target in node.targets
            ):
                for value in ast.walk(node.value):
                    if isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value.isupper():
                        yield value.value


def test_every_id_has_a_name_that_fits_a_line():
    ids = [f"game.{kind}" for kind in GAMES]
    ids += [f"board.{board}" for board in BOARD_IDS]
    ids += [f"pool.{pool}" for pool in POOLS]
    ids += [f"kind.{kind}" for kind in SMALLEST]
    ids += [f"rubric.{k + 1}" for k in range(len(RUBRIC_POINTS))]
    ids += [f"suit.{suit}" for suit in "SHDC"]
    found = set(phases())
    assert len(found) == 13
    ids += [f"phase.{phase}" for phase in found]
    ids += ["level.junior", "level.expert", "mode.score", "mode.grid", "mode.tally", "mode.assisted"]
    ids += ["dir.UP", "dir.DOWN"]
    for key in ids:
        assert 1 <= len(text(key)) <= 24, key


@pytest.mark.parametrize("kind", GAMES)
def test_every_house_rule_has_a_label_a_help_and_names_for_its_values(kind):
    for name, values in game_class(kind).OPTIONS.items():
        assert 1 <= len(text(f"opt.{name}")) <= 20, name
        assert len(textwrap.wrap(text(f"opt.{name}.help"), 24)) <= 4, name
        for value in values:
            if isinstance(value, str):
                assert 1 <= len(text(f"val.{value}")) <= 17, value


@pytest.mark.parametrize("kind", GAMES)
def test_every_event_has_its_words(kind):
    for name in game_class(kind).EVENTS:
        assert has(f"ev.{name}") or has(f"ev.{name}.card"), name


def test_the_device_reads_the_file_line_by_line_and_finds_what_python_finds():
    phrases = Phrases("en")
    for key, sentence in TEXTS.items():
        assert phrases.get(key) == sentence, key
    for key in ("", "E_", "nothing", "E_CHIPS ", "game.poch\n"):
        assert phrases.get(key) is None, key


def test_texts_hold_no_line_ends_or_stray_blanks():
    for key, sentence in TEXTS.items():
        assert sentence == " ".join(sentence.split()), key
        assert sentence.count("{") == sentence.count("}"), key
