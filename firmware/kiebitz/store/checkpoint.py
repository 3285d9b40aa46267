"""Shorten a resume by storing the state of a game at one line of its journal.

A checkpoint is derived from the journal, so it may be lost or corrupt.
"""

from .. import VERSION
from ..games.base import RULES
from .sealed_lines import attempt, seal, unseal

_MADE_BY = "%s/%d" % (VERSION, RULES)  # another version may have other fields in its snapshots


def file_name(game_id):
    """Return the name of the checkpoint file of a game."""
    return game_id + ".sav"


def save(storage, journal, table):
    """Store the state after the last line of the journal.

    OSError: the old checkpoint may be gone, which does no harm.
    """
    try:
        snapshots, now = table.state()
        lines = ["%d %s %s %d" % (journal.lines, journal.mark, _MADE_BY, journal.minutes), now]
        lines += ["%d %s" % snapshot for snapshot in snapshots]
        data = b"".join([seal(line, journal.id) for line in lines])
    except MemoryError:
        return  # the data takes some kilobytes in one piece; the older checkpoint serves as well
    storage.write(file_name(journal.id), data)


def forget(storage, game_id):
    """Remove the checkpoint of a game that is over or removed."""
    if storage.size(file_name(game_id)) is not None:
        attempt(storage.remove, file_name(game_id))


def forget_all(storage):
    """Remove all checkpoints."""
    try:
        for name in storage.names():
            if name.endswith(".sav"):
                attempt(storage.remove, name)
    except OSError:
        pass


class Checkpoint:
    """The data stored by save(): `lines`, `mark` and `minutes` of the journal, and what Table.take_up() needs."""

    def __init__(self, lines):
        count, self.mark, self.version, minutes = lines[0].split(" ")
        self.lines = int(count)
        self.minutes = int(minutes)
        self.now = lines[1]
        self.snapshots = []
        for line in lines[2:]:
            k, snapshot = line.split(" ", 1)
            self.snapshots.append((int(k), snapshot))


def load(storage, game_id):
    """Return the Checkpoint of a game, or None unless its file is intact and from this version of the rules."""
    try:
        data = storage.read(file_name(game_id))
        lines = []
        for line in (data or b"").split(b"\n")[:-1]:
            text = unseal(line, game_id)
            if text is None:
                return None
            lines.append(text.decode())
        checkpoint = Checkpoint(lines) if len(lines) > 2 else None
    except (OSError, MemoryError, ValueError):
        return None
    return checkpoint if checkpoint and checkpoint.version == _MADE_BY else None
