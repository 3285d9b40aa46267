"""UF2 files for the tests: blocks around a flash that says that it is MicroPython and Kiebitz."""

import hashlib
import struct

FLASH_START = 0x10000000
RP2040 = 0xE48BFF56
RP2350 = 0xE48BFF59
SIZE = 256


def flash(version="0.2.0", micropython="1.25.0", size=210_000):
    """Return the bytes of a firmware."""
    words = f"MicroPython v{micropython} on 2025-04-15\n"
    if version:
        words += f"kiebitz-image:{version}\n"
    return words.encode().ljust(size, b"\xa5")


def uf2(content, **how):
    """Return the file that puts this content into the flash of both chips, RP2350 first."""
    return part(content, family=RP2350, **how) + part(content, **how)


def part(content, start=FLASH_START, family=RP2040, payload=SIZE):
    """Return the blocks that put this content into the flash of one chip."""
    parts = [content[at : at + SIZE].ljust(SIZE, b"\x00") for at in range(0, len(content), SIZE)]
    blocks = []
    for number, part in enumerate(parts):
        head = (0x0A324655, 0x9E5D5157, 0x2000, start + number * SIZE, payload, number, len(parts), family)
        blocks.append(struct.pack("<8I", *head) + part.ljust(476, b"\x00") + struct.pack("<I", 0x0AB16F30))
    return b"".join(blocks)


def write(path, data, checksum=True):
    """Write a UF2 file, and its checksum beside it; returns the path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    if checksum:
        digest = hashlib.sha256(data).hexdigest()
        path.with_name(path.name + ".sha256").write_text(f"{digest}  {path.name}\n")
    return path
