"""Test pauses in every game, and on both displays the header and the turn clock."""

import pytest
from helpers.device import at_table
from helpers.faulty_storage import FaultyStorage
from kiebitz.board.profiles import PROFILES
from kiebitz_lab import gallery
from kiebitz_lab.games import GAMES_IN_LAB
from kiebitz_lab.games.base import lines_of
from kiebitz_lab.scenes import scenes_of

NAMES = ["Anna", "Ben", "Cleo", "Dan", "Eva", "Fritz"]


@pytest.mark.parametrize("board", PROFILES)
@pytest.mark.parametrize("players", [3, 4, 6])
def test_each_new_second_is_drawn_as_the_whole_screen_would_be(board, players):
    d = at_table({"game": "poch", "players": NAMES[:players]}, board=board)
    d.app.top.open_menu()
    d.wait(20)
    d.pick("Turn clock")
    d.keys("right pick:clock.limit ok pick:clock.on ok")
    d.step_ms = 200
    d.wait(75_000)  # over the limit of a minute, and from one to the next; the device compares every picture
    assert d.sees("1:14") and d.faults() == []


SAMPLES = {name: sample for game in GAMES_IN_LAB.values() for name, sample in game.SAMPLES.items()}


def picture(d):
    """Return the pixels of the display without a message over the screen."""
    d.app.toast("", 1)
    d.wait(10)
    return bytes(d.board.display.buffer)


@pytest.mark.parametrize("name", SAMPLES)
def test_in_every_game_a_power_cut_leaves_the_table_as_it_was(name):
    setup, keys = SAMPLES[name]
    d = at_table(setup)
    tables = 0
    for line in lines_of(keys)[:14]:
        d.keys(line)
        if not d.app.top.takes_back:
            continue
        before = picture(d)
        shown = d.lines()
        d.restart()
        assert picture(d) == before, (line, shown, d.lines())
        tables += 1
    assert tables > 5


TIGHT = {
    "poch": ("ready", "cash the pools", "bidding", "show-down", "play-out", "hands", "cards left", "game over"),
    "royal": ("table in play", "round over", "last round over", "boards of a player", "boards", "between rounds"),
    "spot": ("table", "rounds won", "refereed", "tiebreaker", "game ended", "match over"),
}
EDGE = {"pico_oled": (7, 8, 9), "pico_lcd_13": (28, 29, 30)}  # rows where the bar ends and the first line begins


@pytest.mark.parametrize("board", EDGE)
@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("group", TIGHT)
def test_a_dark_row_parts_the_header_from_the_first_line(group, hard, board):
    for scene in [scene for scene in scenes_of(group, hard) if scene[0] in TIGHT[group]]:
        rows, palette = gallery.play(FaultyStorage(), "en", scene, board=board).hw.oled.picture()
        dark = palette.index(min(palette))
        assert any(set(rows[y]) == {dark} for y in EDGE[board]), scene[0]


@pytest.mark.parametrize("board", EDGE)
@pytest.mark.parametrize("n", [4, 8])
def test_a_dark_row_parts_the_header_of_a_stored_game_from_its_players(n, board):
    setup = {"game": "poch", "players": ["Anna", "Ben", "Cleo", "Dan", "Eva", "Fritz", "Gerd", "Heidi"][:n]}
    scene = ("stored", setup, [], "left pick:menu.leave pick:start.games ok")
    device = gallery.play(FaultyStorage(), "en", scene, board=board)
    assert "Poch" in device.lines()[0] and "Anna" in device.lines()[1], device.text()
    rows, palette = device.hw.oled.picture()
    dark = palette.index(min(palette))
    assert any(set(rows[y]) == {dark} for y in EDGE[board])
