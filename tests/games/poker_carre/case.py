"""Provide the data of PokerCarre for the tests of all games."""

from helpers.play import ev, setup

RULES = "2. PokerCarre"  # its section of docs/rules.md
NUMBERED = "PC"  # the beginning of its numbered cases
PLAYERS = (2, 5)
OPTIONS = {
    "turns": ("free", "follow"),
    "straight_needs_new_value": ("off", "on"),
    "set_of_seven": ("ten", "instant_win"),
}
FIRST = (ev("mark", p=0, rubric=1), ev("place", p=1, items=[["H", "set", 3]]))  # events with which a game may begin
BY_SEAT = ev("mark", rubric=1)  # an event that takes any seat
SUMMARY = "counts placed grid"  # the keys that only its summary has
PHASES = ("SETUP", "PLAY", "OVER")
# Each kind of entry, with long values: they must fit a line of the history
ENTRIES = [
    ev("layout", cards=""),
    ev("extra", card="g7", x=3, y=0),
    ev("place", p=2, card="a5", x=-1, y=-2),
    ev("place", p=2, items=[["H", "set", 3], ["V", "straight", 7]]),
    ev("skip", p=0),
    ev("turn", p=0),
    ev("finish"),
] + [ev(name, p=2, rubric=k) for name in ("mark", "unmark") for k in range(1, 6)]


def short():
    """Return (set-up, events) of a short piece with everything a journal can hold; all events are taken."""
    return setup("poker_carre", 3, mode="grid", players=["Änne", "J\u00fcrgen \"Jo\"", "Zo\u00eb"]), [
        ev("layout", cards="a1 a2 a3 b1 b2 b3 c1 c2 c3"),
        ev("extra", card="d2", x=1, y=3),
        ev("undo", k=2),
        ev("redo"),
        ev("redo"),
        ev("place", p=0, card="a4", x=3, y=0),
    ]
