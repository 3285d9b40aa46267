"""Turns pixels that are lit or dark into pixels with colours: machine code on a Pico, plain Python everywhere else."""

from ..machine_code import micropython, ptr8, ptr16


@micropython.viper
def fill(strip: ptr16, i: int, colour: int):
    """Gives so many pixels, a multiple of eight, the same colour."""
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
    """Gives a colour to the pixels that are lit, or with `flip` dark, in the rows of a page that are in `mask`.

    The page begins at `at` and has n columns; the strip has its rows, one after the other. `i` and `bits` are
    variables, not values: machine code keeps the first three in registers.
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
