"""Numbers that carry a reason, at the table: when the state of a game is kept, and when nobody is waiting."""

from helpers.device import at_table

POCH = {"game": "poch", "players": ["Anna", "Ben", "Cleo"]}
ROUND = ([{"ev": "start_round", "trump": "H"}] + [{"ev": "cash", "p": 0, "pool": pool} for pool in "AKQJT"]) + [
    {"ev": "end_cash"},
    {"ev": "pass", "p": 0},
]


def is_kept(d):
    return d.storage.size(d.app.library.journal.id + ".sav") is not None


def test_the_state_is_kept_three_seconds_after_the_last_key_and_not_before():
    """Sooner, flash would be written while players press keys; later, a resume would replay more than it must."""
    d = at_table(POCH, ROUND)
    d.keys("up")
    d.wait(2850)
    assert not is_kept(d)
    d.wait(200)
    assert is_kept(d)


def test_it_is_kept_again_after_eight_entries_at_the_earliest():
    """To replay an entry takes a Pico 12 ms at a resume, to keep the state 100 ms."""
    d = at_table(POCH, ROUND)
    d.wait(3100)
    before = d.storage.read(d.app.library.journal.id + ".sav")
    for k in range(8):
        assert d.storage.read(d.app.library.journal.id + ".sav") == before, k
        d.keys("hold:undo" if k % 2 else "undo")
        d.wait(3100)
    assert d.storage.read(d.app.library.journal.id + ".sav") != before
