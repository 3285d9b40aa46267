"""Read the samples of all formats in tests/data/formats, and replay a device from a transcript."""

import json
from pathlib import Path

from kiebitz.link.wire import ANSWER, REQUEST, frame, unframe
from kiebitz.store.library import Library
from kiebitz.store.presets import Presets
from kiebitz.store.roster import Roster
from kiebitz.store.settings import Settings
from kiebitz.store.turn_clock import TurnClock
from kiebitz_host.library import query
from kiebitz_host.library.query import Filter

from helpers.device import Watch
from helpers.faulty_storage import FaultyStorage
from helpers.shelf import Noise

SAMPLES = Path(__file__).parents[1] / "data" / "formats"
NOW = 1_800_000_000
CHOSEN = ("language", "brightness", "sound", "off_s")  # the settings that are stored in the samples


def flash_of(folder):
    """Return a storage with the files of a folder."""
    files = [path for path in sorted(Path(folder).rglob("*")) if path.is_file()]
    return FaultyStorage({str(path.relative_to(folder)): path.read_bytes() for path in files})


def of_device(storage):
    """Return the content of all files of a device."""
    settings, roster = Settings(storage), Roster(storage)
    games = Library(storage, "e66058388329c0ff", Noise(), lambda: NOW)
    found = {}
    for game_id in sorted(games.ids()):
        journal, table, report = games.look(game_id)
        assert report is None
        game = table.game
        seen = games.seen(game_id) == journal.mark
        found[game_id] = {
            "game": game.KIND, "title": game.title, "players": game.names, "at": table.setup["at"],
            "events": len(table), "lines": journal.lines, "minutes": journal.minutes, "over": game.over,
            "totals": game.totals(), "winners": game.winners(), "confirmed": seen,
        }  # fmt: skip
    games.resume()
    clock = TurnClock(storage, Watch(), lambda game_id: True)
    clock.sit_down(games.running, games.table.game.n, 0)
    reports = [kept.report for kept in (settings, roster, games)]
    return {
        "settings": {name: settings[name] for name in CHOSEN}, "names": roster.names, "last": roster.last,
        "presets": Presets(storage).all, "running": games.running, "thrown": games.thrown.pairs,
        "minutes": games.minutes, "clock": [clock.limit_s, clock.seat, clock.turn_ms, clock.used],
        "reports": reports, "games": found,
    }  # fmt: skip


def of_store(store):
    """Return the content of a database: its games with their scores, and its people."""
    games = query.games(store.db, Filter())
    every = games + query.games(store.db, Filter(deleted=True))
    return {
        "listed": sorted(game["id"] for game in games),
        "names": sorted(store.players_names()),
        "games": {
            game["id"]: {
                **{key: game[key] for key in ("game", "title", "at", "finished", "flaw", "events", "fixes")},
                "scores": [[score[key] for key in ("name", "score", "rank", "winner")] for score in game["scores"]],
                "journal": store.histories(game["number"])[0],
            }
            for game in every
        },
    }


class Recorder:
    """A `damage` function for Cable that records every line, "> " to the device and "< " from it."""

    def __init__(self):
        self.lines = []
        self._rest = {True: b"", False: b""}

    def __call__(self, data, to_device):
        *lines, self._rest[to_device] = (self._rest[to_device] + data).split(b"\n")
        self.lines += [(b"> " if to_device else b"< ") + line for line in lines if line]
        return data


def dialogue(transcript):
    """Yield (verb, value, lines of the answer) of a transcript."""
    request, answer = None, []
    for line in [*transcript.splitlines(), b"> "]:
        if line[:2] == b"< ":
            answer.append(line[2:])
            continue
        if request:
            yield (*request[1:], answer)
        request, answer = unframe(REQUEST, line[2:]), []


class Played:
    """A transport whose device answers as in a transcript."""

    name = "transcript"

    def __init__(self, transcript):
        self._answers = {(verb, json.dumps(value)): answer for verb, value, answer in dialogue(transcript)}
        self._ready = b""
        self._time = 0.0

    def clock(self):
        self._time += 0.001
        return self._time

    def read(self, seconds):
        self._time += 0 if self._ready else seconds
        data, self._ready = self._ready, b""
        return data

    def write(self, data):
        for line in data.split(b"\n"):
            request = unframe(REQUEST, line)
            if request:
                seq, verb, value = request
                answer = self._answers[verb, json.dumps(value)]
                self._ready += b"".join(_numbered(line, seq) for line in answer)

    def close(self):
        pass


def _numbered(line, seq):
    """Return a line of an answer, for the request with this number."""
    found = unframe(ANSWER, line)
    return line + b"\n" if found is None else frame(ANSWER, seq, found[1], json.dumps(found[2]))
