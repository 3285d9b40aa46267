"""Pixel fonts and pictures of the display: valid, complete, up to date."""

import struct
import unicodedata
import zlib

import pytest
from kiebitz.raster.canvas import Canvas
from kiebitz.raster.large_canvas import LargeCanvas
from kiebitz.raster.substitutes import substitute
from kiebitz_host.png import SIGNATURE
from kiebitz_host.sim import picture
from kiebitz_host.sim.picture import (
    STYLES,
    braille,
    buffer_rows,
    can_show,
    coloured,
    half_blocks,
    plain,
    shrunk,
    sizes,
    write_png,
)
from kiebitz_lab import font_compiler as fontc

SMALL = fontc.read_font_files()["small.txt"][0]
LARGE, MEDIUM = fontc.read_font_files()["digits.txt"]
TALL, TALL_LARGE, TALL_MEDIUM = fontc.read_font_files()["tall.txt"]
TALL_LINE = 30
TALL_BASE = 23  # the last row of letters without a descender
LETTERS = {
    "English": "abcdefghijklmnopqrstuvwxyz",
    "German": "äöüß",
    "French": "àâæçéèêëîïôœùûüÿ",
    "Italian": "àèéìíîòóùú",
    "Dutch": "ĳáéíóúëïöüèêÿ",
    "names": "ñåø",
}
SIGNS = "\u202f‘’“”„«»·–…€°×½→←↑↓♠♥♦♣▲▼◀▶●○✓✗★☐☑"
DESCENDERS = "gjpqyçÇÿĳ"


def shown(font, char):
    return "\n".join(font.glyphs[char])


def drawn(char, height):
    """Return the glyph as the device draws it."""
    canvas = Canvas(16, 16)
    if height == 8:
        canvas.text(char, 0, 0)
    else:
        canvas.digits(char, 0, 0, height)
    rows = buffer_rows(16, 16, canvas.buf)[:height]
    width = canvas.width(char) if height == 8 else canvas.digits_width(char, height)
    return ["".join(".#"[pixel] for pixel in row[:width]) for row in rows]


def test_the_files_on_the_device_are_up_to_date():
    assert fontc.stale() == [], "run make fonts"
    assert fontc.main(["--check"]) == 0


def test_a_changed_drawing_makes_the_files_out_of_date(tmp_path, monkeypatch, capsys):
    for name in ("small.txt", "digits.txt", "tall.txt"):
        art = (fontc.ART / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(art.replace("#..##", "#.#.#", 1), encoding="utf-8")
    monkeypatch.setattr(fontc, "ART", tmp_path)
    assert fontc.main(["--check"]) == 1
    assert "font_small.py is out of date: run make fonts" in capsys.readouterr().err


@pytest.mark.parametrize("language", LETTERS)
def test_every_letter_of_the_language_is_drawn(language):
    small = LETTERS[language]
    capital = "".join({"ß": "ẞ"}.get(letter, letter.upper()) for letter in small)
    assert [letter for letter in small + capital if letter not in SMALL.glyphs] == []


def test_every_sign_of_a_keyboard_and_of_good_typography_is_drawn():
    ascii_signs = "".join(map(chr, range(32, 127)))
    assert [char for char in ascii_signs + SIGNS if char not in SMALL.glyphs] == []


def test_every_icon_has_a_name_and_a_place_of_its_own():
    assert sorted(SMALL.icons.values()) == sorted(char for char in SMALL.glyphs if char >= "\ue000")
    assert all(name.isidentifier() for name in SMALL.icons)


@pytest.mark.parametrize(("font", "more"), [(LARGE, ""), (MEDIUM, "♠♥♦♣")], ids=["large", "medium"])
def test_the_digit_fonts_have_what_scores_need(font, more):
    assert set("0123456789+-/:.? " + more) == set(font.glyphs)
    assert len({len(font.glyphs[digit][0]) for digit in "0123456789 "}) == 1


@pytest.mark.parametrize("font", [SMALL, LARGE, MEDIUM], ids=lambda font: font.name)
def test_no_glyph_is_empty_or_has_dark_sides_or_looks_like_another(font):
    drawings = [shown(font, char) for char in font.glyphs]
    assert len(set(drawings)) == len(drawings)
    for char, art in font.glyphs.items():
        if char not in " \u202f1":  # the 1 is centred in the width that all digits share
            assert any(row[0] == "#" for row in art) and any(row[-1] == "#" for row in art), char


def test_letters_stand_on_one_base_line():
    for char, art in SMALL.glyphs.items():
        if char.isalnum():
            assert "#" in art[6], char
            assert ("#" in art[7]) == (char in DESCENDERS), char


def test_capitals_and_digits_are_seven_rows_high_and_small_letters_five():
    for char in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789bdfhkl":
        assert "#" in SMALL.glyphs[char][0], char
    for char in "acegmnopqrsuvwxyz":
        assert ["#" in row for row in SMALL.glyphs[char][:3]] == [False, False, True], char


def test_an_accent_does_not_hide_the_letter():
    accented = [char for char in SMALL.glyphs if len(unicodedata.normalize("NFD", char)) == 2]
    assert len(accented) > 40
    for char in accented:
        base = unicodedata.normalize("NFD", char)[0]
        assert abs(len(SMALL.glyphs[char][0]) - len(SMALL.glyphs[base][0])) <= 2, char
        assert "#" in "".join(SMALL.glyphs[char][:2]) or base in "cC", char


@pytest.mark.parametrize("font", [LARGE, MEDIUM], ids=lambda font: font.name)
def test_digits_leave_their_last_row_free_so_that_the_next_line_does_not_touch(font):
    assert all("#" not in art[-1] for art in font.glyphs.values())


@pytest.mark.parametrize("font", [SMALL, LARGE, MEDIUM], ids=lambda font: font.name)
def test_what_the_device_draws_is_what_the_art_shows(font):
    for char, art in font.glyphs.items():
        assert drawn(char, font.height) == art, char


# --- the fonts of the tall display ---


def tall_rows(draw):
    """Return the pixels at the upper left corner."""
    canvas = LargeCanvas(240, 240)
    draw(canvas)
    return buffer_rows(240, 240, canvas._glass.buf)


@pytest.mark.parametrize(
    ("tall", "font"),
    [(TALL, SMALL), (TALL_LARGE, LARGE), (TALL_MEDIUM, MEDIUM)],
    ids=lambda font: getattr(font, "name", ""),
)
def test_every_tall_character_has_the_cell_of_the_one_it_stands_for(tall, font):
    assert set(tall.glyphs) == set(font.glyphs)
    assert tall.height == font.height * 15 // 4
    for char, art in tall.glyphs.items():
        assert len(art[0]) == (len(font.glyphs[char][0]) + font.gap) * 15 // 8, char
        assert any("#" in row for row in art) or char in " \u202f", char


def test_no_two_tall_characters_look_alike():
    for font in (TALL, TALL_LARGE, TALL_MEDIUM):
        drawings = [shown(font, char) for char in font.glyphs if char not in " \u202f"]
        assert len(set(drawings)) == len(drawings)


def test_tall_letters_stand_on_one_base_line_and_do_not_touch_the_next_line():
    for char, art in TALL.glyphs.items():
        assert "#" not in art[-1], char
        if char.isalnum() and char != "½":
            assert "#" in art[TALL_BASE], char
            assert ("#" in art[TALL_BASE + 1]) == (char in DESCENDERS + "Q"), char


def test_tall_letters_do_not_touch_their_neighbours():
    for char, art in TALL.glyphs.items():
        if char.isalnum():
            assert all(row[-1] == "." for row in art), char


def test_tall_stems_are_thick_enough_to_be_seen():
    # No letter is drawn with lines of a single pixel
    for char in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789":
        runs = [run for row in TALL.glyphs[char] for run in row.split(".") if run]
        assert sum(len(run) > 1 for run in runs) > 0.8 * len(runs), char


def test_what_the_tall_display_shows_is_what_the_art_shows():
    for char, art in TALL.glyphs.items():
        rows = tall_rows(lambda canvas, char=char: canvas.text(char, 0, 0))
        wide = len(art[0]) - 1  # the gap behind it is not drawn
        assert ["".join(".#"[pixel] for pixel in row[:wide]) for row in rows[:TALL_LINE]] == [
            row[:wide] for row in art
        ], char
    for size, font in ((16, TALL_LARGE), (12, TALL_MEDIUM)):
        for char, art in font.glyphs.items():
            rows = tall_rows(lambda canvas, char=char, size=size: canvas.digits(char, 0, 0, size))
            wide = len(art[0]) - 3
            assert ["".join(".#"[pixel] for pixel in row[:wide]) for row in rows[: font.height]] == [
                row[:wide] for row in art
            ], char


def test_a_tall_character_of_the_wrong_width_is_named():
    narrow = fontc.Font("text", 30, 0, {"A": ["#"] * 30})
    with pytest.raises(fontc.ArtError, match="tall font text: A must be 11 columns wide"):
        fontc.measured(narrow, SMALL)


def test_every_other_latin_letter_is_shown_as_its_base_letter():
    for code in [*range(0xC0, 0x180), *range(0x1A0, 0x1A2), *range(0x1CD, 0x1DD), *range(0x1EA0, 0x1EFA)]:
        char = chr(code)
        base = unicodedata.normalize("NFD", char)[0]
        if char not in SMALL.glyphs:
            instead = substitute(char)
            assert instead == base or (base == char and instead.isalpha() and instead.isascii()), char


def test_substitutes_are_only_for_what_the_font_lacks_and_only_what_it_has():
    for code in range(0x20, 0x2FFF):
        char = chr(code)
        assert set(substitute(char)) <= set(SMALL.glyphs), char
        assert char not in SMALL.glyphs or substitute(char) == "?", char


ART = "font tiny height 2 gap 1\n-- two\nA  U+E000:chip\n#. .\n## #\n"


def test_text_art_is_read_as_fonts_glyphs_and_icons():
    (font,) = fontc.read_art(ART)
    assert (font.name, font.height, font.gap) == ("tiny", 2, 1)
    assert font.glyphs == {"A": ["#.", "##"], "\ue000": [".", "#"]}
    assert font.icons == {"chip": "\ue000"}


def test_mistakes_in_the_text_art_are_named_with_their_line():
    cases = (
        (ART.replace("height 2", "height two"), "art:1: expected font"),
        (ART.replace("font tiny", "-- font"), "art:3: glyphs before"),
        (ART.replace("## #", "##"), "art:3: 2 rows of 2 glyphs"),
        (ART.replace("## #\n", ""), "art:3: 2 rows of 2 glyphs"),
        (ART.replace("## #", "### #"), "art:3: the rows of A"),
        (ART.replace("## #", "#x #"), "art:3: the rows of A"),
        (ART.replace("U+E000:chip", "A"), "art:3: A is drawn twice"),
        (ART.replace("U+E000:chip", "chip"), "art:3: chip is neither"),
    )
    for bad, sentence in cases:
        with pytest.raises(fontc.ArtError) as trouble:
            fontc.read_art(bad, "art")
        assert str(trouble.value).startswith(sentence), bad


# --- pictures ---

def chunks(data):
    assert data.startswith(SIGNATURE)
    at = len(SIGNATURE)
    while at < len(data):
        (size,) = struct.unpack_from(">I", data, at)
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        assert struct.unpack_from(">I", data, at + 8 + size) == (zlib.crc32(kind + body),)
        yield kind, body
        at += 12 + size


def pixels(path):
    """Return width, height, palette and the rows of palette indexes."""
    found = dict(chunks(path.read_bytes()))
    width, height, depth, kind, *rest = struct.unpack(">IIBBBBB", found[b"IHDR"])
    assert (depth, kind, rest) == (8, 3, [0, 0, 0])
    lines = zlib.decompress(found[b"IDAT"])
    assert len(lines) == height * (width + 1)
    rows = [lines[y * (width + 1) : (y + 1) * (width + 1)] for y in range(height)]
    assert all(row[0] == 0 for row in rows)
    return width, height, found[b"PLTE"], [list(row[1:]) for row in rows]


def test_a_display_buffer_becomes_squares_of_the_scale(tmp_path):
    buffer = bytearray(4)
    buffer[1] = 0b00000101
    write_png(tmp_path / "a.png", 2, 16, buffer, 3)
    width, height, palette, rows = pixels(tmp_path / "a.png")
    assert (width, height, len(palette)) == (6, 48, 6)
    lit = [(x, y) for y in range(height) for x in range(width) if rows[y][x]]
    assert lit == [(x, y) for y in (0, 1, 2, 6, 7, 8) for x in (3, 4, 5)]


def test_rows_point_into_the_palette(tmp_path):
    colors = ((0, 0, 0), (255, 255, 255), (200, 0, 0))
    write_png(tmp_path / "a.png", 3, 2, [[0, 1, 2], [2, 1, 0]], palette=colors)
    assert pixels(tmp_path / "a.png") == (3, 2, bytes(sum(colors, ())), [[0, 1, 2], [2, 1, 0]])


def test_the_same_picture_is_the_same_file(tmp_path):
    for name in ("a.png", "b.png"):
        write_png(tmp_path / name, 8, 8, b"\x55" * 8, 2)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_a_picture_of_another_size_is_refused(tmp_path):
    for rows in ([[0, 1]], [[0, 1], [0]], [[0, 1], [0, 1], [1, 0]]):
        with pytest.raises(ValueError, match="2 x 2"):
            write_png(tmp_path / "a.png", 2, 2, rows)


# --- pixels as characters ---


def rows(*text):
    """Return rows of pixels from rows of # and dots."""
    return [bytes(character == "#" for character in row) for row in text]


@pytest.mark.parametrize(
    "style, picture, lines",
    [
        (braille, rows("#.", "..", "..", ".."), ["⠁"]),
        (braille, rows("..", "..", "..", ".#"), ["⢀"]),
        (braille, rows("##", "##", "##", "##"), ["⣿"]),
        (braille, rows("#...", ".#..", "..#.", "...#"), ["⠑⢄"]),
        (half_blocks, rows("#..#", ".#.#"), ["▀▄ █"]),
        (plain, rows("#..#", ".#.#"), ["'. :"]),
    ],
)
def test_every_pixel_has_its_place(style, picture, lines):
    assert style(picture) == lines


@pytest.mark.parametrize("name", STYLES)
def test_the_size_is_as_promised(name):
    draw, across, down = STYLES[name]
    lines = draw([bytes(128)] * 64)
    assert len(lines) == 64 // down and {len(line) for line in lines} == {128 // across}


def test_not_every_stream_has_the_characters():
    assert can_show("utf-8")
    for encoding in ("ascii", "latin-1", "cp437", None, "no such encoding"):
        assert not can_show(encoding)


def test_a_large_picture_can_be_drawn_smaller_and_a_small_one_never_is():
    rows = [bytes([1, 0, 0, 0]), bytes([1, 0, 0, 1]), bytes([1, 1, 0, 0]), bytes([1, 1, 0, 0])]
    assert shrunk(rows, 1) is rows
    assert shrunk(rows, 2) == [bytes([1, 0]), bytes([1, 0])]
    assert sizes(128) == (1,) and sizes(240) == (1, 2)
    assert [len(picture.drawn([bytes(width)] * 64, "braille")[0]) for width in (128, 240)] == [64, 60]


DARK, WHITE, RED = (8, 12, 16), (255, 244, 224), (248, 80, 88)


@pytest.mark.parametrize(
    "lines, picture, text",
    [
        (["▀▄ █"], ["1002", "0102"], ["\x1b[38;5;230m▀▄ \x1b[38;5;203m█"]),
        (["  ▀"], ["000000", "000000", "000022", "000000"], ["  \x1b[38;5;203m▀"]),
        (["█"], ["12", "22"], ["\x1b[38;5;230m█"]),
        (["▀", "█"], ["2", "0", "1", "1"], ["\x1b[38;5;203m▀", "\x1b[38;5;230m█"]),
    ],
)
def test_a_character_has_the_colour_of_its_brightest_pixel_and_a_blank_one_none(lines, picture, text):
    assert coloured(lines, [[int(pixel) for pixel in row] for row in picture], [DARK, WHITE, RED]) == text
