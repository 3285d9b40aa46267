"""Test drawing lots, dice and a coin, at the set-up and at every table."""

from helpers.device import Device, at_table
from kiebitz.games import GAMES, presets_of
from kiebitz.screens.who_starts import by_chance

TABLE = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}


def loaded(d, *values):
    """Let the next throws be these numbers, whenever they are made; each is of 2, 3 or 6."""
    left = list(values)
    d.hw.urandom = lambda n: bytes([(left.pop(0) - (d.hw.time.ticks_ms() >> 4)) % 6 for _ in range(n)])
    return d


def who_starts(d):
    """Open the screen from the menu of a table."""
    d.app.top.open_menu()
    d.wait(50)
    d.pick("Who starts?")
    return d


def test_somebody_is_drawn_and_ok_draws_again():
    d = loaded(who_starts(at_table(TABLE)), 1, 5)
    assert d.sees("Who starts?", "player", "?", "throw")
    d.keys("ok")
    assert d.sees("Ben")
    d.keys("ok")
    assert d.sees("Cleo") and not d.sees("Ben")
    d.keys("undo*2")
    assert d.sees("Round 1 of 3") and len(d.table) == 0


def test_one_die_two_dice_and_a_coin_are_thrown():
    d = loaded(who_starts(at_table(TABLE)), 3, 5, 2, 0, 1)
    d.keys("right")
    blank = [bytes(row) for row in d.hw.oled.frame()]
    d.keys("ok")
    assert d.sees("1 die") and d.app.top.thrown == [3]
    assert [bytes(row) for row in d.hw.oled.frame()] != blank
    d.keys("right ok")
    assert d.sees("2 dice", "6 + 3 = 9")
    d.keys("right ok")
    assert d.sees("coin", "Heads")
    d.keys("ok")
    assert d.sees("Tails")
    d.keys("right")
    assert d.sees("player", "?")


def test_the_same_result_again_can_be_seen_to_be_a_new_one():
    d = loaded(who_starts(at_table(TABLE)), 1, 1).keys("ok")
    first = d.text()
    d.keys("ok")
    assert d.sees("Ben") and d.text() != first


def test_every_table_has_it_in_its_menu():
    for kind in GAMES:
        d = who_starts(at_table({"game": kind, "players": ["Anna", "Ben", "Cleo"]}))
        assert d.sees("Who starts?", "player"), kind


def test_the_first_dealer_is_drawn_at_the_set_up():
    d = Device()
    d.app.roster.played(["Anna", "Ben", "Cleo"])
    d.keys("ok ok ok at:new.dealer")
    assert d.sees("Dealer: Cleo") and not d.sees("by lot")
    d.keys("right")
    assert d.sees("Dealer: by lot") and not d.sees("Cleo")
    d.keys("up")
    loaded(d, 0).keys("ok")
    assert d.sees("Who deals?", "Anna", "begin") and not d.sees("starts")
    d.keys("undo")
    assert d.sees("Dealer: by lot")
    loaded(d, 1).keys("ok")
    assert d.sees("Who deals?", "Ben")
    d.hw.urandom = d.hw._pseudo_random
    d.keys("ok")
    assert d.game.dealer == 1 and d.table.setup["dealer"] == 1


def test_by_lot_is_one_value_of_the_line_of_the_dealer_in_every_game():
    for kind in GAMES:
        d = Device()
        d.app.roster.played(["Anna", "Ben", "Cleo"])
        d.keys("ok pick:game." + kind)
        if presets_of(kind):
            d.app.top.at = min(2, len(presets_of(kind).TITLES) - 1)  # a title with a dealer
            d.keys("ok")
        d.keys("ok at:new.dealer left")
        assert d.sees("Dealer: Ben"), kind
        d.keys("left left")
        assert d.sees("Dealer: by lot"), kind
        d.keys("left")
        assert d.sees("Dealer: Cleo"), kind


def test_a_long_name_is_shown_in_full():
    name = "Bartholom\u00e4us Sch\u00f6nfelder"
    d = loaded(who_starts(at_table({"game": "royal_flush", "players": ["Anna", name]})), 1).keys("ok")
    assert d.sees(name) and not d.faults()


def test_every_number_is_equally_likely():
    d = Device()
    for n in (2, 3, 4, 5, 6, 7, 8):
        left = list(range(256))
        d.hw.urandom = lambda count, left=left: bytes([left.pop() for _ in range(count)])
        drawn = [by_chance(d.app, n) for _ in range(256 // n * n)]
        assert [drawn.count(value) for value in range(n)] == [256 // n] * n, n


def test_a_chip_whose_chance_is_always_the_same_does_not_throw_the_same_every_evening():
    d = who_starts(at_table(TABLE)).keys("right")
    d.hw.urandom = lambda n: b"*" * n
    thrown = set()
    for ms in range(300, 800, 20):
        d.wait(ms)
        thrown.update(d.keys("ok").app.top.thrown)
    assert thrown == set(range(6))
