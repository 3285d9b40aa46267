"""Test the board on fake hardware (keys, clock, buzzer, supply, watchdog)."""

from helpers.device import changed
from helpers.faulty_storage import FaultyStorage
from kiebitz.board.parts import LIMIT, TICK_MS, Watchdog
from kiebitz.board.profiles import DEFAULT, PROFILES, pins_of
from kiebitz.widgets.keys import NAMES, OK, UNDO, UP, Keys
from kiebitz_host.sim.hardware import FakeTime, Hardware, Reset

NOON = 1_767_268_800  # 1 January 2026, 12:00


def start(**wiring):
    hardware = Hardware(changed(PROFILES[DEFAULT], **wiring))
    return hardware, hardware.board(FaultyStorage())


def test_every_key_has_its_bit():
    hardware, board = start()
    assert board.read_keys() == 0
    for key in range(len(NAMES)):
        hardware.press(NAMES[key])
        assert board.read_keys() == 1 << key
        hardware.release(key)
        assert board.read_keys() == 0
    hardware.press("up")
    hardware.press("undo")
    assert board.read_keys() == 0b100001


def test_a_key_can_have_several_pins():
    hardware, board = start(keys=(10, 11, 12, 13, (14, 8, 7), (9, 16)))
    for gpio, bit in ((10, 0), (14, OK), (8, OK), (7, OK), (9, 5), (16, 5)):
        hardware.ground(gpio)
        assert board.read_keys() == 1 << bit, gpio
        hardware.lift(gpio)
        assert board.read_keys() == 0, gpio
    hardware.ground(8)
    hardware.ground(7)
    hardware.lift(8)
    assert board.read_keys() == 1 << OK


def test_a_tap_between_two_looks_is_seen_once():
    hardware, board = start()
    hardware.press(OK)
    hardware.release(OK)
    assert board.read_keys() == 1 << OK
    assert board.read_keys() == 0


def test_bouncing_contacts_are_one_press():
    hardware, board = start()
    keys = Keys(board.clock)
    told = []
    for turn in range(60):
        if turn == 10:
            hardware.bounce(UP, True)
        if turn == 30:
            hardware.bounce(UP, False)
        told += keys.feed(board.read_keys(), board.clock.ms())
        board.clock.sleep(5)
    assert told == [(UP, "press"), (UP, "release")]


def test_bounce_while_the_pin_is_looked_at_is_no_second_press():
    hardware, board = start()
    hardware.press(UNDO)
    assert board.read_keys() == 1 << UNDO
    hardware.release(UNDO)
    level = hardware.level

    def look(gpio, pull_up):
        seen = level(gpio, pull_up)
        if gpio == pins_of(PROFILES[DEFAULT].keys[UNDO])[0]:
            hardware.press(UNDO)
            hardware.release(UNDO)
        return seen

    hardware.level = look
    assert board.read_keys() == 0
    hardware.level = level
    board.clock.sleep(100)
    assert board.read_keys() == 0


def test_a_key_that_sticks_from_the_start_is_known():
    hardware = Hardware()
    hardware.press("left")
    board = hardware.board(FaultyStorage())
    keys = Keys(board.clock)
    for _ in range(100):
        assert not keys.feed(board.read_keys(), board.clock.ms())
        board.clock.sleep(10)
    assert [NAMES[key] for key in keys.stuck] == ["LEFT"]


def test_the_clock_counts_and_sleeps():
    hardware, board = start()
    before = board.clock.ms()
    board.clock.sleep(250)
    assert board.clock.diff(board.clock.ms(), before) == 250


def test_ticks_wrap_like_those_of_the_pico():
    time = FakeTime(ticks=(1 << 30) - 10)
    clock = Hardware(time=time).board(FaultyStorage()).clock
    before = clock.ms()
    clock.sleep(20)
    assert clock.ms() == 10 and clock.diff(clock.ms(), before) == 20


def test_the_time_of_day_is_unknown_until_it_is_set():
    hardware, board = start()
    assert board.clock.now() == 0
    for unix in (NOON, NOON + 59, 1_772_323_199, 1_772_323_200, 1_835_395_200, 4_102_444_800):
        board.clock.set(unix)
        assert board.clock.now() == unix
        board.clock.sleep(2500)
        assert unix + 2 <= board.clock.now() <= unix + 3


def test_a_beep_ends_by_itself_and_nobody_waits_for_it():
    hardware, board = start()
    assert hardware.tone == 0
    board.buzzer.beep(1500, 20)
    assert hardware.tone == 1500 and hardware.time.elapsed == 0
    hardware.time.advance(15)
    board.buzzer.tick()
    assert hardware.tone == 1500
    board.buzzer.beep(220, 20)
    hardware.time.advance(15)
    board.buzzer.tick()
    assert hardware.tone == 220
    hardware.time.advance(5)
    board.buzzer.tick()
    assert hardware.tone == 0
    board.buzzer.beep(1500, 0)
    assert hardware.tone == 0


def test_without_a_buzzer_or_a_supply_sensor_nothing_happens():
    hardware, board = start(buzzer=None, vsys=None)
    board.buzzer.beep(1500, 20)
    board.buzzer.tick()
    assert hardware.tone == 0 and board.supply.millivolts() == 0


def test_the_supply_is_told_in_millivolts():
    hardware, board = start()
    for mv in (1800, 3000, 3700, 5000):
        hardware.vsys_mv = mv
        assert abs(board.supply.millivolts() - mv) <= 1


def test_a_board_that_cannot_measure_its_supply_never_calls_it_low():
    for wiring in ({"vsys": None}, {"vsys": None, "vbus": None}):
        hardware, board = start(**wiring)
        hardware.usb_power, hardware.vsys_mv = False, 0
        assert board.supply.look(0) and not board.supply.low


def test_a_pico_w_is_never_on_battery_and_never_low_as_its_radio_has_the_pins_for_both():
    hardware, board = start()
    hardware.usb_power, hardware.vsys_mv = False, 40  # what its pins say: no USB, nearly no voltage
    assert not board.supply.on_battery() and board.supply.millivolts() == 0
    hardware.vsys_mv = 2000
    for _ in range(6):
        hardware.time.advance(10_000)
        assert board.supply.look(board.clock.ms()) and not board.supply.low


def test_without_a_sense_pin_of_usb_the_voltage_alone_decides():
    hardware, board = start(vbus=None, low_mv=3500)
    hardware.usb_power = False
    assert not board.supply.on_battery()
    for mv, low in ((3600, False), (3400, True)):
        hardware.vsys_mv = mv
        for _ in range(6):
            hardware.time.advance(10_000)
            assert board.supply.look(board.clock.ms())
        assert board.supply.low == low


def test_a_cell_is_measured_where_the_board_has_it_and_no_radio_is_looked_for():
    hardware = Hardware(PROFILES["picosystem"])
    supply = hardware.board(FaultyStorage()).supply
    hardware.usb_power, hardware.vsys_mv = False, 3900
    assert abs(supply.millivolts() - 3900) <= 1 and supply.on_battery() and not supply.wireless
    for mv, low, empty in ((3700, False, False), (3400, True, False), (3200, True, True)):
        hardware.vsys_mv = mv
        for _ in range(8):
            hardware.time.advance(10_000)
            supply.look(hardware.time.ticks_ms())
        assert (supply.low, supply.empty) == (low, empty), mv
    hardware.usb_power = True
    hardware.time.advance(10_000)
    assert supply.look(hardware.time.ticks_ms()) and not supply.empty
    hardware = Hardware(PROFILES["picoboy_color"])
    supply = hardware.board(FaultyStorage()).supply
    hardware.usb_power, hardware.vsys_mv = False, 0
    assert supply.look(0) and supply.millivolts() == 0 and not supply.low and not supply.empty


def test_the_supply_is_measured_every_ten_seconds():
    hardware, board = start()
    seen = []
    for _ in range(60):
        seen.append(board.supply.look(board.clock.ms()))
        hardware.time.advance(1000)
    assert seen == ([True] + [False] * 9) * 6


def test_a_board_knows_its_name_and_its_chances():
    hardware, board = start()
    assert board.device_id == "e661a4d1275b3c0f"
    assert len(board.random(8)) == 8 and board.random(8) != board.random(8)
    assert hardware.board(FaultyStorage()).random(0) == b""
    assert board.memory_free() >= 0


def test_a_reset_reaches_the_hardware():
    _, board = start()
    try:
        board.reset()
    except Reset:
        return
    raise AssertionError("no reset")


def test_wrong_wiring_is_refused():
    display = PROFILES[DEFAULT].display
    for wrong in (
        {"display": changed(display, sda=5, scl=4)},
        {"display": changed(display, sda=6, scl=7)},
        {"display": changed(display, bus=1)},
        {"keys": (10, 11, 12, 13, 14, 30)},
    ):
        try:
            start(**wrong)
        except ValueError:
            continue
        raise AssertionError(wrong)


def test_every_profile_with_a_small_display_makes_a_board():
    for name in PROFILES:
        profile = PROFILES[name]
        if profile.display.width == 128:
            hardware = Hardware(profile)
            board = hardware.board(FaultyStorage())
            no_telling = profile.display.controller == "ssd1309"  # its answer may be that of an SSD1306
            assert board.choice.name == (DEFAULT if no_telling else name)
            assert board.display.ok and (board.canvas.w, board.canvas.h) == (128, 64), name


def test_no_profile_uses_a_pin_twice():
    for name in PROFILES:
        profile = PROFILES[name]
        assert len(profile.keys) == len(NAMES), name
        wires = ("sda", "scl", "sck", "mosi", "cs", "dc", "reset", "light")
        pins = [getattr(profile.display, wire) for wire in wires if hasattr(profile.display, wire)]
        pins += [pin for pin in (profile.buzzer, profile.vsys) if pin is not None]
        for key in profile.keys:
            pins += pins_of(key)
        assert len(set(pins)) == len(pins), name


def test_a_contact_that_closes_again_after_it_was_let_go_is_no_press():
    hw = Hardware()
    board = hw.board(FaultyStorage())
    undo = 1 << UNDO
    hw.press(UNDO)
    assert board.read_keys() == undo
    hw.release(UNDO)
    assert board.read_keys() == 0
    hw.time.advance(2)
    hw.press(UNDO)
    hw.release(UNDO)
    hw.time.advance(100)  # of work on what letting go has done
    assert board.read_keys() == 0
    hw.press(UNDO)
    hw.release(UNDO)
    hw.time.advance(100)
    assert board.read_keys() == undo, "a tap in the meantime is not lost"


LONG_MS = 3 * LIMIT * TICK_MS


def bites(hardware, ms):
    """Return True if the watchdog restarts the device within this time."""
    try:
        hardware.time.advance(ms)
    except Reset:
        return True
    return False


def hanging():
    hardware = Hardware()
    watchdog = Watchdog(hardware.machine)
    watchdog.start()
    return hardware, watchdog


def test_a_program_that_hangs_is_restarted():
    hardware, _ = hanging()
    assert not bites(hardware, (LIMIT - 1) * TICK_MS)
    assert bites(hardware, TICK_MS)


def test_a_program_that_gets_on_is_left_alone():
    hardware, watchdog = hanging()
    for _ in range(3 * LIMIT):
        assert not bites(hardware, (LIMIT - 1) * TICK_MS)
        watchdog.feed()


def test_sent_away_it_bites_nobody():
    hardware, watchdog = hanging()
    watchdog.stop()
    assert not bites(hardware, LONG_MS)
    watchdog.stop()
    watchdog.start()
    assert bites(hardware, LONG_MS)


def test_started_twice_there_is_still_one():
    hardware, watchdog = hanging()
    watchdog.start()
    watchdog.stop()
    assert not bites(hardware, LONG_MS)
