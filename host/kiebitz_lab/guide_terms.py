"""Compare the translated guides for players with the English ones, and update the names of the device's texts in them.

`docs/LANG/playing.md` and `docs/LANG/games/` have the structure of their English pages: headings, list items, table
rows and pictures. What is emphasised in both and is a text of the device has its words (`make shots` updates them).
"""

import re
from pathlib import Path

from kiebitz.text import LANGUAGES
from kiebitz_host.languages import device_texts

from .frozen_tree import ROOT

DOCS = ROOT / "docs"
TRANSLATIONS = LANGUAGES[1:]
_TERM = re.compile(r"(\*\*?)(?=\S)(.+?)(?<=\S)\1", re.DOTALL)
# The kinds of lines that a page and its translations have in common
_KINDS = (
    ("heading", re.compile(r"^#+ ")),
    ("list item", re.compile(r"^ *(?:- |\d+\. )")),
    ("table row", re.compile(r"^ *\|")),
    ("picture", re.compile(r"!\[")),
)


def english_pages() -> list[Path]:
    """Return the pages for players, below the folder of the docs."""
    return [Path("playing.md"), *sorted(path.relative_to(DOCS) for path in (DOCS / "games").glob("*.md"))]


def structure(text: str) -> dict[str, list[int]]:
    """Return the number of list items, table rows and pictures below each heading, by kind."""
    found: dict[str, list[int]] = {kind: [0] for kind, _ in _KINDS}
    for line in text.splitlines():
        if _KINDS[0][1].match(line):
            for counts in found.values():
                counts.append(0)
        for kind, pattern in _KINDS:
            found[kind][-1] += len(pattern.findall(line))
    return found


def terms(text: str) -> list[str]:
    """Return what is emphasised in a page, in order."""
    return [" ".join(words.split()) for _, words in _TERM.findall(text)]


def updated(english: str, translated: str, lang: str) -> str:
    """Return the translated page with the device's current words for each text of the device in the English page."""
    keys: dict[str, list[str]] = {}
    for key, sentence in device_texts(LANGUAGES[0]).items():
        keys.setdefault(sentence, []).append(key)
    own = device_texts(lang)
    wanted = [[own[key] for key in keys.get(term, [])] for term in terms(english)]
    if len(wanted) != len(terms(translated)):
        raise ValueError(f"{len(terms(translated))} emphasised words instead of {len(wanted)}: {terms(english)}")
    texts = iter(wanted)

    def replaced(match: re.Match) -> str:
        allowed, words = next(texts), " ".join(match[2].split())
        if not allowed or words.casefold() in [sentence.casefold() for sentence in allowed]:
            return match[0]
        new = allowed[0][0].upper() + allowed[0][1:] if words[0].isupper() else allowed[0]
        return f"{match[1]}{new}{match[1]}"

    return _TERM.sub(replaced, translated)


def update() -> None:
    """Write the translated pages with the device's current words."""
    for page in english_pages():
        for lang in TRANSLATIONS:
            path = DOCS / lang / page
            path.write_text(updated((DOCS / page).read_text("utf-8"), path.read_text("utf-8"), lang), "utf-8")
