"""Samples of every format number, which every later version must load.

`tests/make_formats.py` makes the samples of a new number.
"""

import json
import re
import shutil
import sqlite3
from contextlib import closing
from fnmatch import fnmatch
from pathlib import Path

import make_formats
import pytest
from helpers.cable import Cable
from helpers.device import Device
from kiebitz.link.wire import ANSWER, frame, unframe
from kiebitz.screens.titles import open_titles
from kiebitz.store.journal import Journal
from kiebitz.store.safe_file import SafeFile
from kiebitz.store.sealed_lines import seal
from kiebitz_host.cli.presets import Folder
from kiebitz_host.exchange import name_of
from kiebitz_host.library.store import Store
from kiebitz_host.link.client import Client
from kiebitz_host.link.sync import Sync
from kiebitz_host.link.trouble import OtherProtocol
from make_formats import CHOSEN, NOW, SAMPLES, Played, Recorder, dialogue, flash_of, of_device, of_store

DOCS = Path(__file__).parents[2] / "docs" / "formats.md"
NUMBERS = sorted(path.name for path in SAMPLES.iterdir())


@pytest.fixture(params=NUMBERS)
def sample(request, tmp_path):
    """Return a copy of the samples of one number."""
    return Path(shutil.copytree(SAMPLES / request.param, tmp_path / "sample"))


@pytest.fixture
def meaning(sample):
    return json.loads((sample / "meaning.json").read_text())


def as_json(value):
    """Return a value after a JSON round trip, which turns tuples into lists."""
    return json.loads(json.dumps(value))


def bytes_in(folder):
    """Return a dict of paths and contents of all files in a folder."""
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def patterns():
    """Return the names of the samples in the table of docs/formats.md."""
    return re.findall(r"^\|[^|]*\| `([^`]*)` \|", DOCS.read_text(), re.MULTILINE)


def test_every_format_in_the_docs_has_a_sample_and_every_sample_is_in_the_docs(sample):
    files = [str(path.relative_to(sample)) for path in bytes_in(sample)]
    files = [name for name in files if name not in ("meaning.json", "exchange/README.txt")]
    assert len(patterns()) > 10
    assert [name for name in files if not any(fnmatch(name, pattern) for pattern in patterns())] == []
    assert [pattern for pattern in patterns() if not any(fnmatch(name, pattern) for name in files)] == []


def test_every_example_in_the_docs_is_a_line_of_a_sample():
    blocks = re.findall(r"^```\n(.*?)^```", DOCS.read_text(), re.MULTILINE | re.DOTALL)
    lines = {line for data in bytes_in(SAMPLES / "1").values() for line in data.split(b"\n")}
    examples = [line for block in blocks for line in block.splitlines()]
    assert len(examples) > 10 and [line for line in examples if line.encode() not in lines] == []


def test_samples_that_exist_are_never_made_again(tmp_path, capsys):
    (tmp_path / "1").mkdir()
    for argv, words in ((["1"], "never change"), ([], "usage"), (["x"], "usage"), (["0"], "usage")):
        assert make_formats.main(argv, tmp_path) == 2 and words in capsys.readouterr().err
    assert list(tmp_path.rglob("*")) == [tmp_path / "1"]


def test_new_samples_mean_the_same(tmp_path):
    assert make_formats.main(["7"], tmp_path) == 0
    made = json.loads((tmp_path / "7" / "meaning.json").read_text())
    assert made == json.loads((SAMPLES / NUMBERS[-1] / "meaning.json").read_text())


# --- what the samples mean ---


def test_the_files_of_a_device(sample, meaning):
    assert as_json(of_device(flash_of(sample / "device"))) == meaning["device"]


def test_a_device_goes_on_with_its_game(sample, meaning):
    device = Device(flash_of(sample / "device"), None)
    running = meaning["device"]["games"][meaning["device"]["running"]]
    assert device.app.settings["language"] == "de" and device.game.names == running["players"]
    assert device.game.totals() == running["totals"] and not device.sees("Bitte beachten")


def test_the_database_of_a_laptop(sample, meaning, kiebitz):
    path = sample / "results.db"
    with Store(path) as store:
        assert as_json(of_store(store)) == meaning["store"]
        store.rebuild()  # from journals and decisions
        assert as_json(of_store(store)) == meaning["store"]
    listed = json.loads(kiebitz("games", "--json", "--db", str(path)).out)
    assert sorted(game["id"] for game in listed) == meaning["store"]["listed"]


def club(server, sample):
    """Load the sample of a club's database. Returns its address."""
    import psycopg  # only clubs need it

    address = server.new_schema("formats")
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute((sample / "club.sql").read_text())
    return address


@pytest.mark.long
def test_the_database_of_a_club(server, sample, meaning):
    with Store(club(server, sample)) as store:
        assert as_json(of_store(store)) == meaning["store"]
        store.rebuild()
        assert as_json(of_store(store)) == meaning["store"]


def test_an_exchange_folder(sample, meaning, kiebitz):
    path = sample / "new.db"
    done = kiebitz("exchange", str(sample / "exchange"), "--db", str(path))
    assert (done.code, done.err) == (0, "")
    with Store(path) as store:
        assert as_json(of_store(store)) == meaning["store"]


def test_the_presets_of_a_laptop(sample, meaning, kiebitz):
    listed = kiebitz("presets", "list", "--json", "--db", str(sample / "laptop" / "results.db"))
    assert json.loads(listed.out) == meaning["laptop"]


def test_a_laptop_understands_the_device_of_the_transcript(sample, meaning):
    client = Client(Played((sample / "link.txt").read_bytes()))
    with Store(sample / "new.db", now=lambda: NOW) as store:
        Sync(client, store, NOW).run()
        assert as_json(of_store(store)) == meaning["fetched"]
    assert client.presets() == meaning["device"]["presets"]
    told = client.settings()
    assert {name: told[name] for name in CHOSEN} == meaning["device"]["settings"]


def without_new_keys(answer, known):
    """Return an answer without the keys that the recorded one lacks, because newer firmware may add keys."""
    if not isinstance(known, dict):
        return answer
    return {key: without_new_keys(answer[key], known[key]) for key in known}


def test_a_device_answers_the_laptop_of_the_transcript(sample):
    device, recorder = Device(flash_of(sample / "device"), None), Recorder()
    cable = Cable(device, damage=recorder)
    for line in (sample / "link.txt").read_bytes().splitlines():
        if line[:2] == b"> ":
            cable.write(line[2:] + b"\n")
            device.wait(500)
            cable.read(0)
    recorded = list(dialogue((sample / "link.txt").read_bytes()))
    told = list(dialogue(b"\n".join(recorder.lines)))
    assert [request[:2] for request in told] == [request[:2] for request in recorded]
    for (verb, _, then), (_, _, now) in zip(recorded, told, strict=True):
        assert len(now) == len(then), verb
        for one, other in zip(then, now, strict=True):
            was, answer = unframe(ANSWER, one), unframe(ANSWER, other)
            if was is None:
                assert other == one
            else:
                known = {key: value for key, value in was[2].items() if key != "version"}
                assert answer[1] == was[1] and without_new_keys(answer[2], known) == known


# --- the next number ---


def saved(storage, name, **changes):
    """Save a device file with changed values."""
    value = SafeFile(storage, name).load()[0]
    SafeFile(storage, name).save({**value, **changes})


@pytest.mark.parametrize(
    ("name", "number", "version"), [("settings", [2, "9.9.0"], "9.9.0"), ("roster", 2, "?"), ("running", 2, "?")]
)
def test_newer_files_of_a_device_are_left_alone(sample, name, number, version):
    storage = flash_of(sample / "device")
    saved(storage, name, format=number)
    before = dict(storage.files)
    device = Device(storage, None)
    assert device.sees(f"Kiebitz {version}", "unberührt"), device.text()
    device.keys("up down left undo right*3")
    device.wait(10_000)
    assert storage.files == before


def test_newer_presets_of_a_device_are_left_alone(sample):
    storage = flash_of(sample / "device")
    saved(storage, "presets", format=2)
    before = storage.get("presets")
    device = Device(storage, None)
    open_titles(device.app, "any_game")
    device.wait(100)
    assert device.sees("unberührt"), device.text()
    device.sit_down({"game": "any_game", "players": ["Anna", "Ben"], "title": "Hearts"})
    assert storage.get("presets") == before


def test_a_game_of_newer_rules_is_left_alone(sample, meaning):
    storage = flash_of(sample / "device")
    game_id = meaning["device"]["running"]
    first, rest = storage.get(game_id + ".kbz").split(b"\n", 1)
    text = first.decode().rsplit(" ", 1)[0].replace('"rules":1', '"rules":2')
    storage.put(game_id + ".kbz", seal(text, game_id) + rest)
    before = storage.get(game_id + ".kbz")
    device = Device(storage, None)
    assert device.sees("30") and device.app.library.journal is None, device.text()
    with pytest.raises(OSError):
        Journal.open(storage, game_id)
    assert storage.get(game_id + ".kbz") == before


def test_a_newer_database_of_a_laptop_is_left_alone(sample, kiebitz):
    path = sample / "results.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 2")
    before = path.read_bytes()
    for argv in (["games"], ["delete", "1"], ["rebuild"], ["exchange", str(sample / "exchange")]):
        done = kiebitz(*argv, "--db", str(path))
        assert done.code == 2 and "was written by a newer Kiebitz" in done.err and path.read_bytes() == before


@pytest.mark.long
def test_a_newer_database_of_a_club_is_left_alone(server, sample, kiebitz):
    address = club(server, sample)
    with Store(address) as store:
        store.db.run("UPDATE club SET value = 2 WHERE name = 'format'")
        before = store.db.rows("SELECT * FROM decisions ORDER BY id")
        for argv in (["games"], ["delete", "1"]):
            done = kiebitz(*argv, "--db", address)
            assert done.code == 2 and "was written by a newer Kiebitz" in done.err
        assert store.db.rows("SELECT * FROM decisions ORDER BY id") == before


def test_newer_files_of_an_exchange_are_left_alone(sample, kiebitz):
    folder = sample / "exchange"
    for path in [path for path in bytes_in(folder) if path.suffix == ".kiebitz"]:
        what = path.parent.parent.name
        content = path.read_bytes().replace(b'"kiebitz":1', b'"kiebitz":2')
        path.unlink()
        name = name_of(what, content)
        (folder / what / name[:2]).mkdir(exist_ok=True)
        (folder / what / name[:2] / f"{name}.kiebitz").write_bytes(content)
    before = bytes_in(folder)
    done = kiebitz("exchange", str(folder), "--db", str(sample / "new.db"))
    assert done.code == 2 and "Taken over: 0 games, 0 decisions." in done.out
    for what in ("journal", "decision"):
        assert re.search(f"{what} [0-9a-f]+ was left out: it was written by a newer Kiebitz", done.err)
    assert bytes_in(folder) == before


def test_newer_presets_of_a_laptop_are_left_alone(sample, kiebitz):
    saved(Folder(sample / "laptop"), "presets", format=2)
    before = bytes_in(sample / "laptop")
    for argv in (["list"], ["add", "Hearts"], ["remove", "Life"], ["send"]):
        done = kiebitz("presets", *argv, "--db", str(sample / "laptop" / "results.db"))
        assert done.code == 2 and "was written by a newer Kiebitz" in done.err
    assert bytes_in(sample / "laptop") == before


def test_a_device_with_a_newer_protocol_is_left_alone(sample):
    lines = (sample / "link.txt").read_bytes().splitlines()
    seq, word, who = unframe(ANSWER, lines[1][2:])
    lines[1] = b"< " + frame(ANSWER, seq, word, json.dumps({**who, "protocol": 2})).rstrip(b"\n")
    with pytest.raises(OtherProtocol, match="update kiebitz on this computer"):
        Client(Played(b"\n".join(lines))).hello()
