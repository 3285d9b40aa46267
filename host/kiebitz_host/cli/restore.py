"""Run `kiebitz restore`: return deleted games to every list and table."""

from ..library.removals import restore
from .delete import add_arguments, mark


def add(subparsers):
    parser = subparsers.add_parser(
        "restore",
        description="Restore deleted games; `kiebitz games --deleted` lists them.",
    )
    add_arguments(parser)
    return parser


def run(args):
    return mark(args, restore, "restored")
