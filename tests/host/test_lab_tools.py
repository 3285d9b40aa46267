"""Laboratory tools: the benchmark, comparison of two emulators, cache folder, size table of the image."""

import copy
import io
import json
import sys

import pytest
from kiebitz.games import GAMES
from kiebitz.store.replay import ReplayedTable
from kiebitz_host.flash_layout import FLASH_SIZE
from kiebitz_host.outcome import BAD_USAGE, Trouble
from kiebitz_lab import bench, samples
from kiebitz_lab.bench import commands as bench_commands
from kiebitz_lab.bench import device as bench_chip
from kiebitz_lab.bench import games as bench_games
from kiebitz_lab.bench import languages as bench_languages
from kiebitz_lab.bench import sync as bench_sync
from kiebitz_lab.chip import cross
from kiebitz_lab.chip.cache_folder import seal, sealed
from kiebitz_lab.chip.cross import Record, compare
from kiebitz_lab.chip.processor import fast_library
from kiebitz_lab.frozen_tree import ROOT
from kiebitz_lab.games import GAMES_IN_LAB
from kiebitz_lab.image.room import _module_of, room, row_of, show
from kiebitz_lab.synthetic_store import few_games, season, shelf
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


# --- the benchmark ---

def test_every_sample_is_a_game_of_400_events_that_can_be_replayed():
    long_games = bench_games.sample_games()
    long = {kind for kind in GAMES if GAMES_IN_LAB[kind].LONG}  # another game ends before
    assert {json.loads(lines[0])["game"] for lines in long_games.values()} == long
    for lines in long_games.values():
        script = ReplayedTable()
        for line in lines:
            script.feed(line.encode())
        assert len(script.table) == 400


def test_a_short_game_is_measured_and_shown(tmp_path):
    lines = bench_games.sample_games()["poch"][:21]
    measured = bench_games.run([sys.executable], {"PYTHONPATH": str(ROOT / "firmware")}, {"poch": lines}, tmp_path)
    figures = measured["games"]["poch"]
    assert sorted(figures) == ["events_per_second", "undo_10_us", "undo_end_us"]
    assert all(type(value) is int and value > 0 for value in figures.values())
    out = io.StringIO()
    with_heap = {**measured, "games": {"poch": {**figures, "heap_bytes": 20480, "heap_undone_bytes": 1536}}}
    bench_games.show({"events": 20, "cpython": measured, "micropython": with_heap}, Console(file=out, width=80))
    assert "20.0 KB" in out.getvalue() and "1.5 KB" in out.getvalue()
    assert f"{figures['events_per_second']:,}" in out.getvalue()


def test_a_game_that_cannot_be_played_is_said_and_not_measured(tmp_path):
    lines = bench_games.sample_games()["poch"][:3] + ['{"ev":"finish"}']
    try:
        bench_games.run([sys.executable], {"PYTHONPATH": str(ROOT / "firmware")}, {"poch": lines}, tmp_path)
    except bench_games.NotMeasured as trouble:
        assert "poch failed" in str(trouble)
    else:
        raise AssertionError("measured")


def test_the_first_evening_takes_few_presses_in_every_game():
    counted = bench_games.first_evening()
    assert set(counted) == set(GAMES)
    for kind, presses in counted.items():
        # The goals are 14 and 45; with eight games in the menu, Kniffel needs one press more and Skat two
        assert presses["guests"] <= (16 if kind == "skat" else 15), kind
        assert presses["names"] <= (46 if kind == "skat" else 45), kind


def test_a_round_of_four_players_with_two_digits_takes_18_presses_or_fewer():
    counted = bench_games.round_presses("any_game")
    assert len(counted) == 7 and sum(counted) <= 18 * 7, counted


def test_a_deal_of_doppelkopf_takes_5_presses_or_fewer():
    counted = bench_games.round_presses("any_game exchange")
    assert len(counted) == 17 and sum(counted) <= 5 * 17, counted


def test_whoever_enters_each_number_from_0_enters_what_was_said():
    for name in samples.SAID:
        assert bench_games.wrong_entries(name) == 0, name


def test_an_entry_that_differs_from_what_was_said_is_counted(monkeypatch):
    setup, keys = samples.SAMPLES["any_game"]
    monkeypatch.setitem(samples.SAMPLES, "any_game", (setup, keys.replace("right*1 left*1 down*1", "right*1 left*1")))
    assert bench_games.wrong_entries("any_game") == 1


def test_the_first_evening_is_shown_beside_its_goals(capsys):
    figures = {"first_entry_presses": {"poch": {"guests": 12, "names": 43}}, "round_presses": {"any_game": [14, 16]}}
    figures["wrong_entries"] = {"any_game": 2}
    bench_games.show_presses(figures)
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "any_game: 15.0 presses a round, from 14 to 16 (goal: 18)" in lines
    assert "any_game: 2 entries of 28 differ from what was said (goal: 0)" in lines
    assert "game four guests (goal: 14) four names (goal: 45)" in lines and "poch 12 43" in lines


def test_the_parts_of_the_benchmark_keep_each_others_figures(tmp_path):
    path = tmp_path / "build" / "bench.json"
    bench.record("games", {"a": 1}, path)
    bench.record("screens", {"b": 2}, path)
    bench.record("games", {"a": 3}, path)
    assert json.loads(path.read_text()) == {"games": {"a": 3}, "screens": {"b": 2}}


def test_the_costs_of_languages_are_shown_beside_the_goal():
    costs = {
        "text_bytes": 21775, "image_bytes": 12345, "heap_free": 113152, "first_choice_ms": 84.5, "switch_ms": 118.6,
    }  # fmt: skip
    out = io.StringIO()
    bench_languages.show({"de": costs, "nl": costs}, Console(file=out, width=80))
    lines = [" ".join(line.split()) for line in out.getvalue().splitlines()]
    for name in ("Deutsch", "Nederlands"):
        assert f"{name} 21,775 12,345 113,152 84 ms 119 ms 300 ms" in lines


def test_the_time_awake_is_shown_beside_the_goal():
    out = io.StringIO()
    row, dark = {"awake_percent": 6.05, "press_ms": 33.5}, {"awake_percent": 0.8, "press_ms": 2.0}
    bench_chip.show_rest({"on": row, "dimmed": row, "off": dark}, Console(file=out, width=80))
    lines = [" ".join(line.split()) for line in out.getvalue().splitlines()]
    for line in ("on 6.05 % 10 % 33.5 ms 60 ms", "dimmed 6.05 % 5 % 33.5 ms 60 ms", "off 0.8 % 1 % 2.0 ms 60 ms"):
        assert line in lines


SPREAD = {"n": 3, "median": 33.4, "p95": 121.9, "max": 188.5}
COLUMN = {
    "boot_ms": 505, "resume_400_ms": {"poch": 992}, "undo_400_ms": {"poch": 86},
    "press_to_pixels_ms": SPREAD, "cursor_to_pixels_ms": SPREAD, "entry_to_flash_ms": SPREAD,
    "contact_to_pixels_ms": SPREAD, "contact_to_flash_ms": SPREAD,
}  # fmt: skip
DEVICE = {
    **COLUMN, "resume_400_without_checkpoint_ms": {"poch": 2484}, "taps_lost": 0, "image_bytes": 315838,
    "image_free": 61440, "clock_mhz": 200.0,
    "heap_free": {"poch": 103152}, "heap_largest_piece": {"poch": 35168},
}  # fmt: skip


def device_lines(figures):
    out = io.StringIO()
    bench_chip.show(figures, Console(file=out, width=100))
    return [" ".join(line.split()) for line in out.getvalue().splitlines()]


def test_the_device_is_shown_without_and_with_the_cache_each_beside_its_goal():
    cached = {**COLUMN, "boot_ms": 617, "press_to_pixels_ms": {**SPREAD, "median": 41.2}}
    lines = device_lines({**DEVICE, "xip": cached})
    assert "figure plain goal with cache goal" in lines
    for line in (
        "boot_ms 505 75 617 95", "resume_400_ms poch 992 210 992 260", "without checkpoint: poch 2,484",
        "press_to_pixels_ms median 33.4 20 41.2 23", "press_to_pixels_ms max 188.5 188.5",
        "cursor_to_pixels_ms max 188.5 24 188.5 28", "entry_to_flash_ms p95 121.9 85 121.9 92",
        "contact_to_flash_ms median 33.4 33.4", "The device, in emulated time at 200 MHz",
        "undo_400_ms poch 86 68 86 80", "taps of 40 ms lost, of 30 0 0", "heap_free poch 103,152 180,000",
        "largest piece: poch 35,168 100,000", "image_bytes 315,838", "image_free 61,440 460,800",
    ):  # fmt: skip
        assert line in lines


def test_the_device_is_shown_without_the_cache_if_that_could_not_be_measured():
    assert "boot_ms 505 75" in device_lines(DEVICE)


def test_a_part_that_cannot_be_measured_says_why(monkeypatch, capsys):
    def nothing():
        raise Trouble("there is no chip.")

    recorded = []
    monkeypatch.setattr(bench_games, "measure", nothing)
    monkeypatch.setattr(bench, "record", lambda name, value: recorded.append(name))
    assert bench.main() == 1
    assert recorded == [] and capsys.readouterr().err.endswith("there is no chip.\n")


def test_sync_is_shown_beside_half_of_what_the_port_can_do():
    few = {
        "games": 20, "journals_kb": 67.5, "sync_s": 0.67, "sync_games_per_s": 29.8, "sync_kb_s": 101, "read_kb_s": 253,
        "hello_ms": 227, "list_ms": 48, "read_ms": 267, "confirm_ms": 112, "raw_kb_s": 708, "raw_port_kb_s": 530,
    }  # fmt: skip
    many = dict(few, games=25, journals_kb=439.1, sync_kb_s=301, raw_kb_s=704)
    out = io.StringIO()
    full = dict(many, games=40, journals_kb=707.2, sync_kb_s=358, raw_kb_s=706)
    bench_sync.show({"few": few, "season": many, "full": full}, Console(file=out, width=100))
    lines = out.getvalue().splitlines()
    at = next(k for k, line in enumerate(lines) if "the whole sync " in line and "KB/s" in line)
    assert [line.split()[-6::2] for line in lines[at : at + 2]] == [["101", "301", "358"], ["354", "352", "353"]]


def test_the_shelf_of_the_benchmark_holds_finished_games_of_every_kind():
    for replays, count in ((few_games(1), len(GAMES)), (season(1), 6)):
        files, size = shelf(replays)
        journals = [data for name, data in files.items() if name.endswith(".kbz")]
        assert 0 < sum(map(len, journals)) <= size  # of many short games some are packed
        assert files["data/index"].count(b'"finished":true') == count
    assert len(journals) == count and sum(map(len, journals)) == size
    assert all(380 < journal.count(b"\n") < 660 for journal in journals), "those of a season are long"


def test_the_start_of_a_command_is_compared_with_python_alone(monkeypatch):
    monkeypatch.setattr(bench_commands, "STARTED", (("--version",),))
    figures = bench_commands.measure_start(rounds=1)
    assert figures["ratio"]["--version"] == round(figures["cli_start_ms"]["--version"] / figures["python_ms"], 1)
    out = io.StringIO()
    shown = {"python_ms": 20.0, "cli_start_ms": {"sim": 60.0}, "ratio": {"sim": 3.0}}
    bench_commands.show_start(shown, Console(file=out))
    assert "kiebitz sim 60.0 ms 150 ms 3.0" in " ".join(out.getvalue().split())
