"""The app: a stack of screens, the keys that reach them, what goes to the display, and sleep."""

import gc

from .machine_code import const
from .screens.start import Start, begin
from .screens.storage_trouble import tell_trouble
from .store.library import Games
from .store.roster import Roster
from .store.sealed_lines import attempt
from .text import note, text, use
from .widgets.keys import UNDO, Keys
from .widgets.screen import LINE, MOVED, wrap

_POLL_MS = const(5)
_TOAST_MS = const(1800)
_REFUSAL_MS = const(4000)
_DIM_CONTRAST = const(1)
_PAUSE_MS = const(300)  # nobody is pressing keys: time for what is done before the next one comes
_IDLE_MS = const(3000)  # and for what takes longer

# What `dirty` says
_CLEAN = const(0)
CHANGES = 2  # a cursor has moved, or a message has come: all else stands on the display. Any other value: draw it all


class App:
    def __init__(self, board):
        self.board = board
        self.clock = board.clock
        self.settings = board.settings
        self.roster = Roster(board.storage)
        self.games = Games(board.storage, board.device_id, board.random, board.clock.now)
        self.canvas = board.canvas
        self.keys = Keys(board.clock)
        self.stack = []
        self.dirty = True
        self._toast = None  # (lines, started, how long)
        self._undo_down = False  # UNDO is held on a table and has not acted yet
        self._last_key = self.clock.ms()
        self._garbage = True  # keys were pressed since it was collected
        self._sleep = 0  # 0 awake, 1 dimmed, 2 off
        self.link = None  # made when a laptop says its first word
        self.apply_settings()
        begin(self)

    # --- the stack ---

    @property
    def top(self):
        return self.stack[-1]

    def push(self, screen):
        self.stack.append(screen)
        self.dirty = True

    def pop(self, n=1):
        """Go back; the first screen always stays."""
        while n and len(self.stack) > 1:
            self.stack.pop()
            n -= 1
        self.top.resume()
        self.dirty = True

    def pop_to(self, screen):
        self.pop(len(self.stack) - 1 - self.stack.index(screen))

    def pop_to_table(self):
        """Back to the table, whatever is open above it."""
        tables = [screen for screen in self.stack if screen.takes_back]
        self.pop_to(tables[-1])

    # --- messages ---

    def toast(self, message, ms=_TOAST_MS):
        """A box over the screen that goes away with the next key, or by itself unless ms is 0."""
        self.dirty = True if self._toast else self.dirty or CHANGES
        self._toast = (wrap(self.canvas, message, self.canvas.w - 8), self.clock.ms(), ms)

    def refuse(self, sentence):
        """Say why an entry is not possible."""
        self.beep(220, 120)
        self.toast(sentence, _REFUSAL_MS)

    def beep(self, hz=1500, ms=15):
        if self.settings["sound"]:
            self.board.buzzer.beep(hz, ms)

    def flash_trouble(self, trouble):
        """The entry could not be kept, so it was not made."""
        self.beep(220, 300)
        tell_trouble(self, trouble)

    def leave_table(self):
        """Back to the first screen; the game stays where it is."""
        self.games.close()
        self.stack = []
        self.push(Start(self))

    def start_update(self):
        """Say on the display that the boot loader comes, then start it."""
        from .screens.update import Updating  # seldom shown: every start is 1 ms sooner

        self.push(Updating(self))

    # --- what the play tells ---

    def entered(self, play, notes):
        """An entry stands: on flash, and now on the display."""
        self.beep()
        self.changed(play)
        for code, info in notes:
            self.toast(note(code, info, play.names), _REFUSAL_MS)

    def changed(self, play):
        """The state of the game is another: every screen of it looks anew."""
        self.dirty = True
        for screen in self.stack:
            if screen.takes_back:
                screen.changed()

    # --- one turn of the loop ---

    def step(self):
        now = self.clock.ms()
        for k, kind in self.keys.feed(self.board.read_keys(), now):
            self._key(k, kind)
        if self._toast and self._toast[2] and self.clock.diff(now, self._toast[1]) >= self._toast[2]:
            self._toast = None
            self.dirty = True
        if self.board.display.revived():
            self.dirty = True
        self.top.tick(now)
        if self.dirty:
            self.draw()
        self._doze(now)
        self.board.buzzer.tick()
        # The flash stops interrupts while it is written: bounce that is heard only afterwards would pass for a press
        if not self.keys.bouncing:
            self._beside_the_game(now)

    def _beside_the_game(self, now):
        """What nobody at the table is waiting for."""
        idle = self.clock.diff(now, self._last_key)
        if idle >= _IDLE_MS:
            self.games.keep_state()
            self._keep_found()
            self.board.clear_leftovers()
        if self._garbage and idle >= _PAUSE_MS:
            self._garbage = False
            self.games.make_ready()
            gc.collect()  # 11 ms, in which nobody waits, and not in the middle of an entry
        self._serve()

    def _serve(self):
        """Answer a laptop."""
        if self.link is None:
            if not self.board.serial.waiting():
                return
            from .link.link import Link  # most starts are without a laptop: 3 ms sooner

            self.link = Link(self)
        self.link.step()

    def _keep_found(self):
        """Remember the display: it may not answer at the next start."""
        choice = self.board.choice
        if choice.found and self.settings["found"] != choice.name:
            choice.found = False  # tried once
            attempt(self.settings.set, "found", choice.name)

    def run(self):
        """For ever. Ctrl-C reaches whoever started us; any other error is shown, kept, and the next start resumes."""
        watchdog = self.board.watchdog
        watchdog.start()
        try:
            while True:
                self.step()
                watchdog.feed()
                self.board.rest(0 if self.link and self.link.busy else _POLL_MS)
        except Exception as error:
            watchdog.stop()  # the error may stand on the display as long as somebody wants to read it
            self.crashed(error)
        except KeyboardInterrupt:
            watchdog.stop()
            self._taken_over()
            raise
        finally:
            watchdog.stop()

    def _taken_over(self):
        """A computer has stopped the app to work on the device: say so, lest it seems to have frozen."""
        self.board.buzzer.quiet()
        try:
            self.wake()
            self.toast(text("app.stopped"), 0)
            self.draw()
        except Exception:
            pass  # it was stopped in the middle of anything: the prompt counts for more than the picture

    def _key(self, k, kind):
        if kind != "release":
            self._last_key = self.clock.ms()
            self._garbage = True
            if self._sleep:
                awake = self._sleep < 2
                self.wake()
                if not awake:
                    self.keys.swallow(k)
                    return
        if kind == "release":
            self._released(k)
            return
        if kind == "press":
            self._undo_down = False
            if self._toast:
                self._toast = None
                self.dirty = True
        if k == UNDO and not self.top.all_keys:
            self._undo(kind)
        elif kind == "hold":
            self.top.hold(k)
            self.dirty = True
        elif self.top.key(k) == MOVED:
            self.dirty = self.dirty or CHANGES
        else:
            self.dirty = True

    def remote_key(self, k, hold=False):
        """A key pressed from the laptop: it does what the one on the device does."""
        for kind in ("press", "hold", "release") if hold else ("press", "release"):
            self._key(k, kind)

    def _undo(self, kind):
        """On a table UNDO acts when it is let go, so that holding it can mean redo; elsewhere it goes back at once."""
        top = self.top
        if not top.takes_back:
            if kind == "press":
                top.back()
                self.dirty = True
        elif kind == "press":
            if top.play.can_undo:
                self._undo_down = True
                self.toast(text("undo.down", what=top.play.next_undo()), 0)
            elif top.play.can_redo:
                self._undo_down = True
                self.toast(text("undo.redo_only"), 0)
            else:
                self.refuse(text("undo.nothing"))
        elif kind == "hold" and self._undo_down:
            self._undo_down = False
            top.play.redo()

    def _released(self, k):
        self.top.release(k)
        if k == UNDO and self._undo_down:
            self._undo_down = False
            self._toast = None
            self.dirty = True
            if not self.top.takes_back:
                return  # another key, that repeats while it is held, has opened something meanwhile
            if not self.top.play.can_undo:
                self.refuse(text("undo.nothing"))
            else:
                self.top.play.undo()

    def draw(self):
        changes = self.dirty == CHANGES
        self.dirty = _CLEAN
        c = self.canvas
        if not (changes and self.top.redraw(c)):
            c.clear()
            self.top.draw(c)
        if self._toast:
            self._draw_toast(c, self._toast[0])
        self.board.display.show()

    def _draw_toast(self, c, lines):
        y = c.h - (len(lines) + 1) * LINE  # whole text lines are covered, none is cut
        height = c.h - y
        c.rect(0, y, c.w, height, 0)
        c.box(0, y, c.w, height)
        y += LINE // 2
        for line in lines:
            c.text(line, 4, y)
            y += LINE

    # --- dim, off, crash ---

    def _doze(self, now):
        idle = self.clock.diff(now, self._last_key)
        if idle < 0:  # a very long rest wraps the clock round: that is idle too
            self._last_key = now
            return
        dim, off = self._dim_ms, self._off_ms
        if off and idle >= off and self._sleep < 2:
            self._sleep = 2
            self.board.display.power(False)
        elif dim and idle >= dim and self._sleep < 1:
            self._sleep = 1
            self.board.display.contrast(_DIM_CONTRAST)

    def wake(self):
        if self._sleep == 2:
            self.board.display.power(True)
        self._sleep = 0
        self.apply_settings()

    def apply_settings(self):
        """Make language, brightness, direction and key repeat what the settings say."""
        settings = self.settings
        use(settings["language"])
        self.board.display.contrast(settings["brightness"] * 25 + 5)
        self.board.display.flip(settings["flip"])
        self.keys.rate = settings["repeat"]
        self._dim_ms = settings["dim_s"] * 1000
        self._off_ms = settings["off_s"] * 1000
        self._toast = None  # its words may be those of another language
        self.dirty = True

    def crashed(self, error):
        """Show a short trace, keep it in a file, and start again with the next key."""
        from .screens.crash import show_crash  # seldom shown: every start is 2 ms sooner

        self.stack = []  # what follows needs memory, and that may be just what is missing
        show_crash(self.board, error, text("crash.key"))
        while not self.keys.pressed(self.board.read_keys(), self.clock.ms()):
            self.clock.sleep(_POLL_MS)
        self.board.reset()
