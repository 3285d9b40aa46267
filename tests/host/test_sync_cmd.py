"""`kiebitz sync`: its output, its exit codes, its languages, and games thrown away on the device."""

import csv
import io
import json
import time

import pytest
from helpers.cable import NOW, Cable, copy, held, ids, lines_of, memory_store, plug_in, spot
from helpers.cable import sync as sync_device
from helpers.device import Device, at_table
from helpers.play import ev, setup, short_game
from kiebitz_host.cli import sync
from kiebitz_host.library import query, removals
from kiebitz_host.library.store import Store
from kiebitz_host.link.ports import Port
from kiebitz_host.link.trouble import NoPermission, NotAKiebitz, OtherProtocol, PortBusy

END = (ev("point", p=1), ev("end_game"), ev("next_game"))


def short_match(**keys):
    return setup("top_spot", 3, match_length=1, confirm=True, **keys)


@pytest.fixture
def plugged(kiebitz, monkeypatch, tmp_path):
    """Return a function that connects devices by port name and returns a runner of `kiebitz sync`."""

    def plug(**devices):
        plug_in(monkeypatch, sync, devices)
        return lambda *argv: kiebitz("sync", "--db", str(tmp_path / "results.db"), *argv)

    return plug


def test_new_games_then_nothing_new_then_more_entries(plugged):
    device = Device()
    device.sit_down(*short_game("poch"))
    device.sit_down(short_match(), END)
    run = plugged(ttyACM0=device)
    done = run()
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "Kiebitz 5b3c0f on ttyACM0: 2 games fetched.",
        "Game       Players           Entries                          ",
        "──────────────────────────────────────────────────────────────",
        "Poch       Anna, Ben               8   new, still being played",
        "Top Spot   Anna, Ben, Cleo         4   new                    ",
        "The clock of the device was not set when 2 games began: the time is estimated, and marked so.",
    ]
    done = run()
    assert (done.code, done.out) == (0, "Kiebitz 5b3c0f on ttyACM0: nothing new, 2 games known already.\n")
    device.app.library.play(ev("undo"))
    done = run()
    assert "1 game fetched, 1 known already." in done.out and "more entries, still being played" in done.out


def test_a_game_that_was_thrown_away_on_the_device(plugged):
    device = at_table(short_match(), END[:1])
    device.app.library.throw_away()
    run = plugged(ttyACM0=device)
    assert "new, discarded on the device" in run().out
    (report,) = json.loads(run("--json").out)
    assert report["games"][0]["thrown"] is True


def test_a_device_without_games(plugged):
    assert plugged(ttyACM0=Device())().out == "Kiebitz 5b3c0f on ttyACM0: it has no games yet.\n"


def test_for_programs(plugged):
    device = at_table(short_match(), END)
    (report,) = json.loads(plugged(ttyACM0=device)("--json").out)
    assert report["port"] == "ttyACM0" and report["device"] == device.board.device_id and report["aside"] == 0
    (game,) = report["games"]
    assert game == {
        "id": device.app.library.journal.id,
        "game": "top_spot",
        "players": ["Anna", "Ben", "Cleo"],
        "outcome": "new",
        "entries": 4,
        "finished": True,
        "confirmed": True,
        "estimated": True,
        "flaw": "",
    }


def test_several_devices_are_all_synced(plugged):
    second = Device()
    second.board.device_id = second.app.library.device_id = "e660000000aaaaaa"
    second.sit_down(short_match(), END)
    done = plugged(ttyACM0=at_table(short_match(), END), ttyACM1=second)()
    assert done.code == 0
    assert "Kiebitz 5b3c0f on ttyACM0: 1 game fetched." in done.out
    assert "Kiebitz aaaaaa on ttyACM1: 1 game fetched." in done.out


def test_nobody_is_there(plugged):
    done = plugged()()
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("kiebitz: no Kiebitz found on USB: plug it in") and done.err.count("\n") == 1


@pytest.mark.parametrize(
    "trouble, words",
    [
        (PortBusy("ttyACM1"), "ttyACM1 is in use by another program: wait until the other kiebitz sync is done"),
        (NoPermission("ttyACM1", "dialout"), "sudo usermod -aG dialout $USER"),
        (OtherProtocol("ttyACM1", "9.0", 2, 1), "update kiebitz on this computer"),
        (NotAKiebitz("ttyACM1"), "does not answer like a Kiebitz"),
        (NotAKiebitz("ttyACM1", prompt=True), "shows a MicroPython prompt"),
    ],
)
def test_trouble_at_one_port_is_said_and_the_others_are_synced(plugged, trouble, words):
    done = plugged(ttyACM1=trouble)()
    assert (done.code, done.out) == (2, "") and words in done.err and done.err.count("\n") == 1
    done = plugged(ttyACM1=trouble, ttyACM2=at_table(short_match(), END))()
    assert "on ttyACM2: 1 game fetched." in done.out
    if isinstance(trouble, NotAKiebitz):  # a Pico with another program beside a Kiebitz is not an error
        assert (done.code, done.err) == (0, "")
    else:
        assert done.code == 2 and words in done.err


def test_damage_is_said_in_a_sentence(plugged):
    device = at_table(*short_game("poch"))
    game_id = device.app.library.journal.id
    lines = device.journal().split(b"\n")
    device.app.library.files.settle()
    device.storage.flip(game_id + ".kbz", len(b"\n".join(lines[:3])) + 9, 2)
    done = plugged(ttyACM0=device)()
    assert done.code == 0
    assert f"Poch of Anna and Ben ({game_id}): line 4 is damaged on the device: 2 entries could be taken." in done.out
    device.restart()
    done = plugged(ttyACM0=device)()
    assert "1 damaged file kept on the device for repair" in done.out


def test_another_course_of_a_game_is_explained(plugged):
    device = at_table(short_match(), END[:1])
    old = copy(device)
    device.app.library.play(END[1])
    plugged(ttyACM0=device)()
    old.app.library.play(ev("undo"))
    done = plugged(ttyACM0=old)()
    assert "another course" in done.out and "both are kept, the longer one counts" in done.out
    assert "nothing new" in plugged(ttyACM0=old)().out


def test_renamed_players_are_told(plugged, monkeypatch):
    monkeypatch.setattr(Store, "renames", lambda self: {"Bem": "Ben"})
    device = Device()
    device.app.roster.add("Bem")
    assert "Bem is called Ben on the device now.\n" in plugged(ttyACM0=device)().out


def test_a_pulled_cable_is_said_and_the_next_run_completes(plugged, monkeypatch):
    device = at_table(*short_game("royal_flush"))
    run = plugged(ttyACM0=device)
    whole = sync.open_port
    with monkeypatch.context() as bad:
        bad.setattr(sync, "open_port", lambda port: Cable(device, cut=700))
        done = run()
    assert done.code == 2 and "the connection to cable was lost" in done.err and done.err.count("\n") == 1
    assert sync.open_port is whole and "1 game fetched" in run().out


def test_progress_is_for_terminals_only(plugged, monkeypatch):
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in plugged(ttyACM0=at_table(short_match(), END))().out


# --- languages ---


@pytest.fixture
def run(kiebitz, monkeypatch, tmp_path):
    """Return a function that runs `kiebitz sync` on a device."""
    monkeypatch.setattr(sync, "ports", lambda: [Port("ttyACM0", "Pico")])

    def sync_it(device, *argv):
        monkeypatch.setattr(sync, "open_port", lambda port: Cable(device))
        return kiebitz("sync", "--db", str(tmp_path / "results.db"), *argv)

    return sync_it


SAID = (
    ("de", "an cable: 1 Spiel geholt.", "Einträge", "neu, wird noch gespielt", "nichts Neues, 1 Spiel schon bekannt."),
    ("fr", "1 partie récupérée.", "Saisies", "nouvelle, encore en cours", "rien de nouveau, 1 partie déjà connue."),
    ("it", "1 partita presa.", "Voci", "nuova, ancora in gioco", "niente di nuovo, 1 partita già nota."),
    ("nl", "1 spel opgehaald.", "Noteringen", "nieuw, nog bezig", "niets nieuws, 1 spel al bekend."),
)


@pytest.mark.parametrize(("lang", *("first", "entries", "state", "again")), SAID)
def test_sync_speaks_the_language_that_is_asked_for(run, lang, first, entries, state, again):
    device = at_table(short_match(), END[:1])
    out = run(device, "--lang", lang).out
    assert first in out and entries in out and state in out
    assert again in run(device, "--lang", lang).out


def test_programs_get_english_sentences(run, monkeypatch):
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    device = at_table(short_match(), END)
    lines = device.journal().split(b"\n")
    device.app.library.files.settle()
    device.storage.flip(device.app.library.journal.id + ".kbz", len(b"\n".join(lines[:3])) + 9, 2)
    (report,) = json.loads(run(device, "--json").out)
    assert report["games"][0]["flaw"] == "line 4 is damaged on the device: 2 entries could be taken"
    assert "Zeile 4 ist auf dem Gerät beschädigt: 2 Einträge übernommen." in run(device).out


def test_a_game_with_the_id_of_another_one_is_kept_beside_it(run, kiebitz, tmp_path):
    device, other = at_table(short_match(), END), at_table(short_match(level="expert"), END[:1])
    assert device.app.library.journal.id == other.app.library.journal.id
    run(device)
    out = run(other).out
    assert "new, with a known id, still being played" in out
    assert "these are two games, and both are kept." in out
    games = json.loads(kiebitz("games", "--json", "--db", str(tmp_path / "results.db")).out)
    assert sorted([game["finished"] for game in games]) == [False, True]
    other.app.library.play(END[1])
    assert "more entries" in run(other).out  # it goes on where it is
    for either in (device, other):
        assert "nothing new, 1 game known already." in run(either).out
    (report,) = json.loads(run(other, "--json").out)
    assert report["games"][0]["confirmed"]


# --- games thrown away on the device ---


def lists(store):
    """Return the ids of the listed games, and of the deleted ones."""
    return [[game["id"] for game in query.games(store.db, query.Filter(deleted=out))][::-1] for out in (False, True)]


def throw_away(device, at=0):
    """Throw the running game away at this device time. Return its id."""
    if at:
        device.app.clock.set(at)
    return device.app.library.throw_away()


def test_a_game_thrown_away_on_the_device_is_in_no_list_of_the_laptop(evening, store):
    gone = throw_away(evening.sit_down(spot()))
    report = sync_device(evening, store)
    assert [game.id for game in report.games if game.thrown] == [gone]
    assert lists(store) == [ids(evening)[:-1], [gone]]
    (decision,) = store.decided(store.number(gone))
    assert (decision.kind, decision.author) == ("throw away", f"Kiebitz {evening.app.board.device_id[-6:]}")
    assert held(store, gone) == lines_of(evening, gone)  # nothing is lost
    sync_device(evening, store)
    assert len(store.decided(store.number(gone))) == 1


def test_a_game_thrown_away_after_it_was_synced_leaves_the_lists(evening, store):
    sync_device(evening, store)
    gone = throw_away(evening)
    sync_device(evening, store)
    assert lists(store) == [ids(evening)[:-1], [gone]]


def test_what_the_laptop_has_restored_stays_though_the_device_still_lists_it_as_thrown_away(evening, store):
    gone = throw_away(evening)
    sync_device(evening, store)
    removals.restore(store, store.number(gone))
    sync_device(evening, store)
    assert lists(store) == [ids(evening), []]


def test_a_game_brought_back_on_the_device_is_back_on_every_laptop(evening, store):
    gone = throw_away(evening, at=NOW - 100)
    with memory_store() as other:
        sync_device(evening, store)
        sync_device(evening, other)
        evening.app.library.thrown.bring_back(gone)
        sync_device(evening, store)
        sync_device(evening, other)
        assert lists(store) == lists(other) == [ids(evening), []]
        told = [[one.id for one in one_store.decided(one_store.number(gone))] for one_store in (store, other)]
        assert told[0] == told[1] and len(told[0]) == 2  # both laptops made the same decisions
        evening.app.library.resume(gone)
        throw_away(evening, at=NOW)
        sync_device(evening, store)
        assert lists(store)[1] == [gone]


def test_what_the_laptop_has_deleted_stays_so_though_the_device_brings_it_back(evening, store):
    gone = throw_away(evening)
    sync_device(evening, store)
    removals.restore(store, store.number(gone))
    removals.delete(store, store.number(gone))
    evening.app.library.thrown.bring_back(gone)
    sync_device(evening, store)
    assert lists(store)[1] == [gone]


# --- games with a title ---

SKYJO = setup("any_game", 3, title="Skyjo", wins="low", end="target", limit=100)
ROUNDS = ((40, 30, 50), (58, 30, 51))
LIFE = setup("any_game", 3, title="Life", entry="counter", start=20, end="target", limit=0)


@pytest.fixture
def fetched(kiebitz, monkeypatch, tmp_path):
    """Return a command line whose store has a Skyjo and a counter from a device, and what sync printed."""
    device = Device()
    device.sit_down(SKYJO, [ev("points", p=p, k=k) for points in ROUNDS for p, k in enumerate(points)])
    device.sit_down(LIFE, [ev("add", p=0, k=-5), ev("add", p=1, k=-20)])
    plug_in(monkeypatch, sync, {"ttyACM0": device})
    monkeypatch.setenv("KIEBITZ_DB", str(tmp_path / "results.db"))

    def run(*argv):
        done = kiebitz(*argv)
        assert (done.code, done.err) == (0, ""), done.err
        return done.out

    run.printed = run("sync")
    run.device = device
    return run


def test_sync_names_the_games_by_their_titles(fetched):
    assert "2 games fetched." in fetched.printed
    assert "Skyjo" in fetched.printed and "Life" in fetched.printed and "Any game" not in fetched.printed
    assert "nothing new" in fetched("sync")
    told = json.loads(fetched("sync", "--json"))
    assert [(game["game"], game["title"]) for game in told[0]["games"]] == [("any_game", "Skyjo"), ("any_game", "Life")]


def test_each_has_a_league_of_its_own(fetched):
    skyjo = json.loads(fetched("league", "--game", "Skyjo", "--json"))
    assert [(player["name"], player["elo"]) for player in skyjo["players"]] == [
        ("Ben", 1516.0),
        ("Anna", 1500.0),
        ("Cleo", 1484.0),
    ]
    life = json.loads(fetched("league", "--game", "life", "--json"))
    assert [(player["name"], player["wins"]) for player in life["players"]] == [("Cleo", 1), ("Anna", 0), ("Ben", 0)]


def test_the_sheet_and_the_exports_have_both(fetched):
    shown = [line.split() for line in fetched("show", "1").splitlines()]
    assert ["Round", "1", "40", "30", "50"] in shown and ["Total", "98", "60", "101"] in shown
    assert ["Place", "2", "1", "3"] in shown
    rows = list(csv.DictReader(io.StringIO(fetched("export", "csv"))))
    assert [(row["game_name"], row["player"], row["score"], row["rank"]) for row in rows] == [
        ("Skyjo", "Anna", "98", "2"),
        ("Skyjo", "Ben", "60", "1"),
        ("Skyjo", "Cleo", "101", "3"),
        ("Life", "Anna", "15", "2"),
        ("Life", "Ben", "0", "3"),
        ("Life", "Cleo", "20", "1"),
    ]
    plays = json.loads(fetched("export", "bgstats"))
    assert {game["name"]: game["highestWins"] for game in plays["games"]} == {"Skyjo": False, "Life": True}
    whole = json.loads(fetched("export", "json"))["games"]
    assert [game["title"] for game in whole] == ["Skyjo", "Life"]


def test_games_of_an_evening_are_assigned_to_its_tables(plugged, kiebitz, tmp_path):
    db = ("--db", str(tmp_path / "results.db"))
    kiebitz("evening", "new", "Club", "--game", "top_spot", "--series", "2", *db)
    kiebitz("evening", "here", "--new", "Anna", "Ben", "Cleo", *db)
    kiebitz("evening", "draw", *db)
    device = Device()
    device.hw.time.set_unix(int(time.time()))  # else times are estimated, early in the morning on the day before
    device.sit_down(short_match(), END)
    device.sit_down(short_match(players=["Hugo", "Ida", "Jo"]), END)
    run = plugged(ttyACM0=device)
    done = run()
    assert "Game 1 belongs to table 1 of series 1." in done.out
    assert "Game 2 (Hugo, Ida, Jo) fits no table." in done.out
    assert "fits no table" not in run().out  # asked once, when the game comes
    shown = json.loads(kiebitz("evening", "show", "--json", *db).out)
    assert [table["game"] for table in shown["draws"][0]["tables"]] == [1]
