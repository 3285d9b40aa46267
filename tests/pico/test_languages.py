"""Languages on the chip: changing them is quick, and none of them takes memory."""

from kiebitz.text import LANGUAGES
from kiebitz_lab.bench import languages as bench_languages
from kiebitz_lab.chip.heap import heap
from kiebitz_lab.chip.rig import Rig
from kiebitz_lab.chip.round_trip import all_languages

A_LANGUAGE = 1_000  # bytes of heap: its module; the sentences are constants in flash


def test_every_language_is_there_in_less_than_a_third_of_a_second(bare_flash):
    times = bench_languages.switch_ms(bare_flash)
    assert set(times) == set(LANGUAGES)
    assert all(0 < ms < bench_languages.SWITCH_GOAL_MS for ms in times.values()), times


def test_the_sentences_of_a_language_take_no_memory(bare_flash):
    once = Rig(bare_flash).boot().keys(f"ok {bench_languages.TO_SETTINGS}")
    through_all = Rig(bare_flash).boot().keys(f"ok {bench_languages.TO_SETTINGS} {all_languages()}")
    one, all_of_them = heap(once), heap(through_all)
    assert all_of_them.free > one.free - A_LANGUAGE * (len(LANGUAGES) - 1), (one, all_of_them)
