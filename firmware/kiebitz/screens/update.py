"""Start an update without opening the case: the boot loader appears as a drive that takes the new file."""

from ..machine_code import const
from ..text import text
from ..widgets.screen import Screen, draw_message, header

_READ_MS = const(700)  # until the picture is on the display, and the answer has been sent to the laptop


class Updating(Screen):
    """The message that stays on the display while the boot loader runs: nothing else can be shown then."""

    def __init__(self, app):
        super().__init__(app)
        self._since = app.clock.ms()

    def draw(self, c):
        header(c, text("set.update"))
        draw_message(c, text("update.now"))

    def tick(self, now):
        if not self.app.dirty and self.app.clock.diff(now, self._since) >= _READ_MS:
            self.app.games.close()
            self.app.board.bootloader()

    def back(self):
        """Do nothing: the boot loader is about to start."""
