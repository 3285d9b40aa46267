"""Test drawing on the canvas, clipping at the edges, and characters missing in a font."""

from kiebitz.raster import icons
from kiebitz.raster.canvas import Canvas
from kiebitz_host.sim.screen_reader import ObservedCanvas, ScreenReader

W, H = 128, 64


def lit(c, x, y):
    return c.buf[y // 8 * c.w + x] >> y % 8 & 1


def rows(c, x, y, w, h):
    """Return a part of the canvas as text art."""
    return ["".join(["#" if lit(c, i, j) else "." for i in range(x, x + w)]) for j in range(y, y + h)]


def count(c):
    """Return how many pixels are lit."""
    total = 0
    for byte in c.buf:
        while byte:
            byte &= byte - 1
            total += 1
    return total


def drawn(s, y=0):
    """Return the columns of a text on an empty canvas, 8 rows from y."""
    c = Canvas(W, H)
    c.text(s, 0, y)
    return rows(c, 0, y, max(c.width(s), 1), 8)


def rows_of_text(s):
    """Return a text and the rest of its line."""
    c = Canvas(W, H)
    c.text(s, 0, 0)
    return rows(c, 0, 0, W, 8)


def test_text_is_drawn_as_the_text_art_shows_it():
    assert drawn("Ag1") == [
        ".###.........#.",
        "#...#.......##.",
        "#...#..###...#.",
        "#####.#..#...#.",
        "#...#.#..#...#.",
        "#...#..###...#.",
        "#...#....#..###",
        ".......##......",
    ]


def test_text_looks_the_same_at_every_height():
    for s in ("Zoë gj", "D’Angelo ♠10", icons.OK, "all of the width: mmmmmmmm"):
        for y in (0, 1, 5, 7, 8, 13, 55, 56):
            assert drawn(s, y) == drawn(s), (s, y)


def test_text_replaces_what_was_under_it_and_nothing_else():
    for y in (8, 11, 15):
        c = Canvas(W, H)
        c.rect(0, 0, W, H)
        c.text("Ace", 10, y)
        w = c.width("Ace")
        assert rows(c, 10, y, w, 8) == drawn("Ace"), y
        c.rect(10, y, w, 8)
        assert count(c) == W * H, y


def test_text_says_where_the_next_one_continues():
    c = Canvas(W, H)
    x = c.text("Ro", 5, 0)
    assert x == 5 + c.width("Ro") + 1
    c.text("und", x, 0)
    whole = Canvas(W, H)
    whole.text("Round", 5, 0)
    assert c.buf == whole.buf
    assert c.text("", 7, 0) == 7


def test_text_is_cut_at_every_edge_without_harm():
    wide = Canvas(W + 80, H + 16)
    wide.text("Jürgen Müller", 40, 8)
    for x in (-200, -41, -40, -3, 0, 90, 100, 127, 128, 300):
        for y in (-20, -8, -5, -1, 0, 57, 60, 63, 64, 99):
            c = Canvas(W, H)
            c.text("Jürgen Müller", x, y)
            for j in range(max(y, 0), min(y + 8, H)):
                for i in range(max(x, 0), min(x + 80, W)):
                    assert lit(c, i, j) == lit(wide, 40 + i - x, 8 + j - y), (x, y)
            c.rect(x, y, c.width("Jürgen Müller"), 8, 0)
            assert count(c) == 0, (x, y)


def test_a_medium_suit_is_cut_at_the_edges():
    whole = Canvas(W, H)
    whole.digits("♠7", 0, 0, 12)
    for x, y in ((0, 0), (9, 13), (-5, 3), (115, 55), (200, 0)):
        c = Canvas(W, H)
        assert c.digits("♠7", x, y, 12) == x + c.digits_width("♠7", 12) + 2
        for j in range(max(y, 0), min(y + 12, H)):
            for i in range(max(x, 0), min(x + c.digits_width("♠7", 12), W)):
                assert lit(c, i, j) == lit(whole, i - x, j - y), (x, y)


def test_inverted_text_has_a_margin_that_keeps_its_letters_apart_from_the_dark():
    for y in (8, 12):
        for ground in (0, 1):
            c = Canvas(W, H)
            c.rect(0, 0, W, H, ground)
            c.text("Fi", 20, y, True)
            w = c.width("Fi")
            assert rows(c, 19, y - 1, w + 2, 1) == ["#" * (w + 2)]
            assert rows(c, 19, y, 1, 8) == rows(c, 20 + w, y, 1, 8) == ["#"] * 8
            c.invert(20, y, w, 8)
            assert rows(c, 20, y, w, 8) == drawn("Fi"), y
            assert lit(c, 18, y) == lit(c, 22 + w, y) == lit(c, 20, y - 2) == lit(c, 20, y + 8) == ground


def test_inverted_text_at_the_edges_does_no_harm():
    for x in (-30, -2, 0, 126, 128):
        for y in (-9, -3, 0, 60, 70):
            Canvas(W, H).text("Edge", x, y, True)


def test_a_text_that_fits_stays_as_it_is():
    c = Canvas(W, H)
    for s in ("", "Zoë", "Maximiliane"):
        assert c.fit(s, c.width(s)) == s


def test_a_long_name_is_shortened_to_every_width():
    c = Canvas(W, H)
    name = "Maximiliane von Übelhör"
    before = ""
    for w in range(-1, c.width(name)):
        short = c.fit(name, w)
        assert c.width(short) <= max(w, 0), w
        assert len(short) >= len(before), w
        assert short == "" or short[-1] == "…" and name.startswith(short[:-1]), short
        before = short
    assert before == "Maximiliane von Übelh…"
    assert c.fit("Anna Bo", c.width("Anna …")) == "Anna…"


def test_the_name_of_a_guest_keeps_its_number():
    c = Canvas(W, H)
    for guest in ("Guest", "Gast", "Invité", "Ospite"):
        for w in range(c.width("…8"), c.width(guest + " 1")):
            shown = [c.fit("%s %d" % (guest, n + 1), w) for n in range(8)]
            assert [name[-2:] for name in shown] == ["…%d" % (n + 1) for n in range(8)], shown
            assert max([c.width(name) for name in shown]) <= w
    assert c.fit("Guest 3", c.width("…3") - 1) == ""
    assert c.fit("Anna Maria 3", c.width("Anna M")) == "Anna…"


def test_text_with_a_room_is_shortened_to_it():
    c, words = Canvas(W, H), ScreenReader()
    short = c.fit("Maximiliane", 40)
    assert short != "Maximiliane"
    for surface in (c, ObservedCanvas(c, words)):
        surface.clear()
        surface.text("Maximiliane", 0, 0, room=40)
        surface.text("Zoë", 0, 8, room=40)
        assert rows(c, 0, 0, W, 8) == rows_of_text(short)
        assert rows(c, 0, 8, W, 8) == rows_of_text("Zoë")
    assert [(word[2], word[5]) for word in words.drawn] == [(short, "Maximiliane"), ("Zoë", None)]


def test_a_letter_of_another_language_is_shown_as_its_base_letter():
    cases = (
        ("Łódź", "Lódz"),
        ("Şeyma Čapek", "Seyma Capek"),
        ("Nguyễn", "Nguyen"),
        ("Đorđe", "Dorde"),
        ("Ґанна Щука", "Ganna Shchuka"),
        ("Ελένη", "Eleni"),
        ("Zoe\u0308", "Zoe"),
        ("1\u2009000\u00a0€", "1 000 €"),
        ("a\tb", "a b"),
        ("−5", "-5"),
        ("☃", "?"),
        ("\U0001f0cf!", "?!"),
    )
    c = Canvas(W, H)
    for s, shown in cases:
        assert drawn(s) == drawn(shown), s
        assert c.width(s) == c.width(shown), s


def test_many_strange_characters_and_strings_do_not_fill_the_memory():
    c = Canvas(W, H)
    for code in range(0x4E00, 0x4E00 + 300):
        assert c.width(chr(code)) == c.width("?")
    assert drawn("Ace") == drawn("Ace", 3)


def test_large_and_medium_digits_are_of_one_width_and_their_own_height():
    c = Canvas(W, H)
    for size, width in ((16, 10), (12, 7)):
        for digit in "0123456789":
            assert c.digits_width(digit, size) == width, (size, digit)
        assert c.digits_width("10", size) == 2 * width + 2
        c.rect(0, 0, W, H)
        assert c.digits("8", 3, 5, size) == 3 + width + 2
        assert rows(c, 3, 5 + size - 1, width, 2) == ["." * width, "#" * width]
        assert rows(c, 3, 4, width, 1) == ["#" * width]
        assert ".#" in rows(c, 3, 5, width, 1)[0]


def test_digits_look_the_same_at_every_height_and_are_cut_at_the_edges():
    for size in (16, 12):
        first = Canvas(W, H)
        first.digits("-27", 0, 0, size)
        w = first.digits_width("-27", size)
        for x, y in ((0, 1), (3, 8), (50, 30), (-4, -5), (120, 57), (300, 300)):
            c = Canvas(W, H)
            c.digits("-27", x, y, size)
            for j in range(max(y, 0), min(y + size, H)):
                for i in range(max(x, 0), min(x + w, W)):
                    assert lit(c, i, j) == lit(first, i - x, j - y), (size, x, y)


def test_digits_show_a_question_mark_for_what_they_do_not_have():
    for size in (16, 12):
        unknown, asked = Canvas(W, H), Canvas(W, H)
        unknown.digits("x", 0, 0, size)
        asked.digits("?", 0, 0, size)
        assert unknown.buf == asked.buf and count(asked) > 0
        unknown.digits("−1", 0, 0, size)
        asked.digits("-1", 0, 0, size)
        assert unknown.buf == asked.buf


def test_rectangles_cover_exactly_their_pixels():
    cases = ((0, 0, 128, 64), (3, 5, 40, 20), (3, 8, 40, 8), (10, 7, 1, 50), (20, 17, 100, 1), (-5, -5, 30, 9))
    for x, y, w, h in cases + ((120, 60, 50, 50), (5, 5, 0, 9), (5, 5, 9, 0), (5, 5, -9, 4), (200, 3, 9, 9)):
        inside = sum([0 <= i < W for i in range(x, x + w)]) * sum([0 <= j < H for j in range(y, y + h)])
        c = Canvas(W, H)
        c.rect(x, y, w, h)
        assert count(c) == inside, (x, y, w, h)
        c.rect(0, 0, W, H)
        c.rect(x, y, w, h, 0)
        assert count(c) == W * H - inside, (x, y, w, h)
        c.invert(x, y, w, h)
        assert count(c) == W * H, (x, y, w, h)
        c.invert(x, y, w, h)
        assert count(c) == W * H - inside, (x, y, w, h)


def test_a_box_is_only_an_outline():
    c = Canvas(W, H)
    c.box(2, 6, 30, 5)
    assert rows(c, 1, 5, 32, 7) == [
        "." * 32,
        "." + "#" * 30 + ".",
        ".#" + "." * 28 + "#.",
        ".#" + "." * 28 + "#.",
        ".#" + "." * 28 + "#.",
        "." + "#" * 30 + ".",
        "." * 32,
    ]
    c.box(2, 6, 30, 5, 0)
    assert count(c) == 0


def test_lines_and_pixels():
    c = Canvas(W, H)
    c.hline(5, 9, 20)
    c.vline(3, 6, 12)
    assert count(c) == 32 and lit(c, 24, 9) and lit(c, 3, 17)
    c.hline(5, 9, 20, 0)
    c.vline(3, 6, 12, 0)
    c.pixel(127, 63)
    assert count(c) == 1 and lit(c, 127, 63)
    c.pixel(127, 63, 0)
    for x, y in ((-1, 0), (0, -1), (128, 0), (0, 64)):
        c.pixel(x, y)
    assert count(c) == 0


def test_clear_makes_everything_dark_and_keeps_the_buffer():
    buffer = bytearray(1024)
    c = Canvas(W, H, buffer)
    c.rect(0, 0, W, H)
    c.clear()
    assert c.buf is buffer and buffer == bytearray(1024)


def test_every_text_is_reported_with_its_place():
    words = ScreenReader()
    c = ObservedCanvas(Canvas(W, H), words)
    c.text("Zoë", 4, 8)
    c.digits("12", 0, 20)
    c.digits("7", 0, 40, 12)
    c.digits("♠", 0, 30, 12)
    c.text(c.fit("Maximiliane", 30), 100, 0)
    short = c.fit("Maximiliane", 30)
    assert words.drawn == [
        (8, 4, "Zoë", c.width("Zoë"), 8, None),
        (20, 0, "12", 22, 16, None),
        (40, 0, "7", 7, 12, None),
        (30, 0, "♠", 11, 12, None),
        (0, 100, short, c.width(short), 8, "Maximiliane"),
    ]


def test_an_observed_canvas_draws_the_same():
    plain = Canvas(W, H)
    observed = ObservedCanvas(Canvas(W, H), ScreenReader())
    for c in (plain, observed):
        c.rect(0, 0, W, H)
        c.clear()
        x = c.text("Zoë", 4, 8)
        x = c.text("Maximiliane", x, 8, True, 30)
        x = c.digits("♠", x, 8, 12, True)
        x = c.digits("12", x, 8, invert=True)
        c.digits("7", x, 8, 12)
        c.rect(10, 10, 20, 3, 0)
        c.box(0, 40, 20, 10)
        c.invert(5, 40, 30, 8)
    assert observed.buf == plain.buf


def test_a_large_text_has_four_pixels_for_each_of_the_usual_one():
    for y in (0, 3, 24, 48):
        c = Canvas(W, H)
        c.large("Agß", 5, y)
        usual = drawn("Agß")
        wide = ["".join([pixel * 2 for pixel in row]) for row in usual]
        assert rows(c, 5, y, 2 * len(usual[0]), 16) == [row for row in wide for _ in range(2)], y
        assert count(c) == 4 * "".join(usual).count("#"), y


def test_a_large_text_without_room_is_drawn_as_usual():
    for x, y in ((60, 0), (0, 50)):
        c, usual = Canvas(W, H), Canvas(W, H)
        c.large("Maximiliane", x, y)
        usual.text("Maximiliane", x, y)
        assert c.buf == usual.buf, (x, y)


def test_a_large_text_is_reported_with_its_size():
    words = ScreenReader()
    ObservedCanvas(Canvas(W, H), words).large("Ben", 4, 24)
    assert words.drawn == [(24, 4, "Ben", 2 * Canvas(W, H).width("Ben"), 16, None)]


def test_a_display_without_colours_ignores_them():
    c = Canvas(W, H)
    c.text("Anna", 0, 0)
    before = bytes(c.buf)
    c.tint("leader", 0, 0, W, H)
    c.tint("a colour that nobody knows", 0, 0, W, H)
    assert bytes(c.buf) == before and not c.coloured
