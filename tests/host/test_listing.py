"""Validate what a device sends; `kiebitz players send` adds names to its roster."""

import json
from binascii import crc32

import pytest
from helpers.cable import plug_in
from helpers.device import Device
from helpers.faulty_storage import FaultyStorage
from helpers.finished import carre
from helpers.play import ev, setup, short_game
from helpers.shelf import games_on
from kiebitz.games import Refused
from kiebitz.link import requests
from kiebitz.link.wire import escape
from kiebitz.store.index import ALL, NAME, Index
from kiebitz.store.sealed_lines import seal
from kiebitz_host import received
from kiebitz_host.cli import sync
from kiebitz_host.link import answers
from kiebitz_host.link.answers import GameList
from kiebitz_host.link.journal import ATTEMPTS, LINES_MAX, JournalDownload, sealed
from kiebitz_host.link.trouble import NotAKiebitz, PortBusy
from kiebitz_host.received import Unfit
from kiebitz_lab.laptop_stand_in import confirm_index

ID = "29c0ff-0001-010101"
OTHER = "29c0ff-0002-020202"
entry_line = Index(None).line


def entry(**changes):
    told = {
        "game": "poch", "players": ["J\u00fcrgen", "Ben"], "at": 0, "events": 4, "lines": 5, "finished": False,
        "totals": [1, 2], "winners": [1], "size": 700, "mark": "0badcafe",
    }  # fmt: skip
    return {**told, **changes}


def heard(listing, data):
    return [listing.hear(line) for line in escape(data).splitlines()]


def listing(*lines, files=None):
    made = GameList()
    assert all(heard(made, b"".join(lines)))
    made.files({f"{ID}.kbz": 700} if files is None else files)
    return made


def test_the_last_word_about_a_game_counts():
    told = listing(entry_line(ID, entry(mark="00000000")), entry_line(ID, entry())).entry(ID)
    assert (told["id"], told["mark"], told["players"]) == (ID, "0badcafe", ["J\u00fcrgen", "Ben"])
    assert told["lines"] == 6 and not told["confirmed"] and not told["damaged"]


@pytest.mark.parametrize(
    ("lines", "confirmed"),
    [
        ([seal(f'{ID} "0badcafe"', NAME)], True),
        ([seal(f'{ID} "00000000"', NAME)], False),
        ([seal(f'{OTHER} "0badcafe"', NAME)], False),
        ([seal(ALL, NAME)], True),
        ([seal(ALL, NAME), entry_line(ID, entry(mark="11111111"))], False),
    ],
)
def test_a_game_is_confirmed_if_the_device_has_heard_so_since(lines, confirmed):
    assert listing(entry_line(ID, entry()), *lines).entry(ID)["confirmed"] is confirmed


def test_what_does_not_fit_the_file_is_not_believed():
    for size in (699, 701):
        assert listing(entry_line(ID, entry()), files={f"{ID}.kbz": size}).entry(ID) is None
    assert listing().entry(ID) is None


@pytest.mark.parametrize("wrong", [{"lines": "5"}, {"mark": None}, {"players": "Ben"}, {"size": True}, {"finished": 0}])
def test_an_entry_of_another_kind_is_not_believed(wrong):
    assert listing(entry_line(ID, entry(**wrong))).entry(ID) is None


def test_other_lines_are_passed_over():
    told = listing()
    line = entry_line(ID, entry())
    noise = [line[1:], line.replace(b"poch", b"poci"), seal(f"{ID} {{}}", "other"), b">>> \n~zz\n\xff\n"]
    assert not any(heard(told, b"".join([*noise, seal(ID, NAME), seal(f"{ID} [", NAME)])))
    assert told.entry(ID) is None


def test_games_are_told_from_damaged_files():
    names = [f"{OTHER}.kbz", f"{ID}.kbz", f"{ID}.bad", f"{OTHER}.bad3", "settings.bad"]
    told = listing(entry_line(ID, entry()), files=dict.fromkeys(names, 700))
    assert told.ids() == [OTHER, ID] and told.aside() == 3
    assert told.entry(ID)["damaged"] and told.entry(OTHER) is None


def test_a_file_without_an_id_is_no_game_and_is_not_lost_sight_of():
    told = listing(files={f"{ID}.kbz": 700, "notes.kbz": 5, "ABC-0001-x.kbz": 5})
    assert told.ids() == [ID] and told.aside() == 2


def test_an_entry_with_numbers_for_names_is_not_believed():
    for players in ([1, 2], ["Ben", None], ["\x1b[2J", "Ben"], ["x" * 25, "Ben"], ["Ben"] * 17):
        assert listing(entry_line(ID, entry(players=players))).entry(ID) is None


def test_a_game_ends_where_the_rules_take_no_more_lines():
    reading = JournalDownload(ID)
    for number in range(LINES_MAX + 9):
        reading.hear(line(number)[:-1])
    assert reading.ended and not reading.whole and len(reading.lines) == reading.reached == LINES_MAX


def test_what_a_real_index_tells():
    storage = FaultyStorage()
    games = games_on(storage)
    for _ in range(2):
        games.create(setup("top_spot", 3))
        games.play(ev("point", p=1))
        games.close()
    told = listing(storage.get("index"), files=dict(storage.sizes()))
    assert told.ids() == games.ids()
    for game_id in games.ids():
        want = games.entry(game_id)
        assert told.entry(game_id) == {**want, "lines": want["lines"] + 1}
    assert confirm_index(games, storage.size("index"), f"{crc32(storage.get('index')):08x}")
    told = listing(storage.get("index"), files=dict(storage.sizes()))
    assert all(told.entry(game_id)["confirmed"] and games.entry(game_id)["confirmed"] for game_id in games.ids())


# --- reading ---


def line(number, game_id=ID):
    return sealed(game_id, number, f'{{"k":{number}}}')


def test_lines_are_taken_in_their_order_and_once():
    reading = JournalDownload(ID)
    for data in (line(1), line(0), line(0, OTHER), line(2), line(1), b"noise\n", line(0)):
        reading.hear(data[:-1])
    assert reading.lines == ['{"k":0}', '{"k":1}'] and reading.start == len(line(0) + line(1))
    reading.told(len(line(0) + line(1)))
    assert reading.ended and reading.whole


def test_a_line_that_never_comes_is_waited_for_three_times():
    reading = JournalDownload(ID, ['{"k":0}'])
    assert reading.start == len(line(0))
    reading.hear(line(1)[:-1])
    for _ in range(ATTEMPTS):
        assert not reading.ended
        reading.told(900)
    reading.told(900)
    assert reading.ended and not reading.whole and reading.lines == ['{"k":1}']


def test_no_more_is_taken_than_was_wanted():
    reading = JournalDownload(ID, most=2)
    for number in range(4):
        assert reading.hear(line(number)[:-1])
    assert reading.ended and reading.whole and len(reading.lines) == 2


def test_a_device_that_has_less_than_is_known_here():
    reading = JournalDownload(ID, ['{"k":0}', '{"k":1}'])
    reading.told(len(line(0)))
    assert reading.ended and not reading.whole
    reading = JournalDownload(ID)
    reading.told("E_FLASH")
    assert reading.ended and reading.code == "E_FLASH"


def test_an_answer_that_is_heard_twice_confirms_no_more_than_once():
    told = GameList()
    for _ in range(2):
        told.forget()
        for data in (entry_line(ID, entry()), seal(ALL, NAME), entry_line(OTHER, entry())):
            told.hear(data[:-1])
    told.files({ID + ".kbz": entry()["size"], OTHER + ".kbz": entry()["size"]})
    assert told.entry(ID)["confirmed"] and not told.entry(OTHER)["confirmed"]


# --- values ---


def fits(check, value):
    """Return True if a check accepts the value unchanged."""
    try:
        return check(value) == value
    except Unfit:
        return False


IDS = ("5b3c0f-0001-c67e81", "a", "-", "", "../x", "ABC", "a b", "\x1b[2J", "²", "a\n", 7, None, [])


@pytest.mark.parametrize("value", IDS)
def test_an_id_is_what_the_device_itself_accepts(value):
    try:
        accepted = requests._game_id(value) == value
    except Refused:
        accepted = False
    assert fits(received.game_id, value) is accepted


def test_ids_are_so_short_that_a_request_of_them_fits():
    assert fits(received.game_id, "a" * 20) and not fits(received.game_id, "a" * 21)


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [
        (received.text(3), "Zoë", ["Zoë ", "\x1b[m", "\x9b", "a\n", "\ud800", 7, None, ["a"]]),
        (received.version, "0.2.0-dev+1", ["", "1\x1b", "²", "1" * 33, 1]),
        (received.code, "E_ARG", ["e_arg", "{0}", "E\x1b", "", None, "E" * 33]),
        (received.number(9), 9, [10, -1, True, 1.0, "9", 10**300, None]),
        (received.truth, True, [1, 0, "true", None]),
        (received.name, "Anna", ["", "a" * 25, "\x1b", 7, None]),
        (received.listed(received.name, 2), ["A", "B"], [["A", 7], ["A", "\x1b"], ["A"] * 3, "AB", {}]),
        (received.mapping(received.name, received.truth, 1), {"A": True}, [{"A": 1}, {"\x1b": True}, []]),
        (answers.STATE, {"id": None}, [{}, {"id": 7}, {"id": "a"}, {"id": "a", "lines": "1", "mark": "0badcafe"}]),
        (answers.READ, {"ends": [1, "E_GAME"]}, [{"ends": 1}, {"ends": [None]}, {"ends": ["\x1b"]}, {"ends": [-1]}]),
    ],
)
def test_a_check_takes_what_fits_and_nothing_else(check, good, bad):
    assert fits(check, good)
    assert [value for value in bad if fits(check, value)] == []


def test_what_nobody_asked_for_is_dropped():
    check = received.record({"a": received.truth}, {"b": received.truth})
    assert check({"a": True, "c": "\x1b"}) == {"a": True}
    with pytest.raises(Unfit):
        check({"b": True})


# --- kiebitz players send ---


@pytest.fixture
def plugged(kiebitz, monkeypatch, tmp_path):
    """Return a function that connects devices by port name and returns a runner of `kiebitz players send`."""

    def plug(**devices):
        plug_in(monkeypatch, sync, devices)
        return lambda *argv: kiebitz("players", "send", *argv, "--db", str(tmp_path / "results.db"))

    return plug


def test_names_come_first_on_the_device_and_stay_after_a_restart(plugged):
    device = Device()
    device.app.roster.add("Ben")
    done = plugged(ttyACM0=device)(" Anna ", "Ben", "Cleo", "Anna")
    assert (done.code, done.err) == (0, "")
    assert done.out == "Kiebitz 5b3c0f on ttyACM0: Anna and Cleo can be chosen there now.\n"
    device.restart()
    assert device.app.roster.names == ["Anna", "Cleo", "Ben"]


def test_sent_again_nothing_is_written(plugged):
    device = Device()
    run = plugged(ttyACM0=device)
    run("Anna", "Ben")
    files = dict(device.storage.files)
    done = run("Ben", "Anna")
    assert (done.code, done.out) == (0, "Kiebitz 5b3c0f on ttyACM0: it has all these names already.\n")
    assert device.storage.files == files and device.app.roster.names == ["Anna", "Ben"]


def test_the_last_line_up_is_still_offered_with_its_guests(plugged):
    device = Device()
    device.app.roster.played(["Anna", "Guest 2"], ["Guest 1", "Guest 2"])
    plugged(ttyACM0=device)("Cleo")
    assert device.app.roster.names == ["Cleo", "Anna"] and device.app.roster.last == ["Anna", "Guest 2"]


def test_a_running_game_goes_on(plugged):
    device = Device().sit_down(*short_game("poch"))
    before = device.game.snapshot()
    assert plugged(ttyACM0=device)("Zoe").code == 0
    assert device.game.snapshot() == before and device.app.roster.names == ["Zoe"]


@pytest.mark.parametrize("bad", ["", "   ", "x" * 25, "An\x07na"])
def test_a_bad_name_is_said_and_nothing_is_sent(plugged, bad):
    device = Device()
    done = plugged(ttyACM0=device)("Anna", bad)
    assert done.code == 2 and "cannot be a name on the device" in done.err and "Nothing was sent." in done.err
    assert device.app.roster.names == []


def test_a_full_list_loses_no_name_and_says_who_did_not_fit(plugged):
    device = Device()
    known = [f"Name {k}" for k in range(39)]
    device.app.roster.replace(known)
    done = plugged(ttyACM0=device)("Anna", "Ben")
    assert done.code == 2 and "Anna can be chosen there now." in done.out
    assert "Its list of 40 names is full, without Ben: take names off it first." in done.out
    assert device.app.roster.names == ["Anna", *known]
    done = plugged(ttyACM0=device)("Ben")
    assert done.out == (
        "Kiebitz 5b3c0f on ttyACM0: its list of 40 names is full, without Ben: take names off it first.\n"
    )


def test_without_names_those_who_have_played_are_sent_but_no_guests(plugged, kiebitz, tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text("".join(line + "\n" for line in carre(["Anna", "Ospite 2", "Guest 3", "Guesty"], [1, 2, 3, 4])))
    assert kiebitz("add", str(file), "--db", str(tmp_path / "results.db")).code == 0
    device = Device()
    device.app.roster.add("Zoe")
    assert plugged(ttyACM0=device)().code == 0
    assert device.app.roster.names == ["Zoe", "Anna", "Guesty"]


def test_without_names_and_results_a_sentence_says_what_to_do(plugged):
    done = plugged(ttyACM0=Device())()
    assert done.code == 2 and "nobody has played yet" in done.err and "kiebitz players send Anna Ben" in done.err


def test_without_a_device_a_sentence_says_what_to_do(plugged):
    done = plugged()("Anna")
    assert done.code == 2 and "no Kiebitz found on USB" in done.err


def test_every_device_gets_the_names_and_one_in_use_is_said(plugged):
    device = Device()
    done = plugged(a=PortBusy("a"), b=NotAKiebitz("b"), c=device)("Anna", "--json")
    assert done.code == 2 and "a is in use" in done.err and "b" not in done.err.split()
    (sent,) = json.loads(done.out)
    assert sent == {
        "port": "c", "device": device.board.device_id, "added": ["Anna"], "known": [], "left_out": [],
    }  # fmt: skip
    assert device.app.roster.names == ["Anna"]


def test_help_tells_what_it_does(kiebitz):
    done = kiebitz("players", "send", "--help")
    assert done.code == 0 and "no name is lost" in " ".join(done.out.split()) and "--port" in done.out
