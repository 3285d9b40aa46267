"""Export results as CSV or JSON, and write files atomically."""

import csv
import io
import json
import os
import re
import secrets
import stat
import sys
from collections.abc import Callable, Iterable

from kiebitz import VERSION

from ..games import on_laptop
from ..library import fixes, people, query
from ..library.schema import minutes_of_game
from ..library.store import Store
from ..outcome import Trouble
from ..show.entries import variant_of
from ..show.present import name_of, public, public_fix, utc


def write_file(name: str, content: bytes) -> None:
    """Write a file atomically: to a temporary file, then rename it. Raises OSError if that fails.

    A symlink is followed and stays a link. Special files, such as devices and pipes, are written directly.
    """
    target = os.path.realpath(name)
    mode = _mode(name)
    is_special = mode is not None and not (stat.S_ISREG(mode) and os.path.isfile(target))
    if is_special or name.endswith(os.sep):
        with open(name, "wb") as file:
            file.write(content)
        return
    beside = os.path.join(os.path.dirname(target), f".kiebitz-{secrets.token_hex(8)}.tmp")
    with open(beside, "xb") as file:
        try:
            if mode is not None:
                os.chmod(beside, stat.S_IMODE(mode))
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            os.replace(beside, target)
        except BaseException:
            os.unlink(beside)
            raise


def write_output(content: str, name: str | None) -> None:
    """Write to standard output if the name is None or -, else atomically to a file; raise Trouble if that fails."""
    if name is None or name == "-":
        sys.stdout.write(content)
        return
    try:
        write_file(name, content.encode())
    except OSError as trouble:
        raise Trouble(f"cannot write {name}: {trouble.strerror}.") from None


def _mode(name: str) -> int | None:
    """Return the type and permissions of a file, following symlinks; None if it does not exist."""
    try:
        return os.stat(name).st_mode
    except FileNotFoundError:
        return None


_FORMULA = re.compile(r"((?:^|[;\t\r\n])\s*)([=+\-@\t\r\uff1d\uff0b\uff0d\uff20])")

# Name of a column -> its value: from a game with its seat number and its score, or from a game
_ABOUT_GAME: dict[str, Callable] = {
    "number": lambda game: game["number"],
    "id": lambda game: game["id"],
    "game": lambda game: game["game"],
    "date": lambda game: utc(game["at"]),
    "approximate": lambda game: game["approximate"],
    "finished": lambda game: game["finished"],
}
_NAME_AND_TIME: dict[str, Callable] = {"game_name": name_of, "minutes": lambda game: game["minutes"]}
SCORE_COLUMNS: dict[str, Callable] = {
    "seat": lambda seat, score: seat,
    "player": lambda seat, score: score["name"],
    "score": lambda seat, score: score["score"],
    "rank": lambda seat, score: score["rank"],
    "winner": lambda seat, score: score["winner"],
    "starts": lambda seat, score: score["starts"],
}
GAME_COLUMNS: dict[str, Callable] = {
    "corrected": lambda game: bool(game["fixes"]),
    "players": lambda game: len(game["scores"]),
    "events": lambda game: game["events"],
    "winners": lambda game: "; ".join(score["name"] for score in game["scores"] if score["winner"]),
    "scores": lambda game: "; ".join(f"{score['name']} {score['score']}" for score in game["scores"]),
}


def csv_text(columns: Iterable[str], rows: list[list]) -> str:
    """Return a table as CSV, without formulas that a spreadsheet would run."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(value) for value in row])
    return out.getvalue()


def _cell(value):
    """Return a value for CSV; prefix an apostrophe to text that a spreadsheet would run as a formula.

    This includes text after a semicolon, which separates cells in locales with a decimal comma.
    """
    if isinstance(value, bool):
        return int(value)
    return _FORMULA.sub(r"\1'\2", value) if isinstance(value, str) else value


def members_csv(people: list[dict]) -> str:
    """Return CSV with one row for each person, as `kiebitz players import` reads it."""
    rows = [[person["name"], person.get("number", ""), person.get("club", "")] for person in people]
    return csv_text(["name", "number", "club"], rows)


def with_minutes(store: Store, games: list[dict]) -> list[dict]:
    """Return the games with their duration in minutes; None if a game was not timed."""
    for game in games:
        game["minutes"] = minutes_of_game(store.db, game["number"])
    return games


def scores_csv(games: list[dict]) -> str:
    """Return CSV with one row for each player of each game."""
    rows = []
    for game in games:
        about, end = [[value(game) for value in part.values()] for part in (_ABOUT_GAME, _NAME_AND_TIME)]
        for seat, score in enumerate(game["scores"], 1):
            rows.append([*about, *[value(seat, score) for value in SCORE_COLUMNS.values()], *end])
    return csv_text([*_ABOUT_GAME, *SCORE_COLUMNS, *_NAME_AND_TIME], rows)


def games_csv(games: list[dict]) -> str:
    """Return CSV with one row for each game."""
    columns = {**_ABOUT_GAME, **GAME_COLUMNS, **_NAME_AND_TIME}
    return csv_text(columns, [[value(game) for value in columns.values()] for game in games])


def everything(store: Store, games: list[dict]) -> str:
    """Return all data of the games as JSON, including their journals."""
    return json.dumps({"kiebitz": VERSION, "games": [_whole(store, game) for game in games]}, indent=1) + "\n"


def _whole(store: Store, game: dict) -> dict:
    number = game["number"]
    journal, *others = store.histories(number)
    names = [score["name"] for score in game["scores"]]
    trail = fixes.history(store, number, names) if store.decided(number) else []
    own = on_laptop(game["game"])
    rounds = query.rounds(store.db, number)
    return {
        **public(game),
        "game_name": name_of(game),
        "variant": _variant(store, number) if game["phase"] else "",
        "rows": [{"label": label, "name": own.row_name(label), "points": points} for label, points in rounds],
        "corrections": [public_fix(fix) for fix in trail],
        "journal": journal,
        "other_histories": others,
    }


def for_bgstats(store: Store, games: list[dict]) -> list[dict]:
    """Return the games with the additional data that Board Game Stats needs."""
    ids = people.uuids(store.db)
    for game in games:
        number = game["number"]
        fixed = [one.made for one in store.decided(number) if one.kind in ("fix", "take back")]
        labels = [label for label, _ in query.rounds(store.db, number)]
        game["changed"] = max([game["received"], *fixed])
        game["rounds"] = sum(label.startswith(("round ", "game ")) for label in labels)
        game["variant"] = _variant(store, number)
        for score in game["scores"]:
            score["person_id"] = ids[score["name"]]
    return games


def _variant(store: Store, number: int) -> str:
    return variant_of(store.replayed(number).setup or {})
