"""Choose a line of a menu by its text key, so that a script depends on neither positions nor a language."""

from kiebitz import text as _host_text

PICK = "pick"
AT = "at"


def is_choice(word):
    """Return True if this word of a script is pick:KEY or at:KEY."""
    kind, colon, key = word.partition(":")
    return bool(colon and key and kind in (PICK, AT))


def presses_of(word, menu, texts=_host_text):
    """Return the presses for a word of a script, resolved in the open menu.

    pick:KEY moves the cursor to the line with this text key and presses OK, at:KEY only moves; any other word is
    returned unchanged. texts: the module kiebitz.text used by the menu.
    """
    if not is_choice(word):
        return [word]
    kind, _, key = word.partition(":")
    return _moves(word, menu, key, texts) + (["ok"] if kind == PICK else [])


def _moves(word, menu, key, texts):
    """Return the fewest presses to the line of this key. Raises LookupError unless exactly one line has it."""
    if not hasattr(menu, "labels"):
        raise LookupError(f"{word}: {type(menu).__name__} is not a menu")
    labels = menu.labels()
    labels = [labels[i] for i in range(len(labels))]  # it may be a lazy sequence of labels
    keys = [_keys_of(label, texts) for label in labels]
    words = _words_of(key, texts)
    found = [i for i, label in enumerate(labels) if key in keys[i] or _is_named(label, words)]
    if len(found) != 1:
        lines = ["/".join(keys[i]) or label for i, label in enumerate(labels)]
        problem = "more than one line" if found else "no line"
        raise LookupError(f"{word}: the menu has {problem} for this key; its lines are {', '.join(lines)}")
    down = (found[0] - menu.at) % len(labels)
    up = len(labels) - down
    return ["down"] * down if down <= up else ["up"] * up


def _words_of(key, texts):
    """Return the text of a key, or other words unchanged, to be compared with string labels."""
    try:
        return texts.text(key) if texts.has(key) else key
    except KeyError:  # it has placeholders, which only a function label fills
        return key


def _is_named(label, words):
    """Return True if a string label, such as a player's name after an icon, equals these words."""
    return isinstance(label, str) and (label == words or label.endswith(" " + words))


def _keys_of(label, texts):
    """Return the text keys requested by a label; none if it is a string."""
    if isinstance(label, str):
        return []
    recorder = _Recorder(texts.take(None))
    texts.take(recorder)
    try:
        label()
    finally:
        texts.take(recorder.phrases)
    return recorder.keys


class _Recorder:
    """Phrases that record the requested keys."""

    def __init__(self, phrases):
        self.keys = []
        self.phrases = phrases

    def get(self, key):
        self.keys.append(key)
        return self.phrases.get(key)
