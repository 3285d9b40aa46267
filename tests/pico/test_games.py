"""Play games by keys on the emulated chip, as in the simulator, and test deep menus, keys and the turn clock."""

from statistics import median

import pytest
from helpers.chip import patched
from kiebitz.games import game_class
from kiebitz.store.table import Table
from kiebitz.widgets.keys import NAMES
from kiebitz_host.link.client import Client
from kiebitz_lab.bench import device
from kiebitz_lab.chip.evenings import words
from kiebitz_lab.chip.flash import changed
from kiebitz_lab.chip.probes import ChipCable, ReferenceDevice, branch, settled
from kiebitz_lab.chip.rig import Rig
from kiebitz_lab.random_games import long_setups, play_on
from kiebitz_lab.samples import SAMPLES

# From the first screen: two new names, and a round of Royal Flush between them
EVENING = """
ok ok
pick:players.new up up ok right hold:ok
up left down right hold:ok
hold:ok ok
ok up ok
right right ok
undo
hold:undo
ok up left ok
down ok right ok
left pick:menu.history undo
"""
AFTERWARDS_MS = 5000  # after this, temporary messages are gone
ENTRIES_BETWEEN_CUTS = 9


def test_an_evening_from_power_on_ends_alike_on_both(attempt):
    reference = ReferenceDevice()
    evening = reference.pressed(EVENING)
    reference.wait(AFTERWARDS_MS)
    assert len(reference.table) >= 3, reference.words.lines()

    def scenario(rig):
        frame = rig.keys(evening).run_ms(AFTERWARDS_MS).settle().frame()
        return frame, rig.files("data"), rig.serial.out

    frame, files, printed = attempt(scenario)
    assert frame == reference.frame()
    assert settled(files) == settled(reference.files())
    assert printed == b""


@pytest.mark.parametrize("name", SAMPLES)
def test_a_whole_game_ends_alike_on_both_although_the_power_goes_now_and_then(flash, name):
    setup, keys = SAMPLES[name]
    reference = ReferenceDevice().sit_down(setup)
    rig = Rig(changed(flash, reference.files())).boot()
    reference.restart()  # what is said once at the beginning is gone
    assert rig.frame() == reference.frame()
    entries = keys.strip().splitlines()
    for number, entry in enumerate(entries, 1):
        rig.keys(entry)
        reference.keys(entry)
        if number % ENTRIES_BETWEEN_CUTS == 0 and number < len(entries):
            rig = rig.power_cut().boot()
            reference.restart()
            assert rig.frame() == reference.frame(), (number, entry)
    reference.wait(AFTERWARDS_MS)
    assert reference.game.over
    assert rig.run_ms(AFTERWARDS_MS).settle().frame() == reference.frame()
    assert settled(rig.files("data")) == settled(reference.files())
    assert rig.serial.out == b"" and rig.oled.unknown == []


TITLES = "pick:start.new pick:game.any_game "
BEGIN_WITH_TITLE = TITLES + "ok ok*2 right ok"  # Skyjo for two guests


def presets_on(files):
    """Return the file of the presets as it is on flash."""
    return files["data/presets"]


def test_the_title_played_last_comes_first_after_the_power_went(flash):
    reference = ReferenceDevice()
    rig = Rig(flash).boot().keys(reference.pressed(BEGIN_WITH_TITLE))
    assert rig.frame() == reference.frame() and reference.game.title == "Skyjo"
    assert presets_on(rig.files()) == presets_on(reference.files())
    rig = rig.power_cut().boot()
    reference.restart()
    leave = reference.pressed(f"hold:ok pick:menu.leave {TITLES} right")
    assert rig.keys(leave).frame() == reference.frame()
    assert reference.sees("Skyjo", "Take off the list")
    assert rig.serial.out == b""


SPOT = {"game": "top_spot", "players": ["Anna", "Ben", "Cleo"], "match_length": 9, "level": "expert"}
QUICK_ENTRIES = 26
QUICK_MS = 150  # between two entries: too short for the lines to be moved to the journal


def erases(flash):
    """Return how often an entry waits for an erase, when entries follow each other quickly."""
    rig = Rig(changed(flash, ReferenceDevice().sit_down(SPOT).files())).boot(20_000)
    rig.run_ms(1000)
    found = []
    for k in range(QUICK_ENTRIES):
        key = ("left", "undo")[k % 2]  # nobody wins more tricks than there are cards
        before = len(rig.flash.operations)
        rig.press(key)
        rig.run_ms(60)
        rig.release(key)
        rig.run_ms(QUICK_MS)
        found.append(any(operation.kind == "erase" for operation in rig.flash.operations[before:]))
    return sum(found)


def test_the_file_of_the_newest_lines_stays_so_short_that_littlefs_keeps_it_inside_its_folder(flash):
    """Compare with a larger file: littlefs stores up to 512 bytes inline; more than that takes an erase of 45 ms."""
    longer = patched(flash, ("kiebitz/store/journal_files.py", "MOST_BYTES = 480", "MOST_BYTES = 2000"))
    assert erases(flash) <= 4 < 6 <= erases(longer)


ENTRIES_RESUMED = 8  # in a part of a game
RESUMED = {name: (setup, [line for line in keys.splitlines() if line]) for name, (setup, keys) in SAMPLES.items()}
PARTS = [(name, at) for name, (_, entries) in RESUMED.items() for at in range(0, len(entries), ENTRIES_RESUMED)]


def cut(rig):
    return _after(rig.power_cut())


def reset(rig):
    """Reset as the watchdog does, which keeps part of the chip's state."""
    rig.pico.reset(from_watchdog=True)
    return _after(rig)


def _after(rig):
    rig.boot()
    assert rig.serial.out == b"" and rig.oled.unknown == []
    return rig.frame(), settled(rig.files("data"))


def screens(reference):
    """Return the phase and the stack of open screens."""
    over = reference.table is None or reference.game.phase
    return over, *[type(screen).__name__ for screen in reference.app.stack]


def presses(name, at):
    """Return [(key, whether to cut the power after it)] of a part of a game, and a reference device at its start."""
    setup, entries = RESUMED[name]
    reference = ReferenceDevice().sit_down(setup)
    seen = set()
    found = []
    for number, entry in enumerate(entries[: at + ENTRIES_RESUMED]):
        if number == at:
            files = reference.files()
            reference.restart()
        keys = list(words(entry, reference))
        for press, key in enumerate(keys, 1):
            reference.keys(key)
            stop = press == len(keys) or screens(reference) not in seen
            seen.add(screens(reference))
            if number >= at:
                found.append((key, stop))
    return found, ReferenceDevice(files)


@pytest.mark.parametrize("name, at", PARTS)
def test_it_comes_back_at_every_screen(flash, name, at):
    keys, reference = presses(name, at)
    rig = Rig(changed(flash, reference.files())).boot()
    assert rig.frame() == reference.frame()
    stops = 0
    for key, stop in keys:
        rig.keys(key)
        reference.keys(key)
        if stop:
            again = ReferenceDevice(reference.files())
            stops += 1
            frame, files = branch(rig, reset if stops % 2 else cut)
            assert frame == again.frame(), (stops, key)
            assert files == settled(again.files()), (stops, key)
    assert stops >= min(ENTRIES_RESUMED, len(RESUMED[name][1]) - at)


# --- the deepest menus ---

SETUPS = long_setups()
LONG_NAMES = [f"{k} Wilhelmine Charlotte W" for k in range(1, 9)]  # as long as a name may be
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


def device_with(setup, entries):
    """Return a reference device in German with such a game of the most players with the longest names."""
    setup = dict(setup, players=LONG_NAMES[: game_class(setup["game"]).PLAYERS[1]])
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
    client.write_roster(LONG_NAMES)


@pytest.mark.parametrize("name", SETUPS)
def test_no_menu_is_too_deep(bare_flash, name):
    reference = device_with(SETUPS[name], ENTRIES)
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
    reference = device_with(SETUPS["top_spot assisted"], LONG_GAME)
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


# Keys to press before each key on the first screen, so that its effect is visible
WRITE = "ok ok pick:players.new"
BEFORE = {"up": "", "down": "", "left": WRITE, "right": WRITE, "ok": "", "undo": "ok"}


@pytest.mark.parametrize("key", [name.lower() for name in NAMES])
def test_every_key_works_although_its_contact_bounces(attempt, key):
    def scenario(rig):
        rig.keys(ReferenceDevice().pressed(BEFORE[key]))
        before = rig.frame()
        (button,) = rig.buttons[NAMES.index(key.upper())]
        edges = button.edges
        rig.tap(key)
        return before, rig.frame(), button.edges - edges

    before, after, edges = attempt(scenario)
    assert edges == 10  # down and up, each with four edges of bounce
    reference = ReferenceDevice().keys(BEFORE[key])
    assert before == reference.frame()
    assert after == reference.keys(key).frame()
    assert after != before


def test_a_held_arrow_repeats_and_a_bouncing_one_does_not(attempt):
    held = attempt(lambda rig: rig.tap("down", 740).frame())
    assert held == ReferenceDevice().keys("hold:down").frame()
    assert held != ReferenceDevice().keys("down").frame()
    assert attempt(lambda rig: rig.tap("down", 300).frame()) == ReferenceDevice().keys("down").frame()


def test_taps_of_40_ms_are_all_taken(attempt):
    def scenario(rig):
        for _ in range(6):
            rig.press("down")
            rig.run_ms(40)
            rig.release("down")
            rig.run_ms(60)
        return rig.settle().frame()

    assert attempt(scenario) == ReferenceDevice().keys("down*6").frame()


def test_a_key_that_is_stuck_at_power_on_does_nothing_until_it_is_let_go(flash, first_screen):
    rig = first_screen.with_flash(flash)
    rig.press("down")
    rig.boot().run_ms(1500).settle()
    assert rig.frame() == first_screen.frame()
    rig.tap("ok")
    assert rig.frame() == ReferenceDevice().keys("ok").frame(), "the other keys work"
    rig.tap("undo")
    rig.release("down")
    rig.run_ms(100)
    rig.tap("down")
    assert rig.frame() == ReferenceDevice().keys("down").frame()


def test_the_buzzer_answers_an_entry(flash, first_screen):
    reference = ReferenceDevice().sit_down({"game": "top_spot", "players": ["Anna", "Ben", "Cleo"]})
    rig = first_screen.with_flash(changed(flash, reference.files())).boot()
    assert rig.buzzer.beeps == 0
    rig.press("up")
    rig.pico.run_until(lambda: rig.buzzer.tone, 300)
    assert rig.buzzer.tone == pytest.approx(1500, rel=0.02)
    rig.release("up")
    rig.settle().run_ms(50)  # the beep outlasts the picture
    assert rig.buzzer.tone == 0 and rig.buzzer.beeps == 1


LIMIT_S = 30
MOST_SLOWER_MS = 4
AWAKE_GOAL = device.STATES["on"][1]  # percent


def to_the_clock(setup, menu="left"):
    """Return the keys that start the clock with the shortest limit; `menu` opens the menu of the table."""
    return ReferenceDevice().sit_down(setup).pressed(f"{menu} pick:clock.title right pick:clock.limit pick:clock.on ok")


@pytest.fixture(scope="module")
def table_flash(flash):
    return changed(flash, ReferenceDevice().sit_down(device.SETUP).files())


@pytest.fixture(scope="module")
def going(table_flash):
    """Return a device on battery whose clock was just started."""
    return Rig(table_flash, usb=False).boot().keys(to_the_clock(device.SETUP))


def test_it_goes_as_in_the_simulator_and_beeps_once(going):
    def scenario(rig):
        rig.run_ms(500)
        beeps = rig.buzzer.beeps
        rig.run_ms((LIMIT_S - 2) * 1000)
        before = rig.buzzer.beeps
        rig.run_ms(12_000)
        return before - beeps, rig.buzzer.beeps - beeps, rig.settle().frame()

    early, beeps, frame = branch(going, scenario)
    reference = ReferenceDevice().sit_down(device.SETUP).keys(to_the_clock(device.SETUP))
    assert (early, beeps) == (0, 1)
    reference.keys("wait:38000")
    assert frame in [reference.keys("wait:250").frame() for _ in range(16)]


def test_while_its_seconds_are_shown_it_still_sleeps_most_of_the_time(going):
    def scenario(rig):
        rig.run_ms(1000)
        cycles, start = rig.pico.cycles, rig.ms
        rig.run_ms(10_000)
        return 100 * rig.pico.load(rig.pico.cycles - cycles, rig.ms - start)

    awake = branch(going, scenario)
    print(f"awake {awake:.2f} %")
    assert awake < AWAKE_GOAL


def entries_ms(flash, keys=""):
    """Return the median times of an entry and of an undo, from the key until flash and display are done."""
    rig = Rig(changed(flash, ReferenceDevice().sit_down(SPOT).files())).boot(20_000)
    rig.keys(keys).run_ms(1000)
    times = []
    for k in range(ENTRIES):
        start = rig.ms
        rig.tap(("left", "undo")[k % 2])
        times.append(max(rig.bus.drawn_ms, rig.flash.done_ms) - start)
        rig.run_ms(400)
    return median(times[::2]), median(times[1::2])  # separate, because a common median would be meaningless


def test_an_entry_is_as_quick_as_without_it(flash):
    for without, beside in zip(entries_ms(flash), entries_ms(flash, to_the_clock(SPOT, "ok") + " left"), strict=True):
        print(f"{without:.1f} ms without a clock, {beside:.1f} ms beside one")
        assert beside < without + MOST_SLOWER_MS
