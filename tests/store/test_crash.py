"""Test what is stored of an unexpected error, also if storing fails."""

from helpers.faulty_storage import FaultyStorage
from kiebitz.store.crash import NAME, SIZE_MAX, keep_crash, read_crashes


def breaks(what):
    raise ValueError(what)


def error(what="no such board"):
    try:
        breaks(what)
    except ValueError as trouble:
        return trouble


def test_the_trace_says_where_and_what_in_short_lines():
    lines = keep_crash(FaultyStorage(), error())
    assert lines[-1] == "ValueError: no such board"
    places = [line for line in lines if line.startswith("test_crash.py:") and line.endswith(" breaks")]
    assert len(places) == 1 and lines[-2] == places[0]
    for line in lines:
        assert len(line) < 60


def test_an_error_without_words_has_its_name():
    assert keep_crash(FaultyStorage(), KeyError())[-1] == "KeyError"


def test_the_file_keeps_the_version_and_the_trace():
    storage = FaultyStorage()
    lines = keep_crash(storage, error())
    text = read_crashes(storage)
    assert text.startswith("kiebitz ") and "\n".join(lines) in text
    assert storage.names() == [NAME]


def test_the_file_stays_small_and_the_newest_errors_stay_whole():
    storage = FaultyStorage()
    for k in range(60):
        keep_crash(storage, error("number %d" % k))
        assert storage.size(NAME) <= SIZE_MAX
        assert read_crashes(storage).startswith("kiebitz "), k
    text = read_crashes(storage)
    assert "number 59" in text and "number 58" in text and "number 1\n" not in text
    assert storage.size(NAME) > SIZE_MAX // 2


def test_a_very_long_error_does_not_push_out_all_others():
    storage = FaultyStorage()
    keep_crash(storage, error("short"))
    keep_crash(storage, error("x" * 5000 + "end"))
    text = read_crashes(storage)
    assert "short" in text and "xend" in text and storage.size(NAME) <= SIZE_MAX


def test_it_never_raises():
    for k in range(2):
        for part in (0, 3, 10000):
            storage = FaultyStorage().full_at(k, part, stays=True)
            assert keep_crash(storage, error())[-1] == "ValueError: no such board"
            assert keep_crash(storage, error())[-1] == "ValueError: no such board"
    assert keep_crash(None, error())[-1] == "ValueError: no such board"


def test_a_damaged_file_is_shown_as_far_as_it_can_be():
    storage = FaultyStorage()
    keep_crash(storage, error("Zo\u00eb"))
    storage.flip(NAME, 2, 7)
    assert read_crashes(storage).startswith("ki?bitz ")
    keep_crash(storage, error())
    assert "no such board" in read_crashes(storage)
    assert read_crashes(FaultyStorage()) == ""
