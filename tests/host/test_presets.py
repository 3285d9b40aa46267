"""`kiebitz presets`: titles with their settings, stored on the laptop and sent to every device."""

import json

import pytest
from helpers.cable import plug_in
from helpers.device import Device
from helpers.play import short_game
from kiebitz.store.presets import FORMAT, PRESETS_MAX, Presets
from kiebitz.store.safe_file import SafeFile
from kiebitz.text import LANGUAGES
from kiebitz_host.cli import sync
from kiebitz_host.cli.presets import Folder
from kiebitz_host.link.ports import Port
from kiebitz_host.link.trouble import DeviceRefused, NotAKiebitz, PortBusy

KIND = "any_game"
SKYJO = {"game": KIND, "title": "Skyjo", "options": {"wins": "low", "end": "target", "limit": 100, "ender": "doubles"}}
LIFE = {"game": KIND, "title": "Life", "options": {"entry": "counter", "start": 20, "end": "target", "limit": 0}}


@pytest.fixture
def presets(kiebitz, tmp_path):
    """Return a function that runs `kiebitz presets` with the files of this test."""
    return lambda *argv: kiebitz("presets", *argv, "--db", str(tmp_path / "data" / "results.db"))


@pytest.fixture
def plugged(presets, monkeypatch):
    """Return a function that connects devices by port name, also for --port."""

    def plug(**devices):
        plug_in(monkeypatch, sync, devices)
        monkeypatch.setattr(sync, "named_port", lambda name: Port(name, "port"))

    return plug


def on_laptop(presets):
    """Return the presets of the laptop."""
    return json.loads(presets("list", "--json").out)


def test_a_title_is_added_and_listed_with_its_settings(presets, tmp_path):
    done = presets("add", "Skyjo", "--low", "--target", "100")
    assert (done.code, done.err) == (0, "") and done.out.startswith("Skyjo is on the list: ")
    presets("add", "Life", "--counter", "--start", "20", "--target", "0")
    plain = {"wins": "low", "end": "target", "limit": 100}  # as written: no default of a well-known title
    assert on_laptop(presets) == [dict(SKYJO, options=plain), LIFE]
    done = presets()
    assert done.code == 0 and "Skyjo" in done.out and "100" in done.out and "Life" in done.out
    assert "On every Kiebitz: Skyjo, Rummy, Uno" in done.out
    assert sorted(path.name for path in (tmp_path / "data").iterdir()) == ["presets", "presets.old"]


def test_presets_of_a_newer_kiebitz_are_left_alone(presets, tmp_path):
    presets("add", "Skyjo", "--low", "--target", "100")
    path = tmp_path / "data" / "presets"
    SafeFile(Folder(path.parent), "presets", FORMAT + 1).save({"presets": [SKYJO]})
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    for argv in (["add", "Life"], ["remove", "Skyjo"], ["list"], ["send"]):
        done = presets(*argv)
        assert (done.code, done.out) == (2, "")
        assert f"{path} was written by a newer Kiebitz: update Kiebitz. Nothing was changed." in done.err
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before


def test_added_again_a_title_has_the_new_settings(presets):
    presets("add", "Skyjo", "--low", "--target", "100")
    presets("add", "Tichu", "--target", "1000")
    presets("add", " Skyjo ", "--low", "--rounds", "9")
    assert on_laptop(presets) == [
        {"game": KIND, "title": "Skyjo", "options": {"wins": "low", "end": "rounds", "limit": 9}},
        {"game": KIND, "title": "Tichu", "options": {"end": "target", "limit": 1000}},
    ]


def test_a_step_is_kept_and_told(presets):
    done = presets("add", "Life", "--counter", "--start", "20", "--target", "0", "--step", "5")
    assert done.code == 0 and "one press: 5" in done.out
    assert on_laptop(presets) == [{**LIFE, "step": 5}]
    assert presets("add", "Life", "--step", "7").code == 2


def test_without_settings_a_well_known_title_has_its_usual_ones(presets):
    presets("add", "Skyjo")
    presets("add", "Boules")
    assert on_laptop(presets) == [SKYJO, {"game": KIND, "title": "Boules", "options": {}}]


@pytest.mark.parametrize(
    ("argv", "reason"),
    [
        (("X", "--rounds", "3", "--counter"), "a counter has no rounds"),
        (("X", "--rounds", "0"), "--rounds one from 1 to 999"),
        (("X", "--rounds", "1000"), "--rounds one from 1 to 999"),
        (("X", "--target", "100001"), "--target is a number from -100000 to 100000"),
        (("X", "--start", "-100001"), "--start is a number"),
    ],
)
def test_what_the_rules_refuse_is_said_and_not_kept(presets, argv, reason):
    done = presets("add", *argv)
    assert done.code == 3 and reason in done.err and done.out == ""
    assert on_laptop(presets) == []


@pytest.mark.parametrize("title", ["", "  ", "x" * 25, "a\x07b"])
def test_a_bad_title_is_said_and_not_kept(presets, title):
    done = presets("add", title)
    assert done.code == 2 and "cannot be a title" in done.err and "\x07" not in done.err
    assert on_laptop(presets) == []


def test_target_and_rounds_do_not_go_together(presets):
    done = presets("add", "X", "--target", "3", "--rounds", "3")
    assert done.code == 2 and "not allowed with" in done.err


def test_a_full_list_is_said(presets):
    for k in range(PRESETS_MAX):
        presets("add", f"Title {k}")
    done = presets("add", "Skyjo")
    assert done.code == 2 and f"it has {PRESETS_MAX} presets" in done.err
    assert len(on_laptop(presets)) == PRESETS_MAX


def test_titles_are_removed_or_none_of_them(presets):
    for title in ("Skyjo", "Boules", "Tichu"):
        presets("add", title)
    done = presets("remove", "Tichu", "Chess")
    assert done.code == 2 and "there is no preset 'Chess'" in done.err and len(on_laptop(presets)) == 3
    done = presets("remove", "Tichu", "Boules", "Tichu")
    assert (done.code, done.out) == (0, "Off the list: Tichu and Boules.\n")
    assert on_laptop(presets) == [SKYJO]


def test_a_damaged_list_is_said_and_kept_aside(presets, tmp_path):
    presets("add", "Skyjo")
    presets("add", "Tichu")
    file = tmp_path / "data" / "presets"
    file.write_bytes(file.read_bytes().replace(b"Tichu", b"Tichi"))
    done = presets("list", "--json")
    assert json.loads(done.out) == [SKYJO] and "was damaged: it is the previous one now" in done.err
    assert b"Tichi" in (tmp_path / "data" / "presets.bad").read_bytes()
    assert presets("list").err == ""


def test_presets_are_sent_and_stay_after_a_restart(presets, plugged):
    device = Device()
    device.app.presets.add({"game": KIND, "title": "Rummy", "options": {}})
    presets("add", "Skyjo")
    presets("add", "Life", "--counter", "--start", "20", "--target", "0")
    plugged(ttyACM0=device)
    done = presets("send")
    assert (done.code, done.err) == (0, "")
    assert done.out == "Kiebitz 5b3c0f on ttyACM0: Skyjo and Life can be chosen there now.\n"
    device.restart()
    assert device.app.presets.all == [{"game": KIND, "title": "Rummy", "options": {}}, SKYJO, LIFE]


def test_sent_again_nothing_is_written(presets, plugged):
    device = Device()
    presets("add", "Skyjo")
    plugged(ttyACM0=device)
    presets("send")
    files = dict(device.storage.files)
    done = presets("send", "Skyjo")
    assert (done.code, done.out) == (0, "Kiebitz 5b3c0f on ttyACM0: it has all these presets already.\n")
    assert device.storage.files == files


def test_only_the_titles_named_are_sent(presets, plugged):
    device = Device()
    presets("add", "Skyjo")
    presets("add", "Tichu")
    plugged(ttyACM0=device)
    assert presets("send", "Skyjo").code == 0
    assert device.app.presets.all == [SKYJO]
    done = presets("send", "Chess")
    assert done.code == 2 and "there is no preset 'Chess'" in done.err


def test_a_full_device_loses_nothing_and_says_what_did_not_fit(presets, plugged):
    device = Device()
    for k in range(PRESETS_MAX - 1):
        device.app.presets.add({"game": KIND, "title": f"Title {k}", "options": {}})
    presets("add", "Skyjo")
    presets("add", "Tichu")
    plugged(ttyACM0=device)
    done = presets("send")
    assert done.code == 2 and "Skyjo can be chosen there now. Its list of 20 presets is full, without Tichu" in done.out
    assert len(device.app.presets.all) == PRESETS_MAX and device.app.presets.all[-1] == SKYJO


def test_a_running_game_goes_on(presets, plugged):
    device = Device().sit_down(*short_game("poch"))
    before = device.game.snapshot()
    presets("add", "Skyjo")
    plugged(ttyACM0=device)
    assert presets("send").code == 0 and device.game.snapshot() == before


def test_every_device_gets_them_and_one_in_use_is_said(presets, plugged):
    device = Device()
    presets("add", "Skyjo")
    plugged(a=PortBusy("a"), b=NotAKiebitz("b"), c=device)
    done = presets("send", "--json")
    assert done.code == 2 and "a is in use" in done.err and "b" not in done.err.split()
    assert json.loads(done.out) == [
        {"port": "c", "device": device.board.device_id, "sent": ["Skyjo"], "known": [], "left_out": []}
    ]


def test_newer_presets_on_a_device_are_left_alone_with_a_sentence(presets, plugged):
    device = Device()
    SafeFile(device.storage, "presets", FORMAT + 1).save({"presets": []})
    before = device.storage.get("presets")
    presets("add", "Skyjo")
    plugged(a=device)
    done = presets("send")
    assert done.code == 2 and "written by a newer Kiebitz: install the newer firmware" in done.err
    assert device.storage.get("presets") == before


def test_an_older_device_is_told_to_be_updated(presets, plugged):
    presets("add", "Skyjo")
    plugged(a=DeviceRefused("a", "presets", "E_VERB"))
    done = presets("send")
    assert done.code == 2 and "it refuses the request presets (E_VERB): update it" in done.err


def test_without_a_device_or_presets_a_sentence_says_what_to_do(presets, plugged):
    plugged()
    done = presets("send")
    assert done.code == 2 and "kiebitz presets add Skyjo --low --target 100" in done.err
    presets("add", "Skyjo")
    done = presets("send")
    assert done.code == 2 and "no Kiebitz found on USB" in done.err


def test_the_list_of_a_device_is_shown_and_shortened(presets, plugged):
    device = Device()
    device.app.presets.add(SKYJO)
    device.app.presets.add(LIFE)
    plugged(ttyACM0=device)
    done = presets("list", "--port", "ttyACM0")
    assert done.code == 0 and "Kiebitz 5b3c0f on ttyACM0: 2 presets." in done.out and "Life" in done.out
    (told,) = json.loads(presets("list", "--port", "ttyACM0", "--json").out)
    assert told["presets"] == [SKYJO, LIFE]
    done = presets("remove", "Skyjo", "--port", "ttyACM0")
    assert (done.code, done.out) == (0, "Kiebitz 5b3c0f on ttyACM0: Off the list: Skyjo.\n")
    assert Presets(device.storage).all == [LIFE]
    done = presets("remove", "Skyjo", "--port", "ttyACM0")
    assert done.code == 2 and "there is no preset 'Skyjo'" in done.err


@pytest.mark.parametrize("lang", LANGUAGES)
def test_people_read_it_in_their_language(presets, lang):
    done = presets("add", "Skyjo", "--lang", lang)
    assert done.code == 0 and "Skyjo" in done.out
    words = {"en": "Settings", "de": "Einstellungen", "fr": "Réglages", "it": "Impostazioni", "nl": "Instellingen"}
    assert words[lang] in presets("list", "--lang", lang).out
    points = {"en": "Points", "de": "Punkte", "fr": "Points", "it": "Punti", "nl": "Punten"}
    assert points[lang] in presets("--lang", lang).out


def test_help_tells_what_it_does(presets):
    done = presets("send", "--help")
    assert done.code == 0 and "none is lost" in " ".join(done.out.split()) and "--port" in done.out


def test_a_well_known_title_brings_its_teams_and_its_deal(kiebitz, tmp_path):
    db = str(tmp_path / "r.db")
    added = kiebitz("presets", "add", "Canasta", "--json", "--db", db)
    found = json.loads(added.out)
    assert (found["sides"], found["deals"], found["step"]) == (2, 1, 5)
    added = kiebitz("presets", "add", "Canasta", "--step", "10", "--target", "3000", "--json", "--db", db)
    other = json.loads(added.out)
    assert (other["sides"], other["step"], other["options"]["limit"]) == (2, 10, 3000)
    assert "sides" not in json.loads(kiebitz("presets", "add", "Magic", "--json", "--db", db).out)
