"""Writing names: every letter of the languages can be chosen, small and capital, and is read again as written."""

from helpers.device import Device
from kiebitz.screens.letters import _ROWS
from kiebitz.text.casing import lower, upper

LETTERS = {
    "en": "abcdefghijklmnopqrstuvwxyz",
    "de": "\u00e4\u00f6\u00fc\u00df",
    "fr": "\u00e0\u00e2\u00e6\u00e7\u00e9\u00e8\u00ea\u00eb\u00ee\u00ef\u00f4\u0153\u00f9\u00fb\u00fc\u00ff",
    "it": "\u00e0\u00e8\u00e9\u00ec\u00ed\u00ee\u00f2\u00f3\u00f9\u00fa",
    "nl": "\u00e1\u00e9\u00ed\u00f3\u00fa\u00eb\u00ef\u00f6\u00fc\u00e8\u00ea\u00ff",
}
TABLE = "".join(_ROWS)


def test_every_letter_of_the_languages_is_in_the_table_in_both_sizes():
    for lang in LETTERS:
        for small in LETTERS[lang]:
            capital = upper(small)
            assert capital in TABLE, (lang, small)
            assert lower(capital) == small, (lang, small)
            assert capital == small or capital != small.upper() or lower(capital) != capital, small


def test_no_letter_stands_twice_and_all_rows_are_full():
    assert len(set(TABLE)) == len(TABLE)
    assert [len(row) for row in _ROWS] == [13] * len(_ROWS)


def test_signs_digits_and_the_sharp_s_are_the_same_small_and_large():
    for char in "-'.0123456789\u00df \u65e5":
        assert (lower(char), upper(char)) == (char, char)


def test_accented_names_are_written_with_a_capital_and_small_letters_after_it():
    d = Device()
    d.keys("down*2 ok ok down*2 right*4 ok up*2 left*4 right*11 ok right ok")
    assert d.sees("\u00c9"), d.text()
    name = d.app.top.name
    assert name[0] == "\u00c9" and name[1:] == name[1:].lower()


def test_players_with_accented_names_have_marks_in_capitals():
    from kiebitz.screens.table_screen import initials

    assert initials(["\u00e9lodie", "\u00c9mile", "\u00e4nne", "anna"]) == ["\u00c9", "M", "\u00c4", "A"]


def test_a_name_with_other_letters_is_kept_as_it_is():
    d = Device()
    d.app.roster.add("\u0141ukasz \u65e5")
    d.keys("down*2 ok")
    assert d.sees("\u0141ukasz \u65e5") and not d.faults()
    d.restart()
    assert d.app.roster.names == ["\u0141ukasz \u65e5"]
