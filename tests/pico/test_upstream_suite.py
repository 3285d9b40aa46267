"""Test the campaign with MicroPython's own tests, with a few of them on the emulated Pico."""

import json
import shutil
import subprocess

import pytest
from kiebitz_host.outcome import Trouble
from kiebitz_lab.image.build import find_sources
from kiebitz_lab.torture import upstream_suite as suite
from kiebitz_lab.torture.upstream_suite import (
    LeftOut,
    Outcome,
    Pyboard,
    PyboardError,
    at_raw_prompt,
    check_pico,
    compare,
    read_left_out,
    read_outcome,
)

RIGHT = ["basics/gc1.py", "basics/list_sort.py", "basics/string_format.py", "micropython/heapalloc_bytesio.py"]
WRONG = "basics/andor.py"
SKIPPED = "float/math_fun.py"


@pytest.fixture(scope="module")
def sources():
    return find_sources()


@pytest.fixture(scope="module")
def tests(sources, tmp_path_factory):
    """Return a folder with some of upstream's tests, one of them with a wrong expectation."""
    upstream = suite.tests_of(sources / "micropython")
    folder = tmp_path_factory.mktemp("upstream") / "tests"
    shutil.copytree(upstream / "feature_check", folder / "feature_check")
    for name in ("run-tests.py", WRONG, SKIPPED, *RIGHT):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(upstream / name, folder / name)
        if (upstream / f"{name}.exp").exists():
            shutil.copy(upstream / f"{name}.exp", folder / f"{name}.exp")
    (folder / f"{WRONG}.exp").write_text("no Python prints this\n")
    return folder


@pytest.fixture(scope="module")
def prompt(flash):
    return at_raw_prompt(flash)


def test_upstream_tests_pass_on_the_pico_and_a_wrong_answer_is_a_failure(prompt, tests, tmp_path):
    files = [*RIGHT, WRONG, SKIPPED]
    found = suite.run_pico(prompt, tests, files, tmp_path / "results", lambda line: None)
    assert found == Outcome(len(RIGHT), frozenset({WRONG}), frozenset({"math_fun"}))
    assert check_pico(found, files, read_left_out()) == [f"{WRONG} fails"]


def test_a_test_gets_output_and_error_and_one_that_restarts_the_device_disturbs_no_other(prompt):
    Pyboard.rig = prompt
    board = Pyboard("port")
    assert board.exec_(b"x = 6\nprint(x * 7)") == b"42\r\n"
    with pytest.raises(PyboardError) as caught:
        board.exec_(b"print(1)\nx")
    kind, printed, error = caught.value.args
    assert (kind, printed) == ("exception", b"1\r\n") and b"NameError" in error
    with pytest.raises(PyboardError, match="restarted"):
        board.exec_(b"import machine\nmachine.reset()")
    assert board.exec_(b"print(2)") == b"2\r\n"


@pytest.mark.parametrize("name", [".", ".."])
def test_importing_a_name_without_letters_does_what_it_does_upstream(prompt, name):
    """An empty name has no last character for the board's search for frozen modules."""
    Pyboard.rig = prompt
    assert Pyboard("port").exec_(f"print(__import__({name!r}))".encode()) == b"<module '.'>\r\n"


def test_the_patches_are_those_of_the_image_and_none_is_applied_to_other_lines(sources, tmp_path, monkeypatch):
    tree, names = tmp_path / "tree", ("gc.c", "compile.c", "emitbc.c")
    (tree / "py").mkdir(parents=True)
    shipped = {name: (sources / "micropython" / "py" / name).read_bytes() for name in names}
    for name in names:
        (tree / "py" / name).write_bytes(shipped[name])
    suite.apply_patches(tree, "--reverse")
    assert all((tree / "py" / name).read_bytes() != shipped[name] for name in names)
    suite.apply_patches(tree)
    assert {name: (tree / "py" / name).read_bytes() for name in names} == shipped
    suite.apply_patches(tree, "--reverse")
    shutil.copytree(suite.PATCHES, tmp_path / "patches")
    monkeypatch.setattr(suite, "PATCHES", tmp_path / "patches")
    change = tmp_path / "patches" / "no_native_emitter.patch"
    text = change.read_text()
    assert text.count(" typedef enum {\n") == 1
    change.write_text(text.replace(" typedef enum {\n", " typedef enum other {\n"))
    with pytest.raises(Trouble, match="patch failed"):
        suite.apply_patches(tree)
    assert "--fuzz=0" in (suite.HERE / "sources.sh").read_text()


def test_an_interpreter_with_several_heap_areas_does_not_compile(sources):
    """The patched allocator supports only one heap area."""
    folder = sources / "micropython" / "mpy-cross"
    command = ["gcc", "-E", "-I.", "-Ibuild", "-I..", "../py/gc.c"]
    assert subprocess.run(command, cwd=folder, capture_output=True).returncode == 0
    refused = subprocess.run([*command, "-DMICROPY_GC_SPLIT_HEAP=1"], cwd=folder, capture_output=True, text=True)
    assert refused.returncode and "run_starts is for one heap area" in refused.stderr


PLAIN = Outcome(900, frozenset({"extmod/a.py"}), frozenset({"b"}))


@pytest.mark.parametrize(
    ("patched", "wrong"),
    [
        (PLAIN, []),
        (PLAIN._replace(passed=899, failed=PLAIN.failed | {"basics/gc1.py"}), ["basics/gc1.py fails only with our"]),
        (PLAIN._replace(passed=901, failed=frozenset()), ["extmod/a.py fails only without"]),
        (PLAIN._replace(passed=899, skipped=frozenset({"b", "int_big1"})), ["int_big1 is skipped on one"]),
    ],
)
def test_a_patch_that_changes_the_outcome_of_a_test_is_told_by_its_name(patched, wrong):
    found = compare(PLAIN, patched)
    assert len(found) == len(wrong) and all(line.startswith(start) for line, start in zip(found, wrong, strict=True))


@pytest.mark.parametrize(("times", "wrong"), [(1, []), (2, ["basics/one.py fails only with our patches"])])
def test_what_fails_on_one_of_the_two_is_run_again_and_counts_if_it_fails_again(tmp_path, monkeypatch, times, wrong):
    for name in ("run-tests.py", "basics/one.py", "basics/two.py"):
        (tmp_path / "tests" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tests" / name).touch()
    runs = []

    def run_unix(interpreter, tests, files, results):
        runs.append((interpreter, files))
        fails = interpreter == "patched" and [run[0] for run in runs].count("patched") <= times
        failed = frozenset({"basics/one.py"}) if fails else frozenset()
        return Outcome(len(files) - len(failed), failed, frozenset())

    monkeypatch.setattr(suite, "build_unix", lambda tree, mpy_cross: "patched" if tree != tmp_path else "plain")
    monkeypatch.setattr(suite, "run_unix", run_unix)
    trees = {"plain": tmp_path, "patched": tmp_path / "patched"}
    assert suite.play_unix(trees, tmp_path, lambda line: None) == wrong
    assert runs[2:] == [("plain", ["basics/one.py"]), ("patched", ["basics/one.py"])]


LISTED = LeftOut({"extmod/a.py": "no bus", "extmod/other.py": "not run here"}, {"math_*": "no math"})


@pytest.mark.parametrize(
    ("failed", "skipped", "wrong"),
    [
        ({"extmod/a.py"}, {"math_fun"}, []),
        ({"extmod/a.py", "basics/gc1.py"}, set(), ["basics/gc1.py fails"]),
        ({"extmod/a.py"}, {"int_big1"}, ["int_big1 is skipped"]),
        (set(), set(), ["extmod/a.py does not fail any more: take it out of upstream_left_out.txt"]),
    ],
)
def test_on_the_pico_only_what_is_listed_may_fail_or_be_skipped(failed, skipped, wrong):
    found = Outcome(10, frozenset(failed), frozenset(skipped))
    assert check_pico(found, ["extmod/a.py", "basics/gc1.py"], LISTED) == wrong


def test_a_suite_that_stopped_in_the_middle_is_not_taken_for_one_that_passed(tmp_path):
    printed = "3 tests performed (9 individual testcases)\n2 tests passed\n1 tests skipped: b\n1 tests failed: a\n"
    (tmp_path / "_results.json").write_text(json.dumps({"failed_tests": ["extmod/a.py"]}))
    assert read_outcome(printed, tmp_path, 4) == Outcome(2, frozenset({"extmod/a.py"}), frozenset({"b"}))
    with pytest.raises(Trouble, match="did not run all 5 tests"):
        read_outcome(printed, tmp_path, 5)
    with pytest.raises(Trouble, match="requires unittest"):
        read_outcome("pass  a.py\nerror: test b.py requires unittest\n", tmp_path, 4)


def test_missing_tests_and_a_missing_compiler_get_a_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(suite, "find_sources", lambda: tmp_path)
    monkeypatch.setattr(suite, "unpack", lambda sources, work: {"plain": tmp_path})
    assert suite.main([]) == 2
    assert "came without MicroPython's tests" in capsys.readouterr().err
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Trouble, match="make is missing: on Debian, run apt-get install"):
        suite.build_unix(tmp_path, tmp_path / "mpy-cross")


def test_tests_that_need_unittest_are_left_out_by_name(tmp_path):
    (tmp_path / "extmod").mkdir()
    (tmp_path / "extmod" / "one.py").write_text("print('unittest')\n")
    (tmp_path / "extmod" / "two.py").write_text("import os\nimport unittest\n")
    assert suite.select(tmp_path, ["extmod", "float"]) == (["extmod/one.py"], ["two"])
