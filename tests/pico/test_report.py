"""A report of the emulated Pico: the image that ships, its USB port and prompt, and a model of the flash's cache."""

import pytest
from helpers.play import short_game
from kiebitz_host.install.bootloader import open_client
from kiebitz_host.install.prompt_session import Session
from kiebitz_host.report.report import CutShort, InAGame, Reporter
from kiebitz_host.report.scenario import SimulatedApp, presses
from kiebitz_host.report.sheet import sheet, summary
from kiebitz_host.report.stage import SILENCE_MS
from kiebitz_lab.chip.files import changed, read_files
from kiebitz_lab.chip.pty import Port
from kiebitz_lab.chip.reference import ReferenceDevice, settled
from kiebitz_lab.chip.rig import Rig

PRESSES = presses(SimulatedApp("pico_oled", {"language": "en"}))


@pytest.fixture(scope="module")
def with_games(flash):
    """Return a flash with two games, the second of them on the table."""
    reference = ReferenceDevice()
    for kind in ("poch", "royal_flush"):
        reference.sit_down(*short_game(kind))
    return changed(flash, reference.files())


def leave(flash):
    """Return the keys from the table of the running game to the first screen."""
    return ReferenceDevice(read_files(flash, "data")).pressed("left pick:menu.leave")


def games(port):
    """Return the journals on the device: the app moves the newest lines of a game to its file when it has time."""
    return settled(port.call("files", "data"))


def test_a_pulled_cable_leaves_no_device_in_the_scenario(with_games):
    def pull(line):
        if "key 30 of" in line:
            port.unplug()

    with Port(lambda: Rig(with_games).boot().keys(leave(with_games))) as port:
        before = games(port)
        with pytest.raises(CutShort, match="The games on it were not touched"):
            Reporter(open_client, Session, pull).run(port.name)
        assert port.call("files", "report") and games(port) == before
        resets = port.call("pico.resets")
        port.call("run_ms", SILENCE_MS + 5000)  # it has a battery
        assert port.call("pico.resets") == resets + 1
        assert not port.call("files", "report") and games(port) == before
        assert port.call("frame") == ReferenceDevice(read_files(with_games, "data")).frame()


def test_every_picture_of_the_scenario_is_the_simulators_and_the_games_stay(with_games):
    with Port(lambda: Rig(with_games, cache=True).boot()) as port:
        reporter = Reporter(open_client, Session, lambda _: None)
        before = games(port)
        with pytest.raises(InAGame):
            reporter.run(port.name)
        assert games(port) == before
        port.call("keys", leave(with_games))
        before = games(port)
        report = reporter.run(port.name)
        assert games(port) == before and not port.call("files", "report")
    assert summary(report.played) == f"all {1 + len(PRESSES)} pictures are the simulator's"
    assert report.files == report.files_after
    print(sheet(report))
    for hits, accesses in (report.times["start_cache"], report.times["press_cache"]):
        assert 0.9 * accesses < hits < accesses
    assert len(report.times["press_us"]) == len(PRESSES)
    # Below what a person waits for: a table that opens, and the longest key, in emulated time with the cache
    assert report.times["start_us"] < 400_000 and max(report.times["press_us"]) < 800_000
