"""Test the docs: links, paths and commands exist, the rules contract is whole, and examples of the guides work."""

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
from collections import Counter
from pathlib import Path

import pytest
from helpers.faulty_storage import FaultyStorage
from helpers.play import case_of
from kiebitz.board import profiles
from kiebitz.games import GAMES, game_class
from kiebitz.store.settings import Settings
from kiebitz.widgets.keys import OK
from kiebitz_host.cli import COMMANDS
from kiebitz_host.library.store import Store
from kiebitz_host.sim.hardware import Hardware
from kiebitz_host.system import simulator_port
from kiebitz_lab import gallery, refusals
from kiebitz_lab.hardware.checks import problems
from kiebitz_lab.synthetic_store import fill_quickly

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "hardware").rglob("*.md")),
]
IDS = [str(page.relative_to(ROOT)) for page in PAGES]

FENCE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"(?:firmware|host|tests|docs|hardware)/[\w./*-]*")
LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
EXAMPLES = ("high_card", "NAME")  # the game that docs/adding-a-game.md builds, and any game


def prose(page):
    """Return a page without its blocks of code."""
    return FENCE.sub("", page.read_text("utf-8"))


def anchors(page):
    """Return the anchors of the headings of a page, as GitHub makes them."""
    found = set()
    for heading in HEADING.findall(prose(page)):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        found.add(anchor if anchor not in found else f"{anchor}-1")
    return found


def missing_paths(text, root=ROOT):
    """Return the paths in backticks that begin with a folder of the project and do not exist."""
    paths = [path for code in CODE.findall(text) for path in [PATH.match(code)] if path]
    names = [path.group().rstrip(".") for path in paths if not any(word in path.string for word in EXAMPLES)]
    return [name for name in names if not any(root.glob(name.rstrip("/")))]


def dead_links(page):
    """Return the relative links of a page without a file, or without a heading for their anchor."""
    found = []
    for one, other in LINK.findall(prose(page)):
        link = one or other
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            found.append(link)
    return found


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_path_exists(page):
    assert missing_paths(prose(page)) == []


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_link_leads_to_a_file_and_a_heading(page):
    assert dead_links(page) == []


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_make_target_and_command_exists(page):
    text = page.read_text("utf-8")
    targets = set(re.findall(r"^([a-z0-9]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = re.findall(r"(?:`|^)make ([a-z0-9]+)", text, re.MULTILINE)
    commands = re.findall(r"(?:`|\$ |bin/|^ *)kiebitz ([a-z]+)", text, re.MULTILINE)
    assert set(named) <= targets
    assert set(commands) <= set(COMMANDS)


def test_a_dead_end_is_found(tmp_path):
    told = "see `firmware/kiebitz/ui/texts.py` and `firmware/main.py`, `tests/games/poch/test_flow.py`"
    assert missing_paths(told) == ["firmware/kiebitz/ui/texts.py"]
    page = tmp_path / "page.md"
    page.write_text(
        "# One `two`, three\n[a](page.md#one-two-three) [b](page.md#four) [c](gone.md) [d](https://x.org)\n"
    )
    assert dead_links(page) == ["page.md#four", "gone.md"]


# --- the contract of the games ---

# What all games share, and the contract of each game in its folder
SECTIONS = {path.parent.name: path.read_text("utf-8") for path in sorted((ROOT / "tests" / "games").glob("*/rules.md"))}
RULES = (ROOT / "docs" / "rules.md").read_text("utf-8")
DOC = "\n".join([RULES, *SECTIONS.values()])

CASES = {kind: case_of(kind) for kind in GAMES}
NUMBER = rf"(?:H|{'|'.join(case.NUMBERED for case in CASES.values())})-[TA]\d+"
NAMED = re.compile(rf"\b{NUMBER}\b")
DEFINED = re.compile(rf"^(?:[-*] |\| ?)\**({NUMBER})\b", re.MULTILINE)


def described(text):
    """Return the ids in backticks; of `score(p, board)` also the name alone."""
    spans = re.findall(r"`([^`\n]+)`", text)
    return set(spans) | {span.partition("(")[0] for span in spans}


def test_every_case_named_in_a_test_is_described():
    defined = set(DEFINED.findall(DOC))
    for path in sorted((ROOT / "tests").rglob("*.py")):
        named = set(NAMED.findall(path.read_text(encoding="utf-8")))
        assert named <= defined, (path.name, named - defined)


def test_every_number_is_described_once_and_none_is_left_out():
    numbers = DEFINED.findall(DOC)
    assert [number for number, times in Counter(numbers).items() if times > 1] == []
    for series in {re.sub(r"\d+", "", number) for number in numbers}:
        known = {int(number[len(series) :]) for number in numbers if re.fullmatch(rf"{series}\d+", number)}
        assert known == set(range(1, len(known) + 1)), series


def test_numbers_mentioned_elsewhere_in_the_document_exist():
    assert set(NAMED.findall(DOC)) == set(DEFINED.findall(DOC))


@pytest.mark.parametrize("kind", GAMES)
def test_every_event_and_house_rule_is_described_in_the_section_of_its_game(kind):
    known = described(SECTIONS[kind])
    assert set(game_class(kind).EVENTS) <= known
    assert set(game_class(kind).OPTIONS) <= known


@pytest.mark.parametrize("kind", GAMES)
def test_every_value_of_a_house_rule_is_in_the_table_of_its_game(kind):
    rows = [line.split("|") for line in SECTIONS[kind].splitlines() if line.startswith("| `")]
    values = {row[1].strip(" `"): row[2] for row in rows}
    for name, allowed in game_class(kind).OPTIONS.items():
        told = [value.strip() for value in values[name].split(",")]
        assert told[: len(allowed)] == ["none" if value is None else str(value) for value in allowed], name


def test_every_code_is_described():
    codes = {code for code, _ in refusals.given()} | {"E_ARG"}
    assert codes <= described(DOC)


def test_a_number_at_the_start_of_an_item_or_row_is_its_description():
    assert DEFINED.findall("- **RF-T1** x\n| PC-A2 | y |\nsee P-T3\n- as in P-T4\n") == ["RF-T1", "PC-A2"]


# --- the guides for players in every language ---

TRANSLATED = [(lang, page) for lang in gallery.TRANSLATIONS for page in gallery.english_pages()]


def versions(lang, page):
    """Return the text of an English guide and of its translation."""
    return [(folder / page).read_text("utf-8") for folder in (gallery.DOCS, gallery.DOCS / lang)]


@pytest.mark.parametrize(("lang", "page"), TRANSLATED, ids=lambda value: str(value))
def test_every_section_of_a_guide_is_there_in_every_language(lang, page):
    english, translated = versions(lang, page)
    assert gallery.structure(translated) == gallery.structure(english), "translate what has changed"
    assert translated != english


@pytest.mark.parametrize(("lang", "page"), TRANSLATED, ids=lambda value: str(value))
def test_a_translated_guide_uses_the_words_of_the_device(lang, page):
    english, translated = versions(lang, page)
    assert translated == gallery.updated(english, translated, lang), "`make shots` updates the words"


def test_a_guide_that_lacks_something_is_noticed():
    english = "# A\n\n*All entries*\n\n## B\n- **Loans**: x\n"
    assert gallery.structure(english) != gallery.structure("# A\n\n## B\n- x\n- y\n")
    german = "# A\n\n*Einträge*\n\n## B\n- **geliehenes**: x\n"
    assert gallery.updated(english, german, "de") == german.replace("Einträge", "Alle Einträge")
    with pytest.raises(ValueError, match="emphasised"):
        gallery.updated(english, "# A\n", "de")


def test_french_pages_never_break_a_line_before_a_high_sign():
    pages = [*(ROOT / "docs" / "fr").rglob("*.md"), ROOT / "host/kiebitz_lab/site/languages/fr.txt"]
    for page in pages:
        words = CODE.sub("x", prose(page))
        assert re.findall(r".*\S [:;?!\u00bb](?=\s|$).*|.*\u00ab .*", words) == [], page.name


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
STORED_GAMES = 5000
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
        fill_quickly(store, STORED_GAMES)
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
