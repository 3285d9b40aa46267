"""Test the scoreboard, opened by a key or shown automatically while nobody plays."""

from helpers.device import at_table
from kiebitz.screens.scoreboard import Scoreboard, name_lines

NAMES = ["Anna", "Ben", "Cleo", "Dan", "Eva", "Fritz", "Gerda", "Heidi"]
LONG = [
    "Maximiliane-Alexandrina",
    "Bartholom\u00e4us Sch\u00f6nfelder",
    "C\u00e4cilie von Hohenzollern",
    "Wilhelmina Vanderbuilt",
    "Giovanni Battista Rossi",
    "Dorothea Katharina \u00dcnl\u00fc",
    "Ernst-Friedrich Gro\u00dfmann",
    "Fran\u00e7oise d'Haussonville",
]
ROYAL = {"game": "royal_flush", "players": NAMES[:3]}
SPOT = {"game": "top_spot", "players": NAMES[:5]}
SCORED = [{"ev": "score", "p": 1, "board": "four_kind"}]
OVER = [{"ev": "score", "p": 0, "board": "royal_flush"}] * 3
CROWN, TROPHY = "\ue002", "\ue010"
TABLES = (
    (ROYAL, SCORED),
    ({"game": "poker_carre", "players": NAMES[:3]}, [{"ev": "mark", "p": 0, "rubric": 1}]),
    ({"game": "poker_carre", "players": NAMES[:2], "mode": "grid"}, []),
    ({"game": "poch", "players": NAMES}, [{"ev": "start_round", "trump": "H"}]),
    (SPOT, [{"ev": "point", "p": 2}]),
    (dict(SPOT, players=NAMES[:3]), [{"ev": "point", "p": 2}]),
    (dict(SPOT, mode="assisted"), []),
)


def is_shown(d):
    return isinstance(d.app.top, Scoreboard)


def heights(d):
    """Return the heights of all numbers in large digits."""
    return {word[4] for word in d.words.drawn if word[4] > 8}


class Totals:
    """A game of which only names, totals and leaders are known."""

    over = False

    def __init__(self, names, totals, low=False):
        self.names = names
        self.n = len(names)
        self._totals = totals
        self._low = low

    def totals(self):
        return self._totals

    def leaders(self):
        best = min(self._totals) if self._low else max(self._totals)
        return [p for p in range(self.n) if self._totals[p] == best]


class Play:
    def __init__(self, game):
        self.game = game


def shown(d, names, totals, low=False):
    d.app.push(Scoreboard(d.app, Play(Totals(names, totals, low))))
    d.wait(20)
    return d


# --- on a key ---


def test_left_held_shows_the_scoreboard_at_every_table_and_enters_nothing():
    for setup, events in TABLES:
        d = at_table(setup, events)
        table, lines = d.app.top, d.journal()
        d.keys("hold:left")
        assert is_shown(d) and d.app.stack[-2] is table, setup
        assert max(heights(d)) >= 16 and d.sees(*setup["players"]) and d.journal() == lines, d.text()


def test_the_first_key_only_closes_it():
    for key in ("up", "down", "left", "right", "ok", "undo", "hold:ok", "hold:undo", "hold:left"):
        d = at_table(SPOT, [{"ev": "point", "p": 2}])
        d.keys("hold:left")
        d.keys(key)
        assert not is_shown(d) and d.app.top.takes_back and d.game.points == [0, 0, 1, 0, 0], key


def test_left_still_gives_the_trick_in_top_spot_and_opens_the_menu_elsewhere():
    d = at_table(SPOT)
    d.keys("left left right")
    assert d.game.points == [2, 0, 1, 0, 0]
    d.keys("hold:ok left left")  # the menu, back, and a trick
    assert d.game.points == [3, 0, 1, 0, 0]
    d = at_table(ROYAL, SCORED)
    d.keys("left")
    assert d.sees("Back to the game", "Boards")


def test_a_scoreboard_from_left_held_leaves_no_trick_behind_in_top_spot():
    d = at_table(SPOT)
    d.keys("hold:left ok hold:ok left")
    assert d.game.points == [0] * 5 and d.app.top.takes_back


def test_while_an_entry_is_corrected_left_held_is_only_the_menu():
    d = at_table(ROYAL, SCORED)
    d.keys("left pick:menu.history ok pick:history.correct ok undo hold:left")
    assert not is_shown(d) and d.sees("Back to the game") and not d.sees("scores")


# --- what it shows ---


def test_the_leader_is_marked_and_nobody_while_all_are_equal():
    d = at_table(ROYAL, SCORED)
    d.keys("hold:left")
    assert d.sees(CROWN + "Ben", "14") and d.text().count(CROWN) == 1
    d = at_table(ROYAL)
    d.keys("hold:left")
    assert d.sees("Anna", "Ben", "Cleo") and CROWN not in d.text()


def test_a_game_may_say_that_the_lowest_total_leads():
    d = shown(at_table(ROYAL), NAMES[:4], [12, 3, 45, 30], low=True)
    assert d.sees(CROWN + "Ben") and d.text().count(CROWN) == 1


def test_two_to_eight_players_with_the_longest_names_have_digits_of_16_rows_or_more():
    for n in range(2, 9):
        for names in (NAMES, LONG):
            d = shown(at_table(ROYAL), names[:n], [112, -87, 145, 60, 33, 99, 128, 71][:n])
            assert not [fault for fault in d.faults() if fault[:9] != "shortened"], d.faults()
            assert heights(d) == {32 if n == 2 else 24 if n < 5 else 16}, n
            assert all([name[:3] in d.text() for name in names[:n]]), d.text()


def test_six_digits_and_negative_totals_shrink_but_fit():
    for n in range(2, 9):
        for totals in ([123456, -870, 5] * 3, [-123456, -870000, 5] * 3, [-12345, 99999, 0] * 3):
            d = shown(at_table(ROYAL), LONG[:n], totals[:n])
            assert not [fault for fault in d.faults() if fault[:9] != "shortened"], d.faults()
            assert all([str(total) in d.text() for total in totals[:n]]), d.text()


def test_names_that_would_be_cut_alike_become_initials():
    d = shown(at_table(ROYAL), ["Johanna A", "Johanna B", "C", "D", "E", "F", "Maximilian", "Maximiliane"], [1234] * 8)
    assert d.lines()[:4] == ["1234 1234", "J E", "1234 1234", "O F"]


def test_a_long_name_takes_two_lines_its_words_cut_where_room_ends():
    c = at_table(ROYAL).app.canvas
    assert name_lines(c, "Ben", 30) == ["Ben"]
    assert name_lines(c, "Bartholom\u00e4us Sch\u00f6n", 30) == ["Bartho", "Sch\u00f6n"]
    assert name_lines(c, "Maximiliane-Alexandrina", 60) == ["Maximiliane-", "Alexandrina"]


# --- automatically ---


def test_after_half_a_minute_it_comes_by_itself_and_any_key_brings_the_table_back():
    d = at_table(ROYAL, SCORED)
    d.keys("up")
    before = bytes(d.board.display.buffer)
    d.wait(29800)
    assert not is_shown(d)
    d.wait(400)
    assert is_shown(d) and d.sees("Ben", "14")
    d.keys("ok")
    assert not is_shown(d) and bytes(d.board.display.buffer) == before


def test_it_writes_nothing_and_after_a_power_cut_the_table_is_shown():
    d = at_table(ROYAL, SCORED)
    d.wait(6000)
    before, count = bytes(d.board.display.buffer), d.storage.count
    d.wait(30000)
    assert is_shown(d) and d.storage.count == count
    d.restart()
    assert not is_shown(d) and d.sees("Round 1 of 3", "Ben: Four of a Kind")
    assert bytes(d.board.display.buffer) == before


def test_it_comes_before_the_display_is_dimmed():
    d = at_table(ROYAL, SCORED)
    d.app.settings.set("dim_s", 15)
    d.app.apply_settings()
    d.keys("up wait:15100")
    assert is_shown(d)


def test_the_key_that_switches_the_display_on_shows_the_table():
    d = at_table(ROYAL, SCORED)
    d.keys("up wait:301000")
    assert not d.hw.oled.on
    d.keys("ok")
    assert d.hw.oled.on and not is_shown(d) and d.sees("Round 1 of 3")


def test_it_does_not_come_before_the_first_entry_nor_over_a_message_or_another_screen():
    d = at_table(ROYAL)
    d.keys("up wait:40000")
    assert not is_shown(d)
    d = at_table(ROYAL, SCORED)
    d.keys("left wait:40000")
    assert d.sees("Back to the game")
    d.keys("undo ok wait:40000")
    assert not is_shown(d)


def test_it_stays_away_if_the_setting_says_so():
    d = at_table(ROYAL, SCORED)
    d.keys("left pick:start.settings at:set.scoreboard")
    assert d.sees("Scoreboard: on")
    d.keys("ok")
    assert d.sees("Scoreboard: off")
    d.keys("undo*2 wait:40000")
    assert not is_shown(d) and d.sees("Round 1 of 3")
    d.keys("hold:left")
    assert is_shown(d)


# --- at the end ---


def test_the_final_ranking_of_three_has_large_digits_and_its_scoreboard_is_one_key_away():
    d = at_table(ROYAL, OVER)
    d.keys("ok")
    assert d.sees("Final ranking", TROPHY + " Anna 85", "2. Ben 10", "large") and heights(d) == {16}
    d.keys("right")
    assert is_shown(d) and d.sees(TROPHY + "Anna", "85") and heights(d) == {24}
    d.keys("ok")
    assert d.sees("Final ranking")
    d.keys("wait:31000")
    assert is_shown(d)


def test_at_the_end_the_winner_comes_first():
    d = at_table(dict(ROYAL, players=NAMES[:5]), [{"ev": "score", "p": 3, "board": "royal_flush"}] * 3)
    d.keys("ok right")
    assert is_shown(d) and d.text().index("Dan") < d.text().index("Anna") and TROPHY in d.text()
