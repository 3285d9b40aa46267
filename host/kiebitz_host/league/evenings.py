"""Assign games to evenings, and find the best moments of an evening.

A game begun after midnight still belongs to the evening before.
"""

import time
from typing import NamedTuple

from kiebitz.store.table import Table
from kiebitz.text import text

from ..outcome import Trouble

DAY_BEGINS_H = 5  # a game at four in the morning belongs to the evening before


def day_of(seconds: int) -> str:
    """Return the day to which a timestamp belongs, like 2026-01-31."""
    here = time.localtime(seconds)
    noon = time.mktime((here.tm_year, here.tm_mon, here.tm_mday - is_night(here), 12, 0, 0, 0, 0, -1))
    return time.strftime("%Y-%m-%d", time.localtime(noon))


def is_night(here: time.struct_time) -> bool:
    """Return True if a local time belongs to the evening of the day before."""
    return here.tm_hour < DAY_BEGINS_H


def bounds(day: str) -> tuple[int, int]:
    """Return (first second, first second of the next day) of a day; raise Trouble for an invalid date."""
    try:
        parts = time.strptime(day, "%Y-%m-%d")
        since, until = [
            int(time.mktime((parts.tm_year, parts.tm_mon, parts.tm_mday + more, DAY_BEGINS_H, 0, 0, 0, 0, -1)))
            for more in (0, 1)
        ]
    except (ValueError, OverflowError):
        raise Trouble(f"{day!r} is not a date: write it like 2026-01-31.") from None
    return since, until


def day_in_words(day: str, long: bool = False) -> str:
    """Return a date like 31 Jan 2026 in the language in use; if `long`, with its weekday and the whole month."""
    parts = time.strptime(day, "%Y-%m-%d")
    months = text("date.months_long" if long else "date.months").split()
    words = text("date.words", d=parts.tm_mday, month=months[parts.tm_mon - 1], y=parts.tm_year)
    return text("date.weekday", weekday=text("date.weekdays").split()[parts.tm_wday], day=words) if long else words


class BestMoment(NamedTuple):
    """A highlight of an evening: who, in which game, and the number to show."""

    name: str
    game: dict
    n: int
    of: int = 0  # out of how many


class Course(NamedTuple):
    """The course of a game: totals and leaders before the first entry and after each one."""

    totals: list[list[int]]
    leaders: list[list[int]]


def course_of(table: Table) -> Course:
    """Replay a game and return its totals and leaders after each entry."""
    game = table.start()
    totals, leaders = [list(game.totals())], [list(game.leaders())]
    for event in table.events():
        game.apply(event)
        totals.append(list(game.totals()))
        leaders.append(list(game.winners() or game.leaders()))
    return Course(totals, leaders)


def highest_entries(played: list[tuple[dict, Course]]) -> list[BestMoment]:
    """Return the most points that one entry scored in each game, by its name; skip games where few points win."""
    best: dict[str, BestMoment] = {}
    for game, course in played:
        if is_low(game):
            continue
        for before, after in zip(course.totals, course.totals[1:], strict=False):
            for p, score in enumerate(game["scores"][: len(before)]):  # those who have not joined yet score nothing
                gain = after[p] - before[p]
                kind = game["game"]
                if gain > 0 and (kind not in best or gain > best[kind].n):
                    best[kind] = BestMoment(score["name"], game, gain)
    return list(best.values())


def longest_lead(played: list[tuple[dict, Course]]) -> BestMoment | None:
    """Return the player who was the sole leader for the most entries in a row."""
    best: BestMoment | None = None
    for game, course in played:
        run, who = 0, -1
        for seats in course.leaders[1:]:
            alone = seats[0] if len(seats) == 1 else -1
            run = run + 1 if alone == who and alone >= 0 else int(alone >= 0)
            who = alone
            if run > (best.n if best else 1):
                best = BestMoment(game["scores"][who]["name"], game, run, len(course.leaders) - 1)
    return best


def greatest_comeback(played: list[tuple[dict, Course]]) -> BestMoment | None:
    """Return the winner who had been the furthest behind."""
    best: BestMoment | None = None
    for game, course in played:
        winners = [p for p, score in enumerate(game["scores"]) if score["winner"]]
        if not game["finished"] or len(winners) != 1:
            continue
        p = winners[0]
        behind = max(
            abs(totals[seats[0]] - totals[p])
            for totals, seats in zip(course.totals, course.leaders, strict=True)
            if p < len(totals)  # the winner may have joined later
        )
        if behind > (best.n if best else 0):
            best = BestMoment(game["scores"][p]["name"], game, behind)
    return best


def closest_finish(games: list[dict]) -> tuple[dict, int] | None:
    """Return (game, points between first and second place) of the finished game that was closest."""
    best: tuple[dict, int] | None = None
    for game in games:
        if not game["finished"] or len(game["scores"]) < 2:
            continue
        first, second = sorted(game["scores"], key=lambda score: score["rank"])[:2]
        gap = abs(first["score"] - second["score"])
        if best is None or gap < best[1]:
            best = (game, gap)
    return best


def longest_run(games: list[dict]) -> BestMoment | None:
    """Return the player with the most wins in a row, counting only games they played; games in order of play."""
    runs: dict[str, int] = {}
    best: BestMoment | None = None
    for game in games:
        if not game["finished"]:
            continue
        for score in game["scores"]:
            who = score["name"]
            runs[who] = runs.get(who, 0) + 1 if score["winner"] else 0
            if runs[who] > (best.n if best else 1):
                best = BestMoment(who, game, runs[who])
    return best


def is_low(game: dict) -> bool:
    """Return True if the fewest points win in a game."""
    return bool(game.get("low"))
