"""Test how a display is detected and chosen, its colours, the same words on an OLED, and boards from a shop."""

from games.poch.case import START
from helpers.device import SHOP, Device, at_table
from kiebitz.store.settings import Settings
from kiebitz.text import said, text
from kiebitz_host.sim.hardware import Reset

DISPLAY = "pick:start.settings pick:set.display"
SH1106 = DISPLAY + " pick:display.pico_oled_sh1106"
IDLE_MS = 4000


def restarted(d, keys):
    """Press these keys; the last one restarts the device, with what is on flash."""
    try:
        d.keys(keys)
    except Reset:
        d.on()
        return True
    return False


def stored(d, name):
    return Settings(d.storage)[name]


def test_what_was_found_is_kept_when_nobody_presses_keys_and_shown_in_about():
    d = Device()
    assert stored(d, "found") == ""
    d.wait(IDLE_MS)
    assert stored(d, "found") == "pico_oled" and stored(d, "board") == ""
    count = d.storage.count
    d.on()
    d.wait(IDLE_MS)
    assert d.storage.count == count, "what is known is not written again"
    d.keys("pick:start.settings pick:set.about")
    assert d.sees("Display", "OLED SSD1306")


def test_the_display_in_use_comes_first_and_choosing_it_keeps_it_for_good():
    d = Device()
    d.keys(DISPLAY)
    assert d.sees("OLED SSD1306", "OLED SH1106", "OLED SSD1309", "find by itself")
    d.keys("at:display.pico_lcd_13")
    assert d.sees("LCD 240x240")
    d.keys("at:display.pico_oled")
    d.keys("ok")
    assert stored(d, "board") == "pico_oled" and d.sees("Settings")


def test_another_display_is_on_trial_and_kept_with_ok():
    d = Device()
    assert restarted(d, SH1106)  # on this glass the picture is shifted, but it is there
    assert d.board.choice.name == "pico_oled_sh1106" and d.sees("Keep this picture")
    d.keys("ok")
    assert stored(d, "board") == "pico_oled_sh1106" and d.sees("New game")
    d.on()
    assert d.board.choice.name == "pico_oled_sh1106" and not d.sees("Keep this picture")


def test_the_large_oled_shows_a_picture_before_and_after_it_is_chosen_by_name():
    d = Device(board="pico_oled_242")
    assert d.board.choice.name == "pico_oled" and d.hw.oled.unknown == [0x8D]
    assert restarted(d, DISPLAY + " pick:display.pico_oled_242")
    assert d.board.choice.name == "pico_oled_242" and d.sees("Keep this picture", "SSD1309")
    d.keys("ok")
    d.on()
    assert stored(d, "board") == "pico_oled_242" and d.sees("New game")


def test_a_display_that_nobody_answers_for_is_gone_after_ten_seconds():
    d = Device()
    assert restarted(d, SH1106)
    d.wait(3000)
    assert d.sees("7 s")
    assert not restarted(d, "wait:6000") and restarted(d, "wait:2000")
    assert d.board.choice.name == "pico_oled" and stored(d, "board") == "" and d.sees("New game")


def test_undo_brings_the_old_display_back_at_once():
    d = Device()
    assert restarted(d, SH1106) and restarted(d, "undo")
    assert d.board.choice.name == "pico_oled" and stored(d, "board") == ""


def test_the_power_goes_while_a_display_is_on_trial():
    d = Device()
    assert restarted(d, SH1106)
    d.restart()
    assert d.board.choice.name == "pico_oled" and d.sees("New game")


def test_find_by_itself_undoes_what_was_said():
    d = Device()
    d.keys(DISPLAY + " ok")
    assert stored(d, "board") == "pico_oled"
    assert restarted(d, "ok pick:display.find")
    assert stored(d, "board") == "" and d.board.choice.found


def test_defaults_do_not_change_the_display():
    d = Device()
    d.keys(DISPLAY + " ok")
    d.app.settings.restore()
    assert stored(d, "board") == "pico_oled"


def test_a_full_flash_is_told_whether_the_display_is_chosen_or_kept():
    d = Device()
    d.keys(DISPLAY)
    d.storage.full_at(d.storage.count, stays=True)
    d.keys("ok")
    assert d.sees("memory") and stored(d, "board") == "", d.text()
    d = Device()
    assert restarted(d, SH1106)
    d.storage.full_at(d.storage.count, stays=True)
    d.keys("ok")
    assert d.sees("memory") and not restarted(d, "wait:12000"), "and the message stays"


# --- colours ---

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


def test_a_board_whose_image_has_no_other_is_not_chosen():
    for board in SHOP:
        d = Device(board=board)
        d.keys("pick:start.settings")
        assert text("set.display") not in [said(label) for label in d.app.top.labels()]
        d.keys("pick:set.about")
        assert d.board.choice.name == board and d.sees(text("display." + board))


def test_what_it_is_stays_known():
    for board in SHOP:
        d = Device(board=board)
        d.wait(IDLE_MS)
        assert Settings(d.storage)["found"] == board
        count = d.storage.count
        d.on()
        d.wait(IDLE_MS)
        assert d.board.choice.name == board and d.storage.count == count


def test_the_last_line_names_the_keys_of_a_board_with_four():
    d = Device(board="display_pack")
    assert d.sees("A/B/X choose")
    d.keys("pick:start.settings")
    assert d.sees("A/B line", "Y+A/B/X change")
    d.keys("undo")
    assert d.sees("New game", "A/B/X choose")
    d.keys("pick:start.new")
    assert d.sees("A/B/X choose", "Y back")
    assert Device().lines()[-1] == Device(board="picosystem").lines()[-1]
