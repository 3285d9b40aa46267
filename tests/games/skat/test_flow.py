"""Test the list of Skat by key presses: who played, the fields of a game, overbid games, Ramsch, corrections."""

from helpers.device import Device, at_table
from helpers.play import ev, setup
from kiebitz.raster import icons

SEATS = ("left", "up", "right", "down")
FULL = {"kontra": "on", "ramsch": "on", "score": "seeger"}


def table(n=3, *events, **options):
    return at_table(setup("skat", n, options), events)


def alone(p, kind, tops=None, won=True, **more):
    event = ev("play", p=p, game=kind, won=won, **more)
    if tops is not None:
        event["tops"] = tops
    return event


def last(device):
    return device.table.event(len(device.table) - 1)


def hints(device):
    return " ".join([" ".join(page) for page in device.app.canvas.hints])


def test_clubs_with_two_won_takes_six_presses():
    d = table()
    before = d.presses
    d.keys("left ok right ok*3")
    assert d.presses - before == 6
    assert last(d) == alone(0, "C", 2) and d.game.totals() == [36, 0, 0]


def test_the_same_presses_are_the_same_entry_for_every_player():
    for p, key in enumerate(SEATS):
        d = at_table(setup("skat", 4, dealer=(p + 1) % 4), [])
        d.keys(key + " ok right ok*3")
        assert last(d) == alone(p, "C", 2)
        d.keys("ok at:skat.menu.passed ok" + " ok at:skat.menu.passed ok" * 2)  # until the same player deals
        d.keys(key + " ok right ok*3")
        assert last(d) == alone(p, "C", 2)


def test_the_value_is_told_as_players_count():
    d = table()
    d.keys("up ok right ok right*2")
    assert d.sees("with 2 game 3 Hand", "4 x12=48") and d.sees("0\u219248")
    d.keys("ok right")
    assert d.sees("lost") and d.sees("x12=48 x-2 = -96") and d.sees("0\u2192-96")
    d.keys("ok")
    assert last(d) == alone(1, "C", 2, False, mods="h")


def test_what_an_announcement_implies_is_shown():
    d = table()
    d.keys("up ok*2 left*4")
    assert d.sees("Schneider announced") and d.sees("game 2 Hand", "3 Schneider", "4 ann.", "5 x12=60")
    d.keys("left*5 right*8")
    assert d.sees("Ouvert") and d.sees("H", "S", "S!", "Sw", "Sw!", "O", "x12=96")
    d.keys("ok*2")
    assert last(d)["mods"] == "hsSbBo"


def test_a_grand_has_four_tops_and_a_suit_eleven():
    d = table()
    d.keys("left ok right*20")
    assert d.sees("with 11")
    d.keys("up left*2")
    assert d.sees("with 4")
    d.keys("down right*3")
    assert d.sees("with 4")
    d.keys("left*4")
    assert d.sees("without 1")
    d.keys("left*9")
    assert d.sees("without 4")
    d.keys("ok*3")
    assert last(d) == alone(0, "G", -4)


def test_null_has_neither_tops_nor_schneider():
    d = table()
    d.keys("up right*2 ok left ok right up*2 left*3")
    assert d.sees("Null 23") and not d.sees("with 1") and not d.sees("without 1")
    seen = []
    d.keys("ok")
    for _ in range(4):
        seen.append(d.app.top.points)
        d.keys("right")
    assert seen == [23, 35, 46, 59]
    d.keys("right*3 ok right ok")
    assert last(d) == alone(1, "N", won=False, mods="ho") and d.game.totals() == [0, -118, 0]


def test_kontra_is_offered_only_where_the_table_plays_it():
    d = table()
    d.keys("up ok*2")
    assert not d.sees("Kontra")
    d = table(3, **FULL)
    d.keys("up ok*2")
    assert d.sees("no Kontra")
    d.keys("right*2 ok*2")
    assert d.sees("x12=24 x4 = 96")
    d.keys("ok")
    assert last(d) == alone(1, "C", 1, mods="kr")


def test_an_overbid_game_is_lost_and_says_why():
    d = table()
    d.keys("up right ok ok right*2 ok down right*24")
    assert d.sees("bid 72", "Bid 72 above 33: overbid.", "7x11=77", "x-2", "-154") and d.sees("lost")
    d.keys("up right")
    assert d.sees("It is overbid: enter it as lost.")
    d.keys("ok")
    assert last(d) == alone(1, "S", 1, False, mods="h", bid=72) and d.game.totals() == [0, -154, 0]


def test_a_bid_that_the_game_holds_changes_nothing():
    d = table()
    d.keys("up ok*3 down right*4")
    assert d.sees("bid 23") and d.sees("x12=24") and d.sees("won")
    d.keys("left*5")
    assert d.sees("bid -")
    d.keys("ok")
    assert last(d) == alone(1, "C", 1)


def test_a_null_above_its_value_is_asked_about():
    d = table()
    d.keys("up left ok*2 down right*5 ok")
    assert d.sees("Really?", "Ben bid 24, but this Null is worth 23.")
    d.keys("ok")
    assert last(d) == alone(1, "N", bid=24, confirm=True) and d.game.totals() == [0, 23, 0]


def test_the_dealer_of_four_sits_out():
    d = table(4)
    assert d.sees("1/48", "Dan sits out")
    d.keys("down")
    assert d.sees("Dan deals and sits out.") and d.app.top.takes_back
    d.keys("left ok*4")
    assert d.sees("2/48", "Anna sits out")
    assert "\u2191\u2192\u2193played alone" in hints(d)


def test_long_names_leave_room_for_who_sits_out_and_who_leads():
    line = {"game": "skat", "players": ["Benedikt", "Elisabeth", "Maximilian", "Esmeralda"]}
    d = at_table(line, [alone(0, "G", 1), ev("passed"), ev("passed")])
    assert d.lines()[0].split()[-1] == icons.CROWN + "B" and d.sees("4/48 Maximilian sits out")


def test_a_game_that_all_passed_is_three_presses():
    d = table()
    before = d.presses
    d.keys("ok down ok")
    assert d.presses - before == 3 and last(d) == ev("passed")
    assert d.sees("2/36") and d.sees("All passed") and d.game.dealer == 0


def test_a_double_ok_in_the_menu_enters_nothing():
    d = table()
    d.keys("ok*2")
    assert len(d.table) == 0


def test_a_ramsch_is_entered_with_its_effect():
    d = table(4, **FULL)
    d.keys("ok pick:skat.menu.ramsch")
    assert not d.sees("Dan")
    d.keys("down ok right*7 up*4")
    assert d.sees("74", "0 \u2192 -74")
    d.keys("ok")
    assert last(d) == ev("ramsch", p=1, k=74) and d.game.totals() == [0, -74, 0, 0]
    d.keys("ok pick:skat.menu.ramsch ok*2")
    assert d.sees("A Ramsch costs 1 to 480 points.") and len(d.table) == 1
    d = table(4)
    d.keys("ok")
    assert not d.sees("Ramsch")


def test_undo_says_what_it_took_back():
    d = table(3, alone(0, "H", -3, False, mods="h"))
    d.keys("undo")
    assert d.sees("Taken back: Anna: \u2665 without 3 H \u2717") and len(d.table) == 0
    d.keys("hold:undo")
    assert d.game.totals() == [-100, 0, 0]


def test_undo_in_a_game_leaves_it_without_an_entry():
    d = table(3, alone(0, "C", 1))
    d.keys("up right ok undo")
    assert d.app.top.takes_back and len(d.table) == 1


def test_a_held_left_shows_the_scores_and_begins_no_game():
    d = table(3, alone(0, "C", 1))
    d.keys("hold:left")
    assert not d.sees("with 1")
    d.keys("ok")
    assert d.app.top.takes_back and len(d.table) == 1


def test_the_last_games_are_shown_with_points_totals_and_counts():
    d = table(3, alone(0, "C", 1), alone(1, "G", 1, False), alone(0, "D", 2))
    assert d.sees("Ben: Grand with 1 \u2717", "-96") and d.sees("Anna: \u2666 with 2 \u2713", "+27")
    assert d.sees("51", "2\u2713 0\u2717", "0\u2713 1\u2717")


def test_the_whole_list_has_running_totals_and_leads_to_the_entry():
    d = table(3, alone(0, "C", 1), {"ev": "option", "name": "score", "value": "seeger"}, alone(1, "G", 1, False))
    d.keys("ok pick:skat.menu.list")
    assert d.sees("2/2", "24", "-96")
    d.keys("up ok")
    assert d.sees("All entries")
    d.keys("ok pick:history.correct")
    assert d.sees("Anna: \u2663 with 1")
    d.keys("left ok*2 left ok*2")
    assert d.game.points[0] == 12 * 8


def test_a_correction_begins_with_the_game_as_it_was_entered():
    d = table(3, alone(1, "H", -3, False, mods="hs", bid=50))
    d.keys("ok pick:menu.history ok pick:history.correct up")
    assert d.sees("without 3", "Hand, Schneider", "lost", "bid 50")
    d.keys("down*3 right ok")
    assert d.game.totals() == [0, 60, 0]


def test_a_game_inserted_before_one_whose_player_deals_then_is_refused():
    d = table(4, alone(0, "C", 1))
    d.keys("ok pick:menu.history ok pick:history.insert ok pick:skat.menu.passed")
    assert d.sees("Anna deals and sits out.") and len(d.table) == 1


def test_a_series_ends_with_the_parts_of_seeger_fabian():
    d = table(3, alone(0, "C", 3), series=2, score="seeger")
    d.keys("up ok*3 right ok")
    assert d.game.over and d.sees("Final ranking", "138", "48+50+40", "-48-50+0")
    d.keys("ok")
    assert d.sees("Kiebitz")


def ready(n):
    """Return a device before a game of n guests."""
    return Device().keys("pick:start.new pick:game.skat" + " ok" * n + " right")


def test_the_series_is_as_long_as_usual_for_the_number_of_players():
    for n, games in ((3, "36"), (4, "48")):
        d = ready(n)
        assert d.sees("House rules: usual")
        d.keys("pick:new.rules up")
        assert d.sees("Games", games)
        d.keys("undo pick:new.start")
        assert d.sees("1/" + games)


def test_thirty_six_games_with_four_players_are_kept():
    d = ready(4).keys("pick:new.rules up ok down*12 ok")
    assert d.sees("36")
    d.keys("undo")
    assert d.sees("House rules: 1 changed")
    d.keys("pick:new.start")
    assert d.game.series == 36 and d.game.n == 4


def test_starting_over_asks_for_the_same_players():
    d = table(3, alone(0, "C", 1), score="seeger")
    d.keys("ok pick:menu.anew")
    assert d.sees("Begin the game", "Cleo")


def test_every_key_is_told_in_the_last_line():
    d = table(3, alone(0, "C", 1))
    for words in ("played alone", "menu", "undo", "scores"):
        assert words in hints(d)
    d.keys("up")
    for words in ("change", "next", "line", "back"):
        assert words in hints(d)
    d.keys("ok*3")
    assert "enter" in hints(d)
