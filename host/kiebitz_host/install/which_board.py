"""Says on the device which board it is: one line in board.txt, which the firmware reads at its start."""

from kiebitz.board.choice import FILE
from kiebitz.board.profiles import DEFAULT

from .device import Device
from .session import Failed, Lost
from .trouble import DeviceFailed, Pulled

_NEW = FILE + ".new"


def say_which_board(device: Device, board: str | None) -> str | None:
    """Write the board that is named, or the default if the device does not say anything; returns what was written."""
    try:
        said = device.read(FILE).decode(errors="replace").strip()
        wanted = board or said or DEFAULT
        if wanted == said:
            return None
        device.write(_NEW, f"{wanted}\n".encode())
        device.rename(_NEW, FILE)
        return wanted
    except Lost:
        raise Pulled(device.path, True) from None
    except Failed as failed:
        raise DeviceFailed(failed, True) from None
