"""Create the samples of a new format number: `.venv/bin/python tests/make_formats.py 2` writes tests/data/formats/2.

A sample that was committed never changes, because data like it must load for ever: an existing folder is refused.
"""

import json
import os
import sys
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

from helpers.cable import Cable, memory_store, sync
from helpers.device import Device, Watch
from helpers.faulty_storage import FaultyStorage
from helpers.finished import any_game, carre, poch, royal, spot
from helpers.play import short_game
from helpers.shelf import Noise
from kiebitz.link.wire import ANSWER, REQUEST, frame, unframe
from kiebitz.store.library import Library
from kiebitz.store.presets import Presets
from kiebitz.store.roster import Roster
from kiebitz.store.settings import Settings
from kiebitz.store.turn_clock import TurnClock
from kiebitz_host.cli.presets import Folder as LaptopFolder
from kiebitz_host.exchange import Folder, StoreSide, exchange
from kiebitz_host.library import fixes, people, query, removals, schema
from kiebitz_host.library.club import CLUB
from kiebitz_host.library.query import Filter
from kiebitz_host.library.store import Store
from kiebitz_host.link.client import Client
from kiebitz_host.link.sync import Sync

SAMPLES = Path(__file__).parent / "data" / "formats"
NOW = 1_800_000_000
CHOSEN = ("language", "brightness", "sound", "off_s")  # the settings that are stored in the samples
FINISHED = (
    carre(["Anna", "Ben"], [3, 5]),
    spot(["Anna", "Ben", "Zo\u00eb"], [2, 2, 1]),
    poch(["Anna", "Ben"], [130, 70]),
    royal(["Ben", "Anna"], [0, 1, 0], spent=(2, 1)),
    any_game("Skyjo", ["Anna", "Cleo"], (12, 3), (0, 20), low=True),
)
SKYJO = {"game": "any_game", "title": "Skyjo", "options": {"wins": "low", "end": "target", "limit": 100}}
LIFE = {"game": "any_game", "title": "Life", "options": {"entry": "counter", "start": 20}, "step": 5}


def device():
    """Return a device with everything on its flash that a device can have."""
    device = Device(language="de")
    app = device.app
    device.hw.urandom = Noise()
    app.clock.set(NOW - 40_000)
    app.settings.set("brightness", 3)
    app.settings.set("sound", False)
    app.settings.set("off_s", 0)  # a dark display would stop the minutes
    app.apply_settings()
    app.roster.played(["Ben", "Anna", "Zo\u00eb"])
    app.roster.add("Cleo")
    app.presets.add(SKYJO)
    app.presets.add(LIFE)
    for setup, *events in FINISHED:
        device.sit_down(json.loads(setup))
        device.hw.time.advance(7 * 60_000)
        for event in events:
            app.library.play(json.loads(event))
        app.leave_table()
    app.library.files.pack([game_id + ".kbz" for game_id in app.library.ids()[:-2]], 0)
    device.sit_down(*short_game("royal_flush"))
    app.library.throw_away()
    for kind in ("poch", "top_spot", "any_game"):
        device.sit_down(*short_game(kind))
    with memory_store() as store:
        sync(device, store)  # so that the index has confirmations
    # What only an unfinished game has: newest lines, minutes after the last entry, a turn clock
    app.library.play({"ev": "points", "p": 1, "k": 7})
    clock = TurnClock(device.storage, app.clock, lambda game_id: True)
    clock.sit_down(app.library.running, 3, 1)
    clock.set_limit(60)
    clock.go(True)
    device.hw.time.advance(3 * 60_000)
    clock.hand_over(2)
    clock.keep()
    app.library.keep_minutes()
    device.restart()
    return device


def files_of(storage):
    """Return the files that every later version must load, without checkpoints and copies."""
    return {name: data for name, data in storage.files.items() if not name.endswith((".sav", ".old"))}


def club_sql(store):
    """Return SQL statements that make the tables of a club with the rows of a store."""
    made = [CLUB, f"INSERT INTO club (name, value) VALUES ('changes', 0), ('format', {schema.FORMAT})"]
    made += schema.for_postgresql(schema.KEPT + schema.DERIVED).strip().split(";\n")
    for table in [*schema.table_names(schema.KEPT), *reversed(schema.DERIVED_TABLES)]:
        for row in store.db.rows(f"SELECT * FROM {table}"):
            made.append(f"INSERT INTO {table} VALUES ({', '.join(map(_literal, row))})")
    for table, key in (("journals", "number"), ("people", "id"), ("spellings", "id")):
        last = store.db.value(f"SELECT max({key}) FROM {table}")
        made.append(f"ALTER TABLE {table} ALTER COLUMN {key} RESTART WITH {last + 1}")
    return "".join(statement.strip().rstrip(";") + ";\n" for statement in made)


def _literal(value):
    """Return a value as PostgreSQL reads it."""
    if value is None or isinstance(value, int):
        return "NULL" if value is None else str(value)
    if isinstance(value, bytes):
        return f"'\\x{value.hex()}'"
    return "'" + value.replace("'", "''") + "'"


def make(folder):
    """Write one sample of every format into a new folder."""
    here, recorder = device(), Recorder()
    for name, data in files_of(here.storage).items():
        path = folder / "device" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    meaning = {"device": of_device(flash_of(folder / "device"))}
    with Store(folder / "results.db", now=lambda: NOW) as store:
        with closing(Client(Cable(here, damage=recorder), seed=1)) as client:
            Sync(client, store, NOW).run()
            client.presets()
            client.settings()
        (folder / "link.txt").write_bytes(b"\n".join(recorder.lines) + b"\n")
        meaning["fetched"] = of_store(store)
        removals.delete(store, 2)
        fixes.correct(store, 1, 1, {"ev": "mark", "p": 1, "rubric": 2})
        people.rename(store.db, people.find(store.db, "Cleo"), "Cleopatra")
        meaning["store"] = of_store(store)
        (folder / "club.sql").write_text(club_sql(store))
        (folder / "exchange").mkdir()
        skipped = []
        exchange(StoreSide(store), Folder(folder / "exchange"), skipped)
    laptop = Presets(LaptopFolder(folder / "laptop"))
    laptop.add(LIFE)
    meaning["laptop"] = laptop.all
    text = json.dumps(meaning, indent=1, ensure_ascii=False, sort_keys=True)
    (folder / "meaning.json").write_text(text + "\n")


def main(argv, samples=SAMPLES):
    """Make the samples of the number that is given. Returns the exit code."""
    if len(argv) != 1 or not argv[0].isdigit() or argv[0][0] == "0":
        print("usage: python tests/make_formats.py NUMBER", file=sys.stderr)
        return 2
    folder = samples / argv[0]
    if folder.exists():
        print(f"{folder} exists: its samples never change. Choose a new number.", file=sys.stderr)
        return 2
    with patch.dict(os.environ, KIEBITZ_AUTHOR="laptop"):  # not the name of this computer
        make(folder)
    return 0


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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
