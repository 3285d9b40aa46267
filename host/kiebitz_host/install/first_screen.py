"""Waits until a Pico that was restarted shows the first screen of its firmware."""

import time
from collections.abc import Callable

from ..link.client import Client
from ..link.trouble import LinkTrouble, NotAKiebitz
from .bootloader import open_client
from .trouble import DoesNotStart

START_S = 60.0
RESET_S = 5.0  # until then, a prompt may be that of before the restart
LOOK_S = 0.2


def wait_for_first_screen(
    path: Callable[[], str],
    connect: Callable[[str], Client] = open_client,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], object] = time.sleep,
) -> str:
    """Wait until the app answers, which it does once its first screen is drawn. Returns its version.

    path() returns the port on which the Pico is now.
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
        except LinkTrouble as trouble:  # the Pico is not back yet, or the system is still examining it
            last = trouble
        if clock() >= begun + START_S:
            reason = "it does not answer" if isinstance(last, NotAKiebitz) else str(last).rstrip(".")
            raise DoesNotStart(path(), reason) from None
        sleep(LOOK_S)
