"""Runs the command `kiebitz`: finds the subcommand, imports only its module, and turns trouble into exit codes."""

import argparse
import os
import sys
from importlib import import_module
from types import ModuleType

from kiebitz import VERSION
from kiebitz.games import GAMES

from ..languages import ENGLISH, read
from ..outcome import BAD_USAGE, BROKEN_PIPE, INTERRUPTED, Trouble

# Each command has a module of its name here, with add(subparsers) and run(args) -> exit code
COMMANDS = (
    "sim",
    "sync",
    "live",
    "install",
    "doctor",
    "replay",
    "combos",
    "rules",
    "texts",
    "add",
    "games",
    "show",
    "players",
    "league",
    "fix",
    "delete",
    "restore",
    "rebuild",
    "rescue",
    "export",
)

DEVELOPERS = ("texts",)  # their modules are in the laboratory, which is not installed with the rest

EXAMPLES = """\
examples:
  kiebitz sim                          play on the device in this terminal
  kiebitz sync                         fetch the games of every Kiebitz on USB
  kiebitz live                         the running game of a Kiebitz on USB, as it happens
  kiebitz install                      put the firmware on the Pico on USB
  kiebitz doctor                       what is on it, and whether it is well
  kiebitz rescue flash.bin             take over the games in an image of its flash
  kiebitz replay game.jsonl            the score sheet of a recorded game
  kiebitz replay - --json < game.jsonl the same for programs
  kiebitz combos "TH JH QH KH *"       which Royal Flush boards these cards satisfy
  kiebitz rules poch --lang de         players, house rules and tables of a game, in German
  kiebitz texts de --shots screens     what the German texts lack, and how they look
  kiebitz games --player Anna          the games Anna took part in
  kiebitz league poch                  table, head to head and Elo

exit codes:
  0 all well, 2 bad usage or a file that cannot be used, 3 refused by the rules
"""


def parser_for(argv: list[str]) -> argparse.ArgumentParser:
    """Return the parser, with the chosen subcommand only, or with all of them if none is chosen."""
    english = read(ENGLISH)
    *games, last = [english[f"game.{kind}"] for kind in GAMES]
    parser = argparse.ArgumentParser(
        prog="kiebitz",
        description=f"Keep the score of {', '.join(games)} and {last}.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"kiebitz {VERSION}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND")
    chosen = next((word for word in argv if not word.startswith("-")), None)
    modules = [chosen] if chosen in COMMANDS else COMMANDS
    for name in modules:
        module = _module(name)
        if module:
            module.add(subparsers).set_defaults(run=module.run)
        elif chosen:
            raise Trouble(f"kiebitz {name} works in a checkout of the project only.")
    return parser


def _module(name: str) -> ModuleType | None:
    """Import the module of a command. Returns it, or None for a developer's command without the laboratory."""
    if name not in DEVELOPERS:
        return import_module(f"kiebitz_host.cli.{name}")
    try:
        return import_module(f"kiebitz_lab.{name}")
    except ModuleNotFoundError as missing:
        if missing.name != "kiebitz_lab":
            raise
        return None


def main(argv: list[str] | None = None) -> int:
    """Run the command line. Returns its exit code."""
    argv = sys.argv[1:] if argv is None else argv
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a name still shows the sheet
    try:
        parser = parser_for(argv)
        args = parser.parse_args(argv)
        if not hasattr(args, "run"):
            parser.print_help()
            return BAD_USAGE
        code = args.run(args)
        sys.stdout.flush()
        return code
    except Trouble as trouble:
        print(f"kiebitz: {trouble}", file=sys.stderr)
        return BAD_USAGE
    except SystemExit as leave:  # argparse after --help or a wrong argument
        return int(leave.code or 0)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader, say `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
