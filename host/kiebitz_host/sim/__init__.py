"""Simulate a Pico that runs the real firmware."""
