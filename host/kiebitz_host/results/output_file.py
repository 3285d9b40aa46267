"""Writes a file completely or not at all, without harm to what else has this name or is in this folder."""

import os
import secrets
import stat


def write_file(name: str, content: bytes) -> None:
    """Write a file: beside it under a name of its own, then renamed over it. Raises OSError if that fails.

    A link is followed, and keeps pointing to the file. What is no regular file, say a device or a pipe, is written to.
    """
    target = os.path.realpath(name)
    mode = _mode(name)
    is_special = mode is not None and not (stat.S_ISREG(mode) and os.path.isfile(target))
    if is_special or name.endswith(os.sep):
        with open(name, "wb") as file:
            file.write(content)
        return
    beside = os.path.join(os.path.dirname(target), f".kiebitz-{secrets.token_hex(8)}.tmp")
    with open(beside, "xb") as file:
        try:
            if mode is not None:
                os.chmod(beside, stat.S_IMODE(mode))
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            os.replace(beside, target)
        except BaseException:
            os.unlink(beside)
            raise


def _mode(name: str) -> int | None:
    """Return the type and permissions of a file, of its target if it is a link; None if there is no file."""
    try:
        return os.stat(name).st_mode
    except FileNotFoundError:
        return None
