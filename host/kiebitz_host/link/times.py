"""When games were played that the device cannot date: it has no clock of its own while nobody has set it."""

from typing import Any

from .client import Value

# The time we give each of several undated games in a row: an evening of games, the last one just before the next
# moment that is known
GAME_S = 3600
# A clock that is further ahead than this was set wrongly
AHEAD_S = 86_400


def sensible_times(entries: list[Value], held: dict[str, Any], now: int) -> dict[str, tuple[int, bool]]:
    """(unix seconds, whether that is a guess) for each game of a device, listed the newest first.

    The order in which the games were begun is certain: a guess lies between its neighbours that are known.
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
    """Times for games in a row, the newest first, all of them between two moments."""
    step = GAME_S
    if lower is not None:
        step = max(0, min(GAME_S, (upper - lower) // (len(undated) + 1)))
    return {game_id: (upper - step * k, True) for k, game_id in enumerate(undated, 1)}
