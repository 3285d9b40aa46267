"""What Kiebitz says to players: every sentence stands in one file per language and is found by its key."""

from kiebitz_languages import CODES as LANGUAGES
from kiebitz_languages import OWN_NAMES as _OWN_NAMES

from ..machine_code import const
from .phrases import Phrases

_CLIP = const(28)  # what a file calls a board or a card may be any text: this much of it is repeated

# Which names stand for a value of a refusal: info key -> prefixes of text keys
_NAMED = {
    "board": ("board.",),
    "direction": ("dir.",),
    "kind": ("kind.",),
    "name": ("opt.",),
    "other": ("pool.", "kind."),
    "phase": ("phase.",),
    "pool": ("pool.",),
    "pools": ("pool.",),
    "rank": ("rank.",),
}

_phrases = None


def use(lang):
    """Speak this language from now on; returns its phrases."""
    global _phrases
    if lang not in LANGUAGES:
        raise ValueError("no texts for " + lang)
    if _phrases is None or _phrases.lang != lang:
        _phrases = Phrases(lang)
    return _phrases


def own_name(lang):
    """Return what a language calls itself: whoever looks for it may not read the one that is spoken."""
    return _OWN_NAMES[LANGUAGES.index(lang)]


def has(key):
    """True if there is a text for this key."""
    return (_phrases or use(LANGUAGES[0])).get(key) is not None


def text(key, **places):
    """The sentence of this key with its places filled in."""
    sentence = (_phrases or use(LANGUAGES[0])).get(key)
    if sentence is None:
        raise KeyError(key)
    return fill(sentence, places)


def later(key, **places):
    """The sentence to come: what keeps it on a screen asks for it when it is drawn, in the language spoken then."""
    return lambda: text(key, **places)


def said(words):
    """A text as it is, or one to come."""
    return words if isinstance(words, str) else words()


def fill(sentence, places):
    """Fill {place} with its value, and {place:chip|chips} with the number and the word that goes with it."""
    if "{" not in sentence:
        return sentence
    if "|" not in sentence:
        return sentence.format(**places)  # every string that is made here and not in there costs 0.1 ms on a Pico
    parts = sentence.split("{")
    filled = parts[0]
    for part in parts[1:]:
        place, rest = part.split("}")
        place, _, forms = place.partition(":")
        value = str(places[place])
        if forms:
            one, _, many = forms.partition("|")
            value += " " + (one if value in text("count.one").split() else many)
        filled += value + rest
    return filled


def player(p, names):
    """The name of a seat; a number that is no seat is called by that number."""
    return names[p] if 0 <= p < len(names) else text("seat", p=p)


def listed(items):
    """"Anna", "Anna and Ben", "Anna, Ben and Cleo"."""
    if len(items) < 2:
        return "".join(items)
    return text("and", first=", ".join(items[:-1]), last=items[-1])


def rank_text(rank):
    """What is printed on a card of this rank where the players come from."""
    return text("rank." + rank) if has("rank." + rank) else rank


def rule_help(name, kind):
    """What a house rule changes if it is not as usual; some mean something else in one of the games."""
    own = "opt." + name + ".help." + kind
    return text(own if has(own) else "opt." + name + ".help")


def card_text(card):
    """A playing card with its suit as a symbol; other cards and jokers as they are."""
    if len(card) != 2 or not has("suit." + card[1]):
        return card
    return rank_text(card[0]) + text("suit." + card[1])


def refusal(refused, names):
    """Why an entry was not taken, in a sentence for the players."""
    return note(refused.code, refused.info, names)


def note(code, info, names):
    """A code with what it carries as a sentence: of a refusal, or of something the rules remarked."""
    info = {key: _clean(info[key]) for key in info}
    places = {key: _say(key, info[key]) for key in info}
    if "p" in info:
        places["name"] = player(info["p"], names)
    if "seats" in info:
        places["names"] = listed([player(p, names) for p in info["seats"]])
    return text(_note_key(code, info), **places)


def _note_key(code, info):
    """CODE.detail where the texts have one for what is told (E_POCH.rank) or its value (E_ARG.players), else CODE."""
    for key in info:
        for detail in (key, info[key]):
            if isinstance(detail, str) and has(code + "." + detail):
                return code + "." + detail
    return code if has(code) else code.split(":")[0]


def _say(key, value):
    """A value of a refusal in words."""
    if key == "pools":
        return listed([_say("pool", pool) for pool in value])
    if not isinstance(value, str):
        return value
    if key == "card":
        return card_text(value)
    for prefix in _NAMED.get(key, ()):
        if has(prefix + value):
            return text(prefix + value)
    return value


def _clean(word):
    """A word from a file as far as it can be shown: no control characters, no halves of characters, not too long."""
    if not isinstance(word, str):
        return word
    shown = ""
    for char in word[:_CLIP]:
        code = ord(char)
        shown += "?" if code < 32 or 127 <= code < 160 or 0xD800 <= code < 0xE000 else char
    return shown
