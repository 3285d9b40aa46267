"""The table of the room in the image: modules fall into rows, and a file that is no program is named."""

import io

import pytest
from kiebitz_host.outcome import Trouble
from kiebitz_lab.image.room import _module_of, room, row_of, show
from rich.console import Console

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
