"""Convert small and capital letters with accents: MicroPython's own lower() and upper() only know ASCII."""

_SMALL = "äöüßéèêëàáâçñîïìíôòóœùûúÿæåøãõýčřšžğş"
_LARGE = "ÄÖÜßÉÈÊËÀÁÂÇÑÎÏÌÍÔÒÓŒÙÛÚŸÆÅØÃÕÝČŘŠŽĞŞ"


def lower(char):
    """Return the small letter of a character."""
    at = _LARGE.find(char)
    return _SMALL[at] if at >= 0 else char.lower()


def upper(char):
    """Return the capital letter of a character."""
    at = _SMALL.find(char)
    return _LARGE[at] if at >= 0 else char.upper()
