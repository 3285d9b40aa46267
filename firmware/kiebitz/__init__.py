"""Run Kiebitz, the score keeper for card games, on the device."""

VERSION = "0.2.0"
