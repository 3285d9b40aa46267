"""Draws the icon of the site, and writes the manifest that lets a phone install it."""

import json
from pathlib import Path

from kiebitz_host.sim.picture import write_png

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
    (site / "icon.svg").write_text(_svg())
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


def _svg() -> str:
    """Return the same icon as rectangles."""
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" shape-rendering="crispEdges">']
    parts.append('<rect width="16" height="16" rx="3" fill="#0b5d52"/>')
    for y, line in enumerate(_BIRD):
        for x, sign in enumerate(line):
            if sign != ".":
                fill = "#e8f0f8" if sign == "#" else "#c8592e"
                parts.append(f'<rect x="{x}" y="{y}" width="1" height="1" fill="{fill}"/>')
    return "".join([*parts, "</svg>\n"])
