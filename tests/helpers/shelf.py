"""Games on a flash for the tests: short Top Spot matches that begin, go on and end."""

from kiebitz.store.library import Library
from kiebitz_lab.laptop_stand_in import confirm

from helpers.play import ev, setup

DEVICE = "e66058388329c0ff"
NOW = 1700000000
TO_THE_END = (ev("point", p=1), ev("end_game"), ev("next_game"))


class Noise:
    """Random bytes that are the same in every test."""

    def __init__(self):
        self.k = 0

    def __call__(self, n):
        self.k += 1
        return bytes([self.k % 256] * n)


def games_on(storage, now=NOW):
    """Return what a device finds when it starts with this flash."""
    return Library(storage, DEVICE, Noise(), lambda: now)


def match():
    """Return a set-up: one game of Top Spot, three players."""
    return setup("top_spot", 3, match_length=1, confirm=True)


def play_all(games, events):
    for event in events:
        games.play(event)


class Evening:
    """Two games are played and one is removed; what was acknowledged is written down beside it."""

    def __init__(self, storage):
        self.storage = storage
        self.lines = {}  # game id -> event lines acknowledged
        self.gone = []  # games whose removal was begun
        self.running = None
        self.thrown = None
        self.games = games_on(storage)

    def begin(self):
        self.running = self.games.create(match())[0].id
        self.lines[self.running] = 0

    def play(self, *events):
        for event in events:
            self.games.play(event)
            self.lines[self.running] += 1

    def confirm(self):
        assert confirm(self.games, self.running, self.lines[self.running])

    def close(self):
        self.games.close()
        self.running = self.games.running

    def throw_away_and_bring_back(self):
        self.thrown = self.running  # may run or not, until it is back
        self.games.throw_away()
        self.games.thrown.bring_back(self.thrown)
        self.games.resume(self.thrown)
        self.thrown = None

    def remove(self):
        for game_id in self.games.removable():
            self.gone.append(game_id)
            self.games.remove(game_id)

    def steps(self):
        return (
            self.begin,
            lambda: self.play(*TO_THE_END),
            self.confirm,
            self.close,
            self.begin,
            lambda: self.play(ev("point", p=0), ev("undo"), ev("point", p=2)),
            self.remove,
            lambda: self.play(ev("point", p=2)),
            self.begin,
            lambda: self.play(ev("point", p=1)),
            lambda: self.play(*[ev("point", p=p) for p in (0, 1, 2, 0, 1, 2, 0)]),
            self.games.keep_state,
            lambda: self.play(ev("undo"), ev("point", p=1)),
            lambda: self.play(ev("insert", at=2, event=ev("point", p=0)), ev("remove", at=1)),
            self.throw_away_and_bring_back,
            lambda: self.play(ev("point", p=2)),
            self.close,
        )

    def whole(self):
        for step in self.steps():
            step()
        return self
