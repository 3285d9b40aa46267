"""Sentences as byte pairs: all of them come back, in any alphabet, and the constants are the same each time."""

import pytest
from kiebitz.text import LANGUAGES
from kiebitz_host.languages import device_texts
from kiebitz_lab.packed_sentences import by_hash, find, hashes_of, packed

GREEK = {
    "E_TURN": "Είναι η σειρά του {name}.",
    "key.yes": "ναι",
    "count": "Μένουν {n:κάρτα|κάρτες} και {k:μάρκα|μάρκες}, όχι περισσότερες μάρκες.",
    "long": "Οι μάρκες των παικτών και οι κάρτες των παικτών μένουν στο τραπέζι των παικτών.",
}
CYRILLIC = {"a": "Ход игрока {name}: ходит игрок {name}.", "b": "Сдаёт {name}", "c": "♠ ♥ ♦ ♣"}
MIXED = {"plain": "a", "same": "aaaaaaaaaaaaaaaaa", "none": "", "signs": "\U0001f0a1 \u202f!", "nul": "\0\0\0\0"}


def finder(texts):
    """Return the function that finds a sentence among those that are packed, as in the image."""
    keys = by_hash(texts)
    hashes, language = hashes_of(keys), packed([texts[key] for key in keys])
    out = bytearray(language.room)
    return lambda key: find(key, hashes, language.codes, language.lengths, language.table, out)


@pytest.mark.parametrize("texts", [GREEK, CYRILLIC, MIXED, {"one": "x"}, *map(device_texts, LANGUAGES)])
def test_every_sentence_comes_back_and_no_other_key_has_one(texts):
    get = finder(texts)
    for key, sentence in texts.items():
        assert get(key) == sentence, key
    for key in ("", "E_", "nothing", "E_TURN ", "~"):
        assert get(key) is None, key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_language_takes_little_more_than_half(lang):
    texts = device_texts(lang)
    codes, lengths, table, room = packed(list(texts.values()))
    plain = sum(len(sentence.encode()) for sentence in texts.values())
    assert len(codes) < plain * 0.53 and len(lengths) == len(texts) and len(table) <= 1 + 2 * 256
    assert room < 256, "it is in the memory of the device"


def test_the_constants_do_not_depend_on_chance():
    sentences = list(device_texts("fr").values())
    assert packed(sentences) == packed(list(sentences))
    assert packed(["ab ab ab cd cd cd"]).table == packed(["ab ab ab cd cd cd"]).table


def test_a_sentence_that_is_too_long_is_refused():
    with pytest.raises(ValueError, match="longer than 255"):
        packed(["".join(map(chr, range(0x400, 0x500)))])


def test_many_alphabets_at_once_only_leave_less_room_for_pairs():
    texts = {f"k{start}": "".join(map(chr, range(start, start + 60))) for start in range(0xA0, 0x2000, 60)}
    get = finder(texts)
    assert all(get(key) == sentence for key, sentence in texts.items())
