"""Laboratory tools: comparison of two emulators, cache folder, and size table of the image."""

import copy
import io
import json

import pytest
from kiebitz_host.flash_layout import FLASH_SIZE
from kiebitz_host.outcome import BAD_USAGE, Trouble
from kiebitz_lab.chip import cross
from kiebitz_lab.chip.cache_folder import seal, sealed
from kiebitz_lab.chip.cross import Record, compare
from kiebitz_lab.chip.processor import fast_library
from kiebitz_lab.image.room import _module_of, room, row_of, show
from rich.console import Console

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
    """Compare 8, as JavaScript prints it, with 8.0, as Python does."""
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


# --- the cache folder ---


def test_a_file_that_has_changed_is_not_believed(tmp_path):
    file = tmp_path / "core.so"
    assert sealed(file) is None
    file.write_bytes(b"good")
    assert sealed(file) is None
    seal(file)
    assert list(sealed(file)) == ["core.so"]
    file.write_bytes(b"evil")
    assert sealed(file) is None


@pytest.mark.parametrize("change", ["edit", "add", "remove", "seal"])
def test_a_folder_in_which_anything_has_changed_is_not_believed(tmp_path, change):
    folder = tmp_path / "sources"
    (folder / "lib").mkdir(parents=True)
    (folder / "lib" / "a.c").write_text("a")
    (folder / "b.c").write_text("b")
    seal(folder)
    entries = sealed(folder)
    assert sorted(entries) == ["sources/b.c", "sources/lib/a.c"]
    if change == "edit":
        (folder / "lib" / "a.c").write_text("x")
    elif change == "add":
        (folder / "lib" / "c.c").write_text("c")
    elif change == "remove":
        (folder / "b.c").unlink()
    else:
        (tmp_path / "sources.sha256").write_text("{}")
    assert sealed(folder) is None
    seal(folder, entries)
    assert sealed(folder) is not None


@pytest.mark.long
def test_a_changed_core_of_the_emulator_is_compiled_again(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    library = fast_library(print)
    if library is None:
        pytest.fail("there is no compiler for the fast core of the emulator")
    good = library.read_bytes()
    library.write_bytes(b"evil")
    assert fast_library(print).read_bytes() == good


# --- the size table ---

ROWS = {
    "kiebitz/app.py": "kiebitz",
    "kiebitz/screens/history.py": "kiebitz.screens",
    "kiebitz/games/base.py": "kiebitz.games",
    "kiebitz/games/poch/rules.py": "kiebitz.games.poch",
    "kiebitz/raster/canvas.py": "kiebitz.raster",
    "kiebitz/raster/font_small.py": "fonts",
    "kiebitz_languages/__init__.py": "kiebitz_languages",
    "kiebitz_languages/de.py": "kiebitz_languages.de",
    "main.py": "main",
}
MODULES = {name.removesuffix(".py").replace("/", "_"): row for name, row in ROWS.items()}


@pytest.mark.parametrize("module", ROWS)
def test_a_module_counts_for_its_package_its_language_or_the_fonts(module):
    assert row_of(module) == ROWS[module]


@pytest.mark.parametrize(
    ("symbol", "module"),
    [
        ("fun_data_kiebitz_games_poch_rules_Poch_do_bid", "kiebitz_games_poch_rules"),
        ("const_obj_kiebitz_languages_de_0", "kiebitz_languages_de"),
        ("const_obj_table_data_kiebitz_languages___init__", "kiebitz_languages___init__"),
        ("fun_data_main__lt_module_gt_", "main"),
        ("mp_execute_bytecode", ""),
        ("fun_data_elsewhere", ""),
    ],
)
def test_a_symbol_tells_its_module(symbol, module):
    assert _module_of(symbol, MODULES) == module


def test_a_file_that_is_not_a_program_is_refused(tmp_path):
    (tmp_path / "firmware.elf").write_bytes(b"UF2\n" * 100)
    with pytest.raises(Trouble, match="not a program for a Pico"):
        room(tmp_path / "firmware.elf", 1000)


def test_the_table_has_the_rows_their_sum_and_what_is_free():
    out = io.StringIO()
    figures = {"size": 7000, "free": 1234, "rows": {"MicroPython": 4000, "kiebitz.games.poch": 3000}}
    show(figures, Console(file=out, width=80))
    lines = [" ".join(line.split()) for line in out.getvalue().splitlines()]
    for line in ("MicroPython 4,000", "kiebitz.games.poch 3,000", "image 7,000"):
        assert line in lines
    assert "Free before the file system: 1,234 bytes." in lines
