"""Print for people: in colour on a terminal, as plain text into a pipe."""

from rich import box
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from .printable import printable, printable_lines

# One colour for each seat; the words contain everything, the colour only helps the eye
_SEAT_STYLES = ("cyan", "yellow", "magenta", "green", "bright_blue", "bright_red", "bright_cyan", "bright_yellow")


class Terminal(Console):
    """A console that prints sanitized plain text: no markup in names, no emoji, no guessed highlights.

    Colours and movements of the cursor are control segments or styles of rich, never characters of a text.
    """

    def __init__(self):
        super().__init__(markup=False, emoji=False, highlight=False)

    def render(self, renderable, options=None):
        """Yield the segments of what is printed, with clean text."""
        for segment in super().render(renderable, options):
            text = segment.text if segment.control else printable_lines(segment.text)
            yield segment if text == segment.text else Segment(text, segment.style)

    def on_broken_pipe(self):
        raise BrokenPipeError  # cli/ ends all commands alike


def table(*headers, numbers=(), wrap=()):
    """Return a table with underlined headers; `numbers` are aligned right, only columns in `wrap` break or shrink."""
    result = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for header in headers:
        result.add_column(header, justify="right" if header in numbers else "left", no_wrap=header not in wrap)
    return result


def shown(name):
    """Return a name without characters that would disturb a line of text."""
    return printable(name)


def seat_style(p):
    return _SEAT_STYLES[p % len(_SEAT_STYLES)]


def seat_text(p, names):
    """Return the name of a seat in its colour; a name that does not fit into its column is cut."""
    return Text(shown(names[p]), style=seat_style(p), overflow="ellipsis", no_wrap=True)


def short_names(names, width):
    """Return the names cut to a width, and still all different."""
    cut = [_cut(shown(name), width) for name in names]
    return [
        label if cut.count(label) == 1 else f"{_cut(shown(names[p]), width - 1)}{p + 1}" for p, label in enumerate(cut)
    ]


def _cut(name, width):
    return name if cell_len(name) <= width else set_cell_size(name, width - 1).rstrip() + "…"
