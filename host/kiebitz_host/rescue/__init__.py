"""Recover games from an image of a Pico's flash, even if its file system cannot be mounted."""
