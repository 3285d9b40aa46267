"""Provide the data of games with bids for the tests of all games."""

from helpers.play import ev, setup, sure

NUMBERED = "B"  # the beginning of its numbered cases
PLAYERS = (3, 8)
MANY = {7: {"points": "ten_plus"}, 8: {"points": "ten_plus"}}  # number of players -> the house rules that it needs
OPTIONS = {
    "turns": ("free", "follow"),
    "points": ("wizard", "ten_plus"),
    "cards": ("up", "down", "up_down"),
    "most": (None,),
    "sum": ("free", "not_equal"),
}
NUMBERS = ("most",)  # house rules that are numbers
DEFAULTS = {"most": 15}  # with four players
FIRST = (ev("bid", p=0, k=1), ev("bid", p=2, k=0))  # events with which a game may begin
BY_SEAT = ev("bid", k=1)  # an event that takes any seat
SUMMARY = "title round cards dealer bids tricks rounds early"  # the keys that only its summary has
PHASES = ("BID", "TRICKS", "OVER")
# Each kind of entry, with long values: they must fit a line of the history
ENTRIES = [ev("bid", p=0, k=20), ev("tricks", p=0, k=20), ev("end_game")]


def short():
    """Return (set-up, events) of a short piece with everything a journal can hold; all events are taken."""
    return setup("bids", 3, title="W\u00ffzard", options={"sum": "not_equal", "most": 5}), [
        ev("bid", p=0, k=1),
        ev("bid", p=2, k=0),
        ev("bid", p=1, k=1),
        ev("tricks", p=1, k=0),
        ev("tricks", p=0, k=1),
        ev("undo"),
        ev("redo"),
        sure(ev("tricks", p=2, k=1)),
        ev("bid", p=1, k=2),
        ev("remove", at=6),
        ev("undo"),
        ev("correct", at=4, event=ev("tricks", p=0, k=0)),
        ev("bid", p=0, k=2),
    ]
