"""Plays a story on a connected device, compares it with the simulator, and writes one file that a builder can send."""
