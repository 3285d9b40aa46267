"""Run the app: a stack of screens, the keys for the top screen, and drawing on the display.

At power-on only the modules of the first screen and the table are imported. Every other module is imported in the
function that first needs it: docs/architecture.md, "Import rules".
"""

import gc

from .machine_code import const
from .screens.start import Start, begin
from .store.library import Library
from .store.roster import Roster
from .store.safe_file import NEWER
from .text import later, note, text, use
from .widgets.keys import LEFT, UNDO, Keys
from .widgets.screen import MOVED, Notice, draw_hints, draw_toast, wrap
from .widgets.sleep import OFF, Sleep

_POLL_MS = const(5)
_TOAST_MS = const(1800)
_REFUSAL_MS = const(4000)
_PAUSE_MS = const(300)  # short background work starts after this time without a key
_IDLE_MS = const(3000)  # longer background work
_HINTS_MS = const(3000)  # how long each page of hints is shown

# Values of `dirty`
_CLEAN = const(0)
CHANGES = 2  # only a cursor or a message has changed; any other true value means a full redraw


class App:
    """The app on one board, with its settings, roster, games and screens."""

    def __init__(self, board):
        self.board = board
        self.clock = board.clock
        self.settings = board.settings
        self._open_files()
        self.canvas = board.canvas
        self.keys = Keys(board.clock)
        self.stack = []
        self.dirty = True
        self.low_told = False  # the message about a low battery was shown
        self._toast = None  # (lines, start in ms, duration in ms, colour)
        self._undo_down = False  # UNDO is held on a table and has not acted yet
        self._down_on = None  # the screen that took the last press
        self._pressed = 0  # the key pressed last
        self._entering = 0  # a bit for each key whose press makes an entry: such keys do nothing while they are held
        self._scoreboard = None  # the scoreboard shown last
        self._garbage = True  # keys were pressed since the last garbage collection
        self._sleep = Sleep(self)
        self.link = None  # made when a laptop sends its first bytes
        self.remote_keys = []  # (key, True if held) pressed on a laptop, handled in the next turn of the loop
        self._presets = None  # loaded on first use
        self.turn_clock = None  # created on first use
        self.apply_settings()
        begin(self)

    def _open_files(self):
        """Open the roster and the games; if a newer version has written one of them, no file is used."""
        board = self.board
        self.roster = Roster(board.storage)
        if self.roster.report != NEWER:
            self.library = Library(board.storage, board.device_id, board.random, board.clock.now, board.clock)
        if self.roster.report == NEWER or self.library.report == NEWER:
            board.hold_flash()
            self._open_files()

    @property
    def presets(self):
        """The titles with their settings that were played here."""
        if self._presets is None:
            from .store.presets import Presets

            self._presets = Presets(self.board.storage)
        return self._presets

    # --- the stack ---

    @property
    def top(self):
        """The screen that is shown."""
        return self.stack[-1]

    def push(self, screen):
        """Show a screen above the others."""
        self.stack.append(screen)
        self.dirty = True

    def pop(self, n=1):
        """Close n screens; the first screen always stays."""
        while n and len(self.stack) > 1:
            self.stack.pop()
            n -= 1
        self.top.resume()
        self.dirty = True

    def pop_to(self, screen):
        """Close all screens above this one."""
        self.pop(len(self.stack) - 1 - self.stack.index(screen))

    def pop_to_table(self):
        """Close all screens above the table."""
        self.pop_to([screen for screen in self.stack if screen.takes_back][-1])

    def show_scoreboard(self, session):
        """Show everybody's total in large digits until the next key."""
        from .screens.scoreboard import Scoreboard

        self._scoreboard = Scoreboard(self, session)
        self.push(self._scoreboard)

    def table_rests(self):
        """Show the scoreboard over a table at which nobody has pressed a key for a while."""
        if self.top.rests() and not self._toast:
            self.show_scoreboard(self.top.session)

    def close_scoreboard(self):
        """Close the scoreboard, if it is shown."""
        if self.top is self._scoreboard:
            self.pop()

    def changes(self):
        """Call redraw() of the top screen in this turn, unless the whole screen is drawn anyway."""
        self.dirty = self.dirty or CHANGES

    # --- messages ---

    def toast(self, message, ms=_TOAST_MS, before=(), colour="plain"):
        """Show a message in a box over the screen until the next key, or for `ms` milliseconds unless ms is 0.

        before: lines to show above it.
        """
        self.dirty = True if self._toast else self.dirty or CHANGES
        self._toast = (list(before) + wrap(self.canvas, message, self.canvas.w - 8), self.clock.ms(), ms, colour)

    def refuse(self, sentence):
        """Show why an entry is not possible."""
        self.beep(220, 120)
        self.toast(sentence, _REFUSAL_MS, colour="refused")

    def beep(self, hz=1500, ms=15):
        """Beep, unless the sound is off."""
        if self.settings["sound"]:
            self.board.buzzer.beep(hz, ms)

    def flash_trouble(self, trouble):
        """Show that an entry could not be stored, and was therefore not made."""
        from .screens.messages import tell_trouble

        self.beep(220, 300)
        tell_trouble(self, trouble)

    def leave_table(self):
        """Close the game in play, which can be resumed, and show the first screen."""
        self.library.close()
        self.stack = []
        self.push(Start(self))

    def start_update(self):
        """Show that the boot loader is about to start, then start it."""
        from .screens.power import Updating

        self.push(Updating(self))

    # --- called by Session ---

    def entering(self):
        """Let the key that was pressed last do nothing more until it is pressed again."""
        self._entering |= 1 << self._pressed

    def entered(self, session, notes):
        """Close the screens in which an entry was made, which is on flash, and show its notes."""
        if not self.top.stays:
            while not self.top.stays:
                self.stack.pop().entered()
            self.top.resume()
        self.beep()
        self.changed(session)
        if len(notes) == 1:
            code, info = notes[0]
            outcome = self._toast[0] if self._toast else []  # from changed()
            self.toast(note(code, info, session.names), 0, outcome)
        elif notes:
            from .screens.messages import Notes

            self._toast = None
            self.push(Notes(self, notes, session.names))

    def changed(self, session):
        """Update every screen of the table after the state of the game has changed."""
        self.dirty = True
        for screen in self.stack:
            if screen.takes_back:
                screen.changed()
        if self.library.lost_elsewhere():
            self.push(Notice(self, later("report.title"), later("report.stuck")))

    # --- one turn of the loop ---

    def step(self):
        """Do one turn of the main loop (keys, message, drawing, sleep, background work)."""
        now = self.clock.ms()
        if self.turn_clock:
            self.turn_clock.step(now, self.is_dark)
        for k, kind in self.keys.feed(self.board.read_keys(), now):
            self._key(k, kind)
        while self.remote_keys:
            self.press(*self.remote_keys.pop(0))
        if self._toast and self._toast[2] and self.clock.diff(now, self._toast[1]) >= self._toast[2]:
            self._toast = None
            self.dirty = True
        if self.board.display.revived():
            self.dirty = True
        self.top.tick(now)
        turned = self._turn_hints(now)
        if self.dirty:
            self.draw()
        elif turned:
            self.board.display.show()
        self._sleep.doze(now)
        self.board.buzzer.tick()
        # Interrupts are off while the flash is written, so a bounce read afterwards would look like a press
        if not self.keys.bouncing:
            self._beside_the_game(now)

    def _turn_hints(self, now):
        """Draw the next page of hints in the last line, the first one after a key. Returns True if it was drawn."""
        c = self.canvas
        page = self._sleep.idle_ms(now) // _HINTS_MS % max(1, len(c.hints))
        if page == c.hint_page or len(c.hints) < 2 or not self.shows_table:
            return False
        c.hint_page = page
        draw_hints(c)
        return True

    def _beside_the_game(self, now):
        """Do background work."""
        idle = self._sleep.idle_ms(now)
        if idle >= _IDLE_MS:
            self.library.keep_state()
            self.library.keep_minutes()
            self.board.choice.store(self.settings)
        if self.turn_clock and idle >= _PAUSE_MS:
            self.turn_clock.keep()
        if self._garbage and idle >= _PAUSE_MS:
            self._garbage = False
            self.library.make_ready()
            gc.collect()  # takes 11 ms, better now than during an entry
        supply = self.board.supply
        if supply.look(now) and (supply.low or supply.empty or self.canvas.battery_low):
            from .screens.power import tell_supply

            tell_supply(self)
        if self.board.oled_came(now) and not (self.link and self.link.busy):
            self.keep()
            self.board.reset()  # the next start finds it
        self._serve()

    def keep(self):
        """Store the minutes played and the turn clock, which are not on flash yet."""
        self.library.keep_state()
        self.library.keep_minutes()
        if self.turn_clock:
            self.turn_clock.keep()

    @property
    def is_dark(self):
        """True if the display is switched off."""
        return self._sleep.depth == OFF

    @property
    def shows_table(self):
        """True if the display is bright, and no message covers it."""
        return not (self._sleep.depth or self._toast)

    def _serve(self):
        """Answer the requests of a laptop."""
        if self.link is None:
            if not self.board.serial.waiting():
                return
            from .link.link import Link

            self.link = Link(self)
        self.link.step()

    def run(self):
        """Run the main loop.

        Ctrl-C is raised to the caller. Any other error is shown and kept in a file, and the next start resumes the
        game.
        """
        watchdog = self.board.watchdog
        watchdog.start()
        try:
            self.step()
            self.board.limit_garbage()  # after the first picture, because the start makes much garbage
            while True:
                watchdog.feed()
                self._sleep.rest()
                self.step()
        except Exception as error:
            watchdog.stop()  # the error stays on the display until a key is pressed
            self.crashed(error)
        except KeyboardInterrupt:
            watchdog.stop()
            self._taken_over()
            raise
        finally:
            watchdog.stop()

    def _taken_over(self):
        """Show that a computer has stopped the app, so that the device does not seem to have frozen."""
        self.board.buzzer.quiet()
        try:
            self.wake()
            self.toast(text("app.stopped"), 0)
            self.draw()
        except Exception:
            pass  # the app may have been stopped anywhere, and the prompt matters more than the message

    def _key(self, k, kind):
        """Handle a key event (press, hold, repeat or release). The key that wakes the display does nothing else."""
        if kind == "release":
            self._released(k)
            return
        self._sleep.press()
        self._garbage = True
        if self._sleep.depth:
            dark = self.is_dark
            self.wake()
            if dark:
                self.keys.swallow(k)
                return
        if kind == "press":
            self._down_on = self.top
            self._pressed = k
            self._entering &= ~(1 << k)
            self._undo_down = False
            if self._toast:
                self._toast = None
                self.dirty = True
        if k == UNDO and not self.top.all_keys:
            self._undo(kind)
        elif self._entering >> k & 1:
            pass
        elif kind == "hold":
            self.top.hold(k)
            self.dirty = True
            if k == LEFT:
                self._left_held(self._down_on)
        elif kind == "repeat" and self.top is not self._down_on:
            pass  # the press has opened another screen
        elif self.top.key(k) == MOVED:
            self.changes()
        else:
            self.dirty = True

    def _left_held(self, table):
        """Show the scoreboard if LEFT was pressed at a table; the menu that the press has opened is closed."""
        if table in self.stack and table.takes_back and not table.left_repeats:
            self.pop_to(table)
            self.show_scoreboard(table.session)

    def press(self, k, hold=False):
        """Handle a key pressed on the laptop like the same key on the device."""
        for kind in ("press", "hold", "release") if hold else ("press", "release"):
            self._key(k, kind)

    def _undo(self, kind):
        """Handle UNDO. At a table it acts on release, because holding it means redo; elsewhere it goes back at once."""
        top = self.top
        if not top.takes_back:
            if kind == "press":
                top.back()
                self.dirty = True
        elif kind == "press" and top.drop():
            self.dirty = True
        elif kind == "press":
            if top.session.can_undo:
                self._undo_down = True
                self.toast(text("undo.down", what=top.session.next_undo()), 0)
            elif top.session.can_redo:
                self._undo_down = True
                self.toast(text("undo.redo_only"), 0)
            else:
                self.refuse(text("undo.nothing"))
        elif kind == "hold" and self._undo_down:
            self._undo_down = False
            top.session.redo()

    def _released(self, k):
        """Handle the release of a key, on which UNDO at a table takes back an entry."""
        self.top.release(k)
        if k == UNDO and self._undo_down:
            self._undo_down = False
            self._toast = None
            self.dirty = True
            if not self.top.takes_back:
                return  # another key that was held has opened a screen meanwhile
            if not self.top.session.can_undo:
                self.refuse(text("undo.nothing"))
            else:
                self.top.session.undo()

    def draw(self):
        """Draw the top screen and the message, and send the picture to the display."""
        changes = self.dirty == CHANGES
        self.dirty = _CLEAN
        c = self.canvas
        if not (changes and self.top.redraw(c)):
            c.clear()
            c.hints = ()
            self.top.draw(c)
            if self.top.banner:
                self.top.draw_banner(c)
        if self._toast:
            draw_toast(c, self._toast[0], self._toast[3])
        self.board.display.show()

    def wake(self):
        """Switch the display on at its usual brightness, without a message."""
        self._sleep.wake()
        self.apply_settings()

    def stay_on(self):
        """Wake the display as a key does."""
        self.wake()
        self._sleep.press()

    def apply_settings(self):
        """Apply all settings (language, brightness, direction, key repeat, times until dim and off)."""
        settings = self.settings
        use(settings["language"])
        self.board.display.contrast(settings["brightness"] * 25 + 5)
        self.board.display.flip(settings["flip"])
        self.keys.rate = settings["repeat"]
        self._sleep.apply(settings)
        self._toast = None  # its text may be in another language
        self.dirty = True

    def crashed(self, error):
        """Show a short trace, keep it in a file, and restart at the next key."""
        from .screens.messages import show_crash

        self.stack = []  # frees memory, in case the error is a MemoryError
        show_crash(self.board, error, text("crash.key"))
        while not self.keys.pressed(self.board.read_keys(), self.clock.ms()):
            self.clock.sleep(_POLL_MS)
        self.board.reset()
