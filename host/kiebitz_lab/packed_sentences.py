"""Pack the sentences of a language into constants of the image by byte pair encoding, and find them there.

A symbol is one byte: a byte that occurs in the language, or a pair of symbols. A sentence is found by the CRC32 of its
key. As a tuple of strings the five languages would take 85 KB more before encoding: each string has a head of 16 bytes
and a place in the tuple, and the keys would be there too.
"""

from binascii import crc32
from collections import Counter
from typing import NamedTuple

from kiebitz.machine_code import micropython, ptr8

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
