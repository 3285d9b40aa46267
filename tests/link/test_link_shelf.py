"""Test the list of games, their journals and the presets over the link."""

import json
from binascii import crc32

from helpers.device import Device, at_table
from helpers.play import ev, setup, short_game
from helpers.usb import Laptop
from kiebitz.link.wire import unescape
from kiebitz.store.presets import PRESETS_MAX, Presets
from kiebitz.store.sealed_lines import unseal


def spot(**keys):
    return setup("top_spot", 3, **keys)


def table_with_laptop(kind="top_spot"):
    device = at_table(*short_game(kind))
    return device, Laptop(device)


def told(lines):
    """Return pairs of an id and a value from lines of the index."""
    pairs = [unseal(unescape(line), "index").decode().split(" ", 1) for line in lines]
    return [(pair[0], json.loads(pair[1])) for pair in pairs if pair != ["all"]]


def shelf(laptop):
    """Return the end of the answer to `games`, the sizes of the files, and the last index line of each game."""
    (kind, end), pieces, lines = laptop.ask("games")
    assert kind == "ok", end
    files = {}
    for piece in pieces:
        files.update(piece["files"])
    return end, files, dict(told(lines))


def evening():
    """Return a device with three games, the last one on its table."""
    device = Device()
    for events in ((), (ev("point", p=1), ev("undo")), (ev("point", p=1), ev("end_game"), ev("next_game"))):
        device.sit_down(spot(match_length=1, confirm=True), events)
    return device


def test_the_list_is_the_index_and_the_files():
    device = evening()
    ids = device.app.library.ids()
    end, files, entries = shelf(Laptop(device))
    mark = "%08x" % crc32(device.storage.get("index"))
    assert end == {"files": 3, "index": device.storage.size("index"), "mark": mark, "thrown": [], "playing": ids[0]}
    assert files == {game_id + ".kbz": device.app.library.files.size(game_id + ".kbz") for game_id in ids}
    assert [entries[game_id]["lines"] for game_id in ids] == [3, 2, 0]
    assert [entries[game_id]["events"] for game_id in ids] == [3, 0, 0]
    assert [entries[game_id]["finished"] for game_id in ids] == [True, False, False]
    for game_id in ids:
        entry = entries[game_id]
        assert entry["game"] == "top_spot" and entry["players"] == ["Anna", "Ben", "Cleo"], entry
        assert entry["at"] == 0 and len(entry["mark"]) == 8, entry
        assert entry["size"] == files[game_id + ".kbz"], entry


def test_a_list_of_many_games_with_names_of_all_kinds_is_printable():
    device = Device()
    for k in range(17):
        device.sit_down(setup("top_spot", 3, players=["\u00dc%d" % k, "\u674e~", "Zo\u00eb"]))
    (_, end), pieces, lines = Laptop(device).ask("games")
    assert all(32 <= byte < 127 for line in lines for byte in line)
    assert end["files"] == 17 == sum([len(piece["files"]) for piece in pieces]) and len(pieces) > 1
    entries = dict(told(lines))
    for game_id in device.app.library.ids():
        assert entries[game_id]["players"] == device.app.library.entry(game_id)["players"], game_id


def test_an_empty_shelf():
    assert shelf(Laptop(Device())) == ({"files": 0, "index": 0, "mark": "00000000", "thrown": []}, {}, {})


def test_a_damaged_file_that_is_kept_is_listed():
    device = evening()
    device.storage.put("5b3c0f-0001-c67e81.bad2", b"nothing of this is a journal")
    device.storage.put("settings.bad", b"?")
    _, files, _ = shelf(Laptop(device))
    assert files["5b3c0f-0001-c67e81.bad2"] == 28 and files["settings.bad"] == 1 and len(files) == 5


def test_a_game_of_which_the_index_does_not_tell_can_be_asked_for():
    device = evening()
    device.storage.put("index", b"")
    device.restart()
    laptop = Laptop(device)
    games = device.app.library
    second = games.ids()[1]
    assert second not in shelf(laptop)[2]
    entry = laptop.ok("game", {"id": second})
    assert (entry["lines"], entry["mark"]) == (3, games.entry(second)["mark"])
    assert entry["players"] == ["Anna", "Ben", "Cleo"] and not entry["damaged"] and not entry["confirmed"]
    assert second in shelf(laptop)[2], "and from now on it tells"
    device.storage.put(second + ".kbz", b"nothing of this is a journal\n")
    assert laptop.ok("game", {"id": second}) == {"id": second, "damaged": True}
    for wrong, code in ((None, "E_ARG"), (5, "E_ARG"), ("../index", "E_GAME"), ("", "E_GAME")):
        assert laptop.refused("game", {"id": wrong}) == code, wrong


def test_a_game_is_read_as_it_is_on_flash():
    for kind in ("royal_flush", "poker_carre"):
        device, laptop = table_with_laptop(kind)
        game_id = device.app.library.journal.id
        wire, end = laptop.journal(game_id)
        assert all(32 <= byte < 127 or byte == 10 for byte in wire)
        whole = unescape(wire)
        assert whole == device.journal() and end == len(whole)
        for at in (whole.find(b"\n") + 1, len(whole) - 20, len(whole), len(whole) + 100):
            assert laptop.journal(game_id, at) == (whole[at:] if at else whole, len(whole)), at


def test_the_longest_names_arrive_as_they_are():
    names = [letter + "\U0001f600" * 23 for letter in "abcde"]
    device = at_table(setup("top_spot", 5, players=names), [ev("point", p=1)])
    wire, end = Laptop(device).journal(device.app.library.journal.id)
    assert unescape(wire) == device.journal() and end == len(device.journal()) < len(wire) - 800


def test_a_long_game_comes_in_pieces():
    device = at_table(spot(match_length=3), [ev("point", p=k % 3) for k in range(9)])
    play = device.app.library.play
    for _ in range(70):
        play(ev("undo"))
        play(ev("redo"))
    laptop = Laptop(device)
    journal = device.journal()
    assert len(journal) > 4096
    assert laptop.journal(device.app.library.journal.id) == (journal, len(journal))


def test_several_games_are_read_in_one_go():
    device = evening()
    ids = device.app.library.ids()
    files = [device.app.library.files.read(game_id + ".kbz") for game_id in ids]
    missing = "5b3c0f-0009-000000"
    wanted = [ids[2], 0, missing, 0, ids[0], len(files[0]) - 20, ids[1], 0]
    (_, end), _, lines = Laptop(device).ask("read", {"games": wanted})
    assert b"".join([line + b"\n" for line in lines]) == files[2] + files[0][-20:] + files[1]
    assert end == {"ends": [len(files[2]), "E_GAME", len(files[0]), len(files[1])]}


def test_flash_that_cannot_be_read_costs_one_game_only():
    device = evening()
    ids = device.app.library.ids()
    opened = device.storage.open

    def trouble(name):
        if name == ids[1] + ".kbz":
            raise OSError(84)
        return opened(name)

    device.storage.open = trouble
    end = Laptop(device).ok("read", {"games": [ids[2], 0, ids[1], 0, ids[0], 0]})
    assert end["ends"][1] == "E_FLASH" and end["ends"][2] == device.storage.size(ids[0] + ".kbz")


def test_only_games_can_be_read():
    device, laptop = table_with_laptop()
    for game_id in ("", "nonsense", "../settings", "index", "a/b"):
        assert laptop.refused("read", {"games": [game_id, 0]}) == "E_GAME", game_id
        assert laptop.refused("confirm", {"games": {game_id: ""}}) == "E_GAME", game_id
    assert laptop.ok("confirm", {"games": {"5b3c0f-0001-000000": ""}}) == {"confirmed": []}
    assert laptop.ok("read", {"games": []}) == {"ends": []}
    for wanted in (None, {}, "a", ["a"], [3, 0], ["a", -1], ["a", "0"], ["a", 0, "b"]):
        assert laptop.refused("read", {"games": wanted}) == "E_ARG", wanted


def test_only_what_the_laptop_has_is_confirmed():
    device, laptop = table_with_laptop()
    games = device.app.library
    game_id = games.journal.id
    mark = games.journal.mark
    for other in ("00000000", "", None, 5, mark[:-1]):
        assert laptop.ok("confirm", {"games": {game_id: other}}) == {"confirmed": []}, other
    assert laptop.ok("confirm", {"games": {}}) == {"confirmed": []}
    assert not games.entry(game_id)["confirmed"]
    for _ in range(2):
        assert laptop.ok("confirm", {"games": {game_id: mark}}) == {"confirmed": [game_id]}
    assert games.entry(game_id)["confirmed"]
    games.play(ev("undo"))
    assert laptop.ok("confirm", {"games": {game_id: mark}}) == {"confirmed": []}
    assert not games.entry(game_id)["confirmed"]


def test_many_games_are_confirmed_with_one_write():
    device, laptop = table_with_laptop()
    games = device.app.library
    for _ in range(3):
        device.sit_down(setup("top_spot", 3), [ev("point", p=1)])
    marks = {game_id: games.entry(game_id)["mark"] for game_id in games.ids()}
    missing = "29c0ff-0099-010101"
    size = device.storage.size("index")
    done = laptop.ok("confirm", {"games": dict(marks, **{missing: "00000000"})})["confirmed"]
    assert sorted(done) == sorted(marks)
    assert all([games.entry(game_id)["confirmed"] for game_id in marks])
    size, before = device.storage.size("index"), size
    assert size > before
    laptop.ok("confirm", {"games": marks})
    assert device.storage.size("index") == size, "what was known before is not written again"


def index_of(laptop):
    """Return length and CRC32 of the index, as they are listed."""
    end = shelf(laptop)[0]
    return {"index": end["index"], "mark": end["mark"]}


def test_everything_on_the_shelf_is_confirmed_in_one_word():
    device = evening()
    laptop = Laptop(device)
    listed = index_of(laptop)
    size, mark = listed["index"], listed["mark"]
    for wrong in (0, 1, size - 1, size + 1):
        assert laptop.ok("confirm", {"index": wrong, "mark": mark}) == {"confirmed": False}, wrong
    for wrong in ("", "00000000", mark[:-1]):
        assert laptop.ok("confirm", {"index": size, "mark": wrong}) == {"confirmed": False}, wrong
    for wrong in (None, -1, "all", True):
        assert laptop.refused("confirm", {"index": wrong, "mark": mark}) == "E_ARG", wrong
        if wrong != "all":
            assert laptop.refused("confirm", {"index": size, "mark": wrong}) == "E_ARG", wrong
    assert device.storage.size("index") == size
    assert laptop.ok("confirm", listed) == {"confirmed": True}
    # But not the game in play, which is not in the index yet
    for _ in range(2):
        games = device.app.library
        assert [games.entry(game_id)["confirmed"] for game_id in games.ids()] == [False, True, True]
        device.restart()
    games = device.app.library
    games.resume(games.ids()[1])
    games.play(ev("point", p=1))
    assert [games.entry(game_id)["confirmed"] for game_id in games.ids()] == [False, False, True]


def test_an_index_that_has_changed_since_it_was_listed_is_not_confirmed():
    device = evening()
    laptop = Laptop(device)
    listed = index_of(laptop)
    device.app.leave_table()
    assert laptop.ok("confirm", listed) == {"confirmed": False}
    assert laptop.ok("confirm", index_of(laptop)) == {"confirmed": True}
    games = device.app.library
    assert all([games.entry(game_id)["confirmed"] for game_id in games.ids()])
    # A torn line at the end does not count as listed
    device.storage.append("index", b"5b3c0f-0001")
    games.release()
    assert laptop.ok("confirm", index_of(laptop)) == {"confirmed": False}


def test_an_index_of_the_same_length_with_another_content_is_not_confirmed():
    device = evening()
    laptop = Laptop(device)
    listed = index_of(laptop)
    device.storage.flip("index", 30, 2)
    device.app.library.release()
    assert laptop.ok("confirm", listed) == {"confirmed": False}


KIND = "any_game"
SKYJO = {"game": KIND, "title": "Skyjo", "options": {"wins": "low", "end": "target", "limit": 100}}
LIFE = {"game": KIND, "title": "Life", "options": {"entry": "counter", "start": 20, "end": "target", "limit": 0}}
LONGEST = {
    "game": KIND,
    "title": "\U0001f600" * 24,
    "options": {
        "turns": "follow", "entry": "rounds", "wins": "low", "end": "target", "limit": -100000, "start": -100000,
    },
}  # fmt: skip


def listed(laptop):
    """Return the presets that the device sends."""
    (kind, end), pieces, _ = laptop.ask("presets")
    assert kind == "ok" and end == {"presets": len(pieces)}
    return [piece["preset"] for piece in pieces]


def on_flash(device):
    """Return the presets after the next start."""
    return Presets(device.storage).all


def test_presets_go_both_ways():
    device = Device()
    laptop = Laptop(device)
    assert listed(laptop) == []
    assert laptop.ok("preset", SKYJO) == {"presets": 1}
    assert laptop.ok("preset", LIFE) == {"presets": 2}
    assert listed(laptop) == on_flash(device) == [SKYJO, LIFE]


def test_sent_again_nothing_is_written_and_other_settings_replace_those_of_the_title():
    device = Device()
    laptop = Laptop(device)
    laptop.ok("preset", SKYJO)
    laptop.ok("preset", LIFE)
    files = dict(device.storage.files)
    laptop.ok("preset", SKYJO)
    assert device.storage.files == files
    longer = dict(SKYJO, options={"wins": "low", "end": "target", "limit": 200})
    laptop.ok("preset", longer)
    assert listed(laptop) == on_flash(device) == [longer, LIFE]


def test_a_preset_is_taken_off_the_device_however_often_that_is_asked():
    device = Device()
    laptop = Laptop(device)
    laptop.ok("preset", SKYJO)
    laptop.ok("preset", LIFE)
    gone = {"game": KIND, "title": "Skyjo", "gone": True}
    assert laptop.ok("preset", gone) == laptop.ok("preset", gone) == {"presets": 1}
    assert listed(laptop) == on_flash(device) == [LIFE]


def test_the_longest_title_fits_into_one_request():
    device = Device()
    laptop = Laptop(device)
    laptop.ok("preset", LONGEST)
    stored = dict(LONGEST, options=dict(LONGEST["options"]))
    del stored["options"]["entry"]  # the default
    assert listed(laptop) == on_flash(device) == [stored]


def test_a_full_list_loses_nothing():
    device = Device()
    laptop = Laptop(device)
    for k in range(PRESETS_MAX):
        laptop.ok("preset", {"game": KIND, "title": "Title %d" % k, "options": {}})
    before = on_flash(device)
    assert laptop.refused("preset", SKYJO) == "E_FULL"
    assert len(before) == PRESETS_MAX and on_flash(device) == before


def test_what_the_rules_refuse_changes_nothing():
    device = Device()
    laptop = Laptop(device)
    laptop.ok("preset", SKYJO)
    for code, wrong in (
        ("E_ARG", {}),
        ("E_ARG", {"game": "poch", "title": "Poch"}),
        ("E_ARG", dict(SKYJO, game=[])),
        ("E_ARG", dict(SKYJO, title=None)),
        ("E_ARG", dict(SKYJO, title="x" * 25)),
        ("E_ARG", dict(SKYJO, options="low")),
        ("E_ARG", dict(SKYJO, gone=1)),
        ("E_SETTING", dict(SKYJO, options={"end": "target", "limit": 1.5})),
        ("E_SETTING", dict(SKYJO, options={"end": "target", "limit": 100001})),
        ("E_SETTING", dict(SKYJO, options={"end": [], "limit": 3})),
        ("E_SETTING", dict(SKYJO, options={"": {}})),
    ):
        assert laptop.refused("preset", wrong) == code, wrong
    for harmless in ({"gone": True}, {"game": {}, "title": [], "gone": True}, {"title": "Skyjo", "gone": True}):
        assert laptop.ok("preset", harmless) == {"presets": 1}, harmless
    assert listed(laptop) == on_flash(device) == [SKYJO]


def test_a_full_flash_is_told_and_the_list_stays():
    device = Device()
    laptop = Laptop(device)
    laptop.ok("preset", SKYJO)
    device.storage.full_at(device.storage.count, 5)
    (kind, told), _, _ = laptop.ask("preset", LIFE)
    assert (kind, told) == ("no", {"code": "E_FLASH", "errno": 28})
    assert listed(laptop) == on_flash(device) == [SKYJO]
    laptop.ok("preset", LIFE)
    assert on_flash(device) == [SKYJO, LIFE]


def test_a_running_game_goes_on():
    device = at_table(*short_game("poch"))
    before = device.game.snapshot()
    Laptop(device).ok("preset", SKYJO)
    assert device.game.snapshot() == before and on_flash(device) == [SKYJO]
