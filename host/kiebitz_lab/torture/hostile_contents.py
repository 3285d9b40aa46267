"""Make hostile journals and decisions from valid ones: every field, every limit, every kind of text."""

import json
import random
from collections.abc import Callable
from typing import Any

from kiebitz_host.library import decisions
from kiebitz_host.library.journal_record import HISTORIES_MAX, RECORD_MAX, TIME_MAX, History, Record, decode, key_of
from kiebitz_host.library.journal_record import united as in_order

TEXTS = (
    "", " ", "~", "a~b", "~~", "\x00", "a\x00b", "\ud800", "\udfff\ud800", "\n", "a\nb", "\r", "\x1b[2J", "\x7f",
    "\x9b", "\u2028", "\u00a0", "\u202e", "\U0001f0a1", "/", "a/b", "..", "%", "_", "?", "'", '"', "\\", "<b>", "NaN",
    "null", "file-0123456789ab", "x" * 80, "x" * 81, "x" * 201, "\u00e9" * 3000, "x" * 30000,
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2, 255, 1 << 15, 1 << 31, (1 << 31) - 1, 1 << 53, 1 << 63, 1 << 64, 10**30, 0.5, -0.0,
    [], {}, [[]], [0], {"": 0}, TIME_MAX, TIME_MAX + 1, decisions.TIME_MAX_MS, decisions.TIME_MAX_MS + 1,
)  # fmt: skip

EDGES = {  # valid values of decisions about evenings that no laptop writes
    "day": ("0001-01-01", "9999-12-31", "1969-12-31"), "since": ("0001-01-01", "9999-12-31"),
    "title": ("Jass", "\u202e", "x" * 24), "game": ("nosuchgame", "any_game", "skat", "_"),
}  # fmt: skip


def strange(chance: random.Random) -> Any:
    """Return a value that a field does not expect."""
    pick = chance.randrange(8)
    if pick < 4:
        return chance.choice(TEXTS)
    if pick < 7:
        return chance.choice(VALUES)
    nested: Any = 0
    for _ in range(chance.choice((5, 100, 900))):
        nested = [nested]
    return nested


def _changed(chance: random.Random, value: Any) -> Any:
    """Replace, remove or add something anywhere in a JSON value. Returns the new value."""
    if isinstance(value, dict) and value and chance.random() < 0.8:
        key = chance.choice(sorted(value))
        pick = chance.randrange(8)
        if pick == 0:
            return {name: value[name] for name in value if name != key}
        if pick == 1:
            return {**value, chance.choice(TEXTS): strange(chance)}
        return {**value, key: _changed(chance, value[key])}
    if isinstance(value, list) and value and chance.random() < 0.8:
        k = chance.randrange(len(value))
        pick = chance.randrange(6)
        if pick == 0:
            return [*value[:k], *value[k + 1 :]]
        if pick == 1:
            return [*value, *value] if len(value) < 1000 else value
        return [*value[:k], _changed(chance, value[k]), *value[k + 1 :]]
    if isinstance(value, str) and value and chance.random() < 0.5:
        k = chance.randrange(len(value) + 1)
        return value[:k] + chance.choice(TEXTS)[:5000] + value[k:]
    return strange(chance)


def _changed_line(chance: random.Random, line: str) -> str:
    """Change a line of a journal, most often within its JSON."""
    pick = chance.randrange(10)
    if pick == 0:
        return chance.choice(TEXTS).replace("\n", "")
    if pick == 1:
        k = chance.randrange(len(line) + 1)
        return line[:k] + line[k + 1 :]
    if pick == 2:
        return line + " " * chance.choice((1, 5000))
    try:
        value = _changed(chance, json.loads(line))
    except ValueError:
        return ""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=chance.random() < 0.7).replace("\n", "")


def _lines(chance: random.Random, lines: list[str]) -> list[str]:
    """Change some of the lines of a journal."""
    lines = list(lines)
    for _ in range(chance.choice((1, 1, 1, 3, 10))):
        k = chance.randrange(len(lines))
        pick = chance.randrange(8)
        if pick == 0:
            del lines[k:]
        elif pick == 1:
            lines[k:k] = lines[k : k + 3]
        elif pick == 2:
            lines.insert(k, '{"ev":"undo"}')
        else:
            lines[k] = _changed_line(chance, lines[k])
        if not lines:
            return ["{}"]
    return lines


def _encodable(record: Record) -> bytes:
    """Return the content of a record, without what UTF-8 cannot express."""
    clean = []
    for lines, damaged in record.histories:
        clean.append(History([line.encode("utf-8", "replace").decode() for line in lines], damaged))
    return record._replace(histories=tuple(clean)).encode()


def _other_lines(chance: random.Random, record: Record, others: list[Record]) -> bytes:
    return _encodable(record._replace(histories=(History(_lines(chance, record.lines), chance.random() < 0.3),)))


def _other_histories(chance: random.Random, record: Record, others: list[Record]) -> bytes:
    """Unite the journal with many histories, some of which go on, in order or not."""
    count = chance.choice((1, 2, HISTORIES_MAX - 1, HISTORIES_MAX, 3000))
    more = [History([record.lines[0], *_lines(chance, record.lines)[1:], f'{{"ev":{k}}}']) for k in range(count)]
    histories = (*record.histories, *more)
    return _encodable(record._replace(histories=in_order(list(histories)) if chance.random() < 0.8 else histories))


def _long(chance: random.Random, record: Record, others: list[Record]) -> bytes:
    """Make a valid journal of almost the greatest length, with other histories than its like."""
    size = chance.choice((RECORD_MAX // 2 + 10_000, RECORD_MAX - 20_000, RECORD_MAX - 100))
    line = f'{{"ev":"{chance.getrandbits(64):x}"}}'
    lines = [*record.lines, *[line + " " * 3000] * ((size - 20_000) // (len(line) + 3001))]
    return _encodable(record._replace(histories=(History(lines),)))


def _other_facts(chance: random.Random, record: Record, others: list[Record]) -> bytes:
    """Change the first line."""
    head, _, rest = record.encode().decode().partition("\n")
    text = json.dumps(_changed(chance, json.loads(head)), separators=(",", ":"))
    return f"{text}\n{rest}".encode()


def _other_id(chance: random.Random, record: Record, others: list[Record]) -> bytes:
    """Give a journal the id of another, or an absurd one."""
    own = chance.choice((chance.choice(others).own, "file-0123456789ab", "~", "a~b", f"{record.own}~1f2e", " ", "\\"))
    return record._replace(own=own).encode()


def _other_time(chance: random.Random, record: Record, others: list[Record]) -> bytes:
    return record._replace(at=chance.choice((0, 1, TIME_MAX - 1, TIME_MAX)), approximate=chance.random() < 0.5).encode()


def _bytes(chance: random.Random, content: bytes) -> bytes:
    """Damage bytes anywhere."""
    data = bytearray(content)
    for _ in range(chance.choice((1, 1, 3, 20))):
        data[chance.randrange(len(data))] = chance.choice((0, 10, 34, 92, 255, chance.randrange(256)))
    return bytes(data[: chance.choice((len(data), len(data), chance.randrange(len(data) + 1)))])


JOURNALS: tuple[Callable[[random.Random, Record, list[Record]], bytes], ...] = (
    _other_lines, _other_lines, _other_lines, _other_histories, _other_facts, _other_facts, _other_id, _other_time,
)  # fmt: skip


def journal(chance: random.Random, contents: list[bytes], long: bool = False) -> bytes:
    """Return a hostile journal, made from one of the valid ones."""
    others = [decode(content) for content in contents]
    record = chance.choice(others)
    if long:
        return _long(chance, record, others)
    if chance.random() < 0.2:
        return _bytes(chance, record.encode())
    return chance.choice(JOURNALS)(chance, record, others)


def _fill(chance: random.Random, values: dict[str, Any], key: str, games: list[str]) -> None:
    """Replace a list of a decision about an evening by a valid one up to its limits, or one more."""
    people = (*"ABC", "Anna", "Player A", "=1+1", "<b>", "\u00e9" * 24)
    names = chance.choices(people, k=chance.choice((0, 1, 12, 13, 100)))
    if key == "games":
        series, table = chance.choice((0, 1, 2, 20, 21)), chance.choice((0, 1, 2, 50, 51))
        values[key] = [{"game": game, "series": series, "table": table} for game in games]
    elif key == "tables":
        values[key] = [names[: chance.randrange(13)] for _ in range(chance.choice((0, 1, 50, 51)))]
    elif key == "sheet":
        values[key] = [[name, chance.choice((0, -1, 10**8, -(10**8)))] for name in names]
    else:
        values[key] = chance.choice((names, [4, 3] * 6, []))
    for number in ("series", "day", "since", "title", "game"):
        if number in values and chance.random() < 0.2:
            values[number] = chance.choice((1, 20)) if number == "series" else chance.choice(EDGES[number])


def decision(chance: random.Random, contents: list[bytes], journals: list[bytes], now: float) -> bytes:
    """Return a hostile decision, made from one of the valid ones."""
    if chance.random() < 0.2:
        return _bytes(chance, chance.choice(contents))
    whole = json.loads(chance.choice(contents))
    pick = chance.randrange(6)
    if pick == 0:
        whole["time"] = decisions.latest(now) + chance.choice((-1, 0, 1, 10**5, 10**9, 10**12))
    elif pick == 1:
        record = decode(chance.choice(journals))
        other = json.loads(chance.choice(contents))["about"]
        whole["about"] = chance.choice((record.key, key_of(record.own, "x"), f"{record.own}/", "", record.own, other))
    elif pick == 2:
        whole["kind"] = chance.choice(sorted(decisions.KINDS))
    elif pick == 3 and (texts := whole["values"].keys() & {"new", "settings"}):
        (key,) = texts
        whole["values"][key] = _changed_line(chance, whole["values"][key] or "{}")
    elif pick in (3, 5) and (lists := [key for key, value in whole["values"].items() if isinstance(value, list)]):
        _fill(chance, whole["values"], chance.choice(sorted(lists)), [decode(content).key for content in journals])
    else:
        whole = _changed(chance, whole)
    return json.dumps(whole, sort_keys=True, separators=(",", ":"), ensure_ascii=chance.random() < 0.9).encode(
        "utf-8", "replace"
    )
