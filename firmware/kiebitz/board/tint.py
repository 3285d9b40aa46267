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
    buf: ptr8, at: int, flip: int, mask: int,
):  # fmt: skip
    """Colour the pixels of a page that are lit (with `flip`: dark), in the rows that are in `mask`.

    The page begins at `at` and has n columns; the strip holds its rows one after the other. `i` and `bits` are
    variables, not arguments: machine code keeps the first three parameters in registers.
    """
    x = 0
    while x < n:
        bits = (buf[at + x] ^ flip) & mask
        i = x
        while bits:
            if bits & 1:
                strip[i] = colour
            i += n
            bits >>= 1
        x += 1
