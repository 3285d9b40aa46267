"""List hostile devices at the prompt and as a drive, for install and doctor."""

import base64
import itertools
import json
from functools import partial
from typing import Any

from .kinds import ESCAPES, FORMATS, KINDS, TYPES, Kind, Scene, asked_at_prompt, kind

PROMPT = ("doctor", "save", "report", "install")
_ESCAPE_BYTES = tuple(word.encode() for word in ESCAPES[:9])


def _base64(data: bytes) -> bytes:
    return base64.b64encode(data) + b"\n"


# What a prompt sends instead: attribute of Prompt -> one value, or several of which the dice choose
PROMPTS: dict[str, dict[str, Any]] = {
    "no JSON": {"facts": (b"", b"x", b"{", b"\xff\xfe", b"NaN")},
    "another JSON": {"facts": tuple(json.dumps(value).encode() for value in TYPES)},
    "deep lists": {"facts": b"[" * 60_000},
    "an error of escapes": {"error": _ESCAPE_BYTES},
    "an error of blanks": {"error": (b" ", b"\r\n", b"\x0c")},
    "an error without end": {"error": b"x" * 900_000},
    "too many ends": {"error": (b"\x04", b"\x04\x04x\x04")},
    "a crash of escapes": {"crashes": tuple(_base64(b"a\n%s\n%s\n--\n" % (word, word)) for word in _ESCAPE_BYTES)},
    "a crash of an escape alone": {"crashes": tuple(_base64(word + b"\n--\n") for word in _ESCAPE_BYTES)},
    "a crash that is no base64": {"crashes": (b"\x1b[2J=\xff\n!", b"=", b"a", b"\xc3\xa4")},
    "a crash of many lines": {"crashes": _base64(b"a\n" * 300_000 + b"\n--\n")},
    "a crash of one long line": {"crashes": _base64(b"x" * 600_000 + b"\n--\n")},
    "a crash without end": {"crashes": b"eHh4\n" * 1_000_000},
    "no files": {"files": (b"", b"x", b"{", b"\xff\xfe", b"[" * 60_000)},
    "no times": {"times": (b"", b"null", b"{", b"\xff\xfe", b"[" * 60_000)},
    "no geometry": {"geometry": (b"", b"1", b"0 0", b"-1 4096", b"a b", b"1 2 3", b"\x1b[2J")},
    "a huge geometry": {"geometry": (b"9999999999 4096", b"1 9999999999", b"256 1", b"9" * 5000 + b" 1")},
    "no raw prompt": {"raw": b"\x1b[2J"},
    "no plain prompt": {"plain": b"login: "},
    "no restart": {"reboot": b""},
    "a window of zero": {"paste": b"R\x01\x00\x00" + b"\x01" * 99_999},
    "half a window": {"paste": b"R\x01\x00"},
    "no window": {"paste": b"\x1bx"},
    "no word of having understood": {"taken": b"\x1b["},
    "a flood": {"flood": itertools.repeat(b"\x1b[2J" * 4000)},
    "a flood instead of a prompt": {"plain": b"", "flood": itertools.repeat(b">>" * 999)},
    "a flood instead of the raw prompt": {"raw": b"", "flood": itertools.repeat(b"x" * 999)},
    "a flood of prompts": {"flood": itertools.repeat(b">>> ")},
    "a flood instead of an answer": {"taken": b"", "flood": itertools.repeat(b"OK")},
    "drops": {"flood": itertools.cycle([b"x", b""])},
    "drops instead of a prompt": {"plain": b"", "flood": itertools.cycle([b">", b""])},
    "drops instead of an answer": {"taken": b"OK", "raw": b"", "flood": itertools.cycle([b"x", b"", b"\x01"])},
    "blocks that are none": {"block": lambda number, content: b"\x1b[2J\n"},
    "blocks of other numbers": {"block": lambda number, content: b"99 00000000 x\n"},
    "blocks that are too long": {"block": lambda number, content: b"%d 0 " % number + b"A" * 9000 + b"\n"},
}


def _put(values: dict[str, Any], scene: Scene) -> None:
    prompt = asked_at_prompt(scene)
    for name, value in values.items():
        setattr(prompt, name, scene.dice.choice(value) if isinstance(value, tuple) else value)


for _name, _values in PROMPTS.items():
    KINDS.append(Kind(f"prompt: {_name}", PROMPT, partial(_put, _values)))


@kind("prompt: facts and more", *PROMPT)
def _more_facts(scene: Scene) -> None:
    asked_at_prompt(scene).facts.update({"__init__": 1, "self": 2, ESCAPES[0]: 3})


# --- the drive ---

MODELS = (*ESCAPES[:9], *FORMATS, "x" * 100_000, "")


@kind("drive of another model", "install")
def _model(scene: Scene) -> None:
    scene.info = f"Model: {scene.dice.choice(MODELS)}\n".encode()


@kind("drive that is named, of another model", "install_drive")
def _named_drive(scene: Scene) -> None:
    _model(scene)


@kind("drive whose description has no end", "install", "install_drive")
def _long_description(scene: Scene) -> None:
    scene.info += b"\x1b[2J" * 1_000_000


@kind("drive with an escape sequence for its name", "install", "install_drive")
def _drive_name(scene: Scene) -> None:
    scene.drive = "RPI-RP2" + scene.dice.choice(("\x1b[2J", "\x9b31m", "\x07", "{0}", "[red]"))


@kind("drive after which nobody comes back", "install")
def _no_return(scene: Scene) -> None:
    scene.returns = False
