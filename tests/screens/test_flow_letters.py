"""Test writing names with two keys a letter, in upper and lower case, in every language."""

from helpers.device import Device
from kiebitz.screens.letters import MORE, pages_of
from kiebitz.text import lower, upper
from kiebitz_lab.handheld import spelled

LETTERS = {
    "en": "abcdefghijklmnopqrstuvwxyz",
    "de": "\u00e4\u00f6\u00fc\u00df",
    "fr": "\u00e0\u00e2\u00e6\u00e7\u00e9\u00e8\u00ea\u00eb\u00ee\u00ef\u00f4\u0153\u00f9\u00fb\u00fc\u00ff",
    "it": "\u00e0\u00e8\u00e9\u00ec\u00ed\u00ee\u00f2\u00f3\u00f9\u00fa",
    "nl": "\u00e1\u00e9\u00ed\u00f3\u00fa\u00eb\u00ef\u00f6\u00fc\u00e8\u00ea\u00ff",
}
NEW_NAME = "pick:start.players ok "  # from the first screen to an empty name


def test_every_letter_of_the_languages_is_in_the_table_in_both_sizes():
    for lang in LETTERS:
        letters = "".join(pages_of(lang))
        for small in LETTERS["en"] + LETTERS[lang]:
            capital = upper(small)
            assert capital in letters, (lang, small)
            assert lower(capital) == small, (lang, small)
            assert capital == small or capital != small.upper() or lower(capital) != capital, small


def test_no_letter_stands_twice_and_all_pages_but_the_last_are_full():
    for lang in LETTERS:
        pages = pages_of(lang)
        letters = "".join([page[:-1] for page in pages])
        assert len(set(letters)) == len(letters) == len(set("".join(pages_of("en")))) - 1, lang
        assert all(page[-1] == MORE for page in pages), lang
        assert all(len(page) == 25 for page in pages[:-1]) and len(pages[-1]) <= 25, lang


def test_the_letters_of_the_first_page_are_in_the_order_of_the_alphabet():
    for lang in LETTERS:
        first = pages_of(lang)[0][:-1].replace("\u00c9", "")
        assert list(first) == sorted(first), lang
    assert "\u00c9" in pages_of("fr")[0]


def test_signs_digits_and_the_sharp_s_are_the_same_small_and_large():
    for char in "-'.0123456789\u00df \u65e5":
        assert (lower(char), upper(char)) == (char, char)


def test_a_letter_takes_two_keys_and_the_footer_tells_how_to_delete_and_to_finish():
    d = Device().keys(NEW_NAME + "up")
    assert d.sees("A", "B", "C", "D", "E") and not d.sees("F")
    d.keys("left ok right")
    assert d.app.top.name == "Bn" and d.sees("hold: done", "delete")
    d.keys("undo")
    assert d.app.top.name == "B"
    d.keys("up hold:ok")
    assert d.app.roster.names == ["B"], "holding OK drops what its press has chosen"


def test_undo_goes_back_from_five_letters_to_all_and_leaves_an_empty_name():
    d = Device().keys(NEW_NAME + "up undo")
    assert d.sees("A", "F", "Y") and d.app.top.name == ""
    d.keys("undo")
    assert d.sees("Players", "New name")


def test_an_arrow_that_is_held_chooses_only_once():
    d = Device().keys(NEW_NAME + "hold:up")
    assert d.app.top.name == ""
    d.keys("hold:up")
    assert d.app.top.name == "A"


def test_every_letter_can_be_written_in_every_language():
    for lang in LETTERS:
        name = "Qx. \u00dc-9" + LETTERS[lang][-3:]
        d = Device(language=lang).keys(NEW_NAME + spelled(name, lang))
        assert d.app.top.name == name, lang


def test_accented_names_are_written_with_a_capital_and_small_letters_after_it():
    d = Device().keys(NEW_NAME + spelled("\u00c9lo\u00efse"))
    assert d.app.top.name == "\u00c9lo\u00efse" and d.sees("\u00c9lo\u00efse_"), d.text()


def test_no_name_begins_with_a_space_or_is_empty():
    d = Device().keys(NEW_NAME + spelled(" ") + " hold:ok")
    assert d.sees("Two keys choose a letter.") and d.app.roster.names == []


def test_players_with_accented_names_have_marks_in_capitals():
    from kiebitz.screens.table_screen import initials

    assert initials(["\u00e9lodie", "\u00c9mile", "\u00e4nne", "anna"]) == ["\u00c9", "M", "\u00c4", "A"]


def test_a_name_with_other_letters_is_kept_as_it_is():
    d = Device()
    d.app.roster.add("\u0141ukasz \u65e5")
    d.keys("pick:start.players")
    assert d.sees("\u0141ukasz \u65e5") and not d.faults()
    d.restart()
    assert d.app.roster.names == ["\u0141ukasz \u65e5"]


def test_guests_are_marked_by_their_numbers():
    from kiebitz.screens.table_screen import initials

    for guest in ("Guest", "Gast", "Invit\u00e9", "Ospite"):
        assert initials([guest + " 1", "Anna", guest + " 3"]) == ["1", "A", "3"]


def test_the_letters_of_a_group_do_not_touch_the_header():
    d = Device().keys(NEW_NAME + "up")
    rows = [bytes(row) for row in d.hw.oled.frame()]
    assert not any(rows[7]) and not any(rows[8]) and any(rows[9])
