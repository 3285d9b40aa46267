"""Runs on the Pico: what the installer sends to its prompt, and then calls, to look through files and to move them."""

# It knows what MicroPython has, and CPython has not:
# mypy: ignore-errors

import binascii
import hashlib
import json
import os
import sys

_FOLDER = 0x4000
_buffer = bytearray(4096)
_view = memoryview(_buffer)


def facts():
    """Print what is to be known before anything is done."""
    made = sys.implementation
    state = os.statvfs("/")
    told = {
        "name": made.name,
        "version": list(made.version)[:3],
        "mpy": getattr(made, "_mpy", 0) & 255,
        "machine": getattr(made, "_machine", sys.platform),
        "platform": sys.platform,
        "block": state[0],
        "blocks": state[2],
        "free": state[3],
        "names": os.listdir("/"),
    }
    print(json.dumps(told))


def _kind(path):
    """Of what is there; 0 if nothing is."""
    try:
        return os.stat(path)[0] & 0xF000
    except OSError:
        return 0


def _walk(folder):
    """The files in a folder and in the folders inside it."""
    for entry in os.ilistdir(folder):
        path = folder + "/" + entry[0]
        if entry[1] == _FOLDER:
            yield from _walk(path)
        else:
            yield path


def _digest(path):
    sha = hashlib.sha256()
    with open(path, "rb") as file:
        while True:
            size = file.readinto(_buffer)
            if not size:
                return binascii.hexlify(sha.digest()).decode()
            sha.update(_view[:size])


def hashes(*paths):
    """Print checksum and path of these files and of all that is in these folders."""
    for path in paths:
        kind = _kind(path)
        if kind:
            for file in _walk(path) if kind == _FOLDER else (path,):
                print(_digest(file), file)


def show(path):
    """Print the bytes of a file in base64, a line for each piece; nothing if there is no such file."""
    if _kind(path):
        with open(path, "rb") as file:
            while True:
                piece = file.read(1536)
                if not piece:
                    return
                print(binascii.b2a_base64(piece).decode().strip())


def games():
    """Print how many there are."""
    names = os.listdir("data") if _kind("data") else []
    print(len([name for name in names if name.endswith(".kbz")]))


def folders(*paths):
    """Make those that are not there, the outer ones first."""
    for path in paths:
        if not _kind(path):
            os.mkdir(path)


def take(path, sizes):
    """Write a file that comes in blocks as long as `sizes` says; a dot asks for the next one.

    A byte 3 comes as ESC and #: it is Ctrl-C, by which a device can be freed that waits for what nobody sends any more.
    """
    with open(path, "wb") as file:
        for size in sizes:
            sys.stdin.buffer.readinto(_view[:size])
            file.write(bytes(_view[:size]).replace(b"\x1b#", b"\x03").replace(b"\x1b[", b"\x1b"))
            print(end=".")


def drop(*paths):
    """Remove files, and folders with everything in them."""
    for path in paths:
        kind = _kind(path)
        if kind == _FOLDER:
            _drop_folder(path)
        elif kind:
            os.remove(path)


def _drop_folder(folder):
    for entry in list(os.ilistdir(folder)):
        path = folder + "/" + entry[0]
        if entry[1] == _FOLDER:
            _drop_folder(path)
        else:
            os.remove(path)
    os.rmdir(folder)


def finish():
    """What main.py does at power-on, if an install was cut off in its last step."""
    if _kind("finish.py"):
        with open("finish.py") as file:
            program = file.read()
        exec(program)
