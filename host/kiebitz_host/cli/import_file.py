"""Take a CSV file over in two steps: show what it has, then store it if the person agrees."""

import sys
from typing import TYPE_CHECKING

from ..outcome import BAD_USAGE, OK, Trouble
from ..printable import say

if TYPE_CHECKING:
    from ..exchange.csv_table import BadRow, CsvTable  # only a command that imports needs it

BAD_SHOWN = 20  # bad rows that are named one by one


def add_import_options(parser) -> None:
    """Add the options of every command that imports a CSV file."""
    parser.add_argument("--skip-bad", action="store_true", help="leave out wrong rows, instead of taking nothing")
    parser.add_argument("--dry-run", action="store_true", help="show what the file has, and take nothing")
    parser.add_argument("--yes", action="store_true", help="take it without asking")


def show_columns(name: str, table: "CsvTable") -> None:
    """Print how the columns of a file are understood."""
    columns = ", ".join(f"{head} = {key}" if head.casefold() != key else head for key, head in table.columns.items())
    say(f"{name} ({table.encoding}): columns {columns}.")
    if table.ignored:
        say(f"Not used: {', '.join(table.ignored)}.")


def complain(name: str, bad: "list[BadRow]") -> None:
    """Print the wrong rows with their lines, on standard error."""
    sys.stdout.flush()
    for row in bad[:BAD_SHOWN]:
        say(f"{name}, {row.sentence()}", sys.stderr)
    if len(bad) > BAD_SHOWN:
        say(f"{name}: wrong rows that are not shown: {len(bad) - BAD_SHOWN:,}.", sys.stderr)


def refused(args, bad: "list[BadRow]") -> bool:
    """Return True if nothing may be taken because of wrong rows; say so."""
    if not bad or args.skip_bad:
        return False
    rows = "row is" if len(bad) == 1 else "rows are"
    say(f"{len(bad):,} {rows} wrong: nothing was taken. Correct the file, or add --skip-bad.", sys.stderr)
    return True


def accepted(args, what: str) -> bool:
    """Return True if the person agrees to take it; without a terminal only --yes does."""
    if args.dry_run:
        say("Nothing was taken: this was a trial.")
        return False
    if args.yes:
        return True
    if sys.stdin is None or not sys.stdin.isatty():
        raise Trouble("nothing was taken, because nobody can be asked here: look at it, then add --yes.")
    sys.stdout.write(f"Take {what}? [y/N] ")
    sys.stdout.flush()
    if sys.stdin.readline().strip().casefold() in ("y", "yes", "j", "ja", "o", "oui", "s", "si", "sì"):
        return True
    say("Nothing was taken.")
    return False


def code_of(bad: "list[BadRow]") -> int:
    """Return the exit code: 2 if rows were left out."""
    return BAD_USAGE if bad else OK
