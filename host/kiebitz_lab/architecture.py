"""`make architecture`: draws the rooms and who may import whom, and the walk of a key press, both from the code."""

import ast
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from .hardware.svg import Picture
from .key_press import Walk, count, trace
from .micropython import ROOT

FOLDER = ROOT / "docs"
ROOMS_FILE = "architecture_rooms.svg"
WALK_FILE = "architecture_key_press.svg"
REMARK = "Made by `make architecture` from the code: change that, not this."

HOST = ROOT / "host"

WIDTH = 900
INK, GREY, LINE = "#222222", "#666666", "#8a8a8a"
MONO = "DejaVu Sans Mono, Menlo, Consolas, monospace"


def directions() -> Any:
    """Return the module tests/test_directions.py, which says and checks who may import whom."""
    spec = spec_from_file_location("test_directions", ROOT / "tests" / "test_directions.py")
    assert spec and spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# --- the rooms ---

# What a room is for, where its box is (the middle, in pixels), its colour. A room that is not here is drawn grey.
ROOMS = {
    "power_on": ("builds the board, runs the app", 620, "#eeeeee"),
    "app": ("stack of screens, one turn of the loop", 430, "#fde9c9"),
    "tables": ("table and entry screens of each game", 135, "#d9ecd3"),
    "screens": ("start, settings, history, library", 260, "#fde9c9"),
    "board": ("pins, drivers, flash", 760, "#f7d9d4"),
    "session": ("one entry: rules, flash, then screen", 330, "#fde9c9"),
    "link": ("answers a laptop on USB", 700, "#e3dcf1"),
    "widgets": ("keys, sleep, menus, rows, notices", 150, "#fde9c9"),
    "text": ("sentences in every language", 330, "#dfe8f5"),
    "store": ("journal, library, settings", 640, "#d5e4f7"),
    "raster": ("canvas, fonts, machine code", 135, "#dfe8f5"),
    "games": ("the rules of each game, pure", 450, "#d9ecd3"),
    "machine_code": ("const and viper; for every room", 760, "#eeeeee"),
}
LAPTOP = {
    "cli": "a module for each command",
    "web": "pages in the browser",
    "show": "tables, sheets, sentences",
    "export": "CSV, JSON, Board Game Stats",
    "exchange": "laptops, folders, clubs",
    "library": "the database: all SQL",
    "league": "standings, Elo, records",
    "link": "client, sync, watch",
    "games": "sheets and rows of each game",
    "sim": "fake hardware, simulator",
    "install": "firmware onto a Pico",
    "rescue": "games out of a dead flash",
    "system": "Linux, macOS, Windows",
    "": "loose modules: html, terminal ...",
}
LABORATORY = {
    "chip": "emulated Pico",
    "bench": "measurements",
    "image": "the UF2 file",
    "hardware": "wiring, case",
    "games": "samples, scenes",
    "site": "the web site",
    "torture": "tries to lose something",
    "": "gallery, fonts, texts ...",
}

BOX_W, BOX_H, STEP = 230, 60, 88


def _levels(may_import: dict[str, set[str]]) -> dict[str, int]:
    """Return the level of each room: one above the highest room that it may import."""
    found: dict[str, int] = {}

    def level(room: str) -> int:
        if room not in found:
            found[room] = max([1 + level(below) for below in may_import[room]], default=0)
        return found[room]

    for room in may_import:
        level(room)
    return found


def _direct(may_import: dict[str, set[str]]) -> Iterator[tuple[str, str]]:
    """Yield (room, room below) without the ways that lead over another room."""

    def reached(room: str) -> set[str]:
        return may_import[room].union(*(reached(below) for below in may_import[room]))

    for room, below in may_import.items():
        over_others = set().union(*(reached(other) for other in below)) if below else set()
        for other in sorted(below - over_others):
            yield room, other


def _host_imports(package: str) -> dict[str, set[str]]:
    """Return {folder of a package of the laptop: "package.folder" of all that its modules import}."""
    found: dict[str, set[str]] = {}
    for path in sorted((HOST / package).rglob("*.py")):
        parts = path.relative_to(HOST).with_suffix("").parts
        room = parts[1] if len(parts) > 2 else ""
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = []
            if isinstance(node, ast.ImportFrom):
                base = list(parts[: len(parts) - node.level]) if node.level else []
                base += node.module.split(".") if node.module else []
                names = [[*base, alias.name] for alias in node.names]
            elif isinstance(node, ast.Import):
                names = [alias.name.split(".") for alias in node.names]
            for name in names:
                if name[0] in ("kiebitz_host", "kiebitz_lab", "kiebitz"):
                    inner = name[1] if len(name) > 1 else ""
                    is_room = name[0] == "kiebitz" or (HOST / name[0] / inner).is_dir()
                    found.setdefault(room, set()).add(f"{name[0]}.{inner if is_room else ''}")
    return found


def rooms_svg() -> str:
    """Return the picture of the rooms of laboratory, laptop and device; every arrow is an import and points down."""
    may_import = directions().MAY_IMPORT
    laptop = _host_imports("kiebitz_host")
    levels = _levels(may_import)
    top = 10 + _panel_height(LABORATORY, 6) + 26
    device_top = top + _panel_height(LAPTOP, 4, True) + 26
    height = device_top + 40 + (max(levels.values()) + 1) * STEP
    picture = _picture(height)
    _panel(picture, 10, "Laboratory: host/kiebitz_lab", "for developers, not in the wheel", LABORATORY, 6)
    _panel(picture, top, "Laptop: host/kiebitz_host", "what a user installs", LAPTOP, 4, laptop)
    _arrow(picture, (WIDTH / 2, top - 26), (WIDTH / 2, top), 2.5)
    _arrow(picture, (WIDTH / 2, device_top - 26), (WIDTH / 2, device_top), 2.5)
    words = "imports laptop and device; only kiebitz sim --chip asks back for it"
    picture.text(WIDTH / 2 + 12, top - 13, words, 11, fill=GREY)
    imported = {name.removeprefix("kiebitz.") for names in laptop.values() for name in names}
    words = f"imports {', '.join(sorted(imported & set(may_import)))}"
    picture.text(WIDTH / 2 + 12, device_top - 13, words, 11, fill=GREY)
    _device_panel(picture, device_top, height, may_import, levels)
    return picture.source()


def _picture(height: float) -> Picture:
    picture = Picture(WIDTH, height, remark=REMARK)
    picture.add("style", f".mono {{ font-family: {MONO}; }}")
    return picture


def _panel_height(rooms: dict[str, str], columns: int, imports: bool = False) -> int:
    rows = -(-len(rooms) // columns)
    return 34 + rows * (76 if imports else 46)


def _panel(
    picture: Picture,
    top: float,
    title: str,
    remark: str,
    rooms: dict[str, str],
    columns: int,
    imports: dict[str, set[str]] | None = None,
) -> None:
    """Draw a panel with a box for each folder; with `imports`, each box names the folders beside it that it imports."""
    _frame(picture, top, _panel_height(rooms, columns, imports is not None), title, remark)
    gap = 10
    width = (WIDTH - 20 - gap * (columns + 1)) / columns
    height = 66 if imports is not None else 36
    for i, (room, words) in enumerate(rooms.items()):
        x = 10 + gap + i % columns * (width + gap)
        y = top + 30 + i // columns * (height + 10)
        picture.rect(x, y, width, height, "#ffffff", stroke=LINE, rx=5)
        name = f"{room}/" if room else "*.py"
        picture.text(x + 8, y + 12, name, 13, font_weight="bold", class_="mono", fill=INK)
        picture.text(x + 8, y + 27, words, 10.5, fill=INK)
        if imports is not None:
            beside = {other.partition(".")[2] or "*.py" for other in imports.get(room, ()) if "kiebitz_host." in other}
            names = sorted(beside - {room or "*.py"})
            _names(picture, x + 8, y + 42, names)


def _frame(picture: Picture, top: float, height: float, title: str, remark: str) -> None:
    picture.rect(10, top, WIDTH - 20, height, "#f8f8f6", stroke="#c9c9c4", rx=8)
    picture.text(22, top + 16, title, 14, font_weight="bold", fill=INK)
    picture.text(WIDTH - 22, top + 16, remark, 11, "end", fill=GREY)


def _device_panel(
    picture: Picture, top: float, height: float, may_import: dict[str, set[str]], levels: dict[str, int]
) -> None:
    remark = "→ in a box: all it may import; arrows: the nearest of them"
    _frame(picture, top, height - top - 10, "Device: firmware/kiebitz", remark)
    highest = max(levels.values())
    boxes = {
        room: (ROOMS[room][1] if room in ROOMS else WIDTH / 2, top + 32 + (highest - level) * STEP)
        for room, level in levels.items()
    }
    for room, below in _direct(may_import):
        (x, y), (to_x, to_y) = boxes[room], boxes[below]
        aside = to_x - x
        start = x + max(-BOX_W / 2 + 20, min(BOX_W / 2 - 20, aside / 3))
        if abs(aside) > 1.6 * BOX_W:  # a line that is nearly level ends at the side of the box
            end = to_x - (BOX_W / 2 if aside > 0 else -BOX_W / 2), to_y + BOX_H / 2
        else:
            end = to_x - max(-BOX_W / 2 + 20, min(BOX_W / 2 - 20, aside / 3)), to_y
        _arrow(picture, (start, y + BOX_H), end)
    for room, (x, y) in boxes.items():
        words, _, colour = ROOMS.get(room, ("", 0, "#eeeeee"))
        left = x - BOX_W / 2
        picture.rect(left, y, BOX_W, BOX_H, colour, stroke=LINE, rx=5)
        picture.text(left + 8, y + 11, room, 13, font_weight="bold", class_="mono", fill=INK)
        picture.text(left + 8, y + 25, words, 10.5, fill=INK)
        _names(picture, left + 8, y + 39, sorted(may_import[room]))


def _names(picture: Picture, x: float, y: float, names: list[str]) -> None:
    """Write what a room imports, in as many lines as it takes."""
    for i, line in enumerate(_wrapped(names)):
        picture.text(x + (0 if i == 0 else 13), y + 13 * i, f"→ {line}" if i == 0 else line, 10.5, fill=GREY)


def _wrapped(names: list[str], most: int = 36) -> list[str]:
    """Return the names as lines of at most so many letters."""
    lines: list[str] = []
    for name in names:
        if lines and len(lines[-1]) + len(name) + 2 <= most:
            lines[-1] += f", {name}"
        else:
            lines = [line if line.endswith(",") else f"{line}," for line in lines] + [name]
    return lines or ["nothing"]


def _arrow(picture: Picture, start: tuple[float, float], end: tuple[float, float], width: float = 1.5) -> None:
    """Draw a line with a head at its end."""
    (x, y), (to_x, to_y) = start, end
    length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
    along = (to_x - x) / length, (to_y - y) / length
    size = 6 + width
    back = to_x - along[0] * size, to_y - along[1] * size
    half = size * 0.45
    picture.line([start, back], LINE, width)
    corners = [
        end,
        (back[0] - along[1] * half, back[1] + along[0] * half),
        (back[0] + along[1] * half, back[1] - along[0] * half),
    ]
    picture.add("polygon", points=" ".join(f"{px:.1f},{py:.1f}" for px, py in corners), fill=LINE)


# --- the walk of a key press ---

# What happens in a file on this way
STATIONS = {
    "app.py": "one turn of the loop: ask for keys, hand them on, draw",
    "board/inputs.py": "the pins, as one bit a key",
    "widgets/keys.py": "bounce is dropped: this is a press",
    "games/royal_flush/table.py": "the screen makes an event of it",
    "session.py": "one entry, from the rules to the flash",
    "games/royal_flush/rules.py": "accepts the event and changes the state, or refuses",
    "games/base.py": "checks the arguments of the event",
    "store/library.py": "the game in play: its table and its journal",
    "store/journal.py": "the next line of the file, with its number",
    "store/table.py": "events in force, undo and snapshots",
    "store/events.py": "the event as text, always in the same order",
    "store/sealed_lines.py": "the checksum, and trouble of the flash",
    "store/journal_files.py": "into the small file, which needs no erase",
    "board/storage.py": "opens, writes and closes the file",
    "board/oled.py": "sends what has changed",
}
LANES = ("board", "widgets", "app", "tables", "session", "store", "games")
LANE_W, ROW_H = 58, 34


def walk_svg(walk: Walk) -> str:
    """Return the picture of a walk: a lane for each room, a row for each file in the order of the first visit."""
    room_of = directions().room_of
    rows = [(call, f"{n} call{'s' if n > 1 else ''}") for call, n in walk.stations()]
    last = [(call, "") for call in walk.last_stations()]
    names = [*LANES, *sorted({room_of(_module(call.file)) for call, _ in rows + last} - set(LANES))]
    x_of = {name: 20 + LANE_W // 2 + i * LANE_W for i, name in enumerate(names)}
    words_x = 20 + len(names) * LANE_W + 14
    top = 92
    height = top + (len(rows) + len(last) + 1) * ROW_H + 22
    picture = _picture(height)
    calls, files, borders = count(walk.to_flash)
    picture.text(20, 22, "The walk of a key press: OK on a board of Royal Flush", 16, font_weight="bold", fill=INK)
    counted = f"From the key to flash: {calls} calls in {files} files, {borders} of them from one file into another."
    picture.text(20, 44, counted, 12, fill=GREY)
    for name, x in x_of.items():
        colour = ROOMS.get(name, ("", 0, "#eeeeee"))[2]
        picture.rect(x - LANE_W / 2 + 2, 60, LANE_W - 4, height - 72, colour, opacity=0.55, stroke="none", rx=4)
        picture.text(x, 72, name, 11, "middle", font_weight="bold", fill=INK)
    spots = []
    y: float = top + ROW_H / 2
    flash_y = 0.0
    for i, (call, counted) in enumerate(rows + last):
        if i == len(rows):
            flash_y = y
            y += ROW_H
        spots.append((x_of[room_of(_module(call.file))], y, call, counted))
        y += ROW_H
    picture.line([(x, y) for x, y, _, _ in spots], LINE, 1.5)
    for i, (x, y, call, counted) in enumerate(spots, 1):
        picture.circle(x, y, 9, "#ffffff", stroke=INK, stroke_width=1.5)
        picture.text(x, y, str(i), 10, "middle", fill=INK)
        picture.text(words_x, y - 6, call.file, 11.5, font_weight="bold", class_="mono", fill=INK)
        picture.text(words_x + 205, y - 6, call.function, 11.5, class_="mono", fill=INK)
        if counted:
            picture.text(WIDTH - 22, y - 6, counted, 10.5, "end", fill=GREY)
        if counted or call.file not in [station.file for station, _ in rows]:
            picture.text(words_x, y + 8, STATIONS.get(call.file, "..."), 10.5, fill=GREY)
    picture.rect(20, flash_y - 10, WIDTH - 40, 20, "#2f6f4f", rx=4)
    words = "the entry is on flash: only now is it shown"
    picture.text(WIDTH / 2, flash_y, words, 12, "middle", font_weight="bold", fill="#ffffff")
    return picture.source()


def _module(file: str) -> str:
    parts = Path(file).with_suffix("").parts
    return ".".join(["kiebitz", *(parts[:-1] if parts[-1] == "__init__" else parts)])


def main(folder: Path = FOLDER) -> int:
    walk = trace()
    for name, content in ((ROOMS_FILE, rooms_svg()), (WALK_FILE, walk_svg(walk))):
        path = folder / name
        changed = not path.exists() or path.read_text("utf-8") != content
        if changed:
            path.write_text(content, "utf-8")
        print(f"{folder.name}/{name}{'' if changed else ' is up to date'}")
    for title, calls in (("key to flash", walk.to_flash), ("flash to picture", walk.to_screen)):
        print("{}: {} calls, {} files, {} borders between files".format(title, *count(calls)))
    for call, n in walk.stations():
        print(f"  {call.file:32} {call.function:28} {n} calls")
    return 0


if __name__ == "__main__":
    sys.exit(main())
