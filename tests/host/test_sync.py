"""Sync: every game is stored once and complete, and confirmed to the device only after that."""

import pytest
from helpers.cable import (
    END,
    NOW,
    Requests,
    client,
    copy,
    held,
    ids,
    lines_of,
    memory_store,
    other_random,
    outcomes,
    spot,
    sync,
)
from helpers.device import Device, at_table
from helpers.play import ev, setup, short_game
from kiebitz.games import Refused
from kiebitz.store.table import Table
from kiebitz_host.link import sync as fetch
from kiebitz_host.link.client import READ_MAX
from kiebitz_host.link.sync import Sync
from kiebitz_host.link.trouble import LinkLost


def confirmed(device):
    return [device.app.library.entry(game_id)["confirmed"] for game_id in ids(device)]


# --- once and whole ---


def test_everything_is_fetched_kept_and_confirmed(evening, store):
    report = sync(evening, store)
    assert outcomes(report) == ["new"] * 5
    for game, game_id in zip(report.games, ids(evening), strict=True):
        assert game.id == game_id and game.confirmed and not game.flaw
        assert held(store, game_id) == lines_of(evening, game_id)
        assert game.entries == len(held(store, game_id))
    assert [game.finished for game in report.games] == [False] * 4 + [True]
    assert confirmed(evening) == [True] * 5
    assert evening.app.library.removable() == [ids(evening)[-1]]


def test_the_second_time_there_is_nothing_new(evening, store):
    sync(evening, store)
    requests = Requests()
    report = sync(evening, store, damage=requests)
    assert outcomes(report) == ["same"] * 5 and not report.news
    assert [verb for verb, _ in requests.asked] == ["who", "clock", "games"]


def test_only_what_is_new_is_fetched(evening, store):
    sync(evening, store)
    games = evening.app.library
    games.play(ev("undo"))
    games.play(ev("redo"))
    new = evening.sit_down(spot()).app.library.journal.id
    requests = Requests()
    known = sum(len(line) + 1 for line in evening.storage.files[ids(evening)[4] + ".kbz"].split(b"\n")[:4])
    report = sync(evening, store, damage=requests)
    assert [value for verb, value in requests.asked if verb == "read"] == [{"games": [ids(evening)[4], known, new, 0]}]
    assert outcomes(report) == ["same"] * 4 + ["longer", "new"]
    assert report.games[4].entries == 2
    assert all(held(store, game_id) == lines_of(evening, game_id) for game_id in ids(evening))


def test_a_device_without_games(store):
    report = sync(Device(), store)
    assert report.games == [] and report.aside == 0


def test_a_device_that_has_lost_its_index_is_synced_all_the_same(evening, store):
    evening.storage.put("index", b"rubbish\n" * 5)
    evening.app.library.release()
    report = sync(evening, store)
    assert outcomes(report) == ["new"] * 5 and confirmed(evening) == [True] * 5
    assert outcomes(sync(evening, store)) == ["same"] * 5


def test_what_came_before_the_cable_was_pulled_is_kept(evening, store):
    link = client(evening)
    link.hello()
    link.games()
    cut = link.transport.carried
    with pytest.raises(LinkLost):
        sync(evening, store, cut=cut + 1200)
    kept = [game_id for game_id in ids(evening) if store.stored_game(game_id)]
    assert kept == ids(evening)[: len(kept)] and 0 < len(kept) < 5
    assert outcomes(sync(evening, store)) == ["same"] * len(kept) + ["new"] * (5 - len(kept))


def test_more_games_than_fit_into_one_request(store):
    device = Device()
    for _ in range(READ_MAX + 3):
        device.sit_down(spot(), END)
    device.app.leave_table()
    report = sync(device, store)
    assert outcomes(report) == ["new"] * (READ_MAX + 3) and all(confirmed(device))
    assert all(held(store, game_id) == lines_of(device, game_id) for game_id in ids(device))


def test_a_game_that_the_flash_does_not_give_away_costs_no_other(evening, store):
    opened = evening.storage.open

    def trouble(name):
        if name == ids(evening)[1] + ".kbz":
            raise OSError(84)
        return opened(name)

    evening.storage.open = trouble
    report = sync(evening, store)
    assert outcomes(report) == ["new", "unreadable", "new", "new", "new"]
    assert report.games[1].flaw == "the device cannot read it (E_FLASH)"
    assert confirmed(evening) == [True, False, True, True, True]


def test_progress_ends_where_it_should(evening, store):
    told = []
    Sync(client(evening), store, NOW, lambda *numbers: told.append(numbers)).run()
    total = sum(len(lines_of(evening, game_id)) for game_id in ids(evening))
    assert told[0] == (0, total) and told[-1] == (total, total)
    assert told == sorted(told) and len({total for _, total in told}) == 1


def test_the_game_goes_on_while_it_is_fetched(store):
    device = at_table(setup("top_spot", 3, match_length=3))
    keys = ["ok", "right", "ok", "down", "ok", "undo", "ok", "left", "ok", "ok", "undo", "ok", "right", "ok"] * 2
    turns = 0

    def on_turn():
        nonlocal turns
        turns += 1
        if keys and turns % 20 == 1:
            device.hw.tap(keys.pop(0).upper())

    alone = at_table(setup("top_spot", 3, match_length=3))
    for key in list(keys):
        alone.hw.tap(key.upper())
        alone.wait(100)
    while keys:
        sync(device, store, on_turn=on_turn)
    device.wait(200)
    sync(device, store)
    game_id = device.app.library.journal.id
    assert held(store, game_id) == lines_of(device, game_id)
    assert lines_of(device, game_id)[1:] == lines_of(alone, alone.app.library.journal.id)[1:]
    assert len(lines_of(device, game_id)) > 5
    assert device.hw.usb.waited_ms == 0


def test_what_was_entered_after_it_was_fetched_is_not_confirmed(store):
    device = at_table(spot(), END[:1])
    link = client(device)
    confirm = link.confirm

    def late(*args):
        device.app.library.play(END[1])
        return confirm(*args)

    link.confirm = late
    report = Sync(link, store, NOW).run()
    assert not report.games[0].confirmed and confirmed(device) == [False]
    assert outcomes(sync(device, store)) == ["longer"] and confirmed(device) == [True]


# --- several laptops, several devices, backups ---


def test_two_laptops_get_everything(evening, store):
    with memory_store() as other:
        sync(evening, store)
        report = sync(evening, other)
        assert outcomes(report) == ["new"] * 5 and all(game.confirmed for game in report.games)
        for game_id in ids(evening):
            assert held(other, game_id) == held(store, game_id)
        evening.app.library.play(ev("undo"))
        assert outcomes(sync(evening, other))[-1] == "longer"
        assert outcomes(sync(evening, store))[-1] == "longer"
        assert outcomes(sync(evening, other)) == ["same"] * 5


def test_two_devices_do_not_get_in_each_others_way(evening, store):
    second = Device()
    second.board.device_id = second.app.library.device_id = "e660000000aaaaaa"
    second.sit_down(spot(), END)
    sync(evening, store)
    assert outcomes(sync(second, store)) == ["new"]
    assert outcomes(sync(evening, store)) == ["same"] * 5
    assert len({*ids(evening), *ids(second)}) == 6


def test_a_backup_that_is_restored_adds_nothing_and_takes_nothing_away(store):
    device = at_table(spot(), END[:1])
    old = copy(device)
    device.app.library.play(END[1])
    sync(device, store)
    game_id = device.app.library.journal.id
    before = held(store, game_id)
    report = sync(old, store)
    assert outcomes(report) == ["same"] and report.games[0].confirmed
    assert held(store, game_id) == before and store.stored_game(game_id).variants == []


def test_a_restored_backup_that_is_played_on_otherwise_keeps_both_courses(store):
    device = at_table(spot(), END[:1])
    old = copy(device)
    for event in END[1:]:
        device.app.library.play(event)
    game_id = device.app.library.journal.id
    sync(device, store)
    old.app.library.play(ev("undo"))
    assert outcomes(sync(old, store)) == ["apart"]
    assert held(store, game_id) == lines_of(device, game_id)
    assert store.stored_game(game_id).variants == [lines_of(old, game_id)]
    # Another sync changes nothing
    assert outcomes(sync(old, store)) == outcomes(sync(device, store)) == ["same"]
    # The shorter one grows, first as a variant, then beyond the other
    for lines, word in ((1, "apart"), (3, "apart")):
        for _ in range(lines):
            old.app.library.play(ev("point", p=2))
        assert outcomes(sync(old, store)) in (["longer"], [word])
        kept = [held(store, game_id), *store.stored_game(game_id).variants]
        assert sorted(kept) == sorted([lines_of(old, game_id), lines_of(device, game_id)])
    assert held(store, game_id) == lines_of(old, game_id)
    assert confirmed(old) == confirmed(device) == [True]


def test_a_device_that_was_erased_and_begins_anew(evening, store):
    sync(evening, store)
    anew = Device()
    other_random(anew, 77)
    anew.sit_down(spot(), END)
    assert outcomes(sync(anew, store)) == ["new"]
    assert ids(anew)[0] not in ids(evening)


def test_a_game_the_device_has_removed_stays_in_the_store(evening, store):
    sync(evening, store)
    gone = evening.app.library.removable()[0]
    lines = held(store, gone)
    evening.app.library.remove(gone)
    assert outcomes(sync(evening, store)) == ["same"] * 4
    assert held(store, gone) == lines


def test_a_game_that_is_removed_just_now_is_said(evening, store):
    link = client(evening)
    games = link.games

    def listed():
        found = games()
        evening.storage.remove(found[0][-1]["id"] + ".kbz")
        return found

    link.games = listed
    report = Sync(link, store, NOW).run()
    assert report.games[0].outcome == "unreadable" and report.games[0].flaw == "the device no longer has it"
    assert outcomes(report)[1:] == ["new"] * 4


# --- damage ---


def spoil(device, game_id, line):
    """Flip a bit in a line of a game's file, behind the back of the running device."""
    device.app.library.files.settle()
    data = device.storage.files[game_id + ".kbz"]
    at = sum(len(part) + 1 for part in data.split(b"\n")[:line])
    device.storage.flip(game_id + ".kbz", at + 8, 3)


@pytest.mark.parametrize("line", [1, 3, 6])
def test_a_damaged_game_is_fetched_as_far_as_it_is_good(evening, store, line):
    game_id = ids(evening)[1]
    good = lines_of(evening, game_id)
    spoil(evening, game_id, line)
    for outcome in ("new", "same"):
        report = sync(evening, store)
        game = report.games[1]
        assert game.outcome == outcome and not game.confirmed
        number = f"{line - 1} {'entry' if line == 2 else 'entries'}"
        assert game.flaw == f"line {line + 1} is damaged on the device: {number} could be taken"
        assert held(store, game_id) == good[:line] and store.stored_game(game_id).damaged
    assert confirmed(evening) == [True, False, True, True, True]


def test_damage_to_the_first_line_leaves_nothing(evening, store):
    spoil(evening, ids(evening)[1], 0)
    report = sync(evening, store)
    assert report.games[1].outcome == "unreadable"
    assert report.games[1].flaw == "line 1 is damaged on the device: nothing could be taken"
    assert store.stored_game(ids(evening)[1]) is None and len(report.news) == 4


def test_damage_takes_nothing_from_a_store_that_has_it_all(evening, store):
    sync(evening, store)
    game_id = ids(evening)[1]
    before = held(store, game_id)
    spoil(evening, game_id, 3)
    assert outcomes(sync(evening, store)) == ["same"] * 5
    assert held(store, game_id) == before and not store.stored_game(game_id).damaged


def test_what_the_device_has_set_aside_is_said(store):
    device = at_table(*short_game("poch"))
    game_id = device.app.library.journal.id
    good = lines_of(device, game_id)
    spoil(device, game_id, 4)
    device.restart()
    report = sync(device, store)
    assert report.aside == 1
    assert report.games[0].flaw == "a damaged part of it was set aside on the device: 3 entries could be taken"
    assert held(store, game_id) == good[:4] and store.stored_game(game_id).damaged


def test_a_game_that_is_damaged_from_the_start_is_listed_as_such(evening, store):
    game_id = ids(evening)[1]
    evening.storage.put(game_id + ".kbz", b"nothing of this is a journal\n")
    report = sync(evening, store)
    assert report.games[1].outcome == "unreadable"
    assert report.games[1].flaw == "it is damaged from its first line on"
    assert sync(evening, store).aside == 1


def test_rules_that_refuse_a_line_stop_there_and_take_the_rest_later(evening, store, monkeypatch):
    class Strict(fetch.ReplayedTable):
        def feed(self, line):
            if b"redo" in line:
                raise Refused("E_ARG", what="ev")
            return super().feed(line)

    game_id = ids(evening)[0]
    with monkeypatch.context() as older:
        older.setattr(fetch, "ReplayedTable", Strict)
        report = sync(evening, store)
    assert report.games[0].flaw == "line 5 is refused by the rules on this computer (E_ARG): 3 entries could be taken"
    assert not report.games[0].confirmed and held(store, game_id) == lines_of(evening, game_id)[:4]
    assert outcomes(sync(evening, store))[0] == "longer"
    assert held(store, game_id) == lines_of(evening, game_id) and confirmed(evening)[0]


# --- clock and names ---


def test_the_clock_is_set_and_games_from_before_get_a_sensible_time(store):
    device = Device()
    for _ in range(3):
        device.sit_down(spot(), END)
    report = sync(device, store)
    assert not report.clock_was_set and all(game.estimated for game in report.games)
    times = [store.stored_game(game_id) for game_id in ids(device)]
    assert [held.played_at for held in times] == [NOW - 3 * 3600, NOW - 2 * 3600, NOW - 3600]
    assert all(held.approximate for held in times)
    device.wait(60_000)
    device.sit_down(spot())
    report = sync(device, store, now=NOW + 3600)
    assert report.clock_was_set and not report.games[3].estimated
    begun = store.stored_game(ids(device)[3])
    assert not begun.approximate and NOW + 60 <= begun.played_at < NOW + 70
    assert [store.stored_game(game_id).played_at for game_id in ids(device)[:3]] == [held.played_at for held in times]


def test_an_undated_game_lies_between_its_neighbours(store):
    device = Device()
    sync(device, store)  # sets the clock
    device.sit_down(spot())
    device.restart()  # and this loses it
    other_random(device, 9)
    device.sit_down(spot())
    sync(device, store, now=NOW + 1000)
    first, second = [store.stored_game(game_id) for game_id in ids(device)]
    assert not first.approximate and second.approximate
    assert first.played_at < second.played_at < NOW + 1000


def test_a_clock_that_is_far_ahead_is_not_believed(store):
    device = Device()
    client(device).set_clock(NOW + 400 * 86_400)
    device.sit_down(spot())
    sync(device, store)
    assert store.stored_game(ids(device)[0]).approximate and store.stored_game(ids(device)[0]).played_at < NOW


def test_a_laptop_that_does_not_know_the_time_leaves_the_clock_alone(store):
    device = at_table(spot())
    assert outcomes(sync(device, store, now=1000)) == ["new"]
    assert device.board.clock.now() == 0


def test_names_that_were_joined_are_changed_on_the_device(store, monkeypatch):
    device = Device()
    device.app.roster.replace(["Bem", "Anna", "Ben", "Kleo"])
    monkeypatch.setattr(store, "renames", lambda: {"Bem": "Ben", "Kleo": "Cleo", "Dann": "Dan"})
    assert sync(device, store).renamed == [("Bem", "Ben"), ("Kleo", "Cleo")]
    assert device.app.roster.names == ["Ben", "Anna", "Cleo"]
    assert sync(device, store).renamed == []


def test_a_fetched_game_is_replayed_once(evening, store, monkeypatch):
    made = []
    begin = Table.__init__
    monkeypatch.setattr(Table, "__init__", lambda table, *args: made.append(args[0]["id"]) or begin(table, *args))
    sync(evening, store)
    assert made == ids(evening)
