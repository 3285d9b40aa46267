"""Reads the sentences of the pages: a text file for each language of the device, in the form of the device's files."""

from pathlib import Path

from kiebitz.text import LANGUAGES

FOLDER = Path(__file__).parent / "languages"

__all__ = ["LANGUAGES", "own_name", "sentences"]


def sentences(lang: str) -> dict[str, str]:
    """Return the sentences of a language by their keys; ValueError for a line that is not `key = sentence`."""
    found: dict[str, str] = {}
    for number, line in enumerate((FOLDER / f"{lang}.txt").read_text("utf-8").splitlines(), 1):
        if line.startswith("#") or not line:
            continue
        key, equals, sentence = line.partition(" = ")
        if not equals or not sentence.strip() or key in found:
            raise ValueError(f"{lang}.txt, line {number}: not `key = sentence`, or a key that comes twice")
        found[key] = sentence
    return found


def own_name(lang: str) -> str:
    """Return what a language calls itself."""
    return (FOLDER / f"{lang}.txt").read_text("utf-8").partition("\n")[0].lstrip("# ")
