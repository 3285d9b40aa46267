"""Print for people: in colour on a terminal, as plain text into a pipe."""

from rich import box
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from .printable import printable, printable_lines

# One colour for each seat; no information is in the colour alone
_SEAT_STYLES = ("cyan", "yellow", "magenta", "green", "bright_blue", "bright_red", "bright_cyan", "bright_yellow")


class Terminal(Console):
    """A console that prints sanitized plain text, without markup in names, emoji codes and automatic highlighting.

    Colours and cursor movements are control segments or styles of rich, never characters of a text.
    """

    def __init__(self):
        super().__init__(markup=False, emoji=False, highlight=False)

    def render(self, renderable, options=None):
        """Yield the rendered segments with sanitized text."""
        for segment in super().render(renderable, options):
            text = segment.text if segment.control else printable_lines(segment.text)
            yield segment if text == segment.text else Segment(text, segment.style)

    def on_broken_pipe(self):
        raise BrokenPipeError  # handled for all commands in cli/


def table(*headers, numbers=(), wrap=()):
    """Return a table with underlined headers; `numbers` are right-aligned, only columns in `wrap` wrap or shrink."""
    result = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for header in headers:
        result.add_column(header, justify="right" if header in numbers else "left", no_wrap=header not in wrap)
    return result


def shown(name):
    """Return a sanitized name."""
    return printable(name)


def seat_style(p):
    return _SEAT_STYLES[p % len(_SEAT_STYLES)]


def seat_text(p, names):
    """Return the name of a seat in its colour; truncate a name that does not fit into its column."""
    return Text(shown(names[p]), style=seat_style(p), overflow="ellipsis", no_wrap=True)


def short_names(names, width):
    """Return the names truncated to a width, but still unique."""
    cut = [_cut(shown(name), width) for name in names]
    return [
        label if cut.count(label) == 1 else f"{_cut(shown(names[p]), width - 1)}{p + 1}" for p, label in enumerate(cut)
    ]


def _cut(name, width):
    return name if cell_len(name) <= width else set_cell_size(name, width - 1).rstrip() + "…"
