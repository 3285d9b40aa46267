"""Look up the sentences that Kiebitz shows to players, by key, in one file per language."""

from kiebitz_languages import CODES as LANGUAGES
from kiebitz_languages import OWN_NAMES as _OWN_NAMES
from kiebitz_languages import load

from ..machine_code import const

_KEPT = const(64)  # cached sentences, more than a screen shows


class Phrases:
    """The sentences of one language."""

    def __init__(self, lang):
        self.lang = lang
        self._find = load(lang)
        self._kept = {}

    def get(self, key):
        """Return the sentence of a key, or None if there is none."""
        kept = self._kept
        if key not in kept:
            if len(kept) >= _KEPT:
                kept.clear()
            kept[key] = self._find(key)
        return kept[key]


_CLIP = const(28)  # most characters shown of the name of a board or a card in a file, which may be any text

_NAMED_MOST = const(4)  # most players named in a question, which has five lines

# Values of a refusal that have a text: info key -> prefixes of text keys, where the prefix is not the info key
_NAMED = {"direction": ("dir.",), "name": ("opt.",), "other": ("pool.", "kind.")}

_phrases = None


def use(lang):
    """Use this language from now on. Returns its Phrases."""
    if lang not in LANGUAGES:
        raise ValueError("no texts for " + lang)
    if _phrases is None or _phrases.lang != lang:
        take(Phrases(lang))
    return _phrases


def take(phrases):
    """Use these phrases, an object with the attribute `lang` and the method get() of Phrases, from now on.

    Returns the phrases that were in use.
    """
    global _phrases
    before, _phrases = _phrases, phrases
    return before


def own_name(lang):
    """Return the name of a language in that language."""
    return _OWN_NAMES[LANGUAGES.index(lang)]


def has(key):
    """Return True if there is a text for this key."""
    return (_phrases or use(LANGUAGES[0])).get(key) is not None


def text(key, **places):
    """Return the sentence of this key with its places filled in, or the end of the key if no language has a sentence.

    `kiebitz texts` reports missing sentences; the game goes on.
    """
    sentence = (_phrases or use(LANGUAGES[0])).get(key)
    if sentence is None:
        return key.rsplit(".", 1)[-1]
    return fill(sentence, places)


def later(key, **places):
    """Return a function that returns the sentence of this key.

    A screen keeps the function and calls it when it draws, so that the sentence is in the language in use then.
    """
    return lambda: text(key, **places)


def said(words):
    """Return a text, given as a string or as a function made by later()."""
    return words if isinstance(words, str) else words()


def fill(sentence, places):
    """Return the sentence with its places filled in.

    {place} becomes its value, {place:chip|chips} the number and the word that goes with it.
    """
    if "{" not in sentence:
        return sentence
    if "|" not in sentence:
        return sentence.format(**places)  # faster, because every string made by Python code costs 0.1 ms on a Pico
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


def game_name(kind, title=""):
    """Return the title that the players gave to a game, or without one the name of its kind."""
    return title or text("game." + kind)


def player(p, names):
    """Return the name of a seat; for an invalid number, a text with the number."""
    return names[p] if 0 <= p < len(names) else text("seat", p=p)


def listed(items):
    """Return the items as a list in words: "Anna", "Anna and Ben", "Anna, Ben and Cleo"."""
    if len(items) < 2:
        return "".join(items)
    return text("and", first=", ".join(items[:-1]), last=items[-1])


def rank_text(rank):
    """Return the letter or number printed on a card of this rank in the country of the language."""
    return text("rank." + rank) if has("rank." + rank) else rank


def value_text(value, kind):
    """Return a value of a house rule in words; some values have another text in one of the games."""
    if isinstance(value, int):
        return str(value)
    own = "val." + value + "." + kind
    return text(own if has(own) else "val." + value)


def rule_text(name, value, kind):
    """Return a sentence about what a value of a house rule means; the sentence may be specific to a game."""
    key = "opt." + name + "." + (value if isinstance(value, str) else "number")
    return text(key + "." + kind if has(key + "." + kind) else key)


def card_text(card):
    """Return a playing card with its suit as a symbol; other cards and jokers are returned unchanged."""
    if len(card) != 2 or not has("suit." + card[1]):
        return card
    return rank_text(card[0]) + text("suit." + card[1])


def refusal(refused, names):
    """Return a sentence that explains to players why an entry was refused."""
    return note(refused.code, refused.info, names)


def note(code, info, names):
    """Return the sentence for a code and its info, of a refusal or of a note of the rules."""
    info = {key: _clean(info[key]) for key in info}
    places = {key: _say(key, info[key]) for key in info}
    if "p" in info:
        places["name"] = player(info["p"], names)
    if "seats" in info:
        shown = [player(p, names) for p in info["seats"]]
        if len(shown) > _NAMED_MOST:
            shown[_NAMED_MOST - 1 :] = ["+%d" % (len(shown) - _NAMED_MOST + 1)]
        places["names"] = listed(shown)
    return text(_note_key(code, info), **places)


def _note_key(code, info):
    """Return the key of the sentence for a code and its info.

    The key is CODE.detail if there is a text for an info key (E_POCH.rank) or its value (E_ARG.players), else CODE.
    """
    for key in info:
        for detail in (key, info[key]):
            if isinstance(detail, str) and has(code + "." + detail):
                return code + "." + detail
    return code if has(code) else code.split(":")[0]


def _say(key, value):
    """Return a value of a refusal in words."""
    if key == "pools":
        return listed([_say("pool", pool) for pool in value])
    if not isinstance(value, str):
        return value
    if key == "card":
        return card_text(value)
    for prefix in _NAMED.get(key, (key + ".",)):
        if has(prefix + value):
            return text(prefix + value)
    return value


def _clean(word):
    """Return a word from a file sanitized for display (no control characters, no surrogates, limited length)."""
    if not isinstance(word, str):
        return word
    shown = ""
    for char in word[:_CLIP]:
        code = ord(char)
        shown += "?" if code < 32 or 127 <= code < 160 or 0xD800 <= code < 0xE000 else char
    return shown


_SMALL = "äöüßéèêëàáâçñîïìíôòóœùûúÿæåøãõýčřšžğş"
_LARGE = "ÄÖÜßÉÈÊËÀÁÂÇÑÎÏÌÍÔÒÓŒÙÛÚŸÆÅØÃÕÝČŘŠŽĞŞ"


def lower(char):
    """Return a character in lower case, because MicroPython handles ASCII only."""
    at = _LARGE.find(char)
    return _SMALL[at] if at >= 0 else char.lower()


def upper(char):
    """Return a character in upper case, because MicroPython handles ASCII only."""
    at = _SMALL.find(char)
    return _LARGE[at] if at >= 0 else char.upper()
