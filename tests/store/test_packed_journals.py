"""Test that packed journals keep every game complete, and only once."""

from helpers.faulty_storage import FaultyStorage, PowerCut, cuts
from helpers.play import ev
from helpers.shelf import games_on, match
from kiebitz.store.laptop_view import LaptopView
from kiebitz.store.packed_journals import FILE_BYTES
from kiebitz_lab.laptop_stand_in import confirm

GAMES = 20
POINTS = 11


def play_some(games, count=GAMES, points=POINTS):
    """Begin games, each left after a few entries; game k has its first point for player k % 3."""
    for k in range(count):
        games.create(match())
        for p in range(points):
            games.play(ev("point", p=(k + p) % 3))
        games.close()


def shelf():
    storage = FaultyStorage()
    games = games_on(storage)
    play_some(games)
    return storage, games


def packed(storage):
    return [name for name in storage.names() if name.endswith(".pack")]


def first_seat(games, game_id):
    journal, table, report = games.look(game_id)
    assert report is None and len(table) == POINTS and journal.lines == POINTS + 1, (game_id, report)
    return table.event(0)["p"]


def all_there(games):
    """Assert that every game is there once, and as it was left."""
    ids = games.ids()
    assert len(ids) == len(set(ids)) == GAMES, ids
    assert [first_seat(games, game_id) for game_id in reversed(ids)] == [k % 3 for k in range(GAMES)]


def test_short_games_that_were_left_share_files_of_one_block():
    storage, games = shelf()
    assert 2 <= len(packed(storage)) <= GAMES // 4
    assert all([storage.size(name) <= FILE_BYTES for name in packed(storage)])
    all_there(games)
    all_there(games_on(storage.restart()))


def test_the_game_to_be_resumed_keeps_its_own_file():
    storage, games = shelf()
    assert storage.size(games.running + ".kbz") is not None


def test_a_packed_game_goes_on_and_is_packed_again():
    storage, games = shelf()
    oldest = games.ids()[-1]
    assert storage.size(oldest + ".kbz") is None
    games.resume(oldest)
    games.play(ev("point", p=2))
    assert storage.size(oldest + ".kbz") is not None
    again = games_on(FaultyStorage(storage.files))
    assert again.running == oldest and len(again.resume()[1]) == POINTS + 1 and len(again.ids()) == GAMES
    games.play(ev("undo"))
    games.close()
    play_some(games, 8)
    assert storage.size(oldest + ".kbz") is None and len(games.ids()) == GAMES + 8
    assert len(games.look(oldest)[1]) == POINTS


def test_a_laptop_reads_and_confirms_packed_games_like_any_other():
    storage, games = shelf()
    view = LaptopView(games)
    sizes = dict(view.sizes())
    assert sorted(sizes) == sorted([game_id + ".kbz" for game_id in games.ids()])
    buffer = bytearray(4096)
    for game_id in games.ids():
        reader = view.journal_lines(game_id, 0)
        end = reader.fill(buffer, 0, len(buffer))
        assert end == sizes[game_id + ".kbz"] == reader.at, game_id
        assert bytes(buffer[:end]) == games.files.read(game_id + ".kbz"), game_id
        assert not reader.fill(buffer, 0, len(buffer))
        reader.close()
        assert confirm(games, game_id, POINTS)


def test_confirmed_games_are_removed_from_a_packed_file_one_by_one():
    storage, games = shelf()
    ids = games.ids()
    for game_id in ids:
        confirm(games, game_id, POINTS)
    assert games.removable() == [] and games.removable(finished=False) == ids[1:]
    left = list(ids)
    for game_id in ids[1:]:
        games.remove(game_id)
        left.remove(game_id)
        assert games_on(FaultyStorage(storage.files)).ids() == left
    assert packed(storage) == []


def test_the_power_may_go_anywhere_while_journals_are_packed_unpacked_and_removed():
    before = FaultyStorage()
    play_some(games_on(before), 6)
    files = before.files

    def evening(storage):
        games = games_on(storage)
        while games.files.pack([games.running + ".kbz"], 0):
            pass
        games.resume(games.ids()[-1])
        games.play(ev("point", p=0))
        games.close()
        second = games.ids()[-2]
        confirm(games, second, POINTS)
        games.remove(second)

    recorded = FaultyStorage(files).record()
    evening(recorded)
    ids = games_on(FaultyStorage(files)).ids()
    for k, part in cuts(recorded.operations, 3):
        storage = FaultyStorage(files).cut_at(k, part)
        try:
            evening(storage)
        except PowerCut:
            pass
        games = games_on(storage.restart())
        found = games.ids()
        assert [game_id for game_id in ids if game_id not in (found + [ids[-2]])] == [], (k, part)
        for game_id in found:
            journal, table, report = games.look(game_id)
            torn = game_id == ids[-1] and report and report[0] == "torn"  # the entry that was being written
            assert torn or report is None and len(table) in (POINTS, POINTS + (game_id == ids[-1])), (k, part, game_id)


def test_a_damaged_packed_file_costs_the_damaged_game_only():
    storage, games = shelf()
    file = packed(storage)[0]
    data = storage.get(file)
    inside = data.count(b'{"game"')
    for at in range(3, len(data), 97):
        flash = FaultyStorage(storage.files)
        flash.flip(file, at, 2)
        games = games_on(flash)
        whole = 0
        for game_id in games.ids():
            _, table, report = games.look(game_id)
            whole += report is None and len(table) == POINTS
        assert whole >= GAMES - 2, at  # a damaged line, or the first line of the game behind it
    assert inside > 2
