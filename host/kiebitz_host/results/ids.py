"""Makes ids that never change and are the same on every laptop: derived from what they identify, in upper case."""

_KIEBITZ = "6b696562-6974-5a00-8000-000000000001"


def stable_id(what: str, name: str) -> str:
    """Return the id of a play, a player or a game."""
    import uuid

    return str(uuid.uuid5(uuid.UUID(_KIEBITZ), f"{what}:{name}")).upper()
