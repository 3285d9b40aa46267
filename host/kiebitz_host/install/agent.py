"""Read the flash from a session at the prompt. This file is sent to the Pico and runs there.

Changes nothing.
"""

# Uses modules that only MicroPython has:
# mypy: ignore-errors

import binascii
import json
import os
import sys


def facts():
    """Print the facts for doctor, with or without a mounted file system."""
    made = sys.implementation
    told = {
        "version": list(made.version)[:3],
        "machine": getattr(made, "_machine", sys.platform),
        "platform": sys.platform,
        "path": sys.path,
    }
    try:
        import machine

        told["mhz"] = machine.freq() // 1000000
    except Exception:  # another board may lack this function
        pass
    try:
        import kiebitz

        told["kiebitz"] = kiebitz.VERSION
    except Exception:  # an unrelated module may have this name
        pass
    try:
        state = os.statvfs("/")
        told.update(block=state[0], blocks=state[2], free=state[3], names=os.listdir("/"))
        told["games"] = len([name for name in os.listdir("/data") if name[-4:] == ".kbz"])
    except OSError:
        pass
    print(json.dumps(told))


def show(path):
    """Print the bytes of a file in base64, a line for each piece; nothing if the file cannot be read."""
    try:
        with open(path, "rb") as file:
            while True:
                piece = file.read(1536)
                if not piece:
                    return
                print(binascii.b2a_base64(piece).decode(), end="")
    except OSError:
        pass


def geometry():
    """Print the number of blocks in the file system and the bytes of a block."""
    import _rp2

    flash = _rp2.Flash()
    print(flash.ioctl(4, 0), flash.ioctl(5, 0))


def blocks(first, count, size):
    """Print blocks of the flash, one per line: number, CRC32, and bytes in base64."""
    import _rp2

    flash = _rp2.Flash()
    block = bytearray(size)
    for number in range(first, first + count):
        flash.readblocks(number, block)
        sys.stdout.buffer.write(b"%d %08x " % (number, binascii.crc32(block)))
        sys.stdout.buffer.write(binascii.b2a_base64(block))
