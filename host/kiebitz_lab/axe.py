"""Checks a page in a browser for barriers with axe-core."""

from typing import Any

from . import npm

# WCAG 2.2 A and AA, and what axe-core calls best practice
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def barriers(page: Any) -> list[str]:
    """Return every barrier that axe-core finds on an open page, with the elements that have it."""
    page.evaluate(npm.axe().read_text("utf-8"))
    found = page.evaluate("tags => axe.run({runOnly: tags})", TAGS)
    return [
        f"{broken['id']}: {broken['help']}: " + "; ".join(node["html"][:160] for node in broken["nodes"][:3])
        for broken in found["violations"]
    ]
