"""The text files of the device as the laptop reads them: whole, and with every mistake in them found."""

from pathlib import Path

from kiebitz.ui.texts.phrases import path_of


def read(lang: str) -> dict[str, str]:
    """All sentences of a language by their keys; ValueError names a line that is none, or a key that comes twice."""
    path = Path(path_of(lang))
    texts: dict[str, str] = {}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        key, equals, sentence = line.partition(" = ")
        if not equals or not sentence.strip() or not key.strip():
            raise ValueError(f"{path.name}, line {number}: not `key = sentence`")
        if key in texts:
            raise ValueError(f"{path.name}, line {number}: {key} comes twice")
        texts[key] = sentence
    return texts
