"""Test that scripts choose menu lines by text key, in every language and at any position."""

from helpers.device import Device, at_table
from kiebitz.text import LANGUAGES

ROYAL = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}


def problem(d, script):
    """Return the error of a script; no key must be pressed for a wrong word."""
    before = d.presses
    try:
        d.keys(script)
    except LookupError as trouble:
        assert d.presses == before
        return str(trouble)
    return None


def test_a_line_is_chosen_in_every_language():
    for lang in LANGUAGES:
        d = Device(language=lang)
        d.keys("pick:start.settings pick:set.sound")
        assert d.app.settings["sound"] is False, lang
        d.keys("at:set.flip")
        assert d.app.settings["flip"] is False
        d.keys("ok")
        assert d.app.settings["flip"] is True


def test_the_way_to_a_line_is_the_shortest_one():
    d = Device()
    assert d.pressed("pick:start.settings undo") == "up ok undo"
    assert d.pressed("at:start.settings at:start.new at:start.games") == "down down"
    assert d.pressed("at:start.settings") == "down down"


def test_a_label_that_is_a_string_is_chosen_by_its_words():
    d = Device()
    d.app.roster.add("Anna")
    d.keys("pick:start.players pick:Anna pick:players.remove")
    assert d.app.roster.names == []
    d.keys("undo pick:start.settings pick:set.language pick:Deutsch pick:language.change")
    assert d.app.settings["language"] == "de"
    d.keys("undo pick:start.new pick:game.any_game pick:title.Points")
    assert d.sees("Wer spielt?"), d.text()


def test_a_wrong_key_names_the_lines_of_the_menu():
    d = Device()
    told = problem(d, "pick:start.setting")
    assert "pick:start.setting: the menu has no line" in told
    assert "its lines are start.new, start.games, start.players, start.settings" in told
    d.keys("pick:start.settings")
    assert "more than one line" in problem(d, "at:val.on")
    assert "BoardsScreen is not a menu" in problem(at_table(ROYAL).keys("ok"), "pick:menu.leave")


def test_choosing_leaves_the_language_as_it_was():
    d = Device(language="fr")
    d.keys("at:start.players")
    assert d.sees("Nouvelle partie")
    assert problem(d, "at:nothing") and d.sees("Nouvelle partie")
    d.keys("up down")
    assert d.sees("Nouvelle partie")
