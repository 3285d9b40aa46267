"""Small and capital letters with accents: MicroPython's own lower() and upper() stop at ASCII."""

_SMALL = "äöüßéèêëàáâçñîïìíôòóœùûúÿæåøãõýčřšžğş"
_LARGE = "ÄÖÜßÉÈÊËÀÁÂÇÑÎÏÌÍÔÒÓŒÙÛÚŸÆÅØÃÕÝČŘŠŽĞŞ"


def lower(char):
    at = _LARGE.find(char)
    return _SMALL[at] if at >= 0 else char.lower()


def upper(char):
    at = _SMALL.find(char)
    return _LARGE[at] if at >= 0 else char.upper()
