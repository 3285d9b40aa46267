"""Define exit codes, and the error that a person can correct."""

from .printable import printable

OK = 0
BAD_USAGE = 2
REFUSED = 3  # by the rules
INTERRUPTED = 130  # as a shell reports Ctrl-C
BROKEN_PIPE = 141  # a reader that went away, as a shell reports it

NO_HOME = "this home folder cannot be found: set HOME, or write the path of the file in full."


class Trouble(Exception):
    """An error that a person can correct, in one sentence; the command ends with BAD_USAGE."""

    def __str__(self) -> str:
        """Return the sentence as it may be printed: a part of it may come from a device."""
        return printable(super().__str__())
