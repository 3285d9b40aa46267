"""Open the deepest menus of every game on the emulated chip, with the most players and the longest names."""

import pytest
from kiebitz.games import game_class
from kiebitz.store.table import Table
from kiebitz_host.link.client import Client
from kiebitz_lab.chip.evenings import words
from kiebitz_lab.chip.flash import changed
from kiebitz_lab.chip.probes import ChipCable, branch
from kiebitz_lab.chip.reference import ReferenceDevice
from kiebitz_lab.chip.rig import Rig
from kiebitz_lab.random_games import long_setups, play_on

SETUPS = long_setups()
NAMES = [f"{k} Wilhelmine Charlotte W" for k in range(1, 9)]  # as long as a name may be
ENTRIES = 12
DEPTH = 6  # screens above each other: start, table, menu, entries, entry, and the table at that entry
LONG_GAME = 200
RULE_LIMIT_MS = 1500  # until the effect of a house rule is shown, and until it is entered
# Keys from the table; each line ends with the most screens above each other
DEEPEST = (
    "menu:menu.history down*9 ok pick:history.correct",
    "menu:menu.history down*5 ok pick:history.insert",
    "menu:menu.rules ok",
    "menu:menu.rules up*2 ok",
    "menu:menu.names ok",
)


def device(setup, entries):
    """Return a reference device in German with such a game of the most players with the longest names."""
    setup = dict(setup, players=NAMES[: game_class(setup["game"]).PLAYERS[1]])
    table = Table(setup)
    play_on(table, entries)
    reference = ReferenceDevice(language="de").sit_down(setup, list(table.events()))
    reference.restart()
    return reference


def ask_everything(rig):
    """Let a laptop ask the device for all that it shows and holds."""
    client = Client(ChipCable(rig), seed=3)
    assert client.hello()["product"] == "kiebitz"
    client.follow()
    assert client.screen()
    (game,), _ = client.games()
    client.read(game["id"])
    client.write_roster(NAMES)


@pytest.mark.parametrize("name", SETUPS)
def test_no_menu_is_too_deep(bare_flash, name):
    reference = device(SETUPS[name], ENTRIES)
    files = reference.files()
    table = Rig(changed(bare_flash, files)).boot()
    depths = []
    for line in DEEPEST:
        reference = ReferenceDevice(files)

        def scenario(rig, line=line, reference=reference):
            for key in words(line, reference):
                rig.keys(key)
                reference.keys(key)
            assert rig.frame() == reference.frame(), line
            ask_everything(rig)
            assert rig.pico.resets == 0, line
            assert "data/crash.txt" not in rig.files("data"), rig.files("data")["data/crash.txt"].decode()
            return len(reference.app.stack)

        depths.append(branch(table, scenario))
    assert max(depths) >= DEPTH, depths


def test_a_house_rule_is_changed_soon_after_two_hundred_entries(bare_flash):
    """Take Top Spot with a referee, the game whose entries take longest to replay."""
    reference = device(SETUPS["top_spot assisted"], LONG_GAME)
    rig = Rig(changed(bare_flash, reference.files())).boot(30_000)
    for key in words("menu:menu.rules", reference):
        rig.keys(key)
        reference.keys(key)
    for shown in ("RuleEffect", "TopSpotTable"):
        since = rig.ms
        rig.keys("ok")
        reference.keys("ok")
        assert type(reference.app.top).__name__ == shown and rig.frame() == reference.frame()
        assert rig.bus.drawn_ms - since < RULE_LIMIT_MS, shown
    assert reference.table.event(LONG_GAME)["ev"] == "option"
