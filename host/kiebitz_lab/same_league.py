"""Everything that a store shows, without what is different on every laptop: numbers, and the times of arrival."""

from kiebitz_host.league.table import facts
from kiebitz_host.library import fixes, people, query

LOCAL = ("number", "received")


def shown(store):
    """Return the leagues to the last digit, all games and corrections, and who is who."""
    db = store.db
    games = []
    for deleted in (False, True):
        for game in query.games(db, query.Filter(deleted=deleted)):
            trail = fixes.history(store, game["number"], [score["name"] for score in game["scores"]])
            whole = {key: value for key, value in game.items() if key not in LOCAL}
            games.append((game["id"], whole, trail, store.histories(game["number"])))
    names = dict(db.rows("SELECT id, name FROM people"))
    everybody = db.rows("SELECT uuid, name, spelling FROM people JOIN spellings ON person = people.id")
    played = {name for _, whole, _, _ in games for score in whole["scores"] for name in [score["name"]]}
    return {
        "games": sorted(games, key=lambda game: game[0]),
        "people": sorted(row for row in everybody if row[1] in played),
        "renames": people.renames(db),
        "leagues": {kind: _league(db, names, kind) for kind in (None, "poker_carre", "top_spot")},
    }


def _league(db, names, kind):
    league = query.league(db, query.Filter(game=kind, finished=True, early=False))
    told = facts(league, names, query.titles(db), kind, None, None)
    ratings = {names[person]: line.ratings for person, line in league.standings.items()}  # not rounded
    return told, ratings
