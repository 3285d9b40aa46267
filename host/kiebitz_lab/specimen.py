"""Draws a specimen of the fonts to look at: alphabets, sentences in five languages, icons and mock screens."""

from pathlib import Path

from kiebitz.raster import icons
from kiebitz.raster.canvas import Canvas
from kiebitz_host.sim.picture import write_png

from kiebitz_lab.font_compiler import read_font_files

WIDTH = 272
PITCH = 11
SCREEN_W, SCREEN_H = 128, 64
SENTENCES = (
    "The quick brown fox jumps over the lazy dog.",
    "0O 1lI 5S 8B 2Z rn m cl d vv w – 3:15, 7/8, 25%",
    "Zwölf Boxkämpfer jagen Viktor quer über den",
    "großen Sylter Deich. ÄRGER, ÖL, ÜBER, GROẞ",
    "Portez ce vieux whisky au juge blond qui fume:",
    "dès Noël, où un zéphyr haï me vêt de glaçons.",
    "ÉTÉ, LÀ-BAS, FORÊT, ÎLE, CŒUR, GARÇON, NOËL",
    "Quel vituperabile xenofobo zelante assaggia",
    "però il whisky: città, perché, più, così. È VIRTÙ",
    "Pa’s wĳze lynx bezag vroom het fikse aquaduct.",
    "Eén coöperatie, ideeën, Ĳsland, naïef, café",
    "Jürgen, Aurélie, Zoë, D’Angelo, Łukasz, Şeyma, Ørsted",
    "“Ace” ‘King’ „Dame“ «Valet» ‹Fante› ♠A ♥K ♦Q ♣J 10♠",
)
PLAYERS = (("Aurélie", "148"), ("Jürgen", "132"), ("Zoë", "97"), ("D’Angelo", "85"), ("Maximiliane", "-6"))


def draw_specimen(path: str | Path, scale: int = 5) -> None:
    """Write one picture with all characters of the fonts."""
    every = "".join(sorted(read_font_files()["small.txt"][0].glyphs))
    lines = [*_wrap(every), *SENTENCES]
    page = Canvas(WIDTH, (len(lines) * PITCH + 44 + SCREEN_H + 15) // 8 * 8)
    for number, line in enumerate(lines):
        page.text(line, 2, 2 + number * PITCH)
    y = 4 + len(lines) * PITCH
    page.digits("0123456789 +-/:.?", 2, y)
    page.digits("0123456789 +-/:.?", 2, y + 20, 12)
    _copy(mock_list(), page, 0, y + 36)
    _copy(mock_table(), page, 140, y + 36)
    write_png(path, page.w, page.h, page.buf, scale)


def mock_list() -> Canvas:
    """Return a list of five players: text lines of eight rows, the chosen one inverted."""
    screen = Canvas(SCREEN_W, SCREEN_H)
    screen.text("Royal Flush", 1, 0)
    screen.text("Round 2/4", SCREEN_W - 1 - screen.width("Round 2/4"), 0)
    screen.hline(0, 8, SCREEN_W)
    for seat, (name, score) in enumerate(PLAYERS):
        y = 10 + seat * 9
        lead = icons.CROWN if seat == 0 else icons.DEALER if seat == 2 else ""
        screen.text(lead, 1, y)
        screen.text(name, 12, y, room=80)
        screen.text(score, SCREEN_W - 2 - screen.width(score), y)
        if seat == 1:
            screen.invert(0, y - 1, SCREEN_W, 9)
    screen.text("▲▼ seat " + icons.OK + " score " + icons.UNDO, 1, 56)
    return screen


def mock_table() -> Canvas:
    """Return a screen with a title bar, one large number and medium ones beside it."""
    screen = Canvas(SCREEN_W, SCREEN_H)
    screen.text("Jürgen  Full House", 2, 1)
    screen.text(icons.BATTERY_HALF, SCREEN_W - 13, 1)
    screen.invert(0, 0, SCREEN_W, 9)
    screen.digits("132", 4, 16)
    screen.text("+7 " + icons.CHIP, 42, 20)
    screen.digits("139", 100, 18, 12)
    screen.text("→", 84, 20)
    screen.text("♠A ♥K ♦Q ♣J 10♠", 4, 40)
    screen.box(0, 36, SCREEN_W, 16)
    screen.text("◀▶ " + icons.OK + " " + icons.RETURN + " " + icons.UNDO + " " + icons.WARNING, 1, 56)
    return screen


def _wrap(chars: str) -> list[str]:
    """Return the characters in lines that fit the picture."""
    ruler = Canvas(8, 8)
    lines = [""]
    for char in chars:
        if ruler.width(lines[-1] + char) > WIDTH - 4:
            lines.append("")
        lines[-1] += char
    return lines


def _copy(source: Canvas, target: Canvas, x: int, y: int) -> None:
    """Copy a screen into a larger picture, in a frame."""
    target.box(x, y, source.w + 2, source.h + 2)
    for at in range(source.w * source.h):
        column, row = at % source.w, at // source.w
        lit = source.buf[row // 8 * source.w + column] >> row % 8 & 1
        target.pixel(x + 1 + column, y + 1 + row, lit)
