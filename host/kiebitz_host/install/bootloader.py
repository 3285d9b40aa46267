"""Make a Pico enter its bootloader, and wait for the first screen after a restart."""

import time
from collections.abc import Callable
from typing import Any

from ..link.client import Client
from ..link.ports import Port, open_port
from ..link.trouble import DeviceRefused, LinkLost, LinkTrouble, NoAnswer, Nonsense, NotAKiebitz, OtherProtocol
from .device import Device
from .prompt_session import Session
from .trouble import DoesNotStart


def open_client(path: str) -> Client:
    """Open the link to this port. Returns a client, without checking that a Kiebitz answers."""
    return Client(open_port(Port(path, "Pico")))


def enter_bootloader(
    path: str,
    connect: Callable[[str], Client] = open_client,
    session: Callable[[str], Any] = Session,
) -> tuple[str | None, str]:
    """Make the Pico on this port a drive.

    Returns (version of the Kiebitz that ran on it or None, its board or an empty string).

    A Kiebitz that does not support the request, or does not answer, is stopped and sent to its bootloader from the
    prompt, like any MicroPython.
    """
    ran = _ask(path, connect)
    if ran and ran[2]:
        return ran[:2]
    with session(path) as prompt:
        facts = Device(prompt).facts()
        prompt.enter_bootloader()
    return ran[:2] if ran else (facts.kiebitz, "")


def _ask(path: str, connect: Callable[[str], Client]) -> tuple[str, str, bool] | None:
    """Send the request over the link. Returns (version, board, True if accepted); None if no Kiebitz answers."""
    with connect(path) as client:
        try:
            hello = client.hello()
        except (NotAKiebitz, OtherProtocol, Nonsense):
            return None
        ran = hello["version"], hello.get("board", "")
        try:
            client.update()
        except LinkLost:
            pass  # the Pico disconnected before its answer arrived
        except (DeviceRefused, NoAnswer):
            return *ran, False
        return *ran, True


START_S = 60.0
RESET_S = 5.0  # until then the prompt may be left over from before the restart
LOOK_S = 0.2


def wait_for_first_screen(
    path: Callable[[], str],
    connect: Callable[[str], Client] = open_client,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], object] = time.sleep,
) -> str:
    """Wait until the app answers, which it does once its first screen is drawn. Returns its version.

    path() returns the current port of the Pico.
    """
    begun = clock()
    while True:
        try:
            with connect(path()) as client:
                return client.hello()["version"]
        except NotAKiebitz as trouble:
            if trouble.prompt and clock() >= begun + RESET_S:
                raise DoesNotStart(path(), "it has stopped at the MicroPython prompt") from None
            last: LinkTrouble = trouble
        except LinkTrouble as trouble:  # the Pico is not back yet, or the system is still enumerating it
            last = trouble
        if clock() >= begun + START_S:
            reason = "it does not answer" if isinstance(last, NotAKiebitz) else str(last).rstrip(".")
            raise DoesNotStart(path(), reason) from None
        sleep(LOOK_S)
