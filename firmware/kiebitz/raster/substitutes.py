"""Find readable substitutes for characters that a font does not have."""

_LATIN = {
    "A": "ÃĀĂĄǍẠẢẤẦẨẪẬẮẰẲẴẶ",
    "C": "ĆĈĊČ",
    "D": "ÐĎĐ",
    "E": "ĒĔĖĘĚƏẸẺẼẾỀỂỄỆ",
    "G": "ĜĞĠĢǦ",
    "H": "ĤĦḤ",
    "I": "ĨĪĬĮİǏỈỊ",
    "J": "Ĵ",
    "K": "Ķ",
    "L": "ĹĻĽĿŁ",
    "N": "ŃŅŇ",
    "Ng": "Ŋ",
    "O": "ÕŌŎŐƠǑỌỎỐỒỔỖỘỚỜỞỠỢ",
    "R": "ŔŖŘ",
    "S": "ŚŜŞŠȘṢ",
    "T": "ŢŤŦȚṬ",
    "Th": "Þ",
    "U": "ŨŪŬŮŰŲƯǓǕǗǙǛỤỦỨỪỬỮỰ",
    "W": "ŴẀẂẄ",
    "Y": "ÝŶỲỴỶỸ",
    "Z": "ŹŻŽ",
    "a": "ãāăąǎạảấầẩẫậắằẳẵặ",
    "c": "ćĉċč",
    "d": "ðďđ",
    "e": "ēĕėęěəẹẻẽếềểễệ",
    "g": "ĝğġģǧ",
    "h": "ĥħḥ",
    "i": "ĩīĭįıǐỉị",
    "j": "ĵ",
    "k": "ķĸ",
    "l": "ĺļľŀł",
    "n": "ńņňŉ",
    "ng": "ŋ",
    "o": "õōŏőơǒọỏốồổỗộớờởỡợ",
    "r": "ŕŗř",
    "s": "śŝşšſșṣ",
    "t": "ţťŧțṭ",
    "th": "þ",
    "u": "ũūŭůűųưǔǖǘǚǜụủứừửữự",
    "w": "ŵẁẃẅ",
    "y": "ýŷỳỵỷỹ",
    "z": "źżž",
}

_SIGNS = {
    " ": "\t\n\r\u00a0\u2002\u2003\u2007\u2009\u200a\u3000",
    "": "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufe0e\ufe0f\ufeff",
    "-": "\u2010\u2011\u2012\u2212",
    "'": "´ʹʻʼ′‛",
    '"': "″‟",
    "/": "⁄∕",
    "*": "∗",
    "·": "•∙⋅",
    "1": "¹",
    "2": "²",
    "3": "³",
    "a": "ª",
    "o": "º",
    "♠": "♤",
    "♥": "♡❤",
    "♦": "♢",
    "♣": "♧",
}

# Small letters in the order of their code points; the code points of capitals are 32 lower.
_CYRILLIC = "a b v g d e zh z i y k l m n o p r s t u f kh ts ch sh shch ' y ' e yu ya".split()
_GREEK = "a v g d e z i th i k l m n x o p r s s t y f ch ps o".split()

# Letters outside those rows: small forms, capitals, and the Latin letters to show.
_OTHERS = (
    ("ёђѓєѕіїјљњћќўџґ", "ЁЂЃЄЅІЇЈЉЊЋЌЎЏҐ", "yo dj gj ye dz i yi j lj nj c kj u dz g".split()),
    ("άέήίόύώϊϋ", "ΆΈΉΊΌΎΏΪΫ", "a e i i o y o i y".split()),
)


def substitute(char):
    """Return a substitute for a character, usually one letter, empty for combining marks, else `?`."""
    if "\u0300" <= char <= "\u036f":
        return ""
    for table in (_LATIN, _SIGNS):
        for base in table:
            if char in table[base]:
                return base
    for small, capital, latin in _OTHERS:
        if char in small:
            return latin[small.find(char)]
        if char in capital:
            return _capital(latin[capital.find(char)])
    return _row(char, 0x430, _CYRILLIC) or _row(char, 0x3B1, _GREEK) or "?"


def _row(char, first, latin):
    """Return the Latin letters for a letter of an alphabet whose first code point is `first`; None for any other."""
    at = ord(char) - first
    if 0 <= at < len(latin):
        return latin[at]
    if 0 <= at + 32 < len(latin):
        return _capital(latin[at + 32])
    return None


def _capital(latin):
    return latin[0].upper() + latin[1:]
