"""Test the coloured rectangles of a picture (adding, covering, clipping, comparing by page)."""

from array import array

from kiebitz.raster.tints import OVER, SIZE, Tints

SIDE = 240
PAGES = 30
RED, GREEN, PLAIN = 5, 8, 0


def new():
    return Tints(SIDE, SIDE)


def listed(tints):
    return [tuple(tints.data[k : k + SIZE]) for k in range(0, SIZE * tints.count, SIZE)]


def marked(tints):
    marks, layers = array("I", [7] * PAGES), bytearray([7] * PAGES)
    tints.mark(marks, layers)
    return list(marks), list(layers)


def test_a_rectangle_is_kept_until_everything_is_cleared():
    tints = new()
    tints.put(RED, 10, 20, 30, 40)
    tints.put(GREEN, 30, 20, 50, 40)
    assert listed(tints) == [(10, 20, 30, 40, RED), (30, 20, 50, 40, GREEN)]
    tints.clear()
    assert listed(tints) == [] and marked(tints) == ([0] * PAGES, [0] * PAGES)


def test_the_same_place_has_one_colour_however_often_it_is_coloured():
    tints = new()
    for _ in range(200):
        tints.put(RED, 10, 20, 30, 40)
        tints.put(GREEN, 10, 20, 30, 40)
    assert listed(tints) == [(10, 20, 30, 40, GREEN)]


def test_a_larger_rectangle_replaces_those_inside_it_and_leaves_the_others():
    tints = new()
    for x in range(0, 200, 20):
        tints.put(RED, x, 20, x + 20, 40)
    tints.put(GREEN, 40, 10, 100, 50)
    assert listed(tints) == [(x, 20, x + 20, 40, RED) for x in (0, 20, 100, 120, 140, 160, 180)] + [
        (40, 10, 100, 50, GREEN)
    ]


def test_plain_wipes_what_is_inside_and_covers_what_is_cut():
    tints = new()
    tints.put(RED, 10, 20, 30, 40)
    tints.put(PLAIN, 100, 100, 200, 200)
    assert listed(tints) == [(10, 20, 30, 40, RED)], "where nothing is coloured, nothing is to be covered"
    tints.put(PLAIN, 0, 30, 240, 60)
    assert listed(tints) == [(10, 20, 30, 40, RED), (0, 30, 240, 60, PLAIN)]
    tints.put(PLAIN, 0, 30, 240, 60)
    assert tints.count == 2
    tints.put(PLAIN, 0, 0, 240, 240)
    assert listed(tints) == []


def test_what_only_touches_is_not_covered():
    tints = new()
    tints.put(RED, 10, 20, 30, 40)
    for box in ((30, 20, 50, 40), (0, 20, 10, 40), (10, 40, 30, 60), (10, 0, 30, 20)):
        tints.put(PLAIN, *box)
    assert listed(tints) == [(10, 20, 30, 40, RED)]


def test_what_is_beyond_the_edges_is_left_out():
    tints = new()
    tints.put(RED, -10, -20, 30, 40)
    tints.put(GREEN, 200, 200, 300, 500)
    for box in (
        (-30, 0, 0, 10),
        (240, 0, 250, 10),
        (0, 240, 10, 300),
        (0, -20, 10, 0),
        (50, 50, 50, 60),
        (60, 50, 50, 60),
    ):
        tints.put(RED, *box)
    assert listed(tints) == [(0, 0, 30, 40, RED), (200, 200, 240, 240, GREEN)]


def test_too_many_rectangles_do_no_harm():
    tints = new()
    for i in range(300):
        tints.put(RED, i % 24 * 10, i // 24 * 10, i % 24 * 10 + 9, i // 24 * 10 + 9)
    full = tints.count
    assert 56 < full < 300 and listed(tints)[-1] == ((full - 1) % 24 * 10, (full - 1) // 24 * 10) + (
        (full - 1) % 24 * 10 + 9,
        (full - 1) // 24 * 10 + 9,
        RED,
    )
    tints.put(PLAIN, 0, 0, 240, 240)
    assert tints.count == 0


def test_a_page_is_marked_if_a_rectangle_touches_it():
    tints = new()
    tints.put(RED, 10, 20, 30, 40)  # rows 20 to 39: the lower half of page 2, pages 3 and 4
    marks, layers = marked(tints)
    assert [page for page in range(PAGES) if marks[page]] == [2, 3, 4]
    assert [page for page in range(PAGES) if layers[page]] == [2, 3, 4] and layers[3] == OVER


def test_another_colour_place_or_width_is_another_mark():
    seen = []
    for box in ((RED, 10, 20, 30, 40), (GREEN, 10, 20, 30, 40), (RED, 11, 20, 30, 40), (RED, 10, 20, 31, 40)):
        tints = new()
        tints.put(*box)
        seen.append(marked(tints)[0][3])
    assert len(set(seen)) == 4
    again = new()
    again.put(RED, 10, 20, 30, 40)
    assert marked(again)[0][3] == seen[0]


def test_a_page_that_is_covered_says_by_which_rectangle_and_whether_others_follow():
    tints = new()
    tints.put(GREEN, 5, 0, 10, 30)
    tints.put(RED, 0, 0, 240, 30)
    tints.put(GREEN, 10, 8, 20, 16)
    assert listed(tints) == [(0, 0, 240, 30, RED), (10, 8, 20, 16, GREEN)]
    _, layers = marked(tints)
    assert layers[:5] == [1, 1 | OVER, 1, OVER, 0]


def test_marks_are_written_only_after_a_change():
    tints = new()
    marks, layers = array("I", [0] * PAGES), bytearray(PAGES)
    tints.put(RED, 0, 0, 240, 240)
    tints.mark(marks, layers)
    assert all(marks)
    marks[3] = 99
    tints.mark(marks, layers)
    assert marks[3] == 99
    tints.clear()
    tints.mark(marks, layers)
    assert not any(marks)
