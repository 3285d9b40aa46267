"""Count how many evenings fit on the flash of a device: a real littlefs of its size, in memory."""

import pytest
from helpers.play import ev
from helpers.shelf import games_on, match
from kiebitz.store.sealed_lines import StorageFull
from kiebitz_lab.laptop_stand_in import confirm
from kiebitz_lab.littlefs_flash import LittlefsStorage

ENTRIES = 12


def evening(games):
    games.create(match())
    for p in range(ENTRIES):
        games.play(ev("point", p=p % 3))
    games.keep_state()
    games.close()


def fill(storage, free):
    """Write files until this many bytes are free."""
    k = 0
    while storage.free() > free:
        storage.write(f"ballast{k}", bytes(max(4000, (storage.free() - free) // 2)))
        k += 1


@pytest.mark.long
def test_four_hundred_abandoned_games_fit_and_a_laptop_makes_room_again():
    storage = LittlefsStorage()
    games = games_on(storage)
    for _ in range(410):
        evening(games)
    ids = games.ids()
    assert len(ids) == 410
    for game_id in ids[::60]:
        assert len(games.look(game_id)[1]) == ENTRIES
    for game_id in ids:
        confirm(games, game_id, ENTRIES)
    free = storage.free()
    for game_id in games.removable(finished=False):
        games.remove(game_id)
    assert games.ids() == ids[:1] and storage.free() > free + 60 * 4096


def test_checkpoints_of_games_that_are_not_running_go_first():
    storage = LittlefsStorage()
    games = games_on(storage)
    for _ in range(4):
        evening(games)
    saved = [name for name in storage.names() if name.endswith(".sav")]
    assert len(saved) == 4
    fill(storage, 20 * 4096)  # a new game asks for 83,968 bytes
    running = games.running
    games.create(match())
    assert [name for name in storage.names() if name.endswith(".sav")] == [running + ".sav"]
    games.close()
    fill(storage, 15 * 4096)
    with pytest.raises(StorageFull):
        games.create(match())
