"""Fills a store for the tests of the pages: every kind of game, names and titles that would break a careless page."""

from helpers.finished import any_game, carre, counter, poch, royal, spot, unfinished
from kiebitz_host.library.store import Store

NOW = 1767700000  # 2026-01-06 11:46:40 UTC
MARKUP = "<b>Max</b> & Co"
QUOTES = "Jo \"J\" O'N'"
RIGHT_TO_LEFT = "\u202eevil\u202c שרה"
PLAIN = "שרה"
TITLE = "<i>Skyjo</i> \u202e\"5'"
NASTY = (MARKUP, QUOTES, RIGHT_TO_LEFT)
DAY_S = 86400
HOUR_S = 3600

GAMES = (
    royal(["Anna", MARKUP, QUOTES], [0, 1, 0], spent=[2, 1, 0]),
    poch(["Anna", RIGHT_TO_LEFT], [130, 70], dealer=0),
    carre([MARKUP, QUOTES, "Anna"], [3, 2, 5]),
    spot(["Anna", "Ben", MARKUP], [3, 2, 4], level="expert"),
    any_game(TITLE, ["Anna", MARKUP, RIGHT_TO_LEFT], [5, 7, 9], [20, -3, 4], [0, 1, 2], low=True),
    counter("Phase 10", ["Anna", "Ben"], (0, 20), (1, 10), (0, 40), start=0, limit=50),
    unfinished(royal(["Anna", "Ben"], [0, 1, 0])),
    royal(["Ben", "Anna"], [0, 0, 1]),
)
EVENING = "2026-01-04"  # the day of the last games


def fill(path, games=GAMES):
    """Store the games, four on an evening, the last evening on EVENING. Returns their numbers."""
    numbers = []
    with Store(path, now=lambda: NOW, say=lambda message: None) as store, store.batch():
        for k, lines in enumerate(games):
            game_id = f"aabbcc-{k + 1:04d}-{k + 1:06x}"
            evenings_ago = (len(games) - 1 - k) // 4
            at = NOW - 2 * DAY_S - evenings_ago * 7 * DAY_S + (k % 4) * HOUR_S + 6 * HOUR_S
            store.add_journal(game_id, lines, {"id": "e6aabbcc"}, at, False)
            numbers.append(store.number(game_id))
    return numbers
