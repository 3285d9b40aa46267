"""What happens at power-on: the board is built, and the app runs on it."""

import gc

# So many bytes are allocated before the next collection. Left alone, MicroPython collects when the heap is full: by
# then what is kept lies scattered among garbage all over it, and of 100 KB that are free no two hang together.
COLLECT_EVERY = 64_000


def power_on():
    if hasattr(gc, "threshold"):  # of MicroPython
        gc.threshold(COLLECT_EVERY)
    from .board import this_board
    from .ui.app import App

    App(this_board()).run()
