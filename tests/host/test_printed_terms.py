"""Boards, pools, phases and combinations are called as the rules of each game print them in that language."""

import pytest
from kiebitz.games.royal_flush.rules_boards import BOARD_IDS
from kiebitz_host import languages

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
# What is printed, and what a line of the display has room for
SHORTENED = {
    "3 Paare identischer Karten": "3 Paare ident. Karten",
    "Straße aus 5 Karten einer Farbe": "Straße aus 5 einer Farbe",
    "Straße aus 6 Karten einer Farbe": "Straße aus 6 einer Farbe",
}
POCH = {  # the game, ace to jack, marriage, sequence, Pocher, the bank, and the three phases
    "en": "Poch Ace King Queen Jack Marriage Sequence Pocher Bank|Cashing trumps|Bidding|Discarding",
    "de": "Pochen Ass König Dame Bube Mariage Sequenz Pocher Kasse|Trumpf kassieren|Pochen|Ausspielen",
    "fr": "Poque As Roi Dame Valet Mariage Séquence Pocher Caisse|Prendre un atout|Poque|Jouer",
    "it": "Pochen Asso Re Regina Fante Matrimonio Sequenza Pocher Cassa|Raccogli briscola|Pochen|Spareggio",
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
