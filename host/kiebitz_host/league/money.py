"""Compute what everybody pays and gets at an evening, in whole cents; with the cash box the sum is always 0."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kiebitz.text import text
from kiebitz.text.describe import decimal_text

from ..outcome import Trouble
from ..printable import printable

_AMOUNT = re.compile(r"([0-9]{1,6})(?:[.,]([0-9]{1,2}))?", re.ASCII)


class Rates(NamedTuple):
    """Hold what an evening costs and what can be won; all in cents."""

    stake: int = 0
    fees: tuple[tuple[int, int], ...] = ()  # (how many lost games of a series, the fee for each); 0: all others
    prizes: tuple[int, ...] = ()  # for the first, second, ... place


class MoneyLine(NamedTuple):
    """Hold what one person pays and gets."""

    name: str
    stake: int
    lost: int  # games
    fees: int
    prize: int

    @property
    def balance(self) -> int:
        """Return what the person gets; below zero, what the person pays."""
        return self.prize - self.stake - self.fees


class MoneySheet(NamedTuple):
    """The lines of all people, and what the cash box gets (below zero: pays)."""

    lines: list[MoneyLine]
    box: int


def fee_for(lost: int, fees: Sequence[tuple[int, int]]) -> int:
    """Return the fee for the lost games of one series; games beyond the last step cost as much as that one."""
    total = fee = 0
    for count, fee in fees:
        some = min(lost, count) if count else lost
        total += some * fee
        lost -= some
    return total + lost * fee


def money_sheet(
    rates: Rates, people: Sequence[str], lost: Mapping[str, Sequence[int]], places: Mapping[str, int]
) -> MoneySheet:
    """Return who pays and who gets how much.

    people: who pays the stake; lost: the lost games of each series; places: of those who can win a prize, from 1.
    People at the same place share its prizes and the next ones; cents that cannot be shared stay in the cash box.
    """
    prizes: dict[str, int] = {}
    for place in set(places.values()):
        tied = [name for name, own in places.items() if own == place]
        share = sum(rates.prizes[place - 1 : place - 1 + len(tied)]) // len(tied)
        prizes.update(dict.fromkeys(tied, share))
    lines = []
    for name in dict.fromkeys([*people, *lost, *places]):
        series = lost.get(name, ())
        fees = sum(fee_for(games, rates.fees) for games in series)
        lines.append(MoneyLine(name, rates.stake if name in people else 0, sum(series), fees, prizes.get(name, 0)))
    return MoneySheet(lines, -sum(line.balance for line in lines))


def cents_of(word: str) -> int:
    """Return an amount like 0.50, 0,50 or 5 in cents; raise Trouble for any other text."""
    found = _AMOUNT.fullmatch(word)
    if not found:
        raise Trouble(text("club.no_amount", word=printable(word)))
    return int(found[1]) * 100 + int((found[2] or "0").ljust(2, "0"))


def fees_of(words: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Return fees like ["3x0.50", "1.00"]: the first three lost games of a series 0.50 each, all others 1.00."""
    found = []
    for k, word in enumerate(words):
        count, cross, amount = word.rpartition("x")
        if cross and not (count.isascii() and count.isdigit() and 0 < int(count[:6]) <= 10_000):
            raise Trouble(text("club.no_fee", word=printable(word)))
        if not cross and k < len(words) - 1:
            raise Trouble(text("club.last_fee", word=printable(word)))
        found.append((int(count) if cross else 0, cents_of(amount)))
    return tuple(found)


def fees_text(fees: Sequence[tuple[int, int]]) -> str:
    """Return fees as fees_of() reads them."""
    return " ".join(f"{count}x{money_text(fee)}" if count else money_text(fee) for count, fee in fees)


def money_text(cents: int) -> str:
    """Return an amount with the decimal mark of the language: 0.50, or −12.00."""
    return decimal_text(plain_money(cents)).replace("-", "−")


def plain_money(cents: int) -> str:
    """Return an amount for programs: 0.50, or -12.00."""
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02}"
