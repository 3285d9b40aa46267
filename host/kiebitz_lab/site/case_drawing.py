"""Draws the printed case from above, as the lid of the page: the measures are those of the printer, but for the window.

A page is read from further away than a device in the hand, so the display is drawn larger than it is.
"""

from kiebitz_lab.hardware.case import Measures

LIT_WIDTH = 46.0  # mm, of the display in the drawing
LIT_MIDDLE = 26.0  # mm, from the upper edge of the case
BEZEL = 2.2
TOUCH = 1.25  # mm around a cap that belong to its key
SHAPES = {
    4: '<circle r="2.05" fill="none" stroke="#fff" stroke-width="1.1"/>',
    5: '<path d="M-0.2 1.75a1.75 1.75 0 1 0 -1.55 -0.95" fill="none" stroke="#fff" stroke-width="1"/>'
    '<path d="M-3 -0.6h3l-1.9 2.5z" fill="#fff" transform="rotate(8)"/>',
}
TURNS = (0, 180, -90, 90)  # of the arrow on UP, DOWN, LEFT, RIGHT


class CaseDrawing:
    """The case seen from above: `width` and `height` in mm, the places of display and keys in percent."""

    def __init__(self) -> None:
        measures = Measures()
        shell = 2 * (measures.wall + measures.board_play)
        self.width: float = measures.board[0] + shell
        self.height: float = measures.board[1] + shell
        self._corner: float = measures.corner
        self._caps: list[float] = measures.cap_size
        self._keys = [(self.width / 2 + x, self.height / 2 - y) for x, y in measures.key_middles()]

    def display(self) -> dict[str, float]:
        """Return where the lit pixels are, in percent of the case."""
        return self._percent(self.width / 2, LIT_MIDDLE, LIT_WIDTH, LIT_WIDTH / 2)

    def keys(self) -> list[dict[str, float]]:
        """Return where the keys are, in percent of the case, in the order of the firmware."""
        sizes = [cap + 2 * TOUCH for cap in self._caps]
        return [self._percent(x, y, size, size) for (x, y), size in zip(self._keys, sizes, strict=True)]

    def _percent(self, x: float, y: float, width: float, height: float) -> dict[str, float]:
        across, down = 100 / self.width, 100 / self.height
        return {
            "left": round((x - width / 2) * across, 3),
            "top": round((y - height / 2) * down, 3),
            "width": round(width * across, 3),
            "height": round(height * down, 3),
        }

    def svg(self) -> str:
        """Return the drawing; each cap is a group with its number, so that a style can press it."""
        w, h, corner = self.width, self.height, self._corner
        left, top = w / 2 - LIT_WIDTH / 2 - BEZEL, LIT_MIDDLE - LIT_WIDTH / 4 - BEZEL
        wide, high = LIT_WIDTH + 2 * BEZEL, LIT_WIDTH / 2 + 2 * BEZEL
        parts = [
            f'<svg viewBox="0 0 {w:g} {h:g}" aria-hidden="true" focusable="false">',
            '<defs><linearGradient id="lid" x1="0" y1="0" x2="0.35" y2="1"><stop offset="0" stop-color="#f6f3ea"/>'
            '<stop offset="1" stop-color="#dfdbcd"/></linearGradient></defs>',
            f'<rect x="0.2" y="0.2" width="{w - 0.4:g}" height="{h - 0.4:g}" rx="{corner + 1:g}" fill="#b9b4a5"/>',
            f'<rect x="0.9" y="0.6" width="{w - 1.8:g}" height="{h - 2:g}" rx="{corner + 0.6:g}" fill="url(#lid)"/>',
            f'<rect x="{left - 0.9:g}" y="{top - 0.9:g}" width="{wide + 1.8:g}" height="{high + 1.8:g}" rx="2.4" '
            'fill="#cbc6b7"/>',
            f'<rect x="{left:g}" y="{top:g}" width="{wide:g}" height="{high:g}" rx="1.2" fill="#0a0c10"/>',
        ]
        for key, ((x, y), size) in enumerate(zip(self._keys, self._caps, strict=True)):
            parts.append(self._cap(key, x, y, size))
        return "".join([*parts, "</svg>"])

    @staticmethod
    def _cap(key: int, x: float, y: float, size: float) -> str:
        """Return a cap with the sign that the finger feels."""
        upper, side = ("#c8592e", "#8d3a1a") if key == 4 else ("#4b5260", "#2c313b")
        half = size / 2
        sign = SHAPES.get(key) or f'<path d="M-1.9 1.2h3.8l-1.9 -3z" fill="#fff" transform="rotate({TURNS[key]})"/>'
        return (
            f'<g transform="translate({x:.2f} {y:.2f})"><rect x="{-half - 0.3:g}" y="{-half - 0.3:g}" '
            f'width="{size + 0.6:g}" height="{size + 0.9:g}" rx="2.2" fill="{side}"/><g class="cap" data-cap="{key}">'
            f'<rect x="{-half:g}" y="{-half - 0.4:g}" width="{size:g}" height="{size:g}" rx="2" fill="{upper}"/>'
            f'<g transform="translate(0 -0.4)">{sign}</g></g></g>'
        )
