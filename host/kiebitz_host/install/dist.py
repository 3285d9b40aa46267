"""Packs the firmware for people without a checkout: an archive with compiled modules, checksums and instructions."""

import zipfile
from pathlib import Path

from kiebitz import VERSION
from kiebitz.board.profiles import DEFAULT, PROFILES

from ..firmware import SOURCE, compiled_firmware
from .device import FOLDER, MANIFEST
from .installer import digest, manifest
from .package import package
from .trouble import DOWNLOAD, MICROPYTHON

FOLDER_NAME = f"kiebitz-{VERSION}"
ARCHIVE = f"{FOLDER_NAME}-pico.zip"
SUMS = "SHA256SUMS"
_DATE = (2026, 1, 1, 0, 0, 0)  # of every file in it: the same firmware makes the same archive, byte by byte

INSTRUCTIONS = f"""\
Kiebitz {VERSION} for the Raspberry Pi Pico, compiled for MicroPython {MICROPYTHON}.

1. MicroPython, once: hold the BOOTSEL button of the Pico down while you plug it in, and copy the UF2 file of version
   {MICROPYTHON} from {DOWNLOAD} to the drive RPI-RP2. The Pico starts again by itself.
2. mpremote, once: pip install mpremote
3. In this folder, with the Pico plugged in:

     sha256sum --check {SUMS}
     mpremote mip install --target / package.json
     mpremote reset

   The display shows the first screen. Games, players and settings on the device stay as they are.

If an older version is on it, remove that first; games, players and settings are not in this folder:

     mpremote fs rm -r :{FOLDER}

Say in a file board.txt which board it is: {", ".join(PROFILES)}.
For example echo {DEFAULT} > board.txt, and mpremote fs cp board.txt :board.txt

If the cable was pulled in between, do step 3 again. `kiebitz install` of the project does all of this in one command,
and never leaves the device without a firmware that works.
"""


def release_files() -> dict[str, bytes]:
    """What is in the archive, by path."""
    firmware = compiled_firmware()
    firmware[MANIFEST] = manifest(firmware)
    files = {**firmware, "package.json": package(firmware).encode(), "INSTALL.txt": INSTRUCTIONS.encode()}
    licence = SOURCE.parent / "LICENSE"
    files[licence.name] = licence.read_bytes()
    return {**files, SUMS: manifest(files)}


def make(folder: Path) -> Path:
    """Write the archive and its checksum into the folder; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / ARCHIVE
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(release_files().items()):
            entry = zipfile.ZipInfo(f"{FOLDER_NAME}/{name}", _DATE)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    (folder / SUMS).write_text(f"{digest(path.read_bytes())}  {path.name}\n")
    return path


if __name__ == "__main__":
    print(f"wrote {make(SOURCE.parent / 'build' / 'dist')}")
