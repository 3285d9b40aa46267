"""Ids that stay the same for ever, on every laptop: derived from what they stand for, in upper case."""

_KIEBITZ = "6b696562-6974-5a00-8000-000000000001"


def stable_id(what: str, name: str) -> str:
    """The id of a play, a player or a game."""
    import uuid

    return str(uuid.uuid5(uuid.UUID(_KIEBITZ), f"{what}:{name}")).upper()
