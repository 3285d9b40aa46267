"""Waits until a Pico that was restarted shows the first screen of its firmware."""

import time
from collections.abc import Callable

from ..link.client import Client
from ..link.ports import Port, open_port
from ..link.trouble import LinkTrouble, NotAKiebitz
from .boards import port_of
from .trouble import DoesNotStart

START_S = 60.0
LOOK_S = 0.2


def wait_for_first_screen(
    path: str,
    number: str | None = None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], object] = time.sleep,
) -> str:
    """The version of the firmware that answers; it does not before it has drawn its first screen.

    The Pico may come back on another port: it is known by its serial number, if it has one.
    """
    end = clock() + START_S
    while True:
        try:
            return _version(port_of(number) or path)
        except NotAKiebitz as trouble:
            if trouble.prompt:
                raise DoesNotStart(path, "it has stopped at the MicroPython prompt") from None
            last: LinkTrouble = trouble
        except LinkTrouble as trouble:  # it is not back yet, or the system is still looking at it
            last = trouble
        if clock() >= end:
            reason = "it does not answer" if isinstance(last, NotAKiebitz) else str(last).rstrip(".")
            raise DoesNotStart(path, reason) from None
        sleep(LOOK_S)


def _version(path: str) -> str:
    with Client(open_port(Port(path, "Pico"))) as client:
        return client.hello()["version"]
