"""Errors of a report, each with a sentence that says what to do."""

from ..outcome import Trouble

_UNTOUCHED = "The games on it were not touched, and no report was written."


class OtherFirmware(Trouble):
    def __init__(self, path, there, here):
        super().__init__(
            f"kiebitz {there} runs on {path} and this is kiebitz {here}, so their pictures cannot be compared: put the "
            f"same version on both, with kiebitz install on the device. {_UNTOUCHED}"
        )


class UnknownBoard(Trouble):
    def __init__(self, path, board):
        super().__init__(f"the board of {path} is called {board}, which this kiebitz does not know. {_UNTOUCHED}")


class InAGame(Trouble):
    def __init__(self, path):
        super().__init__(
            f"a game is on the table of {path}, and a report needs the device for a minute: leave the table with the "
            f"last line of its menu, and repeat the command. {_UNTOUCHED}"
        )


class NoRoom(Trouble):
    def __init__(self, path, kilobytes):
        super().__init__(
            f"the flash of {path} has only {kilobytes} KB free, and a report needs a little for a while: run "
            f"kiebitz sync, which lets the device remove games that are finished. {_UNTOUCHED}"
        )


class NotMountedFlash(Trouble):
    def __init__(self, path):
        super().__init__(f"no file system is mounted on {path}: run kiebitz doctor, which says what to do.")


class CutShort(Trouble):
    def __init__(self, path):
        super().__init__(
            f"the connection to {path} was lost before the report was complete: plug the Pico in again and repeat the "
            f"command, which also removes what this one may have left there. {_UNTOUCHED}"
        )


class CannotWrite(Trouble):
    def __init__(self, path, reason):
        super().__init__(f"{path} cannot be written ({reason}): name another file, as in kiebitz doctor --report FILE.")
