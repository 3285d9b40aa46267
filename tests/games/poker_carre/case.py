"""Provide the data of PokerCarre for the tests of all games."""

from helpers.play import ev, game, play, setup

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


def put(p, text):
    """Return the event in which seat p puts a card on a cell, as "a4@3,0"."""
    card, cell = text.split("@")
    x, y = cell.split(",")
    return ev("place", p=p, card=card, x=int(x), y=int(y))


def build(g, text, p=1):
    """Let one seat put down many cards, so that the others' pads stay clean."""
    for word in text.split():
        play(g, put(p, word))


# The cards below the tested row; the 3 at the right border allows a 2 or a 4 beside it.
_BELOW = " f5 f2 g3 f3 f7 f6"


def square(row, n=2, **house_rules):
    """Return a grid game with this top row (x = 0..2, y = 0) laid out; its outer cells are free."""
    g = game("poker_carre", n, mode="grid", **house_rules)
    play(g, ev("layout", cards=row + _BELOW))
    return g


def items(g, text):
    """Return what the card would score on this cell, sorted."""
    card, cell = text.split("@")
    x, y = cell.split(",")
    return sorted([tuple(item) for item in g.items_at(card, int(x), int(y))])


def pad(g, p):
    """Return the five numbers of a player's pad."""
    return list(g.summary()["counts"][p])


def drift():
    """Return the events of a figure that is seven wide, and the placement that makes it eight wide."""
    cards = "b6@3,0 b2@-1,0 b1@-2,0 b4@3,1 b5@4,1".split()
    events = [ev("layout", cards="a3 a4 a5 f5 f2 g3 f3 f7 f6")] + [put(k % 2, card) for k, card in enumerate(cards)]
    return events, put(1, "c6@5,1")
