"""Build what is shown about a club's evening: JSON values, tables for the terminal, and rows for CSV."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from kiebitz.text import game_name, text

from ..league.club_evening import ClubGame, Evening, Season, Spot, spots_text
from ..league.money import MoneySheet, fees_text, money_text, plain_money
from ..league.season import EveningScores, Line
from ..library.decisions import Decision
from ..library.people import Member
from .present import utc

STANDING_COLUMNS = ("place", "name", "value", "points", "tables_won", "evenings")
MEMBER_COLUMNS = ("number", "club")
MONEY_COLUMNS = ("name", "stake", "lost_games", "fees", "prize", "balance", "settled")
CASH_BOX = "Cash box"


def evening_json(evening: Evening, results: dict[Spot, ClubGame], notes: list[str]) -> dict[str, Any]:
    """Return an evening for JSON."""
    rates = evening.rates
    return {
        "id": evening.key.partition("/")[2],
        "name": evening.name,
        "day": evening.day,
        "game": evening.game,
        "title": evening.title,
        "settings": evening.settings,
        "series": evening.series,
        "sizes": evening.sizes,
        "stake": rates.stake,
        "fees": [list(fee) for fee in rates.fees],
        "prizes": list(rates.prizes),
        "cancelled": evening.cancelled,
        "here": {str(series): names for series, names in evening.here.items()},
        "draws": [
            {
                "series": draw.series,
                "by": draw.method,
                "seed": draw.seed,
                "author": draw.author,
                "made": utc(draw.made),
                "tables": [
                    {"table": k, "people": table, "game": _number(results.get(Spot(draw.series, k)))}
                    for k, table in enumerate(draw.tables, 1)
                ],
                "byes": evening.byes(draw.series),
                "devices": {str(one.spot.table): one.device for one in evening.seats if one.spot.series == draw.series},
            }
            for draw in evening.draws.values()
        ],
        "teams": evening.teams,
        "notes": notes,
    }


def _number(game: ClubGame | None) -> int | None:
    return game.number if game else None


def evening_lines(evening: Evening, results: dict[Spot, ClubGame], notes: list[str]) -> list[str]:
    """Return an evening as lines of text."""
    what = game_name(evening.game, evening.title)
    series = "1 series" if evening.series == 1 else f"{evening.series} series"
    lines = [f"{evening.name}, {evening.day}: {what}, {series}{', cancelled' if evening.cancelled else ''}"]
    for number, here in evening.here.items():
        draw = evening.draws.get(number)
        lines.append("")
        if draw is None:
            lines.append(f"Series {number}, not drawn yet. Here: {', '.join(here) or 'nobody'}")
            continue
        lines.append(f"Series {number}, drawn by {draw.method}, seed {draw.seed}")
        for k, table in enumerate(draw.tables, 1):
            game = results.get(Spot(number, k))
            lines.append(f"  Table {k}: {', '.join(table)}{_points(game)}")
        if byes := evening.byes(number):
            lines.append(f"  Without a seat: {', '.join(byes)}")
    return [*lines, *(["", *notes] if notes else [])]


def _points(game: ClubGame | None) -> str:
    if game is None:
        return ""
    return f"  (game {game.number}: {', '.join(f'{name} {points}' for name, points, _ in game.seats)})"


def assigned_in_words(fact: dict[str, int]) -> str:
    """Return the sentence about a game that was assigned to a table."""
    return text("club.belongs", n=fact["game"], table=spots_text([Spot(fact["series"], fact["table"])]))


# --- standings ---


def standings_json(lines: list[Line], scores: EveningScores | None = None) -> list[dict[str, Any]]:
    """Return standings for JSON; `scores`: of a single evening, with the points of each series."""
    found = [dict(zip(STANDING_COLUMNS, _values(line), strict=True)) for line in lines]
    if scores is None:
        return found
    for line in found:
        own = {str(k): people[line["name"]].points for k, people in scores.series.items() if line["name"] in people}
        line["series"] = own
    return found


def standings_rows(
    lines: list[Line], scores: EveningScores | None = None, members: Mapping[str, Member] = MappingProxyType({})
) -> tuple[list[str], list[list]]:
    """Return (columns, rows) of standings for CSV, with the number and club of members as federations use them.

    scores: of a single evening, whose series get a column each.
    """
    series = sorted(scores.series) if scores else []
    rows = []
    for line in lines:
        own = [scores.series[number].get(line.name) for number in series] if scores else []
        facts = members.get(line.name)
        points = [score.points if score else None for score in own]
        rows.append([*_values(line), facts.number if facts else "", facts.club if facts else "", *points])
    return [*STANDING_COLUMNS, *MEMBER_COLUMNS, *[f"series_{number}" for number in series]], rows


def _values(line: Line) -> list:
    return [line.place, line.name, round(line.value, 2), line.points, line.wins, line.evenings]


def standings_table(lines: list[Line], scores: EveningScores | None, teams: bool):
    """Return standings for the terminal; `scores`: of a single evening, whose series get a column each."""
    from rich.text import Text  # slow to import, and not needed for JSON

    from ..terminal import shown, table

    series = sorted(scores.series) if scores else []
    more = [f"Series {number}" for number in series] if scores else ["Value", "Evenings"]
    heads = ["", "Team" if teams else "Player", *more, "Points", "Tables won"]
    sheet = table(*heads, numbers=(heads[0], *heads[2:]), wrap=heads[1:2])
    for line in lines:
        if scores:
            own = [scores.series[number].get(line.name) for number in series]
            cells = [str(score.points) if score else "·" for score in own]
        else:
            cells = [f"{line.value:.1f}", str(line.evenings)]
        place = str(line.place) if line.place else "·"
        sheet.add_row(place, Text(shown(line.name)), *cells, str(line.points), str(line.wins))
    return sheet


def seasons_json(seasons: list[Season]) -> list[dict[str, Any]]:
    """Return seasons for JSON."""
    return [{**one._asdict(), "key": one.key.partition("/")[2]} for one in seasons]


# --- money ---


def money_json(evening: Evening, sheet: MoneySheet) -> dict[str, Any]:
    """Return who pays and who gets, in cents, for JSON."""
    rows = money_rows(evening, sheet, cents=True)[:-1]
    return {"people": [dict(zip(MONEY_COLUMNS, row, strict=True)) for row in rows], "cash_box": sheet.box}


def money_rows(evening: Evening, sheet: MoneySheet, cents: bool = False) -> list[list]:
    """Return rows under MONEY_COLUMNS, the cash box last; amounts in cents, or as text like 0.50 for CSV."""

    def amount(value: int | None) -> object:
        return value if cents or value is None else plain_money(value)

    rows: list[list] = []
    for line in sheet.lines:
        paid = [amount(value) for value in (line.fees, line.prize, line.balance, evening.settled.get(line.name))]
        rows.append([line.name, amount(line.stake), line.lost, *paid])
    return [*rows, [CASH_BOX, amount(None), None, amount(None), amount(None), amount(sheet.box), None]]


def money_table(evening: Evening, sheet: MoneySheet):
    """Return who pays and who gets for the terminal."""
    from rich.text import Text  # as above

    from ..terminal import shown, table

    heads = ("Player", "Stake", "Lost", "Fees", "Prize", "Gets", "Settled")
    found = table(*heads, numbers=heads[1:], wrap=heads[:1])
    for line in sheet.lines:
        settled = evening.settled.get(line.name)
        found.add_row(
            Text(shown(line.name)), money_text(line.stake), str(line.lost), money_text(line.fees),
            money_text(line.prize), money_text(line.balance), "·" if settled is None else money_text(settled),
        )  # fmt: skip
    found.add_row(CASH_BOX, "", "", "", "", money_text(sheet.box), "")
    return found


# --- history ---


def history_json(made: list[Decision]) -> list[dict[str, Any]]:
    """Return the decisions about an evening for JSON."""
    gone = {one.values["decision"] for one in made if one.kind == "take back"}
    return [
        {
            "id": one.id,
            "made": utc(one.made),
            "author": one.author,
            "what": decision_in_words(one, made),
            "in_force": one.id not in gone,
        }
        for one in made
    ]


_DRAWN = {"lot": "club.did.lot", "result": "club.did.result", "meet": "club.did.meet"}
_DONE = {"settle": "club.did.settle", "cancel": "club.did.cancel"}


def decision_in_words(one: Decision, made: list[Decision]) -> str:
    """Return what a decision about an evening has changed."""
    values = one.values
    if one.kind == "evening":
        money = values["money"]
        none = text("club.did.none")
        return text(
            "club.did.evening", name=values["name"], day=values["day"], game=game_name(values["game"], values["title"]),
            series=values["series"], stake=money_text(money["stake"]), fees=fees_text(money["fees"]) or none,
            prizes=" ".join(map(money_text, money["prizes"])) or none,
        )  # fmt: skip
    if one.kind == "present":
        key = "club.did.here" if values["here"] else "club.did.gone"
        return text(key, names=", ".join(values["names"]), series=values["series"])
    if one.kind == "draw":
        return text(_DRAWN[values["method"]], series=values["series"], seed=values["seed"])
    if one.kind == "result":
        return ", ".join(_moved(game) for game in values["games"])
    if one.kind == "seats":
        table = spots_text([Spot(values["series"], values["table"])])
        return text("club.did.seats", table=table, device=values["device"][-6:])
    if one.kind == "team":
        key = "club.did.team" if values["names"] else "club.did.no_team"
        return text(key, name=values["name"], names=", ".join(values["names"]))
    if one.kind in _DONE:
        return text(_DONE[one.kind])
    other = next((known for known in made if known.id == values["decision"]), None)
    known = other and other.kind != "take back"
    return text("club.did.undo", what=decision_in_words(other, made) if other and known else values["decision"])


def _moved(game: dict[str, Any]) -> str:
    """Return to which table a game was assigned."""
    own = game["game"].rpartition("/")[0]
    if not game["series"]:
        return text("club.did.off", game=own)
    return text("club.did.to", game=own, table=spots_text([Spot(game["series"], game["table"])]))
