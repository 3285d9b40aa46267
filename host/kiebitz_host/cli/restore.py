"""`kiebitz restore`: brings deleted games back into every list and table."""

from .delete import add_arguments, mark


def add(subparsers):
    parser = subparsers.add_parser(
        "restore",
        description="Bring deleted games back; `kiebitz games --deleted` lists them.",
    )
    add_arguments(parser)
    return parser


def run(args):
    from ..results.removals import restore

    return mark(args, restore, "restored")
