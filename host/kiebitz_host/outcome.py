"""How a command ends: its exit codes, and the trouble a person can put right."""

OK = 0
BAD_USAGE = 2
REFUSED = 3  # by the rules
INTERRUPTED = 130  # as a shell reports Ctrl-C
BROKEN_PIPE = 141  # and a reader that went away


class Trouble(Exception):
    """Something a person can put right, in one sentence; the command ends with BAD_USAGE."""
