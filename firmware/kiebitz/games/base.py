"""Define the base class of all games, refusals, checked arguments and options."""

import json

# The version of the rules, stored with every new game. Count up when the rules refuse what they took before, or count
# otherwise. A game stays under the version of its set-up, so that its journal is still read; a higher one is refused.
RULES = 1
LIMIT = 1000000
NAME_MAX = 24
SUITS = "SHDC"  # the letters of the suits in Royal Flush and Poch
RED_SUITS = "HD"
_SPACES = (
    " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)

ON_OFF = ("off", "on")
OFF_ON = ("on", "off")


class Refused(Exception):
    """An entry that the rules do not accept, with a code for programs and the values for its sentence."""

    def __init__(self, code, **info):
        super().__init__(code)
        self.code = code
        self.info = info
        self.at = None  # when the past is changed: the index of the later event that would no longer be accepted


def bad(what):
    """Return the refusal of a malformed, missing or impossible argument."""
    return Refused("E_ARG", what=what)


# --- kinds of arguments: each takes the raw JSON value and returns the checked one, or raises Refused ---


def integer(value, what, low=-LIMIT, high=LIMIT):
    """Return a JSON integer within bounds; booleans are not integers here."""
    if type(value) is not int or not low <= value <= high:
        raise bad(what)
    return value


def count(value, what):
    """Return an integer from 0 on."""
    return integer(value, what, 0)


def positive(value, what):
    """Return an integer from 1 on."""
    return integer(value, what, 1)


def string(value, what):
    """Return a JSON string."""
    if not isinstance(value, str):
        raise bad(what)
    return value


def boolean(value, what):
    """Return a JSON boolean."""
    if not isinstance(value, bool):
        raise bad(what)
    return value


def by_seat(value, what):
    """Return a JSON object whose keys are seat numbers as a dict: {"1": 3} becomes {1: 3}."""
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
    """Return one string with blanks, or a JSON list of strings, as a list of words."""
    if isinstance(value, str):
        return [word for word in value.split(" ") if word]
    if not isinstance(value, list):
        raise bad(what)
    for word in value:
        if not isinstance(word, str):
            raise bad(what)
    return list(value)


def one_of(*allowed):
    """Return a kind that accepts only the given strings."""

    def kind(value, what):
        if not isinstance(value, str) or value not in allowed:
            raise bad(what)
        return value

    return kind


REQUIRED = ()  # the default of an argument that must be given


def trim(text):
    """Return str.strip() of a text, with the same white space on both interpreters."""
    start, end = 0, len(text)
    while start < end and text[start] in _SPACES:
        start += 1
    while end > start and text[end - 1] in _SPACES:
        end -= 1
    return text[start:end]


def check_name(name, what="players"):
    """Return a name, trimmed, if it has 1 to 24 printable characters."""
    name = trim(string(name, what))
    if not 1 <= len(name) <= NAME_MAX:
        raise bad(what)
    for char in name:
        code = ord(char)
        if code < 32 or 127 <= code < 160 or 0xD800 <= code < 0xE000:
            raise bad(what)
    return name


def check_names(value, what="players"):
    """Return a list of different names, checked and trimmed."""
    if not isinstance(value, list):
        raise bad("players")
    names = []
    for name in value:
        name = check_name(name)
        if name in names:
            raise bad("players")
        names.append(name)
    return names


def any_value(value, what):
    """Return any JSON value."""
    return value


# The events of every game, with their arguments as in EVENTS. They are taken in every phase, also after the end
COMMON = {
    "seats": (("players", check_names, REQUIRED),),
    "option": (("name", string, REQUIRED), ("value", any_value, REQUIRED)),
}


def best(values, seats=None):
    """Return the seats that share the highest value."""
    if seats is None:
        seats = range(len(values))
    top = max([values[p] for p in seats])
    return [p for p in seats if values[p] == top]


class Game:
    """A game in play. All mutable state is in the attributes that FIELDS names, as plain JSON values.

    Each event has a method do_<name>(*arguments, confirm), which checks the event against the rules, changes the
    state and returns notes or None.
    """

    KIND = ""
    PLAYERS = (2, 5)
    BEST = (1, 8)  # recommended numbers of players; others get a hint
    OPTIONS = {}
    EVENTS = {}  # event name -> ((argument, kind, default), ...)
    FORMS = {}  # kind -> function from a checked value to the only JSON form the journal stores
    FIELDS = ()
    HISTORY = ""  # the field, if any, that is a list to which entries only add
    OVER = "OVER"
    # How kiebitz.text.describe fills the sentence of an event
    SEATS = {"p": "name"}  # argument that is a seat -> its place
    NAMED = {}  # argument whose values have names -> prefix of the keys of their texts
    SHORT = {}  # the same where there is little space
    phase = ""
    title = ""  # the name that the players gave to this game; without one, the name of its kind counts
    low_wins = False  # True if the fewest points win

    def __init__(self, setup):
        self.names = self._first_names = check_names(setup.get("players", REQUIRED))
        self.n = len(self.names)
        options = setup.get("options", {})
        if not isinstance(options, dict):
            raise bad("options")
        self.dealer = integer(setup.get("dealer", max(0, self.n - 1)), "dealer", 0, max(0, self.n - 1))
        confirm = boolean(setup.get("confirm", False), "confirm")
        integer(setup.get("rules", RULES), "rules", 1, RULES)
        self.check_types(setup)
        low, high = self.players_for(options)
        if not low <= self.n <= high:
            raise Refused("E_PLAYERS", low=low, high=high, n=self.n)
        self.options = self._read_options(options)
        self.start(confirm)

    @classmethod
    def players_for(cls, options):
        """Return (fewest, most) players under these house rules, of which none is checked yet."""
        return cls.PLAYERS

    @staticmethod
    def fill_places(event, places):
        """Fill in places that no argument gives. Returns the end of the sentence's key if an event has several."""
        return ""

    def _read_options(self, given):
        """Return all house rules by name, with defaults for those that are not given."""
        options = {}
        for name in self.OPTIONS:
            options[name] = self.default(name, self.n)
        for name in given:
            options[name] = self._option(name, given[name])
        return options

    @classmethod
    def default(cls, name, players):
        """Return the default of a house rule for n players."""
        return cls.OPTIONS[name][0]

    def _option(self, name, value):
        """Return the checked value of a house rule, which may be unknown."""
        if name not in self.OPTIONS:
            raise Refused("E_SETTING", name=name)
        return self.option(name, value)

    def option(self, name, value):
        """Return the checked value of a house rule."""
        allowed = self.OPTIONS[name]
        if isinstance(value, bool) and "on" in allowed:
            value = "on" if value else "off"
        if not isinstance(value, str) or value not in allowed:
            raise Refused("E_SETTING", name=name)
        return value

    @classmethod
    def option_names(cls):
        """Return the names of the house rules in the order of menus; a dict has no order on MicroPython."""
        return sorted(cls.OPTIONS, key=lambda name: (name != "turns", name))

    @staticmethod
    def matters(name, setup, options):
        """Return True if a house rule can make a difference, with this set-up and these house rules."""
        return True

    @classmethod
    def options_offered(cls, setup, options):
        """Return the names of the house rules that can make a difference, in the order of menus."""
        return [name for name in cls.option_names() if cls.matters(name, setup, options)]

    @classmethod
    def option_range(cls, name, players):
        """Return (minimum, maximum) of a numeric house rule for n players."""
        return 0, LIMIT

    def check_types(self, setup):
        """Read the set-up keys that only this game has; wrong types raise E_ARG."""

    def start(self, confirm):
        """Set the first state; doubts raise their W_ code unless confirmed."""

    # --- events ---

    def read(self, ev):
        """Check the arguments of an event. Returns (name, list of values in the order of EVENTS)."""
        name = ev.get("ev")
        if not isinstance(name, str):
            raise bad("ev")
        spec = self.arguments(name)
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
        if name == "option":
            values[1] = self._option(*values)
        return name, values

    @classmethod
    def arguments(cls, name):
        """Return the arguments of an event as EVENTS has them; None for an unknown event."""
        return COMMON.get(name) or cls.EVENTS.get(name)

    def unknown(self, name):
        """Return the refusal of an event that this game does not have."""
        return bad("ev")

    def check_event(self, name, ev):
        """Check what concerns more than one argument of an event."""

    def canonical(self, ev):
        """Return the event with its known keys only, as the journal stores it."""
        spec = self.arguments(ev["ev"])
        result = {"ev": ev["ev"]}
        for what, kind, _ in spec:
            if what in ev:
                form = list if kind is check_names else self.FORMS.get(kind)
                result[what] = form(kind(ev[what], what)) if form else ev[what]
        if ev["ev"] == "option":
            result["value"] = self.option(ev["name"], ev["value"])
        if ev.get("confirm"):
            result["confirm"] = True
        return result

    def apply(self, ev):
        """Apply the event. Returns its notes [(code, info)], or raises Refused and changes nothing."""
        name, values = self.read(ev)
        if self.over and name not in COMMON:
            raise Refused("E_OVER")
        notes = getattr(self, "do_" + name)(*values, ev.get("confirm", False))
        return notes or []

    def do_seats(self, names, confirm):
        """Rename all seats; points and everything else stay with the seats."""
        if len(names) != self.n:
            raise bad("players")
        self.names = names

    def do_option(self, name, value, confirm):
        """Do nothing: a game begins with the house rules of all `option` events in force (see kiebitz.store.table)."""

    def need_phase(self, *phases):
        """Refuse an event outside these phases."""
        if self.phase not in phases:
            raise Refused("E_PHASE", phase=self.phase)

    def need_seat(self, p):
        """Refuse a seat that does not exist."""
        if not 0 <= p < self.n:
            raise Refused("E_PLAYER", p=p)

    @property
    def follows(self):
        """True if the device keeps track of whose turn it is."""
        return self.options.get("turns") == "follow"

    def left_of(self, p):
        """Return the seat to the left of a seat."""
        return (p + 1) % self.n

    @property
    def over(self):
        """True if the game has ended."""
        return self.phase == self.OVER

    # --- what a screen asks ---

    def totals(self):
        """Return the points of each player now."""
        raise NotImplementedError

    def total_parts(self, p):
        """Return the parts of a player's total as text for the ranking; empty if it has no parts."""
        return ""

    def leaders(self):
        """Return the seats with the most points, or with the fewest if low_wins."""
        totals = self.totals()
        return best([-total for total in totals] if self.low_wins else totals)

    def final_winners(self):
        """Return the seats that win if the game is over."""
        return self.leaders()

    def winners(self):
        """Return the seats that won; empty until the game is over."""
        return self.final_winners() if self.over else []

    def rounds_over(self):
        """Return how many rounds are over; None if the game has no rounds."""
        return None

    def decided_by(self):
        """Return what decided a finished game if not the points alone, as the tail of a text key; else empty."""
        return ""

    def legal(self):
        """Return the names of the events that can be entered now."""
        return [] if self.over else list(self.EVENTS)

    def details(self):
        """Return the part of the summary that only this game has."""
        return {}

    def summary(self):
        """Return the state of the game as a dict, for programs."""
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
        """Return all mutable state as one string. Equal states give equal strings."""
        return self._encoded([getattr(self, field) for field in self.FIELDS])

    def short_snapshot(self):
        """Return snapshot(), but with the length of HISTORY in its place.

        Only a game with at least that much HISTORY can restore() it, see take_history().
        """
        values = [getattr(self, field) for field in self.FIELDS]
        if self.HISTORY:
            values[self.FIELDS.index(self.HISTORY)] = len(getattr(self, self.HISTORY))
        return self._encoded(values)

    def _encoded(self, values):
        """Return the values of FIELDS, and the names if they have changed, as one string."""
        names = None if self.names == self._first_names else self.names
        return json.dumps(values + [names], separators=(",", ":"))

    def take_history(self, later):
        """Take what a short snapshot leaves out from the same game at a later moment."""
        if self.HISTORY:
            setattr(self, self.HISTORY, getattr(later, self.HISTORY))

    def restore(self, snapshot):
        """Set the state that snapshot() or short_snapshot() returned."""
        values = json.loads(snapshot)
        if len(values) != len(self.FIELDS) + 1:
            raise ValueError("snapshot")
        for field, value in zip(self.FIELDS, values):
            if field == self.HISTORY and isinstance(value, int):
                value = getattr(self, field)[:value]
            setattr(self, field, value)
        self.names = values[-1] or self._first_names
