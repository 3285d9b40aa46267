"""What a laptop can ask, and what it is told: the real app with a laptop at its port."""

from helpers.device import Device, at_table
from helpers.play import ev, setup
from helpers.short_games import short_game
from helpers.usb import Laptop
from kiebitz import VERSION
from kiebitz.link import PROTOCOL
from kiebitz.link.wire import unescape

NOW = 1_800_000_000


def spot(**keys):
    return setup("top_spot", 3, **keys)


def table_with_laptop(kind="top_spot"):
    device = at_table(*short_game(kind))
    return device, Laptop(device)


def test_who():
    device = Device()
    assert Laptop(device).ok("who") == {
        "product": "kiebitz",
        "version": VERSION,
        "protocol": PROTOCOL,
        "device": device.board.device_id,
        "now": 0,
    }


def test_the_clock_can_be_set_to_a_time_that_makes_sense():
    laptop = Laptop(Device())
    for wrong in (0, -5, 1_000_000_000, 5_000_000_000, "1800000000", None, True, 1.8e9):
        assert laptop.refused("clock", {"now": wrong}) == "E_ARG", wrong
    assert laptop.ok("who")["now"] == 0
    laptop.ok("clock", {"now": NOW})
    assert NOW <= laptop.ok("who")["now"] <= NOW + 1
    laptop.device.app.games.create(spot())
    assert laptop.device.table.setup["at"] >= NOW


def test_the_list_tells_of_every_game_the_newest_first():
    device = Device()
    for events in ((), (ev("point", p=1), ev("undo")), (ev("point", p=1), ev("end_game"), ev("next_game"))):
        device.sit_down(spot(match_length=1, confirm=True), events)
    (_, end), games, _ = Laptop(device).ask("games")
    assert end == {"games": 3, "aside": 0}
    assert [game["lines"] for game in games] == [4, 3, 1]
    assert [game["events"] for game in games] == [3, 0, 0]
    assert [game["finished"] for game in games] == [True, False, False]
    for game in games:
        assert game["game"] == "top_spot" and game["players"] == ["Anna", "Ben", "Cleo"], game
        assert not game["confirmed"] and not game["damaged"] and game["at"] == 0, game
        assert len(game["mark"]) == 8, game
    assert [game["id"] for game in games] == device.app.games.ids()


def test_an_empty_shelf():
    assert Laptop(Device()).ask("games") == (("ok", {"games": 0, "aside": 0}), [], [])


def test_a_game_is_read_as_it_is_on_flash():
    for kind in ("royal_flush", "poker_carre"):
        device, laptop = table_with_laptop(kind)
        game_id = device.app.games.journal.id
        wire = laptop.journal(game_id)
        assert all(32 <= byte < 127 or byte == 10 for byte in wire)
        whole = unescape(wire)
        assert whole == device.journal()
        for at in (whole.find(b"\n") + 1, len(whole) - 20, len(whole), len(whole) + 100):
            assert laptop.journal(game_id, at) == (whole[at:] if at else whole), at


def test_a_long_game_comes_in_pieces():
    device = at_table(spot(match_length=3), [ev("point", p=k % 3) for k in range(9)])
    play = device.app.games.play
    for _ in range(60):
        play(ev("undo"))
        play(ev("redo"))
    laptop = Laptop(device)
    assert len(device.journal()) > 3500
    assert laptop.journal(device.app.games.journal.id) == device.journal()


def test_only_games_can_be_read():
    device, laptop = table_with_laptop()
    for game_id in ("", "nonsense", "../settings", "5b3c0f-0001-000000", "index", "a/b"):
        assert laptop.refused("read", {"id": game_id, "at": 0}) == "E_GAME", game_id
        assert laptop.ask("confirm", {"games": {game_id: ""}})[0][1] in ({"code": "E_GAME"}, {"confirmed": []}), game_id
    for value in ({}, {"id": 3, "at": 0}, {"at": 0}, {"id": "a"}, {"id": "a", "at": -1}, {"id": "a", "at": "0"}):
        assert laptop.refused("read", value) == "E_ARG", value


def test_only_what_the_laptop_has_is_confirmed():
    device, laptop = table_with_laptop()
    games = device.app.games
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
    games = device.app.games
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


def test_the_roster_goes_both_ways_in_pieces():
    device = Device()
    laptop = Laptop(device)
    names = ["Name %d" % k for k in range(10)] + ["\u00c4nne", "\U0001f600"]
    assert laptop.ok("names", {"at": 0, "names": names[:5], "more": True}) == {"names": 5}
    assert device.app.roster.names == []
    assert laptop.refused("names", {"at": 6, "names": names[6:], "more": True}) == "E_ORDER"
    assert laptop.ok("names", {"at": 5, "names": ["wrong"], "more": True}) == {"names": 6}
    assert laptop.ok("names", {"at": 5, "names": names[5:], "more": False}) == {"names": 12}
    assert device.app.roster.names == names
    (_, end), pieces, _ = laptop.ask("roster")
    assert end == {"names": 12}
    assert [name for piece in pieces for name in piece["names"]] == names


def test_a_roster_that_does_not_fit_changes_nothing():
    device = Device()
    laptop = Laptop(device)
    device.app.roster.add("Anna")
    for names in (["Ben", "Ben"], [""], ["x" * 25], [3], "Ben", None, ["n%d" % k for k in range(41)]):
        assert laptop.refused("names", {"at": 0, "names": names, "more": False}) == "E_ARG", names
    assert laptop.refused("names", {"at": 0, "names": ["Ben"]}) == "E_ARG"
    assert device.app.roster.names == ["Anna"]


def test_settings_are_read_and_written():
    device = Device()
    laptop = Laptop(device)
    assert laptop.ok("settings")["settings"] == device.app.settings.all()
    laptop.ok("set", {"name": "flip", "value": True})
    assert device.app.settings["flip"] is True
    for name, value in (("flip", 1), ("nothing", 1), ("brightness", 99), ("language", [])):
        assert laptop.refused("set", {"name": name, "value": value}) == "E_SETTING", name
    assert laptop.refused("set", {"value": 1}) == "E_ARG"


def test_the_picture_is_the_one_on_the_display():
    device, laptop = table_with_laptop()
    (_, end), pages, _ = laptop.ask("screen")
    assert end == {"width": 128, "height": 64} and [page["page"] for page in pages] == list(range(8))
    columns = "".join([page["columns"] for page in pages])
    assert columns == "".join(["%02x" % byte for byte in device.board.display.buffer])


def test_a_key_pressed_from_afar_does_what_the_real_one_does():
    device, laptop = table_with_laptop()
    before = len(device.table)
    laptop.ok("key", {"key": "UNDO"})
    device.wait(50)
    assert len(device.table) == before - 1 and device.sees("Taken back")
    laptop.ok("key", {"key": "UNDO", "hold": True})
    assert len(device.table) == before
    for value in ({}, {"key": "ok"}, {"key": 4}, {"key": ["OK"]}, {"key": "OK", "hold": 1}):
        assert laptop.refused("key", value) == "E_ARG", value


def test_a_key_asked_for_twice_is_pressed_once():
    device, laptop = table_with_laptop()
    before = len(device.table)
    for _ in range(3):
        assert laptop.ask("key", {"key": "UNDO"}, seq=4711)[0] == ("ok", {})
    assert len(device.table) == before - 1


def test_what_the_device_does_not_know_is_refused():
    laptop = Laptop(Device())
    for word in ("what", "WHO", "answer", "__init__", "+", "_who"):
        assert laptop.refused(word) == "E_VERB", word


def test_trouble_with_the_flash_has_its_own_code():
    device, laptop = table_with_laptop()
    device.storage.full_at(device.storage.count, stays=True)
    (kind, got), _, _ = laptop.ask("names", {"at": 0, "names": ["Ben"], "more": False})
    assert (kind, got) == ("no", {"code": "E_FLASH", "errno": 28})
    device.storage.make_room()
    laptop.ok("names", {"at": 0, "names": ["Ben"], "more": False})
