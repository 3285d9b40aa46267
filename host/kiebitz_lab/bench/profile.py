"""Show where the emulated Pico spends its time, as a tree of the firmware's functions.

python -m kiebitz_lab.bench.profile                          from power-on to the first picture
python -m kiebitz_lab.bench.profile "top_spot assisted"      the same with a game of 400 events to resume
python -m kiebitz_lab.bench.profile poch undo                a key pressed on that table
"""

import bisect
import struct
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise

from ..chip.flash import flash_with
from ..chip.probes import in_use
from ..chip.rig import Rig
from ..image.build import Program, current_image, elf_of
from .device import REST_MS, TAP_MS, long_games

SAMPLE_MS = 0.02
LEAST_MS = 0.5  # shorter calls are not shown
_KEY_MS = 150  # profiled after a key is pressed
_RAM, _RAM_END = 0x20000000, 0x20042000
_FUNCTION = 12  # offset of the bytecode in a function object
_FROZEN = "fun_data_"  # what mpy-tool.py writes before the name of a frozen function

Stack = tuple[str, ...]


class Profiler:
    """A sampling profiler that counts the call stacks of a rig."""

    def __init__(self, rig: Rig):
        self._rig = rig
        program = Program(elf_of(current_image()).read_bytes())
        self._symbols = sorted(program.symbols, key=lambda symbol: symbol.start)
        self._starts = [symbol.start for symbol in self._symbols]
        self._function_type = next(symbol.start for symbol in self._symbols if symbol.name == "mp_type_fun_bc")
        self.samples: Counter[Stack] = Counter()

    def run(self, until: Callable[[], object]) -> None:
        """Run until the condition holds, and sample all the time."""
        core = self._rig.pico.mcu.core
        while not until():
            self._rig.run_ms(SAMPLE_MS)
            leaf = "(sleep)" if core.waiting else self._name(core.registers[15])
            self.samples[(*reversed(list(self._frames())), leaf)] += 1

    def _name(self, address: int) -> str:
        """Return the name of the symbol that an address is in; without one, a part of the address."""
        k = bisect.bisect(self._starts, address) - 1
        found = k >= 0 and address < self._starts[k] + self._symbols[k].size
        return self._symbols[k].name if found else f"{address >> 16:#x}...."

    def _frames(self) -> Iterator[str]:
        """Yield the names of the running functions of the firmware, the innermost first.

        The interpreter keeps the state of each on the stack, or in the heap with a pointer on the stack. It begins with
        the function object and an address in the bytecode of that function.
        """
        mcu = self._rig.pico.mcu
        stack = mcu.core.registers[13]
        ram = bytes(mcu.sram)
        last = None
        for here in pairwise(struct.unpack_from(f"<{(_RAM_END - stack) // 4}I", ram, stack - _RAM)):
            for state in (here, (_word(ram, here[0]), _word(ram, here[0] + 4))):
                name = self._running(ram, *state)
                if name and state != last:
                    last = state
                    yield name.removeprefix(_FROZEN)

    def _running(self, ram: bytes, function: int, code: int) -> str:
        """Return the name of a function if these two words are the beginning of its state, else an empty string."""
        if _word(ram, function) != self._function_type:
            return ""
        name = self._name(_word(ram, function + _FUNCTION))
        return name if self._name(code) == name else ""


def _word(ram: bytes, address: int) -> int:
    return struct.unpack_from("<I", ram, address - _RAM)[0] if _RAM <= address < _RAM_END - 3 else 0


def show(samples: Counter[Stack]) -> None:
    """Print the tree of calls with their times, then the functions in C in which most of the time passed."""
    _show_level(samples, 0)
    leaves: Counter[str] = Counter()
    for stack, n in samples.items():
        leaves[stack[-1]] += n
    print("\nfunctions in C:")
    for name, n in leaves.most_common(20):
        print(f"{n * SAMPLE_MS:8.2f} ms  {name}")


def _show_level(samples: Counter[Stack], depth: int) -> None:
    called: dict[str, Counter[Stack]] = {}
    for stack, n in samples.items():
        if len(stack) > depth:
            called.setdefault(stack[depth], Counter())[stack] = n
    for name, inside in sorted(called.items(), key=lambda item: -item[1].total()):
        if inside.total() * SAMPLE_MS >= LEAST_MS:
            print(f"{inside.total() * SAMPLE_MS:8.2f} ms  {'  ' * depth}{name}")
            _show_level(inside, depth + 1)


def profile(game: str = "", key: str = "") -> Counter[Stack]:
    """Sample a start, or a key pressed on the table of a game. Returns the samples."""
    flash = flash_with(current_image(), in_use())
    rig = Rig(long_games(flash)[game] if game else flash)
    profiler = Profiler(rig)
    if key:
        rig.boot(20_000).run_ms(REST_MS).press(key)
        rig.pico.at(TAP_MS, lambda: rig.release(key))
        end = rig.ms + _KEY_MS
        profiler.run(lambda: rig.ms >= end)
    else:
        profiler.run(lambda: rig.oled.lit)
    return profiler.samples


if __name__ == "__main__":
    show(profile(*sys.argv[1:]))
