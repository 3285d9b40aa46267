"""Build the one file that is copied onto a Pico: MicroPython with all of Kiebitz frozen into it."""
