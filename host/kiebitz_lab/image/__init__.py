"""Builds the one file that is dragged onto a Pico: MicroPython and all of Kiebitz, frozen into it."""
