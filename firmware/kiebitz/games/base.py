"""What all four games share: refusals, checked arguments, options, and the frame every game fills in."""

import json

LIMIT = 1000000
NAME_MAX = 24
SUITS = "SHDC"  # of playing cards, as Royal Flush and Poch write them
_SPACES = (
    " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)

ON_OFF = ("off", "on")
OFF_ON = ("on", "off")


class Refused(Exception):
    """An entry the rules do not accept: a code for programs, and what its sentence needs."""

    def __init__(self, code, **info):
        super().__init__(code)
        self.code = code
        self.info = info
        self.at = None  # in a correction: the index of the event that no longer fits


def bad(what):
    """The refusal for a malformed, missing or impossible argument."""
    return Refused("E_ARG", what=what)


# --- kinds of arguments: each takes the raw JSON value and returns the checked one, or raises ---


def integer(value, what, low=-LIMIT, high=LIMIT):
    """A JSON integer within bounds; booleans are not integers here."""
    if type(value) is not int or not low <= value <= high:
        raise bad(what)
    return value


def count(value, what):
    return integer(value, what, 0)


def positive(value, what):
    return integer(value, what, 1)


def string(value, what):
    if not isinstance(value, str):
        raise bad(what)
    return value


def boolean(value, what):
    if not isinstance(value, bool):
        raise bad(what)
    return value


def by_seat(value, what):
    """A JSON object whose keys are seat numbers: {"1": 3} -> {1: 3}."""
    if not isinstance(value, dict):
        raise bad(what)
    result = {}
    for key in value:
        # isdigit() takes other scripts' digits too; MicroPython's json reads numbers as keys
        digits = isinstance(key, str) and all("0" <= char <= "9" for char in key)
        if not digits or not 1 <= len(key) <= 6 or str(int(key)) != key:
            raise bad(what)
        result[int(key)] = value[key]
    return result


def words(value, what):
    """One string with blanks, or a JSON list of strings, as a list of words."""
    if isinstance(value, str):
        return [word for word in value.split(" ") if word]
    if not isinstance(value, list):
        raise bad(what)
    for word in value:
        if not isinstance(word, str):
            raise bad(what)
    return list(value)


def one_of(*allowed):
    """A kind that accepts only the given strings."""

    def kind(value, what):
        if not isinstance(value, str) or value not in allowed:
            raise bad(what)
        return value

    return kind


REQUIRED = ()  # the default of an argument that must be given


def trim(text):
    """str.strip() with the same idea of white space on both interpreters."""
    start, end = 0, len(text)
    while start < end and text[start] in _SPACES:
        start += 1
    while end > start and text[end - 1] in _SPACES:
        end -= 1
    return text[start:end]


def check_name(name):
    """A trimmed name of 1 to 24 printable characters."""
    name = trim(string(name, "players"))
    if not 1 <= len(name) <= NAME_MAX:
        raise bad("players")
    for char in name:
        code = ord(char)
        if code < 32 or 127 <= code < 160 or 0xD800 <= code < 0xE000:
            raise bad("players")
    return name


def check_names(value):
    if not isinstance(value, list):
        raise bad("players")
    names = []
    for name in value:
        name = check_name(name)
        if name in names:
            raise bad("players")
        names.append(name)
    return names


def best(values, seats=None):
    """The seats that share the highest value."""
    if seats is None:
        seats = range(len(values))
    top = max([values[p] for p in seats])
    return [p for p in seats if values[p] == top]


class Game:
    """A game in play. All mutable state stands in the attributes that FIELDS names, as plain JSON values."""

    KIND = ""
    PLAYERS = (2, 5)
    OPTIONS = {}
    EVENTS = {}  # event name -> ((argument, kind, default), ...)
    FORMS = {}  # kind -> what turns its checked value back into the one JSON form the journal keeps
    FIELDS = ()
    OVER = "OVER"
    phase = ""

    def __init__(self, setup):
        names = check_names(setup.get("players", REQUIRED))
        self.names = names
        self.n = len(names)
        options = setup.get("options", {})
        if not isinstance(options, dict):
            raise bad("options")
        self.dealer = integer(setup.get("dealer", max(0, self.n - 1)), "dealer", 0, max(0, self.n - 1))
        confirm = boolean(setup.get("confirm", False), "confirm")
        self.check_types(setup)
        low, high = self.PLAYERS
        if not low <= self.n <= high:
            raise Refused("E_PLAYERS", low=low, high=high, n=self.n)
        self.options = self._read_options(options)
        self.start(confirm)

    def _read_options(self, given):
        options = {}
        for name in self.OPTIONS:
            options[name] = self.OPTIONS[name][0]
        for name in given:
            if name not in options:
                raise Refused("E_SETTING", name=name)
            options[name] = self.option(name, given[name])
        return options

    def option(self, name, value):
        """The checked value of a house rule."""
        allowed = self.OPTIONS[name]
        if isinstance(value, bool) and "on" in allowed:
            value = "on" if value else "off"
        if not isinstance(value, str) or value not in allowed:
            raise Refused("E_SETTING", name=name)
        return value

    @classmethod
    def option_range(cls, name, players):
        """Return the least and the most of a house rule that is a number, for so many players."""
        return 0, LIMIT

    def check_types(self, setup):
        """Read the set-up keys of this game alone; wrong types raise E_ARG."""

    def start(self, confirm):
        """Lay out the first state; doubts raise their W_ code unless confirmed."""

    # --- events ---

    def read(self, ev):
        """The checked arguments of an event, as (name, list of values in the order of EVENTS)."""
        name = ev.get("ev")
        if not isinstance(name, str):
            raise bad("ev")
        spec = self.EVENTS.get(name)
        if spec is None:
            raise self.unknown(name)
        boolean(ev.get("confirm", False), "confirm")
        values = []
        for what, kind, default in spec:
            if what in ev:
                values.append(kind(ev[what], what))
            elif default is REQUIRED:
                raise bad(what)
            else:
                values.append(default)
        self.check_event(name, ev)
        return name, values

    def unknown(self, name):
        return bad("ev")

    def check_event(self, name, ev):
        """Checks of form that need more than one argument."""

    def canonical(self, ev):
        """The event with its known keys only: what the journal keeps."""
        spec = self.EVENTS[ev["ev"]]
        result = {"ev": ev["ev"]}
        for what, kind, _ in spec:
            if what in ev:
                form = self.FORMS.get(kind)
                result[what] = form(kind(ev[what], what)) if form else ev[what]
        if ev.get("confirm"):
            result["confirm"] = True
        return result

    def apply(self, ev):
        """Apply the event and return its notes [(code, info)], or raise Refused and change nothing."""
        name, values = self.read(ev)
        if self.over:
            raise Refused("E_OVER")
        notes = getattr(self, "do_" + name)(*values, ev.get("confirm", False))
        return notes or []

    def need_phase(self, *phases):
        if self.phase not in phases:
            raise Refused("E_PHASE", phase=self.phase)

    def need_seat(self, p):
        if not 0 <= p < self.n:
            raise Refused("E_PLAYER", p=p)

    @property
    def follows(self):
        """True if the device keeps the turn."""
        return self.options.get("turns") == "follow"

    def left_of(self, p):
        return (p + 1) % self.n

    @property
    def over(self):
        return self.phase == self.OVER

    # --- what a screen asks ---

    def totals(self):
        """The points each player would be told now."""
        raise NotImplementedError

    def leaders(self):
        return best(self.totals())

    def final_winners(self):
        return self.leaders()

    def winners(self):
        """The seats that won; empty until the game is over."""
        return self.final_winners() if self.over else []

    def legal(self):
        """Return the names of the events that can be entered now."""
        return [] if self.over else list(self.EVENTS)

    def details(self):
        """Return the part of the summary that only this game has."""
        return {}

    def summary(self):
        result = {
            "game": self.KIND,
            "phase": self.phase,
            "players": list(self.names),
            "totals": self.totals(),
            "winners": self.winners(),
        }
        result.update(self.details())
        return result

    # --- state as one value ---

    def snapshot(self):
        """All mutable state as one string: equal strings are equal states."""
        return json.dumps([getattr(self, field) for field in self.FIELDS], separators=(",", ":"))

    def restore(self, snapshot):
        for field, value in zip(self.FIELDS, json.loads(snapshot)):
            setattr(self, field, value)
