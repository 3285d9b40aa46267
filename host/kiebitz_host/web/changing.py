"""Change stored games in two steps: preview the effect on a page, then store exactly that."""

import hashlib
import json
from collections.abc import Mapping
from typing import NamedTuple

from kiebitz.store.events import encode
from kiebitz.text import text

from ..games import on_laptop
from ..html import Child, Node, el, fragment, name, plain_name, table
from ..library import fixes, query, removals
from ..library.fixes import Change, PreviewedFix, Unfit
from ..library.store import Store
from ..outcome import Trouble
from ..show.entries import in_words
from .forms import FormAsker, Unanswered, hidden
from .frame import Visit, address, titled

KINDS = ("correct", "insert", "remove")
CONFIRM = "confirm"


class Attempt(NamedTuple):
    """A change that is being previewed."""

    game: dict
    change: Change
    before: str  # the entry as it is now, as text
    fields: list[Node]
    trial: PreviewedFix | None
    refusal: str  # why the change is refused; empty if it is accepted or the form is incomplete
    doubt: str  # the question to confirm, if the entry is only doubted


def attempt(store: Store, number: int, kind: str, entry: int, answers: Mapping[str, str]) -> Attempt:
    """Preview a change without storing anything. Returns its effect; raises Trouble if the entry does not exist."""
    table = fixes.table_for(store, number, kind, entry)
    game = query.one(store.db, number)
    then = table.game_at(entry - 1)
    then.names = [score["name"] for score in game["scores"]]
    old = {} if kind == "insert" else table.event(entry - 1)
    before = ""
    if old:
        spelt = table.game_at(entry - 1)
        spelt.names = [plain_name(who) for who in then.names]
        before = in_words(old, spelt)
    change, fields, complete = Change(kind, entry), [], True
    if kind != "remove":
        asker = FormAsker(answers)
        try:
            event = on_laptop(game["game"]).ask(asker, then, old)
            if answers.get(CONFIRM):
                event = {**event, "confirm": True}
            change = Change(kind, entry, event)
        except Unanswered:
            complete = False
        fields = asker.fields
    if not complete or (kind == "correct" and not answers):
        return Attempt(game, change, before, fields, None, "", "")
    try:
        return Attempt(game, change, before, fields, fixes.tried(store, number, change), "", "")
    except Unfit as unfit:
        return Attempt(game, change, before, fields, None, "" if unfit.doubt else str(unfit), unfit.doubt)
    except Trouble as trouble:
        return Attempt(game, change, before, fields, None, str(trouble), "")


def seal(trial: PreviewedFix) -> str:
    """Return a hash of the previewed effect."""
    return hashlib.sha256(json.dumps(trial, default=str, sort_keys=True).encode()).hexdigest()[:20]


def store_change(store: Store, number: int, form: Mapping[str, str]) -> None:
    """Store a previewed change; raise Trouble if its effect has changed since, or if the form is invalid."""
    event = None
    kind, entry = form.get("do", ""), form.get("entry", "")
    if kind not in KINDS or not (entry.isascii() and entry.isdigit()):
        raise Trouble(text("web.form"))
    if kind != "remove":
        event = fixes.parse_event(form.get("event", ""))
    change = Change(kind, int(entry[:9]), event)
    with store.batch():
        try:
            trial = fixes.tried(store, number, change)
        except Unfit as unfit:
            raise Trouble(str(unfit)) from None
        if seal(trial) != form.get("seen"):
            raise Trouble(text("web.meanwhile", n=number))
        fixes.stored(store, number, change, trial)


def take_back(store: Store, number: int, form: Mapping[str, str]) -> None:
    """Undo the last correction, if it is still the one shown on the page."""
    with store.batch():
        if str(fixes.last_correction(store, number)[0]) != form.get("seen"):
            raise Trouble(text("web.meanwhile", n=number))
        fixes.take_back(store, number)


REMOVALS = {"delete": removals.delete, "restore": removals.restore}


# --- pages ---


def fix_page(visit: Visit, found: Attempt) -> Node:
    """Return the content of the page that corrects, inserts or removes an entry."""
    game, change = found.game, found.change
    place = f"/games/{game['number']}/fix"
    parts: list[Child] = [_headline(game, text(f"web.{change.name}_entry", k=change.entry))]
    if found.before:
        parts.append(el("p", text("web.entry_now", what=found.before), class_="lead"))
    parts.append(_other_kinds(place, change))
    if found.fields:
        parts.append(_questions(place, found))
    if found.refusal:
        parts.append(el("p", found.refusal, class_="warn", role="alert"))
    if found.trial:
        parts.append(_effect(game, found.trial))
        values: dict[str, str | int] = {"do": change.name, "entry": change.entry, "seen": seal(found.trial)}
        if change.event is not None:
            values["event"] = encode(change.event)
        parts.append(_store_form(place, game, hidden(**values)))
    return fragment(*parts)


def _headline(game: dict, words: str) -> Node:
    back = el("a", text("sheet.title", n=game["number"]), href=f"/games/{game['number']}")
    return titled(words, back)


def _other_kinds(place: str, change: Change) -> Node:
    links = [
        el(
            "li",
            el(
                "a",
                text(f"web.do.{kind}"),
                href=address(place, [("do", kind), ("entry", str(change.entry))]),
                aria_current="page" if kind == change.name else None,
            ),
        )
        for kind in KINDS
    ]
    return el("nav", el("ul", links), aria_label=text("web.change"), class_="choice kinds")


def _questions(place: str, found: Attempt) -> Node:
    doubt = None
    if found.doubt:
        box = el("input", type="checkbox", name=CONFIRM, value="1")
        doubt = el("p", el("label", box, " ", found.doubt, " ", text("web.sure")), class_="warn", role="alert")
    return el(
        "form",
        hidden(do=found.change.name, entry=found.change.entry),
        el("fieldset", el("legend", text("web.entry_new")), el("div", found.fields, class_="fields"), doubt),
        el("button", text("web.look"), type="submit"),
        method="get",
        action=place,
    )


def _effect(game: dict, trial: PreviewedFix) -> Node:
    """Render the effect of a change: the entry, all totals and places, and rounds whose end has moved."""
    names = [plain_name(score["name"]) for score in game["scores"]]
    what = fixes.in_words(trial.old, trial.new, names, game["game"])
    scores = [
        {"score": points, "rank": rank, "winner": won, "name": score["name"]}
        for score, (points, rank, won, _) in zip(game["scores"], trial.scores, strict=True)
    ]
    own = on_laptop(game["game"])
    moved = []
    for label, before, after in trial.moved:
        key = "fix.end_new" if before is None else "fix.end_gone" if after is None else "fix.end_moved"
        moved.append(el("li", text(key, round=own.row_name(label), before=before, after=after)))
    return el(
        "section",
        el("h2", text("sheet.effect")),
        el("p", what),
        before_and_after(game["scores"], scores),
        [el("p", text("fix.moves"), class_="warn"), el("ul", moved)] if moved else None,
    )


def before_and_after(before: list[dict], after: list[dict]) -> Node:
    """Return a table of totals and places before and after a change, with the differences marked."""
    rows: list[list[Child]] = []
    for then, now in zip(before, after, strict=True):
        same = _place(then) == _place(now)
        rows.append([name(then["name"]), _place(then), _place(now) if same else el("mark", _place(now))])
    heads = [text("sheet.player"), text("sheet.before"), text("web.afterwards")]
    unchanged = all(_place(then) == _place(now) for then, now in zip(before, after, strict=True))
    return fragment(
        table(heads, rows, text("sheet.effect"), {1, 2}),
        el("p", text("fix.no_effect")) if unchanged else None,
    )


def _place(score: dict) -> str:
    if not score["rank"]:
        return str(score["score"])
    return text("fix.won" if score["winner"] else "fix.place", score=score["score"], rank=score["rank"])


def _store_form(place: str, game: dict, fields: list[Node], key: str = "web.store") -> Node:
    back = el("a", text("web.leave"), href=f"/games/{game['number']}", class_="button")
    return el(
        "form", fields, el("button", text(key), type="submit", class_="main"), back,
        method="post", action=place, class_="actions",
    )  # fmt: skip


class Undoing(NamedTuple):
    """The last correction of a game, and the effect of undoing it."""

    game: dict
    key: str  # the id of the decision
    what: str
    scores: list[dict]


def undoing(store: Store, number: int) -> Undoing:
    """Return the effect of undoing the last correction; raise Trouble if there is none."""
    game = query.one(store.db, number)
    key, _, old, new = fixes.last_correction(store, number)
    names = [plain_name(score["name"]) for score in game["scores"]]
    before, after = [None if event is None else json.loads(event) for event in (old, new)]
    scores = [
        {"name": score["name"], "score": points, "rank": rank, "winner": won}
        for score, (points, rank, won, _) in zip(game["scores"], fixes.scores_without_last(store, number), strict=True)
    ]
    return Undoing(game, key, fixes.in_words(before, after, names, game["game"]), scores)


def undo_page(found: Undoing) -> Node:
    """Return the content of the page that undoes the last correction."""
    place = f"/games/{found.game['number']}/undo"
    return fragment(
        _headline(found.game, text("web.undo_fix")),
        el("p", found.what, class_="lead"),
        before_and_after(found.game["scores"], found.scores),
        _store_form(place, found.game, hidden(seen=found.key), "web.undo_fix"),
    )


def removal_page(game: dict, action: str) -> Node:
    """Return the content of the page that deletes or restores a game."""
    return fragment(
        _headline(game, text(f"web.{action}")),
        el("p", text(f"web.{action}.effect")),
        _store_form(f"/games/{game['number']}/{action}", game, [], f"web.{action}"),
    )
