"""Assertions the portable tests share."""

from kiebitz.games import Refused


def refused(code, call, *args):
    """Calls, expects to be refused with exactly this code, and returns the refusal."""
    try:
        call(*args)
    except Refused as refusal:
        assert refusal.code == code, "refused with %s, not with %s" % (refusal.code, code)
        return refusal
    raise AssertionError("not refused, though %s was expected" % code)
