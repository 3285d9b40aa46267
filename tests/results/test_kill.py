"""Commands that are killed: nothing is lost, and nothing was confirmed that is not stored."""

import random

import pytest
from kiebitz_host.cli import COMMANDS
from kiebitz_lab.torture import kill_store
from kiebitz_lab.torture.campaign import Campaign, make_store
from kiebitz_lab.torture.writing_commands import STORE, Scenario, scenarios

READS_ONLY = {  # what web changes, it changes by the functions of fix, delete, restore and rename
    "sim", "live", "web", "install", "doctor", "replay", "combos", "rules", "texts", "games", "show", "league",
}  # fmt: skip


@pytest.mark.long
def test_commands_killed_at_random_moments(capsys):
    """Run the short form of python -m kiebitz_lab.torture.kill_store 1000: two kills of each command."""
    assert kill_store.main(["32"]) == 0
    assert "failed: 0" in capsys.readouterr().out


@pytest.mark.long
def test_more_commands_killed_at_random_moments(capsys):
    assert kill_store.main(["300", "--seed", "7"]) == 0
    assert "failed: 0" in capsys.readouterr().out


@pytest.mark.long
def test_every_command_that_writes_is_killed(tmp_path):
    killed = {one.argv(tmp_path)[0] if one.argv else one.name for one in scenarios(tmp_path / "files")}
    assert killed == set(COMMANDS) - READS_ONLY


@pytest.mark.long
def test_a_command_that_writes_half_is_noticed(tmp_path):
    """Run a command that prints, then deletes one game and then another, each in a transaction of its own."""
    (files := tmp_path / "files").mkdir()
    make_store(files / STORE)

    def half(folder):
        print("done", flush=True)
        for number in ("1", "2"):
            kill_store.kiebitz(["delete", number])
        return 0

    one = kill_store.measure(Scenario("half", files, action=half), tmp_path / "try")
    campaign = Campaign("test", 1)
    for number in range(12):
        campaign.number = number
        kill_store.trial(campaign, random.Random(number), [one], tmp_path / "try")
    assert any("neither as before nor as after" in why for why in campaign.failures)
    assert any("printed 'done" in why for why in campaign.failures)
