"""Titles on the chip: chosen by keys as on the twin, the same pixels, and still there after the power went."""

from kiebitz_lab.chip.rig import Rig
from kiebitz_lab.chip.twin import Twin

TITLES = "pick:start.new pick:game.any_game "
BEGIN = TITLES + "ok ok*2 right ok"  # Skyjo for two guests


def presets_on(files):
    """Return the file of the presets as it is on flash."""
    return files["data/presets"]


def test_the_title_played_last_comes_first_after_the_power_went(flash):
    twin = Twin()
    rig = Rig(flash).boot().keys(twin.pressed(BEGIN))
    assert rig.frame() == twin.frame() and twin.game.title == "Skyjo"
    assert presets_on(rig.files()) == presets_on(twin.files())
    rig = rig.power_cut().boot()
    twin.restart()
    leave = twin.pressed(f"hold:ok pick:menu.leave {TITLES} right")
    assert rig.keys(leave).frame() == twin.frame()
    assert twin.sees("Skyjo", "Take off the list")
    assert rig.serial.out == b""
