"""Simulates a Pico on the laptop, with the real firmware running on it."""
