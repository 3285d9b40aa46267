"""The guides for developers: their examples work exactly as they are printed."""

import inspect
import json
import os
import re
import select
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers.faulty_storage import FaultyStorage
from kiebitz.board import profiles
from kiebitz.store.settings import Settings
from kiebitz.widgets.keys import OK
from kiebitz_host.library.store import Store
from kiebitz_host.sim.hardware import Hardware
from kiebitz_host.system import simulator_port
from kiebitz_lab.hardware.checks import problems
from kiebitz_lab.synthetic_store import fill_quickly

BOARD_GUIDE = (Path(__file__).parents[2] / "docs" / "adding-a-board.md").read_text("utf-8")


def test_the_example_is_a_board_that_works():
    (source,) = re.findall(r"^```python\n(.*?)^```$", BOARD_GUIDE, re.M | re.S)
    names = {**vars(profiles), "PROFILES": {}}
    exec(source, names)
    ((name, profile),) = names["PROFILES"].items()
    assert name == "my_board" and problems(profile) == []
    hardware, storage = Hardware(profile), FaultyStorage()
    Settings(storage).set("board", "pico_oled_sh1106")  # on other pins it is not found, and has to be chosen
    board = hardware.board(storage)
    assert board.display.ok
    hardware.ground(15)
    assert board.read_keys() == 1 << OK


@pytest.mark.parametrize("kind", [profiles.Profile, profiles.I2cDisplay, profiles.SpiDisplay])
def test_the_table_has_what_a_class_must_and_may_be_told(kind):
    (row,) = re.findall(rf"^\| `{kind.__name__}` \|(.*)\|(.*)\|$", BOARD_GUIDE, re.M)
    needed, optional = (re.findall(r"`(\w+)`", cell) for cell in row)
    facts = inspect.signature(kind).parameters.values()
    assert needed == [fact.name for fact in facts if fact.default is fact.empty]
    assert optional == [fact.name for fact in facts if fact.default is not fact.empty]


ROOT = Path(__file__).parents[2]
# --- a view ---

VIEW_GUIDE = ROOT / "docs" / "adding-a-view.md"
VIEW_BLOCK = re.compile(r"^`([a-z_]+\.py)`\n\n```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
KIEBITZ = "import sys; from kiebitz_host.cli import main; sys.exit(main(sys.argv[1:]))"
PATIENCE_S = 20


@pytest.fixture
def environment():
    paths = os.pathsep.join(str(ROOT / part) for part in ("firmware", "host"))
    return {**os.environ, "PYTHONPATH": paths, "PYTHONUTF8": "1", "COLUMNS": "80", "LINES": "24", "LANG": "C.UTF-8"}


@pytest.fixture
def simulator(flash, environment):
    """Run `kiebitz sim` in a pseudo-terminal. Return the file descriptor for its keys."""
    near, far = os.openpty()
    command = [sys.executable, "-c", KIEBITZ, "sim", "--flash", str(flash)]
    process = subprocess.Popen(command, stdin=far, stdout=far, env=environment)
    seen = b""
    try:
        while b"quit" not in seen:
            assert select.select([near], [], [], PATIENCE_S)[0], seen
            seen += os.read(near, 65536)
        yield near
    finally:
        process.kill()
        process.wait()
        os.close(near)
        os.close(far)


@pytest.fixture
def scoreboard(tmp_path, flash, simulator, environment):
    """Run the example of the guide on the port of the simulator. Return the path of the page that it writes."""
    files = dict(VIEW_BLOCK.findall(VIEW_GUIDE.read_text("utf-8")))
    assert list(files) == ["scoreboard.py"]
    (tmp_path / "scoreboard.py").write_text(files["scoreboard.py"], "utf-8")
    command = [sys.executable, "scoreboard.py", simulator_port(flash)]
    process = subprocess.Popen(command, cwd=tmp_path, env=environment)
    yield tmp_path / "score.html"
    process.kill()
    process.wait()


def comes(page, words, terminal):
    """Wait until the words are on the page, and drain the output of the simulator meanwhile."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.05)[0]:
            os.read(terminal, 65536)
        if page.exists() and words in page.read_text("utf-8"):
            return True
    return False


def test_the_example_shows_the_game_and_every_entry(scoreboard, simulator):
    assert comes(scoreboard, "Ben leads with 1 point.", simulator)
    os.write(simulator, b"\x7f")  # UNDO
    assert comes(scoreboard, "Nobody has scored yet.", simulator)
    assert "<tr><td>Ben<td>0" in scoreboard.read_text("utf-8")


def test_the_example_is_short():
    (source,) = dict(VIEW_BLOCK.findall(VIEW_GUIDE.read_text("utf-8"))).values()
    assert len([line for line in source.splitlines() if line.strip()]) <= 30


GUIDE = ROOT / "docs" / "adding-a-column.md"
COLUMNS = Path("host", "kiebitz_host", "league", "columns.py")
BLOCK = re.compile(r"^```python\n(    Column\(.*\),\n)```$", re.MULTILINE)
GAMES = 5000
PAGE = """
import sys
from kiebitz_host import languages
from kiebitz_host.library.store import Store
from kiebitz_host.web.frame import Visit
from kiebitz_host.web.league_page import find_league, league_page
languages.use("en")
with Store(sys.argv[1], create=False) as store:
    print(league_page(Visit("en"), find_league(store, sys.argv[2])))
"""
SECONDS = """
SELECT name, sum(rank = 2) FROM games JOIN scores USING (number) JOIN spellings ON spellings.id = scores.spelling
JOIN people ON people.id = person WHERE finished = 1 AND early = 0 AND deleted = 0 {where} GROUP BY name
"""


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    """Return a store with its league cache, written by the unchanged code."""
    path = tmp_path_factory.mktemp("store") / "results.db"
    with Store(path) as store:
        fill_quickly(store, GAMES)
        assert len(scopes(path)) == 1
    return path


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """Return a copy of the project with one more line, and nothing else changed."""
    folder = tmp_path_factory.mktemp("project")
    for part in ("firmware", "host"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__", "uf2", "kiebitz_lab"))
    (line,) = BLOCK.findall(GUIDE.read_text("utf-8"))
    assert line.count("\n") == 1
    before = (folder / COLUMNS).read_text("utf-8")
    after = before.replace("\n)  # fmt: skip\n\nCOUNTED", f"\n{line})  # fmt: skip\n\nCOUNTED")
    assert len(after.splitlines()) == len(before.splitlines()) + 1
    (folder / COLUMNS).write_text(after, "utf-8")
    return folder


@pytest.fixture(scope="module")
def run(copy, db):
    """Run Python with the code of a folder. Returns what it printed."""

    def run(code, *arguments, folder=copy):
        paths = os.pathsep.join(str(folder / part) for part in ("firmware", "host"))
        environment = {**os.environ, "PYTHONPATH": paths, "KIEBITZ_DB": str(db), "LANG": "C.UTF-8", "COLUMNS": "120"}
        command = [sys.executable, "-c", code, *map(str, arguments)]
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, encoding="utf-8")
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def scopes(db):
    """Return the scopes in the league cache that have its checksum."""
    connection = sqlite3.connect(db)
    found = connection.execute("SELECT DISTINCT scope FROM league_cache WHERE scope LIKE '/players/%'").fetchall()
    connection.close()
    return {scope for (scope,) in found}


def seconds(db, where=""):
    """Return a dict of names and second places, counted in SQL."""
    connection = sqlite3.connect(db)
    found = dict(connection.execute(SECONDS.format(where=where)).fetchall())
    connection.close()
    return found


def in_json(run, *words, **options):
    return json.loads(run(KIEBITZ, "league", *words, "--json", **options))["players"]


def column_of(rows, head):
    """Return a dict of names and values of the column with this head."""
    at = next(line for line in rows if head in line).index(head) + len(head)
    found = [(re.match(r" *\d+ +(Player \w)", line), line) for line in rows]
    return {match[1]: int(line[:at].split()[-1]) for match, line in found if match}


@pytest.mark.long
def test_the_unchanged_code_does_not_have_it(run):
    assert all("second" not in player for player in in_json(run, folder=ROOT))
    assert "2nd" not in run(KIEBITZ, "league", "poch", folder=ROOT)


@pytest.mark.long
@pytest.mark.parametrize("words, where", [((), ""), (("poch",), "AND kind = 'poch'")])
def test_one_line_is_seen_in_the_terminal_and_in_json(run, db, words, where):
    wanted = seconds(db, where)
    assert sum(wanted.values()) > 100 and len(wanted) > 20
    assert {player["name"]: player["second"] for player in in_json(run, *words)} == wanted
    shown = {name: count for name, count in wanted.items() if name.startswith("Player ")}  # others may be wide letters
    assert len(shown) > 20 and column_of(run(KIEBITZ, "league", *words).splitlines(), "2nd") == shown


@pytest.mark.long
@pytest.mark.parametrize("chosen, where", [("", ""), ("poch", "AND kind = 'poch'")])
def test_one_line_is_seen_on_the_page_and_in_the_export(run, db, chosen, where):
    game = ["--game", chosen] if chosen else []
    for page in (run(PAGE, db, chosen), run(KIEBITZ, "export", "html", "--league", *game)):
        head, body = page.partition("<tbody>")[::2]
        heads = re.findall(r"<th[^>]*>(.*?)</th>", head.rpartition("<thead>")[2])
        rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in body.partition("</tbody>")[0].split("</tr>")]
        at = heads.index("2nd")
        found = {re.sub("<.*?>", "", row[0]): int(row[at]) for row in rows if row}
        assert found == seconds(db, where)


@pytest.mark.long
def test_the_cache_of_the_unchanged_code_is_rebuilt_by_the_next_change(run, db):
    before = scopes(db)
    run(KIEBITZ, "delete", "1")
    assert len(scopes(db)) == 1 and scopes(db) != before
    assert {player["name"]: player["second"] for player in in_json(run)} == seconds(db)
    run(KIEBITZ, "restore", "1", folder=ROOT)  # and the other way round
    assert scopes(db) == before
