"""The simulator: the real firmware on a Pico without a Pico."""
