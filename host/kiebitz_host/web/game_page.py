"""Render the page of one game: score sheet, curve of the totals, entries, and changes."""

from collections.abc import Iterator
from typing import NamedTuple

from kiebitz.text import text
from kiebitz.text.describe import minutes_text

from ..games import on_laptop
from ..html import Child, Node, el, fragment, name, part_row, plain_name, scrolling, table
from ..league.evenings import day_of
from ..library import removals
from ..library.fixes import changed_entries
from ..library.store import Store
from ..show.entries import effect, variant_of
from ..show.game_sheet import ScoreSheet, facts_of, remarks, score_sheet
from ..show.present import FIX_STATES, moment, name_of, played
from .curves import Line, Tick, curves
from .frame import Visit, send_links, titled
from .games_list import won

TOTALS_MAX = 20  # rows of the table with the totals of the curve
LOG_MAX = 100  # entries per page: more would make it heavy
ROWS_MAX = 100  # of the sheet: beyond it, rounds are summed up, and the entries have the details
COLUMNS_MAX = 5  # of the sheet: more fit on a phone only with narrow heads
# How many rows of the sheet fit on one sheet of paper with the curve: (most rows, print style, tables side by side)
PRINTED = ((15, "", 1), (30, "long", 1), (56, "long", 2), (ROWS_MAX, "tiny", 3))
PRINTED_AS_LIST = ((56, "long alone", 1), *PRINTED[3:])  # without the curve


class Sheet(NamedTuple):
    """The data for the page of a game."""

    facts: dict
    standing: str  # a sentence about who has won or leads
    removed: list[dict]  # every deletion and restoration


def sheet_of(store: Store, number: int) -> Sheet:
    """Return the data of a game, with bidi-isolated names in all sentences."""
    facts = facts_of(store, number, plain_name)
    table = store.replayed(number).table
    standing = ""
    if table is not None:
        table.game.names = [plain_name(score["name"]) for score in facts["scores"]]
        standing = on_laptop(table.game.KIND).standing(table.game)
    return Sheet(facts, standing, removals.history(store, number))


def title_of(facts: dict) -> str:
    """Return the page title of a game."""
    return f"{name_of(facts)} · {text('sheet.title', n=facts['number'])}"


def game_page(visit: Visit, sheet: Sheet) -> Node:
    """Return the content of the page."""
    facts = sheet.facts
    parts: list[Child] = [titled(title_of(facts), _about(visit, facts))]
    parts += [el("p", remark, class_="warn") for remark in remarks(facts)]
    if facts["phase"] is None:
        return fragment(*parts, _trail(sheet), _actions(visit, facts))
    parts.append(send_links(visit, f"/games/{facts['number']}"))
    parts += [el("p", sheet.standing, class_="lead"), paper_sheet(facts)]
    if facts["entries"]:
        parts += [totals_curve(facts), _log(visit, facts)]
    return fragment(*parts, _trail(sheet), _actions(visit, facts))


def _about(visit: Visit, facts: dict) -> Node:
    """Return the line below the title: date, duration, variant."""
    when: Child = played(facts)
    if not visit.offline:
        when = el("a", when, href=f"/evening/{day_of(facts['at'])}")
    return fragment(when, *[f" · {words}" for words in circumstances(facts)])


def circumstances(facts: dict) -> list[str]:
    """Return the duration and the variant of a game, as far as they are known."""
    variant = variant_of(facts["setup"]) if facts["setup"] else ""
    took = minutes_text(facts["minutes"]) if facts["minutes"] else ""
    return [words for words in (took, variant) if words]


# --- the sheet ---


def paper_sheet(facts: dict) -> Node:
    """Return the sheet as on paper: a row for each round, a column for each player, totals, places and a legend."""
    sheet = score_sheet(facts, ROWS_MAX)
    players = [_head(p, who) for p, who in enumerate(sheet.names)]
    heads: list[Child] = ["", *players, *[el("span", head) for head in sheet.beside]]
    cells: list[list[Child]] = [[row.name, *row.cells] for row in sheet.rows]
    printed = PRINTED_AS_LIST if on_laptop(facts["game"]).ONE_LIST else PRINTED
    style, count = next(((style, count) for most, style, count in printed if len(cells) <= most), printed[-1][1:])
    each = max(1, -(-len(cells) // count))
    parts = []
    for k in range(0, max(len(cells), 1), each):
        foot = list(_foot(sheet)) if k + each >= len(cells) else []
        label = f"{text('web.sheet')} {k // each + 1}" if count > 1 else text("web.sheet")
        kind = "many" if len(heads) > COLUMNS_MAX else None
        parts.append(table(heads, cells[k : k + each], label, set(range(1, len(heads))), foot, kind))
    legend = el("p", sheet.legend, class_="quiet") if sheet.legend else None
    side_by_side = f"side-by-side of-{count}" if count > 1 else ""
    section = el("section", parts, class_=" ".join(filter(None, ["paper", style, side_by_side])))
    return fragment(section, legend)


def _head(p: int, who: str) -> Node:
    return el("span", name(who), class_=f"player seat-{p % 8}")


def _foot(sheet: ScoreSheet) -> Iterator[list[Child]]:
    """Yield the rows of totals and places; winners have a star beside their place."""
    if sheet.totals:
        yield [sheet.totals.name, *sheet.totals.cells]
    if sheet.places:
        stars = [el("span", " ★", role="img", aria_label=won()) if has_won else None for has_won in sheet.winners]
        places = [fragment(place, star) for place, star in zip(sheet.places.cells, stars, strict=True)]
        yield [sheet.places.name, *places, *[""] * len(sheet.beside)]


# --- the curve ---


def totals_curve(facts: dict) -> Node:
    """Return the curve of all totals, entry by entry, with the totals after each round as a table."""
    steps = totals_by_entry(facts)
    names = [score["name"] for score in facts["scores"]]
    lines = [Line(who, [step[p] for step in steps]) for p, who in enumerate(names)]
    parts = _parts(facts)
    own = on_laptop(facts["game"])
    ticks = [Tick(first - 1, own.row_name(part)) for part, first, _ in parts if part is not None]
    ticks = ticks or [Tick(k, str(k)) for k in range(0, len(steps), max(1, len(steps) // 8))]
    every = -(-len(parts) // TOTALS_MAX)
    rows: list[list[Child]] = [
        [own.row_name(part) if part else text("web.after", k=last), *steps[last]]
        for part, _, last in [*parts[every - 1 : -1 : every], parts[-1]]
    ]
    heads: list[Child] = [text("sheet.entry"), *[name(who) for who in names]]
    alternative = table(heads, rows, text("web.totals"), set(range(1, len(heads))))
    about = text("web.totals.about", names=", ".join(map(plain_name, names)))
    return fragment(
        el("h2", text("web.totals")), curves("totals", text("web.totals"), about, lines, ticks, alternative)
    )


def totals_by_entry(facts: dict) -> list[list[int]]:
    """Return the totals before the first entry and after each one."""
    totals = [score["score"] for score in facts["scores"]]
    steps = [totals]
    for item in reversed(facts["entries"]):
        totals = [total - change for total, change in zip(totals, item["changes"], strict=True)]
        steps.append(totals)
    return steps[::-1]


def _parts(facts: dict) -> list[tuple[str | None, int, int]]:
    """Return (label, first entry, last entry) of each round; in a game without rounds every entry is a part."""
    found: list[tuple[str | None, int, int]] = []
    for item in facts["entries"]:
        if found and found[-1][0] == item["part"] is not None:
            found[-1] = (item["part"], found[-1][1], item["entry"])
        else:
            found.append((item["part"], item["entry"], item["entry"]))
    return found


# --- the entries ---


def _log(visit: Visit, facts: dict) -> Node:
    """Return one page of the entries, each with a link to correct it if the visitor may change something."""
    first = 0 if visit.offline else _first_entry(visit, len(facts["entries"]))
    shown = facts["entries"] if visit.offline else facts["entries"][first : first + LOG_MAX]
    fixable = visit.may_change and facts["finished"] and not facts["deleted"] and not visit.offline
    fixed = changed_entries(facts["corrections"])
    names = [plain_name(score["name"]) for score in facts["scores"]]
    part: str | None = None
    body: list[Node] = []
    for item in shown:
        if item["part"] != part:
            part = item["part"]
            body.append(part_row(on_laptop(facts["game"]).row_name(part), 3 + fixable))
        words: Child = item["text"]
        if item["entry"] in fixed:
            words = el("mark", text("sheet.corrected", entry=item["text"]))
        body.append(_entry(facts, item, words, names, fixable))
    heads = [el("th", text(f"sheet.{key}"), scope="col") for key in ("number", "entry", "effect")]
    heads += [el("td")] if fixable else []
    log = el("table", el("thead", el("tr", heads)), el("tbody", body), class_="log")
    label = text("sync.entries")
    return el(
        "section",
        el("h2", label),
        scrolling(label, log),
        _log_pages(visit, first, len(facts["entries"])),
        class_="screen-only",
        aria_label=label,
    )


def _entry(facts: dict, item: dict, words: Child, names: list[str], fixable: bool) -> Node:
    k = item["entry"]
    link = None
    if fixable:
        place = f"/games/{facts['number']}/fix?entry={k}"
        link = el("td", el("a", text("web.correct"), href=place, aria_label=text("web.correct_entry", k=k)))
    return el(
        "tr",
        el("td", k, class_="n"),
        el("td", words),
        el("td", effect(item, names, facts["game"])),
        link,
        id=f"entry-{k}",
    )


def _first_entry(visit: Visit, count: int) -> int:
    """Return the position of the first entry on the requested page of the log."""
    word = visit.value("from")
    wanted = int(word[:9]) - 1 if word.isascii() and word.isdigit() else 0
    return max(0, min(wanted, count - 1)) // LOG_MAX * LOG_MAX


def _log_pages(visit: Visit, first: int, count: int) -> Node | None:
    if visit.offline or count <= LOG_MAX:
        return None
    links = []
    for start in range(0, count, LOG_MAX):
        words = f"{start + 1}–{min(start + LOG_MAX, count)}"
        here = "page" if start == first else None
        links.append(el("li", el("a", words, href=visit.same_page(**{"from": str(start + 1)}), aria_current=here)))
    return el("nav", el("ul", links), aria_label=text("sync.entries"), class_="pages")


# --- the changes ---


def _trail(sheet: Sheet) -> Node | None:
    """Return all corrections, deletions and restorations."""
    items = []
    for fix in sheet.facts["corrections"]:
        state = text(FIX_STATES[fix["state"]])
        if fix["undone"]:
            state = text("fix.undone_on", moment=moment(fix["undone"]))
        line = text("sheet.fix", k=fix["entry"], moment=moment(fix["made"]), what=fix["text"], state=state)
        items.append((fix["made"], line))
    for removal in sheet.removed:
        key = "web.trail.deleted" if removal["removed"] else "web.trail.restored"
        items.append((removal["made"], text(key, moment=moment(removal["made"]))))
    if not items:
        return None
    lines = [el("li", line) for _, line in sorted(items, key=lambda item: item[0])]
    return el("section", el("h2", text("web.trail")), el("ol", lines), class_="screen-only trail")


def _actions(visit: Visit, facts: dict) -> Node | None:
    """Return the links to all changes of this game; each one shows its effect before it is stored."""
    if visit.offline or not visit.may_change:
        return None
    place = f"/games/{facts['number']}"
    links = []
    if facts["deleted"]:
        links.append(("restore", "web.restore"))
    else:
        if any(fix["state"] != "undone" for fix in facts["corrections"]):
            links.append(("undo", "web.undo_fix"))
        if facts["finished"] and not facts["imported"]:
            links.append((f"fix?do=insert&entry={len(facts['entries'])}", "web.insert"))
        links.append(("delete", "web.delete"))
    buttons = [el("a", text(key), href=f"{place}/{end}", class_="button") for end, key in links]
    return el("section", el("h2", text("web.change")), el("div", buttons, class_="actions"), class_="screen-only")
