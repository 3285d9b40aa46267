"""Implement `kiebitz texts`: check the sentences of a language (keys, places, letters, length) and draw its screens."""

import ast
import re
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import kiebitz
import kiebitz_host
from kiebitz.board.profiles import PROFILES
from kiebitz.games import GAMES, game_class, presets_of
from kiebitz.games.base import COMMON, SUITS
from kiebitz.raster.canvas import Canvas
from kiebitz.store.events import CHANGES
from kiebitz.store.settings import SENTENCES, in_menu
from kiebitz.text import LANGUAGES, Phrases, use
from kiebitz.widgets.keys import NAMES
from kiebitz.widgets.screen import wrap
from kiebitz_host.games import on_laptop
from kiebitz_host.languages import ENGLISH, device_keys, file_of, read
from kiebitz_host.outcome import BAD_USAGE, OK, Trouble

from . import gallery
from .font_compiler import read_font_files
from .games import GAMES_IN_LAB
from .refusals import given, phases, sentences
from .scenes import GROUPS, HARD_GROUPS, scenes_of

_SPEAKERS = [Path(kiebitz.__file__).parent, Path(kiebitz_host.__file__).parent]
_CODE = re.compile(r"[EW]_[A-Z]")
_WORD = re.compile(r"[^\W\d_]{2,}")
_PRINTED = ("board.", "game.")
_PLACE = re.compile(r"{([^{}:]*)(?::([^{}]*))?}")
_PREFIX = re.compile(r"[a-z_]+(\.[a-z_]+)*\.")
_HOLE = "([^.]+)"
# Texts with formats: key -> (pattern of the text, message if it does not match)
_FORMATS = {
    "count.one": (re.compile(r"\d+( \d+)*"), "numbers with blanks between them are needed"),
    "decimal": (re.compile(r"[^\w\s{}]"), "one sign is needed"),
    "thousands": (re.compile(r"{high}[^\w{}]?{low}"), "{high} and {low} with at most one sign between them are needed"),
    "date": (re.compile(r"({[ymd]}[^\w{}]*){3}"), "{y}, {m} and {d} with signs between them are needed"),
}
_SYMBOLS = re.compile("^[\u2190-\u2193\ue000-\uf8ff]+")  # before a word in the last line of a screen
USUAL = ["Johanna", "Matthias", "Ben", "Eva"]
LONGEST = ["Maximiliane-Alexandrina"] * 4
# Most lines of a message: in a box with usual names, in a box with the longest names, as a question
_MESSAGE, _LONG_MESSAGE, _QUESTION = 5, 7, 5


# --- keys used by the code ---


def used(keys) -> set[str]:
    """Return the keys that the code uses, literally, joined from words of the same module, or with an id."""
    words, patterns = _asked()
    families = _families()
    ids = {*GAMES, *[on_laptop(kind).UNIT for kind in GAMES]}
    ids.update(*[game.IDS for game in GAMES_IN_LAB.values()])
    codes = {code for code, _ in given()} | {"E_COMBO"}
    found = set()
    for key in keys:
        prefix, _, tail = key.partition(".")
        if _CODE.match(key):
            known = prefix in codes
        elif prefix in families:
            known = tail in families[prefix] or key in words
        else:
            known = key in words or any(_fits(pattern.fullmatch(key), beside | ids) for pattern, beside in patterns)
        if known:
            found.add(key)
    return found


def _fits(match, words) -> bool:
    """Return True if a key matches a pattern and each hole is filled with one of these words or a number."""
    return match is not None and all(group in words or group.isdigit() for group in match.groups())


def value_id(value) -> str:
    """Return the end of the key of the sentence about a value of a house rule."""
    return value if isinstance(value, str) else "number"


def _families() -> dict[str, set[str]]:
    """Return {prefix: what may follow the first dot} for keys that end with an id."""
    options: set[str] = set()
    values: set[str] = set()
    events = {"undo", "redo", *COMMON, *CHANGES}
    questions: set[str] = set()
    for kind, in_lab in GAMES_IN_LAB.items():
        game = game_class(kind)
        arguments = {what for spec in game.EVENTS.values() for what, _, _ in spec}
        questions |= arguments | {f"{what}.{kind}" for what in arguments | _questions(kind)}
        for event in game.EVENTS:
            for tail in in_lab.SENTENCES.get(event, (event,)):
                events.update((tail, f"{tail}.{kind}"))
        for name, choices in game.OPTIONS.items():
            options.add(name)
            for value in choices:
                meaning = f"{name}.{value_id(value)}"
                options.update((meaning, f"{meaning}.{kind}"))
                if isinstance(value, str):
                    values.update((value, f"{value}.{kind}", f"{name}_{value}.{kind}"))
    families = {
        "ask": questions,
        "display": {"find", "keep", "key.keep", *PROFILES},
        "ev": events,
        "game": set(GAMES),
        "opt": options,
        "phase": {*phases(), *[f"{phase}.{kind}" for phase in phases() for kind in GAMES]},
        "set": _setting_tails(),
        "suit": set(SUITS),
        "test": set(NAMES),
        "title": {title for kind in GAMES if presets_of(kind) for title in presets_of(kind).TITLES},
        "val": values,
    }
    families["tour"] = {
        f"4.{kind}.{mode}".rstrip(".") for kind, in_lab in GAMES_IN_LAB.items() for mode in in_lab.FIRST_KEYS
    }
    for in_lab in GAMES_IN_LAB.values():
        for prefix, ids in in_lab.FAMILIES.items():
            families.setdefault(prefix, set()).update(ids)
    return families


def _setting_tails() -> set[str]:
    """Return the name of each setting in the menu, and NAME.VALUE where each value has a sentence."""
    found = {setting.name for setting in in_menu()}
    worded = [setting for setting in in_menu() if setting.words == SENTENCES]
    return found | {f"{setting.name}.{value}" for setting in worded for value in setting.values}


def _questions(kind: str) -> set[str]:
    """Return the strings in the laptop's code of a game, which include the names of its questions."""
    package = Path(kiebitz_host.__file__).parent / "games" / kind / "__init__.py"
    return _strings(ast.parse(package.read_text("utf-8")))[0] if package.exists() else set()


@cache
def _asked() -> tuple[set[str], list[tuple[re.Pattern, set[str]]]]:
    """Return every string in the code, and (pattern, strings of the module) for every key joined from parts."""
    words: set[str] = set()
    patterns = []
    for folder in _SPEAKERS:
        for path in folder.rglob("*.py"):
            strings, joined = _strings(ast.parse(path.read_text("utf-8")))
            words |= strings
            patterns += [(re.compile(pattern), strings) for pattern in joined]
    return words, patterns


def _strings(tree: ast.Module) -> tuple[set[str], set[str]]:
    """Return the strings of a module, and patterns for the keys that the module joins from parts."""
    strings: set[str] = set()
    joined: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            strings.add(node.value)
            if _PREFIX.fullmatch(node.value):
                joined.add(re.escape(node.value) + _HOLE)
            elif node.value.endswith(".%d"):
                joined.add(re.escape(node.value).replace("%d", _HOLE))
        elif isinstance(node, ast.JoinedStr):
            joined.add("".join(map(_part, node.values)))
    return strings, {pattern for pattern in joined if pattern[:1].isalpha() and r"\." in pattern}


def _part(node: ast.expr) -> str:
    """Return the pattern for a part of an f-string."""
    return re.escape(str(node.value)) if isinstance(node, ast.Constant) else _HOLE


# --- mistakes ---


def unsaid(texts: dict[str, str]) -> Iterator[str]:
    """Yield the keys that the rules of the games need and that have no sentence, not even one for a single game."""
    for kind, in_lab in GAMES_IN_LAB.items():
        game = game_class(kind)
        keys = [f"game.{kind}"]
        keys += [f"ev.{tail}" for event in game.EVENTS for tail in in_lab.SENTENCES.get(event, (event,))]
        for name, values in game.OPTIONS.items():
            keys += [f"opt.{name}", *[f"opt.{name}.{value_id(value)}" for value in values]]
        keys += [f"val.{value}" for values in game.OPTIONS.values() for value in values if isinstance(value, str)]
        yield from [key for key in keys if key not in texts and f"{key}.{kind}" not in texts]
    yield from sorted({f"phase.{phase}" for phase in phases()} - texts.keys())
    yield from sorted({code for code, _ in given() if code not in texts and code.split(":")[0] not in texts})


def places(sentence: str) -> set[str]:
    """Return the names of the places in a sentence."""
    return {name for name, _ in _PLACE.findall(sentence)}


def mistakes(lang: str) -> Iterator[str]:
    """Yield the mistakes in the keys and sentences of a language, as lines for its translator."""
    english, texts = read(ENGLISH), read(lang)
    drawn, letters = set(device_keys()), set(read_font_files()["small.txt"][0].glyphs)
    for key in english.keys() - used(english):
        yield f"{key}: nothing asks for it"
    for key in dict.fromkeys([*unsaid(english), *english]):
        if key not in texts:
            yield f"{key}: missing"
    for key, sentence in texts.items():
        if key not in english:
            yield f"{key}: English has no such key"
        elif told := _unfillable(sentence, english[key]) or _ill_written(key, sentence, english[key]):
            yield f"{key}: {told}"
        elif lang != ENGLISH and sentence == english[key] and _is_prose(key, sentence):
            yield f"{key}: still English"
        elif key in drawn and set(sentence) - letters:
            yield f"{key}: the font does not have {' '.join(sorted(set(sentence) - letters))}"
    both = [key for key in texts if key in english], [key for key in english if key in texts]
    for key, other in zip(*both, strict=True):
        if key != other:
            yield f"{key}: stands where English has {other}"
            break


def _is_prose(key: str, sentence: str) -> bool:
    """Return True if a text must be translated: three words or more, and not a name printed on a game in English."""
    return not key.startswith(_PRINTED) and len(_WORD.findall(_PLACE.sub("", sentence))) >= 3


def _unfillable(sentence: str, english: str) -> str:
    """Return the reason why a sentence cannot replace the English one; empty if it can."""
    if places(sentence) != places(english):
        return f"the places are {_listed(places(sentence))}, in English {_listed(places(english))}"
    if {"{", "}"} & set(_PLACE.sub("", sentence)):
        return "a brace stands alone"
    if any(forms and forms.count("|") != 1 for _, forms in _PLACE.findall(sentence)):
        return "a number takes two words, {n:one|many}"
    return ""


def _ill_written(key: str, sentence: str, english: str) -> str:
    """Return the mistake in the blanks, format or punctuation of a sentence; empty if there is none."""
    if sentence != sentence.strip() or "  " in sentence:
        return "a blank too many"
    if key in _FORMATS:
        pattern, told = _FORMATS[key]
        return "" if pattern.fullmatch(sentence) else told
    if (sentence[-1] == "?") != (english[-1] == "?"):
        return "a question, in English it is none" if sentence[-1] == "?" else "no question, in English it is one"
    if _CODE.match(key) and sentence[-1] not in ".?":
        return "a sentence ends with . or ?"
    return ""


@contextmanager
def sayable(lang: str) -> Iterator[None]:
    """Use English for sentences that cannot be filled in, as is done for those that are missing.

    Every screen can then be drawn while a translation is incomplete.
    """
    english, texts = read(ENGLISH), read(lang)
    instead = {key: said for key, said in english.items() if key in texts and _unfillable(texts[key], said)}
    get = Phrases.get

    def get_or_english(phrases, key):
        return instead[key] if phrases.lang == lang and key in instead else get(phrases, key)

    Phrases.get = get_or_english  # type: ignore[method-assign]
    try:
        yield
    finally:
        Phrases.get = get  # type: ignore[method-assign]


def _listed(names: set[str]) -> str:
    """Return the names in order, or "none"."""
    return ", ".join(sorted(names)) or "none"


def too_long(lang: str, play) -> Iterator[str]:
    """Yield the messages with too many lines, and everything that is cut or covered on a screen.

    play(lang, scene, look) draws a scene and calls look(device) for each of its screens.
    """
    use(lang)
    canvas = Canvas(128, 64)
    texts = read(lang)
    for names, most in ((USUAL, _MESSAGE), (LONGEST, _LONG_MESSAGE)):
        for code, sentence in sentences(texts, names):
            room, lines = (canvas.w - 4, _QUESTION) if code.startswith("W_") else (canvas.w - 8, most)
            if len(wrap(canvas, sentence, room)) > lines:
                yield f"{code}: more than {lines} lines: {sentence}"
    yield from _on_screens(lang, play)


def _on_screens(lang: str, play) -> Iterator[str]:
    """Yield everything that is cut or covered in scenes, each fault once, with the number of its screens."""
    phrases = use(lang)
    keys = {phrases.get(key): key for key in device_keys()}
    screens: dict[str, list[str]] = {}
    for hard, groups in ((False, GROUPS), (True, HARD_GROUPS)):
        for group in groups:
            for scene in scenes_of(group, hard):
                found: dict[str, None] = {}
                play(lang, scene, lambda device, found=found: found.update(dict.fromkeys(device.faults())))
                for fault in dict.fromkeys(_named(fault, keys) for fault in _causes(found)):
                    screens.setdefault(fault, []).append(f"{group}, {scene[0]}{' with long names' if hard else ''}")
    for fault, where in screens.items():
        yield f"{fault} ({where[0]}{f', and {len(where) - 1} more screens' if where[1:] else ''})"


def _causes(faults: Iterable[str]) -> list[str]:
    """Return the faults of a screen; if a text does not fit, those that it covers are left out."""
    return [fault for fault in faults if not fault.startswith("over each other")] or list(faults)


def _named(fault: str, keys: dict[str | None, str]) -> str:
    """Return a fault with the key of its text in front, if the text is a whole sentence."""
    what, _, said = fault.partition(": ")
    said = _SYMBOLS.sub("", said)
    return f"{keys[said]}: {what}: {said}" if said in keys else f"{what}: {said}"


_SAME_MAX = 10  # keys that are listed as being as in English


def add(subparsers):
    parser = subparsers.add_parser(
        "texts",
        description="List what is missing, left over, wrong or too long in the texts of a language. "
        "See docs/translating.md for a new language.",
    )
    parser.add_argument("lang", metavar="LANG", help=f"a language: {', '.join(LANGUAGES)}, or a new one")
    parser.add_argument("--shots", metavar="DIR", help="draw every screen into this folder")
    return parser


def run(args):
    try:
        texts = _texts(args.lang)
        found = list(mistakes(args.lang))
    except ValueError as trouble:  # a line that is not `key = sentence`
        raise Trouble(str(trouble)) from None
    with sayable(args.lang):
        found += too_long(args.lang, play)
    for line in found:
        print(line)
    if args.lang != ENGLISH:
        same = [key for key, sentence in read(ENGLISH).items() if texts.get(key) == sentence]
        more = f" and {len(same) - _SAME_MAX} more" if len(same) > _SAME_MAX else ""
        print(f"{len(same)} of {len(texts)} are as in English: {', '.join(same[:_SAME_MAX])}{more}")
    print(f"{len(found)} to mend." if found else "Nothing to mend.")
    if args.shots:
        try:
            with sayable(args.lang):
                count = gallery.draw(args.lang, Path(args.shots))
        except OSError as trouble:
            raise Trouble(f"cannot write {trouble.filename}: {trouble.strerror}.") from None
        print(f"{count} screens in {args.shots}, all of them on {Path(args.shots) / 'all.png'}")
    return BAD_USAGE if found else OK


def _texts(lang):
    if not file_of(lang).is_file():
        raise Trouble(f"there is no {file_of(lang)}: begin with a copy of {ENGLISH}.txt.")
    return read(lang)


def play(lang, scene, look):
    """Play a scene on a new flash."""
    with tempfile.TemporaryDirectory() as flash:
        gallery.play(gallery.Flash(flash), lang, scene, look)
