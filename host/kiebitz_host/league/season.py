"""Count the points of an evening and of a season: who has which place, alone and in teams."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from .club_evening import ClubGame, Evening, Spot
from .names import is_guest

AVERAGE, SUM, BEST = "average", "sum", "best"


class Score(NamedTuple):
    """The points and tables won of a person in a series or at an evening."""

    points: int = 0
    wins: int = 0

    def plus(self, points: int, wins: int) -> "Score":
        """Return the score with more points and wins."""
        return Score(self.points + points, self.wins + wins)


class EveningScores(NamedTuple):
    """The scores of an evening: by series, and all together."""

    evening: Evening
    low: bool
    series: dict[int, dict[str, Score]]
    total: dict[str, Score]


class Line(NamedTuple):
    """A line of standings; `place` is None for a person with too few evenings."""

    place: int | None
    name: str
    value: float  # by which the places are given
    points: int
    wins: int
    evenings: int
    counted: int  # evenings that count


def scores_of(evening: Evening, results: Mapping[Spot, ClubGame]) -> EveningScores:
    """Return the scores of an evening from the games of its tables. Guests have none."""
    series: dict[int, dict[str, Score]] = {}
    total: dict[str, Score] = {}
    low = False
    for spot, game in results.items():
        low = game.low
        own = series.setdefault(spot.series, {})
        for name, points, won in game.seats:
            if not is_guest(name):
                own[name] = own.get(name, Score()).plus(points, won)
                total[name] = total.get(name, Score()).plus(points, won)
    return EveningScores(evening, low, series, total)


def of_teams(scores: EveningScores) -> EveningScores:
    """Return the same with the sum of a team's members; people without a team are left out."""
    team_of = {name: team for team, names in scores.evening.teams.items() for name in names}

    def summed(people: Mapping[str, Score]) -> dict[str, Score]:
        found: dict[str, Score] = {}
        for name, score in people.items():
            if name in team_of:
                found[team_of[name]] = found.get(team_of[name], Score()).plus(*score)
        return found

    return scores._replace(
        series={number: summed(people) for number, people in scores.series.items()}, total=summed(scores.total)
    )


def evening_lines(scores: EveningScores) -> list[Line]:
    """Return the standings of an evening."""
    return season_lines([scores], SUM)


def season_lines(
    evenings: Iterable[EveningScores], by: str = AVERAGE, best: int = 1, least: int = 1, low: bool | None = None
) -> list[Line]:
    """Return the standings over evenings, best first.

    by: the average of the points per evening, their sum, or the sum of the `best` evenings. With equal values who has
    won more tables is ahead; then the place is shared. Where the fewest points win, an evening missed must be no
    advantage: with `sum` and `best` those with more evenings that count are ahead. Who was at fewer than `least`
    evenings has no place.
    """
    evenings = list(evenings)
    fewest = any(one.low for one in evenings) if low is None else low
    played: dict[str, list[Score]] = {}
    for one in evenings:
        for name, score in one.total.items():
            played.setdefault(name, []).append(score)
    keyed = []
    for name, scores in played.items():
        line = _line(name, scores, by, best, fewest)
        missed = -line.counted if fewest and by != AVERAGE else 0
        value = round(line.value, 9)
        keyed.append(((len(scores) < least, missed, value if fewest else -value, -line.wins), line))
    keyed.sort(key=lambda one: (one[0], one[1].name))
    return _placed(keyed)


def _line(name: str, scores: Sequence[Score], by: str, best: int, low: bool) -> Line:
    points = [score.points for score in scores]
    counted = sorted(points, reverse=not low)[:best] if by == BEST else points
    value = sum(counted) / len(counted) if by == AVERAGE else float(sum(counted))
    return Line(None, name, value, sum(points), sum(score.wins for score in scores), len(scores), len(counted))


def _placed(keyed: list[tuple[tuple, Line]]) -> list[Line]:
    """Return the lines with their places; equal keys share one."""
    found: list[Line] = []
    place, last = 0, None
    for k, (key, line) in enumerate(keyed, 1):
        if key != last:
            place, last = k, key
        found.append(line._replace(place=None if key[0] else place))
    return found
