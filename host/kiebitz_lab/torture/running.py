"""Runs the command line in this process, and makes the store that is to be broken."""

import io
import traceback
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from kiebitz_host.cli import main
from kiebitz_host.library import fixes, people, removals
from kiebitz_host.library.store import Store
from kiebitz_host.outcome import Trouble

from ..synthetic_store import DEVICE, journals

GAMES = 24


@dataclass
class Ran:
    """The outcome of a command; `code` is None and `err` the traceback if it ended in one."""

    code: int | None
    out: str
    err: str


def run(*argv: object) -> Ran:
    """Run a command. Returns what it has done."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = main([str(word) for word in argv])
        except BaseException:
            return Ran(None, _read(out), traceback.format_exc())
    return Ran(code, _read(out), _read(err))


def _read(stream: io.TextIOWrapper) -> str:
    return stream.buffer.getvalue().decode()  # type: ignore[attr-defined]


def make_store(path: Path) -> dict[str, list[str]]:
    """Make a store with games, corrections, deletions, joined spellings and two histories.

    Returns {id: lines} of its games.
    """
    games = {game_id: (lines, at) for game_id, lines, at in journals(GAMES)}
    with Store(path, now=lambda: 1_767_700_000) as store, store.batch():
        for game_id, (lines, at) in games.items():
            store.add_journal(game_id, lines, DEVICE, at, False)
        last, (lines, at) = list(games.items())[-1]
        store.add_journal(last, [*lines[:-2], '{"ev":"undo"}'], DEVICE, at, False)
        _correct_some(store)
        removals.delete(store, 5)
        names = store.players_names()
        people.rename(store.db, people.find(store.db, "Player A"), "Anna")
        _join_some(store, [name for name in names if name != "Player A"])
    return {game_id: lines for game_id, (lines, _) in games.items()}


def _correct_some(store: Store) -> None:
    """Replace an entry by a copy of another one wherever the rules allow it, in three games, and take one back."""
    done = 0
    for number in range(1, GAMES + 1):
        table = store.replayed(number).table
        assert table is not None
        for entry in range(1, len(table)):
            try:
                fixes.correct(store, number, entry, table.event(entry))
            except (Trouble, fixes.Unfit):
                continue
            done += 1
            break
        if done == 3:
            fixes.take_back(store, number)
            return


def _join_some(store: Store, names: list[str]) -> None:
    """Join the first two players who never sat at one table."""
    for k, one in enumerate(names):
        for other in names[k + 1 :]:
            try:
                people.join(store.db, people.find(store.db, one), people.find(store.db, other))
                return
            except Trouble:
                continue
