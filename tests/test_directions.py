"""Import contracts: the packages that each package may import, checked for every module."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
FIRMWARE = ROOT / "firmware"
HOST = ROOT / "host"
KEY_LINE = re.compile(r"^([\w.:]+) = (.*)$", re.MULTILINE)

# Package -> the packages its modules may import. `games` means only the modules `rules*`; all others are `tables`.
MAY_IMPORT = {
    "machine_code": set(),
    "text": {"games"},
    "games": set(),
    "store": {"games"},
    "raster": set(),
    "widgets": {"raster", "text"},
    "tables": {"games", "widgets", "raster", "text", "session", "screens"},
    "session": {"games", "store", "text", "widgets"},
    "screens": {"games", "store", "raster", "text", "widgets", "session"},
    "app": {"games", "store", "text", "widgets", "screens", "session", "link"},
    "link": {"games", "store", "widgets"},
    "board": {"link", "raster", "store"},
    "power_on": {"app", "board", "screens", "store"},
}
# Folder of the laptop -> the folders its modules may import; BASE are the modules beside the folders.
# Data comes from a device (link), is stored (library), counted (league) and rendered (show) for commands and pages.
BASE = "base"
LAPTOP_MAY_IMPORT = {
    BASE: set(),
    "system": {BASE},
    "languages": {BASE},
    "games": {BASE},
    "link": {BASE, "system"},
    "league": {BASE},
    "library": {BASE, "system", "games", "league"},
    "show": {BASE, "games", "league", "library"},
    "exchange": {BASE, "league", "library"},
    "export": {BASE, "games", "league", "library", "show"},
    "sim": {BASE, "system", "link"},
    "install": {BASE, "link"},
    "rescue": {BASE, "link", "install"},
    "report": {BASE, "games", "languages", "link", "install", "sim"},
    "web": {BASE, "games", "languages", "league", "library", "link", "show", "exchange", "export", "system"},
    "cli": {BASE, "system", "languages", "games", "link", "league", "library", "show", "exchange", "export", "sim",
            "install", "rescue", "report", "web"},
}  # fmt: skip


def package_of(name):
    """Return the package of a firmware module, by its full name."""
    parts = name.split(".")[1:]
    if not parts:
        return "kiebitz"
    if parts[0] == "games" and len(parts) > 2 and not parts[2].startswith("rules"):
        return "tables"
    return parts[0]


@cache
def imports(path, name):
    """Return the full names of the modules that a module imports, anywhere in it."""
    return list(_imports(path, name))


def _imports(path, name):
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = ".".join(package.split(".")[: len(package.split(".")) - node.level + 1]) if node.level else ""
            target = ".".join(filter(None, (base, node.module)))
            for alias in node.names:
                yield f"{target}.{alias.name}" if _is_module(f"{target}.{alias.name}") else target
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name


@cache
def _is_module(name):
    paths = [house.joinpath(*name.split(".")) for house in (FIRMWARE, HOST)]
    return any(path.with_suffix(".py").is_file() or (path / "__init__.py").is_file() for path in paths)


def modules(folder):
    for path in sorted(folder.rglob("*.py")):
        parts = list(path.relative_to(folder.parent).with_suffix("").parts)
        yield path, ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def wrong_ways(folder):
    for path, name in modules(folder):
        own = package_of(name)
        for target in imports(path, name):
            if target.split(".")[0] != "kiebitz":
                continue
            package = package_of(target)
            if package not in {own, "kiebitz", "machine_code"} | MAY_IMPORT.get(own, set()):
                yield f"{name} imports {target}"


def laptop_folder_of(name):
    """Return the folder of a module of the laptop, by its full name."""
    folder = name.split(".")[1] if name.count(".") else BASE
    return folder if folder in LAPTOP_MAY_IMPORT else BASE


def wrong_ways_on_the_laptop(folder):
    for path, name in modules(folder):
        own = laptop_folder_of(name)
        for target in imports(path, name):
            if target.split(".")[0] == "kiebitz_host":
                other = laptop_folder_of(target)
                if other not in {own} | LAPTOP_MAY_IMPORT[own]:
                    yield f"{name} imports {target}"


SQL = re.compile(r"\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE|DROP TABLE|PRAGMA|BEGIN|COMMIT)\b")


def sql_in(text):
    """Yield the SQL of a module (string constants with statements, and calls of execute() and similar methods)."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL.match(node.value):
            yield node.value
        elif isinstance(node, ast.Attribute) and node.attr in ("execute", "executemany", "executescript"):
            yield node.attr
        elif isinstance(node, (ast.Import, ast.ImportFrom)) and "sqlite3" in ast.unparse(node):
            yield "sqlite3"


def test_the_folders_of_the_laptop_import_only_those_below():
    folders = {path.name for path in (HOST / "kiebitz_host").iterdir() if (path / "__init__.py").is_file()}
    assert folders | {BASE} == set(LAPTOP_MAY_IMPORT)
    assert sorted(wrong_ways_on_the_laptop(HOST / "kiebitz_host")) == []


def test_no_two_folders_of_the_laptop_import_each_other():
    for folder, others in LAPTOP_MAY_IMPORT.items():
        assert not [other for other in others if folder in LAPTOP_MAY_IMPORT[other]], folder


def test_only_the_library_has_sql():
    found = {name for path, name in modules(HOST / "kiebitz_host") if any(sql_in(path.read_text("utf-8")))}
    assert {laptop_folder_of(name) for name in found} == {"library"}
    assert list(sql_in('a = f"SELECT {x}"\nb.execute(a)\n# SELECT\nc = "a SELECTion"\n')) == ["SELECT ", "execute"]


def test_a_wrong_way_on_the_laptop_is_found(tmp_path):
    folder = tmp_path / "kiebitz_host"
    for name, text in {
        "league/standings.py": "from ..library.query import games\n",
        "link/ports.py": "def f():\n    from ..sim import flash_folder\n",
        "library/store.py": "from ..league import standings\nfrom ..outcome import Trouble\n",
        "outcome.py": "from kiebitz_host.web import server\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    assert sorted(wrong_ways_on_the_laptop(folder)) == [
        "kiebitz_host.league.standings imports kiebitz_host.library.query",
        "kiebitz_host.link.ports imports kiebitz_host.sim.flash_folder",
        "kiebitz_host.outcome imports kiebitz_host.web.server",
    ]


def test_the_packages_of_the_firmware_import_only_those_below():
    assert {package_of(name) for _, name in modules(FIRMWARE / "kiebitz")} - {"kiebitz"} == set(MAY_IMPORT)
    assert sorted(wrong_ways(FIRMWARE / "kiebitz")) == []


def test_a_game_imports_no_other_game():
    games = [path.name for path in (FIRMWARE / "kiebitz" / "games").iterdir() if path.is_dir() and path.name[0] != "_"]
    for path, name in modules(FIRMWARE / "kiebitz"):
        own = name.split(".")[2] if name.startswith("kiebitz.games.") and name.count(".") > 1 else None
        for target in imports(path, name):
            parts = target.split(".")
            if parts[:2] == ["kiebitz", "games"] and len(parts) > 2 and parts[2] in games:
                assert parts[2] == own, f"{name} imports {target}"


def texts_of_games():
    """Return {text key: games that define it}, without the families that belong to each game."""
    found = {}
    for path in [*FIRMWARE.glob("kiebitz/games/*/en.txt"), *HOST.glob("kiebitz_host/games/*/en.txt")]:
        for key, sentence in KEY_LINE.findall(path.read_text("utf-8")):
            if sentence and not key.startswith(("ev.", "val.", "ask.")):
                found.setdefault(key, set()).add(path.parent.name)
    return found


def foreign_texts(path, owners):
    """Return the text keys in a module that only other games define."""
    parts = path.parts
    own = parts[parts.index("games") + 1] if "games" in parts else None
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    keys = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return sorted(key for key in keys if "." in key and own not in owners.get(key, {own}))


def test_no_text_of_a_game_is_shown_elsewhere(tmp_path):
    owners = texts_of_games()
    for folder in (FIRMWARE / "kiebitz", HOST / "kiebitz_host"):
        for path, name in modules(folder):
            assert foreign_texts(path, owners) == [], name
    wrong = tmp_path / "games" / "skat" / "table.py"
    wrong.parent.mkdir(parents=True)
    wrong.write_text('FOOTER = ("spot.menu.bonus", "skat.menu.ramsch", "key.menu")')
    assert foreign_texts(wrong, owners) == ["spot.menu.bonus"]


def test_only_the_board_imports_what_only_a_pico_has():
    for path, name in modules(FIRMWARE / "kiebitz"):
        if {"machine", "_rp2", "vfs"} & set(imports(path, name)):
            assert name == "kiebitz.board.pico", name


def test_the_product_imports_neither_laboratory_nor_tests():
    # `kiebitz sim --chip` imports the laboratory lazily, and prints a sentence if it is not installed
    found = {
        name: [target for target in imports(path, name) if target.split(".")[0] in ("kiebitz_lab", "helpers", "tests")]
        for path, name in modules(HOST / "kiebitz_host")
    }
    assert {name: targets for name, targets in found.items() if targets} == {
        "kiebitz_host.cli.sim": ["kiebitz_lab.chip.play", "kiebitz_lab.chip"]
    }


def test_only_the_command_line_imports_the_commands():
    for path, name in modules(HOST / "kiebitz_host"):
        if not name.startswith("kiebitz_host.cli"):
            assert not [target for target in imports(path, name) if target.startswith("kiebitz_host.cli")], name


def private_names_set(text):
    """Yield the private names that this code sets on anything but `self`."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            name = ast.unparse(node)
            if node.attr[0] == "_" and node.attr[:2] != "__" and name != f"self.{node.attr}":
                yield name


def test_nobody_sets_a_private_name_of_another():
    """Except the emulated chip, whose emulator is pinned for that, and two classes that make one of their own kind."""
    found = {
        path.relative_to(ROOT).as_posix()
        for folder in (FIRMWARE, HOST, ROOT / "tests")
        for path in folder.rglob("*.py")
        if list(private_names_set(path.read_text("utf-8")))
    }
    chip = {path for path in found if path.startswith("host/kiebitz_lab/chip/")}
    assert found - chip == {"firmware/kiebitz/store/journal.py", "tests/helpers/faulty_storage.py"}
    assert list(private_names_set("a._b = self._c = 1\nself.d._e += 1\n")) == ["a._b", "self.d._e"]


def test_a_wrong_way_is_found(tmp_path):
    folder = tmp_path / "kiebitz"
    (folder / "games" / "poch").mkdir(parents=True)
    (folder / "games" / "poch" / "rules.py").write_text("def f():\n    from ...widgets import screen\n")
    (folder / "store").mkdir()
    wrong = "from kiebitz.screens.start import Start\n"
    (folder / "store" / "journal.py").write_text(f"{wrong}from ..games import new_game\n")
    assert sorted(wrong_ways(folder)) == [
        "kiebitz.games.poch.rules imports kiebitz.widgets.screen",
        "kiebitz.store.journal imports kiebitz.screens.start",
    ]


def test_only_the_sanitizer_prints():
    """Text from a device must not reach the terminal with its escape sequences."""
    # printable.py is the sanitizer; agent.py and stage.py run on the device; the others print sanitized text or pixels
    allowed = {"printable.py", "install/agent.py", "report/stage.py", "cli/games.py", "cli/sim.py"}
    found = set()
    for path in (ROOT / "host" / "kiebitz_host").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
                found.add(path.relative_to(ROOT / "host" / "kiebitz_host").as_posix())
    assert found == allowed
