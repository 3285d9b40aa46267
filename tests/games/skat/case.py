"""Provide the data of Skat, and check its invariants after every event, for the tests of all games."""

from helpers.play import ev, setup
from helpers.watch import Watch

NUMBERED = "SK"  # the beginning of its numbered cases
PLAYERS = (3, 4)
OPTIONS = {
    "turns": ("free", "follow"),
    "score": ("plain", "seeger"),
    "series": (36,),
    "kontra": ("off", "on"),
    "ramsch": ("off", "on"),
}
NUMBERS = ("series",)  # house rules that are numbers
# Events with which a game may begin
DEFAULTS = {"series": 48}  # with four players
FIRST = (ev("play", p=0, game="C", tops=1, won=True), ev("play", p=1, game="N", mods="ho", won=False, bid=18))
BY_SEAT = ev("play", game="G", tops=-2, mods="h", won=True)  # an event that takes any seat
SUMMARY = "game_no dealer series points won lost early"  # the keys that only its summary has
PHASES = ("PLAY", "OVER")
# Each kind of entry, with long values: they must fit a line of the history
ENTRIES = [
    ev("play", p=0, game="C", tops=-11, mods="hsSbr", won=False, bid=264),
    ev("play", p=0, game="G", tops=-4, mods="hsSbBor", won=False),
    ev("play", p=0, game="N", mods="hor", won=True),
    ev("passed"),
    ev("ramsch", p=0, k=480),
    ev("end_game"),
]


def short():
    """Return (set-up, events) of a short piece with everything a journal can hold; all events are taken."""
    return setup("skat", 4, options={"score": "seeger", "kontra": "on", "ramsch": "on"}, dealer=1), [
        ev("play", p=0, game="C", tops=2, mods="S", won=True, bid=24),
        ev("passed"),
        ev("undo"),
        ev("redo"),
        ev("play", p=1, game="N", mods="hk", won=True, bid=46, confirm=True),
        ev("ramsch", p=1, k=74),
        ev("remove", at=2),
        ev("undo"),
        ev("correct", at=0, event=ev("play", p=2, game="G", tops=-1, won=False)),
        ev("play", p=3, game="D", tops=-3, mods="br", won=False, bid=48),
    ]


class SkatWatch(Watch):
    def before(self, event):
        super().before(event)
        self.dealer, self.games = self.game.dealer, self.game.games

    def after(self, event):
        super().after(event)
        g = self.game
        rows = [g.row(k) for k in range(g.games)]
        for p in range(g.n):
            own = [row for row in rows if row.p == p]
            assert g.points[p] == sum([row.points for row in own])
            assert g.won[p] == len([row for row in own if row.game and row.points > 0])
            assert g.lost[p] == len([row for row in own if row.game and row.points < 0])
        alone = len([row for row in rows if row.game])
        assert sum(g.won) + sum(g.lost) == alone <= g.games
        if g.by_seeger:
            others = (40 if g.n == 3 else 30) * (g.n - 1) * sum(g.lost)
            assert sum(g.totals()) == sum(g.points) + 50 * (sum(g.won) - sum(g.lost)) + others
        else:
            assert g.totals() == g.points
        entered = event["ev"] in ("play", "passed", "ramsch")
        assert g.games - self.games == entered and (g.dealer - self.dealer) % g.n == entered
        assert g.early <= g.over and (not g.series or g.games <= g.series)


WATCH = SkatWatch
