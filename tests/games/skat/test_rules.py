"""Test the rules of Skat: values, overbid games, who sits out, series, Seeger-Fabian and changes of the past."""

from helpers.play import code_of, ended, ev, game, play, refused, refuses, setup, shows, sure
from kiebitz.store.table import Table
from kiebitz_lab.dice import Dice


def skat(n=3, **options):
    return game("skat", n, options)


def alone(p, kind, tops=None, mods="", won=True, bid=None):
    event = ev("play", p=p, game=kind, won=won)
    if tops is not None:
        event["tops"] = tops
    if mods:
        event["mods"] = mods
    if bid is not None:
        event["bid"] = bid
    return event


def option(rule, value):
    return {"ev": "option", "name": rule, "value": value}


def points(kind, tops=None, mods="", won=True, bid=None, kontra="off"):
    """Return the points of a single game."""
    g = skat(kontra=kontra)
    play(g, sure(alone(1, kind, tops, mods, won, bid)))
    shows(g, totals=[0, g.points[1], 0], game_no=2, dealer=0)
    return g.points[1]


# SK-T1
def test_grand_with_four_and_schneider_is_144():
    assert points("G", 4, "s") == 144


# SK-T2
def test_diamonds_without_two_lost_costs_54():
    assert points("D", -2, won=False) == -54


# SK-T3
def test_ouvert_implies_every_level():
    assert points("C", 2, "o") == 108
    assert points("G", 4, "o") == 264
    assert points("G", -4, "hsSbBo") == 264


# SK-T4
def test_hearts_with_two_hand_and_schneider_is_50():
    assert points("H", 2, "hs") == 50


# SK-T5
def test_who_has_overbid_loses_the_next_multiple_that_holds_the_bid():
    g = skat()
    refuses(g, "E_OVERBID", alone(0, "S", 1, "h", True, 72))
    info = refused("E_OVERBID", g.apply, alone(0, "S", 1, "h", True, 72)).info
    assert (info["bid"], info["k"]) == (72, 33)
    play(g, alone(0, "S", 1, "h", False, 72))
    shows(g, totals=[-154, 0, 0], lost=[1, 0, 0])
    assert points("S", 1, "h", False, 33) == -66
    assert points("S", 1, "h", True, 33) == 33
    assert points("C", 1, "k", False, 25, kontra="on") == -2 * 2 * 36
    assert points("C", 1, "r", False, 264, kontra="on") == -2 * 4 * 264
    refuses(skat(kontra="on"), "E_OVERBID", alone(0, "C", 1, "r", True, 25))  # Re does not save an overbid game


# SK-T6
def test_the_four_values_of_null():
    for mods, value in (("", 23), ("h", 35), ("o", 46), ("ho", 59), ("oh", 59)):
        assert points("N", None, mods) == value
        assert points("N", None, mods, won=False) == -2 * value
    assert points("N", None, "ohr", kontra="on") == 4 * 59


# SK-T7
def test_an_announcement_implies_hand():
    assert points("C", 1, "S") == points("C", 1, "hsS") == 12 * 5
    assert points("C", 1, "B") == points("C", 1, "hsSbB") == 12 * 7
    assert points("C", 1, "b") == points("C", 1, "sb") == 12 * 4
    assert points("C", 1, "r", kontra="on") == points("C", 1, "kr", kontra="on") == 4 * 24


# SK-T8
def test_seeger_fabian_with_three():
    g = skat(score="seeger")
    play(g, alone(0, "C", 3), alone(1, "C", 1, won=False))
    shows(g, totals=[48 + 50 + 40, -48 - 50, 40], points=[48, -48, 0], won=[1, 0, 0], lost=[0, 1, 0])
    assert g.title == "Skat Seeger" and not skat().title


# SK-T9
def test_the_dealer_of_four_sits_out_and_others_are_paid_for_a_lost_game():
    g = skat(4, score="seeger", ramsch="on")
    refuses(g, "E_SITS", alone(3, "C", 1), alone(3, "G", 9), ev("ramsch", p=3, k=5))
    refuses(g, "E_PLAYER", alone(4, "C", 1))
    play(g, alone(0, "H", 1, won=False))
    shows(g, totals=[-40 - 50, 30, 30, 30], dealer=0)
    refuses(g, "E_SITS", alone(0, "C", 1))
    play(g, alone(3, "C", 1, won=False))
    shows(g, totals=[-90 + 30, 60, 60, 30 - 48 - 50])


def test_with_three_the_dealer_plays():
    g = skat()
    play(g, alone(2, "C", 1))
    shows(g, totals=[0, 0, 24], dealer=0)


# SK-T10
def test_a_series_ends_after_thirty_six_games_with_three():
    g = skat()
    shows(g, series=36)
    for k in range(36):
        assert not g.over
        play(g, ev("passed") if k % 5 == 4 else alone(k % 3, "HD"[k % 2], 1))
    shows(g, game_no=37, early=False, phase="OVER", dealer=2)
    ended(g, [p for p in range(3) if g.points[p] == max(g.points)])
    refuses(g, "E_OVER", alone(0, "C", 1), ev("passed"), ev("end_game"), alone(7, "C", 1))
    shows(skat(4), series=48)


def test_an_inserted_game_moves_the_deal_of_the_later_ones():
    table = Table(setup("skat", 4))
    for event in (alone(0, "C", 1), alone(1, "S", 1), ev("passed"), alone(3, "D", 1)):
        table.play(event)
    before = table.game.snapshot()
    refusal = refused("E_SITS", table.play, ev("insert", at=0, event=ev("passed")))
    assert refusal.at == 0 and refusal.info["p"] == 0  # the game that named its dealer then
    assert table.game.snapshot() == before
    table.play(ev("insert", at=4, event=alone(2, "G", 1)))
    assert table.game.points == [24, 22, 48, 18] and table.game.dealer == 0
    table.play(ev("undo"))
    assert table.game.snapshot() == before


def test_no_game_can_be_inserted_into_a_full_series():
    table = Table(setup("skat", 3, {"series": 2}))
    table.play(alone(0, "C", 1))
    table.play(ev("passed"))
    refused("E_OVER", table.play, ev("insert", at=0, event=ev("passed")))
    table.play(option("series", 3))
    assert not table.game.over
    table.play(ev("insert", at=0, event=ev("passed")))
    assert table.game.over and table.game.points == [24, 0, 0]


def test_insert_and_remove_give_the_same_state_again():
    dice = Dice(13)
    for n in (3, 4):
        table = Table(setup("skat", n, {"series": 0, "score": "seeger"}))
        for _ in range(30):
            code_of(table.play, alone(dice.below(n), dice.pick("CSHDG"), 1 + dice.below(4), "", dice.chance(80)))
        before, count = table.game.snapshot(), len(table)
        for at in range(count + 1):
            if code_of(table.play, ev("insert", at=at, event=ev("passed"))) is None:
                assert len(table) == count + 1
                table.play(ev("remove", at=at))
            assert table.game.snapshot() == before


# --- values ---

# ISkO 2.3: the base values, 2.4: a level each for the game, Hand, Schneider, its announcement, Schwarz, its
# announcement and Ouvert, 5.3: what is announced is played from the hand and includes what is below it
ISKO_BASES = (("D", 9), ("H", 10), ("S", 11), ("C", 12), ("G", 24))
ISKO_PLAYED = (  # (as it is said, levels above the game)
    ("", 0),
    ("s", 1),
    ("sb", 2),
    ("h", 1),
    ("hs", 2),
    ("hsb", 3),
    ("hsS", 3),
    ("hsSb", 4),
    ("hsSbB", 5),
    ("hsSbBo", 6),
)


def test_every_value_is_that_of_the_international_skat_order():
    seen = set()
    for kind, base in ISKO_BASES:
        for mods, levels in ISKO_PLAYED:
            for tops in range(1, 5 if kind == "G" else 12):
                expected = 0
                for _ in range(tops + 1 + levels):
                    expected += base
                seen.add(expected)
                for spelled in (mods, "".join(reversed(mods))):
                    for side in (1, -1):
                        assert points(kind, side * tops, spelled) == expected
                        assert points(kind, side * tops, spelled, False) == -2 * expected
                assert points(kind, tops, mods + "k", True, kontra="on") == 2 * expected
                assert points(kind, tops, mods + "r", False, kontra="on") == -8 * expected
    assert min(seen) == 18 and max(seen) == 264 and 216 in seen


def test_every_overbid_value_is_the_next_step_of_the_kind():
    for kind, base in ISKO_BASES:
        steps = [base * factor for factor in range(2, 40)]
        for bid in range(18, 265):
            enough = [step for step in steps if step >= bid]
            expected = max(enough[0], 2 * base)
            g = skat()
            assert code_of(g.apply, alone(0, kind, 1, "", True, bid)) == ("E_OVERBID" if bid > 2 * base else None)
            assert points(kind, 1, "", False, bid) == -2 * expected


def test_only_tops_that_there_are():
    g = skat()
    for tops in (0, 12, -12, 100, None):
        refuses(g, "E_TOPS", alone(0, "C", tops))
    for tops in (5, -5, 7):
        refuses(g, "E_TOPS", alone(0, "G", tops))
    refuses(g, "E_TOPS", alone(0, "N", 1), alone(0, "N", 0))
    refuses(g, "E_ARG", ev("play", p=0, game="N", tops=None, won=True), ev("play", p=0, game="C", tops=True, won=True))


def test_null_has_no_schneider():
    for mods in ("s", "hb", "oS", "B"):
        refuses(skat(), "E_MODS", alone(0, "N", None, mods))


def test_a_null_above_its_value_is_a_doubt_and_counts_as_entered():
    g = skat()
    refuses(g, "W_OVERBID", alone(0, "N", None, "", True, 24), alone(0, "N", None, "", False, 24))
    play(g, sure(alone(0, "N", None, "", True, 24)))
    shows(g, totals=[23, 0, 0])
    play(g, alone(1, "N", None, "", True, 23))


def test_malformed_games_are_refused():
    g = skat()
    refuses(g, "E_ARG", alone(0, "X", 1), alone(0, "c", 1), alone(0, "", 1))
    refuses(g, "E_ARG", alone(0, "C", 1, "hh"), alone(0, "C", 1, "x"))
    refuses(g, "E_ARG", alone(0, "C", 1, "k"), alone(0, "N", None, "r"), alone(0, "C", 1, won=None))
    for bid in (17, 265, 0, -18, True, "18"):
        refuses(g, "E_ARG", alone(0, "C", 1, bid=bid))
    refuses(g, "E_ARG", ev("play", p=0, game="C", tops=1), ev("play", game="C", tops=1, won=True))
    refuses(skat(kontra="on"), "E_ARG", alone(0, "C", 1, "kk"))


def test_ramsch_is_played_only_where_the_table_wants_it():
    refuses(skat(), "E_PHASE", ev("ramsch", p=0, k=10), ev("ramsch", p=9, k=10))
    g = skat(ramsch="on", score="seeger")
    for k in (0, -1, 481, True):
        refuses(g, "E_ARG", ev("ramsch", p=0, k=k))
    play(g, ev("ramsch", p=0, k=480), ev("ramsch", p=2, k=1))
    shows(g, totals=[-480, 0, -1], won=[0] * 3, lost=[0] * 3, game_no=3, dealer=1)


def test_a_list_that_stops_before_its_last_game_is_early_unless_it_is_open():
    for series, early in ((36, True), (0, False), (96, True)):
        g = skat(series=series)
        play(g, alone(1, "C", 1), ev("end_game"))
        shows(g, early=early, dealer=0, game_no=2)
        ended(g, [1])


def test_the_series_is_a_number_up_to_ninety_six():
    for series in (-1, 97, True, "36", None, 3.5):
        assert code_of(game, "skat", 3, {"series": series}) == "E_SETTING"
    for series in (0, 1, 96):
        assert skat(series=series).series == series


def test_codes_come_in_the_order_of_the_contract():
    g = skat(4)
    refuses(g, "E_ARG", alone(9, "X", 99, "hh"), alone(3, "N", 1, "kx"))
    refuses(g, "E_PLAYER", alone(9, "N", 1, "s"))
    refuses(g, "E_SITS", alone(3, "N", 1, "s"))
    refuses(g, "E_TOPS", alone(0, "N", 1, "s", True, 264))
    refuses(g, "E_MODS", alone(0, "N", None, "s", True, 264))
    play(g, ev("end_game"))
    refuses(g, "E_ARG", alone(0, "X", 1))
    refuses(g, "E_OVER", alone(9, "N", 1))


def test_kontra_that_the_table_gives_up_is_named():
    table = Table(setup("skat", 3, {"kontra": "on"}))
    table.play(alone(0, "C", 1, "k"))
    refusal = refused("E_ARG", table.play, option("kontra", "off"))
    assert refusal.at == 0 and table.game.points == [48, 0, 0]


def test_the_way_to_add_up_can_change_in_play():
    table = Table(setup("skat", 3))
    table.play(alone(0, "C", 1, won=False))
    table.play(option("score", "seeger"))
    assert table.game.totals() == [-98, 40, 40] and table.game.title
    table.play(ev("undo"))
    assert table.game.totals() == [-48, 0, 0] and not table.game.title
