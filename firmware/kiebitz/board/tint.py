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
    strip: ptr16, i: int, bits: int,
    n: int, buf: ptr8, top: int, flip: int, colour: int, x: int, tints: ptr8, k: int, last: int, colours: ptr16,
):  # fmt: skip
    """Colour the pixels of a page that are lit (with `flip`: dark), from the column x on; then the coloured rectangles.

    The page begins at the row `top` and has n columns; the strip holds its rows one after the other. The rectangles
    from k to `last` in `tints` have their own colour. A column is coloured once if the rectangles cover the height of
    the page and come from left to right, as cards do; others are coloured over what is there.

    `i` and `bits` are variables, not arguments: machine code keeps the first three parameters in registers.
    """
    at = (top >> 3) * n
    while x < n or k < last:
        while k < last and (tints[k + 1] >= top + 8 or tints[k + 3] <= top):
            k += 5
        left = x
        end = n
        mask = 0xFF
        now = colour
        if k < last:
            if tints[k + 1] > top:
                mask = 0xFF << (tints[k + 1] - top)
            if tints[k + 3] < top + 8:
                mask &= 0xFF >> (top + 8 - tints[k + 3])
            mask &= 0xFF
            if x >= n or (mask == 0xFF and tints[k] == x):
                left = tints[k]
                end = tints[k + 2]
                now = colours[tints[k + 4]]
                k += 5
            else:
                if mask == 0xFF and tints[k] > x:
                    end = tints[k]
                mask = 0xFF
        if x < end:
            x = end
        while left < end:
            bits = (buf[at + left] ^ flip) & mask
            i = left
            while bits:
                if bits & 1:
                    strip[i] = now
                i += n
                bits >>= 1
            left += 1
