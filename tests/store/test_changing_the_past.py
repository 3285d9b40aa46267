"""Test correcting, inserting and removing entries, renaming seats and changing house rules, with a replay."""

from games.royal_flush.case import royal, royal_table, score, spend, state
from helpers.play import case_of, ev, refused, setup
from kiebitz.games import GAMES
from kiebitz.store.events import encode
from kiebitz.store.replay import ReplayedTable
from kiebitz.store.table import Table

UNDO = ev("undo")
REDO = ev("redo")


def option(name, value):
    return {"ev": "option", "name": name, "value": value}


# H-T1
def test_a_piece_taken_out_moves_the_later_ones_up():
    table = royal_table(score(0, "pair"), score(1, "pair"), score(2, "pair"))
    table.play(ev("remove", at=0))
    assert table.game.summary()["slots"]["pair"] == [1, 2, None]
    assert table.game.totals() == [0, 2, 1] and len(table) == 2


# H-T2
def test_what_no_longer_fits_is_named_and_nothing_has_changed():
    table = royal_table(spend(0, 3))
    before = state(table)
    assert refused("E_CHIPS", table.play, ev("insert", at=0, event=spend(0, 3))).at == 0
    assert state(table) == before


# H-T3
def test_a_piece_forgotten_in_round_one_counts_for_all_that_follows():
    table = royal_table(spend(0, 3), score(0, "pair"), royal(1), spend(2, 1), score(2, "pair"))
    assert table.game.round_points == [[2, 25, 0]] and table.game.chips == [3, 6, 5]
    table.play(ev("insert", at=2, event=score(2, "pair")))
    table.play(ev("insert", at=2, event=spend(2, 3)))
    assert table.game.round_points == [[2, 25, 1]] and table.game.chips == [4, 7, 3]
    assert table.game.totals() == [2, 25, 3] and len(table) == 7


# H-T4
def test_undo_and_redo_of_a_change_give_the_same_summaries():
    changes = (ev("insert", at=1, event=score(2, "pair")), ev("remove", at=0), ev("correct", at=0, event=spend(0, 1)))
    for change in changes:
        table = royal_table(spend(0, 2), score(1, "pair"), score(0, "pair"))
        before = state(table)[:4]
        table.play(change)
        after = table.game.summary(), list(table.events())
        assert len(table) == {"insert": 4, "remove": 2, "correct": 3}[change["ev"]]
        table.play(UNDO)
        assert state(table)[:4] == before
        table.play(REDO)
        assert (table.game.summary(), list(table.events())) == after
        table.play(ev("undo", k=4))
        assert len(table) == 0 and not table.can_undo
        table.play(ev("redo", k=4))
        assert (table.game.summary(), list(table.events())) == after and not table.can_redo


# H-T5
def test_taking_out_the_entry_that_ended_a_game_opens_it_again():
    table = royal_table(royal(0), royal(0), spend(1, 2), royal(0))
    assert table.game.over
    refused("E_OVER", table.play, ev("insert", at=4, event=spend(1, 1)))
    table.play(ev("remove", at=3))
    assert not table.game.over and table.game.round == 3
    table.play(spend(1, 1))
    table.play(ev("undo", k=2))
    assert table.game.over and len(table) == 4


def test_the_only_entry_can_be_taken_out_and_brought_back():
    table = royal_table(spend(0, 2))
    table.play(ev("remove", at=0))
    assert len(table) == 0 and table.can_undo
    assert table.last_event() == ev("remove", at=0, event=spend(0, 2))
    table.play(UNDO)
    assert list(table.events()) == [spend(0, 2)]
    assert table.next_redo() == ev("remove", at=0, event=spend(0, 2))


def test_insert_behind_the_last_entry_is_the_same_as_entering_it():
    table, plain = royal_table(spend(0, 2)), royal_table(spend(0, 2), score(1, "pair"))
    table.play(ev("insert", at=1, event=score(1, "pair")))
    assert table.game.snapshot() == plain.game.snapshot() and list(table.events()) == list(plain.events())


def test_a_change_names_an_entry_in_force_and_an_event_of_the_game():
    table = royal_table(spend(0, 1), spend(1, 1), UNDO)
    before = state(table)
    for at in (-1, 2, 3, None, True, "0", 1.0):
        refused("E_ARG", table.play, ev("insert", at=at, event=spend(0, 2)))
    for at in (-1, 1, 2, None, True, "0", 1.0):
        refused("E_ARG", table.play, ev("remove", at=at))
    for event in (None, 7, [], UNDO, REDO, ev("remove", at=0), ev("insert", at=0, event=spend(1, 1))):
        refused("E_ARG", table.play, ev("insert", at=0, event=event))
        refused("E_ARG", table.play, ev("correct", at=0, event=event))
    assert state(table) == before


def test_a_doubt_stays_confirmed_in_what_follows_and_a_new_doubt_is_refused():
    table = Table(setup("royal_flush", 3, child=[1, 0, 0]))
    joker = dict(score(1, "pair", "7H *"), confirm=True)
    for event in (spend(0, 1), joker, score(0, "three_kind", jokers=2)):
        table.play(event)
    table.play(ev("insert", at=0, event=spend(2, 1)))
    assert table.event(2) == joker
    assert refused("W_JOKER_LIMIT", table.play, ev("insert", at=0, event=score(0, "pair", jokers=1))).at == 3


# H-T6
def test_names_given_anew_stay_with_the_points_of_their_seats_in_every_game():
    for kind in GAMES:
        table = Table(setup(kind, 3))
        for event in case_of(kind).FIRST:
            table.play(event)
        names, told, entries = list(table.game.names), table.game.summary(), len(table)
        lists = [told[key] for key in told if key != "players" and isinstance(told[key], list)]
        assert [values for values in lists if len(values) == 3 and values[0] != values[1]], kind
        swapped = [names[1], names[0], names[2]]
        table.play(ev("seats", players=swapped))
        assert table.game.summary() == dict(told, players=swapped), kind
        table.play(UNDO)
        assert table.game.summary() == told, kind
        table.play(REDO)
        for players in ([names[0]] * 3, names[:2], names + ["Eve"], ["", "B", "C"], "ABC", None, [1, 2, 3]):
            refused("E_ARG", table.play, ev("seats", players=players))
        refused("E_ARG", table.play, ev("seats"))
        assert table.game.names == swapped and len(table) == entries + 1, kind


# H-T6
def test_names_swapped_after_the_end_leave_points_and_winners_with_their_seats():
    table = royal_table(score(1, "pair"), royal(0), royal(0), royal(0))
    names, told = list(table.game.names), table.game.summary()
    assert table.game.over and told["totals"][0] != told["totals"][1] and told["winners"] == [0]
    swapped = [names[1], names[0], names[2]]
    table.play(ev("seats", players=swapped))
    assert table.game.summary() == dict(told, players=swapped)
    refused("E_ARG", table.play, ev("seats", players=[names[0], names[0], names[2]]))
    table.play(UNDO)
    assert table.game.summary() == told


def test_a_seat_is_taken_over_after_the_end_too_and_that_is_corrected_and_taken_out():
    table = royal_table(royal(0), royal(0), royal(0))
    totals, winners = table.game.totals(), table.game.winners()
    table.play(ev("seats", players=[" Eva ", "Ben", "Cleo"]))
    assert table.event(3) == ev("seats", players=["Eva", "Ben", "Cleo"])
    assert table.game.over and table.game.names[0] == "Eva"
    table.play(ev("correct", at=3, event=ev("seats", players=["Eve", "Ben", "Cleo"])))
    table.play(ev("insert", at=0, event=ev("seats", players=["Zoe", "Ben", "Cleo"])))
    assert table.game.names[0] == "Eve" and table.game_at(2).names[0] == "Zoe"
    table.play(ev("remove", at=4))
    assert table.game.names == ["Zoe", "Ben", "Cleo"]
    assert table.game.totals() == totals and table.game.winners() == winners


# H-T7
def test_a_house_rule_that_an_entry_does_not_fit_is_refused_and_names_the_entry():
    table = Table(setup("poch", 3))
    marriage = ev("cash", p=0, pool="MARRIAGE")
    for event in (ev("start_round", trump="S"), ev("cash", p=0, pool="K"), marriage):
        table.play(event)
    before = state(table)
    assert refused("E_CASH_CONFLICT", table.play, option("overlap_cash", "off")).at == 2
    assert state(table) == before and table.game.options["overlap_cash"] == "on"
    table.play(UNDO)
    table.play(option("overlap_cash", "off"))
    assert table.game.options["overlap_cash"] == "off" and len(table) == 3
    refused("E_CASH_CONFLICT", table.play, marriage)


# H-T8
def test_sharing_out_after_the_last_round_of_a_game_that_is_over_changes_totals_and_no_winner():
    table = royal_table(royal(0), royal(0), spend(0, 2), spend(1, 4), royal(0))
    told = table.game.summary()
    table.play(option("distribute_after_last", "on"))
    summary = table.game.summary()
    assert summary["winners"] == told["winners"] == [0]
    assert summary["totals"] == [total + 4 for total in told["totals"]]
    table.play(UNDO)
    assert table.game.summary() == told
    table.play(REDO)
    assert table.game.summary() == summary


# H-T9
def test_a_higher_target_opens_a_game_that_is_over():
    table = Table(setup("any_game", 2, {"end": "target", "limit": 100}))
    for event in (ev("points", p=0, k=104), ev("points", p=1, k=3)):
        table.play(event)
    assert table.game.over
    table.play(option("limit", 150))
    assert not table.game.over and table.game.totals() == [104, 3]
    table.play(ev("points", p=0, k=1))
    assert refused("E_OVER", table.play, option("limit", 100)).at == 3
    assert refused("E_OVER", table.play, ev("remove", at=2)).at == 3
    assert len(table) == 4 and table.game.options["limit"] == 150


def test_a_house_rule_is_checked_as_at_the_set_up_in_every_game():
    for kind in GAMES:
        table = Table(setup(kind, 3))
        if "turns" not in table.game.OPTIONS:
            continue
        for name, value in (("turn", "free"), ("turns", "x"), ("turns", None), ("turns", 1), ("turns", [])):
            refused("E_SETTING", table.play, option(name, value))
        for event in ({"ev": "option", "name": "turns"}, ev("option", value="free"), option(None, "free")):
            refused("E_ARG", table.play, event)
        for name in ("players", "dealer " if kind == "poch" else "dealer", "mode", "boards"):
            refused("E_SETTING", table.play, option(name, 1))
        assert not len(table), kind
        table.play(option("turns", "follow"))
        assert table.game.follows and len(table) == 1, kind
        table.play(UNDO)
        assert not table.game.follows, kind


def test_values_that_do_not_go_together_are_refused_and_the_last_one_in_force_counts():
    table = Table(setup("any_game", 2, {"end": "target", "limit": 5000}))
    refused("E_SETTING", table.play, option("end", "open"))
    refused("E_SETTING", table.play, option("end", "rounds"))
    table.play(option("limit", 500))
    table.play(option("end", "rounds"))
    assert refused("E_SETTING", table.play, ev("remove", at=0)).at is None
    table.play(option("limit", 20))
    table.play(ev("remove", at=0))
    assert [table.game.options[name] for name in ("end", "limit")] == ["rounds", 20] and len(table) == 2
    table.play(ev("correct", at=1, event=option("limit", 30)))
    table.play(ev("insert", at=0, event=option("limit", 40)))
    assert table.game.options["limit"] == 30
    table.play(ev("undo", k=2))
    assert table.game.options["limit"] == 20


def test_a_correction_that_takes_a_house_rule_back_replays_what_came_before_it():
    table = royal_table(score(0, "pair"), option("one_slot_per_board", "on"), score(0, "three_kind"))
    refused("E_SLOT_REPEAT", table.play, score(0, "pair"))
    table.play(ev("correct", at=1, event=score(0, "pair")))
    plain = royal_table(score(0, "pair"), score(0, "pair"), score(0, "three_kind"))
    assert table.game.snapshot() == plain.game.snapshot() and table.game.options["one_slot_per_board"] == "off"
    assert refused("E_SLOT_REPEAT", table.play, ev("insert", at=0, event=option("one_slot_per_board", True))).at == 1
    table.play(ev("remove", at=1))
    table.play(ev("insert", at=2, event=option("one_slot_per_board", True)))
    assert table.event(2) == option("one_slot_per_board", "on")
    assert table.game_at(0).options["one_slot_per_board"] == "on"


def test_a_script_with_changes_of_the_past_is_read_line_by_line():
    script = ReplayedTable()
    lines = [setup("royal_flush", 3), spend(0, 2), score(1, "pair"), ev("insert", at=1, event=score(2, "pair"))]
    for line in lines + [ev("remove", at=0), UNDO, UNDO, REDO]:
        script.feed(encode(line).encode())
    assert list(script.table.events()) == [spend(0, 2), score(2, "pair"), score(1, "pair")]
    assert script.table.game.totals() == [0, 1, 2]
