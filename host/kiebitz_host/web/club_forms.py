"""Render the forms that run a club's evening: people, draw, games, devices, money, teams, and what can be undone."""

from collections.abc import Mapping, Sequence

from kiebitz.games import GAMES
from kiebitz.text import game_name, listed, text

from ..html import Child, Node, el, fragment, name, plain_name, table
from ..league import club_evening as club
from ..league.club_evening import Evening, Season, Spot
from ..league.money import Rates, fees_text, money_text
from ..library.club_decisions import NAME_MAX, SERIES_MAX
from ..printable import capitalized, printable
from ..show.club_tables import decision_in_words
from ..show.present import local
from .club_page import HOW, WAYS, ClubEvening, place_of
from .forms import field, hidden, select

LETTERS_MAX = 600  # of the names of new people
SEPARATORS = ",;\n"  # between names


def forms_of(found: ClubEvening, devices: Sequence[tuple[str, str]]) -> list[Child]:
    """Return the forms of an evening: those above the tables, then those below the standings.

    devices: (id, name) of each Kiebitz that is plugged in.
    """
    evening = found.evening
    if evening.cancelled:
        return [_button(evening, "restore", text("club.page.restore")), _history(found)]
    above = el("div", _present(found), _draw(evening) if evening.here[1] else None)
    below = [_devices(found, devices), _games(found), _money(found), _team(found), _change(found), _history(found)]
    return [above, *below]


def _section(part: str, *content: Child) -> Node:
    return el("section", el("h2", text(f"club.page.{part}")), content, id=part, class_="screen-only")


def _form(evening: Evening, action: str, *content: Child, **attributes: str) -> Node:
    return el("form", content, method="post", action=place_of(evening, action), **attributes)


def _button(evening: Evening, action: str, words: str, *content: Child) -> Node:
    return _form(evening, action, content, el("button", words), class_="actions")


def _series(evening: Evening, chosen: int) -> Node:
    choices = [(str(k), str(k)) for k in evening.here]
    return field(text("club.page.from"), select("series", choices, str(chosen)))


# --- who is here, and the draw ---


def _present(found: ClubEvening) -> Node:
    """Return the list of people to tick. `was` has those who were ticked when the page was made."""
    evening = found.evening
    series = evening.next_series()
    here = evening.here[series]
    ticks = [
        el("label", el("input", type="checkbox", name=f"here.{k}", value=one, checked=one in here), " ", name(one))
        for k, one in enumerate(found.people)
    ]
    new = el("input", type="text", name="new", maxlength=LETTERS_MAX, dir="auto", autocomplete="off")
    return _section(
        "present",
        el("p", text("club.page.count", n=len(here)), class_="under"),
        _form(
            evening,
            "here",
            hidden(was="\n".join(here)),
            el("fieldset", el("legend", text("club.page.tick")), el("div", ticks, class_="ticks")) if ticks else None,
            el(
                "div",
                field(text("club.page.new"), new),
                _series(evening, series),
                el("button", text("web.store"), class_="main"),
                class_="actions",
            ),
        ),  # fmt: skip
    )


def ticked(form: Mapping[str, str]) -> tuple[list[str], list[str], list[str]]:
    """Return (people who are here now, people who are not any more, new names) of a form."""
    now = {value for key, value in form.items() if key.startswith("here.")}
    was = set(filter(None, form.get("was", "").splitlines()))
    words = form.get("new", "")[:LETTERS_MAX]
    for separator in SEPARATORS[1:]:
        words = words.replace(separator, SEPARATORS[0])
    new = [word.strip() for word in words.split(SEPARATORS[0]) if word.strip()]
    return sorted(now - was), sorted(was - now), new


def _draw(evening: Evening) -> Node:
    series = evening.next_series()
    again = series in evening.draws
    methods = [(method, text(key)) for method, key in HOW.items() if series > 1 or method != "result"]
    usual = "lot" if series == 1 else "result"
    box = None
    if again:
        tick = el("input", type="checkbox", name="again", value="1", required=True)
        box = el("label", tick, " ", text("club.page.again", n=series))
    seed = el("input", type="number", name="seed", min=0, placeholder=text("club.page.seed.any"))
    return _section(
        "draw",
        _form(
            evening, "draw", hidden(series=series), field(text("club.page.how"), select("by", methods, usual)),
            field(text("club.page.seed"), seed), box,
            el("button", text("club.page.draw_series", n=series), class_="main"), class_="actions",
        ),
    )  # fmt: skip


# --- devices and games ---


def _devices(found: ClubEvening, devices: Sequence[tuple[str, str]]) -> Node | None:
    """Return the form that gives tables to the devices which are plugged in."""
    evening = found.evening
    if not evening.draws:
        return None
    series = max(evening.draws)
    draw = evening.draws[series]
    whose = {one.device: one.spot.table for one in evening.seats if one.spot.series == series}
    fields: list[Node] = []
    free = [k for k, _ in enumerate(draw.tables, 1) if k not in whose.values()]
    for device, words in devices:
        own = whose.get(device) or (free.pop(0) if free else 0)
        choices = [("0", "–")]
        for k, people in enumerate(draw.tables, 1):
            choices.append((str(k), text("club.page.table_of", n=k, names=", ".join(people))))
        fields.append(field(words, select(f"table.{device}", choices, str(own))))
    sent = listed([f"{text('club.page.table', n=table)}: {device[-6:]}" for device, table in sorted(whose.items())])
    return _section(
        "devices",
        el("p", sent) if sent else None,
        _form(evening, "seats", hidden(series=series), fields, el("button", text("club.page.send")), class_="actions")
        if fields
        else el("p", text("club.page.no_device")),
    )


def _games(found: ClubEvening) -> Node | None:
    """Return the form that assigns all games that fit, and a question for each that does not."""
    evening = found.evening
    if not evening.draws:
        return None
    spots = [spot for spot in club.tables_of(evening) if spot not in found.results]
    choices = [("", text("web.choose")), *[(f"{spot.series}.{spot.table}", _spot(spot)) for spot in spots]]
    questions = [
        _form(
            evening, "game", el("p", capitalized(one.why), "."), hidden(number=one.number),
            field(text("club.page.its_table"), select("spot", choices, "", required=True)),
            el("button", text("club.page.assign")), class_="actions",
        )
        for one in found.asked
    ]  # fmt: skip
    taken = [
        _button(
            evening, "game", text("club.page.take_off", n=game.number), hidden(number=game.number, spot="off"),
            el("span", f"{capitalized(_spot(spot))}: "),
        )
        for spot, game in found.results.items()
    ]  # fmt: skip
    return _section(
        "games",
        _button(evening, "assign", text("club.page.assign_all")),
        questions,
        el("details", el("summary", text("club.page.taken", n=len(taken))), taken) if taken else None,
    )


def _spot(spot: Spot) -> str:
    return club.spots_text([spot])


# --- money, teams and the evening itself ---


def _money(found: ClubEvening) -> Node | None:
    """Return who pays and who gets how much, and the button that writes it down."""
    evening, sheet = found.evening, found.money
    if not sheet.lines or evening.rates == Rates():
        return None
    heads: list[Child] = [
        text("sheet.player"),
        *[text(f"club.field.{key}") for key in ("stake", "lost", "fees", "prize", "gets", "settled")],
    ]
    rows: list[list[Child]] = []
    changed = []
    for line in sheet.lines:
        settled = evening.settled.get(line.name)
        cents = [money_text(value) for value in (line.fees, line.prize, line.balance)]
        paid = "–" if settled is None else money_text(settled)
        rows.append([name(line.name), money_text(line.stake), line.lost, *cents, paid])
        if settled not in (None, line.balance):
            changed.append(plain_name(line.name))
    foot: list[Child] = [text("club.page.box"), "", "", "", "", money_text(sheet.box), ""]
    return _section(
        "money",
        table(heads, rows, text("club.page.money"), set(range(1, len(heads))), [foot]),
        el("p", text("club.page.box_pays", amount=money_text(-sheet.box)), class_="warn") if sheet.box < 0 else None,
        el("p", text("club.page.changed", names=listed(changed)), class_="warn") if changed else None,
        _button(evening, "settle", text("club.page.settle"), hidden(seen=sheet_seal(found))),
    )


def sheet_seal(found: ClubEvening) -> str:
    """Return what was shown of the money: the balances, so that nothing else is settled."""
    return " ".join(str(line.balance) for line in found.money.lines)


def _team(found: ClubEvening) -> Node:
    evening = found.evening
    members = evening.people()
    lines = [el("li", el("strong", name(team)), ": ", ", ".join(plain_name(one) for one in names))
             for team, names in evening.teams.items()]  # fmt: skip
    ticks = [
        el("label", el("input", type="checkbox", name=f"of.{k}", value=one), " ", name(one))
        for k, one in enumerate(members)
    ]
    team = el("input", type="text", name="team", maxlength=NAME_MAX, required=True, dir="auto", autocomplete="off")
    return _section(
        "teams",
        el("ul", lines) if lines else None,
        el(
            "details",
            el("summary", text("club.page.team_change")),
            _form(
                evening, "team",
                el("fieldset", el("legend", text("club.page.team_of")), el("div", ticks, class_="ticks")),
                el("div", field(text("club.page.team_name"), team), el("button", text("web.store")), class_="actions"),
            ),
        ),
    )  # fmt: skip


def _change(found: ClubEvening) -> Node:
    return _section(
        "change",
        el("details", el("summary", text("club.page.change_what")), rules_form(place_of(found.evening, "change"),
                                                                             found.evening)),
        _button(found.evening, "cancel", text("club.page.cancel")),
    )  # fmt: skip


def rules_form(action: str, old: Evening | None, today: str = "") -> Node:
    """Return the form that begins an evening, or changes one."""
    rates = old.rates if old else Rates()

    def words(key: str, value: str, **attributes: str | bool | int) -> Node:
        control = el("input", type="text", name=key, value=value or None, dir="auto", autocomplete="off", **attributes)
        return field(text(f"club.field.{key}"), control, _hint(key))

    games = sorted(((kind, game_name(kind)) for kind in GAMES), key=lambda item: item[1].casefold())
    series = el("input", type="number", name="series", min=1, max=SERIES_MAX, value=old.series if old else 1)
    prizes = " ".join(map(money_text, rates.prizes))
    settings = " ".join(f"{key}={value}" for key, value in old.settings.items()) if old else ""
    return el(
        "form",
        el(
            "div",
            words("name", old.name if old else "", maxlength=NAME_MAX, required=True),
            field(text("club.page.day"), el("input", type="date", name="day", value=old.day if old else today)),
            field(text("club.page.game"), select("game", games, old.game if old else games[0][0])),
            words("title", old.title if old else ""),
            words("settings", settings),
            field(text("club.page.series_n"), series),
            words("sizes", " ".join(map(str, old.sizes)) if old else ""),
            words("stake", money_text(rates.stake) if rates.stake else ""),
            words("fees", fees_text(rates.fees)),
            words("prizes", prizes),
            class_="fields",
        ),
        el("button", text("web.store"), class_="main"),
        method="post",
        action=action,
    )


def _hint(key: str) -> str | None:
    return text(f"club.hint.{key}") if key in ("title", "settings", "sizes", "fees", "prizes") else None


def season_form(today: str) -> Node:
    """Return the form that begins a season."""
    ways = [(way, text(key, n="N")) for way, key in WAYS.items()]
    title = el("input", type="text", name="name", maxlength=NAME_MAX, required=True, dir="auto", autocomplete="off")
    return el(
        "form",
        field(text("club.field.name"), title),
        field(text("period.from"), el("input", type="date", name="since", value=f"{today[:4]}-01-01", required=True)),
        field(text("period.to"), el("input", type="date", name="until", value=f"{today[:4]}-12-31")),
        field(text("club.page.counts"), select("by", ways, ways[0][0])),
        field(text("club.page.best"), el("input", type="number", name="best", min=1, max=1000, value=10)),
        field(text("club.page.least_n"), el("input", type="number", name="least", min=1, max=1000, value=1)),
        el("button", text("web.store")),
        method="post",
        action="/club/season",
        class_="actions",
    )


def _history(found: ClubEvening) -> Node:
    """Return who has changed what, and the button that takes the last change back."""
    made = found.history
    gone = {one.values["decision"] for one in made if one.kind == "take back"}
    lines = [
        el("li", f"{local(one.made)}, {printable(one.author)}: {printable(decision_in_words(one, made))}",
           f" ({text('club.page.undone')})" if one.id in gone else None)
        for one in made
    ]  # fmt: skip
    undo = None
    if found.last is not made[0]:
        words = text("club.page.undo", what=printable(decision_in_words(found.last, made)))
        undo = _button(found.evening, "undo", words, hidden(seen=found.last.id))
    return _section(
        "history",
        undo,
        el("details", el("summary", text("web.trail")), el("ul", lines, class_="trail")),
    )


def import_page(preview: Child, content: str) -> Node:
    """Return the form that takes members from a list, with a preview of what it changes."""
    area = el("textarea", content, id="list", name="list", rows=12, cols=60, spellcheck="false", required=True)
    form = el(
        "form",
        el("label", text("club.page.import_list"), for_="list"),
        area,
        el("p", el("button", text("web.look"), class_="main")),
        method="post",
        action="/club/members",
        class_="names",
    )
    return fragment(el("p", text("club.page.import_about"), class_="under"), form, preview)


def season_choice(seasons: Sequence[Season]) -> list[tuple[str, str]]:
    return [(one.name, one.name) for one in seasons]
