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
    """Access the files of a folder with the interface of the device's storage; every write is synced to disk."""

    def write(self, name: str, data: bytes) -> None:
        """Replace the content of a file, and sync it to disk."""
        path = Path(self.root, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def rename(self, old: str, new: str) -> None:
        """Rename a file, atomically replacing any file of the new name."""
        os.replace(Path(self.root, old), Path(self.root, new))

    def __init__(self, root: Path):
        self.root = str(root)  # created by the first write
        self._prefix = f"{self.root}{os.sep}"


def laptop_presets(args) -> Presets:
    """Open the presets beside a command's database and return them; report corruption on standard error.

    Raises Trouble if they were written by a newer Kiebitz.
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
