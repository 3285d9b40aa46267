"""Brings a Pico into its boot loader, in which it is a drive: by a request over the link, or from its prompt."""

from collections.abc import Callable
from typing import Any

from ..link.client import Client
from ..link.ports import Port, open_port
from ..link.trouble import DeviceRefused, LinkLost, NoAnswer, Nonsense, NotAKiebitz, OtherProtocol
from .device import Device
from .prompt_session import Session


def open_client(path: str) -> Client:
    """Open the link to this port. Returns a client, whatever is on the port."""
    return Client(open_port(Port(path, "Pico")))


def enter_bootloader(
    path: str,
    connect: Callable[[str], Client] = open_client,
    session: Callable[[str], Any] = Session,
) -> str | None:
    """Make the Pico on this port a drive. Returns the version of the Kiebitz that ran on it; None if none did.

    A Kiebitz that does not know the request, or does not answer, is stopped and sent to its boot loader from the
    prompt, like any MicroPython.
    """
    version = _ask(path, connect)
    if version and version[1]:
        return version[0]
    with session(path) as prompt:
        facts = Device(prompt).facts()
        prompt.enter_bootloader()
    return version[0] if version else facts.kiebitz


def _ask(path: str, connect: Callable[[str], Client]) -> tuple[str, bool] | None:
    """Ask over the link. Returns (version, True if the Kiebitz accepts the request); None if no Kiebitz answers."""
    with connect(path) as client:
        try:
            version = client.hello()["version"]
        except (NotAKiebitz, OtherProtocol, Nonsense):
            return None
        try:
            client.update()
        except LinkLost:
            pass  # the Pico left before its answer arrived
        except (DeviceRefused, NoAnswer):
            return version, False
        return version, True
