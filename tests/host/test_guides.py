"""The guides for developers: their examples work exactly as they are printed."""

import inspect
import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers.faulty_storage import FaultyStorage
from kiebitz.board import profiles
from kiebitz.store.settings import Settings
from kiebitz.widgets.keys import OK
from kiebitz_host.sim.hardware import Hardware
from kiebitz_host.system import simulator_port
from kiebitz_lab.hardware.checks import problems

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
