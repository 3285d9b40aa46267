"""Hold everything that runs on the device: Kiebitz, the score keeper for card games."""

VERSION = "0.2.0"
