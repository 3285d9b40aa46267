"""`kiebitz texts`: lists what is still to do for a language, and draws its screens."""

import tempfile
from pathlib import Path

from kiebitz.text import LANGUAGES
from kiebitz_host.languages import ENGLISH, file_of, read
from kiebitz_host.outcome import BAD_USAGE, OK, Trouble

from . import gallery
from .text_check import mistakes, sayable, too_long

_SAME_MAX = 10  # keys that are listed as being as in English


def add(subparsers):
    parser = subparsers.add_parser(
        "texts",
        description="List what is missing, left over, wrong or too long in the texts of a language. "
        "docs/translating.md tells how to add one.",
    )
    parser.add_argument("lang", metavar="LANG", help=f"a language: {', '.join(LANGUAGES)}, or a new one")
    parser.add_argument("--shots", metavar="DIR", help="draw every screen into this folder")
    return parser


def run(args):
    try:
        texts = _texts(args.lang)
        found = list(mistakes(args.lang))
    except ValueError as trouble:  # a line that is not `key = sentence`
        raise Trouble(str(trouble)) from None
    with sayable(args.lang):
        found += too_long(args.lang, play)
    for line in found:
        print(line)
    if args.lang != ENGLISH:
        same = [key for key, sentence in read(ENGLISH).items() if texts.get(key) == sentence]
        more = f" and {len(same) - _SAME_MAX} more" if len(same) > _SAME_MAX else ""
        print(f"{len(same)} of {len(texts)} are as in English: {', '.join(same[:_SAME_MAX])}{more}")
    print(f"{len(found)} to mend." if found else "Nothing to mend.")
    if args.shots:
        try:
            with sayable(args.lang):
                count = gallery.draw(args.lang, Path(args.shots))
        except OSError as trouble:
            raise Trouble(f"cannot write {trouble.filename}: {trouble.strerror}.") from None
        print(f"{count} screens in {args.shots}, all of them on {Path(args.shots) / 'all.png'}")
    return BAD_USAGE if found else OK


def _texts(lang):
    if not file_of(lang).is_file():
        raise Trouble(f"there is no {file_of(lang)}: begin with a copy of {ENGLISH}.txt.")
    return read(lang)


def play(lang, scene, look):
    """Play a scene on a flash of its own."""
    with tempfile.TemporaryDirectory() as flash:
        gallery.play(gallery.Flash(flash), lang, scene, look)
