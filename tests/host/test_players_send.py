"""`kiebitz players send`: names are added to the roster of the device, and none is lost."""

import json

import pytest
from helpers.cable import plug_in
from helpers.device import Device
from helpers.finished import carre
from helpers.play import short_game
from kiebitz_host.cli import every_device
from kiebitz_host.link.trouble import NotAKiebitz, PortBusy


@pytest.fixture
def plugged(kiebitz, monkeypatch, tmp_path):
    """Return a function that connects devices by port name and returns a runner of `kiebitz players send`."""

    def plug(**devices):
        plug_in(monkeypatch, every_device, devices)
        return lambda *argv: kiebitz("players", "send", *argv, "--db", str(tmp_path / "results.db"))

    return plug


def test_names_come_first_on_the_device_and_stay_after_a_restart(plugged):
    device = Device()
    device.app.roster.add("Ben")
    done = plugged(ttyACM0=device)(" Anna ", "Ben", "Cleo", "Anna")
    assert (done.code, done.err) == (0, "")
    assert done.out == "Kiebitz 5b3c0f on ttyACM0: Anna and Cleo can be chosen there now.\n"
    device.restart()
    assert device.app.roster.names == ["Anna", "Cleo", "Ben"]


def test_sent_again_nothing_is_written(plugged):
    device = Device()
    run = plugged(ttyACM0=device)
    run("Anna", "Ben")
    files = dict(device.storage.files)
    done = run("Ben", "Anna")
    assert (done.code, done.out) == (0, "Kiebitz 5b3c0f on ttyACM0: it has all these names already.\n")
    assert device.storage.files == files and device.app.roster.names == ["Anna", "Ben"]


def test_the_last_line_up_is_still_offered_with_its_guests(plugged):
    device = Device()
    device.app.roster.played(["Anna", "Guest 2"], ["Guest 1", "Guest 2"])
    plugged(ttyACM0=device)("Cleo")
    assert device.app.roster.names == ["Cleo", "Anna"] and device.app.roster.last == ["Anna", "Guest 2"]


def test_a_running_game_goes_on(plugged):
    device = Device().sit_down(*short_game("poch"))
    before = device.game.snapshot()
    assert plugged(ttyACM0=device)("Zoe").code == 0
    assert device.game.snapshot() == before and device.app.roster.names == ["Zoe"]


@pytest.mark.parametrize("bad", ["", "   ", "x" * 25, "An\x07na"])
def test_a_bad_name_is_said_and_nothing_is_sent(plugged, bad):
    device = Device()
    done = plugged(ttyACM0=device)("Anna", bad)
    assert done.code == 2 and "cannot be a name on the device" in done.err and "Nothing was sent." in done.err
    assert device.app.roster.names == []


def test_a_full_list_loses_no_name_and_says_who_did_not_fit(plugged):
    device = Device()
    known = [f"Name {k}" for k in range(39)]
    device.app.roster.replace(known)
    done = plugged(ttyACM0=device)("Anna", "Ben")
    assert done.code == 2 and "Anna can be chosen there now." in done.out
    assert "Its list of 40 names is full, without Ben: take names off it first." in done.out
    assert device.app.roster.names == ["Anna", *known]
    done = plugged(ttyACM0=device)("Ben")
    assert done.out == (
        "Kiebitz 5b3c0f on ttyACM0: its list of 40 names is full, without Ben: take names off it first.\n"
    )


def test_without_names_those_who_have_played_are_sent_but_no_guests(plugged, kiebitz, tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text("".join(line + "\n" for line in carre(["Anna", "Ospite 2", "Guest 3", "Guesty"], [1, 2, 3, 4])))
    assert kiebitz("add", str(file), "--db", str(tmp_path / "results.db")).code == 0
    device = Device()
    device.app.roster.add("Zoe")
    assert plugged(ttyACM0=device)().code == 0
    assert device.app.roster.names == ["Zoe", "Anna", "Guesty"]


def test_without_names_and_results_a_sentence_says_what_to_do(plugged):
    done = plugged(ttyACM0=Device())()
    assert done.code == 2 and "nobody has played yet" in done.err and "kiebitz players send Anna Ben" in done.err


def test_without_a_device_a_sentence_says_what_to_do(plugged):
    done = plugged()("Anna")
    assert done.code == 2 and "no Kiebitz found on USB" in done.err


def test_every_device_gets_the_names_and_one_in_use_is_said(plugged):
    device = Device()
    done = plugged(a=PortBusy("a"), b=NotAKiebitz("b"), c=device)("Anna", "--json")
    assert done.code == 2 and "a is in use" in done.err and "b" not in done.err.split()
    (sent,) = json.loads(done.out)
    assert sent == {
        "port": "c", "device": device.board.device_id, "added": ["Anna"], "known": [], "left_out": [],
    }  # fmt: skip
    assert device.app.roster.names == ["Anna"]


def test_help_tells_what_it_does(kiebitz):
    done = kiebitz("players", "send", "--help")
    assert done.code == 0 and "no name is lost" in " ".join(done.out.split()) and "--port" in done.out
