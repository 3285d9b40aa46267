"""`kiebitz live`: the running game, also after the device was unplugged."""

import json

import pytest
from helpers.cable import Cable, copy
from helpers.device import Device, at_table
from helpers.play import ev, setup
from kiebitz.games import Refused
from kiebitz_host.cli import live
from kiebitz_host.link import follower
from kiebitz_host.link.client import Client
from kiebitz_host.link.follower import RETRY_S, GameFollower
from kiebitz_host.link.ports import Port
from kiebitz_host.link.trouble import LinkLost, LinkTrouble, NoPermission
from kiebitz_host.outcome import Trouble


def spot():
    return setup("top_spot", 3, match_length=3)


class Audience:
    """A listener that records its calls."""

    def __init__(self):
        self.told = []

    def shows(self, port, table, flaw):
        self.told.append(("shows", table.game.totals(), flaw))

    def idle(self, port):
        self.told.append(("idle",))

    def lost(self, sentence):
        self.told.append(("lost",))


class Stage:
    """A device that runs one step of a plan every half second and ends after the last one."""

    def __init__(self, device, *plan):
        self.device = device
        self.plan = list(plan)
        self.plugged = True
        self.audience = Audience()
        self.slept = []
        self._turns = 0

    def watch(self):
        watcher = GameFollower(self.connect, self.audience, lambda: self.device.hw.time.elapsed / 1000, self.sleep)
        with pytest.raises(KeyboardInterrupt):
            watcher.run()
        return self.audience.told

    def connect(self):
        if not self.plugged:
            raise LinkTrouble("nobody there.")
        client = Client(Cable(self.device, on_turn=self._turn))
        return [(client, client.hello())]

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.device.wait(int(1000 * seconds))
        self._turn(int(200 * seconds))

    def _turn(self, turns=1):
        self._turns += turns
        if self._turns < 100:
            return
        self._turns = 0
        if not self.plan:
            raise KeyboardInterrupt
        step = self.plan.pop(0)
        if isinstance(step, dict):
            self.device.app.library.play(step)
        else:
            step(self)


def unplug(stage):
    stage.plugged = False
    raise LinkLost("cable")


def plug(stage):
    stage.plugged = True


def nothing(stage):
    pass


def test_every_change_is_shown():
    stage = Stage(at_table(spot()), ev("point", p=1), ev("point", p=2), ev("undo"))
    assert stage.watch() == [
        ("shows", [0, 0, 0], ""),
        ("shows", [0, 1, 0], ""),
        ("shows", [0, 1, 1], ""),
        ("shows", [0, 1, 0], ""),
    ]


def test_a_game_that_ends_and_one_that_begins():
    def leave(stage):
        stage.device.app.leave_table()

    def sit_down(stage):
        stage.device.sit_down(spot(), [ev("point", p=0)])

    stage = Stage(at_table(spot()), leave, sit_down, nothing)
    assert stage.watch() == [("shows", [0, 0, 0], ""), ("idle",), ("shows", [1, 0, 0], "")]


def test_without_a_game_it_says_so():
    assert Stage(Device(), nothing).watch() == [("idle",)]


def test_it_survives_unplugging_and_coming_back():
    stage = Stage(at_table(spot()), ev("point", p=1), unplug, ev("point", p=2), nothing, plug, nothing, ev("undo"))
    assert stage.watch() == [
        ("shows", [0, 0, 0], ""),
        ("shows", [0, 1, 0], ""),
        ("lost",),
        ("shows", [0, 1, 1], ""),
        ("shows", [0, 1, 0], ""),
    ]
    assert set(stage.slept) == {RETRY_S}


def test_a_simulator_that_is_named_by_its_folder_is_waited_for(tmp_path, monkeypatch):
    stage = Stage(at_table(spot()), unplug, ev("point", p=1), nothing, plug, nothing, nothing)
    monkeypatch.setattr("kiebitz_host.link.ports.simulator_port", lambda folder: "cable" if stage.plugged else None)
    monkeypatch.setattr(live, "open_port", lambda port: Cable(stage.device, on_turn=stage._turn))
    stage.connect = lambda: live.answering(str(tmp_path))
    assert stage.watch() == [("shows", [0, 0, 0], ""), ("lost",), ("shows", [0, 1, 0], "")]


def test_a_device_that_restarts_is_followed_again():
    def restart(stage):
        stage.device.restart()
        unplug(stage)

    stage = Stage(at_table(spot()), ev("point", p=1), restart, nothing, plug, nothing)
    assert stage.watch()[-2:] == [("lost",), ("shows", [0, 1, 0], "")]


def test_it_follows_for_longer_than_the_device_remembers():
    stage = Stage(at_table(spot()), *[nothing] * 150, ev("point", p=1), nothing)
    assert stage.watch() == [("shows", [0, 0, 0], ""), ("shows", [0, 1, 0], "")]


def test_a_backup_restored_meanwhile_is_shown_as_it_is():
    device = at_table(spot(), [ev("point", p=1)])
    old = copy(device)

    def restore(stage):
        stage.device = old
        unplug(stage)

    stage = Stage(device, ev("point", p=2), restore, plug, ev("point", p=0), nothing)
    assert stage.watch() == [
        ("shows", [0, 1, 0], ""),
        ("shows", [0, 1, 1], ""),
        ("lost",),
        ("shows", [0, 1, 0], ""),
        ("shows", [1, 1, 0], ""),
    ]


def test_only_the_same_device_is_taken_after_it_was_away():
    stage = Stage(at_table(spot()), unplug, nothing, plug, nothing)
    other = at_table(spot(), [ev("point", p=2)])
    other.board.device_id = "somebody else"
    connect = stage.connect

    def both():
        client = Client(Cable(other))
        return [(client, client.hello()), *connect()] if len(stage.plan) < 4 else connect()

    stage.connect = both
    assert stage.watch() == [("shows", [0, 0, 0], ""), ("lost",), ("shows", [0, 0, 0], "")]


def test_of_several_devices_the_one_with_a_game_is_taken():
    idle = Device()
    idle.board.device_id = "somebody else"
    stage = Stage(at_table(spot()), nothing)
    connect = stage.connect

    def both():
        client = Client(Cable(idle))
        return [(client, client.hello()), *connect()]

    stage.connect = both
    assert stage.watch() == [("shows", [0, 0, 0], "")]


def test_a_device_that_is_lost_while_it_is_chosen_is_let_go():
    device = at_table(spot())
    client = Client(Cable(device, cut=200))
    who = client.hello()
    with pytest.raises(LinkLost):
        GameFollower(lambda: [(client, who)], Audience()).run()
    assert not device.hw.usb.connected


def test_a_line_the_rules_here_refuse_is_said(monkeypatch):
    class Strict(follower.ReplayedTable):
        def feed(self, line):
            if b"undo" in line:
                raise Refused("E_ARG", what="ev")
            return super().feed(line)

    monkeypatch.setattr(follower, "ReplayedTable", Strict)
    stage = Stage(at_table(spot()), ev("point", p=1), ev("undo"), ev("point", p=2))
    flaw = "Entry 2 is refused by the rules on this computer (E_ARG)."
    assert stage.watch()[-2:] == [("shows", [0, 1, 0], flaw), ("shows", [0, 1, 0], flaw)]


def test_trouble_at_the_start_is_told_at_once():
    with pytest.raises(LinkTrouble):
        GameFollower(lambda: (_ for _ in ()).throw(NoPermission("x")), Audience()).run()


# --- the command ---


@pytest.fixture
def plugged(kiebitz, monkeypatch):
    """Return a function that runs `kiebitz live` on a device until all steps are done."""

    def plug(device, *plan, argv=()):
        stage = Stage(device, *plan)

        def open_port(port):
            if not stage.plugged:
                raise LinkLost(port.path)
            cable = Cable(stage.device, on_turn=stage._turn)
            cable.name = port.path
            return cable

        monkeypatch.setattr(live, "ports", lambda: [Port("ttyACM0", "Pico")])
        monkeypatch.setattr(live, "open_port", open_port)
        sleep = stage.sleep
        monkeypatch.setattr(live, "GameFollower", lambda connect, told: GameFollower(connect, told, sleep=sleep))
        return kiebitz("live", *argv)

    return plug


def test_piped_it_prints_one_sheet_after_the_other(plugged):
    done = plugged(at_table(spot()), ev("point", p=1), unplug, nothing, plug, nothing)
    assert (done.code, done.err) == (0, "")
    sheets = done.out.split("\n\n")
    assert done.out.count("Nobody has scored yet.") == 1 and done.out.count("Ben leads with 1 point.") == 2
    assert "the connection to cable was lost" in done.out and sheets[0].startswith("Top Spot")


def test_a_game_with_a_title_goes_by_it_and_the_fewest_points_lead(plugged):
    options = {"wins": "low", "end": "target", "limit": 100}
    skyjo = {"game": "any_game", "title": "Skyjo", "players": ["Anna", "Ben"], "options": options}
    done = plugged(at_table(skyjo), ev("points", p=0, k=21), ev("points", p=1, k=-2), ev("undo"), nothing)
    assert (done.code, done.err) == (0, "")
    _, first, both, again = done.out.split("Skyjo")[1:]
    assert "79" in first and "Ben leads with -2 points." in both and again == first


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [("de", "Ben führt mit 1 Punkt."), ("fr", "Ben mène avec 1 point."), ("nl", "Ben staat voor met 1 punt.")],
)
def test_the_sheets_are_in_the_language_that_was_asked_for(plugged, lang, sentence):
    done = plugged(at_table(spot()), ev("point", p=1), nothing, argv=["--lang", lang])
    assert done.code == 0 and sentence in done.out


def test_for_programs_one_object_a_line(plugged):
    def leave(stage):
        stage.device.app.leave_table()

    done = plugged(at_table(spot()), ev("point", p=1), leave, nothing, argv=["--json"])
    first, second, third = map(json.loads, done.out.splitlines())
    assert (first["totals"], second["totals"]) == ([0, 0, 0], [0, 1, 0])
    assert (second["port"], second["game"], second["events"], second["flaw"]) == ("ttyACM0", "top_spot", 1, None)
    assert third == {"port": "ttyACM0", "game": None}


def test_in_a_terminal_it_is_redrawn_and_the_last_sheet_stays(plugged, monkeypatch):
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("TTY_INTERACTIVE", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("LINES", "30")
    done = plugged(at_table(spot()), ev("point", p=1), unplug, nothing, plug, nothing)
    assert done.code == 0
    screen, _, after = done.out.partition("\x1b[?1049l")
    assert screen.startswith("\x1b[?1049h") and "Nobody has scored yet." in screen and "Ctrl-C ends" in screen
    assert "was lost" in screen
    assert "Ben leads with 1 point." in after and "Ctrl-C ends" not in after


def test_nobody_is_there(kiebitz, monkeypatch):
    monkeypatch.setattr(live, "ports", lambda: [])
    done = kiebitz("live")
    assert done.code == 2 and "no Kiebitz found on USB" in done.err


def test_answering_closes_what_it_does_not_hand_out(monkeypatch):
    class Deaf(Cable):
        closed = False

        def write(self, data):
            pass

        def close(self):
            self.closed = True

    deaf = Deaf(Device())
    monkeypatch.setattr(live, "open_port", lambda port: deaf)
    with pytest.raises(Trouble, match="does not answer like a Kiebitz"):
        live.answering("/dev/ttyACM0")
    assert deaf.closed
