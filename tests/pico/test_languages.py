"""Languages on the chip: changing them is quick, and only the one in use takes memory."""

from kiebitz.ui.texts import LANGUAGES
from kiebitz_host import bench_languages
from kiebitz_host.chip.bench import Bench
from kiebitz_host.chip.heap import heap, with_probe

ONE_LANGUAGE = 8_000  # bytes: its index and the sentences used last; the texts themselves take 20,000


def test_every_language_is_there_in_less_than_a_third_of_a_second(bare_flash):
    times = bench_languages.switch_ms(bare_flash)
    assert set(times) == set(LANGUAGES)
    assert all(0 < ms < bench_languages.SWITCH_GOAL_MS for ms in times.values()), times


def test_only_the_language_in_use_is_in_memory(bare_flash):
    once = Bench(with_probe(bare_flash)).boot().keys(f"ok {bench_languages.TO_SETTINGS}")
    through_all = Bench(with_probe(bare_flash)).boot().keys(f"ok {bench_languages.TO_SETTINGS} ok*{len(LANGUAGES)}")
    one, all_of_them = heap(once), heap(through_all)
    assert 2_000 < one.language < ONE_LANGUAGE and 2_000 < all_of_them.language < ONE_LANGUAGE
    assert all_of_them.free > one.free - 2_000, (one, all_of_them)
