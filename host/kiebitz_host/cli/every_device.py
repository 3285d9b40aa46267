"""Run the same action on every Kiebitz on USB; an error on one device does not stop the others."""

from collections.abc import Callable

from ..link.client import Client
from ..link.ports import named_port, open_port, ports
from ..link.trouble import LinkTrouble, NotAKiebitz
from ..outcome import Trouble
from ..printable import complain, say
from ..show.present import print_json
from .options import NOBODY


def on_every_device(args, work: Callable[[Client], dict], sentence: Callable[[dict, str], str]) -> tuple[list, bool]:
    """Connect to each device and call work(client), which returns a JSON-ready dict of what was done there.

    sentence(done, place) describes it. Returns (the dicts of all devices, True if there was an error).
    """
    found = [named_port(args.port)] if args.port else ports()
    if not found:
        raise Trouble(NOBODY)
    all_done: list[dict] = []
    troubles: list[LinkTrouble] = []
    for port in found:
        try:
            with Client(open_port(port)) as client:
                device = client.hello()["device"]
                all_done.append({"port": port.path, "device": device, **work(client)})
        except LinkTrouble as trouble:
            troubles.append(trouble)
            continue
        if not args.json:
            say(sentence(all_done[-1], f"Kiebitz {device[-6:]} on {port.path}: "))
    if args.json:
        print_json(all_done)
    if all_done:  # another Pico beside a Kiebitz is not an error
        troubles = [trouble for trouble in troubles if not isinstance(trouble, NotAKiebitz)]
    for reason in troubles:
        complain(reason)
    return all_done, bool(troubles)
