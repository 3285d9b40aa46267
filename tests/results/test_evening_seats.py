"""Tables of a club's evening go to devices, and finished games come back to their tables with `kiebitz sync`."""

import pytest
from helpers.cable import plug_in
from helpers.device import Device
from helpers.play import ev
from kiebitz_host.cli import evening as command
from kiebitz_host.cli import sync
from kiebitz_host.sim.hardware import Hardware

SEVEN = ["Anna", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina"]
POCH = ev("end_game")


class Numbered(Device):
    """A device with an id of its own."""

    def __init__(self, number):
        self.number = number
        super().__init__()

    def on(self, hw=None):
        hw = hw or Hardware(self.profile)
        hw.unique_id = bytes([0xE6, 0, 0, 0, 0, 0, 0, self.number])
        super().on(hw)


@pytest.fixture
def plugged(monkeypatch):
    """Return a function that plugs these devices in, by the names of their ports."""

    def plug(**devices):
        plug_in(monkeypatch, sync, devices)
        monkeypatch.setattr(command, "ports", sync.ports)

    return plug


@pytest.fixture
def evening(kiebitz):
    """Begin an evening of two series with seven people, and draw the first."""
    rules = ("--game", "poch", "--series", "2", "--sizes", "4", "3", "--set", "held=equal")
    assert kiebitz("evening", "new", "Club", *rules).code == 0
    assert kiebitz("evening", "here", "--new", *SEVEN).code == 0
    assert kiebitz("evening", "draw", "--seed", "1").code == 0


def tables(kiebitz, series=1):
    return {
        table["table"]: (table["people"], table["game"])
        for draw in kiebitz("evening", "show", "--json").json["draws"]
        if draw["series"] == series
        for table in draw["tables"]
    }


def seats(kiebitz, *argv):
    return [one["table"] for one in kiebitz("evening", "seats", "--json", *argv).json]


def play(device):
    """Begin the offered game with one press and end it."""
    device.keys("ok")
    names = device.game.names
    device.app.library.play(POCH)
    device.app.leave_table()
    device.hw.time.advance(60_000)
    return names


def test_devices_get_their_tables_and_games_come_back_to_them(kiebitz, plugged, evening):
    one, two = Numbered(1), Numbered(2)
    plugged(ttyACM0=one, ttyACM1=two)
    run = kiebitz("evening", "seats")
    first = tables(kiebitz)
    assert run.out.splitlines() == [
        f"Kiebitz 000001 on ttyACM0: table 1 of series 1: {', '.join(first[1][0])}.",
        f"Kiebitz 000002 on ttyACM1: table 2 of series 1: {', '.join(first[2][0])}.",
    ]
    assert seats(kiebitz) == [1, 2]  # again: nothing changes
    assert sum("sent to Kiebitz" in line["what"] for line in kiebitz("evening", "history", "--json").json) == 2
    assert [play(one), play(two)] == [first[1][0], first[2][0]]
    out = kiebitz("sync").out
    assert "belongs to table 1 of series 1." in out and "belongs to table 2 of series 1." in out
    assert all(game for _, game in tables(kiebitz).values())
    assert kiebitz("evening", "draw", "--by", "lot", "--seed", "5").code == 0
    assert seats(kiebitz) == [1, 2]
    assert [play(one), play(two)] == [people for people, _ in tables(kiebitz, 2).values()]
    assert kiebitz("sync").code == 0
    assert len({game for _, game in [*tables(kiebitz).values(), *tables(kiebitz, 2).values()]}) == 4


def test_the_same_people_in_both_series_are_told_apart_by_the_seats(kiebitz, plugged):
    kiebitz("evening", "new", "Duo", "--game", "poch", "--series", "2", "--sizes", "4")
    kiebitz("evening", "here", "--new", *SEVEN[:4])
    kiebitz("evening", "draw", "--by", "lot")
    kiebitz("evening", "draw", "--by", "lot")
    one = Numbered(1)
    plugged(ttyACM0=one)
    assert seats(kiebitz, "--series", "2") == [1]
    play(one)
    assert "belongs to table 1 of series 2." in kiebitz("sync").out


def test_a_game_of_the_wrong_table_is_asked_for(kiebitz, plugged, evening):
    one = Numbered(1)
    plugged(ttyACM0=one)
    assert seats(kiebitz, "--table", "2") == [2]
    other = tables(kiebitz)[1][0]
    one.sit_down({"game": "poch", "players": other}, [POCH])
    one.app.leave_table()
    out = kiebitz("sync").out
    assert "was played on the Kiebitz of table 2 of series 1, by the players of table 1 of series 1" in out
    assert tables(kiebitz)[1][1] is None
    assert kiebitz("evening", "assign", "1", "--series", "1", "--table", "1").code == 0


def test_more_devices_than_tables_and_tables_taken_back(kiebitz, plugged, evening):
    three = {f"ttyACM{k}": Numbered(k) for k in range(3)}
    plugged(**three)
    run = kiebitz("evening", "seats")
    assert run.code == 0 and "no table of series 1 is left for it." in run.out
    assert three["ttyACM2"].app.roster.seats is None
    assert "no table waits there any more." in kiebitz("evening", "seats", "--clear").out
    assert not any(device.app.roster.seats for device in three.values())


def test_what_cannot_be_sent_is_said(kiebitz, plugged):
    one = Numbered(1)
    plugged(ttyACM0=one, ttyACM1=Numbered(2))
    kiebitz("evening", "new", "Club", "--game", "poch", "--sizes", "6")
    assert "no series is drawn yet" in kiebitz("evening", "seats").err
    kiebitz("evening", "here", "--new", *[letter + "\U0001f600" * 20 for letter in "ABCDEF"])
    kiebitz("evening", "draw")
    assert "several Kiebitz are on USB" in kiebitz("evening", "seats", "--table", "1").err
    assert "series 1 has no table 9" in kiebitz("evening", "seats", "--table", "9", "--port", "ttyACM0").err
    plugged(ttyACM0=one)
    run = kiebitz("evening", "seats")
    assert run.code == 2 and "is too long for the Kiebitz on ttyACM0" in run.err
    assert one.app.roster.seats is None
