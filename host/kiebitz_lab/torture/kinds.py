"""List hostile and broken devices, each kind with its name, the commands to test, and its fault."""

import itertools
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from kiebitz.store.index import ALL
from kiebitz.store.index import NAME as INDEX
from kiebitz.store.sealed_lines import seal
from kiebitz_host.link.channel import Value
from kiebitz_host.link.journal import mark, sealed

from .devices import ASKED, LISTED, PLAYERS, Honest, Prompt, Sent, framed, index_line, journal, on_flash

LINK = ("sync", "live", "doctor", "report", "install")
GAMES = ("sync", "live")

ESCAPES = (
    "\x1b[2J", "\x1b[31mred", "a\x1b]0;title\x07", "\x9b31m", "\x1b[6n", "x\r\x1b[Kkiebitz: all well", "\x90q\x9c",
    "\x1bc", "\x08\x08\x1b[8m", "\u202e\x1b[1A", "\ud800\x1b",
)  # fmt: skip
FORMATS = ("{errno.__class__.__mro__}", "{0}", "{", "}{", "{errno!r:>99999999}", "%s%n", "[/red]", "[link=x]{port}")
TYPES: tuple[Any, ...] = (None, True, -7, 7, 1.5, "7", "", [], {}, [None], [7], {"a": 1}, [["a"]], [{}], float("nan"))


@dataclass
class Scene:
    """One test case: the device on the link and at its prompt, its drive, and the dice."""

    link: Honest
    prompt: Prompt
    dice: random.Random
    info: bytes = b"UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n"  # of its drive
    drive: str = "RPI-RP2"  # the name of the folder
    returns: bool = True  # it comes back after the copy
    later: list[Callable[[], object]] = field(default_factory=list)  # changes of the device, each before another sync


@dataclass(frozen=True)
class Kind:
    """A kind of device. spoil(scene) turns a valid scene into one of this kind."""

    name: str
    commands: tuple[str, ...]
    spoil: Callable[[Scene], object]


KINDS: list[Kind] = []


def kind(name: str, *commands: str) -> Callable[[Callable[[Scene], object]], Callable[[Scene], object]]:
    """Return a decorator that adds a function to the corpus."""

    def add(spoil: Callable[[Scene], object]) -> Callable[[Scene], object]:
        KINDS.append(Kind(name, commands, spoil))
        return spoil

    return add


# --- one value that is wrong ---


def _another_type(dice: random.Random, value: Any) -> Any:
    return dice.choice([one for one in TYPES if type(one) is not type(value)])


def _escape(dice: random.Random, value: Any) -> Any:
    word = dice.choice(ESCAPES)
    return dice.choice([word, [word] * 3, {word: word}, {"board": word}, [LISTED, word], [word + str(k) for k in "ab"]])


def _format(dice: random.Random, value: Any) -> Any:
    word = dice.choice(FORMATS)
    return dice.choice([word, [word] * 2, {word: 1}, {"board": word}])


def _too_much(dice: random.Random, value: Any) -> Any:
    deep: Any = []
    for _ in range(dice.choice((50, 300, 900))):
        deep = [deep]
    numbers = (10**300, -(10**18), 2**63)
    return dice.choice(["x" * 3000, "9" * 900, *numbers, [0] * 1500, ["Anna"] * 300, deep, {"a": deep}])


_MISSING = object()
WRONGS: dict[str, Callable[[random.Random, Any], Any]] = {
    "of another type": _another_type,
    "with escape sequences": _escape,
    "with a format string": _format,
    "that is too much": _too_much,
    "that is missing": lambda dice, value: _MISSING,
}

# Where the value is -> the commands that ask for it, and the object that holds it
FIELDS: dict[str, tuple[tuple[str, ...], Callable[[Scene], Value], tuple[str, ...]]] = {
    "who": (LINK, lambda scene: scene.link.who, ("product", "version", "protocol", "device", "board", "now")),
    "end of the list": (("sync",), lambda scene: scene.link.list_end, ("files", "index", "playing")),
    "index": (
        ("sync",),
        lambda scene: scene.link.entry,
        ("game", "players", "at", "events", "lines", "mark", "finished", "size", "totals", "winners", "title"),
    ),
    "game": (
        ("sync",),
        lambda scene: scene.link.game,
        ("game", "players", "at", "events", "lines", "mark", "finished", "confirmed", "damaged", "title"),
    ),
    "roster": (("sync",), lambda scene: scene.link.names, ("names",)),
    "end of the roster": (("sync",), lambda scene: scene.link.names_end, ("names",)),
    "settings": (("doctor", "report"), lambda scene: scene.link.settings, ("settings",)),
    "setting": (
        ("doctor", "report"),
        lambda scene: scene.link.settings["settings"],
        ("board", "language", "brightness"),
    ),
    "state": (("live",), lambda scene: scene.link.state, ("id", "lines", "mark")),
    "facts": (
        ("doctor", "report", "install"),
        lambda scene: asked_at_prompt(scene).facts,
        ("version", "machine", "platform", "path", "kiebitz", "block", "blocks", "free", "names", "games"),
    ),
    "files of a report": (("report",), lambda scene: scene.prompt.files, ("files", "crc")),
    "times of a report": (
        ("report",),
        lambda scene: scene.prompt.times,
        ("start_us", "start_cache", "press_us", "press_cache", "memory", "crash"),
    ),
}


def asked_at_prompt(scene: Scene) -> Prompt:
    """Return the prompt of a device whose link refuses, so that install uses the prompt."""
    scene.link.refusal = {"code": "E_VERB"}
    return scene.prompt


def _wrong_fields() -> Iterator[Kind]:
    for place, (commands, holder, keys) in FIELDS.items():
        for key, (how, make) in itertools.product(keys, WRONGS.items()):
            yield Kind(f"{place}: {key} {how}", commands, _spoiler(holder, key, make))


def _spoiler(holder: Callable[[Scene], Value], key: str, make: Callable[[random.Random, Any], Any]):
    def spoil(scene: Scene) -> None:
        held = holder(scene)
        wrong = make(scene.dice, held.get(key))
        held[key] = wrong
        if wrong is _MISSING:
            del held[key]

    return spoil


KINDS.extend(_wrong_fields())


def _attribute_kinds() -> Iterator[Kind]:
    """Yield kinds that answer with a wrong value as a whole."""

    def refusal(scene: Scene, wrong: Any) -> None:
        scene.link.refusal = scene.dice.choice(({"code": wrong}, {"code": "E_FLASH", "errno": wrong}, {"errno": wrong}))

    def ends(scene: Scene, wrong: Any) -> None:
        scene.link.ends = scene.dice.choice((wrong, [wrong], [wrong, wrong]))

    def confirmed(scene: Scene, wrong: Any) -> None:
        scene.link.confirmed = scene.dice.choice((wrong, [wrong], [LISTED, wrong]))

    def files(scene: Scene, wrong: Any) -> None:
        words = [f"{word}.kbz" for word in (*ESCAPES, *FORMATS, "", "x" * 3000, "..", "ABC-0001-x", "²")]
        scene.link.files = scene.dice.choice((wrong, {scene.dice.choice(words): 10, **scene.link.files}))
        scene.link.list_end["files"] = 3

    places = (("refusal", LINK, refusal), ("ends", GAMES, ends), ("confirmed", ("sync",), confirmed))
    for name, commands, put in (*places, ("files", ("sync",), files)):
        for how, make in WRONGS.items():
            if how != "that is missing":
                yield Kind(f"{name} {how}", commands, partial(_put_wrong, put, make))


def _put_wrong(put: Callable[[Scene, Any], None], make: Callable[[random.Random, Any], Any], scene: Scene) -> None:
    put(scene, make(scene.dice, 0))


KINDS.extend(_attribute_kinds())


# --- journals ---


def _journal(scene: Scene, lines: list[str], mark_is: str | None = None) -> None:
    """Replace the lines of the requested game."""
    scene.link.journals[ASKED] = lines
    truth = mark_is or mark(ASKED, lines)
    scene.link.game.update(lines=len(lines), mark=truth)
    scene.link.state.update(lines=len(lines), mark=truth)


JOURNALS: dict[str, Callable[[random.Random], list[str]]] = {
    "without a line": lambda dice: [],
    "of blank lines": lambda dice: [" ", "\t", dice.choice(ESCAPES[:4])],
    "with escapes for names": lambda dice: journal(ASKED, players=[dice.choice(ESCAPES), "Ben", "Cleo"]),
    "with numbers for names": lambda dice: journal(ASKED, players=dice.sample([1, 2, 3.5, None, True, "A"], 3)),
    "with formats for names": lambda dice: journal(ASKED, players=[*dice.sample(FORMATS, 2), "Ben"]),
    "with names that change the direction": lambda dice: journal(ASKED, players=["\u202eA", "\u2066B\u2028", "C"]),
    "of an unknown game": lambda dice: journal(ASKED, game=dice.choice(("whist", *ESCAPES, *FORMATS, 7, None))),
    "with wrong options": lambda dice: journal(ASKED, options=dice.choice((*ESCAPES, {ESCAPES[0]: FORMATS[0]}, [7]))),
    "with escapes in events": lambda dice: journal(ASKED, [{"ev": dice.choice((*ESCAPES, *FORMATS)), "p": "\x1b"}]),
    "with values of any type": lambda dice: journal(ASKED, [{"ev": "point", "p": dice.choice(TYPES)}]),
    "with undo without end": lambda dice: journal(ASKED, [{"ev": "undo", "k": dice.choice((10**9, 10**300, -1))}]),
    "of an odd setup": lambda dice: journal(ASKED, at=dice.choice(TYPES), device=dice.choice(ESCAPES[:9])),
    "of lists": lambda dice: ["[" * 400 + "]" * 400, "7", "null", '"' + "x" * 3000 + '"'],
    "of words": lambda dice: [json.dumps(dice.choice((*ESCAPES, *FORMATS))), *FORMATS],
    "of six thousand entries": lambda dice: journal(ASKED, [{"ev": "point", "p": 1}, {"ev": "undo"}] * 3000),
}


def _put_journal(make: Callable[[random.Random], list[str]], scene: Scene) -> None:
    _journal(scene, make(scene.dice))


for _name, _lines in JOURNALS.items():
    KINDS.append(Kind(f"journal {_name}", GAMES, partial(_put_journal, _lines)))


@kind("journal with another mark", *GAMES)
def _other_mark(scene: Scene) -> None:
    _journal(scene, journal(ASKED), f"{scene.dice.getrandbits(32):08x}")


@kind("journal of fewer lines than told", *GAMES)
def _fewer_lines(scene: Scene) -> None:
    scene.link.game["lines"] = scene.link.state["lines"] = scene.dice.choice((5, 99, 5001, 900_000))


@kind("journal whose lines come damaged, doubled, and in another order", *GAMES)
def _shuffled_lines(scene: Scene) -> None:
    def read(seq: int, value: Value) -> Sent:
        lines = on_flash(ASKED, journal(ASKED)) * 3
        scene.dice.shuffle(lines)
        for line in lines:
            at = scene.dice.randrange(len(line))
            yield scene.dice.choice((line, line[:at] + b"\x1b" + line[at:], line[:at]))
        yield framed(seq, "ok", {"ends": [10**6] * (len(value["games"]) // 2)})

    scene.link.answers["read"] = read


@kind("game that is damaged and has no lines", "sync")
def _no_lines(scene: Scene) -> None:
    scene.link.game = scene.dice.choice(({"damaged": True}, {"damaged": True, "players": 5, "game": ESCAPES[0]}, {}))


# --- without end ---


def _forever(make: Callable[[int, int], bytes]) -> Callable[[int, Value], Sent]:
    """Return an endless answer of lines from make(seq, number)."""
    return lambda seq, value: (make(seq, k) for k in itertools.count())


def _index_line(k: int) -> bytes:
    entry = {**Honest().entry, "players": ["A" * 24] * 8}
    return index_line(f"5b3c0f-{k % 999_999:06}-{k % 9999:04}", entry)


def _cut(seq: int) -> bytes:
    return framed(seq, "no", {"code": "E_CUT"})


def _piece(seq: int, content: Any) -> bytes:
    return framed(seq, "+", {"files": content})


def _undo(k: int) -> bytes:
    return sealed(ASKED, k, '{"ev":"undo"}') if k else on_flash(ASKED, journal(ASKED))[0]


def _news(seq: int, k: int, **state: Any) -> bytes:
    return framed(0, "now", state) if k else framed(seq, "ok", {"id": None})


# What the lines are -> the request they answer, the commands that send it, and the line: make(seq, number)
ENDLESS: dict[str, tuple[str, tuple[str, ...], Callable[[int, int], bytes]]] = {
    "the same piece": ("games", ("sync",), lambda seq, k: _piece(seq, {"a.bad": 1})),
    "pieces of nothing": ("games", ("sync",), lambda seq, k: _piece(seq, {})),
    "pieces of lists": ("games", ("sync",), lambda seq, k: _piece(seq, [[]] * 900)),
    "pieces of new files": ("games", ("sync",), lambda seq, k: _piece(seq, {f"{k:x}-{n}.kbz": 1 for n in range(40)})),
    "lines of the index": ("games", ("sync",), lambda seq, k: _index_line(k)),
    "confirmations": ("games", ("sync",), lambda seq, k: seal(f'{k:x} "0badcafe"' if k % 2 else ALL, INDEX)),
    "cuts of the list": ("games", ("sync",), lambda seq, k: _cut(seq)),
    "cuts and pieces": ("games", ("sync",), lambda seq, k: _cut(seq) if k % 2 else _piece(seq, {"a.bad": 1})),
    "ends that do not add up": ("games", ("sync",), lambda seq, k: framed(seq, "ok", {"files": 9, "index": 0})),
    "the first line of a game": ("read", GAMES, lambda seq, k: _undo(0)),
    "lines of one game": ("read", GAMES, lambda seq, k: _undo(k)),
    "long lines of one game": ("read", GAMES, lambda seq, k: sealed(ASKED, k, '"' + "x" * 1500 + '"')),
    "lines with leaps": ("read", GAMES, lambda seq, k: _undo(7 * k)),
    "cuts of a game": ("read", GAMES, lambda seq, k: _cut(seq)),
    "pieces of a game": ("read", GAMES, lambda seq, k: framed(seq, "+", {"ends": [0]})),
    "names": ("roster", ("sync",), lambda seq, k: framed(seq, "+", {"names": [f"Name {k}"]})),
    "empty names": ("roster", ("sync",), lambda seq, k: framed(seq, "+", {"names": []})),
    "words of nobody": ("who", LINK, lambda seq, k: framed(seq, "maybe", {"k": k})),
    "answers to others": ("who", LINK, lambda seq, k: framed(seq + 1 + k, "ok", {})),
    "news": ("follow", ("live",), lambda seq, k: _news(seq, k, id=None)),
    "news of a game": ("follow", ("live",), lambda seq, k: _news(seq, k, id=ASKED, lines=k, mark=f"{k % 10**8:08}")),
    "news instead of an answer": ("follow", ("live",), lambda seq, k: _news(seq, 1 + k, id=ASKED, lines=k)),
    "news of nonsense": ("follow", ("live",), lambda seq, k: _news(seq, k, id=[ESCAPES[0]])),
    "blank lines": ("who", LINK, lambda seq, k: b"\n" * 4096),
    "one line": ("who", LINK, lambda seq, k: b"K! " * 1000),
    "escape sequences": ("who", LINK, lambda seq, k: ESCAPES[0].encode() * 50 + b"\n"),
    "noise": ("settings", ("doctor",), lambda seq, k: bytes(range(256)) * 8),
}
for _name, (_verb, _commands, _make) in ENDLESS.items():
    for _drop in (False, True):

        def _spoil(scene: Scene, verb: str = _verb, make=_make, drop: bool = _drop) -> None:
            """Let the device send these lines endlessly, at once or one every few seconds."""
            answer = _forever(make)
            pause = scene.dice.uniform(0.5, 4.9)

            def drops(seq: int, value: Value) -> Sent:
                for sent in answer(seq, value):
                    yield sent
                    yield pause

            scene.link.answers[verb] = drops if drop else answer

        KINDS.append(Kind(f"endless {'drops' if _drop else 'flood'} of {_name}", _commands, _spoil))


@kind("news before every answer", *LINK)
def _news_first(scene: Scene) -> None:
    state = {"id": scene.dice.choice((*ESCAPES, *TYPES[:6])), "lines": 10**9}
    scene.link.before = lambda seq: [framed(0, "now", state)] * 200


@kind("silence", *LINK)
def _silence(scene: Scene) -> None:
    scene.link.before = lambda seq: itertools.repeat(60.0)


@kind("a device that falls silent after some answers", *LINK)
def _falls_silent(scene: Scene) -> None:
    left = itertools.count(scene.dice.randrange(1, 9), -1)
    scene.link.before = lambda seq: [] if next(left) > 0 else itertools.repeat(60.0)


@kind("every byte late", *LINK)
def _late(scene: Scene) -> None:
    honest = scene.link.answer

    def slow(seq: int, verb: str, value: Value) -> Sent:
        for sent in honest(seq, verb, value):
            yield scene.dice.uniform(0.1, 4.0)
            yield sent

    scene.link.answer = slow  # type: ignore[method-assign]


@kind("answers of random bytes", *LINK)
def _random_bytes(scene: Scene) -> None:
    honest = scene.link.answer

    def spoilt(seq: int, verb: str, value: Value) -> Sent:
        for sent in honest(seq, verb, value):
            data = bytearray(sent if isinstance(sent, bytes) else b"")
            if data and scene.dice.random() < 0.5:
                data[scene.dice.randrange(len(data))] = scene.dice.randrange(256)
            yield bytes(data) if scene.dice.random() < 0.9 else scene.dice.randbytes(2000)

    scene.link.answer = spoilt  # type: ignore[method-assign]


@kind("roster with every name renamed to one that is too long", "sync")
def _renamed(scene: Scene) -> None:
    scene.link.names = {"names": [*PLAYERS, "Long"]}
    scene.link.names_end = {"names": 4}
