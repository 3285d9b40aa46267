"""The cable of an emulated Pico is pulled in the middle of a session: the device goes on, the next sync is complete."""

import pytest
from helpers.chip import BadCable, fetch, lines_on, sync
from helpers.play import short_game
from helpers.syncing import memory_store
from kiebitz_host.link.trouble import LinkLost
from kiebitz_lab.chip.files import changed
from kiebitz_lab.chip.probes import branch
from kiebitz_lab.chip.reference import ReferenceDevice
from kiebitz_lab.chip.rig import Rig
from kiebitz_lab.torture.campaign import Campaign
from kiebitz_lab.torture.sync_cuts import play

PARTS = 6
SPREAD = 60  # cuts, besides those at the boundaries


@pytest.fixture(scope="module")
def evening():
    """Return two games, the second on the table, and a roster that is to be changed."""
    reference = ReferenceDevice()
    for kind in ("top_spot", "poker_carre"):
        reference.sit_down(*short_game(kind))
    reference.app.roster.replace(["Bem", "Anna"])
    return reference


@pytest.fixture(scope="module")
def table(flash, evening):
    return Rig(changed(flash, evening.files())).boot()


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
    """After every line, and some spread over all of it; blank lines only fill packets."""
    size = len(stream.rstrip(b"\n"))
    ends = {n for n in range(1, size) if stream[n - 1 : n] == b"\n" != stream[n : n + 1]}
    return sorted(ends.union(range(0, size, size // SPREAD)))


@pytest.mark.parametrize("part", range(PARTS))
def test_a_cable_pulled_anywhere(table, evening, part):
    ids = evening.app.library.ids()

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

    stages = {branch(table, lambda rig, n=n: scenario(rig, n)) for n in cuts(branch(table, session))[part::PARTS]}
    assert stages == {0, 1, 2}, "some are pulled before a game was kept, some between the two, some after both"


def test_the_power_may_go_while_a_device_is_synced_or_updated():
    campaign = Campaign("kiebitz_lab.torture.sync_cuts", 1)
    play(campaign, 0, 8)
    assert campaign.figures["in time"] >= 3 and campaign.failures == []
