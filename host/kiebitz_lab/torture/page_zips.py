"""Load changed ZIP files into the device page: each must start a device, or be refused with the old games intact.

A trial changes a saved flash in one or two ways: its files, their names and folders, or the bytes of the ZIP.
"""

import random
import struct
import sys
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path

from kiebitz.store.sealed_lines import seal
from playwright.sync_api import Browser, Page, expect, sync_playwright

from kiebitz_lab.chip.probes import ReferenceDevice
from kiebitz_lab.pages import launch
from kiebitz_lab.samples import SAMPLES
from kiebitz_lab.site.build import build, sentences, served

from .campaign import Campaign, command_line

Files = list[tuple[str, bytes]]
Attack = Callable[[Browser, str, Campaign, int, int], None]
_PATIENCE_MS = 60_000
_NAMES = ("x", "index", "settings", "running", "..", ".", "", "a b", "ä", "x" * 64, "x" * 65, "x" * 5000, "-", "\n")
_VALUES = (b"", b"\n", b"null\n", b"[]\n", b"{}\n", b'{"game":1}\n', b"1e999\n", b"\xff" * 100, b"x" * 5000)


def saved_flash() -> Files:
    """Return the files of a device with a finished game and one in play, as the page saves them."""
    setup, keys = SAMPLES["top_spot"]
    device = ReferenceDevice(language="en").sit_down(setup).keys(keys)
    device.app.leave_table()
    device.sit_down(SAMPLES["royal_flush"][0], [{"ev": "spend", "p": 0, "k": 2}])
    files = {name: data for name, data in device.files().items() if name.startswith("data/")}
    return [(".kiebitz-id", bytes(range(8))), ("data/", b""), *sorted(files.items())]


def packed(files: Files) -> bytes:
    """Return a ZIP without compression, as the page makes it; names may come twice."""
    parts, central, at = [], [], 0
    for name, data in files:
        raw = name.encode("utf-8", "surrogatepass")[:0xFFFF]
        same = struct.pack("<HHIIIIH", 0x800, 0, 0x210000, zlib.crc32(data), len(data), len(data), len(raw))
        local = struct.pack("<IH", 0x04034B50, 20) + same + struct.pack("<H", 0) + raw + data
        central.append(struct.pack("<IHH", 0x02014B50, 20, 20) + same + struct.pack("<HHHHII", 0, 0, 0, 0, 0, at) + raw)
        parts.append(local)
        at += len(local)
    listed = b"".join(central)
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, len(files), len(files), len(listed), at, 0)
    return b"".join([*parts, listed, end])


# --- changes ---


def _content(files: Files, chance: random.Random) -> Files:
    """Change the bytes of one file."""
    k = chance.randrange(2, len(files))
    name, data = files[k]
    cut = chance.randrange(len(data) + 1)
    changed = chance.choice(
        [data[:cut], data[cut:], data + data, data[:cut] + bytes([chance.randrange(256)]) + data[cut + 1 :]]
        + list(_VALUES)
    )
    return [*files[:k], (name, changed), *files[k + 1 :]]


def _resealed(files: Files, chance: random.Random) -> Files:
    """Change a value in a file whose lines have checksums, and make the checksum right again."""
    k = chance.randrange(2, len(files))
    name, data = files[k]
    lines = data.split(b"\n")
    n = chance.randrange(len(lines))
    words = lines[n].rpartition(b" ")[0].decode("utf-8", "replace")
    changed = chance.choice([words[:-1], words + "x", "null", "[]", "{}", "0", "true"])
    lines[n] = seal(changed, Path(name).stem).rstrip(b"\n")
    return [*files[:k], (name, b"\n".join(lines)), *files[k + 1 :]]


def _missing(files: Files, chance: random.Random) -> Files:
    """Leave a file or folder out."""
    k = chance.randrange(len(files))
    return files[:k] + files[k + 1 :]


def _swapped(files: Files, chance: random.Random) -> Files:
    """Exchange the contents of two files."""
    a, b = (chance.randrange(2, len(files)) for _ in range(2))
    found = list(files)
    found[a], found[b] = (files[a][0], files[b][1]), (files[b][0], files[a][1])
    return found


def _twice(files: Files, chance: random.Random) -> Files:
    """Add a file or folder with a name that is there already."""
    name, data = chance.choice(files)
    return [*files, (name.rstrip("/") + chance.choice(["", "/", "/x", "/x/"]), chance.choice([b"", data, b"x"]))]


def _renamed(files: Files, chance: random.Random) -> Files:
    """Give a file another name."""
    k = chance.randrange(len(files))
    return [*files[:k], (f"data/{chance.choice(_NAMES)}", files[k][1]), *files[k + 1 :]]


def _deep(files: Files, chance: random.Random) -> Files:
    """Add folders in folders."""
    depth = chance.choice([1, 2, 4, 5, 50, 300])
    return [*files, ("data/" + "/".join(["x"] * depth) + chance.choice(["", "/"]), b"")]


def _many(files: Files, chance: random.Random) -> Files:
    """Add many files, or one that is larger than the flash."""
    if chance.random() < 0.5:
        return [*files, ("data/large", bytes(chance.choice([900_000, 1_100_000, 2_200_000])))]
    return [*files, *[(f"data/n{k}", b"x") for k in range(chance.choice([300, 3000, 5000]))]]


def _elsewhere(files: Files, chance: random.Random) -> Files:
    """Add a file outside the folder of the data."""
    names = ("x", "/data/x", "../x", "data/../x", "lib/x.py", "data\\x", ".kiebitz-id", "data", "DATA/x", "__proto__")
    return [*files, (chance.choice(names), chance.choice(_VALUES))]


CHANGES: tuple[Callable[[Files, random.Random], Files], ...] = (
    _content, _content, _resealed, _resealed, _missing, _swapped, _twice, _renamed, _deep, _many, _elsewhere,
)  # fmt: skip


def _damaged(data: bytes, chance: random.Random) -> bytes:
    """Change some bytes of the ZIP itself, or cut it."""
    if chance.random() < 0.3:
        return data[: chance.randrange(len(data))]
    changed = bytearray(data)
    for _ in range(chance.randrange(1, 4)):
        # Most of the fields that are read are near the end
        changed[-chance.randrange(1, min(len(data), 600)) if chance.random() < 0.7 else chance.randrange(len(data))] = (
            chance.randrange(256)
        )
    return bytes(changed)


def zip_of(chance: random.Random) -> tuple[str, bytes]:
    """Return what was changed in a saved flash, and the ZIP."""
    files, told = saved_flash(), []
    if chance.random() < 0.15:
        return "damaged", _damaged(packed(files), chance)
    for _ in range(chance.choice([1, 1, 2])):
        change = chance.choice(CHANGES)
        files = change(files, chance)
        told.append(change.__name__.strip("_"))
    return "+".join(told), packed(files)


# --- trials ---


class DevicePage:
    """The device page with a game in play that must survive every refused file."""

    def __init__(self, page: Page, address: str):
        self.page = page
        self._texts = sentences("en")
        page.set_default_timeout(_PATIENCE_MS)
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(f"{address}play.html")
        self._wait_for_picture()
        self.good = packed(saved_flash())
        assert self.load(self.good) == "done"
        self._wait_for("Royal Flush", "Round 1")
        self.before = self.words()

    def _wait_for_picture(self) -> None:
        self.page.wait_for_selector("#screen[data-shown]")

    def _wait_for(self, *words: str) -> None:
        self.page.wait_for_function(
            "words => words.some((word) => document.getElementById('says').textContent.includes(word))", arg=list(words)
        )

    def words(self) -> str:
        """Return the words on the display."""
        return self.page.text_content("#says") or ""

    def load(self, data: bytes) -> str:
        """Load a file. Returns what the page says about it: done, unknown, full or error."""
        self.page.evaluate("document.getElementById('message').hidden = true")
        self.page.set_input_files("#file", {"name": "x.zip", "mimeType": "application/zip", "buffer": data})
        message = self.page.locator("#message")
        expect(message).to_be_visible(timeout=_PATIENCE_MS)
        said = message.text_content() or ""
        kinds = [kind for kind in ("done", "unknown", "full") if self._texts[f"files.{kind}"] in said]
        return kinds[0] if kinds else f"error: {said}"

    def starts(self) -> bool:
        """Return True if the device reacts to a key, now and after a reload."""
        for _ in range(2):
            if self.page.is_visible("#message") and self._texts["files.done"] not in (
                self.page.text_content("#message") or ""
            ):
                return False
            shown = self.page.get_attribute("#screen", "data-shown")
            for key in ("ArrowLeft", "ArrowDown", "Enter", "ArrowUp"):
                self.page.keyboard.press(key, delay=60)
            self.page.wait_for_function(
                "before => document.getElementById('screen').dataset.shown !== before", arg=shown
            )
            self.page.reload()
            self._wait_for_picture()
        return not self.page.is_visible("#message")

    def restore(self) -> bool:
        """Load the good file again. Returns True if its game is there."""
        done = self.load(self.good) == "done"
        self._wait_for("Round 1")
        return done and self.words() == self.before

    def is_untouched(self, reload: bool) -> bool:
        """Return True if the old game is on the display, and if asked for, after a reload too."""
        if reload:
            self.page.reload()
            self._wait_for_picture()
            self._wait_for("Round 1")
        return self.words() == self.before


def trial(campaign: Campaign, chance: random.Random, device: DevicePage) -> None:
    """Load one file, and check the device afterwards."""
    kind, data = zip_of(chance)
    said = device.load(data)
    campaign.figures["taken" if said == "done" else "refused"] += 1
    if said == "done":
        if not device.starts():
            campaign.fail(f"{kind}: taken, but the device does not start")
        if not device.restore():
            campaign.fail(f"{kind}: the page takes no good file any more")
    elif said not in ("unknown", "full"):
        campaign.fail(f"{kind}: {said}")
    elif not device.is_untouched(reload=campaign.number % 10 == 0):
        campaign.fail(f"{kind}: refused, but the old game has changed")


def attack(browser: Browser, address: str, campaign: Campaign, first: int, count: int) -> None:
    """Load files into the page of a site that is being served."""
    context = browser.new_context(locale="en-GB", service_workers="block")
    device = DevicePage(context.new_page(), address)
    campaign.run(lambda campaign, chance: trial(campaign, chance, device), first, count)
    context.close()


def on_site(attack: Attack) -> Callable[[Campaign, int, int], None]:
    """Return a function that builds the site and runs an attack on it in a browser."""

    def play(campaign: Campaign, first: int, count: int) -> None:
        with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
            site = build(Path(name) / "site", downloads=False, gallery=False)
            with served(site) as address:
                attack(launch(playwright), address, campaign, first, count)

    return play


if __name__ == "__main__":
    sys.exit(command_line("kiebitz_lab.torture.page_zips", __doc__ or "", 500, on_site(attack)))
