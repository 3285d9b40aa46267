"""Every code and id of the rules has its text in every language, short enough for the display; none is left over."""

import ast
import importlib
import re
import shutil
import sys
import textwrap
from pathlib import Path

import kiebitz
import pytest
from helpers.play import case_of
from kiebitz.games import GAMES, Refused, game_class
from kiebitz.games.base import COMMON
from kiebitz.games.poch.rules_bidding import POOLS
from kiebitz.games.poker_carre.rules_grid import RUBRIC_POINTS, SMALLEST
from kiebitz.games.royal_flush.rules_boards import BOARD_IDS
from kiebitz.raster.canvas import Canvas
from kiebitz.store.events import CHANGES
from kiebitz.store.settings import Settings
from kiebitz.text import LANGUAGES, Phrases, has, own_name, refusal, rule_text, text, use, value_text
from kiebitz.text.describe import describe
from kiebitz.widgets.screen import wrap
from kiebitz_host import languages
from kiebitz_host.sim.flash_folder import MemoryStorage
from kiebitz_lab import texts
from kiebitz_lab.frozen_tree import hashes_of, write_tree
from kiebitz_lab.games import GAMES_IN_LAB
from kiebitz_lab.refusals import SAMPLES, arguments, examples, given, phases
from kiebitz_lab.texts import LONGEST, USUAL, mistakes

TEXTS = {lang: languages.read(lang) for lang in LANGUAGES}
ENGLISH = TEXTS["en"]
DEVICE_KEYS = set(languages.device_keys())
GIVEN = sorted(given())
CODES = {code for code, _ in GIVEN}
CANVAS = Canvas(128, 64)
NARROW_SPACE = "\u202f"

every_language = pytest.mark.parametrize("lang", LANGUAGES)


@pytest.fixture
def spoken(lang):
    languages.use(lang)
    return TEXTS[lang]


def test_the_languages_that_can_be_chosen_are_those_that_are_there():
    files = {path.stem for path in languages.file_of("en").parent.glob("*.txt")}
    assert set(LANGUAGES) == files and Settings(MemoryStorage())["language"] == LANGUAGES[0] == "en"
    named = {"en": "English", "de": "Deutsch", "fr": "Français", "it": "Italiano", "nl": "Nederlands"}
    assert named.items() <= {lang: own_name(lang) for lang in LANGUAGES}.items()


@every_language
def test_there_is_nothing_to_mend(lang):
    assert list(mistakes(lang)) == []
    assert list(TEXTS[lang]) == list(ENGLISH)


# --- device and laptop ---


def test_the_device_asks_for_no_sentence_that_only_the_laptop_has():
    only_laptop = ENGLISH.keys() - DEVICE_KEYS
    for path in Path(kiebitz.__file__).parent.rglob("*.py"):
        asked, _ = texts._strings(ast.parse(path.read_text("utf-8")))
        assert not asked & only_laptop, path


def test_a_language_that_only_the_device_has_leaves_the_laptop_english(monkeypatch, tmp_path):
    (tmp_path / "en.txt").write_text(Path(languages.laptop_paths("en")[0]).read_text("utf-8"), "utf-8")
    monkeypatch.setattr(languages, "_FOLDER", tmp_path)
    monkeypatch.setattr(languages, "_sentences", languages._sentences.__wrapped__)
    languages.use("de")
    assert (text("E_TURN", name="Eva"), text("web.store")) == ("Jetzt ist Eva dran.", ENGLISH["web.store"])
    assert "web.store: missing" in list(mistakes("de"))


def test_a_game_may_have_sentences_in_its_folder_on_the_laptop(monkeypatch, tmp_path):
    (tmp_path / "top_spot").mkdir()
    (tmp_path / "top_spot" / "en.txt").write_text("# English\nsheet.spot.crown = the crown\n")
    monkeypatch.setattr(languages, "_GAMES", tmp_path)
    assert languages.read("en")["sheet.spot.crown"] == "the crown"
    assert "sheet.spot.crown" not in languages.device_texts("en")


# --- the check itself ---


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"E_TURN": None}, "E_TURN: missing"),
        ({"poch.nonsense": "x"}, "poch.nonsense: English has no such key"),
        ({"E_TURN": "{nom}"}, "E_TURN: the places are nom, in English name"),
        ({"E_TURN": "dran"}, "E_TURN: the places are none, in English name"),
        ({"E_TURN": "{name} {"}, "E_TURN: a brace stands alone"),
        ({"sheet.events": "{n:Eintrag}"}, "sheet.events: a number takes two words, {n:one|many}"),
        ({"key.yes": "ja  doch"}, "key.yes: a blank too many"),
        ({"key.yes": "\u0151\u00bf\u0158"}, "key.yes: the font does not have \u0151 \u0158"),
        ({"key.yes": "ja?"}, "key.yes: a question, in English it is none"),
        ({"W_UNCASHED": "Es fehlt {pools}."}, "W_UNCASHED: no question, in English it is one"),
        ({"E_TURN": "{name} ist dran"}, "E_TURN: a sentence ends with . or ?"),
        ({"E_TURN": ENGLISH["E_TURN"]}, "E_TURN: still English"),
        ({"count.one": "eins"}, "count.one: numbers with blanks between them are needed"),
        ({"decimal": "12345"}, "decimal: one sign is needed"),
        (
            {"thousands": "{low}.{high}"},
            "thousands: {high} and {low} with at most one sign between them are needed",
        ),
        ({"date": "{d}.{m}.2{y}"}, "date: {y}, {m} and {d} with signs between them are needed"),
    ],
)
def test_mistakes_in_a_language_are_found(monkeypatch, change, told):
    changed = {**TEXTS["de"], **change}
    german = {key: sentence for key, sentence in changed.items() if sentence is not None}
    monkeypatch.setattr(texts, "read", lambda lang: german if lang == "de" else ENGLISH)
    assert list(mistakes("de")) == [told]


@pytest.mark.parametrize("key", ["game.poch", "opt.turns", "opt.turns.free", "val.on", "phase.CASH", "E_TURN"])
def test_a_key_that_no_language_has_is_reported(monkeypatch, key):
    monkeypatch.setattr(texts, "read", lambda lang: {k: said for k, said in TEXTS[lang].items() if k != key})
    for lang in LANGUAGES:
        assert list(mistakes(lang)) == [f"{key}: missing"]


@pytest.mark.parametrize(("key", "kind"), [("ev.take", "royal_flush"), ("ev.place.items", "poker_carre")])
def test_a_sentence_that_no_file_of_a_game_has_is_reported(monkeypatch, key, kind):
    own = f"{key}.{kind}"
    monkeypatch.setattr(texts, "read", lambda lang: {k: said for k, said in TEXTS[lang].items() if k != own})
    for lang in LANGUAGES:
        assert list(mistakes(lang)) == [f"{key}: missing"]


def test_keys_that_stand_elsewhere_are_found_so_that_files_can_be_compared(monkeypatch):
    first, second, *others = TEXTS["de"].items()
    monkeypatch.setattr(texts, "read", lambda lang: dict([second, first, *others]) if lang == "de" else ENGLISH)
    assert list(mistakes("de")) == ["decimal: stands where English has count.one"]


@pytest.mark.parametrize("key", ["poch.nothing", "nowhere", "board.flash", "opt.turns.hint", "E_NOWHERE", "sheet.gone"])
def test_a_key_that_nothing_asks_for_is_found(monkeypatch, key):
    monkeypatch.setattr(texts, "read", lambda lang: {**ENGLISH, key: "x."})
    assert list(mistakes("en")) == [f"{key}: nothing asks for it"]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("a = b\na = c\n", "line 2: a comes twice"),
        ("# remark\n\nnonsense\n", "line 3: not"),
        ("a = \n", "line 1: not"),
        (" = b\n", "line 1: not"),
    ],
)
def test_lines_that_are_no_text_are_named(monkeypatch, tmp_path, lines, told):
    (tmp_path / "xx.txt").write_text(lines)
    monkeypatch.setattr(languages, "paths_of", lambda lang: [str(tmp_path / f"{lang}.txt")])
    monkeypatch.setattr(languages, "laptop_paths", lambda lang: [])
    with pytest.raises(ValueError, match=told):
        languages.read("xx")


# --- refusals ---


def test_the_rules_are_read_right():
    assert len(CODES) > 55
    assert {"E_ARG", "E_CHIPS", "E_COMBO:RUN", "E_COMBO:PICTURE", "W_SHORT", "W_UNCASHED", "E_MUST_PLACE"} <= CODES
    assert {"k", "players", "items", "jokers"} <= arguments()


@every_language
def test_every_refusal_has_a_sentence_that_fits_the_display(lang, spoken):
    for names, most in ((USUAL, 5), (LONGEST, 7)):
        for refused in examples(spoken):
            sentence = refusal(refused, names)
            assert "{" not in sentence and sentence[-1] in ".?", sentence
            if refused.code.startswith("W_"):
                assert len(wrap(CANVAS, sentence, CANVAS.w - 4)) <= 5, sentence
            else:
                assert len(wrap(CANVAS, sentence, CANVAS.w - 8)) <= most, sentence


@every_language
def test_a_doubt_about_all_pools_fits_too(lang, spoken):
    pools = [pool for pool in POOLS if pool != "POCHER"]
    sentence = refusal(Refused("W_UNCASHED", pools=pools), USUAL)
    assert len(wrap(CANVAS, sentence, CANVAS.w - 4)) <= 5, sentence


def test_a_refusal_with_a_value_that_no_other_has_gets_a_sample(monkeypatch):
    monkeypatch.setattr("kiebitz_lab.refusals.given", lambda: {("E_BEYOND", ("left", "p"))})
    (refused,) = [refused for refused in examples({}) if refused.code == "E_BEYOND"]
    assert refused.info == {"left": 12, "p": SAMPLES["p"]}


def test_details_change_the_sentence_for_known_values_only():
    families = [ids for game in GAMES_IN_LAB.values() for ids in game.FAMILIES.values()]
    details = set().union(arguments(), *[keys for _, keys in GIVEN], *families)
    for key in ENGLISH:
        if key[:2] in ("E_", "W_"):
            code, _, detail = key.partition(".")
            assert code in CODES or code == "E_COMBO", f"{key} belongs to no refusal"
            assert not detail or detail in details, f"{key} is never chosen"


# --- names of things ---


@every_language
def test_every_id_has_a_name_that_fits_a_line(lang, spoken):
    ids = [f"game.{kind}" for kind in GAMES]
    ids += [f"board.{board}" for board in BOARD_IDS]
    ids += [f"pool.{pool}" for pool in POOLS]
    ids += [f"kind.{kind}" for kind in SMALLEST]
    ids += [f"rubric.{k + 1}" for k in range(len(RUBRIC_POINTS))]
    ids += [f"suit.{suit}" for suit in "SHDC"]
    assert {"BETWEEN", "BID", "CASH", "GAME_END", "MATCH_OVER", "OVER", "PLAY", "PLAYOUT", "READY"} <= phases()
    assert {"SETUP", "SHOW", "TIEBREAK", "TRICK"} <= phases()
    ids += [f"phase.{phase}" for phase in phases()]
    ids += ["level.junior", "level.expert", "mode.score", "mode.grid", "mode.tally", "mode.assisted"]
    ids += ["dir.UP", "dir.DOWN"]
    for key in ids:
        assert has(key) and 1 <= CANVAS.width(text(key)) <= 120, key


@every_language
@pytest.mark.parametrize("kind", GAMES)
def test_every_house_rule_has_a_label_and_a_name_and_a_sentence_for_each_value(lang, spoken, kind):
    for name, values in game_class(kind).OPTIONS.items():
        assert has(f"opt.{name}"), name
        assert 1 <= CANVAS.width(text(f"opt.{name}")) <= 105, name
        meanings = [rule_text(name, value, kind) for value in values]
        assert len(set(meanings)) == len(values), meanings
        for value, meaning in zip(values, meanings, strict=True):
            assert has(f"opt.{name}.{texts.value_id(value)}"), (name, value)
            assert meaning.endswith(".") and len(wrap(CANVAS, meaning, CANVAS.w)) <= 3, meaning
            if isinstance(value, str):
                assert has(f"val.{value}") or has(f"val.{value}.{kind}"), value
                assert 1 <= CANVAS.width(value_text(value, kind, name)) <= 115, value


# --- entries ---

OF_EVERY_GAME = [
    *[{"ev": name} for name in ("undo", "redo")],
    *[{"ev": name, "at": 400, "event": {}} for name in ("correct", "insert", "remove")],
    {"ev": "seats", "players": ["M\u2026"] * 4},
]


def changed_rules(kind):
    """Return an event for every value of every house rule of a game."""
    numbers = {"chips_total": 9999, "limit": -100000, "start": -100000, "series": 96, "most": 20}
    return [
        {"ev": "option", "name": name, "value": value if isinstance(value, str) else numbers[name]}
        for name, values in game_class(kind).OPTIONS.items()
        for value in values
    ]


ENTRIES = {kind: [*OF_EVERY_GAME, *changed_rules(kind), *case_of(kind).ENTRIES] for kind in GAMES}


@pytest.mark.parametrize("kind", GAMES)
def test_no_kind_of_entry_is_left_out(kind):
    said = {entry["ev"] for entry in ENTRIES[kind]}
    shared = {name for name in COMMON if name != "option" or game_class(kind).OPTIONS}
    assert said == {"undo", "redo", *shared, *CHANGES, *game_class(kind).EVENTS}


@every_language
@pytest.mark.parametrize("kind", GAMES)
def test_every_entry_fits_a_line_of_the_history_whole_but_for_the_names(lang, spoken, kind):
    for entry in ENTRIES[kind]:
        line = "999 " + describe(entry, ["M\u2026"] * 4, kind, brief=True)
        assert CANVAS.width(line) <= CANVAS.w - 6, line


@pytest.mark.parametrize("kind", GAMES)
def test_every_event_has_its_words(kind):
    for name in game_class(kind).EVENTS:
        keys = [f"ev.{tail}" for tail in GAMES_IN_LAB[kind].SENTENCES.get(name, (name,))]
        assert all(has(key) or has(f"{key}.{kind}") for key in keys), name


# --- sentences in the folder of a game ---


@pytest.fixture
def own_file(monkeypatch, tmp_path):
    """Return a function that puts lines in front of the English file of Top Spot."""
    games = tmp_path / "games"
    code = shutil.ignore_patterns("*.py", "__pycache__")
    shutil.copytree(Path(kiebitz.__file__).parent / "games", games, ignore=code)
    monkeypatch.setattr("kiebitz_languages._GAMES", f"{games}/")
    monkeypatch.setattr("kiebitz.text._phrases", None)
    file = games / "top_spot" / "en.txt"
    return lambda lines: file.write_text(lines + file.read_text("utf-8"), "utf-8")


@pytest.mark.parametrize(("lang", "royal"), [("en", "Anna takes a card"), ("de", "Anna nimmt eine Karte")])
def test_two_games_may_have_an_event_and_a_value_of_the_same_name(own_file, lang, royal):
    own_file("# English\nev.take = {name} takes a trick\nval.on = always\n")
    use(lang)
    take = {"ev": "take", "p": 0, "swaps": 0, "buys": 0}
    assert describe(take, ["Anna"], "top_spot") == "Anna takes a trick"
    assert describe(take, ["Anna"], "royal_flush") == royal
    assert value_text("on", "top_spot") == "always"
    assert value_text("on", "royal_flush") == TEXTS[lang]["val.on"]


def test_a_game_that_would_change_what_others_say_is_reported_and_changes_nothing(own_file):
    own_file("# English\ngame.poch = Pooch\n")
    with pytest.raises(ValueError, match=r"top_spot/en.txt, line 2: game\.poch comes twice"):
        languages.read("en")
    use("en")
    assert text("game.poch") == "Poch"


# --- how it is written ---


def test_french_puts_a_narrow_space_before_high_signs():
    for key, sentence in TEXTS["fr"].items():
        words = texts._PLACE.sub("x", sentence)
        for i, char in enumerate(words):
            if char in ":;!?\u00bb" and i:
                assert words[i - 1] == NARROW_SPACE, (key, sentence)


@every_language
def test_no_sentence_counts_the_games_because_another_one_may_come(lang):
    assert not {"four", "vier", "quatre", "quattro"} & set(TEXTS[lang]["E_ARG.game"].split())


def test_numbers_take_the_form_of_the_language():
    for lang, forms in (
        ("en", ("0 chips", "1 chip", "2 chips")),
        ("de", ("0 Chips", "1 Chip", "2 Chips")),
        ("fr", ("0 jeton", "1 jeton", "2 jetons")),
        ("it", ("0 gettoni", "1 gettone", "2 gettoni")),
        ("nl", ("0 chips", "1 chip", "2 chips")),
    ):
        use(lang)
        for n, form in enumerate(forms):
            assert form in text("poch.retire_sure", name="Ben", chips=n), lang
    for lang, one, two in (
        ("fr", "1 manche jou\u00e9e sur 6", "2 manches jou\u00e9es sur 6"),
        ("it", "1 mano giocata su 6", "2 mani giocate su 6"),
    ):
        languages.use(lang)
        assert [text("web.live.rounds", n=n, of=6) for n in (1, 2)] == [one, two]


@pytest.mark.parametrize(
    ("lang", "word"),
    [
        ("de", "berichtig"),  # korrigieren
        ("it", "apparecchi|portatile"),  # dispositivo, computer
        ("nl", r"\bzet(ten)?\b"),  # notering: a zet is a move on a board
        ("nl", r"\bde(ler|elt)\b"),  # gever, geeft
    ],
)
def test_one_thing_has_one_word(lang, word):
    assert [key for key, sentence in TEXTS[lang].items() if re.search(word, sentence, re.I)] == []


@every_language
def test_discard_finish_and_pause_cannot_be_mixed_up(lang):
    discard, finish, pause = (
        set(TEXTS[lang][key].lower().split()) - {"the", "game", "spiel", "la", "partie", "partita", "spel"}
        for key in ("menu.throw", "menu.end", "menu.leave")
    )
    assert discard and finish and not (discard & finish or finish & pause or pause & discard)
    assert "pau" in TEXTS[lang]["menu.leave"].lower()


@every_language
def test_the_end_after_rounds_is_not_said_like_points_by_rounds(lang, spoken):
    assert value_text("rounds", "any_game", "end") != value_text("rounds", "any_game", "entry")
    assert value_text("rounds", "any_game", "entry") == TEXTS[lang]["val.rounds.any_game"]


# --- the constants on the device ---


@every_language
def test_a_sentence_is_found_by_its_key_and_nothing_else(lang):
    phrases = Phrases(lang)
    for key, sentence in TEXTS[lang].items():
        assert phrases.get(key) == (sentence if key in DEVICE_KEYS else None), key
    for key in ("", "E_", "nothing", "E_CHIPS ", "game.poch\n", "~"):
        assert phrases.get(key) is None, key


@pytest.fixture
def without_menu_in_german(monkeypatch, tmp_path):
    """Remove the sentence key.menu from the German files."""
    german = "".join(f"{key} = {said}\n" for key, said in languages.device_texts("de").items() if key != "key.menu")
    (tmp_path / "de.txt").write_text("# Deutsch\n" + german, "utf-8")
    paths = {"de": [str(tmp_path / "de.txt")], "en": [str(languages.file_of("en"))]}
    for module in ("kiebitz_languages", "kiebitz_host.languages"):
        monkeypatch.setattr(f"{module}.paths_of", paths.get)


def test_a_sentence_that_a_language_lacks_is_said_in_english(without_menu_in_german):
    phrases = Phrases("de")
    assert (phrases.get("key.menu"), phrases.get("E_TURN")) == (ENGLISH["key.menu"], TEXTS["de"]["E_TURN"])
    assert "key.menu: missing" in list(mistakes("de"))


def test_a_sentence_that_a_language_lacks_is_english_in_the_image(without_menu_in_german, tmp_path, monkeypatch):
    monkeypatch.setattr("kiebitz_languages.CODES", ("en", "de"))
    write_tree(tmp_path / "tree")
    get = frozen(tmp_path / "tree", monkeypatch).load("de")
    assert (get("key.menu"), get("E_TURN")) == (ENGLISH["key.menu"], TEXTS["de"]["E_TURN"])


def frozen(tree, monkeypatch):
    """Return the module of the languages that is in the image."""
    monkeypatch.syspath_prepend(tree)
    for name in [name for name in sys.modules if name.startswith("kiebitz_languages")]:
        monkeypatch.delitem(sys.modules, name)
    return importlib.import_module("kiebitz_languages")


def test_the_image_gets_what_the_device_says_and_finds_the_same(tmp_path, monkeypatch):
    write_tree(tmp_path)
    constants = frozen(tmp_path, monkeypatch)
    assert constants.CODES == LANGUAGES and tuple(map(own_name, LANGUAGES)) == constants.OWN_NAMES
    for lang in LANGUAGES:
        get = constants.load(lang)
        for key, sentence in TEXTS[lang].items():
            assert get(key) == (sentence if key in DEVICE_KEYS else None), key
        for key in ("", "E_", "nothing", "E_CHIPS ", "game.poch\n", "~"):
            assert get(key) is None, key
    assert get("poch.round") and get("sheet.poch.round") is None


def test_two_keys_that_could_not_be_told_apart_are_noticed():
    with pytest.raises(ValueError, match="rename one"):
        hashes_of(["plumless", "buckeroo"])


def test_help_fits_on_the_laptop_too():
    assert all(len(textwrap.wrap(line, 76)) <= 3 for lang in LANGUAGES for line in TEXTS[lang].values())
