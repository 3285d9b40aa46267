"""Keeps the heap of MicroPython in order: when it is collected, and that finding room in it takes no time."""

import gc
import sys

_ON_MICROPYTHON = hasattr(gc, "threshold")

# So many bytes are allocated before the next collection, and every call of a larger function counts. Left alone,
# MicroPython collects when the heap is full: by then what is kept lies scattered among garbage all over it. With
# 200 000 a walk through all screens ended without a piece of 1280 bytes in 100 KB; with 64 000 there is one of 27 KB.
_COLLECT_EVERY = 64_000
_WHILE_STARTING = 140_000  # there, modules are loaded into a heap that was collected shortly before

_BLOCK = 16  # bytes: the unit in which the heap is given away
_RUN = bytes(256)
_AT_THE_END = _BLOCK * (len(_RUN) + 8)  # a run that is no longer lies in one piece, behind all that is kept


def start():
    """To be called before the modules of the app are loaded."""
    if _ON_MICROPYTHON:
        gc.threshold(_WHILE_STARTING)


def tidy():
    """Collect, and fill the gaps between what is kept with garbage; takes 30 ms, so nobody should be waiting.

    MicroPython looks for room from the first gap of one block on, so that a string or the variables of a call would
    cost a walk over the whole heap, 0.3 ms each. Behind the filled gaps it finds room at once. The next collection
    empties them again.
    """
    if not _ON_MICROPYTHON:
        return
    gc.collect()
    most = gc.mem_free() // (2 * len(_RUN) * _BLOCK)  # runs: not more than half of what is free
    for n in range(most):
        before = id((n,))
        all(enumerate(_RUN))  # a block each
        gc.threshold(_COLLECT_EVERY + (n + 1) * len(_RUN) * _BLOCK)  # garbage of this kind does not count
        if 0 < id((n,)) - before <= _AT_THE_END:
            return


def unload(package, kept):
    """Forget the modules of a package, but for those in this set of names: they are loaded again when needed.

    To be called when nothing of them is in use. The screens and rules of all games together would leave too little
    for a game; elsewhere than on MicroPython there is room for them.
    """
    if not _ON_MICROPYTHON:
        return
    gone = [name for name in sys.modules if name.startswith(package + ".") and name not in kept]
    for name in gone:
        parent, _, module = name.rpartition(".")
        del sys.modules[name]
        if hasattr(sys.modules.get(parent), module):
            delattr(sys.modules[parent], module)
    if gone:
        gc.collect()


def free() -> int:
    """Bytes that are free after a collection; 0 where nobody counts them."""
    gc.collect()
    return gc.mem_free() if _ON_MICROPYTHON else 0
