"""Store the last unexpected errors in a file of bounded size."""

import io
import sys

from .. import VERSION
from ..machine_code import const

NAME = "crash.txt"
SIZE_MAX = 2048
_ENTRY_MAX = const(700)
_MARK = b"\n--\n"


def keep_crash(storage, error):
    """Append the trace of an error to the file; the oldest traces that no longer fit drop out. Returns its lines.

    Never raises, because a second error would hide the first.
    """
    try:
        lines = trace(error)
    except Exception:
        lines = [type(error).__name__]
    try:
        _keep(storage, "\n".join(["kiebitz " + VERSION] + lines).encode())
    except Exception:
        pass
    return lines


def read_crashes(storage):
    """Return the stored errors as text, the newest last; an empty string if there are none."""
    data = storage.read(NAME) or b""
    return "".join([chr(byte) if 32 <= byte < 127 or byte == 10 else "?" for byte in data])


def trace(error):
    """Return an error as short lines for a narrow display, the call stack (innermost call last) and the error."""
    if hasattr(sys, "print_exception"):
        text = io.StringIO()
        sys.print_exception(error, text)
        lines = [_place(line) for line in text.getvalue().split("\n") if line[:7] == '  File ']
    else:
        lines = _python_places(getattr(error, "__traceback__", None))
    name, what = type(error).__name__, str(error)
    return lines + [name + ": " + what if what else name]


def _place(line):
    """Return a line of a trace in short form: '  File "kiebitz/app.py", line 12, in draw' -> 'app.py:12 draw'."""
    parts = line.split('"')
    path = parts[1].split("/")[-1]
    rest = parts[2].replace(", line ", ":", 1).replace(", in ", " ", 1)
    return path + rest


def _python_places(at):
    """Return the call stack of a CPython traceback in the same short form."""
    lines = []
    while at is not None:
        code = at.tb_frame.f_code
        lines.append("%s:%d %s" % (code.co_filename.split("/")[-1], at.tb_lineno, code.co_name))
        at = at.tb_next
    return lines


def _keep(storage, entry):
    """Append an entry to the file; the oldest entries that no longer fit drop out."""
    if len(entry) > _ENTRY_MAX:
        # Both ends are the most useful, the outermost call and the error
        entry = entry[: _ENTRY_MAX // 2] + b"\n...\n" + entry[-(_ENTRY_MAX // 2) :]
    entry += _MARK
    older = storage.read(NAME) or b""
    excess = len(older) + len(entry) - SIZE_MAX
    if excess > 0:
        cut = older.find(_MARK, max(0, excess - len(_MARK)))
        older = older[cut + len(_MARK) :] if cut >= 0 else b""
    storage.write("crash.new", older + entry)
    storage.rename("crash.new", NAME)
