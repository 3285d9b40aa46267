"""Puts the firmware on a Pico, looks after one that has it, and packs it for others."""
