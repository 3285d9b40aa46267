"""Describe the scenes of the turn clock, which any table has."""

from ..games.royal_flush import score, spend


def turn_clocks(players, eight):
    """Return the scenes with these players, and of a game with all eight."""
    setup = {"game": "royal_flush", "players": players}
    some = [spend(0, 2), score(1, "four_kind"), score(0, "three_kind")]
    return [
        ("turn clock, not started", setup, some, "left pick:clock.title"),
        ("turn clock", setup, some, _turns),
        ("turn clock, limit reached", setup, some, _late),
        ("turn clock, menu", setup, some, lambda device: _late(device, "right at:clock.limit")),
        ("turn clock, at the table", setup, some, lambda device: _turns(device, "left")),
        ("turn clock of eight", {"game": "poch", "players": eight}, [], _hours),
    ]


def _turns(device, keys=""):
    """Let every player but the last have a turn, and that one think for some minutes, then press keys."""
    device.keys("left pick:clock.title ok")
    for k in range(device.game.n - 1):
        _think(device, 49 + 73 * k)
        device.keys("ok")
    _think(device, 206)
    device.keys(keys)


def _late(device, keys=""):
    """Show a turn that is longer than its limit, then press keys."""
    device.keys("left pick:clock.title right pick:clock.limit ok*2 pick:clock.on ok")
    _think(device, 131)
    device.keys(keys)


def _hours(device):
    """Show the clock after the last player has taken hours, with a display that is never dark."""
    device.app.settings.set("off_s", 0)
    device.app.apply_settings()
    _turns(device)
    _think(device, 11 * 3600)
    device.keys("ok")
    _think(device, 754)


def _think(device, seconds):
    """Let time pass at once."""
    device.hw.time.advance(seconds * 1000)
    device.wait(400)
