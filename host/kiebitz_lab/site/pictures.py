"""Draws the screens of the gallery and of the start page, each pixel as one pixel: the page enlarges them."""

from pathlib import Path

from kiebitz.text import text
from kiebitz_host.sim.picture import write_png

from kiebitz_lab.gallery import OTHER_BOARD, OTHER_SCENES, file_name, picture_of
from kiebitz_lab.games import GAMES_IN_LAB
from kiebitz_lab.scenes import GROUPS, scenes_of

FOLDER = "screens"
_COLOUR = "colour"


# On the start page: (group, title, what it shows)
START = (
    ("royal", "table in play", "Royal Flush: the table"),
    ("poch", "bidding", "Poch: the bidding"),
    ("carre", "grid", "PokerCarre: the square"),
    ("spot", "rounds won", "Top Spot: tricks won"),
)


def draw_start(site: Path) -> list[dict]:
    """Draw the screens of the start page. Returns their addresses, sizes and titles."""
    (site / FOLDER).mkdir(parents=True, exist_ok=True)
    return [{**_draw(site, "", group, _scene(group, title)), "title": words} for group, title, words in START]


def draw_gallery(site: Path) -> list[dict]:
    """Draw every screen in English, and some of the square display. Returns the groups with their pictures."""
    (site / FOLDER / _COLOUR).mkdir(parents=True, exist_ok=True)
    titles = {game.GROUP: text(f"game.{kind}") for kind, game in GAMES_IN_LAB.items() if game.GROUP}
    groups = []
    for group in GROUPS:
        pictures = [_draw(site, "", group, scene) for scene in scenes_of(group)]
        groups.append({"title": titles.get(group, group.capitalize()), "pictures": pictures, "colour": False})
    colour = [_draw(site, _COLOUR, group, _scene(group, title)) for group, title in OTHER_SCENES]
    groups.append({"title": "The square colour display", "pictures": colour, "colour": True})
    return groups


def _scene(group: str, title: str) -> tuple:
    return next(scene for scene in scenes_of(group) if scene[0] == title)


def _draw(site: Path, folder: str, group: str, scene: tuple) -> dict:
    """Draw one screen. Returns its address, size and title."""
    rows, palette = picture_of("en", scene, OTHER_BOARD) if folder else picture_of("en", scene)
    path = site / FOLDER / folder / file_name(group, scene[0])
    high, wide = len(rows), len(rows[0])
    write_png(path, wide, high, rows, 1, palette)
    address = path.relative_to(site).as_posix()
    return {"address": address, "width": wide, "height": high, "title": scene[0]}
