"""Correct finished games. A correction is a decision beside the journal; it can be undone but not erased."""

import json
from typing import NamedTuple

from kiebitz.games import Refused
from kiebitz.store.events import encode
from kiebitz.store.table import Table
from kiebitz.text import refusal, text
from kiebitz.text.describe import describe

from ..games import on_laptop
from ..outcome import Trouble
from .decisions import taken_back
from .derive import DerivedGame
from .store import Store


class Unfit(Exception):
    """The rules refuse the correction; the message gives the reason."""

    def __init__(self, sentence: str, doubt: str = ""):
        super().__init__(sentence)
        self.doubt = doubt  # the question to confirm, if the entry is only doubted


class Change(NamedTuple):
    """A change of the past: `correct`, `insert` before, or `remove` an entry, counted from 1."""

    name: str
    entry: int
    event: dict | None = None

    @property
    def for_table(self) -> dict:
        """The change as an event for a table."""
        return {"ev": self.name, "at": self.entry - 1, **({} if self.event is None else {"event": self.event})}


class PreviewedFix(NamedTuple):
    """The effect of a change: the entry and the ends of all rounds, before and after it."""

    change: Change
    old: dict | None
    new: dict | None
    ends_before: dict[str, int]  # label of a round -> number of the entry that closed it
    ends_after: dict[str, int]
    scores: list[tuple]  # after the change, as DerivedGame.scores() returns them

    @property
    def moved(self) -> list[tuple[str, int | None, int | None]]:
        """(round, entry that closed it, entry that closes it now) of each round whose end has moved."""
        labels = [*self.ends_before, *[label for label in self.ends_after if label not in self.ends_before]]
        ends = [(label, self.ends_before.get(label), self.ends_after.get(label)) for label in labels]
        return [(label, then, now) for label, then, now in ends if self._shifted(then) != now]

    def _shifted(self, entry: int | None) -> int | None:
        """Return the number of an entry after the change; None if the entry is removed."""
        if entry is None or (self.change.name == "remove" and entry == self.change.entry):
            return None
        step = {"insert": 1, "remove": -1}.get(self.change.name, 0)
        return entry + step if entry >= self.change.entry else entry


def parse_event(text: str) -> dict:
    """Parse an event written as JSON."""
    try:
        event = json.loads(text)
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict) or not isinstance(event.get("ev"), str):
        raise Trouble('an entry is written as one JSON object, like \'{"ev":"spend","p":0,"k":1}\'.')
    return event


def table_for(store: Store, number: int, name: str, entry: int) -> Table:
    """Return the table of a finished game that has this entry; raise Trouble if there is none."""
    game = store.replayed(number)
    _need_finished(game)
    assert game.table is not None
    if not 1 <= entry <= len(game.table) + (name == "insert"):
        raise Trouble(f"there is no entry {entry}: game {number} has {len(game.table)}; `kiebitz show` lists them.")
    return game.table


def _need_finished(game: DerivedGame) -> None:
    if game.imported:
        raise Trouble("these results were imported without entries: delete the game, and import the right results.")
    if game.table is None:
        raise Trouble("nothing of this game can be read, so nothing in it can be corrected.")
    if not game.finished:
        raise Trouble("this game is not over: correct it on the device, then sync again.")


def tried(store: Store, number: int, change: Change) -> PreviewedFix:
    """Try a change without storing it. Returns its effect; raises Unfit if refused, Trouble if it makes no sense."""
    table = table_for(store, number, change.name, change.entry)
    at = change.entry - 1
    old = None if change.name == "insert" else table.event(at)
    ends = _ends(table)
    try:
        table.play(change.for_table)
    except Refused as refused:
        raise _unfit(refused, change, table.game.names) from None
    new = None if change.name == "remove" else table.event(at)
    if encode(new) == encode(old):
        raise Trouble(f"entry {change.entry} of game {number} is already like that. Nothing was changed.")
    after = DerivedGame([], table=table)
    if not after.finished:
        raise Unfit(f"{text('fix.not_over')} {text('fix.unchanged')}")
    return PreviewedFix(change, old, new, ends, _ends(table), after.scores())


def _ends(table: Table) -> dict[str, int]:
    """Return {label of a round, or of a game in a match: number of the entry that closed it}."""
    game = table.start()
    part = on_laptop(game.KIND).part
    ends: dict[str, int] = {}
    for k, event in enumerate(table.events(), 1):
        before = part(game)
        game.apply(event)
        if before is not None and (part(game) != before or game.over):
            ends[before] = k
    return ends


def stored(store: Store, number: int, change: Change, seen: PreviewedFix | None = None) -> PreviewedFix:
    """Store a change. Returns its effect; raises Unfit if refused, Trouble if the effect differs from `seen`."""
    with store.batch():  # because nobody else may correct between the check and the change
        trial = tried(store, number, change)
        if seen is not None and trial != seen:
            raise Trouble(f"game {number} was changed meanwhile. Nothing was stored: look at it once more.")
        old, new = [None if event is None else encode(event) for event in (trial.old, trial.new)]
        store.decide(number, "fix", entry=change.entry - 1, old=old, new=new)
    return trial


def correct(store: Store, number: int, entry: int, event: dict) -> tuple[dict | None, dict | None]:
    """Replace entry `entry`, counted from 1, by another event.

    Returns (old event, new event); raises Unfit if refused.
    """
    trial = stored(store, number, Change("correct", entry, event))
    return trial.old, trial.new


def _unfit(refused: Refused, change: Change, names: list[str]) -> Unfit:
    """Return the refusal with a message that names the refused entry: the new one or a later one."""
    sentence = refusal(refused, names)
    why = f"{refused.code} - {sentence}"
    later = change.entry if refused.at is None else refused.at + 1
    own = refused.at is None or (change.name == "correct" and later == change.entry)
    is_doubt = refused.code.startswith("W_")
    if is_doubt:
        why += " " + text("fix.confirm", confirm='"confirm":true')
    told = text("fix.impossible", why=why) if own else text("fix.later", k=later, why=why)
    return Unfit(f"{told} {text('fix.unchanged')}", sentence if is_doubt and own else "")


def last_correction(store: Store, number: int) -> tuple[str, int, str | None, str | None]:
    """Return (id, entry, old, new) of the last correction in force; raises Trouble if there is none."""
    in_force = store.corrections(number)
    if not in_force:
        raise Trouble(f"game {number} has no correction to take back.")
    return in_force[-1]


def scores_without_last(store: Store, number: int) -> list[tuple]:
    """Return the scores without the last correction, as DerivedGame.scores() does."""
    return DerivedGame(store.histories(number)[0], store.corrections(number)[:-1]).scores()


def take_back(store: Store, number: int) -> dict:
    """Undo the last correction in force. Returns it."""
    with store.batch():
        last, entry, old, new = last_correction(store, number)
        store.decide(number, "take back", decision=last)
    return {"entry": entry + 1, "old": _event(old), "new": _event(new)}


def _event(stored: str | None) -> dict | None:
    return None if stored is None else json.loads(stored)


def history(store: Store, number: int, names: list[str]) -> list[dict]:
    """Return every correction ever made, with its state: in force, undone, or stale."""
    replayed = store.replayed(number)
    unfit, kind = replayed.unfit, replayed.kind
    decided = store.decided(number)
    undone = taken_back(decided)
    trail = []
    for one in decided:
        if one.kind != "fix":
            continue
        state = "undone" if one.id in undone else "no longer fits" if one.id in unfit else "in force"
        before, after = _event(one.values["old"]), _event(one.values["new"])
        trail.append(
            {
                "made": one.made,
                "author": one.author,
                "entry": one.values["entry"] + 1,
                "old": before,
                "new": after,
                "text": in_words(before, after, names, kind),
                "state": state,
                "undone": undone[one.id].made if one.id in undone else None,
            }
        )
    return trail


def changed_entries(trail: list[dict]) -> set[int]:
    """Return the current numbers of the entries that were corrected or inserted."""
    found: set[int] = set()
    for fix in trail:
        at = fix["entry"]
        if fix["state"] != "in force":
            continue
        if fix["old"] is None:
            found = {k + (k >= at) for k in found}
        if fix["new"] is None:
            found = {k - (k > at) for k in found if k != at}
        else:
            found.add(at)
    return found


def in_words(old: dict | None, new: dict | None, names: list[str], kind: str | None) -> str:
    """Describe a change: an entry replaced, inserted or removed."""
    if old is None:
        return text("fix.insert", new=_words(new, names, kind))
    if new is None:
        return text("fix.remove", old=_words(old, names, kind))
    before, after = _words(old, names, kind), _words(new, names, kind)
    return f"{before} -> {after}" if before != after else f"{encode(old)} -> {encode(new)}"


def _words(event: dict | None, names: list[str], kind: str | None) -> str:
    """Describe an event; return it as stored if it does not fit these players."""
    try:
        return describe(event, names, kind)
    except (KeyError, IndexError, TypeError, ValueError):
        return "" if event is None else encode(event)
