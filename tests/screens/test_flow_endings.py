"""Test the endings of games, choosing menu lines by meaning, and changing earlier entries at the table."""

from helpers.device import Device, at_table
from kiebitz.store.events import encode
from kiebitz.text import LANGUAGES

ROYAL = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}
SPOT = {"game": "top_spot", "players": ["Anna", "Ben", "Cleo"]}
POCH = {"game": "poch", "players": ["Anna", "Ben", "Cleo"]}
PAIR = {"ev": "score", "p": 1, "board": "pair"}


def test_royal_flush_is_ended_as_it_stands_and_undo_opens_it_again():
    d = at_table(ROYAL, [PAIR, {"ev": "spend", "p": 0, "k": 2}])
    d.keys("left")
    d.pick("Finish the game now")
    assert d.sees("Ben would win with 12.", "Finish the game now?") and not d.game.over
    d.keys("ok")
    assert d.game.over and d.game.summary()["early"] and d.game.totals() == [6, 12, 10]
    assert d.sees("Round 1 is over")
    d.keys("ok")
    assert d.sees("Final ranking")
    d.keys("undo undo")
    assert not d.game.over and d.game.totals() == [0, 2, 0]


def test_a_match_of_top_spot_is_ended_as_it_stands():
    d = at_table(SPOT, [{"ev": "point", "p": 2}])
    d.keys("ok")
    d.pick("Finish the match now")
    assert d.sees("Cleo would win with 1.")
    d.keys("ok")
    assert d.game.over and d.game.summary()["early"] and d.sees("The match is over")


def test_poch_ends_after_the_round():
    d = at_table(POCH, [{"ev": "start_round", "trump": "H"}])
    d.keys("left")
    d.pick("Finish the game now")
    assert d.sees("Play this round to its end") and not d.game.over


def test_a_game_is_thrown_away_and_undo_brings_it_back():
    d = at_table(ROYAL, [PAIR])
    game_id = d.app.library.running
    d.keys("left")
    d.pick("Discard the game")
    assert d.sees("Kiebitz", "Discarded. UNDO brings") and d.app.library.running is None
    d.restart()
    assert d.app.library.running is None and not d.sees("Go on playing")
    d.keys("pick:start.games")
    assert d.lines()[1].startswith("\ue004Royal Flush 1")
    d.keys("ok ok pick:shelf.bring_back")
    assert d.sees("Round 1 of 3", "Ben") and d.app.library.running == game_id and d.app.library.thrown.pairs == []
    d.keys("left")
    d.pick("Discard the game")
    d.keys("undo")
    assert d.sees("Round 1 of 3", "Ben") and d.app.library.running == game_id


def test_the_order_of_the_seats_is_mended_by_beginning_anew():
    d = at_table(ROYAL)
    first = d.app.library.running
    d.keys("left")
    d.pick("Start over, same players")
    assert d.sees("Royal Flush", "The game so far is kept") and d.app.library.running is None
    d.keys("undo")  # to the players in the order of their seats
    d.keys("down left right ok")
    assert d.game.names == ["Ben", "Anna", "Cleo"] and d.app.library.running != first
    assert d.app.library.thrown.ids() == [first]


def test_open_games_are_told_apart_in_the_list():
    d = at_table(ROYAL, [PAIR])
    d.keys("left pick:menu.leave")
    d.sit_down(ROYAL, [{"ev": "score", "p": 2, "board": "royal_flush"}])
    d.keys("left pick:menu.leave")
    d.sit_down(SPOT, [{"ev": "point", "p": 0}])
    d.keys("ok")
    d.pick("Pause the game")
    d.keys("pick:start.games")
    lines = d.lines()
    assert lines[1] == "\ue011Top Spot 1 \ue002Anna"
    assert lines[2] == "\ue011Royal Flush 2 \ue002Cleo"
    assert lines[3] == "\ue011Royal Flush 1 \ue002Ben"


SETUP = {
    "game": "royal_flush",
    "players": ["Anna", "Ben", "Cleo"],
    "dealer": 2,
    "child": [0, 1, 0],
    "options": {"turns": "follow"},
}
OVER = {"ev": "end_game"}


def ended():
    """Return a device that shows the final ranking of a game."""
    d = at_table(SETUP, [{"ev": "score", "p": 0, "board": "pair"}, OVER])
    d.keys("ok")
    assert d.sees("Final ranking", "again", "go on", "large")
    return d


def test_one_press_at_the_end_begins_the_same_game_again_and_the_next_player_deals():
    d = ended()
    first = d.app.library.running
    d.keys("left")
    setup = d.table.setup
    assert d.app.library.running not in (None, first) and not d.game.over and d.game.totals() == [0, 0, 0]
    assert setup["players"] == SETUP["players"] and setup["dealer"] == 0 and setup["child"] == [0, 1, 0]
    assert d.game.options["turns"] == "follow" and d.sees("The same again. Dealer: Anna")
    d.restart()
    assert encode(d.table.setup) == encode(setup)


def test_the_game_that_ended_stays_on_the_shelf():
    d = ended()
    first = d.app.library.running
    d.keys("left left pick:menu.leave")
    assert d.app.library.entry(first)["finished"] and len(d.app.library.ids()) == 2


def test_whoever_took_over_a_seat_plays_again():
    d = at_table(SETUP, [{"ev": "seats", "players": ["Anna", "Dan", "Cleo"]}, OVER])
    d.keys("ok left")
    assert d.game.names == ["Anna", "Dan", "Cleo"] and d.app.roster.last == ["Anna", "Dan", "Cleo"]


def test_a_look_at_the_standings_begins_nothing():
    d = at_table(SETUP, [{"ev": "score", "p": 0, "board": "pair"}])
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


ENTRIES = "left pick:menu.history "  # the menu of Royal Flush, All entries


def pair(p):
    return {"ev": "score", "p": p, "board": "pair"}


def board(d, name):
    """Choose a board of the list, wherever the cursor is."""
    d.app.top.at = d.game.boards.index(name)
    d.keys("ok")


def test_while_an_entry_is_corrected_the_header_says_which_and_the_cursor_is_where_it_was():
    d = at_table(ROYAL, [pair(0), {"ev": "score", "p": 1, "board": "four_kind"}, pair(2)])
    d.keys(ENTRIES + "down ok pick:history.correct")
    assert d.lines()[0].endswith("2 Ben: Four of a Kind") and not d.sees("Round 1 of 3")
    d.keys("down up")
    assert d.lines()[0].endswith("2 Ben: Four of a Kind")
    d.keys("ok")
    assert d.sees("Ben +14", "Four of a Kind")
    board(d, "three_kind")
    assert d.sees("Corrected: Ben: Three of a Kind", "Round 1 of 3") and d.game.totals() == [2, 6, 1]
    d.keys("undo")
    assert d.sees("Taken back: Entry 2 corrected") and d.game.totals() == [2, 14, 1]


def test_a_correction_can_be_left_with_undo():
    d = at_table(ROYAL, [pair(0), pair(1)])
    before = d.game.snapshot()
    d.keys(ENTRIES + "down ok pick:history.correct undo")
    assert d.sees("Correct this entry")
    d.keys("undo undo undo")
    assert d.sees("Round 1 of 3", "Ben: Pair") and d.game.snapshot() == before and len(d.table) == 2


def test_a_forgotten_entry_is_inserted_before_another_one():
    d = at_table(ROYAL, [pair(0), pair(2)])
    d.keys(ENTRIES + "ok pick:history.insert")
    assert d.lines()[0].endswith("before 2 Cleo: Pair") and d.game.totals() == [2, 0, 1]
    d.app.top.at = 1
    d.keys("ok")
    board(d, "pair")
    assert d.sees("Inserted: Ben: Pair") and d.game.totals() == [2, 1, 1] and len(d.table) == 3
    d.restart()
    assert d.game.totals() == [2, 1, 1] and d.table.event(1) == pair(1)
    d.keys("undo")
    assert d.sees("Taken back: Entry 2 inserted") and len(d.table) == 2


def test_an_entry_that_never_happened_is_deleted():
    d = at_table(ROYAL, [pair(0), pair(1), pair(2)])
    d.keys(ENTRIES + "up ok pick:history.remove")
    assert d.sees("Deleted: Anna: Pair") and d.game.totals() == [0, 2, 1]
    d.restart()
    assert d.game.totals() == [0, 2, 1]
    d.keys("undo")
    assert d.sees("Taken back: Entry 1 deleted") and d.game.totals() == [2, 1, 1]


def test_what_would_no_longer_fit_is_named():
    d = at_table(ROYAL, [{"ev": "spend", "p": 0, "k": 3}, {"ev": "spend", "p": 0, "k": 2}])
    d.keys(ENTRIES + "ok pick:history.insert right ok")
    assert d.sees("Then this would not fit:", "Anna spends 2") and len(d.table) == 2


def test_a_change_that_moves_the_end_of_a_round_is_asked_for():
    royal = {"ev": "score", "p": 1, "board": "royal_flush"}
    d = at_table(ROYAL, [pair(0), royal, pair(2)])
    d.keys(ENTRIES + "down ok pick:history.correct ok")
    board(d, "pair")
    assert d.sees("Correct this entry", "Then round 1 ends at", "Is that right?") and d.game.round == 2
    d.keys("undo")
    assert d.game.round == 2
    d.keys("ok ok")
    assert d.sees("Corrected: Ben: Pair") and d.game.round == 1 and d.game.totals() == [2, 1, 1]


def test_deleting_the_end_of_the_game_says_that_it_goes_on():
    over = [{"ev": "score", "p": 0, "board": "royal_flush"}] * 3
    d = at_table(ROYAL, over)
    assert d.game.over
    d.keys("left pick:menu.history ok pick:history.remove")
    assert d.sees("Delete this entry", "Then the game goes on.")
    d.keys("ok")
    assert not d.game.over and d.sees("Deleted: Anna: Royal Flush")


def test_two_names_that_were_entered_the_wrong_way_round_are_exchanged():
    d = at_table(ROYAL, [pair(0)])
    d.keys("left")
    d.pick("Names and seats")
    assert d.sees("1 Anna  2", "2 Ben  0", "3 Cleo  0")
    d.keys("ok down*2 ok")
    assert d.sees("The points stay with the", "seat: Ben has 2 now.") and d.game.names[0] == "Anna"
    d.keys("ok")
    assert d.game.names == ["Ben", "Anna", "Cleo"] and d.game.totals() == [2, 0, 0]
    assert d.sees("Names: Ben, Anna, Cleo")
    d.restart()
    assert d.game.names == ["Ben", "Anna", "Cleo"]
    d.keys("undo")
    assert d.game.names == ["Anna", "Ben", "Cleo"]


def test_somebody_of_the_roster_takes_over_a_seat_even_after_the_end():
    d = at_table(ROYAL, [{"ev": "score", "p": 0, "board": "royal_flush"}] * 3)
    d.app.roster.add("Eva")
    d.keys("left")
    d.pick("Names and seats")
    d.keys("ok")
    d.pick("Eva takes over")
    d.keys("ok")
    assert d.game.over and d.game.names == ["Eva", "Ben", "Cleo"] and d.game.winners() == [0]
    d.keys("left")
    d.pick("All entries")
    d.keys("ok pick:history.correct")  # correct the names
    assert d.sees("Names and seats", "1 Anna")
