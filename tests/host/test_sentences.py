"""The sentences of the device: packed as byte pairs, and with the printed terms of each game."""

import pytest
from kiebitz.games.royal_flush.rules_boards import BOARD_IDS
from kiebitz.text import LANGUAGES
from kiebitz_host import languages
from kiebitz_host.languages import device_texts
from kiebitz_lab.frozen_tree import by_hash, find, hashes_of, packed

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
