"""Assigns wires to the parallel lanes beside the Pico, so that few of them cross."""

from collections.abc import Sequence
from itertools import combinations

Height = float
Wire = tuple[Height, Height]  # the height at which it comes in from the left, and leaves to the right


def arrange(wires: Sequence[Wire]) -> list[int]:
    """Return the lane of each wire, counted from the left; found by swapping lanes as long as that helps."""
    lanes = list(range(len(wires)))
    best = crossings(wires, lanes)
    better = True
    while better:
        better = False
        for i, j in combinations(range(len(wires)), 2):
            lanes[i], lanes[j] = lanes[j], lanes[i]
            count = crossings(wires, lanes)
            if count < best:
                best = count
                better = True
            else:
                lanes[i], lanes[j] = lanes[j], lanes[i]
    return lanes


def crossings(wires: Sequence[Wire], lanes: Sequence[int]) -> int:
    """Return how often wires cross in these lanes."""
    count = 0
    for i, j in combinations(range(len(wires)), 2):
        left, right = (i, j) if lanes[i] < lanes[j] else (j, i)
        count += _between(wires[right][0], wires[left]) + _between(wires[left][1], wires[right])
    return count


def _between(height: Height, wire: Wire) -> bool:
    return min(wire) < height < max(wire)
