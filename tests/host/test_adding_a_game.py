"""The examples of docs/adding-a-game.md and docs/adding-a-setting.md in one copy of the project.

The game plays everywhere, the setting is kept, and all tests pass there.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import indent

import pytest

ROOT = Path(__file__).parents[2]
SETTING_GUIDE = (ROOT / "docs" / "adding-a-setting.md").read_text("utf-8")
DECLARATION = re.compile(r"^```python\n(    setting\(.*\n)```$", re.MULTILINE)
SENTENCES = re.compile(r"^`(firmware/[a-z_/]+\.txt)`\n\n```\n(.*\n)```$", re.MULTILINE)
SETTING_SCENARIO = re.compile(r"^```python\n(d\.keys\(.*?)^```$", re.MULTILINE | re.DOTALL)
IN_EVERY_LANGUAGE = """
from helpers.device import Device
from kiebitz.text import LANGUAGES

for lang in LANGUAGES:
    d = Device(language=lang)
{story}
    d.restart()
    assert d.app.settings.all()["click"] is True
"""
GUIDE = ROOT / "docs" / "adding-a-game.md"
BLOCK = re.compile(r"^`([a-z_/]+\.(?:py|txt|md))`\n\n```(?:python|markdown)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PLACES = (
    "firmware/kiebitz/games/high_card/",
    "host/kiebitz_host/games/high_card/",
    "host/kiebitz_lab/games/high_card.py",
    "tests/games/high_card/",
)
NOT_COPIED = shutil.ignore_patterns("__pycache__", "uf2", "build", ".*", "*.egg-info")

STORY = """
import sys
from helpers.device import Device
from helpers.cable import memory_store, sync
from kiebitz.games import GAMES

assert GAMES[GAMES.index("top_spot") + 1] == "high_card"
d = Device()
d.app.roster.played(["Anna", "Ben", "Cleo"])
d.keys("ok pick:game.high_card")
assert d.sees("The same again") or d.sees("Anna"), d.text()
d.keys("ok")
assert d.sees("High Card", "Begin"), d.text()
d.keys("ok")
assert d.sees("High Card", "Anna", "wins") and not d.faults(), d.text()
d.keys("ok down ok down ok")
assert d.game.points == [1, 2, 0] and len(d.table) == 3
d.keys("undo")
assert d.sees("Taken back: Ben wins") and d.game.points == [1, 1, 0]
d.restart()
assert d.game.points == [1, 1, 0] and d.sees("High Card"), d.text()
d.keys("ok*4")
assert d.game.over and d.sees("Anna") and not d.faults(), d.text()
report = sync(d, memory_store())
assert [(game.outcome, game.confirmed) for game in report.games] == [("new", True)], report.games
open(sys.argv[1], "w").write("\\n".join(
    line.rsplit(" ", 2)[0] for line in d.journal().decode().splitlines()) + "\\n")
print("played")
"""


def insert_after(path, start, line):
    """Insert a line into a file after the only line that starts like this."""
    lines = path.read_text("utf-8").splitlines(keepends=True)
    (at,) = [number for number, other in enumerate(lines) if other.startswith(start)]
    path.write_text("".join([*lines[: at + 1], line, *lines[at + 1 :]]), "utf-8")


def add_setting(folder):
    """Add the line and the sentences of the guide for settings."""
    (line,) = DECLARATION.findall(SETTING_GUIDE)
    insert_after(folder / "firmware/kiebitz/store/settings.py", '    setting("advice"', line)
    sentences = SENTENCES.findall(SETTING_GUIDE)
    assert len(sentences) == 5
    for name, sentence in sentences:
        insert_after(folder / name, "set.advice = ", sentence)


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """Return a copy of the project with the game and the setting of the guides, and nothing else changed."""
    folder = tmp_path_factory.mktemp("copy") / "project"
    shutil.copytree(ROOT, folder, ignore=NOT_COPIED)
    files = dict(BLOCK.findall(GUIDE.read_text("utf-8")))
    assert len(files) == 18
    for name, text in files.items():
        assert name.startswith(PLACES) and not (folder / name).exists(), name
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    add_setting(folder)
    (folder / "build").mkdir()
    (folder / "build" / "stubs").symlink_to(ROOT / "build" / "stubs")  # for the type check of the firmware
    return folder


@pytest.fixture(scope="module")
def run(copy):
    """Run Python in the copy. Return its output."""
    paths = os.pathsep.join(str(copy / part) for part in ("firmware", "host", "tests"))
    environment = {**os.environ, "PYTHONPATH": paths, "XDG_DATA_HOME": str(copy / "data"), "LANG": "C.UTF-8"}
    environment = {key: value for key, value in environment.items() if not key.startswith("PYTEST_")}

    def run(*arguments):
        command = [sys.executable, *map(str, arguments)]
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, encoding="utf-8")
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="module")
def kiebitz(run):
    code = "import sys; from kiebitz_host.cli import main; sys.exit(main(sys.argv[1:]))"
    return lambda *words: run("-c", code, *words)


@pytest.fixture(scope="module")
def recorded(run, copy):
    """Play by keys on the simulated device, with undo, power cut, ranking and sync. Returns the file of the game."""
    file = copy / "game.jsonl"
    assert run("-c", STORY, file).strip() == "played"
    return file


def test_it_is_played_on_the_device_and_synced(recorded):
    first, *_ = recorded.read_text().splitlines()
    assert json.loads(first)["game"] == "high_card"


def test_replay_and_rules_know_it(recorded, kiebitz):
    found = json.loads(kiebitz("replay", recorded, "--json"))
    assert (found["game"], found["totals"], found["winners"], found["phase"]) == ("high_card", [5, 1, 0], [0], "OVER")
    assert "High Card" in kiebitz("replay", recorded) and "Anna wins" in kiebitz("replay", recorded)
    assert "High Card" in kiebitz("rules") and "2" in kiebitz("rules", "high_card")


def test_the_results_know_it(recorded, kiebitz):
    assert "1" in kiebitz("add", recorded)
    assert "High Card" in kiebitz("games")
    shown = kiebitz("show", "1")
    assert "High Card" in shown and "Points" in shown and "Ben wins" in shown
    assert "Anna" in kiebitz("league", "high_card")
    assert "high_card" in kiebitz("export", "csv") and "High Card" in kiebitz("export", "bgstats")


def test_it_is_in_the_tree_that_is_frozen(run, copy):
    code = "import sys, pathlib; from kiebitz_lab.frozen_tree import write_tree; write_tree(pathlib.Path(sys.argv[1]))"
    run("-c", code, copy / "tree")
    assert "high_card" in (copy / "tree" / "kiebitz" / "games" / "names.py").read_text()
    find = "import sys; sys.path.insert(0, 'tree'); from kiebitz_languages import load; print(load('de')(sys.argv[1]))"
    assert run("-c", find, "game.high_card") == "Hohe Karte\n"
    assert (copy / "tree" / "kiebitz" / "games" / "high_card" / "rules.py").is_file()


def test_the_setting_is_in_the_menu_in_every_language_and_kept(run):
    (scenario,) = SETTING_SCENARIO.findall(SETTING_GUIDE)
    run("-c", IN_EVERY_LANGUAGE.format(story=indent(scenario, "    ")))


def test_it_ships_with_the_others_and_nothing_is_red(run, copy):
    run("tests/make_replays.py")
    run("-m", "ruff", "check", "firmware", "host", "tests")
    # With the setting: adding either turns nothing red
    done = run("-m", "pytest", "-q", "-n", "auto", "--dist", "worksteal", "-m", "not long")
    assert re.search(r"^[1-9]\d{3,} passed in ", done, re.MULTILINE), done
