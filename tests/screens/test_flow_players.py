"""Test the choice of players (guests, written names, seating order, known players)."""

from helpers.device import Device
from kiebitz.screens.new_game import set_up
from kiebitz_lab.handheld import spelled

ROYAL = "ok ok "  # from the first screen to Who plays?


def seats(d):
    """Return the lines of the list that have a seat."""
    return [line for line in d.lines() if line[:1].isdigit()]


def test_a_guest_takes_one_press_and_is_called_after_the_seat():
    d = Device().keys(ROYAL + "ok*4")
    assert d.sees("4 of 2-5", "4 Guest 4")
    d.keys("right ok")
    assert d.game.names == ["Guest 1", "Guest 2", "Guest 3", "Guest 4"]


def test_guests_are_called_so_in_the_language_of_the_device():
    names = {"de": "Gast 1", "fr": "Invit\u00e9 1", "it": "Ospite 1", "nl": "Gast 1"}
    for lang in names:
        d = Device(language=lang).keys(ROYAL + "ok*2 right ok")
        assert d.game.names[0] == names[lang]


def test_guests_do_not_stay_on_the_list_but_can_play_again():
    d = Device().keys(ROYAL + "ok*2 pick:players.new " + spelled("Ben") + " hold:ok hold:ok ok")
    assert d.game.names == ["Guest 1", "Guest 2", "Ben"]
    assert d.app.roster.names == ["Ben"]
    d.restart()
    d.keys("left pick:menu.leave pick:start.new ok")
    assert d.sees("Same again: Guest 1, Guest 2, Ben")
    d.keys("ok ok")
    assert d.game.names == ["Guest 1", "Guest 2", "Ben"]


def test_the_name_of_a_guest_can_be_written_over():
    d = Device().keys(ROYAL + "ok*3 up*2")
    assert d.sees("name", "up", "done")
    d.keys("ok")
    assert d.sees("Name for seat 2?")
    d.keys(spelled("Eva") + " hold:ok")
    assert seats(d) == ["1 Guest 1", "2 Eva", "3 Guest 3"]
    d.keys("undo")
    assert seats(d) == ["1 Guest 1", "2 Guest 2", "3 Guest 3"]


def test_names_are_written_one_after_the_other_and_holding_ok_goes_on():
    d = Device().keys(ROYAL + "pick:players.new " + spelled("An") + " hold:ok")
    assert d.sees("Name for seat 2?") and not d.sees("hold: go on")
    d.keys(spelled("Bo") + " hold:ok")
    assert d.sees("Name for seat 3?", "hold: go on")
    d.keys("hold:ok")
    assert d.sees("Begin the game", "Dealer: Bo")
    d.keys("undo")
    assert seats(d) == ["1 An", "2 Bo"] and d.app.roster.names == ["Bo", "An"]


def test_a_name_is_followed_by_the_list_if_there_are_others_to_choose_from():
    d = Device()
    d.app.roster.add("Anna")
    d.keys(ROYAL + "pick:players.new " + spelled("Bo") + " hold:ok")
    assert d.sees("1 Bo", "\u2610 Anna")


def test_players_are_listed_by_their_seats_and_the_cursor_goes_on_to_the_next_name():
    d = Device()
    d.app.roster.replace(["Anna", "Ben", "Cleo", "Dan"])
    d.keys(ROYAL + "down*2 ok ok up*2")
    assert d.lines()[1:5] == ["1 Cleo", "2 Dan", "\u2610 Anna", "\u2610 Ben"]
    d.keys("ok ok up*2")
    assert d.lines()[1:5] == ["1 Cleo", "2 Dan", "3 Anna", "4 Ben"]


def test_a_player_is_moved_up_and_the_first_one_to_the_end():
    d = Device()
    d.app.roster.replace(["Anna", "Ben", "Cleo"])
    d.keys(ROYAL + "ok*3")
    assert seats(d) == ["1 Anna", "2 Ben", "3 Cleo"]
    d.keys("up left")
    assert seats(d) == ["1 Anna", "2 Cleo", "3 Ben"] and d.sees("away", "up", "done")
    d.keys("left left")
    assert seats(d) == ["1 Anna", "2 Ben", "3 Cleo"]
    d.keys("up*2 left")
    assert seats(d) == ["1 Ben", "2 Cleo", "3 Anna"]
    d.keys("undo*4")
    assert seats(d) == ["1 Anna", "2 Ben", "3 Cleo"]
    d.keys("up left right ok")
    assert d.game.names == ["Ben", "Anna", "Cleo"]


def test_guests_are_called_after_their_new_seats_when_they_move():
    d = Device()
    d.app.roster.add("Anna")
    d.keys(ROYAL + "ok ok up*2 down left")
    assert seats(d) == ["1 Guest 1", "2 Anna"]


def test_a_seat_is_taken_away_and_given_back_by_undo():
    d = Device()
    d.app.roster.replace(["Anna", "Ben", "Cleo"])
    d.keys(ROYAL + "ok*3 up*2 ok")
    assert seats(d) == ["1 Anna", "2 Cleo"] and d.sees("\u2610 Ben")
    d.keys("undo")
    assert seats(d) == ["1 Anna", "2 Ben", "3 Cleo"]
    d.keys("undo*3")
    assert seats(d) == [] and d.sees("Who plays?")
    d.keys("undo")
    assert d.sees("Which game?")


def test_more_than_all_seats_are_refused():
    d = Device().keys(ROYAL + "ok*6")
    assert d.sees("for 2 to 5 players, not for 6")
    d.keys("pick:players.new")
    assert d.sees("for 2 to 5 players, not for 6")
    assert len(d.app.top.seated) == 5


def test_the_set_up_opens_with_given_players_and_leads_back_to_them():
    d = Device()
    set_up(d.app, "poch", ["Anna", "Guest 2", "Cleo"])
    d.wait(50)
    assert d.sees("Poch", "Begin the game", "Dealer: Cleo")
    d.keys("undo")
    assert seats(d) == ["1 Anna", "2 Guest 2", "3 Cleo"]
    d.keys("down*2 left right ok")
    assert d.game.KIND == "poch" and d.game.names == ["Anna", "Cleo", "Guest 3"]


def test_too_many_given_players_are_shown_to_choose_from():
    d = Device()
    set_up(d.app, "royal_flush", ["A", "B", "C", "D", "E", "F"])
    d.wait(50)
    assert d.sees("Who plays?", "6 of 2-5")
    d.keys("right")
    assert d.sees("not for 6")
    d.keys("ok right ok")
    assert d.game.names == ["B", "C", "D", "E", "F"]


def test_the_set_up_keeps_its_settings_while_the_players_stay_the_same():
    d = Device().keys("ok pick:game.top_spot ok*3 right pick:new.mode")
    assert d.sees("Scoring: Refereed")
    d.keys("undo right")
    assert d.sees("Scoring: Refereed") and d.app.top.at == 0
    d.keys("undo ok right")
    assert d.sees("Dealer: Guest 4", "Scoring: Tally")
