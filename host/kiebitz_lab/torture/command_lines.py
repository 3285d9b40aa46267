"""Run command lines in hostile environments: python -m kiebitz_lab.torture.command_lines.

Streams are closed, full or limited to ASCII, home is missing, names and numbers are extreme. No
command may end in a traceback, and every trouble is one sentence. Most run in this process; one in twenty runs in a
process of its own, from the start of Python to its last flush.

All damage stays in the folder of the trial: no path for output is outside of it, devices
neither, because a command that replaced one would break the computer, and home is in the folder or nowhere.
"""

import contextlib
import io
import os
import random
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

from kiebitz_host.cli import COMMANDS
from kiebitz_host.cli import main as kiebitz
from kiebitz_host.library import database

from .campaign import Campaign, command_line, make_store

OWN_PROCESS = 20  # one in this many runs in a process of its own
_LIMIT_S = 30
_FULL = "/dev/full"
_BAD_BYTES = os.fsdecode(b"\xff\xc3(\xed\xa0\x80")
_NUMBERS = ("0", "-1", "1", "3", str(2**63), str(2**64), "9" * 40, "9" * 5000, "1e9", "\u0663", "\u00b2", "")
_TEXTS = ("", " ", "Anna", "x" * 5000, _BAD_BYTES, "\ud800", "\u202eabc", "a\tb\nc", "'; DROP TABLE games; --")
_EVENTS = (
    "{}", "[", "null", '{"ev":"spend","p":99999999999999999999,"k":1}', '{"ev":"\\ud800"}', '{"ev":"finish"}',
    "[" * 5000, '{"ev":"mark","p":0,"rubric":NaN}', _BAD_BYTES,
)  # fmt: skip
_FILES = (
    b"", b"\n", b"\xff\xfe\n", b'{"game":"poch","players":["\\ud800","Ben"]}\n', b"{}" * 3000,
    b'{"game":"poker_carre","players":["Anna","Ben"],"at":99999999999999999999999,"device":"\\udfff"}\n',
    b'{"game":"poker_carre","players":["Anna","Ben"],"id":"\\ud800aaaa","at":1e400}\n{"ev":"finish"}\n',
    b'{"game":"poker_carre","players":["Anna","Ben"]}\n{"ev":"mark","p":0,"rubric":99999999999999999999}\n',
    b'{"game":"poch","players":["=1+1","Ben"],"options":{"chips_total":99999999999999999999999}}\n{"ev":"end_game"}\n',
    b'{"game":"top_spot","players":["A","B"],"match_length":99999999999999999999,"confirm":true}\n',
    b'{"game":"poch","players":["Anna","Ben"]}\n{"ev":"loan","from":0,"to":1,"k":99999999999999999999999}\n',
    b"[" * 4000, b'\xed\xa0\x80{"game":"poch"}\n', b"\x00" * 100, "{\"game\":\"poch\"}\n".encode("utf-16"),
)  # fmt: skip


class Ground:
    """A folder with a store and files, some with extreme names."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.store = folder / "results.db"
        make_store(self.store)
        self.content = self.store.read_bytes()
        for k, data in enumerate(_FILES):
            (folder / f"file{k}").write_bytes(data)
        (folder / "empty.db").write_bytes(b"")
        (folder / "folder").mkdir()
        (folder / "link").symlink_to("file3")
        (folder / "loop").symlink_to("loop")

    def path(self, chance: random.Random) -> str:
        """Return a path that a command may be given."""
        kind = chance.randrange(4)
        if kind == 0:
            return str(self.folder / f"file{chance.randrange(len(_FILES))}")
        if kind == 1:
            names = ("empty.db", "folder", "link", "loop", "none", "none/none", "x" * 300, _BAD_BYTES, "file0/x")
            return str(self.folder / chance.choice(names))
        if kind == 2:
            return str(self.store)
        return chance.choice(("", "~nosuchuser/x", "~/x", "y" * 5000, "relative"))

    def source(self, chance: random.Random) -> str:
        """Return a path that is only read, which may be a device."""
        return chance.choice((self.path(chance), self.path(chance), "/dev/null", _FULL, "/proc/self/mem", "/"))


Words = list[str]


def words(chance: random.Random, ground: Ground) -> Words:
    """Return a random command line."""
    path = lambda: ground.path(chance)  # noqa: E731
    source = lambda: ground.source(chance)  # noqa: E731
    number, text = chance.choice(_NUMBERS), chance.choice(_TEXTS)
    game = chance.choice((number, text, "1", "2", "24"))
    event = chance.choice(_EVENTS)
    db = chance.choice(([], [], ["--db", str(ground.store)], ["--db", path()]))
    more = chance.choice(([], ["--json"]))
    choices: dict[str, Callable[[], list[Words]]] = {
        "sim": lambda: [["--script", source()], *(["--script", "-", word, path()] for word in ("--shot", "--flash"))],
        "sync": lambda: [["--port", path(), *db], [*db]],
        "live": lambda: [["--lang", text]],  # with a port it waits for a device
        "web": lambda: [  # refused arguments only; others serve until Ctrl-C
            ["--port", chance.choice(("-1", "65536", "9" * 5000, "x", "")), *db], ["--lang", "zz"],
            ["--lan", text or "x"],
            ["--no-browser", "--sim", "--board", f"no {text}", "--flash", path(), *db],
        ],
        "install": lambda: [["--uf2", path()], [path(), "--uf2", path()], ["--drive", path(), "--uf2", path()]],
        "doctor": lambda: [["--save-flash", path()], ["--report", path()], [path(), "--report"], [path()], []],
        "replay": lambda: [[source(), *more], ["-", *more]],
        "combos": lambda: [[text, *more], ["-"]],
        "rules": lambda: [[text, *more], ["poch", *more], [*more]],
        "texts": lambda: [["zz", text], ["none"]],
        "add": lambda: [[source(), *more, *db], ["-", path(), *db], [path(), source(), *more, *db]],
        "games": lambda: [
            ["-n", number, *more, *db], ["--player", text, *more, *db], ["--since", text, *db], ["--all", *db],
            ["--since", "0001-01-01", *db], ["--until", "9999-12-31", *db],
        ],
        "show": lambda: [[game, *more, *db], [game, "--history", number, *db], [game, "--raw", *db]],
        "players": lambda: [
            [*more, *db], ["rename", text, chance.choice(_TEXTS), *db], ["join", text, chance.choice(_TEXTS), *db],
            ["split", text, *db], ["rename", "Anna", text, *db],
        ],
        "presets": lambda: [
            [*more, *db], ["add", text, "--target", number, *more, *db], ["add", "Skyjo", "--rounds", number, *db],
            ["remove", text, *db], ["send", *more, *db], ["list", "--port", path(), *db],
        ],
        "league": lambda: [[text, *db], [*more, *db], ["--player", text, *db], ["poch", *db]],
        "fix": lambda: [
            [game, "--entry", number, "--with", event, *db], [game, "--undo", *db], [game, *more, *db],
            [game, chance.choice((number, "1", "9")), *chance.choice(([], [event], ["--insert"], ["--remove"])), *db],
        ],
        "delete": lambda: [[game, *more, *db], [game, game, *db]],
        "restore": lambda: [[game, *more, *db], ["5", *db]],
        "rebuild": lambda: [[*more, *db], ["--from", source(), *more, *db]],
        "exchange": lambda: [[path(), *more, *db], [text, *db]],
        "import": lambda: [["results", source(), *more, *db], [text, path(), *db], ["results", "-", "--yes", *db]],
        "evening": lambda: [
            ["new", text, "--game", text, *more, *db], ["list", *db], ["draw", "--seed", number, *db], ["show", *db],
            ["here", text, *db], ["money", *more, *db],
        ],
        "rescue": lambda: [[source(), *more, *db], [source(), "--dry-run", *db]],
        "export": lambda: [
            ["csv", "-o", path(), *db], ["json", game, *db], ["link", game, "--qr", path(), *db], ["bgstats", *db],
            ["csv", "--per", "game", *db],
        ],
    }  # fmt: skip
    command = chance.choice([*COMMANDS, text, "--help", "--version"])
    if command not in COMMANDS:
        return [command]
    return [command, *chance.choice([*choices[command](), ["--help"]])]


# --- environments ---

STREAMS = ("plain", "plain", "full", "closed", "pipe without reader", "ascii")


def variables(chance: random.Random, ground: Ground) -> dict[str, str | None]:
    """Return changes of the environment; None removes a variable."""
    return {
        "HOME": chance.choice((str(ground.folder), None, str(ground.folder / "no" / "home"), f"relative{_BAD_BYTES}")),
        "XDG_DATA_HOME": chance.choice((None, None, "", "relative", _BAD_BYTES, str(ground.folder / "file0"))),
        "KIEBITZ_DB": chance.choice((str(ground.store), str(ground.store), None, "", ground.path(chance))),
        "LANG": chance.choice(("C", "de_DE.UTF-8", _BAD_BYTES, "")),
        "COLUMNS": chance.choice(("80", "1", "0", "-5", "x", "99999")),
        "TERM": chance.choice(("dumb", "xterm-256color", "")),
    }


@contextlib.contextmanager
def _environment(changes: dict[str, str | None]) -> Iterator[None]:
    """Set variables. The user is removed from the password database, so that only HOME sets the home folder."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.dict(os.environ))
        for name, value in changes.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
        stack.enter_context(mock.patch("pwd.getpwuid", side_effect=KeyError("nobody")))
        yield


def _open_stream(kind: str) -> io.TextIOWrapper | None:
    if kind == "closed":
        return None
    if kind == "full":
        return open(_FULL, "w")
    if kind == "pipe without reader":
        read_end, write_end = os.pipe()
        os.close(read_end)
        return open(write_end, "w")
    return io.TextIOWrapper(io.BytesIO(), "ascii" if kind == "ascii" else "utf-8", write_through=True)


def _here(argv: Words, streams: tuple[str, str, str], data: bytes) -> tuple[int | None, str]:
    """Run a command in this process. Returns (exit code or None for a traceback, error output)."""
    out, err = (_open_stream(kind) for kind in streams[:2])
    source = io.TextIOWrapper(io.BytesIO(data)) if streams[2] == "plain" else None
    with mock.patch.multiple(sys, stdout=out, stderr=err, stdin=source):
        try:
            code: int | None = kiebitz(argv)
            said = err.buffer.getvalue() if err and isinstance(err.buffer, io.BytesIO) else b""
            text = said.decode(errors="replace")
        except BaseException:
            code, text = None, traceback.format_exc()
        opened = [stream for stream in (sys.stdout, sys.stderr) if stream]
    for stream in opened:
        with contextlib.suppress(OSError):
            stream.close()
    return code, text


def _in_own_process(argv: Words, streams: tuple[str, str, str], data: bytes) -> tuple[int | None, str]:
    """Run a command in a new Python. Returns (exit code or None for a traceback, error output)."""
    ends = {"plain": "", "full": ">/dev/full", "closed": ">&-", "ascii": "", "pipe without reader": "| true"}
    out, err = ends[streams[0]], ends[streams[1]].replace(">", "2>").replace("| true", "")
    source = "<&-" if streams[2] == "closed" else ""
    line = f'"$0" -m kiebitz_host.cli "$@" {source} {err} {out}'
    done = subprocess.run(
        ["/bin/sh", "-c", line, sys.executable, *argv], input=data, capture_output=True, timeout=_LIMIT_S, check=False
    )
    text = done.stderr.decode(errors="replace")
    broken = "Traceback" in text or "Exception ignored" in text or done.returncode in (1, 120)
    return None if broken else done.returncode, text


def trial(campaign: Campaign, chance: random.Random, ground: Ground) -> None:
    """Run one command line in one environment."""
    ground.store.write_bytes(ground.content)
    argv = words(chance, ground)
    changes = variables(chance, ground)
    streams = (chance.choice(STREAMS), chance.choice(STREAMS), chance.choice(("plain", "plain", "closed")))
    data = chance.choice(_FILES)
    outside = campaign.number % OWN_PROCESS == 0
    if outside and changes["HOME"] is None:  # the password database has the real home folder
        changes["HOME"] = str(ground.folder)
    if outside:
        argv = [os.fsdecode(word.encode(errors="surrogatepass")) if word == "\ud800" else word for word in argv]
    with _environment(changes):
        signal.alarm(_LIMIT_S)
        code, text = (_in_own_process if outside else _here)(argv, streams, data)
        signal.alarm(0)
    campaign.figures["in processes of their own" if outside else "in this process"] += 1
    campaign.figures[f"exit code {code}"] += 1
    about = f"kiebitz {' '.join(map(ascii, argv))[:300]} with {streams}, {changes}"
    if code is None:
        campaign.fail(f"{about}:\n{text}")
    elif code == 2 and streams[1] in ("plain", "ascii") and argv[0] not in ("texts", "doctor", "") and not text:
        campaign.fail(f"{about}: no sentence")


def _too_long(*_: object) -> None:
    raise RuntimeError(f"not ended after {_LIMIT_S} s")


def play(campaign: Campaign, first: int, count: int) -> None:
    """Run the trials in a folder of their own."""
    signal.signal(signal.SIGALRM, _too_long)
    durable, database.SYNCHRONOUS = database.SYNCHRONOUS, "OFF"  # no power is cut here
    here = os.getcwd()
    try:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            ground = Ground(Path(folder))
            campaign.run(lambda campaign, chance: trial(campaign, chance, ground), first, count)
    finally:
        os.chdir(here)
        database.SYNCHRONOUS = durable


def main(argv: list[str] | None = None) -> int:
    return command_line("kiebitz_lab.torture.command_lines", __doc__ or "", 1000, play, argv)


if __name__ == "__main__":
    sys.exit(main())
