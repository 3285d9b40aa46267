"""Pack the sentences of a language into two constants of the image, and find them there by the CRC32 of their keys.

As a tuple of strings the five languages would take 85 KB more: each string has a head of 16 bytes and a place in the
tuple, and the keys would be there too.
"""

from binascii import crc32


def hashes_of(keys: list[str]) -> bytes:
    """Return the CRC32 of each key, four bytes each; ValueError if two keys have the same."""
    hashes = [crc32(key.encode()).to_bytes(4, "big") for key in keys]
    if len(set(hashes)) < len(keys):
        raise ValueError("two keys have the same CRC32: rename one of them")
    return b"".join(hashes)


def by_hash(keys) -> list[str]:
    """Return the keys in the order of their CRC32."""
    return sorted(keys, key=lambda key: crc32(key.encode()))


def packed(sentences: list[str]) -> tuple[bytes, bytes]:
    """Return (all sentences one after the other, where each begins and the last one ends, in two bytes each)."""
    data = [sentence.encode() for sentence in sentences]
    places = [sum(map(len, data[:k])) for k in range(len(data) + 1)]
    return b"".join(data), b"".join(place.to_bytes(2, "little") for place in places)


def find(key, hashes, sentences, places):
    """Return the sentence of a key, or None. Its source is part of the image, where nothing else of this module is."""
    wanted = crc32(key.encode()).to_bytes(4, "big")
    low, high = 0, len(hashes) >> 2
    while low < high:
        middle = (low + high) >> 1
        if hashes[middle << 2 : (middle << 2) + 4] < wanted:
            low = middle + 1
        else:
            high = middle
    if hashes[low << 2 : (low << 2) + 4] != wanted:
        return None
    at = low << 1
    start, end = places[at] | places[at + 1] << 8, places[at + 2] | places[at + 3] << 8
    return str(memoryview(sentences)[start:end], "utf-8")
