"""Kiebitz, the score keeper for card games: everything that runs on the device."""

VERSION = "0.2.0"
