"""Reads what a player would find on a flash: replayed games, the running game, names and settings."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from kiebitz.store.checkpoint import file_name as checkpoint_name
from kiebitz.store.journal import Journal
from kiebitz.store.library import Library
from kiebitz.store.roster import Roster
from kiebitz.store.settings import Settings
from kiebitz_host.sim.flash_folder import MemoryStorage

from .twin import CHIP_ID, CHIP_RANDOM


class Game(NamedTuple):
    journal: bytes
    state: str  # the rules' state after this journal

    @property
    def entries(self) -> int:
        return self.journal.count(b"\n")


class Standing(NamedTuple):
    running: str | None
    games: dict[str, Game]
    players: tuple[list[str], list[str]]
    settings: dict[str, Any]
    reports: list[Any]  # damage that the device would report


def standing(files: Mapping[str, bytes]) -> Standing:
    """Return what these files of a device hold; every journal is replayed from its first line on."""
    storage = MemoryStorage.of(files)
    settings, roster = Settings(storage), Roster(storage)
    shelf = Library(storage, CHIP_ID.hex(), lambda n: CHIP_RANDOM * n, lambda: 0)
    reports = [kept.report for kept in (settings, roster, shelf)]
    games = {}
    for game_id in shelf.ids():
        storage.files.pop(checkpoint_name(game_id), None)
        journal, table, report = Journal.open(shelf.files, game_id)
        reports.append(report)
        if journal is not None:
            games[game_id] = Game(shelf.files.read(journal.name), table.game.snapshot())
    told = [report for report in reports if report]
    return Standing(shelf.running, games, (roster.names, roster.last), settings.all(), told)


class Change(NamedTuple):
    """The change from one standing to the next by one key press."""

    before: Standing
    after: Standing

    def missing(self, found: Standing, acknowledged: bool) -> tuple[int, str]:
        """Return (number of acknowledged entries that are missing in `found`, what is wrong, or "").

        Every part must be as before or as after the press; once the press was acknowledged, as after it.
        """
        lost, wrong = 0, [f"damage was reported: {found.reports}"] if found.reports else []
        for game_id in sorted({*self.before.games, *self.after.games, *found.games}):
            was, now, is_ = (part.games.get(game_id) for part in (self.before, self.after, found))
            if is_ == now or (is_ == was and not acknowledged):
                continue
            wanted = now if acknowledged else was
            entries, there = (game.entries if game else 0 for game in (wanted, is_))
            lost += max(1, entries - there)
            wrong.append(f"game {game_id} has {there} lines, not the {entries} that were acknowledged")
        for part, was, now, is_ in self._rest(found):
            if is_ != now and (is_ != was or acknowledged):
                lost += 1
                wrong.append(f"{part}: {is_!r} instead of {now if acknowledged else was!r}")
        return lost or len(wrong), "; ".join(wrong)

    def _rest(self, found: Standing) -> Iterator[tuple[str, Any, Any, Any]]:
        for part in ("running", "players", "settings"):
            yield part, getattr(self.before, part), getattr(self.after, part), getattr(found, part)
