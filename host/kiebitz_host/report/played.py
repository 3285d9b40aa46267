"""Play the scenario on a device over the link, and compare each picture with the simulator."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..link.answers import Screen
from ..link.client import Client
from ..link.trouble import LinkLost, LinkTrouble
from .scenario import Press, SimulatedApp

# After this many consecutive differences the two are out of step, and further comparisons are useless
DIFFERENT_MAX = 5


@dataclass(frozen=True)
class Step:
    """A key press and the resulting picture."""

    press: Press | None  # None: the first picture
    title: str  # the simulator's first line
    written: bool  # the simulator has written to its flash
    link_ms: float  # from the request to the picture, on this computer's clock; 0 for the first picture
    shown: Screen
    expected: Screen

    @property
    def same(self) -> bool:
        """Return True if the device shows the same picture as the simulator, in the same colours."""
        return self.shown == self.expected


@dataclass(frozen=True)
class Played:
    """All steps that were played."""

    steps: list[Step]
    ended: str = ""  # why the scenario ended early


def play(
    client: Client, app: SimulatedApp, presses: Sequence[Press], progress: Callable[[str], None] = lambda _: None
) -> Played:
    """Play the presses on both. Returns the steps; raises LinkLost if the cable is pulled."""
    steps = [Step(None, app.title(), False, 0.0, client.screen(), app.screen())]
    for count, press in enumerate(presses, 1):
        if len(steps) >= DIFFERENT_MAX and not any(step.same for step in steps[-DIFFERENT_MAX:]):
            return Played(steps, f"{DIFFERENT_MAX} pictures in a row were different")
        progress(f"playing on the device, key {count} of {len(presses)}")
        written = app.press(press.key, press.hold)
        begun = client.transport.clock()
        try:
            client.press(press.key, press.hold)
            shown = client.screen()
        except LinkLost:
            raise
        except LinkTrouble as trouble:
            return Played(steps, f"after key {count} of {len(presses)}, {press}: {trouble}")
        took = (client.transport.clock() - begun) * 1000
        steps.append(Step(press, app.title(), written, took, shown, app.screen()))
    return Played(steps)
