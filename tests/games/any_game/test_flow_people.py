"""Test joining, leaving, teams and who ended a round at the table of any other game, with keys and screens."""

from helpers.device import Device, at_table

THREE = ["Anna", "Ben", "Cleo"]
BOARDS = ("pico_oled", "pico_lcd_13")
SKYJO = {
    "game": "any_game",
    "players": THREE,
    "title": "Skyjo",
    "options": {"wins": "low", "end": "target", "limit": 100, "ender": "doubles"},
}
ROMME = dict(SKYJO, title="Rommé", options={"wins": "low"})
CANASTA = {
    "game": "any_game",
    "players": THREE + ["Dan"],
    "title": "Canasta",
    "deals": 1,
    "step": 5,
    "teams": [0, 1, 0, 1],
    "options": {"end": "target", "limit": 5000},
}


def points(*by_seat):
    """Return the entries of a round by seat."""
    return [{"ev": "points", "p": p, "k": k} for p, k in enumerate(by_seat)]


def test_somebody_joins_in_the_middle_of_a_round_with_the_points_of_the_table():
    for board in BOARDS:
        d = at_table(ROMME, points(12, 5), board=board)
        d.keys("hold:ok pick:any.menu.join down ok")
        assert d.sees("Points of Guest 4 so far", "0")
        d.keys("right*4 ok")
        assert d.game.names == THREE + ["Guest 4"] and d.game.totals() == [12, 5, 0, 40]
        assert d.app.top.at == 2 and d.sees("Guest 4", "40")
        d.keys("up ok up*2 ok")
        assert d.game.rounds == [[12, 5, 1, 2]]
        d.keys("undo undo undo")
        assert d.game.names == THREE and d.sees("Taken back: Guest 4 joins: 40")
        d.keys("hold:undo")
        assert d.game.n == 4 and d.app.top.at == 2


def test_who_joins_may_have_a_new_name_which_the_list_keeps():
    d = at_table(ROMME)
    d.keys("hold:ok pick:any.menu.join pick:players.new up up hold:ok ok")
    assert d.game.n == 4 and d.game.names[3] in d.app.roster.names


def test_a_power_cut_after_a_join_keeps_all_four():
    d = at_table(ROMME, points(1, 2))
    d.keys("hold:ok pick:any.menu.join down ok right ok up ok")
    d.restart()
    assert d.game.names == THREE + ["Guest 4"] and d.game.totals() == [1, 2, 1, 10] and d.app.top.at == 3
    d.keys("hold:left")
    assert d.sees("Guest 4")


def test_a_ninth_player_is_told_what_to_do():
    d = at_table(dict(ROMME, players=list("ABCDEFGH")))
    d.keys("hold:ok pick:any.menu.join")
    assert d.sees("All 8 seats are taken.", "names and seats")


def test_somebody_leaves_and_comes_back():
    for board in BOARDS:
        d = at_table(ROMME, points(12), board=board)
        d.keys("hold:ok pick:any.menu.away down*2 ok")
        assert d.game.gone == [1] and d.sees("(Ben)", "pauses") and d.app.top.at == 2
        d.keys("up ok")
        assert d.game.rounds == [[12, None, 1]]
        d.keys("hold:ok pick:any.menu.back down ok")
        assert d.game.gone == [] and d.app.top.at == 0


def test_the_last_who_leaves_closes_the_round():
    d = at_table(ROMME, points(12, 5))
    d.keys("hold:ok pick:any.menu.away down*3 ok")
    assert d.game.rounds == [[12, 5, None]] and d.sees("Round 2")


def test_who_has_points_or_would_leave_one_behind_is_told_what_to_do():
    d = at_table(ROMME, points(12))
    d.keys("hold:ok pick:any.menu.away down ok")
    assert d.sees("Anna has points in this", "round.") and d.game.gone == []
    two = at_table(dict(ROMME, players=THREE[:2]))
    two.keys("hold:ok pick:any.menu.away down ok")
    assert two.sees("At least 2 have to stay.")


def test_a_counter_goes_past_who_is_away():
    counter = {"game": "any_game", "players": THREE, "options": {"entry": "counter"}}
    d = at_table(counter)
    d.keys("hold:ok pick:any.menu.away down*2 ok")
    assert d.sees("(Ben)", "pauses")
    d.keys("down right ok")
    assert d.game.totals() == [0, 0, 1]


# --- teams ---


def test_a_team_is_asked_once_and_reads_as_one_line():
    for board in BOARDS:
        d = at_table(CANASTA, board=board)
        assert d.sees("Anna+Cleo", "Ben+", "Dan", "Round 1", "Total")
        d.keys("right*3 ok")
        assert d.game.now == [150, None, 150, None] and d.app.top.at == 1
        d.keys("right ok")
        assert d.game.rounds == [[150, 50, 150, 50]]
        d.keys("hold:ok pick:any.menu.sheet")
        assert d.sees("Anna+Cleo", "150")


def test_with_teams_the_menu_offers_nobody_to_join_or_leave():
    d = at_table(CANASTA)
    d.keys("hold:ok")
    assert not any("joins" in line or "leaves" in line for line in d.lines())
    assert d.app.top.at == 0 and not any("joins" in str(label) for label in d.app.top.labels())


def set_up(title, players):
    """Return a device at the last screen before a game with this title."""
    d = Device()
    d.keys("ok")
    d.pick("Any game")
    d.pick(title)
    d.keys(f"ok*{players} right")
    return d


def test_canasta_with_four_has_two_teams_and_with_three_has_none():
    d = set_up("Canasta", 4)
    assert d.sees("Canasta") and any("Teams: 2" in str(label()) for label, _ in d.app.top.items[2:])
    d.keys("ok")
    assert d.game.teams == [0, 1, 0, 1] and d.app.top.number.step == 5
    three = set_up("Canasta", 3)
    three.keys("ok")
    assert three.game.teams is None


def test_doppelkopf_is_ready_with_one_press():
    d = set_up("Doppelkopf", 5)
    assert d.sees("Dealer: Guest 5")
    d.keys("ok")
    assert d.game.exchanges and d.table.setup["deals"] == 1


def test_the_dealer_line_comes_and_goes_with_the_deal():
    d = set_up("Points", 3)
    assert not d.sees("Dealer:")
    d.pick("Deal: not shown")
    assert d.sees("Deal: shown")
    d.keys("at:new.start")
    assert d.sees("Dealer: Guest 3")
    d.pick("Begin the game")
    assert d.sees("Guest 3") and d.table.setup["deals"] == 1


def test_every_value_of_who_won_what_fits_the_other_rules():
    d = set_up("Skyjo", 4)
    d.pick("Points: by rounds")
    d.pick("Points: counter")
    d.pick("Begin the game")
    assert d.game.exchanges and not d.game.low_wins and d.game.options["ender"] == "off"


# --- who ended the round ---


def test_before_the_last_points_of_a_round_the_table_asks_who_ended_it():
    for board in BOARDS:
        d = at_table(SKYJO, points(9, 14), board=board)
        d.keys("right ok")
        assert d.sees("Who ended the round?", "Anna", "Ben", "Cleo") and len(d.table) == 2
        d.keys("down*3 ok")
        assert d.game.rounds == [[9, 14, 20]] and d.sees("Round 2")


def test_nobody_may_have_ended_it_and_leaving_the_question_enters_nothing():
    d = at_table(SKYJO, points(9, 14))
    d.keys("right ok")
    assert d.sees("Back to the game") and not d.sees("Leave as it is"), "no line looks like an entry without an ender"
    d.keys("ok")
    assert len(d.table) == 2 and d.app.top.number.value == 10
    d.keys("ok up ok")
    assert d.game.rounds == [[9, 14, 10]]


def test_who_ended_can_be_entered_at_once_from_the_menu():
    d = at_table(SKYJO, points(9))
    d.keys("hold:ok pick:any.menu.ended down ok")
    assert d.game.ender == 0 and d.app.top.at == 1
    d.keys("up ok up ok")
    assert d.game.rounds == [[18, 1, 1]]
