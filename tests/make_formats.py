"""Create the samples of a new format number: `.venv/bin/python tests/make_formats.py 2` writes tests/data/formats/2.

A sample that was committed never changes, because data like it must load for ever: an existing folder is refused.
"""

import json
import os
import sys
from contextlib import closing
from unittest.mock import patch

from helpers.cable import Cable, memory_store, sync
from helpers.device import Device
from helpers.finished import any_game, carre, poch, royal, spot
from helpers.formats import NOW, SAMPLES, Recorder, flash_of, of_device, of_store
from helpers.play import short_game
from helpers.shelf import Noise
from kiebitz.store.presets import Presets
from kiebitz.store.turn_clock import TurnClock
from kiebitz_host.cli.presets import Folder as LaptopFolder
from kiebitz_host.exchange.exchange import Folder, StoreSide, exchange
from kiebitz_host.library import fixes, people, removals, schema
from kiebitz_host.library.club import CLUB
from kiebitz_host.library.store import Store
from kiebitz_host.link.client import Client
from kiebitz_host.link.sync import Sync

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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
