"""Draw the pictures of the site: the case with its keys, the icon, and the screens of gallery and start page."""

import json
from pathlib import Path

from kiebitz.text import text
from kiebitz_host.sim.picture import write_png

from kiebitz_lab.gallery import OTHER_BOARD, OTHER_SCENES, file_name, picture_of
from kiebitz_lab.games import GAMES_IN_LAB
from kiebitz_lab.hardware.case import Measures
from kiebitz_lab.scenes import GROUPS, scenes_of

LIT_WIDTH = 55.0  # mm, of a display of 2.42 inch
LIT_MIDDLE = 25.0  # mm, from the upper edge of the case
BEZEL = 2.2
TOUCH = 1.25  # mm around a cap that belong to its key
SHAPES = {
    4: '<text y="1.45" text-anchor="middle" font-size="4.2" font-weight="700" fill="#fff">OK</text>',
    5: '<path d="M-0.2 1.75a1.75 1.75 0 1 0 -1.55 -0.95" fill="none" stroke="#fff" stroke-width="1"/>'
    '<path d="M-3 -0.6h3l-1.9 2.5z" fill="#fff" transform="rotate(8)"/>',
}
TURNS = (0, 180, -90, 90)  # of the arrow on UP, DOWN, LEFT, RIGHT


class CaseDrawing:
    """The case seen from above: `width` and `height` in mm, the places of display and keys in percent."""

    def __init__(self) -> None:
        measures = Measures()
        shell = 2 * (measures.wall + measures.board_play)
        self.width: float = measures.board[0] + shell
        self.height: float = measures.board[1] + shell
        self._corner: float = measures.corner
        self._caps: list[float] = measures.cap_size
        self._keys = [(self.width / 2 + x, self.height / 2 - y) for x, y in measures.key_middles()]

    def display(self) -> dict[str, float]:
        """Return where the lit pixels are, in percent of the case."""
        return self._percent(self.width / 2, LIT_MIDDLE, LIT_WIDTH, LIT_WIDTH / 2)

    def keys(self) -> list[dict[str, float]]:
        """Return where the keys are, in percent of the case, in the order of the firmware."""
        sizes = [cap + 2 * TOUCH for cap in self._caps]
        return [self._percent(x, y, size, size) for (x, y), size in zip(self._keys, sizes, strict=True)]

    def _percent(self, x: float, y: float, width: float, height: float) -> dict[str, float]:
        across, down = 100 / self.width, 100 / self.height
        return {
            "left": round((x - width / 2) * across, 3),
            "top": round((y - height / 2) * down, 3),
            "width": round(width * across, 3),
            "height": round(height * down, 3),
        }

    def svg(self) -> str:
        """Return the drawing; each cap is a group with its number, so that a style can press it."""
        w, h, corner = self.width, self.height, self._corner
        left, top = w / 2 - LIT_WIDTH / 2 - BEZEL, LIT_MIDDLE - LIT_WIDTH / 4 - BEZEL
        wide, high = LIT_WIDTH + 2 * BEZEL, LIT_WIDTH / 2 + 2 * BEZEL
        parts = [
            f'<svg viewBox="0 0 {w:g} {h:g}" aria-hidden="true" focusable="false">',
            '<defs><linearGradient id="lid" x1="0" y1="0" x2="0.35" y2="1"><stop offset="0" stop-color="#f6f3ea"/>'
            '<stop offset="1" stop-color="#dfdbcd"/></linearGradient></defs>',
            f'<rect x="0.2" y="0.2" width="{w - 0.4:g}" height="{h - 0.4:g}" rx="{corner + 1:g}" fill="#b9b4a5"/>',
            f'<rect x="0.9" y="0.6" width="{w - 1.8:g}" height="{h - 2:g}" rx="{corner + 0.6:g}" fill="url(#lid)"/>',
            f'<rect x="{left - 0.9:g}" y="{top - 0.9:g}" width="{wide + 1.8:g}" height="{high + 1.8:g}" rx="2.4" '
            'fill="#cbc6b7"/>',
            f'<rect x="{left:g}" y="{top:g}" width="{wide:g}" height="{high:g}" rx="1.2" fill="#0a0c10"/>',
        ]
        for key, ((x, y), size) in enumerate(zip(self._keys, self._caps, strict=True)):
            parts.append(self._cap(key, x, y, size))
        return "".join([*parts, "</svg>"])

    @staticmethod
    def _cap(key: int, x: float, y: float, size: float) -> str:
        """Return a cap with the sign that the finger feels."""
        upper, side = ("#c8592e", "#8d3a1a") if key == 4 else ("#4b5260", "#2c313b")
        half = size / 2
        sign = SHAPES.get(key) or f'<path d="M-1.9 1.2h3.8l-1.9 -3z" fill="#fff" transform="rotate({TURNS[key]})"/>'
        return (
            f'<g transform="translate({x:.2f} {y:.2f})"><rect x="{-half - 0.3:g}" y="{-half - 0.3:g}" '
            f'width="{size + 0.6:g}" height="{size + 0.9:g}" rx="2.2" fill="{side}"/><g class="cap" data-cap="{key}">'
            f'<rect x="{-half:g}" y="{-half - 0.4:g}" width="{size:g}" height="{size:g}" rx="2" fill="{upper}"/>'
            f'<g transform="translate(0 -0.4)">{sign}</g></g></g>'
        )


_BACK, _LIT, _KEY = (11, 93, 82), (232, 240, 248), (200, 89, 46)
# A lapwing with its crest, which is what a Kiebitz is; # is lit, o is its eye
_BIRD = (
    "................",
    "................",
    "..#.............",
    "...#............",
    "....####........",
    "...######.......",
    "..###o####......",
    ".#########......",
    "...########.....",
    "....########....",
    "....#########...",
    ".....########.#.",
    "......#########.",
    ".......#..#.....",
    "......##.##.....",
    "................",
)
_SIZES = (192, 512)


def write_icons(site: Path) -> None:
    """Write the icon in all its forms, and the manifest."""
    colours = [_BACK, _LIT, _KEY]
    rows = [bytes(".#o".index(sign) for sign in line) for line in _BIRD]
    for size in _SIZES:
        write_png(site / f"icon-{size}.png", len(rows[0]), len(rows), rows, size // len(rows), colours)
    (site / "icon.svg").write_text(_icon_svg())
    icons = [{"src": f"icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png"} for size in _SIZES]
    icons.append({"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"})
    manifest = {
        "name": "Kiebitz",
        "short_name": "Kiebitz",
        "description": "A score keeper for card games",
        "start_url": "play.html",
        "scope": "./",
        "display": "standalone",
        "background_color": "#fbf9f4",
        "theme_color": "#0b5d52",
        "icons": icons,
    }
    (site / "manifest.webmanifest").write_text(json.dumps(manifest, indent=1) + "\n")


def _icon_svg() -> str:
    """Return the same icon as rectangles."""
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" shape-rendering="crispEdges">']
    parts.append('<rect width="16" height="16" rx="3" fill="#0b5d52"/>')
    for y, line in enumerate(_BIRD):
        for x, sign in enumerate(line):
            if sign != ".":
                fill = "#e8f0f8" if sign == "#" else "#c8592e"
                parts.append(f'<rect x="{x}" y="{y}" width="1" height="1" fill="{fill}"/>')
    return "".join([*parts, "</svg>\n"])


FOLDER = "screens"


# On the start page: (group, title, key of its sentence)
START = (
    ("royal", "table in play", "home.royal"),
    ("poch", "bidding", "home.poch"),
    ("carre", "grid", "home.carre"),
    ("spot", "rounds won", "home.spot"),
)


def draw_start(site: Path, lang: str) -> list[dict]:
    """Draw the screens of the start page in a language. Returns their addresses, sizes and keys of sentences."""
    return [{**_draw(site, lang, "", group, _scene(group, title)), "key": key} for group, title, key in START]


def draw_gallery(site: Path) -> list[dict]:
    """Draw every screen in English, and some of the square display. Returns the groups with their pictures."""
    titles = {game.GROUP: text(f"game.{kind}") for kind, game in GAMES_IN_LAB.items() if game.GROUP}
    groups = []
    for group in GROUPS:
        pictures = [_draw(site, "en", "", group, scene) for scene in scenes_of(group)]
        groups.append({"title": titles.get(group, group.capitalize()), "pictures": pictures, "colour": False})
    colour = [_draw(site, "en", OTHER_BOARD, group, _scene(group, title)) for group, title in OTHER_SCENES]
    groups.append({"title": "", "pictures": colour, "colour": True})
    return groups


def _scene(group: str, title: str) -> tuple:
    return next(scene for scene in scenes_of(group) if scene[0] == title)


def _draw(site: Path, lang: str, board: str, group: str, scene: tuple) -> dict:
    """Draw one screen of this board, by default the usual one. Returns its address, size and title."""
    rows, palette = picture_of(lang, scene, board) if board else picture_of(lang, scene)
    folder = site / FOLDER / (board or lang)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / file_name(group, scene[0])
    high, wide = len(rows), len(rows[0])
    write_png(path, wide, high, rows, 1, palette)
    address = path.relative_to(site).as_posix()
    return {"address": address, "width": wide, "height": high, "title": scene[0]}
