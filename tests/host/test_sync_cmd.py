"""`kiebitz sync` as it is typed: what it finds, what it says, and how it ends."""

import json

import pytest
from helpers.cable import Cable, plug_in
from helpers.device import Device, at_table
from helpers.play import ev, setup, short_game
from helpers.syncing import copy
from kiebitz_host.cli import sync
from kiebitz_host.link.trouble import NoPermission, NotAKiebitz, OtherProtocol, PortBusy

END = (ev("point", p=1), ev("end_game"), ev("next_game"))


def spot():
    return setup("top_spot", 3, match_length=1, confirm=True)


@pytest.fixture
def plugged(kiebitz, monkeypatch, tmp_path):
    """plugged(a=device, b=trouble) lets sync find these ports; what it returns runs `kiebitz sync` with them."""

    def plug(**devices):
        plug_in(monkeypatch, sync, devices)
        return lambda *argv: kiebitz("sync", "--db", str(tmp_path / "results.db"), *argv)

    return plug


def test_new_games_then_nothing_new_then_more_entries(plugged):
    device = Device()
    device.sit_down(*short_game("poch"))
    device.sit_down(spot(), END)
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
    device = at_table(spot(), END[:1])
    device.app.library.throw_away()
    run = plugged(ttyACM0=device)
    assert "new, thrown away on the device" in run().out
    (report,) = json.loads(run("--json").out)
    assert report["games"][0]["thrown"] is True


def test_a_device_without_games(plugged):
    assert plugged(ttyACM0=Device())().out == "Kiebitz 5b3c0f on ttyACM0: it has no games yet.\n"


def test_for_programs(plugged):
    device = at_table(spot(), END)
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
    second.sit_down(spot(), END)
    done = plugged(ttyACM0=at_table(spot(), END), ttyACM1=second)()
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
    done = plugged(ttyACM1=trouble, ttyACM2=at_table(spot(), END))()
    assert "on ttyACM2: 1 game fetched." in done.out
    if isinstance(trouble, NotAKiebitz):  # somebody else's Pico beside a Kiebitz is no trouble
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
    device = at_table(spot(), END[:1])
    old = copy(device)
    device.app.library.play(END[1])
    plugged(ttyACM0=device)()
    old.app.library.play(ev("undo"))
    done = plugged(ttyACM0=old)()
    assert "another course" in done.out and "both are kept, the longer one counts" in done.out
    assert "nothing new" in plugged(ttyACM0=old)().out


def test_renamed_players_are_told(plugged, monkeypatch):
    from kiebitz_host.library.store import Store

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
    assert "\x1b[" in plugged(ttyACM0=at_table(spot(), END))().out
