"""The same again: one press where a game has ended begins the next one, with the next dealer."""

from helpers.device import at_table
from kiebitz.store.events import encode

ROYAL = {
    "game": "royal_flush",
    "players": ["Anna", "Ben", "Cleo"],
    "dealer": 2,
    "child": [0, 1, 0],
    "options": {"turns": "follow"},
}
OVER = {"ev": "end_game"}


def ended():
    """Return a device that shows the final ranking of a game."""
    d = at_table(ROYAL, [{"ev": "score", "p": 0, "board": "pair"}, OVER])
    d.keys("ok")
    assert d.sees("Final ranking", "again", "go on", "large")
    return d


def test_one_press_at_the_end_begins_the_same_game_again_and_the_next_player_deals():
    d = ended()
    first = d.app.library.running
    d.keys("left")
    setup = d.table.setup
    assert d.app.library.running not in (None, first) and not d.game.over and d.game.totals() == [0, 0, 0]
    assert setup["players"] == ROYAL["players"] and setup["dealer"] == 0 and setup["child"] == [0, 1, 0]
    assert d.game.options["turns"] == "follow" and d.sees("The same again. Dealer: Anna")
    d.restart()
    assert encode(d.table.setup) == encode(setup)


def test_the_game_that_ended_stays_on_the_shelf():
    d = ended()
    first = d.app.library.running
    d.keys("left left pick:menu.leave")
    assert d.app.library.entry(first)["finished"] and len(d.app.library.ids()) == 2


def test_whoever_took_over_a_seat_plays_again():
    d = at_table(ROYAL, [{"ev": "seats", "players": ["Anna", "Dan", "Cleo"]}, OVER])
    d.keys("ok left")
    assert d.game.names == ["Anna", "Dan", "Cleo"] and d.app.roster.last == ["Anna", "Dan", "Cleo"]


def test_a_look_at_the_standings_begins_nothing():
    d = at_table(ROYAL, [{"ev": "score", "p": 0, "board": "pair"}])
    game_id = d.app.library.running
    d.keys("left")
    d.pick("Standings")
    assert d.sees("Standings") and not d.sees("again")
    d.keys("left")
    assert d.app.library.running == game_id and d.sees("Standings")


def test_on_a_full_flash_the_reason_is_said_and_nothing_is_lost():
    d = ended()
    first = d.app.library.running
    d.storage.full_at(d.storage.count, 0, stays=True)
    d.keys("left")
    assert d.app.library.ids() == [first] and d.sees("Memory")
    d.storage.make_room()
    assert d.app.library.entry(first)["finished"]
