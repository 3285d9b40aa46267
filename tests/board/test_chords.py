"""Test the four keys of the Display Pack: chords, bounce, and fingers that roll from one key to the next."""

from helpers.faulty_storage import FaultyStorage
from kiebitz.board.profiles import PROFILES
from kiebitz.widgets.keys import DOWN, LEFT, OK, RIGHT, UNDO, UP, Keys
from kiebitz_host.sim.hardware import Hardware

A, B, X, Y = 12, 13, 14, 15
TURN_MS = 5


class Pack:
    """A board with four switches, whose contacts close and open at given times."""

    def __init__(self, down=()):
        self.hardware = Hardware(PROFILES["display_pack"])
        for gpio in down:
            self.hardware.ground(gpio)
        self.board = self.hardware.board(FaultyStorage())
        self.keys = Keys(self.board.clock)
        self.keys.rate = 0
        self.turn()

    def turn(self):
        return list(self.keys.feed(self.board.read_keys(), self.board.clock.ms()))

    def moves(self, *moves, bounce=0, until=400, every=TURN_MS):
        """Return the events of moves, given as (ms, pin, True if its contact closes); each bounces for a while."""
        for at, gpio, down in moves:
            for k in range(bounce):
                self.hardware.time.at(at + k, self._contact(gpio, down if k % 2 == 0 else not down))
            self.hardware.time.at(at + bounce, self._contact(gpio, down))
        events = []
        for _ in range(moves[-1][0] // every + until // every):
            events += self.turn()
            self.board.clock.sleep(every)
        return events

    def _contact(self, gpio, closed):
        return lambda: self.hardware.ground(gpio) if closed else self.hardware.lift(gpio)


def tap(key):
    return [(key, "press"), (key, "release")]


def test_each_switch_alone_is_its_key():
    for gpio, key in ((A, UP), (B, DOWN), (X, OK), (Y, UNDO)):
        for bounce in (0, 6, 12):
            assert Pack().moves((10, gpio, True), (90, gpio, False), bounce=bounce) == tap(key), (gpio, bounce)


def test_undo_counts_on_release():
    pack = Pack()
    assert pack.moves((10, Y, True), until=300) == []
    assert pack.moves((10, Y, False)) == tap(UNDO)


def test_y_with_a_is_left_and_with_b_right_and_undo_is_not_reported():
    for gpio, key in ((A, LEFT), (B, RIGHT)):
        for bounce in (0, 6, 12):
            moves = ((10, Y, True), (100, gpio, True), (250, gpio, False), (320, Y, False))
            assert Pack().moves(*moves, bounce=bounce) == tap(key), (gpio, bounce)


def test_a_short_chord_counts_when_its_second_key_is_let_go():
    assert Pack().moves((10, Y, True), (50, A, True), (80, A, False), (110, Y, False)) == tap(LEFT)


def test_y_stays_down_for_several_chords():
    moves = [(10, Y, True)]
    for k in range(3):
        moves += [(100 + 150 * k, (A, B, A)[k], True), (180 + 150 * k, (A, B, A)[k], False)]
    moves.append((600, Y, False))
    assert Pack().moves(*moves) == tap(LEFT) + tap(RIGHT) + tap(LEFT)


def test_a_chord_that_is_held_is_a_key_that_is_held():
    pack = Pack()
    events = pack.moves((10, Y, True), (60, A, True), until=900)
    assert events == [(LEFT, "press"), (LEFT, "hold")]
    assert pack.moves((10, Y, False), (60, A, False)) == [(LEFT, "release")], "whichever is let go first"


def test_fingers_that_roll_from_y_to_another_key_press_two_keys():
    for gpio, key in ((A, UP), (B, DOWN), (X, OK)):
        for overlap in (5, 20, 40):
            for bounce in (0, 4):
                moves = ((10, Y, True), (80, gpio, True), (80 + overlap, Y, False), (150, gpio, False))
                events = Pack().moves(*moves, bounce=bounce)
                presses = [event for event in events if event[1] == "press"]
                assert presses == [(UNDO, "press"), (key, "press")], (gpio, overlap, bounce, events)
                assert events.index((UNDO, "release")) < events.index((key, "press")), "the next key would cancel UNDO"


def test_fingers_that_roll_to_y_press_two_keys():
    for gpio, key in ((A, UP), (B, DOWN), (X, OK)):
        for overlap in (5, 40, 120):
            moves = ((10, gpio, True), (80, Y, True), (80 + overlap, gpio, False), (260, Y, False))
            events = Pack().moves(*moves, bounce=4)
            assert [event for event in events if event[1] == "press"] == [(key, "press"), (UNDO, "press")], events


def test_y_that_is_held_alone_is_undo_held():
    events = Pack().moves((10, Y, True), (1500, Y, False))
    assert events == [(UNDO, "press"), (UNDO, "hold"), (UNDO, "release")]


def test_x_that_is_held_is_ok_held_at_once():
    events = Pack().moves((10, X, True), (900, X, False))
    assert events == [(OK, "press"), (OK, "hold"), (OK, "release")]


def test_taps_during_one_long_write_are_not_lost():
    pack = Pack()
    for gpio in (Y, A):
        pack.hardware.ground(gpio)
    for gpio in (A, Y):
        pack.hardware.lift(gpio)
    assert pack.moves((0, X, False)) == tap(LEFT)
    pack.hardware.ground(X)
    pack.hardware.lift(X)
    assert pack.moves((0, X, False)) == tap(OK)


def test_slow_turns_on_battery_see_the_same():
    assert Pack().moves((10, Y, True), (110, A, True), (260, A, False), (330, Y, False), every=25) == tap(LEFT)
    assert Pack().moves((10, Y, True), (110, Y, False), every=25) == tap(UNDO)


def test_a_switch_that_sticks_at_power_on_reports_nothing_until_it_is_let_go():
    pack = Pack(down=(Y,))
    assert pack.keys.stuck == [UNDO] and pack.moves((900, Y, False)) == []
    assert pack.moves((10, Y, True), (90, Y, False)) == tap(UNDO)
    pack = Pack(down=(A,))
    assert pack.keys.stuck == [UP] and pack.moves((900, A, False)) == []


def test_undo_held_at_power_on_is_known_at_once():
    assert Pack(down=(Y,)).board.held_at_power_on(UNDO) and not Pack(down=(A,)).board.held_at_power_on(UNDO)


def test_many_quick_taps_are_as_many_presses():
    moves = []
    for k in range(10):
        moves += [(10 + 120 * k, Y, True), (60 + 120 * k, Y, False)]
    assert Pack().moves(*moves, bounce=4) == 10 * tap(UNDO)
