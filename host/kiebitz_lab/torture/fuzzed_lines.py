"""Damages lines as a bad cable or a confused program would."""

from ..dice import Dice

ODD = (b"\x03", b"\x00", b"\xff", b"~", b'"', b"{", b" ", b"K! ", b"K? ", b"\r\n", b">>> ", b"9" * 12, b"x" * 1200)


def fuzzed(dice: Dice, line: bytes) -> bytes:
    """Return a line with a few bytes changed, lost, doubled or put in."""
    for _ in range(1 + dice.below(3)):
        at = dice.below(len(line) + 1)
        kind = dice.below(5)
        if kind == 0:
            line = line[:at] + bytes([dice.below(256)]) + line[at + 1 :]
        elif kind == 1:
            line = line[:at] + line[at + 1 + dice.below(20) :]
        elif kind == 2:
            line = line[:at] + dice.pick(ODD) + line[at:]
        elif kind == 3:
            line = line[:at] + line[at // 2 :]
        else:
            line = line[:at]
    return line
