"""Fit what arrives from devices and other laptops into the evenings of a club, and report what does not fit."""

from collections.abc import Collection, Iterable

from kiebitz.text import text

from ..league import club_evening as club
from ..league.club_evening import Spot
from ..league.evenings import day_of
from ..printable import capitalized
from .club_evenings import Evenings
from .decisions import Decision
from .store import Store

_DAY_S = 86_400


def clashes(store: Store, new: Iterable[Decision]) -> list[str]:
    """Return sentences about draws that a received decision has replaced, or that replace a received one."""
    ids = {one.id: one.about for one in new if one.kind == "draw"}
    if not ids:
        return []
    return [
        f"{evening.name}: {club.clash_in_words(draw, other)}"
        for evening in Evenings(store).all
        if evening.key in ids.values()
        for draw in evening.draws.values()
        for other in draw.replaced
        if draw.id in ids or other.id in ids
    ]


def assign_synced(store: Store, ids: Iterable[str], new: Collection[str] = ()) -> list[str]:
    """Assign the games of a device to the evenings of their days. Returns what was done, and what is open of `new`.

    A club's database may have a game before the sync of its device.
    """
    numbers = sorted(filter(None, map(store.number, ids)))
    asked = {store.number(game_id) for game_id in new}
    if not numbers:
        return []
    places = ", ".join("?" * len(numbers))
    times = [at for (at,) in store.db.rows(f"SELECT at FROM games WHERE number IN ({places})", *numbers)]
    days = {day_of(at + shift) for at in times for shift in (-_DAY_S, 0, _DAY_S)}
    said = []
    found = Evenings(store)
    for evening in found.all:
        spots = {spot for spot in evening.games.values() if spot}
        if evening.cancelled or evening.day not in days or not club.tables_of(evening).keys() - spots:
            continue
        done = found.assign_fitting(evening)
        for one in found.assigned(evening, done.fits):
            spot = Spot(one["series"], one["table"])
            said.append(text("club.belongs", n=one["game"], table=club.spots_text([spot])))
        said += [f"{capitalized(one.why)}." for one in done.asked if one.number in asked]
        if done.fits:
            found = Evenings(store)  # these games belong to no other evening
    return said
