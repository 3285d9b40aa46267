"""Test properties of tables and replays with random games."""

import copy
import json

import make_replays
import pytest
from helpers.play import case_of
from helpers.watch import PlainTable, watch
from hypothesis import given, settings
from hypothesis import strategies as st
from kiebitz.games import GAMES, Refused, game_class, new_game
from kiebitz.games.base import COMMON
from kiebitz.store.events import encode
from kiebitz.store.replay import ReplayedTable
from kiebitz.store.table import Table
from kiebitz_lab.dice import Dice
from kiebitz_lab.random_games import change, next_event, next_line, setup

# Each number throws one event. 0 stands for none, so that a failing game shrinks to the few events that matter.
SEEDS = st.integers(0, 0xFFFF)
STEPS = st.lists(SEEDS, min_size=20, max_size=70)
MANY_STEPS = st.lists(SEEDS, min_size=50, max_size=120)

every_game = pytest.mark.parametrize("kind", GAMES)
half_as_many = settings(max_examples=settings().max_examples // 2)


def dices(steps):
    return (Dice(step) for step in steps if step)


def attempt(action, *args):
    """Return the refusal, or None if the action was accepted."""
    try:
        action(*args)
    except Refused as refusal:
        return refusal
    return None


def played(kind, start, steps):
    """Return a table after these steps, and the state after each event that was not undone."""
    table = Table(setup(kind, Dice(start)))
    states = [table.game.snapshot()]
    for dice in dices(steps):
        if not attempt(table.play, next_event(table.game, dice, wild=4)):
            states.append(table.game.snapshot())
    return table, states


def whole_game(line, seed):
    """Return the events of a finished game."""
    game, dice, events = new_game(line), Dice(seed), []
    while not game.over:
        event = next_event(game, dice, wild=0)
        if not attempt(game.apply, event):
            events.append(event)
    return events


# --- the rules ---


@every_game
@given(start=SEEDS, steps=MANY_STEPS)
def test_books_balance_and_refusals_change_nothing(kind, start, steps):
    game = new_game(setup(kind, Dice(start)))
    watcher = watch(game)
    for dice in dices(steps):
        event = next_event(game, dice, wild=25)
        entered, before, told = copy.deepcopy(event), game.snapshot(), game.summary()
        if attempt(game.read, event) is None:
            watcher.before(event)
        refusal = attempt(game.apply, event)
        assert event == entered
        if refusal:
            assert refusal.code[:2] in ("E_", "W_")
            assert game.snapshot() == before and game.summary() == told
        else:
            watcher.after(event)


@every_game
@half_as_many
@given(start=SEEDS, steps=STEPS)
def test_the_snapshot_is_the_whole_state_and_the_journal_form_the_whole_event(kind, start, steps):
    line = setup(kind, Dice(start))
    game = new_game(line)
    for dice in dices(steps):
        event = next_event(game, dice)
        copied = new_game(line)
        copied.restore(game.snapshot())
        assert copied.snapshot() == game.snapshot() and copied.summary() == game.summary()
        refusal = attempt(game.apply, event)
        if refusal:
            assert attempt(copied.apply, event).code == refusal.code
        else:
            kept = game.canonical(event)
            assert game.canonical(kept) == kept and json.loads(encode(kept)) == kept
            copied.apply(kept)
        assert copied.snapshot() == game.snapshot() and copied.summary() == game.summary()


@given(start=SEEDS, seed=SEEDS)
def test_sharing_out_after_the_last_round_changes_no_winner_of_royal_flush(start, seed):
    assert_same_winners("royal_flush", start, seed, "distribute_after_last", ("off", "on"))


@given(start=SEEDS, seed=SEEDS)
def test_splitting_the_last_pools_changes_no_winner_of_poch(start, seed):
    assert_same_winners("poch", start, seed, "final_pools", ("ignore", "split"))


def assert_same_winners(kind, start, seed, option, values):
    line = setup(kind, Dice(start))
    winners = []
    for value in values:
        line["options"][option] = value
        game = new_game(line)
        for event in whole_game(line, seed):
            game.apply(event)
        winners.append(game.winners())
    assert winners[0] == winners[1] != []


# --- the table ---


@every_game
@half_as_many
@given(start=SEEDS, steps=STEPS)
def test_undo_is_the_exact_inverse_at_every_step_and_all_the_way(kind, start, steps):
    table, states = played(kind, start, steps)
    for state in reversed(states[:-1]):
        table.undo()
        assert table.game.snapshot() == state
    assert len(table) == 0 and attempt(table.undo).code == "E_PHASE"
    for state, before in zip(states[1:], states, strict=False):
        table.redo()
        assert table.game.snapshot() == state
        table.undo()
        assert table.game.snapshot() == before
        table.redo()
    assert table.game.snapshot() == states[-1] and attempt(table.redo).code == "E_PHASE"


@every_game
@half_as_many
@given(start=SEEDS, steps=STEPS)
def test_any_mix_of_play_undo_redo_and_changes_is_what_a_plain_table_says(kind, start, steps):
    line = setup(kind, Dice(start))
    table, plain, script = Table(line), PlainTable(line), ReplayedTable()
    script.feed(encode(line).encode())
    for dice in dices(steps):
        entered = next_line(table, dice)
        refusal = attempt(table.play, entered)
        expected = attempt(plain_play, plain, entered)
        assert (refusal and refusal.code) == (expected and expected.code)
        assert getattr(refusal, "at", None) == getattr(expected, "at", None)
        assert table.game.snapshot() == plain.state and len(table) == len(plain.events)
        if refusal is None:
            script.feed(json.dumps(entered).encode())
    assert list(table.events()) == plain.events == list(script.table.events())
    assert script.table.game.snapshot() == plain.state


def plain_play(plain, line):
    if isinstance(line.get("ev"), str):
        plain.play(line)
    else:
        raise Refused("E_ARG")


@every_game
@half_as_many
@given(start=SEEDS, steps=STEPS)
def test_the_journal_replayed_gives_the_same_game(kind, start, steps):
    table, states = played(kind, start, steps)
    again, script = Table(json.loads(encode(table.setup))), ReplayedTable()
    script.feed(encode(table.setup).encode())
    for k, event in enumerate(table.events()):
        again.play(event)
        script.feed(encode(event).encode())
        assert again.game.snapshot() == script.table.game.snapshot() == states[k + 1]
    assert again.game.summary() == table.game.summary() == script.table.game.summary()


@every_game
@half_as_many
@given(start=SEEDS, steps=STEPS, seeds=st.lists(SEEDS, min_size=1, max_size=8))
def test_correcting_and_correcting_back_gives_the_same_game(kind, start, steps, seeds):
    table, states = played(kind, start, steps)
    events = list(table.events())
    for seed in seeds:
        line = change("correct", table, Dice(seed))
        refusal = attempt(table.play, line)
        if refusal is None:
            assert table.event(line["at"]) == table.game.canonical(line["event"])
            table.change("correct", line["at"], events[line["at"]])
        elif refusal.at is not None:
            assert line["at"] < refusal.at < len(events)
        assert table.game.snapshot() == states[-1] and list(table.events()) == events
    while table.can_undo:
        table.undo()
    assert table.game.snapshot() == states[0]


@every_game
@half_as_many
@given(start=SEEDS, steps=STEPS, seeds=st.lists(SEEDS, min_size=1, max_size=8))
def test_inserting_and_removing_again_gives_the_same_game_and_so_does_the_other_way_round(kind, start, steps, seeds):
    table, states = played(kind, start, steps)
    events = list(table.events())
    for seed in seeds:
        for name in ("insert", "remove"):
            line = change(name, table, Dice(seed))
            refusal = attempt(table.play, line)
            if refusal is not None:
                # A house rule counts from the beginning, so it may also conflict with an entry before it
                concerned = line.get("event") or events[line["at"]]
                first = 0 if concerned.get("ev") == "option" else line["at"]
                assert refusal.at is None or first <= refusal.at < len(events)
            elif name == "insert":
                assert len(table) == len(events) + 1
                table.change("remove", line["at"])
            else:
                assert len(table) == len(events) - 1
                table.change("insert", line["at"], events[line["at"]])
            assert table.game.snapshot() == states[-1] and list(table.events()) == events
    while table.can_undo:
        table.undo()
    assert table.game.snapshot() == states[0]


@every_game
@half_as_many
@given(start=SEEDS, steps=STEPS, places=st.lists(SEEDS, min_size=1, max_size=8))
def test_where_a_changed_house_rule_stands_among_the_entries_makes_no_difference(kind, start, steps, places):
    table, states = played(kind, start, steps)
    entries = [event for event in table.events() if event["ev"] != "option"]
    changes = [event for event in table.events() if event["ev"] == "option"]
    for name in sorted(table.game.OPTIONS)[-1:]:  # none in a game without house rules
        changes.append({"ev": "option", "name": name, "value": table.game.options[name]})
    table = Table(table.setup)
    for event in changes + entries:
        table.play(event)
    assert table.game.snapshot() == states[-1]
    at = len(changes) - 1
    for place in places if changes else ():
        to = len(changes) + place % (len(entries) + 1)
        table.play({"ev": "insert", "at": to, "event": changes[-1]})
        table.play({"ev": "remove", "at": at + (to <= at)})
        at = to - (to > at)
        assert table.event(at) == changes[-1] and table.game.snapshot() == states[-1]
        changes_now = [event for event in table.events() if event["ev"] == "option"]
        assert changes_now == changes and len(table) == len(changes) + len(entries)


# --- the games thrown here ---


def shared_events(kind):
    """Return the events of every game; without house rules, none can be changed."""
    return {name for name in COMMON if name != "option" or game_class(kind).OPTIONS}


@every_game
def test_the_games_thrown_here_meet_every_event_phase_option_and_number_of_players(kind):
    cls = game_class(kind)
    events, phases, options, players, over = set(), set(), set(), set(), 0
    for seed in range(120):
        dice = Dice(seed)
        game = new_game(setup(kind, dice))
        players.add(game.n)
        options |= set(game.options.items())
        for _ in range(250):
            phases.add(game.phase)
            event = next_event(game, dice)
            if not attempt(game.apply, event):
                events.add(event["ev"])
        over += game.over
    assert events == set(cls.EVENTS) | shared_events(kind)
    assert phases == set(case_of(kind).PHASES)
    assert players == set(range(cls.PLAYERS[0], cls.PLAYERS[1] + 1))
    filled_in = getattr(case_of(kind), "DEFAULTS", {})  # house rules whose default depends on the players
    assert {(name, value) for name in cls.OPTIONS for value in cls.OPTIONS[name] if name not in filled_in} <= options
    assert over > 90


LINES = {kind: make_replays.path_of(kind).read_text(encoding="utf-8").splitlines() for kind in GAMES}


def events_of(kind):
    """Every line of the scripts of one game, the set-ups and blank lines left out."""
    for line in LINES[kind]:
        yield from (json.loads(text) for text in json.loads(line)["script"][1:] if text)


@pytest.mark.parametrize("kind", GAMES)
def test_the_recorded_games_are_what_the_rules_make_today(kind):
    assert make_replays.made(kind).splitlines() == LINES[kind], "see tests/make_replays.py"


@pytest.mark.parametrize("kind", GAMES)
def test_there_are_many_and_they_are_small(kind):
    assert len(LINES[kind]) >= 60
    assert make_replays.path_of(kind).stat().st_size < 150_000


@pytest.mark.parametrize("kind", GAMES)
def test_every_event_of_the_game_is_recorded_and_undone_and_changed(kind):
    names = {str(event.get("ev")) for event in events_of(kind)}
    assert names >= set(game_class(kind).EVENTS) | shared_events(kind) | {"undo", "redo", "correct", "insert", "remove"}


@pytest.mark.parametrize("kind", GAMES)
def test_some_games_are_played_to_their_end_and_some_are_refused(kind):
    games = [json.loads(line) for line in LINES[kind]]
    assert sum(bool(game["summary"] and game["summary"]["winners"]) for game in games) >= 5
    assert len({game["refused"] for game in games}) >= 5
    low, high = game_class(kind).PLAYERS
    assert {len(game["summary"]["players"]) for game in games if game["summary"]} == set(range(low, high + 1))
