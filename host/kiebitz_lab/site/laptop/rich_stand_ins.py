"""Replace `rich` and the terminal in a page with texts and tables that only hold data."""


class Text:
    """A text with a style; pieces with other styles may follow."""

    def __init__(self, text="", style="", overflow=None, no_wrap=False):
        self.pieces = [(text, style)] if text else []

    def append(self, text, style=""):
        self.pieces.append((text, style))
        return self


class Grid:
    """A table with its column titles, which of them are numeric, and its rows."""

    def __init__(self, headers, numbers):
        self.headers = headers
        self.numbers = numbers
        self.rows = []

    def add_row(self, *cells):
        self.rows.append(cells)


def table(*headers, numbers=(), wrap=()):
    """Return an empty table."""
    return Grid(headers, [header in numbers for header in headers])


def shown(name):
    """Return a name unchanged, because a page escapes every character."""
    return name


def seat_style(p):
    return "seat-%d" % (p % 8)


def seat_text(p, names):
    return Text(names[p], seat_style(p))


def short_names(names, width):
    """Return the names unshortened."""
    return names


def piece(part):
    """Return a text as lists of (text, style), and a string as one of them."""
    return part.pieces if isinstance(part, Text) else [(str(part), "")]


def plain(part):
    """Return a part of a sheet in lists and strings."""
    if isinstance(part, Grid):
        rows = [[piece(cell) for cell in row] for row in part.rows]
        return {"headers": [piece(header) for header in part.headers], "numbers": part.numbers, "rows": rows}
    return {"text": piece(part)}
