"""Run the portable tests on a real MicroPython."""

import os
import re
import subprocess

import pytest
from kiebitz.games import GAMES
from kiebitz_lab.frozen_tree import ROOT, compiled_tree, find_interpreter

# Here the code and the sentences are in the heap, which on a Pico are in flash, and objects are twice as large: what
# memory is really left is measured on the chip (tests/pico/test_memory.py).
HEAP = "400k"
# More where the test itself holds a flash in memory, or a whole device, or a laptop that keeps whole answers
MORE_HEAP = {
    "tests/board/test_profiles": "8m",  # these have the pixels of a colour display
    "tests/board/test_board": "8m",
    "tests/board/test_input": "8m",
    "tests/link/test_link_requests": "8m",
    "tests/screens/test_flow_display": "8m",
    "tests/games/any_game/test_flow": "8m",  # both displays
    "tests/games/": "1200k",
    "tests/screens/": "1200k",
    "tests/raster/": "1200k",
    "tests/text/": "1200k",
    "tests/widgets/": "1200k",
    "tests/board/": "800k",
    "tests/link/": "1200k",
}
FOLDERS = ("games", "store", "screens", "widgets", "raster", "text", "board", "link")


def portable_tests():
    """Return (path, game) of every test module of the portable folders but those named test_*_cpython.py.

    Those named test_*_of_every_game.py run once for each game: the heap is too small for all of them at once.
    """
    found = (path for folder in FOLDERS for path in sorted((ROOT / "tests" / folder).rglob("test_*.py")))
    names = [str(path.relative_to(ROOT)) for path in found if not path.stem.endswith("_cpython")]
    return [(name, kind) for name in names for kind in (GAMES if name.endswith("_of_every_game.py") else [""])]


@pytest.fixture(scope="session")
def interpreter():
    found = find_interpreter()
    if found is None:
        pytest.fail("There is no MicroPython interpreter: run make test, which installs one.", pytrace=False)
    return found


@pytest.fixture(scope="session")
def firmware(tmp_path_factory):
    folder = tmp_path_factory.mktemp("firmware")
    compiled_tree(folder)
    return folder


@pytest.fixture
def run(interpreter, firmware):
    """Run the runner on a test file; `tests` is the folder it imports from."""

    def run(path, game="", tests=ROOT / "tests"):
        heap = next((MORE_HEAP[start] for start in MORE_HEAP if path.startswith(start)), HEAP)
        return subprocess.run(
            [interpreter, "-X", f"heapsize={heap}", "tests/micropython/run.py", path],
            cwd=ROOT,
            env={**os.environ, "MICROPYPATH": f"{firmware}:{tests}:host:.frozen", "KIEBITZ_GAME": game},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    return run


@pytest.mark.parametrize(("path", "game"), portable_tests())
def test_passes_on_micropython(run, path, game):
    done = run(path, game)
    assert done.returncode == 0 and re.search(r"^[1-9]\d* passed, 0 failed$", done.stdout, re.M), done.stdout


def test_a_failing_test_is_noticed(run, tmp_path):
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "test_both.py").write_text(
        "def test_right():\n    assert 1 + 1 == 2\n\n\ndef test_wrong():\n    assert 1 + 1 == 3\n"
    )
    done = run("rules/test_both.py", tests=tmp_path)
    assert done.returncode == 1
    assert "test_wrong" in done.stdout and "AssertionError" in done.stdout
    assert done.stdout.splitlines()[-1] == "1 passed, 1 failed"


@pytest.mark.parametrize("source", ["import dataclasses\n", "x = [0] * 100000\n", "def help():\n    pass\n"])
def test_a_module_that_cannot_be_run_is_a_failure(run, tmp_path, source):
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "test_broken.py").write_text(source)
    done = run("rules/test_broken.py", tests=tmp_path)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "0 passed, 1 failed"


def test_names_taken_out_of_the_stubs_are_really_missing(interpreter, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "tests" / "typecheck")
    from narrow_builtins import MISSING

    # hasattr() on objects, because MicroPython has some attributes only there.
    makers = {"": "builtins", "range": "range(3)", "BaseException": "ValueError(1)", "OSError": "OSError(2)"}
    question = "import builtins\n" + "".join(
        f"print(*[n for n in {names.split()!r} if hasattr({makers.get(owner, owner + '()')}, n)], end='')\n"
        for owner, names in MISSING.items()
    )
    done = subprocess.run([interpreter, "-c", question], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
