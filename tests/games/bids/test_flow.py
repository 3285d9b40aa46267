"""Test bids and tricks by key presses: predictable numbers, sums, refused bids, UNDO across rounds, the sheet."""

from helpers.device import Device, at_table
from helpers.play import ev, setup
from kiebitz_lab.dice import Dice

NOT_EQUAL = {"sum": "not_equal"}


def table(n=4, *events, **keys):
    return at_table(setup("bids", n, title="Wizard", **keys), events)


def bids(*numbers):
    return [ev("bid", p=p, k=k) for p, k in enumerate(numbers)]


def tricks(*numbers):
    return [ev("tricks", p=p, k=k) for p, k in enumerate(numbers)]


def a_round(n, cards):
    return bids(*[0] * n) + tricks(cards, *[0] * (n - 1))


def rounds(n, count):
    return [event for cards in range(1, count + 1) for event in a_round(n, cards)]


def test_bids_go_round_from_the_left_of_the_dealer_and_start_at_nothing():
    d = table(4, *rounds(4, 4), dealer=1)
    seats = []
    for _ in range(4):
        seats.append(d.app.top.at)
        assert d.app.top.number == 0
        d.keys("up ok")
    assert seats == [2, 3, 0, 1] and d.game.bids == [1, 1, 1, 1] and d.game.phase == "TRICKS"


def test_the_same_keys_give_the_same_bid_to_everybody():
    for keys, number in (("up", 1), ("left", 2), ("right", 3), ("right up", 4), ("right*2 down", 5), ("down", 0)):
        d = table(4, *rounds(4, 8))
        d.keys(f"{keys} ok " * 4)
        assert d.game.bids == [number] * 4, keys


def test_up_to_three_tricks_are_at_most_two_presses_and_a_round_of_four_at_most_fourteen():
    for first in ((), rounds(4, 3), rounds(4, 11)):
        for every in range(4 if first else 2):
            d = table(4, *first)
            before, start = d.presses, d.game.round
            key = ("", "up", "left", "right")[every]
            d.keys(f"{key} ok " * 4)
            assert d.game.bids == [every] * 4
            for _ in range(4):
                d.keys("ok")
            while d.game.round == start:  # the last tricks are more than can be, or the sum is doubted
                d.keys("ok")
            assert d.presses - before <= 14, every


def test_tricks_are_offered_as_they_were_bid_and_the_last_ones_are_what_is_left():
    d = table(3, *rounds(3, 3), *bids(2, 1, 0))
    assert d.sees("3 of 4 bid: 1 too few", "bids 2") and d.app.top.number == 2
    d.keys("ok")
    assert d.sees("2 of 2", "+40") and d.app.top.number == 1
    d.keys("down")
    assert d.sees("2 of 4 tricks", "-10")
    d.keys("ok")
    assert d.app.top.at == 2 and d.app.top.number == 2 and d.sees("4 of 4 tricks", "-20")
    d.keys("ok")
    assert d.game.round == 5 and d.game.points_of(3) == [40, -10, -20]


def test_the_sum_is_in_sight_with_the_number_at_the_cursor():
    d = table(3, *rounds(3, 4))
    assert d.sees("0 of 5 bid")
    d.keys("right")
    assert d.sees("3 of 5 bid")
    d.keys("right")
    assert d.app.top.number == 5 and d.sees("5 of 5 bid")
    d.keys("ok up ok")
    assert d.sees("6 of 5 bid: 1 too many")
    d.keys("ok")
    assert d.game.phase == "TRICKS" and d.sees("6 of 5 bid: 1 too many")
    d.keys("down")
    assert d.sees(" of 5 tricks")


def test_a_bid_that_would_make_the_sum_cannot_be_chosen():
    d = table(3, *rounds(3, 3), *bids(1, 2), options=NOT_EQUAL)
    assert d.app.top.at == 2 and d.sees("not 1")
    assert d.app.top.number == 0
    d.keys("up")
    assert d.app.top.number == 2
    d.keys("down")
    assert d.app.top.number == 0
    d.keys("ok")
    assert d.game.bids == [1, 2, 0]


def test_the_number_stays_in_the_hand_beside_a_bid_that_is_not_allowed():
    d = table(3, *rounds(3, 1), *bids(0, 0), options=NOT_EQUAL)
    d.keys("right")
    assert d.app.top.number == 1
    d.keys("up")
    assert d.app.top.number == 1
    d = table(3, *rounds(3, 1), *bids(2, 0), options=NOT_EQUAL)
    assert d.app.top.number == 1 and d.sees("not 0")
    d.keys("down")
    assert d.app.top.number == 1
    d = table(3, *bids(0, 0), options=NOT_EQUAL)
    d.keys("up right")
    assert d.app.top.number == 0


def test_a_bid_of_nine_in_round_three_cannot_be_chosen_and_is_explained():
    d = table(3, *rounds(3, 2))
    d.keys("right*3")
    assert d.app.top.number == 3
    d.app.top.session.enter(ev("bid", p=0, k=9))
    d.wait(50)
    assert d.sees("Round 3 has only 3 cards: 9 cannot be bid. Choose 0 to 3.")


def test_tricks_that_do_not_add_up_ask_once():
    d = table(3, *rounds(3, 1), *bids(1, 0, 1), *tricks(1, 0))
    d.keys("down ok")
    assert d.sees("The tricks add up to 1, not to 2.") and d.game.round == 2
    d.keys("undo")
    assert d.app.top.at == 2
    d.keys("ok ok") if d.app.top.number == 0 else d.keys("down ok ok")
    assert d.game.round == 3


def test_undo_drops_the_number_then_leads_back_across_the_end_of_a_round():
    d = table(3, *bids(0, 0, 1), *tricks(0, 0, 1), ev("bid", p=1, k=2))
    d.keys("right undo")
    assert d.sees("2 dropped") and d.app.top.number == 0
    d.wait(3000)
    d.keys("undo")
    assert d.sees("Taken back: Ben bids 2") and d.game.bids == [None] * 3
    d.wait(3000)
    assert d.app.top.at == 1 and d.app.top.number == 2
    d.keys("undo")
    assert d.sees("Taken back: Cleo: 1 trick") and d.game.tricks == [0, 0, None]
    d.wait(3000)
    assert d.app.top.at == 2 and d.app.top.number == 1
    d.keys("hold:undo")
    assert d.game.round == 2


def test_any_order_is_possible():
    d = table(3)
    d.keys("hold:right hold:right up ok")
    assert d.game.bids == [None, None, 1] and d.app.top.at == 0
    d.keys("hold:ok pick:bids.menu.other ok")
    assert d.game.bids == [None, 0, 1]


def test_a_held_ok_opens_the_menu_and_a_held_left_shows_the_scores():
    d = table(3, *rounds(3, 3))
    d.keys("hold:ok")
    assert d.sees("Back to the game") and len(d.table) == 18
    d.keys("undo hold:left")
    assert d.sees("Anna") and not d.sees("bid")
    d.keys("ok")
    assert d.app.top.number == 0 and len(d.table) == 18


def test_the_last_round_brings_its_change_until_the_next_bid():
    d = table(3, *rounds(3, 2))
    assert d.sees("+20", "-20")
    d.keys("ok")
    assert not d.sees("-20")


def test_the_bids_stay_in_sight_while_the_round_is_played():
    d = table(3, *rounds(3, 3), *bids(1, 2, 0))
    d.wait(45_000)
    assert d.sees("3 of 4 bid: 1 too few", "bids 2")


def test_the_sheet_shows_bid_tricks_points_and_total_and_opens_the_entry():
    d = table(3, *rounds(3, 2), *bids(1, 2, 1), *tricks(1))
    d.keys("hold:ok pick:bids.menu.sheet")
    assert d.sees("R3/20", "bid", "won", "pts", "total", "+30")
    d.keys("left")
    assert d.sees("R2/20", "-20", "+20")
    d.keys("down ok")
    assert d.app.top.entries.number(d.app.top.at) == 9  # Anna's tricks in round 2
    d.keys("ok pick:history.correct")
    assert d.sees("Anna: 2 tricks")


def test_a_bid_is_corrected_while_the_tricks_are_entered():
    d = table(3, *rounds(3, 2), *bids(1, 2, 1), *tricks(1))
    d.keys("hold:ok pick:menu.history down*2 ok pick:history.correct")
    assert d.app.top.at == 1 and d.app.top.number == 2
    d.keys("down ok")
    assert d.game.bids == [1, 1, 1] and d.game.tricks == [1, None, None]


def test_more_players_than_fit_are_reached_and_the_mark_shows_that_there_are_more():
    d = at_table(setup("bids", 8, title="Oh Hell", options={"points": "ten_plus"}))
    seen = []
    for _ in range(8):
        seen.append(d.game.names[d.app.top.at])
        assert d.sees(seen[-1]) and not d.faults()
        d.keys("ok")
    assert seen == d.game.names


def test_every_key_is_named():
    d = table(3, *rounds(3, 2), *bids(1))
    hints = " ".join([" ".join(page) for page in d.app.canvas.hints])
    for words in ("\u00b11", "+2", "+3", "enter", "menu", "undo", "scores", "other player"):
        assert words in hints, hints


def test_the_titles_come_first_and_wizard_seats_six_at_most():
    d = Device()
    d.keys("ok pick:game.bids")
    assert d.sees("Wizard", "Oh Hell")
    d.keys("ok ok*7")
    assert d.sees("This game is for 3 to 6 players, not for 7.")
    d.wait(5000)
    d.keys("right")
    assert d.sees("1\u219210", "Largest hand: 10")
    d.keys("ok")
    assert d.game.title == "Wizard" and d.game.n == 6 and d.game.hands[-1] == 10


def test_oh_hell_seats_eight_and_keeps_points_that_are_for_so_many():
    d = Device()
    d.keys("ok pick:game.bids down ok ok*8 right at:opt.points right")
    assert d.app.top.options["points"] == "ten_plus"
    d.keys("pick:new.start")
    assert d.game.n == 8 and d.game.options["cards"] == "up_down" and len(d.game.hands) == 11
    assert d.game.options["sum"] == "not_equal"


def test_the_largest_hand_is_chosen_before_the_game_and_kept_for_other_players():
    d = Device()
    d.keys("ok pick:game.bids ok ok*4 right pick:opt.most down*2")
    assert d.sees("13 rounds")
    d.keys("ok pick:new.start")
    assert d.game.options["most"] == 13
    d.keys("hold:ok pick:menu.leave pick:start.new pick:game.bids ok " + "pick:players.guest.add " * 5 + "right")
    assert d.sees("Largest hand: 12")


def test_a_usual_hand_follows_the_players_of_the_next_game():
    d = Device()
    d.keys("ok pick:game.bids ok ok*4 right ok hold:ok pick:menu.leave pick:start.new pick:game.bids ok")
    d.keys("pick:players.guest.add " * 3 + "right")
    assert d.sees("Largest hand: 20")


def test_a_preset_is_edited_and_shows_the_hand_of_the_fewest_players():
    d = Device()
    d.keys("ok pick:game.bids right at:opt.most")
    assert d.sees("Largest hand: 20")
    d.keys("pick:presets.keep")
    assert d.sees("Wizard")


def test_undo_is_the_first_key_after_power_on():
    d = table(3, *bids(0, 1))
    picture = d.hw.oled.frame()
    d.restart()
    assert d.hw.oled.frame() == picture
    d.keys("undo")
    assert d.game.bids == [0, None, None]


def test_random_keys_never_crash_in_any_language():
    dice = Dice(7)
    for lang in ("en", "de", "fr", "it", "nl"):
        d = Device(language=lang)
        d.step_ms = 20
        d.sit_down(setup("bids", 4, title="Wizard", options={"most": 3, "sum": "not_equal"}))
        for _ in range(150):
            key = dice.pick(("up", "down", "left", "right", "ok", "ok", "ok", "undo", "hold:right", "hold:ok"))
            d.keys(key)
            if not d.table:
                d.sit_down(setup("bids", 3, title="Wizard", options={"most": 2}))


def test_the_sheet_of_eight_reaches_everybody():
    d = at_table(setup("bids", 8, title="Oh Hell", options={"points": "ten_plus"}), rounds(8, 2))
    d.keys("hold:ok pick:bids.menu.sheet up")
    assert d.sees("Hal") and not d.sees("Anna") and not d.faults()
    d.keys("down")
    assert d.sees("Anna") and not d.sees("Hal")
