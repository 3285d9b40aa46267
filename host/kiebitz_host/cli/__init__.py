"""Run the command `kiebitz`: import only the module of the subcommand, and turn errors into exit codes."""

import argparse
import errno
import os
import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TextIO

from kiebitz import VERSION
from kiebitz.games import GAMES

from ..languages import ENGLISH, read
from ..outcome import BAD_USAGE, BROKEN_PIPE, INTERRUPTED, NO_HOME, Trouble
from ..printable import say

# Each command has a module of its name here, with add(subparsers) and run(args) -> exit code. Its line of help is
# here, because the help of all commands must not import all of them
COMMANDS = {
    "sim": "play on the device in this terminal",
    "sync": "fetch the games of every Kiebitz on USB",
    "live": "show the running game of a Kiebitz on USB as it happens",
    "web": "show the table, all games and the league in a browser",
    "install": "put the firmware on a Pico",
    "doctor": "examine a Pico and its games",
    "replay": "print the state of a recorded game",
    "combos": "list the Royal Flush boards that cards satisfy",
    "rules": "show players, house rules and tables of a game",
    "texts": "check the texts of a language and draw its screens",
    "add": "add recorded games to the store",
    "import": "take results of old seasons from a CSV file",
    "games": "list the games in the store",
    "show": "show a game as on paper, with its entry log",
    "players": "list players and members, join two spellings, rename, import, export, send names to a Kiebitz",
    "presets": "list, add and remove titles with their settings, send them to a Kiebitz",
    "league": "show tables, head to head and Elo",
    "evening": "keep a club's evening: draw the tables, standings, money",
    "fix": "correct an entry of a finished game",
    "delete": "remove games from the lists",
    "restore": "restore deleted games",
    "rebuild": "rebuild all results from the journals",
    "exchange": "exchange games with a folder or a club's database",
    "rescue": "recover the games in an image of a Pico's flash",
    "export": "write CSV, JSON, pages, or plays for Board Game Stats",
}

DEVELOPERS = ("texts",)  # their modules are in the laboratory, which is not installed with the rest
LABORATORY = "kiebitz_lab"

_NO_HOME = "Could not determine home directory."  # the message of Python's RuntimeError
_SHOWN_MAX = 40  # characters of an argument in a message

EXAMPLES = """\
examples:
  kiebitz sim                          play on the device in this terminal
  kiebitz sync                         fetch the games of every Kiebitz on USB
  kiebitz live                         the running game of a Kiebitz on USB, as it happens
  kiebitz web                          the same in the browser, with all games and the league
  kiebitz install                      put the firmware on the Pico on USB
  kiebitz doctor                       examine it and its games
  kiebitz doctor --report              play a scenario on it, and write a file to send back
  kiebitz rescue flash.bin             recover the games in an image of its flash
  kiebitz replay game.jsonl            the score sheet of a recorded game
  kiebitz replay - --json < game.jsonl the same for programs
  kiebitz combos "TH JH QH KH *"       which Royal Flush boards these cards satisfy
  kiebitz rules poch --lang de         players, house rules and tables of a game, in German
  kiebitz texts de --shots screens     what the German texts lack, and how they look
  kiebitz games --player Anna          the games Anna took part in
  kiebitz presets add Skyjo --low --target 100
                                       a title with its settings; kiebitz presets send
  kiebitz league poch                  table, head to head and Elo
  kiebitz evening draw --by lot        the tables of a club's evening
  kiebitz exchange /media/stick/club   share games with other laptops

exit codes:
  0 all well, 2 bad usage or a file that cannot be used, 3 refused by the rules
"""


def parser_for(argv: list[str]) -> argparse.ArgumentParser:
    """Return the parser, with the chosen command only, or with a line of help for each if none is chosen."""
    parser = argparse.ArgumentParser(
        prog="kiebitz", epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=f"kiebitz {VERSION}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND")
    if argv[:1] and argv[0] in COMMANDS:
        module = _module(argv[0])
        module.add(subparsers).set_defaults(run=module.run)
        return parser
    english = read(ENGLISH)
    *games, last = [english[f"game.{kind}"] for kind in GAMES]
    parser.description = f"Keep the score of {', '.join(games)} and {last}."
    for name, line in COMMANDS.items():
        if name not in DEVELOPERS or find_spec(LABORATORY):
            subparsers.add_parser(name, help=line)
    return parser


def _module(name: str) -> ModuleType:
    """Import the module of a command. Returns it; raises Trouble for a developer's command without the laboratory."""
    if name not in DEVELOPERS:
        return import_module(f"kiebitz_host.cli.{name}")
    if find_spec(LABORATORY) is None:
        raise Trouble(f"kiebitz {name} works in a checkout of the project only.")
    return import_module(f"{LABORATORY}.{name}")


def main(argv: list[str] | None = None) -> int:
    """Run the command line. Returns its exit code.

    Handle errors that any command may raise: closed or full streams, undecodable arguments, a missing home folder, and
    corruption in the database.
    """
    _prepare_streams()
    try:
        code = _run(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as `head`, has exited
        code = BROKEN_PIPE
    except OSError as trouble:
        code = _tell(f"{_place(trouble)}: {trouble.strerror or trouble}.")
    for stream in (sys.stdout, sys.stderr):
        _flush_or_drop(stream)
    return code


def _run(argv: list[str]) -> int:
    """Run a command. Returns its exit code; prints a Trouble as one sentence on standard error."""
    args = argparse.Namespace()
    try:
        parser = parser_for(argv)
        parser.parse_args(argv, args)
        if not hasattr(args, "run"):
            parser.print_help()
            return BAD_USAGE
        return args.run(args)
    except Trouble as trouble:
        return _tell(str(trouble))
    except SystemExit as leave:  # from argparse, after --help or a wrong argument
        return int(leave.code or 0)
    except KeyboardInterrupt:
        return INTERRUPTED
    except UnicodeEncodeError as error:
        return _tell(f"{ascii(error.object[:_SHOWN_MAX])} is not UTF-8: only the name of a file may be so.")
    except Exception as error:
        # main() handles OSError; a timestamp in the database that no calendar can represent is handled here
        is_system = isinstance(error, OSError) and error.errno != errno.EOVERFLOW
        sentence = None if is_system else _explain(error, args)
        if sentence is None:
            raise
        return _tell(sentence)


def _prepare_streams() -> None:
    """Replace closed streams by the null device, and unencodable characters by "?" on the others."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - for the whole run
        if hasattr(getattr(sys, name), "reconfigure"):
            getattr(sys, name).reconfigure(errors="replace")


def _tell(sentence: str) -> int:
    """Print an error. Returns its exit code."""
    _flush_or_drop(sys.stdout)
    try:
        say(f"kiebitz: {sentence}", sys.stderr)
    except OSError:
        _flush_or_drop(sys.stderr)
    return BAD_USAGE


def _flush_or_drop(stream: TextIO) -> None:
    """Flush a stream, or discard its data, because Python would end with a traceback otherwise."""
    try:
        stream.flush()
    except OSError:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), stream.fileno())
        stream.flush()


def _place(trouble: OSError) -> str:
    """Return where an OSError has happened, as the beginning of a sentence."""
    if trouble.filename is not None:
        return f"cannot use {os.fsdecode(trouble.filename)}"
    return "the working folder is gone" if trouble.errno == errno.ENOENT else "the output cannot be written"


def _explain(error: Exception, args: argparse.Namespace) -> str | None:
    """Return a sentence for an error that no command expects; None if it is a bug."""
    if str(error) == _NO_HOME:
        return NO_HOME
    if not hasattr(args, "db"):
        return None
    from ..library.location import db_path
    from ..library.repair import damage_of  # only after an error, because these imports would slow down every start

    damage = damage_of(db_path(args))
    return None if damage is None else str(damage)
