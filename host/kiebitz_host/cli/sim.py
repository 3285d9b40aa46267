"""Run `kiebitz sim`: run the real firmware in a terminal, or play it from a script."""

import signal
import sys
import tempfile
from functools import partial

from kiebitz.board.profiles import DEFAULT, PROFILES
from kiebitz.text import LANGUAGES

from ..outcome import OK, Trouble
from ..printable import say
from ..sim import device
from ..sim import key_script as keyscript
from ..sim.device import LiveTime, pico_of, set_board, set_language
from ..sim.flash_folder import flash_folder, is_kept
from ..sim.hardware import FakeTime, PowerOff
from ..sim.picture import AUTO, STYLES, can_show, drawn, write_png
from ..sim.screen_reader import ScreenReader, spell_icons
from ..sim.terminal_ui import PtyPort, TerminalUi
from ..system import HAS_TERMINAL_FRONT, LOST_TERMINAL, publish_simulator_port, simulator_folder

# A terminal does not report when a key is released. A key counts as held for this long after it was sent, and a little
# longer if it was sent again meanwhile, which bridges the gaps in the terminal's own repeat.
TAP_MS = 60
REPEATED_MS = 90

SCRIPT_UNIX = 1_767_225_600  # every script starts on the first of January 2026
SETTLE_MS = 100
SHOT_WIDTH = 512  # maximum; the picture is an integer multiple of the display


def add(subparsers):
    parser = subparsers.add_parser(
        "sim",
        description="Run the firmware in this terminal: display, keys, and a flash that keeps the games.",
        epilog=f"In a script {keyscript.HELP}; # begins a comment. Without --flash it starts on an empty flash.",
    )
    parser.add_argument("--flash", metavar="DIR", help="the folder that is the flash (default: in the user's data)")
    parser.add_argument("--fresh", action="store_true", help="forget all games, players and settings first")
    parser.add_argument(
        "--lang",
        choices=LANGUAGES,
        help="set the language of the device (default: a new one asks for it; English for a script)",
    )
    parser.add_argument(
        "--board",
        choices=PROFILES,
        help=f"which hardware it is, from now on (default: the same as before, at first {DEFAULT})",
    )
    parser.add_argument("--style", choices=[AUTO, *STYLES], default=AUTO, help="how pixels are drawn (default: auto)")
    parser.add_argument("--script", metavar="FILE", help="play keys from a file or - and print the last screen")
    parser.add_argument("--shot", metavar="FILE", help="save the last screen as a PNG picture")
    parser.add_argument("--chip", action="store_true", help="run the firmware on an emulated RP2040")
    parser.add_argument("--uf2", metavar="FILE", help="the MicroPython of the chip (default: found or built)")
    return parser


def run(args):
    if args.script is None and not HAS_TERMINAL_FRONT:
        return _play_in_browser(args)
    live, script = _on_chip(args.uf2) if args.chip or args.uf2 else (play_live, play_script)
    if args.script is None:
        with flash_folder(args.flash or simulator_folder(), args.fresh) as flash:
            set_language(flash, args.lang)
            set_board(flash, args.board)
            return live(flash, args.style, args.shot)
    steps = keyscript.read(args.script)
    with flash_folder(args.flash, args.fresh) if args.flash else tempfile.TemporaryDirectory() as flash:
        set_language(flash, args.lang, LANGUAGES[0])
        set_board(flash, args.board)
        return script(steps, flash, args.style, args.shot)


def _play_in_browser(args):
    """Show the front panel in the browser on systems without a terminal UI. Returns the exit code."""
    if args.chip or args.uf2 or args.shot:
        raise Trouble("this system's terminal cannot be the device: --chip, --uf2 and --shot need --script here.")
    from . import web  # not needed for playing in a terminal

    folder = args.flash or simulator_folder()
    with flash_folder(folder, args.fresh) as flash:
        set_language(flash, args.lang)
        set_board(flash, args.board)
    say("This system's terminal cannot be the device: its front panel opens in the browser.")
    return web.play(folder)


def _on_chip(uf2):
    """Return (play_live, play_script) for the emulated RP2040 with this MicroPython."""
    try:
        from kiebitz_lab.chip import play, require  # not installed with the rest
    except ModuleNotFoundError:
        raise Trouble("kiebitz sim --chip works in a checkout of the project only.") from None
    require("sim --chip")
    return partial(play.play_live, uf2=uf2), partial(play.play_script, uf2=uf2)


def save_shot(oled, path):
    """Save a screenshot of the display; do nothing without a path."""
    try:
        if path:
            rows, palette = oled.picture()
            write_png(path, oled.width, oled.height, rows, SHOT_WIDTH // oled.width, palette)
    except OSError as trouble:
        raise Trouble(f"cannot write {path}: {trouble.strerror}.") from None


# --- from a script ---


def play_script(steps, flash, style=AUTO, shot=None, main=None):
    """Play the steps on a fake clock, then print the screen. Returns the exit code."""
    hardware = pico_of(flash, FakeTime(SCRIPT_UNIX), is_kept(flash))  # a temporary flash has the same ids in every run
    words = ScreenReader()
    told: list[list[str]] = []
    player = keyscript.ScriptPlayer(
        steps, hardware, lambda: told.append(words.lines()), lambda: hardware.time.at(SETTLE_MS, _power_off)
    )
    device.run(hardware, flash, main, words.watch, player.started)
    if player.trouble:
        raise player.trouble
    save_shot(hardware.oled, shot)
    for lines in told:
        print_lines(map(spell_icons, lines))
    if style == AUTO:
        style = "braille" if can_show(sys.stdout.encoding) else "plain"
    print_lines(drawn(hardware.oled.frame(), style))
    print_lines(map(spell_icons, words.lines()))
    return OK


def print_lines(lines):
    print(*[line.rstrip() for line in lines], sep="\n", end="\n\n")


def _power_off():
    raise PowerOff


# --- in a terminal ---


def play_live(flash, style=AUTO, shot=None, main=None):
    """Play in this terminal until the player quits. Returns the exit code."""
    clock = LiveTime()
    hardware = pico_of(flash, clock)
    with PtyPort(hardware.usb) as usb, TerminalUi(hardware.oled.width, hardware.oled.height, style, usb.path) as front:
        publish_simulator_port(flash, usb.path)
        clock.wait = TerminalPlay(hardware, front, usb).wait
        device.run(hardware, flash, main)
    save_shot(hardware.oled, shot)
    return OK if front.stopped_by in (0, signal.SIGINT) else 128 + front.stopped_by


class TerminalPlay:
    """Connect the terminal's keys to the pins, the display to the terminal, and USB to the port."""

    def __init__(self, hardware, front, usb):
        self._hardware = hardware
        self._front = front
        self._usb = usb
        self._until = {}  # key -> time when it is released

    def wait(self, ms):
        """Serve the terminal for `ms`. A lost terminal counts as a power loss, not as an error of the firmware."""
        try:
            self._wait(ms)
        except OSError:
            self._front.stopped_by = LOST_TERMINAL
        if self._front.stopped_by:
            raise PowerOff

    def _wait(self, ms):
        clock = self._hardware.time
        clock.catch_up()
        end = clock.elapsed + ms
        while True:
            self._usb.pump()
            self._front.show(self._hardware.oled, self._hardware.tone)
            typed = self._front.keys((min([end, *self._until.values()]) - clock.elapsed) / 1000)
            clock.catch_up()
            for key, held in typed:
                self._type(key, held)
            self._let_go()
            if clock.elapsed >= end or self._front.stopped_by:
                return

    def _type(self, key, held):
        if key not in keyscript.KEYS:
            raise PowerOff
        repeated = key in self._until
        ms = self._hardware.hold_ms if held else REPEATED_MS if repeated else TAP_MS
        self._until[key] = max(self._until.get(key, 0), self._hardware.time.elapsed + ms)
        self._hardware.press(key)

    def _let_go(self):
        for key in [key for key, until in self._until.items() if until <= self._hardware.time.elapsed]:
            del self._until[key]
            self._hardware.release(key)
