"""Make the ids of games, which are unique in the world, and read the number in them."""

import binascii


def new_id(device_id, number, random):
    """Return the id of the game of a device that has this number; random(n) returns n random bytes.

    The random part keeps ids unique if two devices, or one device before and after an erase, count from 1.
    """
    return "%s-%04d-%s" % (device_id[-6:], number, binascii.hexlify(random(3)).decode())


def counter(game_id):
    """Return the number in the id of a game: games are counted per device; 0 if the id has no number."""
    parts = game_id.split("-")
    return int(parts[1]) if len(parts) == 3 and parts[1].isdigit() else 0
