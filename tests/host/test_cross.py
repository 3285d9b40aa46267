"""The comparison of two emulators: what is equal is counted, and whatever differs is found."""

import copy
import json

import pytest
from kiebitz_host.flash_layout import FLASH_SIZE
from kiebitz_host.outcome import BAD_USAGE
from kiebitz_lab.chip import cross
from kiebitz_lab.chip.cross import Record, compare

RECORD = Record(
    bus=[["start", 0, 8.0], ["address", 0x3C, 16.0], ["write", 0x40, 24.0], ["write", 7, 32.5], ["stop", 0, 40.5]],
    flash=[["erase", 4096, "ffff", 100.0], ["program", 4096, "7b7d", 200.0]],
)


def other(part, at, field, value):
    changed = copy.deepcopy(RECORD)
    getattr(changed, part)[at][field] = value
    return changed


def test_equal_records_are_counted():
    lines, equal = compare(RECORD, copy.deepcopy(RECORD))
    assert equal
    assert lines == ["I2C tokens: 5 of 5 equal", "flash writes: 2 of 2 equal", "time marks: 7 of 7 equal"]


@pytest.mark.parametrize(
    ("theirs", "name", "here", "there"),
    [
        (other("bus", 3, 1, 6), "I2C tokens", "write 7", "write 6"),
        (other("flash", 1, 2, "7b7c"), "flash writes", "program 4096 7b7d", "program 4096 7b7c"),
        (other("bus", 3, 2, 40.0), "time marks", "write 7 at 32.5 ns", "write 7 at 40.0 ns"),
        (Record(RECORD.bus[:3], RECORD.flash), "I2C tokens", "write 7", "nothing more"),
        (Record(RECORD.bus, []), "flash writes", "erase 4096 ffff", "nothing more"),
    ],
)
def test_the_first_difference_is_shown_with_both_sides(theirs, name, here, there):
    lines, equal = compare(RECORD, theirs)
    assert not equal
    at = next(i for i, line in enumerate(lines) if line.startswith(f"{name}: ") and "first difference" in line)
    assert lines[at + 1 : at + 3] == [f"  here: {here}", f"  rp2040js: {there}"]


def test_a_whole_nanosecond_is_the_same_with_and_without_a_point():
    """JavaScript writes 8 where Python writes 8.0."""
    theirs = Record(*json.loads(json.dumps(RECORD).replace(".0]", "]")))
    assert isinstance(theirs.bus[0][2], int)
    lines, equal = compare(RECORD, theirs)
    assert equal and lines[-1] == "time marks: 7 of 7 equal"


@pytest.fixture
def package(tmp_path, monkeypatch):
    monkeypatch.setattr(cross, "PACKAGE", tmp_path)
    return tmp_path


def test_the_run_ends_with_a_code_that_tells_whether_both_did_the_same(package, monkeypatch, tmp_path, capsys):
    image = tmp_path / "flash"
    image.write_bytes(bytes(FLASH_SIZE))
    monkeypatch.setattr(cross, "play_here", lambda flash, keys: (RECORD, {"end_ns": 1e9}))
    for theirs, code, word in ((RECORD, 0, "equal"), (other("bus", 3, 1, 6), 1, "DIFFERENT")):
        monkeypatch.setattr(cross, "play_there", lambda flash, story, theirs=theirs: theirs)
        assert cross.main(["--flash", str(image)]) == code
        assert capsys.readouterr().out.splitlines()[-1] == word


def test_what_is_missing_is_said(package, capsys):
    short = package / "short"
    short.write_bytes(b"123")
    assert cross.main(["--flash", str(short)]) == BAD_USAGE
    assert "it has 3 bytes and not 2,097,152" in capsys.readouterr().err
    assert cross.main(["--flash", str(package / "nothing")]) == BAD_USAGE
    package.joinpath("short").unlink()
    package.rmdir()
    assert cross.main([]) == BAD_USAGE
    assert "run make cross" in capsys.readouterr().err
