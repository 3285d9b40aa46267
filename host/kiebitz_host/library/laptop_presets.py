"""Store the presets of this laptop in a file beside the results, in the format of a device."""

import os
from pathlib import Path

from kiebitz.board.storage import Storage
from kiebitz.store.presets import Presets
from kiebitz.store.safe_file import DAMAGED, NEWER

from ..outcome import Trouble
from ..printable import complain
from .location import db_path, default_path


class Folder(Storage):
    """The files of a folder of the laptop, stored before a method returns; a rename replaces on every system."""

    def write(self, name: str, data: bytes) -> None:
        """Replace the content of a file, and wait until the disk has it."""
        path = Path(self.root, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def rename(self, old: str, new: str) -> None:
        """Give a file another name; a file that had this name is replaced, in one step."""
        os.replace(Path(self.root, old), Path(self.root, new))

    def __init__(self, root: Path):
        self.root = str(root)  # the folder is made when something is written
        self._prefix = f"{self.root}{os.sep}"


def laptop_presets(args) -> Presets:
    """Open the presets beside the database of a command and return them; damage is printed on the error output.

    Raises Trouble if a newer Kiebitz has written them.
    """
    place = db_path(args)
    folder = (default_path() if isinstance(place, str) else place).parent  # a club's database has no folder
    presets = Presets(Folder(folder))
    if presets.report == NEWER:
        raise Trouble(f"{folder / 'presets'} was written by a newer Kiebitz: update Kiebitz. Nothing was changed.")
    if presets.report:
        state = "empty now" if presets.report == DAMAGED else "the previous one now"
        complain(f"the list of presets in {folder} was damaged: it is {state}. The damaged file is kept beside it.")
    return presets
