"""Send invalid lines to an emulated Pico with a game in play: python -m kiebitz_lab.torture.link_lines.

Every request with every limit of every argument, requests in pieces that never end, floods of keys, damaged lines, and
bytes at random. The device must not restart, an unforeseen error must not be hidden in its crash file, all memory must
come back, and the game must go on: keys are taken, and a sync brings all.
"""

import json
import random

from kiebitz.link import EARLIEST, LATEST
from kiebitz.link.wire import REQUEST, frame
from kiebitz_host.link.client import Client

from ..chip.flash import changed, flash_with
from ..chip.probes import ChipCable, ReferenceDevice, branch, heap, in_use
from ..chip.rig import Rig
from ..dice import Dice, fuzzed
from ..image.build import current_image
from .campaign import Campaign, command_line

LINES = 1_000
BATCH = 100  # lines to one copy of the device
FORGOTTEN_MS = 12_500  # after which the device has freed all memory of unfinished requests
LEAK_BYTES = 2048
_LIMITS: tuple = (
    None, True, False, -1, 0, 1, 2, 63, 64, 255, 256, 4095, 4096, 2**30 - 1, 2**30, 2**31 - 1, 2**31, 2**32, 2**53,
    2**63, -(2**31), -(2**63), 1.5, -0.0, 1e308, EARLIEST, EARLIEST - 1, LATEST, LATEST + 1, "", "x", "0", "all",
    "../x", "a" * 300, "\u00e4\u20ac\U0001f600", "\x00", [], [None], [[]], [1, 2], ["a"] * 40, {}, {"a": {}}, {"": ""},
)  # fmt: skip
# Each request with its arguments; `update` restarts the device. Only LEFT, an entry, and UNDO are really pressed.
_ARGUMENTS = {
    "who": (), "clock": ("now",), "games": (), "game": ("id",), "read": ("games",),
    "confirm": ("games", "index", "mark"), "roster": (), "names": ("at", "names", "more"), "settings": (),
    "presets": (), "seats": ("table", "setup", "gone"), "preset": ("game", "title", "options", "step", "gone"),
    "set": ("name", "value"), "screen": (),
    "key": ("key", "hold"), "follow": ("on",), "nonsense": ("a",),
}  # fmt: skip
_SENSIBLE = {
    "now": 1_800_000_000, "games": {}, "index": 100, "mark": "00000000", "at": 0, "names": ["Anna"], "more": True,
    "game": "any_game", "title": "Skyjo", "options": {"wins": "low"}, "step": 5, "gone": False,
    "table": 3, "setup": {"game": "top_spot", "players": ["Anna", "Ben"]},
    "name": "sound", "value": True, "key": "nothing", "hold": False, "on": True, "a": 1,
}  # fmt: skip


def _piece(chance: random.Random) -> bytes:
    """Return a piece of a roster, a preset or a key press, as large as a request may be."""
    word = chance.choice(("names", "names", "preset", "key"))
    value: dict = {"key": chance.choice(("LEFT", "UNDO", "UNDO"))}
    if word == "names":
        names: list = chance.choice(([[]] * 300, [[[]] * 9] * 30, [{}] * 250, ["\U0001f600" * 24] * 3, ["n" * 24] * 30))
        start = chance.choice((0, 0, 3, 10, 30, 40))
        value = {"at": start, "names": names[: chance.choice((1, 10, 40, 400))], "more": chance.random() < 0.95}
    elif word == "preset":
        options: dict = {"wins": chance.choice(("low", [[]] * 300, {"a": [{}] * 150}, "x" * 500))}
        value = {"game": "any_game", "title": "t" * chance.choice((1, 24, 300)), "options": options}
    return frame(REQUEST, chance.randrange(10**9), word, json.dumps(value, separators=(",", ":"), ensure_ascii=False))


def line(chance: random.Random, game_ids: list[str]) -> bytes:
    """Return an invalid line: a piece, a request with a limit of an argument, or a damaged request."""
    if chance.random() < 0.4:
        return _piece(chance).replace(b"\x03", b"")
    word = chance.choice(list(_ARGUMENTS))
    value: dict = {}
    for name in _ARGUMENTS[word]:
        kind = chance.random()
        if kind < 0.5:
            value[name] = chance.choice(_LIMITS)
        elif kind < 0.9:
            value[name] = {**_SENSIBLE, "id": chance.choice(game_ids)}[name]
    if word == "read" and chance.random() < 0.7:
        value["games"] = [chance.choice(game_ids), chance.choice(_LIMITS)] * chance.choice((1, 2, 9))
    if word == "confirm" and chance.random() < 0.5:
        value["games"] = {chance.choice(game_ids): chance.choice(_LIMITS)}
    data = frame(REQUEST, chance.choice((0, 1, 5, 999_999_999)), word, json.dumps(value))
    if chance.random() < 0.3:
        data = fuzzed(Dice(chance.randrange(2**31)), data[:-1]) + b"\n"
    return data.replace(b"\x03", b"")  # Ctrl-C stops every program


class Table:
    """An emulated Pico with a few games, one of them on its table."""

    def __init__(self) -> None:
        reference = ReferenceDevice()
        for _ in range(2):
            reference.sit_down({"game": "top_spot", "players": ["Anna", "Ben", "Cleo"], "match_length": 9})
            reference.keys("left up right")
        self.ids = reference.app.library.ids()
        self.rig = Rig(changed(flash_with(current_image(), in_use()), reference.files())).boot(20_000)
        client = Client(ChipCable(self.rig), seed=76)  # loads what requests need
        client.hello()
        client.write_roster(["Anna"])
        client.write_preset({"game": "any_game", "title": "Skyjo", "options": {}})
        _send(self.rig, [line(random.Random(k), self.ids) for k in range(50)])
        self.free = branch(self.rig, lambda rig: heap(rig.run_ms(FORGOTTEN_MS)).free)

    def batch(self, lines: list[bytes]) -> str:
        """Send lines to a copy of the device. Returns the fault found, or an empty string."""
        return branch(self.rig, lambda rig: _hold(rig, lines, self.ids, self.free))


def _send(rig: Rig, lines: list[bytes]) -> ChipCable:
    cable = ChipCable(rig)
    for sent in lines:
        rig.serial.send(sent)
        rig.pico.run_until(lambda: not rig.serial.unread, 3_000, 2)
        rig.serial.receive()
    rig.run_ms(600)
    rig.serial.receive()
    return cable


def _hold(rig: Rig, lines: list[bytes], ids: list[str], free: int) -> str:
    cable = _send(rig, lines)
    if rig.pico.resets:
        return "the device restarted"
    crash = rig.files("data").get("data/crash.txt", b"")
    if crash:
        return "crash file: " + crash.decode(errors="replace").replace("\n", " | ")
    client = Client(cable, seed=77)
    if client.hello()["product"] != "kiebitz":
        return "the device does not answer"
    before = client.follow()
    if before["id"] not in ids:
        return f"the game has left the table: {before}"
    rig.press("left")
    rig.run_ms(60)
    rig.release("left")
    rig.run_ms(400)
    after = client.follow()
    if after["lines"] != before["lines"] + 1:
        return f"a key was not taken: {before} {after}"
    lost = free - heap(rig.run_ms(FORGOTTEN_MS)).free
    return "" if lost <= LEAK_BYTES else f"{lost} bytes of memory did not come back"


def play(campaign: Campaign, first: int, count: int) -> None:
    """Send this many lines, in batches."""
    table = Table()

    def batch(campaign: Campaign, chance: random.Random) -> None:
        lines = [line(chance, table.ids) for _ in range(min(BATCH, count))]
        campaign.figures["lines"] += len(lines)
        wrong = table.batch(lines)
        if wrong:
            campaign.fail(wrong)

    campaign.run(batch, first, -(-count // BATCH))


def main(argv: list[str] | None = None) -> int:
    """Run the campaign. Returns the exit code."""
    return command_line("kiebitz_lab.torture.link_lines", __doc__ or "", LINES, play, argv)


if __name__ == "__main__":
    raise SystemExit(main())
