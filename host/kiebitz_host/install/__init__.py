"""Puts the firmware on a Pico, and looks after one that has it."""
