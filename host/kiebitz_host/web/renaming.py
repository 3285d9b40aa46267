"""Rename, join and separate players in two steps: preview the effect on a page, then store exactly that."""

import hashlib
import json
from collections.abc import Mapping
from typing import NamedTuple

from kiebitz.games.base import NAME_MAX
from kiebitz.text import text

from ..html import Child, Node, el, fragment, name, plain_name, table
from ..league.names import is_guest
from ..library import people
from ..library.decisions import Decision
from ..library.store import Store
from ..outcome import Trouble
from ..show.present import local
from .forms import field, hidden, select
from .frame import address, player_address, titled

# Kind of change -> the field with its second name: the new name, the other player, or the spelling to separate
FIELDS = {"rename": "new", "join": "other", "split": "spelling"}


class Change(NamedTuple):
    """A change of a player: its kind, the player's name, and the value of FIELDS."""

    kind: str
    name: str
    other: str


class Attempt(NamedTuple):
    """A change that is being previewed."""

    change: Change
    rows: list[tuple[str, int, int]]  # name, number of games before and after the change
    refusal: str  # why the change is refused; empty if it is accepted
    taken: bool  # the new name belongs to another player
    hidden: str  # the numbers of the player's games, if all of them are deleted


def change_in(kind: str, form: Mapping[str, str]) -> Change:
    """Return the change in a form; raise Trouble if a field is missing."""
    who, other = form.get("name", ""), form.get(FIELDS[kind], "").strip()
    if not who or not other:
        raise Trouble(text("web.form"))
    return Change(kind, who, other)


def attempt(store: Store, change: Change) -> Attempt:
    """Preview a change without storing anything. Returns its effect; raises Trouble if the player does not exist."""
    db, other = store.db, change.other
    person = people.find(db, change.name)
    who = people.name_of(db, person)
    count = people.games_of(db, person)
    rows, refusal, taken = [], "", False
    try:
        if change.kind == "rename":
            taken = people.named(db, other) not in (None, person)
            other = people.check_rename(db, person, other)
            if other == who:
                raise Trouble(text("fix.unchanged"))
            rows = [(who, count, 0), (other, 0, count)]
        elif change.kind == "join":
            joined = people.find(db, other)
            other = people.name_of(db, joined)
            people.check_join(db, person, joined)
            more = people.games_of(db, joined)
            rows = [(who, count, count + more), (other, more, 0)]
        else:
            people.check_split(db, other)
            own = people.games_under(db, other)
            rows = [(who, count, count - own), (other, 0, own)]
    except Trouble as trouble:
        refusal = text("web.rename.taken", name=plain_name(other)) if taken else str(trouble)
    return Attempt(Change(change.kind, who, other), rows, refusal, taken, people.only_deleted(db, person))


def seal(found: Attempt) -> str:
    """Return a hash of the previewed effect."""
    return hashlib.sha256(json.dumps(found).encode()).hexdigest()[:20]


def store_change(store: Store, kind: str, form: Mapping[str, str]) -> str:
    """Store a previewed change. Returns the player's name; raises Trouble if its effect has changed since."""
    with store.batch():
        found = attempt(store, change_in(kind, form))
        who, other = found.change.name, found.change.other
        if found.refusal:
            raise Trouble(found.refusal)
        if seal(found) != form.get("seen"):
            raise Trouble(text("web.people.meanwhile"))
        person = people.find(store.db, who)
        if kind == "rename":
            return people.rename(store.db, person, other)
        if kind == "join":
            people.join(store.db, person, people.find(store.db, other))
        else:
            people.split(store.db, other)
    return who


# --- pages ---


def change_page(found: Attempt) -> Node:
    """Return the content of the page that previews a change."""
    kind, who, other = found.change
    back = player_address(who)
    parts: list[Child] = [titled(text(f"web.{kind}"), el("a", name(who), href=back))]
    if found.refusal:
        parts.append(el("p", found.refusal, class_="warn", role="alert"))
        if found.taken:
            place = address("/people/join", [("name", other), ("other", who)])
            parts.append(el("p", el("a", text("web.join"), href=place, class_="button")))
        return fragment(*parts)
    names = {"rename": {"old": who, "new": other}, "join": {"name": who, "other": other}, "split": {"name": other}}
    values = {key: plain_name(value) for key, value in names[kind].items()}
    parts.append(el("p", text(f"web.{kind}.effect", **values), class_="lead"))
    guest, known = (other, who) if kind == "join" else (who, other)
    if kind != "split" and is_guest(guest):
        parts.append(el("p", text("people.guest", guest=plain_name(guest), name=plain_name(known))))
    if found.hidden:
        parts.append(el("p", text("people.hidden", numbers=found.hidden)))
    heads = [text("sheet.player"), text("sheet.before"), text("web.afterwards")]
    rows: list[list[Child]] = [[name(who), *[_games(count) for count in counts]] for who, *counts in found.rows]
    form = el(
        "form",
        hidden(name=who, **{FIELDS[kind]: other}, seen=seal(found)),
        el("button", text("web.store"), type="submit", class_="main"),
        el("a", text("web.leave"), href=back, class_="button"),
        method="post", action=f"/people/{kind}", class_="actions",
    )  # fmt: skip
    return fragment(*parts, table(heads, rows, text("sheet.effect"), {1, 2}), form)


def _games(count: int) -> str:
    return text("web.games.count", n=count) if count else "–"


def change_forms(who: str, also: list[str], others: list[str]) -> Node:
    """Return the forms on the page of a player: rename, join with another player, and separate a spelling."""
    new = el("input", type="text", name="new", maxlength=NAME_MAX, required=True, dir="auto", autocomplete="off")
    forms = [_form("rename", who, text("web.rename.new"), new)]
    if others and not is_guest(who):  # a guest would keep the name
        choices = [("", text("web.choose")), *[(one, one) for one in others]]
        label = text("web.join.other", name=plain_name(who))
        forms.append(_form("join", who, label, select("other", choices, "", required=True)))
    if also:
        spellings = select("spelling", [(one, one) for one in also], also[0])
        forms.append(_form("split", who, text("web.split.of"), spellings))
    return el("section", el("h2", text("web.change")), forms, class_="screen-only")


def _form(kind: str, who: str, label: str, control: Node) -> Node:
    button = el("button", text(f"web.{kind}"), type="submit")
    return el("form", hidden(name=who), field(label, control), button, method="get", action=f"/people/{kind}",
              class_="actions")  # fmt: skip


def trail(made: list[Decision]) -> Node | None:
    """Return the list of decisions about a player, oldest first."""
    lines = [el("li", f"{local(one.made)}: {_in_words(one)}") for one in made]
    return fragment(el("h2", text("web.trail")), el("ul", lines, class_="trail")) if lines else None


def _in_words(one: Decision) -> str:
    values = {key: plain_name(value) for key, value in one.values.items()}
    if one.kind == "rename":
        return text("people.renamed", old=values["name"], new=values["new"])
    return text("people.joined", **values) if one.kind == "join" else text("people.split", **values)
