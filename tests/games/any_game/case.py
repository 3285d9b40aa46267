"""Provide the data of any other game for the tests of all games."""

from helpers.play import ev, setup, sure


def join(name, **points):
    return dict(points, ev="join", name=name)


NUMBERED = "AG"  # the beginning of its numbered cases
PLAYERS = (2, 8)
OPTIONS = {
    "turns": ("free", "follow"),
    "entry": ("rounds", "counter", "exchange"),
    "wins": ("high", "low"),
    "end": ("open", "target", "rounds"),
    "limit": (None,),
    "start": (0,),
    "sits_out": ("nobody", "dealer"),
    "ender": ("off", "doubles"),
}
NUMBERS = ("limit", "start")  # house rules that are numbers
NEEDS = {
    ("end", "target"): {"limit": 5},
    ("end", "rounds"): {"limit": 5},
    ("ender", "doubles"): {"wins": "low"},
}  # (rule, value) -> other rules that it needs
FIRST = (ev("points", p=0, k=7), ev("points", p=2, k=-3))  # events with which a game may begin
BY_SEAT = ev("points", k=1)  # an event that takes any seat
SUMMARY = "title round rounds now dealer early present teams factor ender"  # the keys that only its summary has
PHASES = ("PLAY", "OVER")
# Each kind of entry, with long values: they must fit a line of the history
ENTRIES = [
    ev("points", p=1, k=-100000),
    ev("add", p=1, k=-100000),
    ev("exchange", winners=[0, 1, 2], k=100000),
    ev("double", k=32),
    ev("ended", p=1),
    ev("away", p=1),
    ev("back", p=1),
    join("Eva"),
    join("Eva", k=-100000),
    ev("end_round"),
    ev("end_game"),
]


def short():
    """Return a piece of a game that ends in the middle of its second round."""
    return setup("any_game", 3, title="Sk\u00ffjo", options={"wins": "low", "end": "target", "limit": 100}), [
        ev("points", p=1, k=12),
        ev("points", p=0, k=-2),
        sure(ev("end_round")),
        ev("points", p=2, k=40),
        ev("undo"),
        ev("redo"),
        ev("remove", at=1),
        ev("undo"),
        ev("correct", at=0, event=ev("points", p=1, k=21)),
        ev("points", p=0, k=0),
    ]
