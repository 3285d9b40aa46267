"""Draw the table of a game for a large screen. A game overrides the default with TABLE in its folder's `live.py`."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from kiebitz.store.table import Table
from kiebitz.text import text
from kiebitz.text.describe import describe

from ..html import Child, Node, el, name
from ..printable import printable
from . import on_laptop, part_of


@dataclass(frozen=True)
class TableSnapshot:
    """A game in play as it was after an entry or an undo."""

    game: Any  # a copy of the game, of a class in kiebitz.games
    before: Any  # the game as shown before; None if unknown
    entry: dict | None  # the last entry or undone entry, as returned by Table.last_event()
    undone: bool  # True if `entry` was undone
    rows: list[tuple[str, list[int]]]  # the rows of the sheet
    events: int  # in force
    flaw: str = ""


@dataclass(frozen=True)
class DeviceState:
    """The last known state of a device."""

    device: str  # its id
    port: str = ""
    board: str = ""
    lost: bool = False  # it was unplugged: `snapshot` is the last known one
    snapshot: TableSnapshot | None = None  # None: no game is being played
    version: int = 0  # counts the changes


def in_order(found: Iterable[DeviceState]) -> list[DeviceState]:
    """Return devices in list order: those with a game first, unplugged ones last."""
    return sorted(found, key=lambda seen: (seen.lost, seen.snapshot is None, seen.device))


def snapshot_of(table: Table, rows: list, flaw: str, last: TableSnapshot | None) -> TableSnapshot:
    """Return the snapshot of a table; `last` is the previous snapshot of the same game, if any."""
    events = len(table)
    game = table.game_at(events)
    undone = table.can_redo and (last is None or events < last.events or last.undone and events == last.events)
    entry = table.next_redo() if undone else table.last_event() if table.can_undo else None
    if last is not None:
        before = last.game
    else:
        before = table.game_at(events - 1) if events and not undone else None
    return TableSnapshot(game, before, entry, undone, rows, events, flaw)


CHIPS_MAX = 12  # more chips are shown as a number only


@cache
def live_table(kind: str) -> "LiveTable":
    """Return the live table of a game: an instance of the class in its folder, or of the default class."""
    module = part_of(kind, "live")
    return module.TABLE() if module else LiveTable()


class LiveTable:
    """Draw one game. The methods get the snapshot, which has the game as `snapshot.game`."""

    def markup(self, snapshot: TableSnapshot) -> Node:
        """Return the whole table."""
        game = snapshot.game
        return el(
            "article",
            el(
                "header",
                el("h1", self.title(game)),
                el("p", " · ".join(on_laptop(game.KIND).title(game)), class_="under"),
                class_="live-head",
            ),
            el("p", on_laptop(game.KIND).standing(game), class_="live-standing", dir="auto"),
            el("ol", [self._seat(snapshot, p) for p in range(game.n)], class_=f"live-seats seats-{game.n}"),
            el("div", self.picture(snapshot), class_="live-picture"),
            el("footer", self._open(snapshot), self._last(snapshot), self._flaw(snapshot), class_="live-foot"),
            class_=f"live-table live-{game.KIND.replace('_', '-')}" + (" live-over" if game.over else ""),
            data_aloud=self.aloud(snapshot),
        )

    def aloud(self, snapshot: TableSnapshot) -> str:
        """Return what is read aloud: the last entry, and who leads."""
        standing = on_laptop(snapshot.game.KIND).standing(snapshot.game)
        if snapshot.entry is None:
            return spoken(standing)
        what = self.entry_words(snapshot.game, snapshot.entry)
        said = text("web.aloud.undone", what=what, standing=standing) if snapshot.undone else f"{what}. {standing}"
        return spoken(said)

    # --- overridden by games ---

    def title(self, game: Any) -> Child:
        """Return the name of the game."""
        return name(game.title) if game.title else text(f"game.{game.KIND}")

    def picture(self, snapshot: TableSnapshot) -> Child:
        """Return the picture of the table, which is placed below or beside the players."""
        return None

    def facts(self, game: Any, p: int) -> list[tuple[str, Child]]:
        """Return (label, value) pairs of a player's amounts besides the total."""
        return []

    def badges(self, game: Any, p: int) -> list[str]:
        """Return short labels for a player: deals, starts, has passed."""
        return []

    def acting(self, game: Any) -> list[int]:
        """Return the seats that are to act now; empty if anybody may."""
        return []

    def open(self, game: Any) -> str:
        """Return a sentence about the next action."""
        return ""

    def entry_words(self, game: Any, entry: dict) -> str:
        """Describe an entry."""
        return describe(entry, [printable(one) for one in game.names], game.KIND)

    # --- parts ---

    def _seat(self, snapshot: TableSnapshot, p: int) -> Node:
        """Return the card of a player. Every colour is repeated by a word or a sign."""
        game = snapshot.game
        totals = game.totals()
        best = game.winners() or (game.leaders() if len(game.leaders()) < game.n else [])
        earlier = [] if snapshot.before is None else snapshot.before.totals()
        change = totals[p] - earlier[p] if p < len(earlier) else 0  # a player may have joined
        acting = p in self.acting(game) and not game.over
        words = [*self.badges(game, p), *([text("web.live.acts")] if acting else [])]
        if p in best:
            words.insert(0, text("web.live.won" if game.over else "web.live.leads"))
        classes = ["seat", f"seat-{p}", "best" if p in best else "", "acts" if acting else "", "new" if change else ""]
        return el(
            "li",
            el("span", el("span", initials(game.names)[p], class_="disc", aria_hidden="true"), name(game.names[p]),
               class_="who"),
            el("span", totals[p], " ", el("small", f"{change:+}", class_="change") if change else None, class_="total"),
            self._more(words, self.facts(game, p)),
            class_=" ".join(filter(None, classes)),
        )  # fmt: skip

    def _more(self, badges: list[str], facts: list[tuple[str, Child]]) -> Child:
        """Return the line below a name: badges, then facts."""
        if not badges and not facts:
            return None
        pairs = [el("div", el("dt", label), el("dd", value)) for label, value in facts]
        return el(
            "div",
            el("span", [el("span", word, class_="badge") for word in badges], class_="badges") if badges else None,
            el("dl", pairs, class_="facts") if pairs else None,
            class_="more",
        )

    def _open(self, snapshot: TableSnapshot) -> Child:
        words = "" if snapshot.game.over else self.open(snapshot.game)
        return el("p", words, class_="live-open", dir="auto") if words else None

    def _last(self, snapshot: TableSnapshot) -> Child:
        """Return the last entry, or the entry that was undone."""
        if snapshot.entry is None:
            return None
        words = self.entry_words(snapshot.game, snapshot.entry)
        key = "web.live.undone" if snapshot.undone else "web.live.entered"
        said = text(key, k=snapshot.events, what=words)
        return el("p", el("span", "↶ ", aria_hidden="true") if snapshot.undone else None, said,
                  class_="live-last undone" if snapshot.undone else "live-last", data_say=said, dir="auto")  # fmt: skip

    def _flaw(self, snapshot: TableSnapshot) -> Child:
        return el("p", snapshot.flaw, class_="warn") if snapshot.flaw else None


# Sign -> key of its word: voices pronounce signs differently, or not at all
_SPOKEN = {
    "♠": "web.aloud.S", "♥": "web.aloud.H", "♦": "web.aloud.D", "♣": "web.aloud.C", "←": "web.device.key.left",
    "→": "web.device.key.right", "↑": "web.device.key.up", "↓": "web.device.key.down",
}  # fmt: skip
_MINUS = re.compile(r"-(?=\d)")


def spoken(words: str) -> str:
    """Return a sentence for a synthetic voice, with words instead of suits and arrows."""
    for sign, key in _SPOKEN.items():
        words = words.replace(sign, f" {text(key)} ")
    words = " ".join(filter(None, _MINUS.sub("\N{MINUS SIGN}", words).split(" ")))
    return words.replace(" .", ".").replace(" ,", ",")


# --- shared by the pictures ---


def ring(kind: str, words: str) -> Node:
    """Return an entry of a legend: a ring as in the picture, and what it means."""
    circle = el("circle", cx=10, cy=10, r=8, class_=kind)
    sample = el("svg", circle, viewBox="0 0 20 20", aria_hidden="true", class_="sample")
    return el("span", sample, words, class_="ring")


def svg(width: int, height: int, label: str, *children: Child) -> Node:
    """Return a picture that scales with its container; `label` describes it."""
    return el("svg", *children, viewBox=f"0 0 {width} {height}", role="img", aria_label=label)


def words_at(x: float, y: float, words: Child, size: int, **attributes) -> Node:
    """Return an SVG text, by default centred on x."""
    attributes.setdefault("text_anchor", "middle")
    return el("text", words, x=_short(x), y=_short(y), font_size=size, **attributes)


def disc(x: float, y: float, radius: float, words: str, p: int, new: bool = False) -> Node:
    """Return a round piece in the colour of a seat, with its initials."""
    return el(
        "g",
        el("circle", cx=_short(x), cy=_short(y), r=_short(radius), class_="piece"),
        words_at(x, y + radius * 0.36, words, round(radius), class_="piece-words"),
        class_=f"seat-{p}" + (" new" if new else ""),
    )


def chip_pile(x: float, y: float, count: int, radius: float = 9, across: int = 6) -> Node:
    """Return chips in rows, centred on x, the lowest row at y; a large pile is abbreviated."""
    drawn = min(count, CHIPS_MAX)
    chips = []
    for k in range(drawn):
        row, column = divmod(k, across)
        in_row = min(across, drawn - row * across)
        chips.append(el("circle", cx=_short(x + (column - (in_row - 1) / 2) * radius * 2.1),
                        cy=_short(y - row * radius * 2.1), r=_short(radius)))  # fmt: skip
    return el("g", chips, class_="chips")


def dots(count: int) -> Node:
    """Return a few chips for a line of text that also shows their number."""
    return el("span", "●" * min(count, CHIPS_MAX), class_="dots", aria_hidden="true")


def initials(names: list[str]) -> list[str]:
    """Return unique initials of one or two letters for each name, or seat numbers if that fails."""
    clean = [printable(one) for one in names]
    for length in (1, 2):
        short = [one[:length].strip() or "?" for one in clean]
        short = [one[0].upper() + one[1:] for one in short]
        if len(set(short)) == len(short):
            return short
    return [str(p + 1) for p in range(len(names))]


def _short(number: float) -> str:
    """Format a coordinate without needless digits."""
    return f"{number:.1f}".rstrip("0").rstrip(".")
