"""The inner loop of a line of large letters: machine code on a Pico, plain Python everywhere else."""

from ..machine_code import micropython, ptr8, ptr16


@micropython.viper
def typeset(
    at: int, source: int, end: int,
    buf: ptr8, start: int, above: ptr8, below: ptr8, shift: int, mask: int, flip: int,
    cells: ptr16, count: int, skip: int, room: int,
):  # fmt: skip
    """Replace the rows in `mask` of a page of the display, from the offset `start` on, by those of two pages of a font.

    The page `below` is moved down by `shift` rows; the page `above` fills the rows that become free. Each character
    has three numbers in `cells`: the offset of its columns in the font, how many there are, and how many it takes
    with the dark ones behind. Columns up to `skip` and from `room` on are left out.

    The first three parameters are variables, not arguments: machine code keeps them in registers.
    """
    keep = mask ^ 0xFF
    dark = flip & mask
    back = 8 - shift
    column = 0
    i = 0
    while i < count:
        source = cells[i]
        end = source + cells[i + 1]
        at = column
        column += cells[i + 2]
        i += 3
        if at < skip:
            source += skip - at
            at = skip
        if at + end - source > room:
            end = room - at + source
        at += start
        while source < end:
            buf[at] = (buf[at] & keep) | (((below[source] << shift | above[source] >> back) ^ flip) & mask)
            source += 1
            at += 1
        end = start + (column if column < room else room)
        while at < end:
            buf[at] = (buf[at] & keep) | dark
            at += 1
