"""Test requests of a laptop and the line protocol."""

from helpers.device import Device, at_table
from helpers.play import setup, short_game
from helpers.usb import Laptop
from kiebitz import VERSION
from kiebitz.link import PROTOCOL
from kiebitz.link.requests import Requests
from kiebitz.link.wire import ANSWER, REQUEST, escape, frame, unescape, unframe

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
        "board": "pico_oled",
        "now": 0,
    }


def test_the_clock_can_be_set_to_a_time_that_makes_sense():
    laptop = Laptop(Device())
    for wrong in (0, -5, 1_000_000_000, 5_000_000_000, "1800000000", None, True, 1.8e9):
        assert laptop.refused("clock", {"now": wrong}) == "E_ARG", wrong
    assert laptop.ok("who")["now"] == 0
    laptop.ok("clock", {"now": NOW})
    assert NOW <= laptop.ok("who")["now"] <= NOW + 1
    laptop.device.app.library.create(spot())
    assert laptop.device.table.setup["at"] >= NOW


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


def test_a_piece_of_a_roster_is_checked_as_it_comes_and_kept_only_for_a_while():
    device = Device()
    laptop = Laptop(device)
    more = {"at": 0, "names": ["Anna", "Ben"], "more": True}
    for wrong in ([[]] * 40, [{}], ["x" * 25], [["Anna"]]):
        assert laptop.refused("names", {"at": 0, "names": wrong, "more": True}) == "E_ARG"
    laptop.ok("names", more)
    laptop.ok("who")  # another request
    assert laptop.refused("names", {"at": 2, "names": ["Cleo"], "more": False}) == "E_ORDER"
    laptop.ok("names", more)
    device.wait(9_000)
    laptop.ok("names", {"at": 2, "names": ["Cleo"], "more": True})
    device.wait(11_000)
    assert laptop.refused("names", {"at": 3, "names": ["Dan"], "more": False}) == "E_ORDER"
    assert device.app.roster.names == []


def test_keys_that_are_not_handled_yet_are_bounded():
    device = Device()
    device.app.remote_keys.extend([(0, False)] * 4)
    (line,) = list(Requests(device.app).answer(5, "key", {"key": "UP"}))
    assert unframe(ANSWER, line[:-1]) == (5, "no", {"code": "E_BUSY"})
    assert len(device.app.remote_keys) == 4


def test_a_board_whose_image_is_another_one_is_not_set():
    for board, others in (("pico_oled", ("picosystem", "display_pack")), ("picosystem", ("pico_oled",))):
        device = Device(board=board)
        laptop = Laptop(device)
        for other in others:
            assert laptop.refused("set", {"name": "board", "value": other}) == "E_SETTING"
        for one in (board, ""):
            laptop.ok("set", {"name": "board", "value": one})
            assert device.app.settings["board"] == one


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


def test_an_unforeseen_error_is_answered_kept_once_and_the_game_goes_on():
    device, laptop = table_with_laptop()

    def broken(name, value):
        raise ZeroDivisionError("nobody foresaw this")

    device.app.settings.set = broken
    before = len(device.table)
    for _ in range(3):
        assert laptop.refused("set", {"name": "flip", "value": True}) == "E_FAULT"
    crashes = device.storage.get("crash.txt")
    assert crashes.count(b"nobody foresaw this") == 1 and b"ZeroDivisionError" in crashes
    assert laptop.ok("who", {})["product"] == "kiebitz"
    device.keys("undo")
    assert len(device.table) == before - 1


NAMES = '{"names":["\u00c4nne ~7e","\U0001f600 \\u00e4","K! 3 ok {}"]}'


def test_what_is_framed_can_be_unframed():
    cases = (
        (REQUEST, 1, "who", "{}"),
        (ANSWER, 0, "now", '{"id":null}'),
        (ANSWER, 999999999, "+", NAMES),
    )
    for mark, seq, word, value in cases:
        line = frame(mark, seq, word, value)
        assert line[-1:] == b"\n" and line.count(b"\n") == 1, line
        assert all(32 <= byte < 127 for byte in line[:-1]), line
        got = unframe(mark, line[:-1])
        assert got is not None and got[:2] == (seq, word), got
    assert unframe(ANSWER, frame(ANSWER, 5, "+", NAMES)[:-1])[2]["names"] == [
        "\u00c4nne ~7e",
        "\U0001f600 \u00e4",
        "K! 3 ok {}",
    ]


def test_text_before_a_line_is_passed_over():
    line = frame(ANSWER, 7, "ok", "{}")[:-1]
    for before in (b">>> ", b"K! 7 ok {} ", b"K! K! ", b"\xff\x00\x03", b'{"ev":"undo"} 3 12345678'):
        assert unframe(ANSWER, before + line) == (7, "ok", {}), before


def test_text_behind_a_line_spoils_it():
    assert unframe(ANSWER, frame(ANSWER, 7, "ok", "{}")[:-1] + b" ") is None


def test_a_request_is_no_answer():
    assert unframe(ANSWER, frame(REQUEST, 7, "who", "{}")[:-1]) is None


def test_a_single_changed_bit_is_noticed():
    line = frame(REQUEST, 31, "read", '{"id":"5b3c0f-0001-c67e81","at":0}')[:-1]
    for at in range(len(line)):
        for bit in range(8):
            spoilt = bytearray(line)
            spoilt[at] ^= 1 << bit
            assert unframe(REQUEST, bytes(spoilt)) is None, (at, bit)


def test_a_line_that_lost_a_part_is_noticed():
    line = frame(REQUEST, 31, "confirm", '{"id":"a","mark":"b"}')[:-1]
    for start in range(len(line)):
        assert unframe(REQUEST, line[start + 1 :]) is None, start
        assert unframe(REQUEST, line[:start]) is None, start
        assert unframe(REQUEST, line[:start] + line[start + 1 :]) is None, start


def test_what_is_whole_but_makes_no_sense_is_passed_over():
    for seq, value in ((5, "[]"), (5, "3"), (5, "{"), (5, ""), (5, '{"a":1} {}'), (10**9, "{}"), (-1, "{}")):
        assert unframe(REQUEST, frame(REQUEST, seq, "who", value)[:-1]) is None, (seq, value)


def test_escapes_are_printable_and_undone():
    names = "\u00e4\U0001f600".encode()
    for data in (b"", b"plain {}", b"~", b"~~7e", b"\x00\x03\x7f\x80\xff", names, bytes(range(11, 256))):
        wire = escape(data)
        assert unescape(wire) == data, data
        assert all(32 <= byte < 127 for byte in wire), data
    assert escape(b"a\nb\n") == b"a\nb\n"
    for wrong in (b"~", b"~g0", b"a~4"):
        try:
            unescape(wrong)
        except ValueError:
            continue
        assert wrong == b"a~4"  # accepted here; the checksum of the line detects it


def seats(table=3, **options):
    return {"table": table, "setup": setup("skat", 4, **options)}


def test_a_laptop_seats_the_device_and_takes_the_seats_back():
    device = Device()
    laptop = Laptop(device)
    assert laptop.ok("seats") == {}
    assert laptop.ok("seats", seats(score="seeger")) == seats(score="seeger")
    device.restart()
    assert Laptop(device).ok("seats") == seats(score="seeger")
    assert Laptop(device).ok("seats", {"gone": True}) == {}
    assert device.app.roster.seats is None and device.app.roster.names == []


def test_seats_that_the_rules_do_not_accept_change_nothing():
    device = Device()
    laptop = Laptop(device)
    laptop.ok("seats", seats(7))
    wrong = (
        ({"table": 0, "setup": setup("skat", 4)}, "E_ARG"),
        ({"table": 3}, "E_ARG"),
        ({"table": 3, "setup": []}, "E_ARG"),
        ({"table": 3, "setup": {"game": "skat"}}, "E_ARG"),
        ({"table": 3, "setup": setup("chess", 4)}, "E_ARG"),
        ({"table": 3, "setup": setup("skat", 5)}, "E_PLAYERS"),
        ({"table": 3, "setup": dict(setup("skat", 4), id="5b3c0f-0001-c67e81")}, "E_ARG"),
        (seats(series=97), "E_SETTING"),
        ({"gone": 1}, "E_ARG"),
    )
    for value, code in wrong:
        assert laptop.refused("seats", value) == code, value
    assert laptop.ok("seats") == seats(7)
