"""Puts the firmware on a Pico, and examines a Pico that has it."""
