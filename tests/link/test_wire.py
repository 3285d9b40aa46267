"""Test that a line on the wire arrives intact or not at all."""

from kiebitz.link.wire import ANSWER, REQUEST, escape, frame, unescape, unframe

NAMES = '{"names":["\u00c4nne ~7e","\U0001f600 \\u00e4","K! 3 ok {}"]}'


def test_what_is_framed_can_be_unframed():
    cases = (
        (REQUEST, 1, "who", "{}"),
        (ANSWER, 0, "now", '{"id":null}'),
        (ANSWER, 999999999, "+", NAMES),
    )
    for mark, seq, word, value in cases:
        line = frame(mark, seq, word, value)
        assert line[-1:] == b"\n" and line.count(b"\n") == 1, line
        assert all(32 <= byte < 127 for byte in line[:-1]), line
        got = unframe(mark, line[:-1])
        assert got is not None and got[:2] == (seq, word), got
    assert unframe(ANSWER, frame(ANSWER, 5, "+", NAMES)[:-1])[2]["names"] == [
        "\u00c4nne ~7e",
        "\U0001f600 \u00e4",
        "K! 3 ok {}",
    ]


def test_text_before_a_line_is_passed_over():
    line = frame(ANSWER, 7, "ok", "{}")[:-1]
    for before in (b">>> ", b"K! 7 ok {} ", b"K! K! ", b"\xff\x00\x03", b'{"ev":"undo"} 3 12345678'):
        assert unframe(ANSWER, before + line) == (7, "ok", {}), before


def test_text_behind_a_line_spoils_it():
    assert unframe(ANSWER, frame(ANSWER, 7, "ok", "{}")[:-1] + b" ") is None


def test_a_request_is_no_answer():
    assert unframe(ANSWER, frame(REQUEST, 7, "who", "{}")[:-1]) is None


def test_a_single_changed_bit_is_noticed():
    line = frame(REQUEST, 31, "read", '{"id":"5b3c0f-0001-c67e81","at":0}')[:-1]
    for at in range(len(line)):
        for bit in range(8):
            spoilt = bytearray(line)
            spoilt[at] ^= 1 << bit
            assert unframe(REQUEST, bytes(spoilt)) is None, (at, bit)


def test_a_line_that_lost_a_part_is_noticed():
    line = frame(REQUEST, 31, "confirm", '{"id":"a","mark":"b"}')[:-1]
    for start in range(len(line)):
        assert unframe(REQUEST, line[start + 1 :]) is None, start
        assert unframe(REQUEST, line[:start]) is None, start
        assert unframe(REQUEST, line[:start] + line[start + 1 :]) is None, start


def test_what_is_whole_but_makes_no_sense_is_passed_over():
    for seq, value in ((5, "[]"), (5, "3"), (5, "{"), (5, ""), (5, '{"a":1} {}'), (10**9, "{}"), (-1, "{}")):
        assert unframe(REQUEST, frame(REQUEST, seq, "who", value)[:-1]) is None, (seq, value)


def test_escapes_are_printable_and_undone():
    names = "\u00e4\U0001f600".encode()
    for data in (b"", b"plain {}", b"~", b"~~7e", b"\x00\x03\x7f\x80\xff", names, bytes(range(11, 256))):
        wire = escape(data)
        assert unescape(wire) == data, data
        assert all(32 <= byte < 127 for byte in wire), data
    assert escape(b"a\nb\n") == b"a\nb\n"
    for wrong in (b"~", b"~g0", b"a~4"):
        try:
            unescape(wrong)
        except ValueError:
            continue
        assert wrong == b"a~4"  # accepted here; the checksum of the line detects it
