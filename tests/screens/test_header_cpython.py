"""The bar at the top of a full screen does not melt together with the first line, on both displays."""

import pytest
from helpers.faulty_storage import FaultyStorage
from kiebitz_lab import gallery
from kiebitz_lab.scenes import scenes_of

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
