"""Run MicroPython's own tests on the interpreter with and without our patches, and on the emulated Pico.

The UNIX port is compiled twice, as upstream has it and with our patches: every test must end the same way on both. The
image that ships then runs the suite on the emulated Pico over its serial port; what cannot be tested there is listed
with its reason in upstream_left_out.txt. The tests come from Debian's source package of MicroPython.
"""

import argparse
import json
import multiprocessing
import os
import re
import runpy
import shutil
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterable
from fnmatch import fnmatch
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from kiebitz_host.outcome import Trouble

from ..chip.flash import flash_with
from ..chip.pico import TimeUp
from ..chip.probes import branch, in_use
from ..chip.rig import Rig
from ..image.build import BUILD, HERE, current_image, find_sources

RUNNER = "run-tests.py"
_RAW_PROMPT = b"raw REPL; CTRL-B to exit\r\n>"
_END = b"\x04"  # ends the output of a test, and its error
TEST_LIMIT_MS = 120_000  # emulated


class PyboardError(Exception):
    """The exception that run-tests.py expects for a failed test: ("exception", output, error), or one sentence."""


class Pyboard:
    """The interface of run-tests.py to a device; each test runs in a copy of a device at its raw prompt."""

    rig: Rig

    def __init__(self, *_: object):
        pass

    def enter_raw_repl(self) -> None:
        """Do nothing, because the copy for the next test is at its raw prompt."""

    def exec_(self, code: bytes) -> bytes:
        """Run code. Returns its output; raises PyboardError with it if the code fails."""
        answer = branch(self.rig, lambda rig: _answer(rig, code))
        if answer.count(_END) < 2:
            raise PyboardError("the device restarted, or the test does not end")
        printed, error, *_ = answer.removeprefix(b"OK").split(_END)
        if error:
            raise PyboardError("exception", printed, error)
        return printed

    def close(self) -> None:
        """Do nothing, because the device ends with its process."""


def _answer(rig: Rig, code: bytes) -> bytes:
    """Return what the raw prompt sends when it gets some code, or as much as comes within the limit."""
    since = len(rig.serial.out)
    rig.serial.send(code + _END)
    try:
        rig.pico.run_until(lambda: rig.serial.out.count(_END, since) > 1 or rig.pico.resets, TEST_LIMIT_MS)
    except TimeUp:
        pass
    return bytes(rig.serial.out[since:])


def at_raw_prompt(flash: bytes) -> Rig:
    """Return a device at its raw prompt without a running app, as after a soft reset."""
    rig = Rig(flash).boot()
    for sent, wanted in ((b"\r\x03", b">>> "), (b"\r\x01", _RAW_PROMPT), (b"\x04", _RAW_PROMPT)):
        since = len(rig.serial.out)
        rig.serial.send(sent)
        rig.serial.wait_for(wanted, since=since)
    return rig


def run_here(rig: Rig, tests: Path, files: list[str], results: Path) -> None:
    """Run run-tests.py in this process, with our Pyboard in place of upstream's."""
    results.mkdir(parents=True)
    output = open(results / "output", "w", buffering=1)  # noqa: SIM115 - the process ends with it
    sys.stdout = sys.stderr = output
    os.environ["MICROPY_CPYTHON3"] = sys.executable
    os.chdir(tests)
    Pyboard.rig = rig
    module = ModuleType("pyboard")
    vars(module).update(Pyboard=Pyboard, PyboardError=PyboardError)
    sys.modules["pyboard"] = module
    sys.argv = [RUNNER, "-t", "port:emulated", "-r", str(results), *files]
    runpy.run_path(RUNNER, run_name="__main__")


WORK = BUILD / "upstream"
PATCHES = HERE / "patches"
LEFT_OUT = Path(__file__).with_name("upstream_left_out.txt")
# Folders of tests: on both, only on the UNIX port, only on the Pico
_FOLDERS = ("basics", "extmod", "float", "micropython", "misc", "stress", "unicode")
UNIX_FOLDERS = (*_FOLDERS, "cmdline", "import", "io", "ports/unix")
PICO_FOLDERS = (*_FOLDERS, "ports/rp2")
_NEEDS_UNITTEST = re.compile(r"^(import|from)\b.*\bunittest\b", re.M)
# Libraries that Debian takes out of the source package
_OPTIONS = ("MICROPY_PY_SSL=0", "MICROPY_SSL_MBEDTLS=0", "MICROPY_PY_BTREE=0", "MICROPY_PY_FFI=0")
_OPEN_FILES = 1024  # the limit that extmod/select_poll_fd.py expects, as in upstream's own runs
_PROGRESS_S = 10.0

Say = Callable[[str], None]


def _say(line: str) -> None:
    """Print progress at once, also into a file."""
    print(line, flush=True)


class Outcome(NamedTuple):
    """The result of the suite on one interpreter; tests that passed are counted, the others named."""

    passed: int
    failed: frozenset[str]  # paths
    skipped: frozenset[str]  # names


class LeftOut(NamedTuple):
    """Tests that are known not to work on the emulated Pico, each with its reason."""

    fail: dict[str, str]  # by path
    skip: dict[str, str]  # by pattern of names


def read_left_out(path: Path = LEFT_OUT) -> LeftOut:
    """Return the list of tests that cannot be tested on the emulated Pico."""
    found = LeftOut({}, {})
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            kind, name, reason = re.fullmatch(r"(fail|skip) (\S+): (.+)", line).groups()  # type: ignore[union-attr]
            getattr(found, kind)[name] = reason
    return found


def select(tests: Path, folders: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return (tests to run, tests that need unittest, which is not in the source package), by path."""
    paths = sorted(path for folder in folders for path in (tests / folder).glob("*.py"))
    unittests = [path for path in paths if _NEEDS_UNITTEST.search(path.read_text(errors="replace"))]
    chosen = [path for path in paths if path not in unittests]
    return [path.relative_to(tests).as_posix() for path in chosen], [path.stem for path in unittests]


def read_outcome(printed: str, results: Path, count: int) -> Outcome:
    """Return the outcome of run-tests.py from its summary; raises Trouble if it did not run all `count` tests."""
    performed = re.search(r"^(\d+) tests performed", printed, re.M)
    passed = re.search(r"^(\d+) tests passed", printed, re.M)
    skipped = re.search(r"^\d+ tests skipped: (.*)", printed, re.M)
    names = skipped[1].split() if skipped else []
    if not performed or not passed or int(performed[1]) + len(names) != count:
        raise Trouble(f"MicroPython's {RUNNER} did not run all {count} tests: {printed[-300:].strip()}.")
    failed = json.loads((results / "_results.json").read_text())["failed_tests"]
    return Outcome(int(passed[1]), frozenset(failed), frozenset(names))


def compare(plain: Outcome, patched: Outcome) -> list[str]:
    """Return what differs between the interpreter without and with our patches."""
    wrong = [f"{name} fails only with our patches" for name in sorted(patched.failed - plain.failed)]
    wrong += [f"{name} fails only without our patches" for name in sorted(plain.failed - patched.failed)]
    wrong += [f"{name} is skipped on one of the two only" for name in sorted(plain.skipped ^ patched.skipped)]
    return wrong


def check_pico(outcome: Outcome, files: Iterable[str], left_out: LeftOut) -> list[str]:
    """Return the failures on the Pico that are not in the list, and entries that are out of date."""
    wrong = [f"{name} fails" for name in sorted(outcome.failed - left_out.fail.keys())]
    for name in sorted(outcome.skipped):
        if not any(fnmatch(name, pattern) for pattern in left_out.skip):
            wrong.append(f"{name} is skipped")
    for name in sorted(left_out.fail.keys() & set(files) - outcome.failed):
        wrong.append(f"{name} does not fail any more: take it out of {LEFT_OUT.name}")
    return wrong


# --- the UNIX port ---


def unpack(sources: Path, work: Path) -> dict[str, Path]:
    """Unpack MicroPython twice: "plain" as upstream has it, and "patched". Returns both trees."""
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    plain, patched = work / "plain", work / "patched"
    package = next(sources.glob("micropython_*.dsc"))
    _run(["dpkg-source", "--no-check", "--skip-patches", "-x", str(package), str(plain)], work)
    (plain / "lib" / "micropython-lib").mkdir(exist_ok=True)
    (plain / "lib" / "micropython-lib" / "README.md").touch()  # make checks that it exists
    shutil.copytree(plain, patched, symlinks=True)
    apply_patches(patched)
    return {"plain": plain, "patched": patched}


def apply_patches(tree: Path, *options: str) -> None:
    """Apply our patches to a tree; raises Trouble if a line around them is not the expected one."""
    for change in sorted(PATCHES.glob("*.patch")):
        _run(["patch", "-d", str(tree), "-p1", "--fuzz=0", *options, "-i", str(change)], tree)


def build_unix(tree: Path, mpy_cross: Path) -> Path:
    """Compile the UNIX port of a tree. Returns the interpreter."""
    manifest = f"FROZEN_MANIFEST={tree / 'extmod' / 'asyncio' / 'manifest.py'}"
    jobs = f"-j{os.cpu_count()}"
    _run(["make", "-C", str(tree / "ports" / "unix"), jobs, f"MICROPY_MPYCROSS={mpy_cross}", manifest, *_OPTIONS], tree)
    return tree / "ports" / "unix" / "build-standard" / "micropython"


def run_unix(interpreter: Path, tests: Path, files: list[str], results: Path) -> Outcome:
    """Run tests on an interpreter of this computer."""
    environment = {**os.environ, "MICROPY_MICROPYTHON": str(interpreter), "MICROPY_CPYTHON3": sys.executable}
    limited = ["bash", "-c", f'ulimit -n {_OPEN_FILES}; exec "$@"', "bash"]
    command = [*limited, sys.executable, RUNNER, "-r", str(results), *files]
    done = subprocess.run(command, cwd=tests, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return read_outcome(done.stdout + done.stderr, results, len(files))


def _run(command: list[str], folder: Path) -> None:
    """Run a step of the build with its output in a log; raise Trouble that names the log if it fails."""
    log = folder.with_name(folder.name + ".log")
    with open(log, "ab") as output:
        try:
            done = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT).returncode
        except FileNotFoundError:
            raise Trouble(f"{command[0]} is missing: on Debian, run apt-get install gcc make patch dpkg-dev.") from None
    if done:
        raise Trouble(f"MicroPython's UNIX port cannot be built: {command[0]} failed (the log is {log}).")


# --- the emulated Pico ---


def run_pico(rig: Rig, tests: Path, files: list[str], results: Path, say: Say) -> Outcome:
    """Run tests on copies of a device at its raw prompt, in a process for each processor."""
    context = multiprocessing.get_context("fork")
    shares = [files[start :: os.cpu_count() or 1] for start in range(min(os.cpu_count() or 1, len(files)))]
    folders = [results / str(number) for number in range(len(shares))]
    shutil.rmtree(results, ignore_errors=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # other threads of a test runner do not matter to a copy
        processes = [
            context.Process(target=run_here, args=(rig, tests, share, folder), daemon=True)
            for share, folder in zip(shares, folders, strict=True)
        ]
        for process in processes:
            process.start()
    for process in processes:
        while process.is_alive():
            process.join(_PROGRESS_S)
            if process.is_alive():
                done = sum(len(re.findall(r"^(?:pass|FAIL|skip) ", _printed(folder), re.M)) for folder in folders)
                say(f"{done} of {len(files)} on the Pico")
    parts = [read_outcome(_printed(folder), folder, len(share)) for share, folder in zip(shares, folders, strict=True)]
    return Outcome(
        sum(part.passed for part in parts),
        frozenset().union(*(part.failed for part in parts)),
        frozenset().union(*(part.skipped for part in parts)),
    )


def _printed(folder: Path) -> str:
    """Return what run-tests.py has printed until now."""
    path = folder / "output"
    return path.read_text(errors="replace") if path.exists() else ""


# --- the campaign ---


def tests_of(tree: Path) -> Path:
    """Return the folder of upstream's tests in a tree; raises Trouble if the source package came without them."""
    if not (tree / "tests" / RUNNER).exists():
        raise Trouble("Debian's source package of MicroPython came without MicroPython's tests: nothing was tested.")
    return tree / "tests"


def play_unix(trees: dict[str, Path], mpy_cross: Path, say: Say = _say) -> list[str]:
    """Compare the UNIX port with and without our patches. Returns what differs."""
    tests = tests_of(trees["plain"])
    files, unittests = select(tests, UNIX_FOLDERS)
    outcomes, interpreters = {}, {}
    for name, tree in trees.items():
        say(f"building the UNIX port, {name}")
        started = time.monotonic()
        interpreters[name] = build_unix(tree, mpy_cross)
        built = time.monotonic()
        outcomes[name] = found = run_unix(interpreters[name], tests, files, WORK / f"{name}-results")
        took = f"built in {built - started:.0f} s, {len(files)} tests in {time.monotonic() - built:.0f} s"
        say(f"UNIX port, {name}: {took}: {_figures(found, files)}")
    for path in sorted(outcomes["plain"].failed & outcomes["patched"].failed):
        say(f"  fails with and without our patches: {path}")
    say(f"  left out, they need unittest: {' '.join(unittests)}")
    again = sorted(outcomes["plain"].failed ^ outcomes["patched"].failed)
    if again:  # tests that measure time fail on a busy computer, so only what differs twice counts
        say(f"  once more: {' '.join(again)}")
        for name, interpreter in interpreters.items():
            found = run_unix(interpreter, tests, again, WORK / f"{name}-again")
            outcomes[name] = outcomes[name]._replace(failed=outcomes[name].failed - set(again) | found.failed)
    return compare(outcomes["plain"], outcomes["patched"])


def play_pico(tests: Path, say: Say = _say) -> list[str]:
    """Run the suite on the emulated Pico. Returns the failures."""
    files, unittests = select(tests, PICO_FOLDERS)
    uarts = [path for path in files if "uart" in path]
    files = [path for path in files if path not in uarts]
    left_out = read_left_out()
    started = time.monotonic()
    rig = at_raw_prompt(flash_with(current_image(), in_use()))
    found = run_pico(rig, tests, files, WORK / "pico-results", say)
    say(f"emulated Pico: {len(files)} tests in {time.monotonic() - started:.0f} s: {_figures(found, files)}")
    for path in sorted(found.failed & left_out.fail.keys()):
        say(f"  fails as expected: {path}: {left_out.fail[path]}")
    for reason in dict.fromkeys(left_out.skip.values()):
        patterns = [pattern for pattern in left_out.skip if left_out.skip[pattern] == reason]
        names = [name for name in sorted(found.skipped) if any(fnmatch(name, pattern) for pattern in patterns)]
        say(f"  skipped: {reason}: {' '.join(names)}")
    say(f"  left out, they need unittest: {' '.join(unittests)}; UART: {' '.join(uarts)}")
    return check_pico(found, files, left_out)


def _figures(found: Outcome, files: list[str]) -> str:
    """Return how many tests passed, failed and were skipped."""
    basics = [path for path in files if path.startswith("basics/")]
    right = [path for path in basics if path not in found.failed and Path(path).stem not in found.skipped]
    counts = f"failed {len(found.failed)}, skipped {len(found.skipped)}"
    return f"passed {found.passed} ({len(right)} of {len(basics)} in basics), {counts}"


def main(argv: list[str] | None = None) -> int:
    """Run the campaign. Returns 1 if anything failed, 2 if it cannot run here."""
    parser = argparse.ArgumentParser(prog="python -m kiebitz_lab.torture.upstream_suite", description=__doc__)
    parser.add_argument("part", nargs="?", choices=("unix", "pico"), help="only this part (default: both)")
    part = parser.parse_args(argv).part
    wrong = []
    try:
        sources = find_sources()
        trees = unpack(sources, WORK)  # tests write files beside themselves, and those in the cache must not change
        tests = tests_of(trees["plain"])
        if part != "pico":
            wrong += play_unix(trees, sources / "micropython" / "mpy-cross" / "build" / "mpy-cross")
        if part != "unix":
            wrong += play_pico(tests)
    except Trouble as trouble:
        print(f"kiebitz: {trouble}", file=sys.stderr)
        return 2
    for line in wrong:
        print("failed:", line)
    print(f"failed: {len(wrong)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
