"""Collect everything known about one stored game, for its sheet in a terminal, on a page and for programs."""

from collections.abc import Callable, Iterator

from kiebitz.store.table import Table
from kiebitz.text import text

from ..games import on_laptop
from ..library import fixes, query
from ..library.derived_tables import minutes_of_game
from ..library.store import Store
from .entries import entries
from .present import state_of


def _as_it_is(name: str) -> str:
    return name


def facts_of(store: Store, number: int, spell: Callable[[str], str] = _as_it_is) -> dict:
    """Return everything known about a game; `spell` makes the names of players what they are in sentences."""
    derived = store.replayed(number)
    facts = query.one(store.db, number)
    facts["minutes"] = minutes_of_game(store.db, number)
    facts["setup"] = derived.table.setup if derived.table else None
    facts["rows"] = sheet_rows(query.rounds(store.db, number), derived.table)
    names = [spell(score["name"]) for score in facts["scores"]]
    facts["entries"] = entries(derived.table, names) if derived.table else []
    facts["corrections"] = fixes.history(store, number, names)
    facts["histories"] = [len(lines) - 1 for lines in store.histories(number)]
    return facts


def sheet_rows(rows: list[tuple[str, list[int]]], table: Table | None) -> list[dict]:
    """Return the rows of the score sheet, each with what it adds beside the seats, if anything ever was there."""
    beside = on_laptop(table.game.KIND).rows_beside(table) if table else []
    sheet = [{"label": label, "points": points} for label, points in rows]
    if not any(any(more.values()) for more in beside):
        return sheet
    return [{**row, "beside": more} for row, more in zip(sheet, beside, strict=True)]


def remarks(facts: dict) -> Iterator[str]:
    """Yield remarks on everything unusual about a game."""
    if state := state_of(facts):
        yield state.capitalize() + "."
    if facts["flaw"]:
        line, _, code = facts["flaw"].partition(":")
        yield text("sheet.flaw", line=line, code=code)
    if facts["damaged"]:
        yield text("sheet.damaged")
    if len(facts["histories"]) > 1:
        lengths = ", ".join(map(str, facts["histories"]))
        yield text("sheet.histories", n=len(facts["histories"]), lengths=lengths)
