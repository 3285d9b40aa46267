"""Test the link on the emulated chip, with the real USB stack and client, and pull its cable."""

import subprocess
import sys
from contextlib import closing

import pytest
from helpers.cable import NOW, memory_store, outcomes
from helpers.chip import BadCable, fetch, lines_on, sync
from helpers.play import short_game
from kiebitz.link import EARLIEST, LATEST
from kiebitz.link.wire import REQUEST, frame
from kiebitz_host.link.client import Client
from kiebitz_host.link.ports import Port as UsbPort
from kiebitz_host.link.ports import open_port
from kiebitz_host.link.trouble import LinkLost, LinkTrouble
from kiebitz_lab.chip.flash import changed
from kiebitz_lab.chip.play import Port
from kiebitz_lab.chip.probes import ChipCable, ReferenceDevice, branch
from kiebitz_lab.chip.rig import Rig
from kiebitz_lab.dice import Dice, fuzzed
from kiebitz_lab.torture import sync_cuts
from kiebitz_lab.torture.campaign import Campaign
from kiebitz_lab.torture.link_lines import play

FUZZED = 300  # lines in each direction
LIMIT_S = 300
PRESETS = [
    {"game": "any_game", "title": "Skyjo", "options": {"wins": "low", "end": "target", "limit": 100}},
    {"game": "any_game", "title": "\U0001f600" * 24, "options": {}},
]
KIEBITZ = "import sys; from kiebitz_host.cli import main; sys.exit(main(sys.argv[1:]))"


@pytest.fixture(scope="module")
def evening():
    """Return a reference device with three games, one of them in play."""
    reference = ReferenceDevice()
    for kind in ("royal_flush", "poker_carre", "poch"):
        reference.sit_down(*short_game(kind))
    return reference


@pytest.fixture(scope="module")
def table(flash, evening):
    return Rig(changed(flash, evening.files())).boot()


def ids(evening):
    return evening.app.library.ids()[::-1]


def test_everything_is_fetched_and_confirmed_and_then_nothing_is_new(table, evening):
    def scenario(rig):
        with memory_store() as store:
            report = sync(rig, store)
            assert outcomes(report) == ["new"] * 3 and all(game.confirmed for game in report.games)
            for game_id in ids(evening):
                assert store.stored_game(game_id).lines == lines_on(rig, game_id)
            report = sync(rig, store)
            assert outcomes(report) == ["same"] * 3 and report.clock_was_set
        return report.device

    assert branch(table, scenario) == "ff" * 8


def test_all_requests(table, evening):
    def scenario(rig):
        client = Client(ChipCable(rig))
        who = client.hello()
        assert (who["product"], who["now"]) == ("kiebitz", 0)
        client.set_clock(NOW)
        assert NOW <= client.hello()["now"] <= NOW + 2
        names = ["Änne", "\U0001f600 ~", *[f"Name {k}" for k in range(38)]]
        client.write_roster(names)
        assert client.roster() == names
        for preset in PRESETS:
            client.write_preset(preset)
        client.write_preset(PRESETS[0])
        assert client.presets() == PRESETS
        client.remove_preset(PRESETS[1])
        assert client.presets() == PRESETS[:1]
        client.set("flip", True)
        assert client.settings()["flip"] is True
        state = client.follow()
        assert state["id"] == ids(evening)[-1]
        client.press("UNDO")
        assert client.news(2)["lines"] == state["lines"] + 1
        client.set("flip", False)
        rig.settle()
        width, height, pages, _ = client.screen()
        rows = [[pages[y // 8 * width + x] >> y % 8 & 1 for x in range(width)] for y in range(height)]
        assert [list(row) for row in rig.frame()] == rows

    branch(table, scenario)


def test_the_clock_takes_every_time_until_2100(table):
    def scenario(rig):
        client = Client(ChipCable(rig))
        for unix in (EARLIEST, 2**31 - 2, 2**31 - 1, 2**31, 2**32 - 200_000_000, LATEST - 1):
            client.set_clock(unix)
            assert unix <= client.hello()["now"] <= unix + 2
        assert "data/crash.txt" not in rig.files("data")

    branch(table, scenario)


def test_wrong_lines_do_no_harm():
    campaign = Campaign("kiebitz_lab.torture.link_lines", 1)
    play(campaign, 0, 200)
    assert campaign.figures["lines"] == 200 and campaign.failures == []


def test_the_game_goes_on_while_it_is_synced(table, evening):
    game_id = ids(evening)[-1]

    def scenario(rig):
        before = len(lines_on(rig, game_id))
        end = rig.ms + 1800
        for k in range(5):
            rig.pico.at(100 + 350 * k, lambda: rig.press("undo"))
            rig.pico.at(150 + 350 * k, lambda: rig.release("undo"))
        with memory_store() as store:
            while rig.ms < end:
                sync(rig, store)
            rig.settle()
            sync(rig, store)
            assert store.stored_game(game_id).lines == lines_on(rig, game_id)
            return len(lines_on(rig, game_id)) - before

    assert branch(table, scenario) == 5


def test_a_host_that_sends_without_end_and_never_reads_does_not_stop_the_keys(table, evening):
    game_id = ids(evening)[-1]

    def scenario(rig):
        rig.serial.reading = False
        rig.serial.send(frame(REQUEST, 7, "games", "{}") * 400)
        rig.run_ms(300)
        before = len(lines_on(rig, game_id))
        for _ in range(3):
            rig.press("undo")
            rig.run_ms(60)
            rig.release("undo")
            rig.run_ms(240)
        assert len(lines_on(rig, game_id)) == before + 3
        assert rig.serial.unread > 5_000

    branch(table, scenario)


def test_fuzzed_lines_from_the_laptop_do_no_harm(table, evening):
    dice = Dice(3)
    asked = [("who", "{}"), ("games", "{}"), ("screen", "{}"), ("read", f'{{"games":["{ids(evening)[0]}",0]}}')]
    lines = [frame(REQUEST, 5, word, value) for word, value in asked]
    noise = b"".join([fuzzed(dice, dice.pick(lines)).replace(b"\x03", b"") + b"\n" for _ in range(FUZZED)])

    def scenario(rig):
        rig.serial.send(noise)  # without Ctrl-C, which stops every program
        rig.pico.run_until(lambda: not rig.serial.unread, 60_000, 10)
        rig.run_ms(500)
        with memory_store() as store:
            assert outcomes(sync(rig, store)) == ["new"] * 3
            for game_id in ids(evening):
                assert store.stored_game(game_id).lines == lines_on(rig, game_id)
        assert "data/crash.txt" not in rig.files("data") and not rig.pico.resets

    branch(table, scenario)


def test_fuzzed_lines_from_the_device_do_no_harm(table, evening):
    def scenario(rig):
        dice = Dice(4)
        added = 0

        def damage(data):
            nonlocal added
            lines = []
            for line in data.split(b"\n"):
                while line and dice.chance(60):
                    added += 1
                    lines.append(fuzzed(dice, line))
                lines.append(fuzzed(dice, line) if dice.chance(2) else line)
            return b"\n".join(lines)

        while added < FUZZED:
            with memory_store() as store:
                try:
                    sync(rig, store, damage=damage)
                except LinkTrouble as trouble:
                    assert str(trouble).endswith(".")
                for game_id in ids(evening):
                    held = store.stored_game(game_id)
                    assert held is None or held.lines == lines_on(rig, game_id)[: len(held.lines)]
        with memory_store() as store:
            assert outcomes(sync(rig, store)) == ["new"] * 3
            for game_id in ids(evening):
                assert store.stored_game(game_id).lines == lines_on(rig, game_id)

    branch(table, scenario)


def test_two_syncs_at_once_on_one_port(table, tmp_path):
    def kiebitz_sync(port, name):
        command = [sys.executable, "-c", KIEBITZ, "sync", "--port", port.name, "--db", str(tmp_path / name)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    with Port(table) as port:
        with closing(open_port(UsbPort(port.name, "Pico"))):
            out, err = kiebitz_sync(port, "second").communicate(timeout=LIMIT_S)
            assert out == "" and err.startswith(f"kiebitz: {port.name} is in use by another program: wait until"), err
        both = [kiebitz_sync(port, "one"), kiebitz_sync(port, "two")]
        told = [process.communicate(timeout=LIMIT_S) for process in both]
        for process, (out, err) in zip(both, told, strict=True):
            assert process.returncode == (2 if "is in use" in err else 0), (out, err)
            assert "is in use" in err or "3 games fetched" in out, (out, err)
        assert any(process.returncode == 0 for process in both)


# --- a pulled cable ---

PARTS = 6
SPREAD = 60  # cuts, besides those at the boundaries


@pytest.fixture(scope="module")
def two_games():
    """Return two games, the second on the table, and a roster that is to be changed."""
    reference = ReferenceDevice()
    for kind in ("top_spot", "poker_carre"):
        reference.sit_down(*short_game(kind))
    reference.app.roster.replace(["Bem", "Anna"])
    return reference


@pytest.fixture(scope="module")
def cut_table(flash, two_games):
    return Rig(changed(flash, two_games.files())).boot()


def a_store():
    store = memory_store()
    store.renames = lambda: {"Bem": "Ben"}
    return store


def session(rig):
    """Return the bytes of a whole session."""
    with a_store() as store:
        cable = BadCable(rig)
        fetch(cable, store)
        return cable.carried


def cuts(stream):
    """Cut after every line and at some other offsets; blank lines only fill packets."""
    size = len(stream.rstrip(b"\n"))
    ends = {n for n in range(1, size) if stream[n - 1 : n] == b"\n" != stream[n : n + 1]}
    return sorted(ends.union(range(0, size, size // SPREAD)))


@pytest.mark.parametrize("part", range(PARTS))
def test_a_cable_pulled_anywhere(cut_table, two_games, part):
    ids = two_games.app.library.ids()

    def scenario(rig, cut):
        with a_store() as store:
            with pytest.raises(LinkLost):
                sync(rig, store, cut=cut)
            held = [store.stored_game(game_id) is not None for game_id in ids]
            before = len(lines_on(rig, ids[0]))
            rig.press("undo")
            rig.run_ms(60)
            rig.release("undo")
            report = sync(rig, store)
            assert [game.outcome for game in report.games].count("new") == 2 - sum(held)
            assert all(game.confirmed for game in report.games)
            assert [store.stored_game(game_id).lines for game_id in ids] == [lines_on(rig, game_id) for game_id in ids]
            assert len(lines_on(rig, ids[0])) == before + 1
            assert "data/crash.txt" not in rig.files("data")
            return sum(held)

    places = cuts(branch(cut_table, session))[part::PARTS]
    stages = {branch(cut_table, lambda rig, n=n: scenario(rig, n)) for n in places}
    assert stages == {0, 1, 2}, "some are pulled before a game was kept, some between the two, some after both"


def test_the_power_may_go_while_a_device_is_synced_or_updated():
    campaign = Campaign("kiebitz_lab.torture.sync_cuts", 1)
    sync_cuts.play(campaign, 0, 8)
    assert campaign.figures["in time"] >= 3 and campaign.failures == []
