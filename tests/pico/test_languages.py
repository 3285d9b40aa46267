"""Languages on the chip: changing them is quick, and none of them takes memory."""

from binascii import crc32

from kiebitz.text import LANGUAGES
from kiebitz_host.languages import device_texts
from kiebitz_lab.bench import languages as bench_languages
from kiebitz_lab.chip.evenings import all_languages
from kiebitz_lab.chip.probes import heap
from kiebitz_lab.chip.reference import ReferenceDevice
from kiebitz_lab.chip.rig import Rig
from kiebitz_lab.packed_sentences import by_hash

A_LANGUAGE = 1_000  # bytes of heap: its module; the sentences are constants in flash


def test_every_language_is_there_in_less_than_a_third_of_a_second(bare_flash):
    times = bench_languages.switch_ms(bare_flash)
    assert set(times) == set(LANGUAGES)
    assert all(0 < ms < bench_languages.SWITCH_GOAL_MS for ms in times.values()), times


def test_the_sentences_of_a_language_take_no_memory(bare_flash):
    reference = ReferenceDevice(language=None)
    to_settings = reference.pressed(f"ok {bench_languages.TO_SETTINGS}")
    once = Rig(bare_flash).boot().keys(to_settings)
    through_all = Rig(bare_flash).boot().keys(f"{to_settings} {reference.pressed(all_languages())}")
    one, all_of_them = heap(once), heap(through_all)
    assert all_of_them.free > one.free - A_LANGUAGE * (len(LANGUAGES) - 1), (one, all_of_them)


def test_every_sentence_of_every_language_is_decoded_as_it_is_in_the_file(attempt):
    keys = by_hash(device_texts("en"))

    def scenario(rig):
        prompt(rig, b"\x03")
        prompt(rig, b"import kiebitz_languages as kl; from binascii import crc32; from kiebitz.text import text\r\n")
        found = {}
        for lang in LANGUAGES:
            prompt(rig, f"m = __import__('kiebitz_languages.{lang}', None, None, ('PAIRS',)); c = 0\r\n".encode())
            prompt(rig, DECODE_ALL)
            found[lang] = prompt(rig, b"print(c, kl.load('" + lang.encode() + b"')('nothing'))\r\n")
        return found

    for lang, said in attempt(scenario).items():
        texts = {**device_texts("en"), **device_texts(lang)}
        whole = crc32(b"".join(texts[key].encode() + b"\n" for key in keys))
        assert said == [f"{whole} None".encode()], lang


DECODE_ALL = (
    b"for k in range(len(m.LENGTHS)): c = crc32(b'\\n', crc32(memoryview(kl._OUT)"
    b"[:kl.decode(k, m.SENTENCES, m.LENGTHS, m.PAIRS, kl._OUT, len(kl._OUT))], c))\r\n\r\n"
)


def prompt(rig, typed):
    """Type something at the prompt. Returns the lines of the answer."""
    since = len(rig.serial.out)
    rig.serial.send(typed)
    return rig.serial.wait_for(b">>> ", since=since).splitlines()[1:-1]
