"""Draw a link as a QR code in the terminal, or as a picture if it is too large for the terminal."""

import segno
from kiebitz.text import text
from rich.text import Text

from ..html import Node, el
from ..outcome import Trouble
from ..terminal import Terminal

BORDER = 4  # light modules required around the code
# (upper module dark, lower module dark) -> the character that shows both
_HALVES = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
_STYLE = "#000000 on #ffffff"


def code_of(address: str) -> segno.QRCode:
    try:
        return segno.make_qr(address, error="l", boost_error=False)
    except segno.DataOverflowError:
        raise Trouble("this play is too long for a QR code; use the link itself.") from None


def qr_picture(address: str) -> Node:
    """Return the QR code of a URL or other text as a picture for a page, always dark on light."""
    rows = [list(row) for row in code_of(address).matrix_iter(border=BORDER)]
    path = "".join([f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark])
    size = len(rows)
    return el("svg", el("rect", width=size, height=size, fill="#ffffff"), el("path", d=path, fill="#000000"),
              viewBox=f"0 0 {size} {size}", role="img", aria_label=text("web.share.code"), class_="qr")  # fmt: skip


def lines_of(address: str) -> list[str]:
    """Return the code in half blocks, two rows of modules in a line, with its light border."""
    rows = [list(row) for row in code_of(address).matrix_iter(border=BORDER)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return ["".join(_HALVES[bool(a), bool(b)] for a, b in zip(*pair, strict=True)) for pair in pairs]


def print_code(address: str, advice: bool = True) -> None:
    """Draw the code, always dark on light.

    In a narrow window, or without colours, draw nothing; with `advice`, recommend a picture instead.
    """
    terminal = Terminal()
    lines = lines_of(address)
    if terminal.width < len(lines[0]):
        if advice:
            terminal.print(text("export.wide", n=len(lines[0]), width=terminal.width))
        return
    if terminal.color_system is None:
        if advice:
            terminal.print(text("export.no_colours"))
        return
    for line in lines:
        terminal.print(Text(line, style=_STYLE), no_wrap=True, crop=False)


def write_code(address: str, name: str) -> None:
    """Write the code as a picture; the suffix of the name selects the format."""
    if not name.lower().endswith((".svg", ".png")):
        raise Trouble("a QR code is written as .svg or .png.")
    try:
        code_of(address).save(name, scale=4, border=BORDER)
    except OSError as trouble:
        raise Trouble(f"cannot write {name}: {trouble.strerror}.") from None
