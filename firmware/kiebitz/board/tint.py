"""Turns pixels that are lit or dark into pixels with colours: machine code on a Pico, plain Python everywhere else."""

from ..machine_code import micropython, ptr8, ptr16


@micropython.viper
def fill(strip: ptr16, i: int, colour: int):
    """Give the first i pixels of a strip the same colour; i is a multiple of eight."""
    while i > 0:
        i -= 8
        strip[i] = colour
        strip[i + 1] = colour
        strip[i + 2] = colour
        strip[i + 3] = colour
        strip[i + 4] = colour
        strip[i + 5] = colour
        strip[i + 6] = colour
        strip[i + 7] = colour


@micropython.viper
def ink(
    strip: ptr16, i: int, bits: int, colour: int, n: int,
    buf: ptr8, at: int, flip: int,
):  # fmt: skip
    """Colour the pixels of a page that are lit (with `flip`: dark).

    The page begins at `at` and has n columns; the strip holds its rows one after the other. `i` and `bits` are
    variables, not arguments: machine code keeps the first three parameters in registers.
    """
    x = 0
    while x < n:
        bits = buf[at + x] ^ flip
        i = x
        while bits:
            if bits & 1:
                strip[i] = colour
            i += n
            bits >>= 1
        x += 1


@micropython.viper
def base(k: int, found: int, top: int, n: int, tints: ptr8, count: int) -> int:
    """Return the end of the last coloured rectangle that covers a whole page of n columns; 0 if none does.

    `k` and `found` are variables, not arguments: machine code keeps the first three parameters in registers.
    """
    while k < 5 * count:
        if tints[k] == 0 and tints[k + 2] == n and tints[k + 1] <= top and tints[k + 3] >= top + 8:
            found = k + 5
        k += 5
    return found


@micropython.viper
def dye(
    strip: ptr16, i: int, bits: int,
    n: int, buf: ptr8, top: int, tints: ptr8, k: int, count: int, colours: ptr16,
):  # fmt: skip
    """Colour what is lit in the coloured rectangles of a page, from the offset k of the rectangles on.

    The page begins at the row `top` and has n columns. `i` and `bits` are variables, not arguments: machine code keeps
    the first three parameters in registers.
    """
    at = (top >> 3) * n
    while k < 5 * count:
        first = tints[k + 1] - top
        last = tints[k + 3] - top
        if first < 8 and last > 0:
            mask = 0xFF
            if first > 0:
                mask = (0xFF << first) & 0xFF
            if last < 8:
                mask &= (1 << last) - 1
            colour = colours[tints[k + 4]]
            x = tints[k]
            end = tints[k + 2]
            while x < end:
                bits = buf[at + x] & mask
                i = x
                while bits:
                    if bits & 1:
                        strip[i] = colour
                    i += n
                    bits >>= 1
                x += 1
        k += 5
