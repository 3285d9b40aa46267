"""The last step of an install: a program that puts the new files in their places, on the Pico.

Once it is on the Pico as finish.py the install is bound to succeed: whoever comes first runs it, the installer or
main.py at power-on. It can be cut off at any moment and be run again; what is done is passed over.
"""

from collections.abc import Iterable

FINISH = "finish.py"
STAGE = "kiebitz.new"  # the folder with the new files

_PROGRAM = """\
import os

def step(action, *paths):
    try:
        action(*paths)
    except OSError as trouble:
        if trouble.args[0] not in (2, 17, 39):  # gone, there, or of use to somebody else
            raise

for path in FOLDERS:
    step(os.mkdir, path)
for name, path in MOVES:
    step(os.rename, "STAGE/" + name, path)
for path in REMOVED:
    step(os.remove, path)
for path in EMPTIED:
    step(os.rmdir, path)
os.remove("FINISH")
"""


def finishing_program(
    folders: Iterable[str], moves: Iterable[tuple[str, str]], removed: Iterable[str], emptied: Iterable[str]
) -> bytes:
    """`moves`: names in STAGE and where they belong, the file that matters most last."""
    program = _PROGRAM.replace("STAGE", STAGE).replace("FINISH", FINISH)
    for name, paths in (("FOLDERS", folders), ("MOVES", moves), ("REMOVED", removed), ("EMPTIED", emptied)):
        program = program.replace(name, repr(tuple(paths)))
    return program.encode()
