"""Test that the large canvas has the measures of the small one, and its own pixels."""

from kiebitz.raster.canvas import Canvas
from kiebitz.raster.large_canvas import LargeCanvas, across, down
from kiebitz.raster.tints import COLOURS, NUMBERS
from kiebitz.raster.tints import SIZE as TINT_SIZE
from kiebitz_host.sim.screen_reader import ObservedCanvas, ScreenReader

SIZE = 240
LETTERS = "".join([chr(code) for code in range(32, 127)]) + "\u00e0\u00c4\u00df\u2191\u2666\ue000"
WORDS = ("", " ", "Anna", "Round 2 of 3", "Maximiliane-Alexandrina", "♠A ♥K", "Łukasz", "WWWiii…", "12 → 14")


def rows_of(c):
    buf = c._glass.buf
    return [bytes([buf[(y >> 3) * SIZE + x] >> (y & 7) & 1 for x in range(SIZE)]) for y in range(SIZE)]


def lit_box(c):
    """Return the first and last column and row that are lit."""
    rows = rows_of(c)
    columns = [max([row[x] for row in rows]) for x in range(SIZE)]
    lines = [max(row) for row in rows]
    return (
        columns.index(1),
        SIZE - 1 - list(reversed(columns)).index(1),
        lines.index(1),
        SIZE - 1 - list(reversed(lines)).index(1),
    )


def new():
    return LargeCanvas(SIZE, SIZE)


def test_everything_is_measured_as_on_the_small_display():
    small, large = Canvas(128, 64), new()
    assert (large.w, large.h) == (128, 64)
    for s in WORDS + tuple(LETTERS):
        assert large.width(s) == small.width(s), s
        assert large.text(s, 3, 8) == small.text(s, 3, 8), s
        for room in (0, 5, 20, 60):
            assert large.fit(s, room) == small.fit(s, room), (s, room)
    for s in ("0", "128", "+12", "-3", "1:20", "♠", "♥", "♦", "♣"):
        for size in (16, 12):
            assert large.digits_width(s, size) == small.digits_width(s, size), s
            assert large.digits(s, 3, 8, size) == small.digits(s, 3, 8, size), s


def test_a_text_lies_where_it_is_measured():
    for s in WORDS[2:]:
        for x, y in ((0, 0), (7, 8), (13, 21), (1, 55)):
            c = new()
            end = c.text(s, x, y)
            left, right, top, bottom = lit_box(c)
            assert across(x) <= left and right < across(end), (s, x)
            assert down(y) <= top and bottom < down(y + 8), (s, y)
            assert left <= across(x) + 4 and right >= across(end - 1) - 7, (s, x)


def test_letters_stand_evenly_however_long_the_line():
    # The place of a letter is that of its measure, not the sum of rounded widths
    c = new()
    c.text("l" * 40, 0, 0)
    stems = [x for x in range(SIZE) if rows_of(c)[15][x]]
    assert abs(stems[-1] - across(39 * 3)) <= 4


def test_what_is_beyond_the_edges_is_left_out():
    for x, y in ((-20, 0), (110, 0), (0, -4), (0, 60), (200, 0), (-200, 0), (0, 100), (0, -50)):
        c = new()
        c.text("Overflow", x, y)
        c.text("Overflow", x, y, True)
        c.digits("128", x, y)
        c.rect(x, y, 30, 12)
        c.invert(x, y, 30, 12)
        c.box(x, y, 30, 12)


def test_a_part_beyond_the_edge_does_not_move_the_rest():
    wide, cut = new(), new()
    wide.text("Overflow", 40, 8)
    cut.text("Overflow", 40 - 64, 8)
    assert [row[:40] for row in rows_of(cut)] == [row[120:160] for row in rows_of(wide)]


def test_inverted_text_is_dark_on_a_lit_ground_with_a_margin():
    plain, inverted = new(), new()
    plain.text("Anna", 8, 16)
    inverted.text("Anna", 8, 16, True)
    width = plain.width("Anna")
    left, right, top, bottom = across(8), across(8 + width), down(16), down(24)
    light, dark = rows_of(plain), rows_of(inverted)
    for y in range(top, bottom):
        assert [1 - bit for bit in light[y][left:right]] == list(dark[y][left:right]), y
    assert lit_box(inverted) == (across(7), across(9 + width) - 1, down(15), bottom - 1)


def test_drawn_again_a_text_replaces_what_was_there():
    c, fresh = new(), new()
    c.text("WWWWWW", 10, 8)
    c.text("iiiiii", 10, 8)
    c.rect(10 + c.width("iiiiii"), 8, 60, 8, 0)
    fresh.text("iiiiii", 10, 8)
    assert rows_of(c) == rows_of(fresh)


def test_shapes_cover_what_they_cover_on_the_small_display():
    c = new()
    c.rect(8, 8, 16, 8)
    assert lit_box(c) == (15, 44, 30, 59)
    c.rect(8, 8, 16, 8, 0)
    assert not any([any(row) for row in rows_of(c)])
    c.invert(0, 0, 128, 64)
    assert all([all(row) for row in rows_of(c)])
    c.invert(0, 0, 128, 64)
    c.box(8, 8, 16, 8)
    assert lit_box(c) == (15, 44, 30, 59) and not any(rows_of(c)[45][17:43])
    c.box(8, 8, 16, 8, 0)
    assert not any([any(row) for row in rows_of(c)])


def test_lines_are_thin_and_can_be_wiped():
    c = new()
    c.hline(0, 7, 128)
    assert lit_box(c) == (0, 239, 28, 29)
    c.hline(0, 7, 128, 0)
    c.vline(64, 0, 64)
    assert lit_box(c) == (120, 121, 0, 239)
    c.vline(64, 0, 64, 0)
    c.pixel(127, 63)
    assert lit_box(c) == (238, 239, 236, 239)
    c.clear()
    assert not any([any(row) for row in rows_of(c)])


def test_a_thin_line_separates_a_header_from_the_next_line():
    c = new()
    c.rect(0, 0, 128, 8)
    c.part(7, 64)
    assert lit_box(c) == (0, 239, 0, 29)
    assert [any(row[:120]) for row in rows_of(c)[26:31]] == [True, True, False, False, False]
    assert all(rows_of(c)[29][120:]), "the line ends where it is said"


def test_neighbouring_areas_touch_and_do_not_overlap():
    c = new()
    for x in range(128):
        c.invert(x, 0, 1, 64)
    assert all([all(row) for row in rows_of(c)])
    c.clear()
    for y in range(64):
        c.invert(0, y, 128, 1)
    assert all([all(row) for row in rows_of(c)])


def test_an_observer_hears_the_measures_of_the_screens():
    words = ScreenReader()
    c = ObservedCanvas(new(), words)
    short = c.fit("Maximiliane", 30)
    c.text(short, 1, 2)
    c.digits("7", 3, 4, 12)
    c.digits("♥", 5, 6, 12)
    assert words.drawn == [
        (2, 1, short, c.width(short), 8, "Maximiliane"),
        (4, 3, "7", c.digits_width("7", 12), 12, None),
        (6, 5, "♥", 13 - 2, 12, None),
    ]


def test_a_large_text_is_twice_as_wide_and_high_as_usual():
    usual, large = new(), new()
    usual.text("Ben", 16, 16)
    large.large("Ben", 16, 16)
    x, y = across(16), down(16)
    left, right, top, bottom = lit_box(usual)
    assert lit_box(large) == (2 * left - x, 2 * right - x + 1, 2 * top - y, 2 * bottom - y + 1)


def tints_of(c):
    """Return (colour, left, top, right, bottom) of each coloured rectangle."""
    tints = c._tints
    found = [tints.data[k : k + TINT_SIZE] for k in range(0, TINT_SIZE * tints.count, TINT_SIZE)]
    return [(COLOURS[tint[4]][0],) + tuple(tint[:4]) for tint in found]


def test_a_colour_covers_what_a_rectangle_of_the_same_measures_covers():
    for x, y, w, h in ((0, 0, 128, 8), (44, 16, 12, 8), (1, 9, 3, 5), (120, 60, 20, 20), (-4, -4, 10, 10)):
        c = new()
        c.rect(x, y, w, h)
        left, right, top, bottom = lit_box(c)
        c.tint("red", x, y, w, h)
        assert tints_of(c) == [("red", left, top, right + 1, bottom + 1)]


def test_a_colour_stays_when_something_is_drawn_and_goes_when_it_is_wiped():
    c = new()
    c.tint("leader", 8, 8, 40, 8)
    c.text("Anna", 8, 8)
    c.invert(0, 8, 128, 8)
    c.rect(8, 8, 40, 8)
    assert [tint[0] for tint in tints_of(c)] == ["leader"]
    c.rect(0, 8, 128, 8, 0)
    assert tints_of(c) == []
    c.tint("leader", 8, 8, 40, 8)
    c.clear()
    assert tints_of(c) == [] and not any([any(row) for row in rows_of(c)])


def test_a_box_over_half_of_a_coloured_line_is_plain():
    c = new()
    c.tint("leader", 0, 13, 128, 9)
    c.rect(0, 16, 128, 48, 0)
    assert [tint[0] for tint in tints_of(c)] == ["leader", "plain"]


def test_every_colour_has_a_name_of_its_own_and_the_first_one_is_plain():
    assert len(NUMBERS) == len(COLOURS) and NUMBERS["plain"] == 0
    for name, number in NUMBERS.items():
        assert COLOURS[number][0] == name
