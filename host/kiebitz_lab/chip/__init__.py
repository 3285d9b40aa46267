"""Emulate a Pico: real MicroPython on an emulated RP2040 with the reference hardware on its pins."""

from importlib.util import find_spec

from kiebitz_host.outcome import Trouble

_PACKAGES = ("rp2040py", "littlefs")


def require(command: str) -> None:
    """Raise Trouble if a package is missing that an installation without extras does not have."""
    if not all(find_spec(name) for name in _PACKAGES):
        raise Trouble(f"kiebitz {command} needs more packages: pip install 'kiebitz[chip]'.")
