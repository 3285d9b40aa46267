"""The example of docs/adding-a-view.md, exactly as it is there: it shows the game of a running simulator."""

import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers.play import ev, setup
from helpers.shelf import games_on
from kiebitz.board.storage import Storage
from kiebitz.store.settings import Settings
from kiebitz_host.sim.flash_folder import DATA, MARK
from kiebitz_host.system.folders import simulator_port

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "adding-a-view.md"
BLOCK = re.compile(r"^`([a-z_]+\.py)`\n\n```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
KIEBITZ = "import sys; from kiebitz_host.cli import main; sys.exit(main(sys.argv[1:]))"
PATIENCE_S = 20


@pytest.fixture
def environment():
    paths = os.pathsep.join(str(ROOT / part) for part in ("firmware", "host"))
    return {**os.environ, "PYTHONPATH": paths, "PYTHONUTF8": "1", "COLUMNS": "80", "LINES": "24", "LANG": "C.UTF-8"}


@pytest.fixture
def flash(tmp_path):
    """Return a flash with a game on it, in which Ben has a point."""
    folder = tmp_path / "flash"
    folder.mkdir()
    (folder / MARK).touch()
    storage = Storage(str(folder / DATA))
    Settings(storage).set("language", "en")
    games = games_on(storage)
    games.create(setup("top_spot", 3, match_length=3))
    games.play(ev("point", p=1))
    return folder


@pytest.fixture
def simulator(flash, environment):
    """Run `kiebitz sim` in a terminal of its own; returns where its keys are typed."""
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
    """Run the example of the guide on the port of the simulator; returns the page that it writes."""
    files = dict(BLOCK.findall(GUIDE.read_text("utf-8")))
    assert list(files) == ["scoreboard.py"]
    (tmp_path / "scoreboard.py").write_text(files["scoreboard.py"], "utf-8")
    command = [sys.executable, "scoreboard.py", simulator_port(flash)]
    process = subprocess.Popen(command, cwd=tmp_path, env=environment)
    yield tmp_path / "score.html"
    process.kill()
    process.wait()


def comes(page, words, terminal):
    """Wait until these words are on the page; meanwhile, read what the simulator draws."""
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
    (source,) = dict(BLOCK.findall(GUIDE.read_text("utf-8"))).values()
    assert len([line for line in source.splitlines() if line.strip()]) <= 30
