"""List devices whose journals are valid and whose other answers are false, for every command that talks to a device."""

import json
import random
from collections.abc import Callable
from functools import cache
from typing import Any

from kiebitz.games import GAMES, Refused
from kiebitz.store.events import encode
from kiebitz.store.presets import PRESETS_MAX
from kiebitz.store.replay import ReplayedTable
from kiebitz.store.roster import NAMES_MAX
from kiebitz_host.link.channel import Value
from kiebitz_host.link.journal import LINES_MAX, mark

from .. import random_games
from ..dice import Dice
from .devices import Honest, Sent, framed, index_line
from .kinds import KINDS, Kind, Scene

LINK = ("sync", "live", "web", "presets", "players", "evening", "doctor", "report", "install")
GAMES_ONLY = ("sync", "live", "web")
SAMPLES = 6  # different courses of each kind of game
LINES = 60  # tried in each of them
TIMES = (0, 1, 1_500_000_000, 1_800_000_000, 1_900_000_000, (1 << 34) - 1)
WIDE = "\U0001f0a1" * 24  # the longest name, of four bytes a letter

Journals = dict[str, list[str]]


@cache
def samples() -> list[list[str]]:
    """Return valid journals of every kind of game, with undone and corrected entries; some are finished."""
    return [_sample(kind, Dice(seed)) for kind in GAMES for seed in range(1, SAMPLES + 1)]


def _sample(kind: str, dice: Dice) -> list[str]:
    script = ReplayedTable()
    lines: list[str] = []
    while not lines:
        try:
            setup = encode(random_games.setup(kind, dice))
            script.feed(setup.encode())
            lines.append(setup)
        except Refused:
            script = ReplayedTable()
    for _ in range(LINES):
        line = encode(random_games.next_line(script.table, dice, wild=0))
        try:
            script.feed(line.encode())
            lines.append(line)
        except Refused:
            pass
    return lines


def named(game_id: str, lines: list[str], at: int = 1_800_000_000, **changes: Any) -> list[str]:
    """Return the journal of a sample as a game with this id."""
    return [encode({**json.loads(lines[0]), "id": game_id, "at": at, **changes}), *lines[1:]]


def games(dice: random.Random, count: int) -> Journals:
    """Return random valid journals by id, oldest first."""
    found = {}
    for number in range(1, count + 1):
        game_id = f"5b3c0f-{number:04d}-{dice.getrandbits(24):06x}"
        found[game_id] = named(game_id, dice.choice(samples()), 1_700_000_000 + 3600 * number)
    return found


class Evening(Honest):
    """A valid Kiebitz with any journals. A liar changes what it sends about them."""

    def __init__(self, journals: Journals):
        super().__init__()
        self.presets: list[Value] = [{"game": "any_game", "title": "Skyjo", "options": {"wins": "low"}}]
        self.have(journals)

    def have(self, journals: Journals) -> None:
        """Replace all journals, and everything that is told about them."""
        self.journals = journals
        self.index = {game_id: self._summary(game_id, lines) for game_id, lines in journals.items()}
        self.files = {f"{game_id}.kbz": self._size(game_id) for game_id in journals}
        last = list(journals)[-1]
        self.list_end = {"files": len(self.files), "index": 700, "mark": "0badcafe", "thrown": [], "playing": last}
        self.state = {"id": last, "lines": len(journals[last]), "mark": mark(last, journals[last])}

    def _summary(self, game_id: str, lines: list[str]) -> Value:
        script = ReplayedTable()
        for line in lines:
            script.feed(line.encode())
        assert script.table is not None
        game = script.table.game
        entry = {
            "game": game.KIND, "players": list(game.names), "at": json.loads(lines[0])["at"], "lines": len(lines) - 1,
            "events": len(script.table), "finished": game.over, "totals": game.totals(), "winners": game.winners(),
            "size": self._size(game_id), "mark": mark(game_id, lines),
        }  # fmt: skip
        return {**entry, "title": game.title} if game.title else entry

    def games(self, seq: int, value: Value) -> Sent:
        for game_id, entry in self.index.items():
            yield index_line(game_id, entry)
        files = list(self.files.items())
        for at in range(0, len(files), 20):
            yield framed(seq, "+", {"files": dict(files[at : at + 20])})
        yield framed(seq, "ok", self.list_end)

    def _game(self, seq: int, value: Value) -> Sent:
        entry = self.index.get(value["id"])
        if entry is None:
            yield framed(seq, "no", {"code": "E_GAME"})
            return
        told = {key: entry[key] for key in ("game", "players", "at", "events", "mark", "finished")}
        yield framed(seq, "ok", {**told, "lines": entry["lines"] + 1, "confirmed": False, "damaged": False})

    def _presets(self, seq: int, value: Value) -> Sent:
        for preset in self.presets:
            yield framed(seq, "+", {"preset": preset})
        yield framed(seq, "ok", {"presets": len(self.presets)})


# --- lies about games: what is told -> how it is changed ---


def _each(change: Callable[[Evening, random.Random, str, Value], object]) -> Callable[[Evening, random.Random], None]:
    """Return a lie that changes the index entry of about every second game."""

    def lie(evening: Evening, dice: random.Random) -> None:
        for game_id, entry in evening.index.items():
            if dice.random() < 0.5:
                change(evening, dice, game_id, entry)
        evening.index[next(iter(evening.index))]["size"] += dice.randrange(2)  # ask for the first one, sometimes

    return lie


def _prefix(evening: Evening, dice: random.Random, game_id: str, entry: Value) -> None:
    lines = evening.journals[game_id]
    count = dice.randrange(1, len(lines) + 1)
    entry.update(lines=count - 1, mark=mark(game_id, lines[:count]))


def _other(evening: Evening, dice: random.Random) -> Value:
    return evening.index[dice.choice(list(evening.index))]


def _swapped(evening: Evening, dice: random.Random) -> None:
    """Send the lines of another game, with valid checksums for the requested one."""
    ids = list(evening.journals)
    shuffled = dice.sample(ids, len(ids))
    evening.journals = {one: evening.journals[other] for one, other in zip(ids, shuffled, strict=True)}


def _changing(evening: Evening, dice: random.Random) -> None:
    """Send another valid journal at every request."""
    honest = evening._read

    def read(seq: int, value: Value) -> Sent:
        game_id = dice.choice(list(evening.journals))
        evening.journals[game_id] = named(game_id, dice.choice(samples()))
        yield from honest(seq, value)

    evening.answers["read"] = read


def _growing(evening: Evening, dice: random.Random) -> None:
    """Let every journal grow or shrink between the list and each read."""
    honest, whole = evening._read, dict(evening.journals)

    def read(seq: int, value: Value) -> Sent:
        for game_id, lines in whole.items():
            evening.journals[game_id] = lines[: dice.randrange(1, len(lines) + 1)]
        yield from honest(seq, value)

    evening.answers["read"] = read


def _thrown(evening: Evening, dice: random.Random) -> None:
    ids = [*evening.journals, *[f"ffffff-{k:04d}-000000" for k in range(40)]]
    evening.list_end["thrown"] = [[game_id, dice.choice(TIMES)] for game_id in dice.choices(ids, k=60)]


def _other_ids(evening: Evening, dice: random.Random) -> None:
    """Send ids that no device makes, of other devices, or with the same number."""
    makes = (
        lambda k: f"{k:x}", lambda k: "-" * (1 + k), lambda k: f"ffffff-99999999-{k}", lambda k: f"5b3c0f-0001-{k:06x}",
        lambda k: f"aabbcc-{k:04d}-0", lambda k: f"-{k}-", lambda k: f"0-{k}{'9' * 17}",
    )  # fmt: skip
    make = dice.choice(makes)
    lines = list(evening.journals.values())
    evening.have({make(k): named(make(k), one) for k, one in enumerate(lines)})


def _times(evening: Evening, dice: random.Random) -> None:
    ids = {game_id: dice.choice(TIMES) for game_id in evening.journals}
    evening.have({one: named(one, evening.journals[one], at) for one, at in ids.items()})


def _names_of(evening: Evening, dice: random.Random) -> None:
    """Use the longest names, names that differ only in case or accents, and names of commands."""
    names = (
        WIDE, "anna", "ANNA", "Änna", "..", "-h", "--db", "a/b", "C:\\x", "=1+1", "@x", "\u202bx", "\u2066x",
        "x\u0301" * 12,
    )  # fmt: skip
    for game_id, lines in evening.journals.items():
        n = len(json.loads(lines[0])["players"])
        evening.journals[game_id] = named(game_id, lines, players=dice.sample(names, n))
    try:
        evening.have(evening.journals)
    except Refused:
        evening.have(games(dice, 3))


def _many(evening: Evening, dice: random.Random) -> None:
    evening.have(games(dice, 100))


def _long(evening: Evening, dice: random.Random) -> None:
    """Add the longest journal of valid lines: undo and redo without end."""
    game_id = "5b3c0f-9999-ffffff"
    lines = next(lines for lines in dice.sample(samples(), len(samples())) if len(lines) > 20)
    while len(lines) < LINES_MAX - 2:
        lines = [*lines, '{"ev":"undo"}', '{"ev":"redo"}']
    evening.have({**evening.journals, game_id: named(game_id, lines)})


def _state(**changes: Any) -> Callable[[Evening, random.Random], None]:
    def lie(evening: Evening, dice: random.Random) -> None:
        evening.state.update(changes)

    return lie


def _restless(evening: Evening, dice: random.Random) -> None:
    """Report another game in play again and again, with valid marks."""

    def follow(seq: int, value: Value) -> Sent:
        yield framed(seq, "ok", evening.state)
        for _ in range(50):
            game_id, lines = dice.choice(list(evening.journals.items()))
            count = dice.randrange(1, len(lines) + 1)
            yield framed(0, "now", {"id": game_id, "lines": count, "mark": mark(game_id, lines[:count])})

    evening.answers["follow"] = follow


def _confirms(evening: Evening, dice: random.Random) -> None:
    evening.confirmed = dice.choice(([], list(evening.journals)[:1], ["ffffff-0001-000000"] * 20, True, False))


LIES: dict[str, Callable[[Evening, random.Random], None]] = {
    "nothing": lambda evening, dice: None,
    "totals and winners": _each(lambda evening, dice, one, entry: entry.update(
        totals=dice.choices(range(-(10**9), 10**9), k=dice.randrange(17)), winners=dice.choices(range(99), k=3))),
    "players": _each(lambda evening, dice, one, entry: entry.update(players=_other(evening, dice)["players"])),
    "kind of game": _each(lambda evening, dice, one, entry: entry.update(game=dice.choice((*GAMES, "whist")))),
    "title": _each(lambda evening, dice, one, entry: entry.update(title=dice.choice((WIDE, "..", "Skyjo")))),
    "end": _each(lambda evening, dice, one, entry: entry.update(finished=not entry["finished"])),
    "lines": _each(lambda evening, dice, one, entry: entry.update(lines=dice.choice((0, 1, 7, 5000, 900_000)))),
    "fewer lines with their mark": _each(_prefix),
    "mark": _each(lambda evening, dice, one, entry: entry.update(mark=_other(evening, dice)["mark"])),
    "events": _each(lambda evening, dice, one, entry: entry.update(events=dice.choice((0, 1_000_000)))),
    "journal of another game": _swapped,
    "another journal each time": _changing,
    "length of a journal": _growing,
    "thrown away": _thrown,
    "ids": _other_ids,
    "times": _times,
    "names": _names_of,
    "a hundred games": _many,
    "the longest journal": _long,
    "game in play with more lines": _state(lines=900_000),
    "game in play that is not there": _state(id="ffffff-0001-000000"),
    "game in play with another mark": _state(mark="ffffffff"),
    "game in play that changes": _restless,
    "confirmed": _confirms,
}  # fmt: skip


def _lying(lie: Callable[[Evening, random.Random], None], scene: Scene) -> None:
    """Let a device lie. Before and after, the same device sends other valid data."""
    evening = Evening(games(scene.dice, scene.dice.randrange(1, 7)))
    scene.link = evening
    lie(evening, scene.dice)

    def again() -> None:
        known = list(evening.journals)
        courses = {one: named(one, scene.dice.choice(samples())) for one in known[:50]}
        scene.link = Evening({**courses, **games(scene.dice, 2)})
        lie(scene.link, scene.dice)

    scene.later = [again]


def _spoiler(lie: Callable[[Evening, random.Random], None]) -> Callable[[Scene], None]:
    return lambda scene: _lying(lie, scene)


for _name, _lie in LIES.items():
    KINDS.append(Kind(f"lying about games: {_name}", GAMES_ONLY, _spoiler(_lie)))


# --- lies about itself, its names and presets ---


def _who_changes(evening: Evening, dice: random.Random) -> None:
    devices = ("e661a4d1275b3c0f", "..", "/", "a b", "-h", "?x=1", "#", "%00", '"><b>', "~" * 32)

    def who(seq: int, value: Value) -> Sent:
        version = dice.choice(("0.2.0", "0.0.0", "999.9.9", "0.2.0-rc.1+x", "-", "9" * 32))
        board = dice.choice(("pico_oled", "pico_lcd_13", "abacus", "", "[red]"))
        told = {"device": dice.choice(devices), "version": version, "board": board, "now": dice.choice(TIMES)}
        yield framed(seq, "ok", {**evening.who, **told})

    evening.answers["who"] = who


def _settings(evening: Evening, dice: random.Random) -> None:
    evening.settings = {"settings": {"language": dice.choice(("xx", "", "../de")), "board": "abacus", "brightness": 99}}


def _refusals(evening: Evening, dice: random.Random) -> None:
    """Accept some requests and refuse others, with valid codes."""
    honest = evening.answer

    def answer(seq: int, verb: str, value: Value) -> Sent:
        if verb != "who" and dice.random() < 0.3:
            code = dice.choice(("E_FULL", "E_FLASH", "E_GAME", "E_CUT", "E_BUSY", "E_MEMORY", "E_VERB", "X"))
            yield framed(seq, "no", {"code": code, "errno": dice.choice((0, 5, 28, 84, 9999))})
        else:
            yield from honest(seq, verb, value)

    evening.answer = answer  # type: ignore[method-assign]


def _names(evening: Evening, dice: random.Random) -> None:
    full = [f"Name {k}" for k in range(NAMES_MAX)]
    names = dice.choice((["Anna"] * NAMES_MAX, [], [WIDE], full, ["Ben", "Long", "Cleo"], ["..", "-h"]))
    evening.names, evening.names_end = {"names": names}, {"names": len(names)}


def _presets(evening: Evening, dice: random.Random) -> None:
    full = [f"T{k}" for k in range(PRESETS_MAX)]
    titles = dice.choice((["Skyjo"] * PRESETS_MAX, [WIDE], ["..", "-h", "=1+1"], full, []))
    evening.presets = [{"game": "any_game", "title": title, "options": {}} for title in titles]
    if dice.random() < 0.3:
        evening.answers["preset"] = lambda seq, value: iter([framed(seq, "no", {"code": "E_FULL"})])


def _table(evening: Evening, dice: random.Random) -> None:
    setup = {"game": dice.choice((*GAMES, "whist")), "players": dice.choice((["Anna", "Ben"], [WIDE] * 3, "x", [[]]))}
    seats: Value = {"table": dice.choice((1, 99, 100, -1, "1", 10**30)), "setup": dice.choice((setup, {}, [], None))}
    answers: list[tuple[str, Any]] = [("ok", seats), ("ok", {}), ("ok", []), ("no", {"code": "E_ARG"})]
    answer = dice.choice(answers)
    evening.answers["seats"] = lambda seq, value: iter([framed(seq, *answer)])


ABOUT_ITSELF: dict[str, Callable[[Evening, random.Random], None]] = {
    "who it is": _who_changes,
    "its settings": _settings,
    "what it can do": _refusals,
    "its names": _names,
    "its presets": _presets,
    "its table": _table,
}
for _name, _lie in ABOUT_ITSELF.items():
    KINDS.append(Kind(f"lying about {_name}", LINK, _spoiler(_lie)))
