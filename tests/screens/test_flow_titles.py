"""Test that a game with a title shows it in every list and header, and fewest points rank first."""

from helpers.device import Device
from kiebitz.games import new_game
from kiebitz.screens.library import GameCard, LibraryMenu
from kiebitz.screens.table_screen import ranked
from kiebitz.text import game_name, said, text

SKYJO = {
    "game": "any_game",
    "title": "Skyjo",
    "players": ["Anna", "Ben", "Cleo"],
    "options": {"wins": "low", "end": "target", "limit": 100},
}
COUNTER = {"game": "any_game", "title": "Life", "players": ["Anna", "Ben"], "options": {"entry": "counter"}}
CARRE = {"game": "poker_carre", "players": ["Anna", "Ben"]}


def shelf():
    """Return a device with a finished Skyjo, an unfinished counter and, running, a game without a title."""
    device = Device()
    games = device.app.library
    games.create(dict(COUNTER))
    games.play({"ev": "add", "p": 1, "k": 5})
    games.create(dict(SKYJO))
    for p, k in ((0, 98), (1, 60), (2, 101)):
        games.play({"ev": "points", "p": p, "k": k})
    games.create(dict(CARRE))
    return device


def labels(device):
    device.app.push(LibraryMenu(device.app))
    device.wait(100)
    found = device.app.top.labels()
    return [said(found[i]) if callable(found[i]) else str(found[i]) for i in range(len(found))]


def test_without_a_title_the_name_of_the_kind_counts():
    assert game_name("poch") == game_name("poch", "") == game_name("poch", None) == "Poch"
    assert game_name("poch", "Skyjo") == "Skyjo"


def test_the_library_lists_games_by_their_titles():
    device = shelf()
    lines = labels(device)
    assert "Skyjo" in lines[1] and "Ben" in lines[1]
    device.restart()  # the same from the index on flash
    assert labels(device)[1] == lines[1]
    assert device.sees("Skyjo", "Life", text("game.poker_carre"))


def test_the_card_of_a_game_has_its_title_and_the_fewest_points_first():
    device = shelf()
    games = device.app.library
    entry = games.entry(games.ids()[1])
    assert (entry["title"], entry["low"]) == ("Skyjo", True)
    device.app.push(GameCard(device.app, entry))
    device.wait(100)
    assert device.sees("Skyjo")
    shown = device.text()
    assert shown.index("Ben") < shown.index("Anna") < shown.index("Cleo")
    device.keys("ok")
    assert device.sees("Skyjo")


def test_a_game_without_a_title_has_the_line_in_the_index_that_it_always_had():
    device = shelf()
    games = device.app.library
    entry = games.entry(games.ids()[0])
    assert "title" not in entry and "low" not in entry
    assert entry["game"] == "poker_carre"


def test_the_ranking_has_the_fewest_points_first_where_they_win():
    game = new_game(SKYJO)
    for p, k in ((0, 98), (1, 60)):
        game.apply({"ev": "points", "p": p, "k": k})
    assert ranked(game) == [(1, 2, 0), (2, 1, 60), (3, 0, 98)]
    game.apply({"ev": "points", "p": 2, "k": 101})
    assert ranked(game) == [(1, 1, 60), (2, 0, 98), (3, 2, 101)]
