"""Test that a resumed game is the same with, without, or with a corrupt checkpoint, in the middle of a round too."""

from helpers.faulty_storage import FaultyStorage, HalfReadable, PowerCut, cuts
from helpers.play import ev, setup, sure
from helpers.shelf import games_on, match, play_all
from kiebitz.store.checkpoint import load
from kiebitz.store.sealed_lines import seal, unseal

SOME = [ev("point", p=p) for p in (0, 1, 2, 0, 1)] + [ev("undo"), ev("undo"), ev("redo"), ev("point", p=2)]
SOME += [ev("correct", at=1, event=ev("point", p=0)), ev("undo"), ev("redo"), ev("point", p=1)]
MORE = [ev("point", p=0), ev("undo"), ev("point", p=1)]


def limit(value):
    return {"ev": "option", "name": "limit", "value": value}


def any_game():
    return {"game": "any_game", "players": ["A", "B", "C"], "options": {"end": "target", "limit": 100}}


def with_checkpoint(events=SOME, more=MORE, setup=None):
    """Return a flash with a game whose checkpoint is older than its last events."""
    storage = FaultyStorage()
    games = games_on(storage)
    games.create(setup or match())
    play_all(games, events)
    games.keep_state()
    assert storage.size(games.journal.id + ".sav")
    play_all(games, more)
    return storage, games


def same(storage, games):
    """Return True if the game is restored from flash exactly, including every undo."""
    _, table, report = games_on(FaultyStorage(storage.files)).resume()
    old = games.table
    if report or table.game.snapshot() != old.game.snapshot() or len(table) != len(old):
        return False
    while old.can_undo:
        if table.undo() != old.undo() or table.game.snapshot() != old.game.snapshot():
            return False
    while old.can_redo:
        if table.redo() != old.redo() or table.game.snapshot() != old.game.snapshot():
            return False
    return not table.can_redo


def test_a_game_comes_back_the_same_with_and_without_its_checkpoint():
    storage, games = with_checkpoint()
    assert same(storage, games)
    storage, games = with_checkpoint()
    storage.remove(games.journal.id + ".sav")
    assert same(storage, games)


def test_a_house_rule_changed_before_the_checkpoint_is_in_force_after_it():
    first = [ev("points", p=p, k=9 + p) for p in (0, 1, 2, 0, 1)]
    change = limit(150)
    for events in (
        first + [change, ev("points", p=2, k=80), ev("undo"), ev("redo")],
        [change] + first + [ev("correct", at=0, event=limit(120)), ev("undo"), ev("redo")],
        first + [change, limit(160), ev("remove", at=5), ev("undo")],
        first + [ev("insert", at=3, event=change)] * 3,
    ):
        storage, games = with_checkpoint(events, [ev("points", p=2, k=120)], any_game())
        resumed = games_on(FaultyStorage(storage.files)).resume()[1]
        assert resumed.game.options == games.table.game.options and resumed.game.options["limit"] != 100
        assert same(storage, games)


def test_with_a_checkpoint_only_the_lines_after_it_are_replayed():
    storage, games = with_checkpoint(more=MORE[:1] * 2)
    applied = []
    kind = type(games.table.game)
    apply = kind.apply
    kind.apply = lambda self, event: applied.append(event) or apply(self, event)
    try:
        games_on(storage.restart()).resume()
    finally:
        kind.apply = apply
    assert applied == MORE[:1] * 2


def test_a_long_journal_is_opened_once_for_the_lines_before_the_checkpoint():
    storage, games = with_checkpoint([ev("point", p=0), ev("undo")] * 160, [])
    games.files.settle()
    storage = storage.restart()
    opened = []
    open_file = storage.open
    storage.open = lambda name: opened.append(name) or open_file(name)
    _, table, _ = games_on(storage).resume()
    assert storage.size(games.journal.name) > 8192 and not len(table)
    assert opened.count(games.journal.name) == 1


def test_a_checkpoint_of_another_history_is_not_taken():
    storage, games = with_checkpoint(more=[])
    other, changed = with_checkpoint(SOME[:-1] + [ev("point", p=2)], [])
    name = games.journal.id + ".sav"
    assert changed.journal.id == games.journal.id
    storage.put(name, other.get(name))
    assert same(storage, games)


def test_a_checkpoint_of_a_longer_journal_is_not_taken():
    storage, games = with_checkpoint(more=[])
    other, _ = with_checkpoint(SOME + SOME[:3], [])
    name = games.journal.id + ".sav"
    storage.put(name, other.get(name))
    assert same(storage, games)


def test_a_damaged_checkpoint_changes_nothing():
    storage, games = with_checkpoint()
    name = games.journal.id + ".sav"
    whole = storage.get(name)
    expected = games.table.game.snapshot()
    for byte in range(0, len(whole), 3):
        damaged = bytearray(whole)
        damaged[byte] ^= 1 << byte % 8
        storage.put(name, bytes(damaged))
        assert games_on(storage).resume()[1].game.snapshot() == expected, byte
    for size in range(0, len(whole), 7):
        storage.put(name, whole[:size])
        assert games_on(storage).resume()[1].game.snapshot() == expected, size


def test_a_damaged_journal_is_found_although_there_is_a_checkpoint():
    storage, games = with_checkpoint()
    name = games.journal.name
    whole = storage.get(name)
    for byte in range(0, len(whole), 5):
        flash = FaultyStorage(storage.files)
        flash.flip(name, byte, byte % 8)
        _, table, report = games_on(flash).resume()
        assert report is not None, byte
        assert table is None or len(table) <= len(games.table), byte


def test_a_game_that_is_over_or_removed_leaves_no_checkpoint():
    storage, games = with_checkpoint()
    play_all(games, [ev("end_game"), ev("next_game")])
    assert games.table.game.over
    games.close()
    assert not [name for name in storage.names() if name.endswith(".sav")]


class Shredded(FaultyStorage):
    """Let the allocation of a checkpoint fail."""

    def read(self, name, start=0, size=-1):
        if name.endswith(".sav"):
            raise MemoryError()
        return super().read(name, start, size)


def test_without_memory_for_the_checkpoint_the_journal_is_enough():
    storage, games = with_checkpoint()
    _, table, report = games_on(Shredded(storage.restart().files)).resume()
    assert report is None and table.game.snapshot() == games.table.game.snapshot()


def test_without_memory_no_checkpoint_is_kept_and_the_game_goes_on():
    storage, games = with_checkpoint()
    before = storage.get(games.journal.id + ".sav")
    play_all(games, MORE * 4)

    def no_memory():
        raise MemoryError()

    games.table.state = no_memory
    games.keep_state()
    assert storage.get(games.journal.id + ".sav") == before
    assert same(storage, games)


def test_a_game_that_cannot_be_read_to_its_end_is_saved_as_far_as_it_goes():
    storage, games = with_checkpoint(SOME + [ev("point", p=0), ev("undo")] * 25)
    games.files.settle()
    sick = HalfReadable(storage.files)
    sick.name = games.journal.name
    sick.good = 1100
    journal, _, report = games_on(sick).resume()
    assert report[0] == "bad" and 10 < journal.lines < games.journal.lines


def test_the_state_that_another_version_has_kept_is_passed_over():
    storage, games = with_checkpoint()
    name = games.journal.id + ".sav"
    lines = storage.get(name).split(b"\n")
    first = unseal(lines[0], games.journal.id).decode()
    for other in (first.rsplit(" ", 1)[0] + " 9.9.9", first.rsplit(" ", 1)[0]):
        storage.put(name, b"\n".join([seal(other, games.journal.id)[:-1]] + lines[1:]))
        assert load(storage, games.journal.id) is None, other
    assert same(storage, games)


# --- any other game ---

SKYJO = setup("any_game", 4, title="Skyjo", wins="low", end="target", limit=100)
ROUNDS = [ev("points", p=p, k=k) for p, k in ((2, 12), (0, -2), (3, 31), (1, 5), (1, 9), (3, 0))]
ROUNDS += [ev("undo"), ev("points", p=3, k=17), ev("correct", at=1, event=ev("points", p=0, k=20))]
ROUNDS += [ev("points", p=0, k=4)]
ROUNDS += [sure(ev("end_round")), ev("points", p=2, k=50), ev("points", p=0, k=1)]
LIFE = setup("any_game", 3, title="Life", entry="counter", start=20, end="target", limit=0)
COUNTED = [ev("add", p=p, k=k) for p, k in ((0, -5), (1, -1), (0, 3), (2, -12), (1, -10))]
COUNTED += [ev("undo"), ev("redo"), ev("remove", at=1), ev("add", p=2, k=-7)]


def told(table):
    """Return everything that the players see of a game."""
    return table.game.summary(), len(table), table.can_redo


def states(line, events):
    """Return what players see after each event, on a flash that never fails."""
    games = games_on(FaultyStorage())
    games.create(line)
    found = [told(games.table)]
    for event in events:
        games.play(event)
        found.append(told(games.table))
    return found


def played(storage, line, events, acknowledged):
    """Play until the power goes; every event goes into `acknowledged` once it is on flash."""
    games = games_on(storage)
    games.create(line)
    acknowledged.append(line)
    for k, event in enumerate(events):
        games.play(event)
        acknowledged.append(event)
        if k == len(events) // 2:
            games.keep_state()


def check_every_cut(line, events, every):
    """Cut the power in every flash operation, and check that acknowledged events are restored and play goes on."""
    expected = states(line, events)
    whole = FaultyStorage().record()
    played(whole, line, events, [])
    for k, part in cuts(whole.operations, every):
        storage, acknowledged = FaultyStorage().cut_at(k, part), []
        try:
            played(storage, line, events, acknowledged)
        except PowerCut:
            pass
        games = games_on(storage.restart())
        _, table, _ = games.resume()
        if table is None:
            assert not acknowledged, (k, part)
            continue
        done = games.journal.lines - 1
        assert max(0, len(acknowledged) - 1) <= done <= len(acknowledged), (k, part)
        assert told(table) == expected[done], (k, part)
        for event in events[done:]:
            games.play(event)
        assert told(games.table) == expected[-1], (k, part)


def test_a_round_of_skyjo_goes_on_wherever_the_power_went():
    summary = states(SKYJO, ROUNDS)[-1][0]
    assert (summary["round"], summary["now"]) == (3, [1, None, 50, None])
    check_every_cut(SKYJO, ROUNDS, 7)


def test_a_counter_goes_on_wherever_the_power_went():
    assert states(LIFE, COUNTED)[-1][0]["totals"] == [18, 10, 1]
    check_every_cut(LIFE, COUNTED, 7)


def test_the_last_entry_is_undone_after_the_power_was_off():
    storage = FaultyStorage()
    played(storage, SKYJO, ROUNDS, [])
    games = games_on(storage.restart())
    games.resume()
    for _ in range(3):
        games.play(ev("undo"))
    assert games.table.game.now == [4, 9, None, 17] and games.table.game.round == 2


def test_a_sheet_of_many_rounds_comes_back_whole():
    storage = FaultyStorage()
    games = games_on(storage)
    games.create(setup("any_game", 2, title="Long", wins="low"))
    for k in range(100):
        games.play(ev("points", p=k % 2, k=k % 90))
    games.keep_state()
    for k in range(101):
        games.play(ev("points", p=k % 2, k=k % 70))
    rounds = games.table.game.rounds
    again = games_on(storage.restart())
    _, table, report = again.resume()
    assert report is None and table.game.rounds == rounds and table.game.now == [30, None]
    again.play(ev("undo", k=102))
    assert table.game.rounds == rounds[:49] and table.game.now == [8, None]
    again.play(ev("redo", k=102))
    assert table.game.rounds == rounds
    again.play(ev("correct", at=0, event=ev("points", p=0, k=1000)))
    assert table.game.rounds[0] == [1000, 1] and table.game.rounds[1:] == rounds[1:]
