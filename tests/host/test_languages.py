"""Sentences: packed as byte pairs on the device; on the laptop they follow --lang or the locale, JSON does not."""

import json
import re

import pytest
from kiebitz.games import GAMES
from kiebitz.games.royal_flush.rules_boards import BOARD_IDS
from kiebitz.text import LANGUAGES, has, text
from kiebitz_host import languages
from kiebitz_host.languages import device_texts, use
from kiebitz_lab import gallery
from kiebitz_lab import texts as texts_cmd
from kiebitz_lab.frozen_tree import by_hash, find, hashes_of, packed
from rich.cells import cell_len

MID_GAME = {"royal_flush": 22, "poker_carre": 20, "poch": 12, "top_spot": 15, "top_spot_assisted": 3}
LONG = ["Wilhelmina-Charlotte von", "Bartholomäus Schönfelder", "Giovanni Battista Rossi.", "Françoise d'Haussonville"]

every_language = pytest.mark.parametrize("lang", LANGUAGES)


@pytest.fixture
def lines_of(game_file):
    def lines_of(name, end=None):
        with open(game_file(name), "rb") as file:
            return [json.loads(line) for line in file.readlines()[:end]]

    return lines_of


@pytest.fixture
def replay(kiebitz):
    def replay(lines, *argv):
        return kiebitz("replay", "-", *argv, stdin="\n".join(map(json.dumps, lines)).encode())

    return replay


# --- which language ---


@pytest.mark.long
@pytest.mark.parametrize(
    ("environment", "lang"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "POSIX"}, "en"),
        ({"LANG": "fr"}, "fr"),
        ({"LANG": "nl-BE"}, "nl"),
        ({"LANG": "it_CH.UTF-8", "LC_MESSAGES": "fr_CH.UTF-8"}, "fr"),
        ({"LANG": "it_IT", "LC_ALL": "nl_NL"}, "nl"),
        ({"LANG": "it_IT", "LANGUAGE": "de:en"}, "de"),
        ({"LANG": "it_IT", "LANGUAGE": ""}, "it"),
        ({"LANG": "it_IT", "LANGUAGE": "sv:fr:en"}, "fr"),
        ({"LANG": "it_IT", "LANGUAGE": "sv"}, "it"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "de", "LC_ALL": "C"}, "en"),
        ({"LANGUAGE": "de"}, "en"),
        ({"LANG": "fr_FR", "LC_ALL": ""}, "fr"),
        ({"LANG": "sv_SE.UTF-8"}, "en"),
        ({"LANG": "den_NA"}, "en"),
    ],
)
def test_the_system_says_which_language_unless_it_has_none_of_ours(kiebitz, monkeypatch, environment, lang):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert languages.system_language() == lang


@pytest.mark.long
def test_an_option_is_stronger_than_the_system(kiebitz, game_file, monkeypatch):
    path = game_file("poch")
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert "führt mit 165 Chips" in kiebitz("replay", path).out
    assert "mène avec 165 jetons" in kiebitz("replay", path, "--lang", "fr").out
    assert "leads with 165 chips" in kiebitz("replay", path, "--lang", "en").out


@pytest.mark.long
def test_a_language_that_is_not_there_is_bad_usage(kiebitz, game_file):
    done = kiebitz("replay", game_file("poch"), "--lang", "tlh")
    assert done.code == 2 and "tlh" in done.err


@pytest.mark.long
def test_programs_get_the_same_whatever_the_system_speaks(kiebitz, game_file, replay, monkeypatch):
    wrong = [{"game": "poch", "players": ["Anna", "Ben"]}, {"ev": "hold", "p": 0}]
    english = [kiebitz("rules", "poch", "--json").out, kiebitz("replay", game_file("poch"), "--json").out]
    english.append(replay(wrong, "--json").out)
    monkeypatch.setenv("LANG", "it_IT.UTF-8")
    again = [kiebitz("rules", "poch", "--json").out, kiebitz("replay", game_file("poch"), "--json").out]
    assert [*again, replay(wrong, "--json").out] == english
    assert json.loads(replay(wrong, "--json", "--lang", "it").out)["refused"]["message"].startswith("Adesso")


@pytest.mark.long
def test_the_command_line_itself_stays_english(kiebitz, monkeypatch):
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert "print the state of a recorded game" in kiebitz("--help").out
    assert "cannot read" in kiebitz("replay", "nowhere.jsonl").err


# --- sheets ---


@pytest.mark.long
@every_language
@pytest.mark.parametrize("name", MID_GAME)
def test_score_sheets_fit_80_columns_in_every_language(replay, lines_of, lang, name):
    for end in (MID_GAME[name], None):
        setup, *events = lines_of(name, end)
        for players in (setup["players"], LONG[: len(setup["players"])]):
            done = replay([{**setup, "players": players}, *events], "--lang", lang)
            assert (done.code, done.err) == (0, "")
            assert max(map(cell_len, done.out.splitlines())) <= 80, done.out
            assert "{" not in done.out


def words(sheet):
    return set(re.findall(r"[^\W\d_]{4,}", sheet))


@pytest.mark.long
@every_language
@pytest.mark.parametrize("name", MID_GAME)
def test_every_word_on_a_sheet_is_one_of_the_language(replay, lines_of, lang, name):
    own = words(" ".join(languages.read(lang).values()))
    for end in (MID_GAME[name], None):
        lines = lines_of(name, end)
        said = words(replay(lines, "--lang", lang).out)
        assert {word for word in said - own - words(" ".join(lines[0]["players"])) if not word.isupper()} == set()


@pytest.mark.long
def test_a_german_sheet_reads_like_one(replay, lines_of):
    lines = replay(lines_of("royal_flush", 22), "--lang", "de").out.splitlines()
    assert lines[0].rstrip() == "Royal Flush · Durchgang 2 von 3 · Im Spiel · 19 Einträge"
    assert lines[1].rstrip() == "Anna führt mit 69 Punkten."
    assert "Anna hat diesen Durchgang begonnen." in " ".join(lines)


STANDINGS = (
    ("fr", [], "Personne n'a encore marqué."),
    ("fr", [0], "Anna mène avec 1 point."),
    ("it", [0, 1], "Anna e Ben sono in testa con 1 punto a testa."),
    ("nl", [0, 1, 2], "Iedereen staat gelijk: 1 punt."),
    ("de", [0, 0, 1], "Anna führt mit 2 Punkten."),
)


@pytest.mark.long
@pytest.mark.parametrize(("lang", "points", "sentence"), STANDINGS)
def test_the_second_line_says_how_it_stands(replay, lang, points, sentence):
    setup = {"game": "top_spot", "players": ["Anna", "Ben", "Cleo"]}
    done = replay([setup, *[{"ev": "point", "p": p} for p in points]], "--lang", lang)
    assert done.out.splitlines()[1].rstrip() == sentence


@pytest.mark.long
def test_a_refused_line_is_explained_in_the_language(replay):
    lines = [{"game": "royal_flush", "players": ["Anna", "Ben"]}, {"ev": "spend", "p": 1, "k": 6}]
    done = replay(lines, "--lang", "de")
    assert done.code == 3
    assert "line 2: E_CHIPS - Ben hat nur 5 Chips und braucht 6." in done.err


# --- rules ---


@pytest.mark.long
@every_language
@pytest.mark.parametrize("kind", GAMES)
def test_the_rules_of_every_game_fit_80_columns(kiebitz, lang, kind):
    done = kiebitz("rules", kind, "--lang", lang)
    assert done.code == 0 and "…" not in done.out and "{" not in done.out
    assert max(map(cell_len, done.out.splitlines())) <= 80, done.out
    use(lang)
    assert text(f"game.{kind}") in done.out and text("rules.values") in done.out


@pytest.mark.long
@pytest.mark.parametrize(
    ("lang", "royal", "poch"),
    [
        ("en", "per round", "per round"),
        ("de", "einen Durchgang", "eine Runde"),
        ("fr", "une manche", "un tour"),
        ("it", "per una passata", "per un giro"),
        ("nl", "\u00e9\u00e9n ronde", "\u00e9\u00e9n ronde"),
    ],
)
def test_a_round_is_called_as_in_that_game(kiebitz, lang, royal, poch):
    assert f"{royal} (round)" in kiebitz("rules", "royal_flush", "--lang", lang).out
    assert f"{poch} (round)" in kiebitz("rules", "poch", "--lang", lang).out


@pytest.mark.long
@every_language
def test_the_games_and_the_boards_of_cards_are_listed(kiebitz, lang):
    listed = kiebitz("rules", "--lang", lang).out
    found = kiebitz("combos", "7H 7D", "--lang", lang).out
    nothing = kiebitz("combos", "7H 8D", "--lang", lang).out
    use(lang)
    assert text("game.poch") in listed and text("rules.more") in listed
    assert text("board.pair") in found and text("sheet.pays") in found
    assert text("sheet.no_board") in nothing


# --- kiebitz texts ---


@pytest.mark.long
def test_a_language_that_is_complete_has_nothing_to_mend(kiebitz, monkeypatch):
    monkeypatch.setattr(texts_cmd, "too_long", lambda lang, play: [])
    done = kiebitz("texts", "nl")
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("Nothing to mend.\n")
    assert re.search(r"^\d+ of \d+ are as in English: (\S+, ){9}\S+ and \d+ more$", done.out, re.M)
    assert "as in English" not in kiebitz("texts", "en").out


@pytest.mark.long
def test_what_is_too_long_is_named_with_its_screen(kiebitz, monkeypatch):
    long = {"key.menu": "ein sehr langes Wort für Menü", "E_SUIT": "Trumpf ist eines von " * 10 + "♠."}
    german = {**languages.read("de"), **long}
    monkeypatch.setattr(texts_cmd, "mistakes", lambda lang: [])
    monkeypatch.setattr("kiebitz_lab.texts.GROUPS", ("spot",))
    monkeypatch.setattr("kiebitz_lab.texts.HARD_GROUPS", ())
    monkeypatch.setattr("kiebitz.text.Phrases.get", lambda phrases, key: german.get(key))
    done = kiebitz("texts", "de")
    assert done.code == 2
    assert "E_SUIT: more than 5 lines: Trumpf ist" in done.out
    (told,) = [line for line in done.out.splitlines() if long["key.menu"] in line]
    assert re.fullmatch(rf"key\.menu: shortened: {long['key.menu']} \(spot, table, and \d+ more screens\)", told)


@pytest.mark.long
def test_what_is_missing_or_wrong_is_listed_beside_what_is_too_long(kiebitz, monkeypatch, tmp_path):
    german = {**languages.read("de"), "E_SUIT": "Trumpf ist eines von " * 10 + "\u2660.", "game.top_spot": "{nonsense}"}
    del german["key.menu"]
    for lang, said in (("de", german), ("en", languages.read("en"))):
        (tmp_path / f"{lang}.txt").write_text("".join(f"{key} = {line}\n" for key, line in said.items()), "utf-8")
    for module in ("kiebitz_languages", "kiebitz_host.languages"):
        monkeypatch.setattr(f"{module}.paths_of", lambda lang: [str(tmp_path / f"{lang}.txt")])
    monkeypatch.setattr(languages, "laptop_paths", lambda lang: [])
    for module, groups in (("texts", "GROUPS"), ("gallery", "GROUPS"), ("texts", "HARD_GROUPS")):
        monkeypatch.setattr(f"kiebitz_lab.{module}.{groups}", ("spot",) if groups == "GROUPS" else ())
    done = kiebitz("texts", "de", "--shots", str(tmp_path / "shots"))
    first, second, third, *_ = done.out.splitlines()
    assert done.code == 2 and first == "key.menu: missing"
    assert second.startswith("game.top_spot: the places are nonsense") and third.startswith("E_SUIT: more than 5 lines")
    assert (tmp_path / "shots" / "all.png").is_file()


@pytest.mark.long
def test_a_language_without_a_file_says_how_to_begin(kiebitz):
    done = kiebitz("texts", "xx")
    assert (done.code, done.out) == (2, "")
    assert "copy of en.txt" in done.err


@pytest.mark.long
def test_the_screens_of_a_language_are_drawn(kiebitz, monkeypatch, tmp_path):
    monkeypatch.setattr(texts_cmd, "too_long", lambda lang, play: [])
    monkeypatch.setattr(gallery, "GROUPS", ("spot",))
    done = kiebitz("texts", "it", "--shots", str(tmp_path / "it"))
    assert done.code == 0 and "all.png" in done.out
    assert (tmp_path / "it" / "all.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.long
def test_every_key_of_the_laptop_is_known_to_the_laptop():
    for key in languages.read("en"):
        assert has(key), key


@pytest.mark.long
def test_a_folder_for_the_screens_that_cannot_be_made_is_told(kiebitz, monkeypatch, tmp_path):
    monkeypatch.setattr(texts_cmd, "too_long", lambda lang, play: [])
    (tmp_path / "file").touch()
    done = kiebitz("texts", "it", "--shots", str(tmp_path / "file" / "it"))
    assert done.code == 2 and done.err == f"kiebitz: cannot write {tmp_path / 'file' / 'it'}: Not a directory.\n"


GREEK = {
    "E_TURN": "Είναι η σειρά του {name}.",
    "key.yes": "ναι",
    "count": "Μένουν {n:κάρτα|κάρτες} και {k:μάρκα|μάρκες}, όχι περισσότερες μάρκες.",
    "long": "Οι μάρκες των παικτών και οι κάρτες των παικτών μένουν στο τραπέζι των παικτών.",
}
CYRILLIC = {"a": "Ход игрока {name}: ходит игрок {name}.", "b": "Сдаёт {name}", "c": "♠ ♥ ♦ ♣"}
MIXED = {"plain": "a", "same": "aaaaaaaaaaaaaaaaa", "none": "", "signs": "\U0001f0a1 \u202f!", "nul": "\0\0\0\0"}


def finder(texts):
    """Return the lookup function of packed sentences, as in the image."""
    keys = by_hash(texts)
    hashes, language = hashes_of(keys), packed([texts[key] for key in keys])
    out = bytearray(language.room)
    return lambda key: find(key, hashes, language.codes, language.lengths, language.table, out)


@pytest.mark.parametrize("texts", [GREEK, CYRILLIC, MIXED, {"one": "x"}, *map(device_texts, LANGUAGES)])
def test_every_sentence_comes_back_and_no_other_key_has_one(texts):
    get = finder(texts)
    for key, sentence in texts.items():
        assert get(key) == sentence, key
    for key in ("", "E_", "nothing", "E_TURN ", "~"):
        assert get(key) is None, key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_language_takes_little_more_than_half(lang):
    texts = device_texts(lang)
    codes, lengths, table, room = packed(list(texts.values()))
    plain = sum(len(sentence.encode()) for sentence in texts.values())
    assert len(codes) < plain * 0.53 and len(lengths) == len(texts) and len(table) <= 1 + 2 * 256
    assert room < 256, "it is in the memory of the device"


def test_the_constants_do_not_depend_on_chance():
    sentences = list(device_texts("fr").values())
    assert packed(sentences) == packed(list(sentences))
    assert packed(["ab ab ab cd cd cd"]).table == packed(["ab ab ab cd cd cd"]).table


def test_a_sentence_that_is_too_long_is_refused():
    with pytest.raises(ValueError, match="longer than 255"):
        packed(["".join(map(chr, range(0x400, 0x500)))])


def test_many_alphabets_at_once_only_leave_less_room_for_pairs():
    texts = {f"k{start}": "".join(map(chr, range(start, start + 60))) for start in range(0xA0, 0x2000, 60)}
    get = finder(texts)
    assert all(get(key) == sentence for key, sentence in texts.items())


# --- printed terms ---

TEXTS = {lang: languages.read(lang) for lang in ("en", "de", "fr", "it", "nl")}
ENGLISH_BOARDS = (
    "Pair", "Perfect Pair", "Double Pair", "Three of a Kind", "Triple Pair", "Full House", "Double Three of a Kind",
    "Four of a Kind", "Flush", "Big Flush", "Perfect Triple Pair", "6 Pictures", "Straight", "Big Straight",
    "Straight Flush", "Big Straight Flush", "Royal Flush",
)  # fmt: skip
GERMAN_BOARDS = (
    "Ein Paar", "Perfektes Paar", "Doppeltes Paar", "Drilling", "Drei Paare", "Full House", "Zwei Drillinge",
    "Vierling", "5 Karten einer Farbe", "6 Karten einer Farbe", "3 Paare identischer Karten", "6 Bilder",
    "Straße aus 5 Karten", "Straße aus 7 Karten", "Straße aus 5 Karten einer Farbe", "Straße aus 6 Karten einer Farbe",
    "Royal Flush",
)  # fmt: skip
# The printed term, and its short form that fits a line of the display
SHORTENED = {
    "3 Paare identischer Karten": "3 Paare ident. Karten",
    "Straße aus 5 Karten einer Farbe": "Straße aus 5 einer Farbe",
    "Straße aus 6 Karten einer Farbe": "Straße aus 6 einer Farbe",
}
POCH = {  # the game, ace to jack, marriage, sequence, Pocher, the bank, and the three phases
    "en": "Poch Ace King Queen Jack Marriage Sequence Pocher Bank|Cashing trumps|Bidding|Discarding",
    "de": "Pochen Ass König Dame Bube Mariage Sequenz Pocher Kasse|Trumpf kassieren|Pochen|Ausspielen",
    "fr": "Poque As Roi Dame Valet Mariage Séquence Pocher Caisse|Prise des atouts|Poque|Jouer",
    "it": "Pochen Asso Re Regina Fante Matrimonio Sequenza Pocher Cassa|Incasso briscole|Pochen|Scarto",
    "nl": "Poch Aas Heer Vrouw Boer Mariage Sequentie Pocher Kassa|Troef innen|Poch|Uitspelen",
}
POCH_KEYS = (
    "game.poch", "pool.A", "pool.K", "pool.Q", "pool.J", "pool.MARRIAGE", "pool.SEQUENCE", "pool.POCHER", "sheet.bank",
    "phase.CASH", "phase.BID", "phase.PLAYOUT",
)  # fmt: skip
# The words that are printed for a round, a game, the tiebreaker; a sentence of the device that has each of them
TOP_SPOT = {
    "en": ("Round", "Game", "Tiebreaker", "match"),
    "de": ("Stich", "Runde", "Stechen", "Partie"),
    "fr": ("Tour", "Manche", "Départage", "partie"),
    "nl": ("Ronde", "Spel", "Tussenronde", "match"),
}
TOP_SPOT_KEYS = ("ev.trick.top_spot", "spot.game", "spot.tiebreak", "spot.match_over")


@pytest.mark.parametrize(
    ("lang", "boards"), [("de", GERMAN_BOARDS), ("fr", ENGLISH_BOARDS), ("it", ENGLISH_BOARDS), ("en", ENGLISH_BOARDS)]
)
def test_the_boards_of_royal_flush(lang, boards):
    said = [TEXTS[lang][f"board.{board}"] for board in BOARD_IDS]
    assert said == [SHORTENED.get(board, board) for board in boards]


@pytest.mark.parametrize("lang", POCH)
def test_the_pools_and_phases_of_poch(lang):
    words, *phases = POCH[lang].split("|")
    assert [TEXTS[lang][key] for key in POCH_KEYS] == [*words.split(), *phases]


@pytest.mark.parametrize("lang", TOP_SPOT)
def test_rounds_games_tiebreakers_and_matches_of_top_spot(lang):
    for key, word in zip(TOP_SPOT_KEYS, TOP_SPOT[lang], strict=True):
        assert word in TEXTS[lang][key], key
    assert TEXTS[lang]["level.junior"] == "Junior"
    assert TEXTS[lang]["level.expert"] == ("Experten" if lang == "de" else "Expert")


def test_the_combinations_of_poker_carre():
    assert [TEXTS["de"][f"kind.{kind}"] for kind in ("straight", "set", "colour")] == ["Straße", "Satz", "Farbe"]
    assert "Wertungsblock" in TEXTS["de"]["carre.menu.pad"]


def test_a_game_may_have_sentences_in_its_folder_on_the_laptop(monkeypatch, tmp_path):
    (tmp_path / "top_spot").mkdir()
    (tmp_path / "top_spot" / "en.txt").write_text("# English\nsheet.spot.crown = the crown\n")
    monkeypatch.setattr(languages, "_GAMES", tmp_path)
    assert languages.read("en")["sheet.spot.crown"] == "the crown"
    assert "sheet.spot.crown" not in languages.device_texts("en")
