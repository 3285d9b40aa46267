"""Printing for people: colour where the terminal has it, plain text where the output is piped."""

from rich import box
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.table import Table
from rich.text import Text

# One colour for each seat; the words say everything, the colour only helps the eye
_SEAT_STYLES = ("cyan", "yellow", "magenta", "green", "bright_blue", "bright_red", "bright_cyan", "bright_yellow")

# Characters that turn the direction of writing would mix up the columns
_BIDI_CONTROLS = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F])


class Terminal(Console):
    """A console that prints what it is given: no markup in names, no smileys, no guessed highlights."""

    def __init__(self):
        super().__init__(markup=False, emoji=False, highlight=False)

    def on_broken_pipe(self):
        raise BrokenPipeError  # the command line ends all commands alike


def table(*headers, numbers=(), wrap=()):
    """A table with a line under its headers; `numbers` stand to the right, only columns in `wrap` break or shrink."""
    result = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for header in headers:
        result.add_column(header, justify="right" if header in numbers else "left", no_wrap=header not in wrap)
    return result


def shown(name):
    """A name as it can stand in a line of text."""
    return name.translate(_BIDI_CONTROLS)


def seat_style(p):
    return _SEAT_STYLES[p % len(_SEAT_STYLES)]


def seat_text(p, names):
    """The name of a seat in its colour; what does not fit into its column is cut."""
    return Text(shown(names[p]), style=seat_style(p), overflow="ellipsis", no_wrap=True)


def short_names(names, width):
    """The names cut to a width, and still all different."""
    cut = [_cut(shown(name), width) for name in names]
    return [
        label if cut.count(label) == 1 else f"{_cut(shown(names[p]), width - 1)}{p + 1}" for p, label in enumerate(cut)
    ]


def _cut(name, width):
    return name if cell_len(name) <= width else set_cell_size(name, width - 1).rstrip() + "…"
