"""The example of docs/adding-a-board.md, exactly as it is there: a board that can be built and played on."""

import inspect
import re
from pathlib import Path

import pytest
from helpers.faulty_storage import FaultyStorage
from kiebitz.board import profiles
from kiebitz.store.settings import Settings
from kiebitz.widgets.keys import OK
from kiebitz_host.sim.hardware import Hardware
from kiebitz_lab.hardware.checks import problems

GUIDE = (Path(__file__).parents[2] / "docs" / "adding-a-board.md").read_text("utf-8")


def test_the_example_is_a_board_that_works():
    (source,) = re.findall(r"^```python\n(.*?)^```$", GUIDE, re.M | re.S)
    names = {**vars(profiles), "PROFILES": {}}
    exec(source, names)
    ((name, profile),) = names["PROFILES"].items()
    assert name == "my_board" and problems(profile) == []
    hardware, storage = Hardware(profile), FaultyStorage()
    Settings(storage).set("board", "pico_oled_sh1106")  # on other pins it is not found, and has to be chosen
    board = hardware.board(storage)
    assert board.display.ok
    hardware.ground(15)
    assert board.read_keys() == 1 << OK


@pytest.mark.parametrize("kind", [profiles.Profile, profiles.I2cDisplay, profiles.SpiDisplay])
def test_the_table_has_what_a_class_must_and_may_be_told(kind):
    (row,) = re.findall(rf"^\| `{kind.__name__}` \|(.*)\|(.*)\|$", GUIDE, re.M)
    needed, optional = (re.findall(r"`(\w+)`", cell) for cell in row)
    facts = inspect.signature(kind).parameters.values()
    assert needed == [fact.name for fact in facts if fact.default is fact.empty]
    assert optional == [fact.name for fact in facts if fact.default is not fact.empty]
