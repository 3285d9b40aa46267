"""Provide the data of Top Spot for the tests of all games."""

from helpers.play import ev, setup

NUMBERED = "TS"  # the beginning of its numbered cases
PLAYERS = (3, 5)
OPTIONS = {"turns": ("free", "follow"), "one_joker_each": ("off", "on")}
FIRST = (ev("point", p=0), ev("bonus", p=0, k=2))  # events with which a game may begin
BY_SEAT = ev("point")  # an event that takes any seat
SUMMARY = "points game_no dealer early"  # the keys that only its summary has
PHASES = ("TRICK", "TIEBREAK", "GAME_END", "MATCH_OVER")
# Each kind of entry, with long values: they must fit a line of the history
ENTRIES = [
    ev("point", p=0),
    ev("bonus", p=0, k=12),
    ev("trick", plays=[{"value": 12}] * 5),
] + [ev(name) for name in ("blank", "end_game", "next_game", "end_match")]


def short():
    """Return (set-up, events) of a short piece with everything a journal can hold; all events are taken."""
    play = {"cards": 1, "value": 3, "followed": True, "joker": False}
    return setup("top_spot", 3, level="expert", mode="assisted"), [
        ev("trick", plays=[dict(play, p=0), dict(play, p=1, value=5), dict(play, p=2, value=1)]),
        ev("undo"),
        ev("redo"),
    ]
