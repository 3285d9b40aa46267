"""Draw the tables of a series: by lot, by the result of the series before, or so that people meet somebody new.

The same people, counts and seed give the same tables on every laptop: nothing depends on the time or on the order in
which people came.
"""

import random
from collections.abc import Mapping, Sequence
from itertools import combinations

from kiebitz.text import text

from ..outcome import Trouble

SEED_MAX = (1 << 31) - 1
SWAPS_MAX = 150_000  # examined for one draw; about 0.2 s

Pair = tuple[str, str]
Met = Mapping[Pair, int]  # how often a pair, in alphabetical order, sat at one table


def own_sizes(low: int, high: int) -> list[int]:
    """Return the sizes of tables for a game of `low` to `high` players, the best one first."""
    return [size for size in (4, 3, 5, 6, 2, *range(7, high + 1)) if low <= size <= high]


def table_sizes(people: int, sizes: Sequence[int]) -> list[int]:
    """Return the table sizes for a number of people: as few byes as possible, then the preferred sizes.

    sizes: those allowed, the best one first. Raises Trouble if there are too few people for one table.
    """
    if people < min(sizes):
        raise Trouble(text("club.too_few", n=people, size=min(sizes)))
    costs = {size: 0 if k == 0 else 10 ** (k - 1) for k, size in enumerate(sizes)}
    best: list[tuple[int, list[int]] | None] = [(0, [])] + [None] * people
    for seats in range(1, people + 1):
        for size in sizes:
            rest = best[seats - size] if size <= seats else None
            if rest is None:
                continue
            cost, tables = rest[0] + costs[size], [*rest[1], size]
            known = best[seats]
            if known is None or (cost, len(tables)) < (known[0], len(known[1])):
                best[seats] = (cost, tables)
    found = next(some[1] for some in reversed(best) if some is not None)
    return sorted(found, key=lambda size: sizes.index(size))


def draw_tables(
    people: Sequence[str],
    sizes: Sequence[int],
    method: str,
    seed: int,
    byes: Mapping[str, int] | None = None,
    points: Mapping[str, float] | None = None,
    met: Met | None = None,
) -> list[list[str]]:
    """Return the tables of a series. Those without a seat have had the fewest byes so far.

    method: lot; result: the best by `points` (greater is better) sit at the first table, those without points at the
    last one; meet: as few as possible sit with somebody whom they have met before.
    """
    chance = random.Random(seed)
    order = sorted(set(people))
    chance.shuffle(order)
    tables = table_sizes(len(order), sizes)
    free = len(order) - sum(tables)
    out = set(sorted(order, key=lambda name: (byes or {}).get(name, 0))[:free])
    order = [name for name in order if name not in out]
    if method == "result":
        known = points or {}
        order.sort(key=lambda name: (name not in known, -known.get(name, 0)))
    found, start = [], 0
    for size in tables:
        found.append(order[start : start + size])
        start += size
    return _mixed(found, met or {}, chance) if method == "meet" else found


def pair_of(one: str, other: str) -> Pair:
    """Return two people in alphabetical order."""
    return (one, other) if one < other else (other, one)


def meetings(draws: Sequence[Sequence[Sequence[str]]]) -> dict[Pair, int]:
    """Return how often each pair sat at one table."""
    found: dict[Pair, int] = {}
    for tables in draws:
        for table in tables:
            for pair in combinations(sorted(set(table)), 2):
                found[pair] = found.get(pair, 0) + 1
    return found


def cost_of(tables: Sequence[Sequence[str]], met: Met) -> int:
    """Return how many times the people at each table have met before."""
    return sum(met.get(pair, 0) for table in tables for pair in combinations(sorted(table), 2))


def _mixed(tables: list[list[str]], met: Met, chance: random.Random) -> list[list[str]]:
    """Swap people between tables while that lets more of them meet somebody new; start again while there is time."""
    best, least = tables, cost_of(tables, met)
    room = SWAPS_MAX
    while room > 0 and least > 0 and len(tables) > 1:
        order = [name for table in best for name in table]
        chance.shuffle(order)
        found = []
        for table in tables:
            found.append(order[: len(table)])
            order = order[len(table) :]
        cost, room = _improve(found, met, room)
        if cost < least:
            best, least = found, cost
    return best


def _improve(tables: list[list[str]], met: Met, room: int) -> tuple[int, int]:
    """Swap people until no swap helps. Returns (the cost then, swaps that may still be examined)."""
    names = [name for table in tables for name in table]
    times = {one: {other: met.get(pair_of(one, other), 0) for other in names} for one in names}
    at = {name: k for k, table in enumerate(tables) for name in table}
    # How often everybody has met the people at each table
    sums = {name: [sum(times[name][other] for other in table) for table in tables] for name in names}
    improved = True
    while improved and room > 0:
        improved = False
        for k, one in enumerate(names):
            for other in names[k + 1 :]:
                here, there = at[one], at[other]
                if here == there:
                    continue
                room -= 1
                a, b = sums[one], sums[other]
                if a[there] + b[here] - 2 * times[one][other] < a[here] + b[there]:
                    tables[here][tables[here].index(one)] = other
                    tables[there][tables[there].index(other)] = one
                    at[one], at[other] = there, here
                    for name in names:
                        change = times[name][other] - times[name][one]
                        sums[name][here] += change
                        sums[name][there] -= change
                    improved = True
    return cost_of(tables, met), room
