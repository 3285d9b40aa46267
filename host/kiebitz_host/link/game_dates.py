"""Estimates when games were played that the device cannot date: its clock does not run until somebody sets it."""

from typing import Any

from .exchange import Value

# The time given to each of several undated games in a row: an evening of games, the last one just before the next known
# time
GAME_S = 3600
# A clock that is further ahead than this was set wrongly
AHEAD_S = 86_400


def sensible_times(entries: list[Value], held: dict[str, Any], now: int) -> dict[str, tuple[int, bool]]:
    """Return {game: (unix seconds, True if estimated)} for the games of a device, listed newest first.

    The order in which the games began is certain: an estimate is between its known neighbours.
    """
    times: dict[str, tuple[int, bool]] = {}
    undated: list[str] = []
    upper = now
    for entry in entries:
        known = _known(entry, held.get(entry["id"]), now)
        if known is None:
            undated.append(entry["id"])
            continue
        times.update(_guesses(undated, known[0], upper))
        times[entry["id"]] = known
        undated = []
        upper = min(upper, known[0])
    times.update(_guesses(undated, None, upper))
    return times


def _known(entry: Value, held: Any, now: int) -> tuple[int, bool] | None:
    at = entry.get("at", 0)
    if 0 < at <= now + AHEAD_S:
        return at, False
    return (held.played_at, held.approximate) if held else None


def _guesses(undated: list[str], lower: int | None, upper: int) -> dict[str, tuple[int, bool]]:
    """Return estimated times between two moments for games in a row, newest first."""
    step = GAME_S
    if lower is not None:
        step = max(0, min(GAME_S, (upper - lower) // (len(undated) + 1)))
    return {game_id: (upper - step * k, True) for k, game_id in enumerate(undated, 1)}
