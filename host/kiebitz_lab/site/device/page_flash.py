"""Replace `os` and `open` in the page: the browser stores every change of a file before the call returns.

The files are in the interpreter's own memory, and the page puts them back at the next start. Error numbers are
translated to those of a Pico, because this interpreter raises the host's, which its own module `errno` does not have.
"""

import builtins
import os

import kiebitz_page  # the page's API, in JavaScript
from flash_layout import BLOCK, BLOCKS  # of kiebitz_host, copied beside this module
from uctypes import addressof

# The numbers of this system -> those of a Pico
_NUMBERS = {44: 2, 20: 17, 51: 28, 31: 21, 54: 20, 55: 39}
_NO_SPACE = 28

_open = open
WRITE, APPEND, RENAME, REMOVE, MAKE = range(1, 6)  # kinds of changes, as in flash_log.mjs


def _as_on_a_pico(action, *arguments):
    """Return what the action returns; its errors get the numbers of a Pico."""
    try:
        return action(*arguments)
    except OSError as trouble:
        raise OSError(_NUMBERS.get(trouble.args[0], trouble.args[0])) from None


def _keep(kind, path, data=b""):
    """Let the browser store a change; raises OSError if its storage is full."""
    if not kiebitz_page.keep(kind, path, addressof(data), len(data)):
        raise OSError(_NO_SPACE)


def open_file(path, mode="r", **more):
    """Open a file. Returns the file itself for reading, and for writing an object that keeps what is written."""
    if "r" in mode:
        return _as_on_a_pico(lambda: _open(path, mode, **more))
    return _Writing(path, "a" in mode)


class _Writing:
    """A file open for writing; each piece is stored by the browser before it is added to the file in memory."""

    def __init__(self, path, append):
        self._path = path
        self._append = append
        self._is_new = not _exists(path)
        _as_on_a_pico(_open, path, "ab").close()  # fails if the folder does not exist; changes nothing

    def write(self, data):
        try:
            _keep(APPEND if self._append else WRITE, self._path, data)
        except OSError:
            if self._is_new:
                os.remove(self._path)
            raise
        with _open(self._path, "ab" if self._append else "wb") as file:
            file.write(data)
        self._append = True
        self._is_new = False
        return len(data)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if not self._append or self._is_new:
            self.write(b"")  # nothing was written, so the file is empty


def _exists(path):
    try:
        os.stat(path)
    except OSError:
        return False
    return True


class PageOs:
    """The module `os`, as far as the firmware uses it."""

    def stat(self, path):
        return _as_on_a_pico(os.stat, path)

    def listdir(self, path="."):
        return _as_on_a_pico(os.listdir, path)

    def ilistdir(self, path="."):
        return _as_on_a_pico(os.ilistdir, path)

    def mkdir(self, path):
        _as_on_a_pico(os.mkdir, path)
        _keep(MAKE, path)

    def rename(self, old, new):
        self.stat(old)
        _keep(RENAME, old, new.encode())
        _as_on_a_pico(os.rename, old, new)

    def remove(self, path):
        self.stat(path)
        _keep(REMOVE, path)
        _as_on_a_pico(os.remove, path)

    def rmdir(self, path):
        _as_on_a_pico(os.rmdir, path)
        _keep(REMOVE, path)

    def statvfs(self, path):
        """Return the state of a Pico's flash that holds these files."""
        free = max(BLOCKS - _blocks(""), 0)
        return (BLOCK, BLOCK, BLOCKS, free, free, 0, 0, 0, 0, 255)

    def urandom(self, n):
        return bytes([kiebitz_page.random() for _ in range(n)])


def _blocks(folder):
    """Return the number of blocks that the files in the folder of the games, and in those below it, take."""
    used = 0
    for entry in os.ilistdir(folder or "data") if _exists(folder or "data") else ():
        path = (folder or "data") + "/" + entry[0]
        used += _blocks(path) if entry[1] & 0x4000 else -(-os.stat(path)[6] // BLOCK)
    return used


def install(modules):
    """Install `os` and `open`. Call this before the first module of the firmware is imported."""
    os.chdir("/")  # the root of the files; the interpreter starts in the folder of the modules
    modules["os"] = PageOs()
    builtins.open = open_file
