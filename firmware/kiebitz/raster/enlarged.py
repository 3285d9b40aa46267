"""Draw characters of a font at twice their size, for numbers that are read from across the table."""


def enlarge(paint, pages, start, width, x, y, on):
    """Draw `width` columns of a font from the offset `start` on, with a square of two by two for each pixel.

    paint(x, y, width, height, on) fills a rectangle.
    """
    rows = 8 * len(pages)
    for column in range(start, start + width):
        row = 0
        while row < rows:
            first = row
            while row < rows and pages[row >> 3][column] >> (row & 7) & 1:
                row += 1
            if row > first:
                paint(x, y + 2 * first, 2, 2 * (row - first), on)
            row += 1
        x += 2
