"""The example of docs/adding-a-column.md in a copy of the project: every league table has the column."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from kiebitz_host.library.store import Store
from kiebitz_lab.synthetic_store import fill_quickly

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "adding-a-column.md"
COLUMNS = Path("host", "kiebitz_host", "league", "columns.py")
BLOCK = re.compile(r"^```python\n(    Column\(.*\),\n)```$", re.MULTILINE)
GAMES = 5000
KIEBITZ = "import sys; from kiebitz_host.cli import main; sys.exit(main(sys.argv[1:]))"
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


def test_the_unchanged_code_does_not_have_it(run):
    assert all("second" not in player for player in in_json(run, folder=ROOT))
    assert "2nd" not in run(KIEBITZ, "league", "poch", folder=ROOT)


@pytest.mark.parametrize("words, where", [((), ""), (("poch",), "AND kind = 'poch'")])
def test_one_line_is_seen_in_the_terminal_and_in_json(run, db, words, where):
    wanted = seconds(db, where)
    assert sum(wanted.values()) > 100 and len(wanted) > 20
    assert {player["name"]: player["second"] for player in in_json(run, *words)} == wanted
    shown = {name: count for name, count in wanted.items() if name.startswith("Player ")}  # others may be wide letters
    assert len(shown) > 20 and column_of(run(KIEBITZ, "league", *words).splitlines(), "2nd") == shown


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


def test_the_cache_of_the_unchanged_code_is_rebuilt_by_the_next_change(run, db):
    before = scopes(db)
    run(KIEBITZ, "delete", "1")
    assert len(scopes(db)) == 1 and scopes(db) != before
    assert {player["name"]: player["second"] for player in in_json(run)} == seconds(db)
    run(KIEBITZ, "restore", "1", folder=ROOT)  # and the other way round
    assert scopes(db) == before
