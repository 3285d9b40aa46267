"""Test checksums on lines."""

from helpers.faulty_storage import FaultyStorage
from kiebitz.store.sealed_lines import LINE_MAX, PIECE, checksum, each_line, seal, unseal


def test_what_was_sealed_comes_out_again():
    for text in ("", "{}", "a b  c ", "Zo\u00eb \u2660"):
        line = seal(text, "salt")
        assert line[-1:] == b"\n" and unseal(line[:-1], "salt") == text.encode(), text


def test_what_was_not_sealed_does_not_come_out():
    line = seal("text", "salt")[:-1]
    for wrong in (b"", b" ", b"text", line[:-1], line[1:], line + b" ", line.upper(), b"x" + checksum(b"x", "salt"),
                  checksum(b"", "salt")):
        assert unseal(wrong, "salt") is None, wrong
    assert unseal(line, "pepper") is None


def lines_of(data):
    """Return (lines, result of each_line) for a file with this content."""
    lines = []
    rest = each_line(FaultyStorage({"file": data}), "file", lines.append)
    return lines, rest


def test_lines_come_one_by_one_whatever_pieces_they_are_read_in():
    for size in (1, 100, PIECE - 1, PIECE, PIECE + 1, LINE_MAX):
        line = b"x" * size
        for data, lines, rest in (
            (b"", [], 0),
            (b"\n", [b""], 0),
            (line, [], size),
            (line + b"\n", [line], 0),
            (b"a\n" + line + b"\nb", [b"a", line], 1),
            (b"\n\n" + line + b"\n", [b"", b"", line], 0),
        ):
            assert lines_of(data) == (lines, rest), (size, data[:9])


def test_a_line_that_is_too_long_ends_the_reading():
    assert lines_of(b"a\n" + b"x" * (LINE_MAX + PIECE)) == ([b"a"], -1)


def test_the_reader_can_have_enough():
    seen = []

    def take(line):
        seen.append(line)
        return line == b"b"

    assert each_line(FaultyStorage({"file": b"a\nb\nc\n"}), "file", take) == -1
    assert seen == [b"a", b"b"]


def test_a_file_that_is_not_there_has_no_lines():
    assert each_line(FaultyStorage(), "file", None) == 0
