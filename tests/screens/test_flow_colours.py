"""Test the colours of the colour display, and that an OLED shows the same words."""

from games.poch.case import START
from helpers.device import at_table

LCD, OLED = "pico_lcd_13", "pico_oled"
ROYAL = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}
POCH = {"game": "poch", "players": ["Anna", "Ben", "Cleo", "Dan"]}
SPOT = {"game": "top_spot", "players": ["Anna", "Ben", "Cleo", "Dan"]}
CARRE = {"game": "poker_carre", "players": ["Anna", "Ben"], "mode": "grid"}
NINE = {"ev": "layout", "cards": "a1 b2 c3 d4 e5 f6 g7 a2 b3"}
# The colours of PokerCarre by their letters; black cards are shown as white ones
CARDS = {"a": "red", "b": "orange", "c": "yellow", "d": "green", "e": "blue", "f": "violet", "g": "plain"}


def score(p, board):
    return {"ev": "score", "p": p, "board": board}


def both(setup, events=(), keys=""):
    """Play the same keys on both displays. Returns the device with colours; all words must be alike."""
    lcd, oled = [at_table(setup, events, board=board).keys(keys) for board in (LCD, OLED)]
    assert lcd.lines() == oled.lines()
    for _, _, word, _, _, _ in oled.words.drawn:
        assert oled.colour_of(word) == "plain"
    return lcd


def test_the_header_has_its_bar_and_the_rest_is_plain():
    d = both(ROYAL)
    assert d.colour_of("Round 1") == "bar"
    assert [d.colour_of(word) for word in ("Anna", "Ben", "Cleo", "chips")] == ["plain"] * 4


def test_the_leader_has_a_colour_unless_nobody_is_behind():
    d = both(ROYAL, [score(0, "pair"), score(1, "pair")])
    assert d.game.leaders() == [0]
    assert [d.colour_of(name) for name in ("Anna", "Ben", "Cleo")] == ["leader", "plain", "plain"]
    d.keys("left pick:menu.standings")
    assert d.sees("Standings") and d.colour_of("Anna") == "leader" and d.colour_of("Ben") == "plain"


def test_the_last_change_has_a_colour_until_the_next_one():
    d = both(ROYAL, [score(0, "pair"), score(1, "three_kind")])
    assert d.colour_of("+6") == "change"
    d.keys("undo wait:2000")
    assert d.colour_of("-6") == "change"
    d.keys("down")
    assert d.colour_of("-6") == "change", "a move of the cursor leaves the colours as they are"


def test_a_refusal_has_a_colour_that_goes_with_its_box():
    d = both(ROYAL, (), "undo")
    assert d.colour_of("Nothing to take back.") == "refused"
    d.keys("down")
    assert not d.sees("Nothing to take back.") and d.colour_of("Anna starts") == "plain"


def test_a_message_that_is_no_refusal_is_plain_over_any_colour():
    d = both(ROYAL, [score(0, "pair"), score(1, "three_kind"), score(1, "pair")], "undo")
    assert d.sees("Taken back") and d.colour_of("Taken back") == "plain"


def test_hearts_and_diamonds_are_red_where_cards_are_entered():
    d = both(ROYAL, (), "left pick:royal.menu.cards")
    for keys in ("", "down", "ok right*3 up"):
        d.keys(keys)
        assert [d.colour_of(suit) for suit in "♠♥♦♣"] == ["plain", "red", "red", "plain"]
    assert d.colour_of("8♥") == "bar"


def test_red_trumps_are_red_before_and_during_a_round_of_poch():
    d = both(POCH)
    assert [d.colour_of(suit) for suit in "♠♥♦♣"] == ["plain", "red", "red", "plain"]
    d.keys("down down")
    assert [d.colour_of(suit) for suit in "♠♥♦♣"] == ["plain", "red", "red", "plain"]
    d.keys("ok")
    assert d.sees("Round 1 ♥") and d.colour_of("♥") == "red" and d.colour_of("Round 1") == "bar"
    black = both(POCH, [dict(START, trump="S")])
    assert black.sees("Round 1 ♠") and black.colour_of("♠") == "bar"


def test_chips_of_poch_show_the_leader_and_the_last_change():
    bids = [START, {"ev": "end_cash", "confirm": True}, {"ev": "bid", "p": 0, "k": 3}, {"ev": "bid", "p": 1, "k": 5}]
    bids += [{"ev": "pass", "p": 2}, {"ev": "pass", "p": 3}, {"ev": "showdown", "best": 0}]
    d = both(POCH, bids)
    for _ in range(5):
        assert d.sees("Anna leads", "+20  84", "-8  54")
        assert [d.colour_of(name) for name in ("Anna", "Ben", "Cleo", "Dan")] == ["leader", "plain", "plain", "plain"]
        assert [d.colour_of(words) for words in ("+20", "-8", "84", "54")] == ["change", "change", "leader", "plain"]
        d.keys("down")


def test_a_trick_of_top_spot_colours_the_change_and_the_leader():
    d = both(SPOT, (), "left left up left")
    assert d.sees("Anna", "+1(3)")
    assert d.colour_of("+1(3)") == "change" and d.colour_of("(3)") == "plain"
    assert [d.colour_of(name) for name in ("Anna", "Ben", "Cleo", "Dan")] == ["leader", "plain", "plain", "plain"]


def test_cards_of_poker_carre_have_their_colours_beside_their_letters():
    d = both(CARRE, [NINE])
    for letter in CARDS:
        assert d.colour_of(letter) == CARDS[letter], letter


def test_cards_to_choose_from_have_their_colours_and_the_cursor_takes_them_along():
    d = both(CARRE, (), "ok")
    assert [d.colour_of(letter) for letter in CARDS] == list(CARDS.values())
    seen = []
    for name in ("green", "blue", "violet", "black", "red", "orange", "yellow"):
        seen.append(d.colour_of(name + " 4"))
        d.keys("right")
    assert seen == ["green", "blue", "violet", "plain", "red", "orange", "yellow"]
    d.keys("ok")
    assert d.colour_of("d4") == "green" and d.colour_of("1/9") == "plain"


def test_a_card_for_a_cell_is_chosen_among_coloured_columns():
    d = both(CARRE, [NINE], "ok")
    assert d.sees("enter")
    assert [d.colour_of(letter) for letter in CARDS] == list(CARDS.values())
    d.keys("right down")
    assert [d.colour_of(letter) for letter in CARDS] == list(CARDS.values())
