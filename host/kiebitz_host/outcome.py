"""Define exit codes, and the exception for errors that a person can correct."""

from .printable import printable

OK = 0
BAD_USAGE = 2
REFUSED = 3  # by the rules
INTERRUPTED = 130  # as a shell reports Ctrl-C
BROKEN_PIPE = 141  # the reader of the output went away, as a shell reports it

NO_HOME = "this home folder cannot be found: set HOME, or write the path of the file in full."


class Trouble(Exception):
    """An error that a person can correct, with a one-sentence message; the command ends with BAD_USAGE."""

    def __str__(self) -> str:
        """Return the sanitized message, because a part of it may come from a device."""
        return printable(super().__str__())
