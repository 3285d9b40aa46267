"""`kiebitz exchange FOLDER`: laptops get the same games through a folder, even if its files are damaged."""

import os
import random
import threading

import pytest
from helpers.finished import carre, spot
from kiebitz_host import exchange as exchanging
from kiebitz_host.exchange import Folder, StoreSide, exchange
from kiebitz_host.library import fixes, people, removals
from kiebitz_host.library.store import Store
from kiebitz_host.outcome import Trouble
from kiebitz_lab.synthetic_store import shown


@pytest.fixture
def laptops(open_store, tmp_path):
    """Return three laptops, two with their own games and decisions, and an empty one."""
    one, two, new = (open_store(tmp_path / f"{name}.db") for name in ("one", "two", "new"))
    for k in range(12):
        store = (one, two)[k % 2]
        store.add_journal(f"aabbcc-{k:04d}-0", carre(["Anna", "Ben"], [k % 5, 2]), {"id": "e6"}, 1000 + k, False)
    for store in (one, two):
        store.add_journal("both-0001-0", spot(["Anna", "anna", "Cleo"], [1, 2, 3]), None, 900, False)
    removals.delete(one, 1)
    fixes.correct(one, 3, 1, {"ev": "mark", "p": 0, "rubric": 5})
    people.rename(two.db, people.find(two.db, "Ben"), "Benjamin")
    return one, two, new


def meet(store, folder):
    skipped = []
    return exchange(StoreSide(store), Folder(folder), skipped)


def files(folder):
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_all_laptops_end_with_the_same_and_no_file_is_ever_changed(laptops, folder):
    seen = {}
    for store in (*laptops, *laptops):
        assert meet(store, folder).skipped == []
        now = files(folder)
        assert {path: now.get(path) for path in seen} == seen
        seen = now
    assert shown(laptops[0]) == shown(laptops[1]) == shown(laptops[2])
    assert len(shown(laptops[2])["games"]) == 13
    kinds = [path.parts[-3] for path in files(folder) if path.suffix == ".kiebitz"]
    assert (kinds.count("journals"), kinds.count("decisions")) == (13, 3)
    again = meet(laptops[0], folder)
    assert (again.taken, again.given) == ({"journals": 0, "decisions": 0},) * 2


def test_a_game_that_goes_on_is_another_file_beside_the_first(laptops, folder):
    one, _, new = laptops
    game = carre(["Anna", "Ben"], [4, 4])
    one.add_journal("long-0001-0", game[:4], None, 5000, False)
    meet(one, folder)
    before = files(folder)
    one.add_journal("long-0001-0", game, None, 5000, False)
    meet(one, folder)
    assert len(files(folder)) == len(before) + 1
    meet(new, folder)
    assert new.stored_game("long-0001-0").lines == game
    assert len(files(folder)) == len(before) + 1


def test_cut_off_anywhere_it_completes_when_run_again(laptops, folder, monkeypatch):
    monkeypatch.setattr(exchanging, "PORTION", 3)
    plain = os.replace
    for left in range(12):
        moments = [left]

        def replace(source, target, moments=moments):
            moments[0] -= 1
            if moments[0] < 0:
                raise KeyboardInterrupt
            plain(source, target)

        monkeypatch.setattr(os, "replace", replace)
        for store in laptops:
            try:
                meet(store, folder)
            except KeyboardInterrupt:
                continue
    monkeypatch.setattr(os, "replace", plain)
    for store in (*laptops, *laptops):
        assert meet(store, folder).skipped == []
    assert shown(laptops[0]) == shown(laptops[1]) == shown(laptops[2])
    assert [path for path in files(folder) if path.suffix not in (".kiebitz", ".txt")] == []


def test_two_at_once_on_one_folder_do_no_harm(open_store, tmp_path, folder, place_of):
    stores = [open_store(tmp_path / f"{k}.db") for k in range(2)]
    for k, store in enumerate(stores):
        for game in range(30):
            lines = carre(["Anna", "Ben"], [game % 7, k])
            store.add_journal(f"{'both' if game % 2 else k}-{game:04d}-0", lines, None, 1000 + game, False)
        store.close()
    failed = []
    places = [place_of(tmp_path / f"{k}.db") for k in range(2)]

    def run(k):
        try:
            for _ in range(3):
                with Store(places[k]) as store:
                    failed.extend(meet(store, folder).skipped)
        except BaseException as error:
            failed.append(repr(error))

    threads = [threading.Thread(target=run, args=(k,)) for k in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    ends = []
    for k in range(2):
        with open_store(tmp_path / f"{k}.db") as store:
            meet(store, folder)
            ends.append(shown(store))
    assert ends[0] == ends[1] and len(ends[0]["games"]) == 45


# --- damaged and hostile files ---


@pytest.fixture
def damaged(laptops, folder):
    """Return a function that damages each file in turn and checks that a new laptop skips only that one."""
    one, _, new = laptops
    meet(one, folder)

    def check(change, kind="journals", sentence="was left out"):
        path = next(path for path in sorted((folder / kind).rglob("*.kiebitz")))
        change(path)
        report = meet(new, folder)
        assert len(report.skipped) == 1 and sentence in report.skipped[0] and report.skipped[0].endswith(".")
        assert report.taken["journals"] == 7 - (kind == "journals")
        return path

    return check


def _flip(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("kind", ["journals", "decisions"])
@pytest.mark.parametrize(
    "change",
    [
        _flip,
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes()[:-3]),
        lambda path: path.write_bytes(b"\xff" * 1000),
        lambda path: (path.unlink(), os.mkfifo(path)),
        lambda path: (path.unlink(), path.mkdir()),
        lambda path: (path.unlink(), path.symlink_to("/dev/zero")),
        lambda path: os.truncate(path, 9_000_000),
    ],
)
def test_a_damaged_file_is_said_and_left_out(damaged, change, kind):
    damaged(change, kind)


def _named(folder, kind, content):
    name = exchanging.name_of(kind, content)
    path = folder / kind / name[:2] / f"{name}.kiebitz"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


HEAD = '{"kiebitz":1,"id":"a-1-1","device":null,"at":5,"approximate":false,"histories":[[1,false]]}'


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("journals", b"{}\n"),
        ("journals", b"[" * 100000),
        ("journals", HEAD.replace("1,", "2,", 1).encode() + b"\n{}\n"),  # of a newer Kiebitz
        ("journals", HEAD.replace("[[1,", "[[9,").encode() + b"\n{}\n"),
        ("journals", HEAD.replace("[[1,false]]", "[]").encode() + b"\n"),
        ("journals", HEAD.replace('"at":5', '"at":99999999999999').encode() + b"\n{}\n"),
        ("journals", HEAD.replace("a-1-1", "a\\n1").encode() + b"\n{}\n"),
        ("journals", HEAD.replace('"device":null,', "").encode() + b"\n{}\n"),
        ("journals", HEAD.replace("null", '"\\u001b[2J"').encode() + b"\n{}\n"),
        ("decisions", b"{}"),
        ("decisions", b'{"kiebitz":1,"kind":"burn"}'),
        ("decisions", b'{"about":"","author":"x","kiebitz":1,"kind":"split","n":"","time":-1,"values":{"name":"A"}}'),
        ("decisions", b'{"about":"","author":"x","kiebitz":1,"kind":"split","n":"","time":1,"values":{"name":7}}'),
        ("decisions", b'{"about":"x","author":"x","kiebitz":1,"kind":"split","n":"","time":1,"values":{"name":"A"}}'),
        ("decisions", b'{"about":"x","author":"x","kiebitz":1,"kind":"fix","n":"","time":1,"values":{}}'),
    ],
)
def test_a_file_that_somebody_else_has_made_up_is_said_and_left_out(laptops, folder, kind, content):
    one, _, new = laptops
    meet(one, folder)
    _named(folder, kind, content)
    report = meet(new, folder)
    assert len(report.skipped) == 1 and "was left out: it" in report.skipped[0]
    assert shown(new) == shown(one)


DECISION = '{"about":"","author":"x","kiebitz":1,"kind":"split","n":"","time":1,"values":{"name":"A"}}'


@pytest.mark.parametrize(("kind", "content"), [("journals", HEAD + "\n{}\n"), ("decisions", DECISION)])
def test_only_a_higher_number_is_that_of_a_newer_kiebitz(laptops, folder, kind, content):
    _, _, new = laptops
    damaged = ["0", "-1", "true", "false", '"2"', "1.0", "2.5", "null", "[2]", "{}"]
    for number in damaged:
        _named(folder, kind, content.replace('"kiebitz":1', f'"kiebitz":{number}').encode())
    report = meet(new, folder)
    assert len(report.skipped) == len(damaged) and "newer" not in " ".join(report.skipped)
    for number in ("2", "1000000000000"):
        _named(folder, kind, content.replace('"kiebitz":1', f'"kiebitz":{number}').encode())
    assert " ".join(meet(new, folder).skipped).count("it was written by a newer Kiebitz") == 2


def test_a_made_up_journal_of_the_right_form_is_a_game_like_any_other(laptops, folder):
    _, _, new = laptops
    _named(folder, "journals", HEAD.encode() + b"\n\x1b[2J nonsense\n")
    assert meet(new, folder).skipped == []
    assert [game["flaw"] for _, game, _, _ in shown(new)["games"]] == ["1:E_ARG"]


def test_files_that_are_not_ours_are_left_alone(laptops, folder):
    one, _, _ = laptops
    others = [folder / ".git" / "config", folder / "journals" / "notes.txt", folder / "journals" / "zz" / "x.kiebitz"]
    for path in others:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("mine")
    assert meet(one, folder).skipped == []
    assert [path.read_text() for path in others] == ["mine"] * 3


# --- the command ---


def test_the_command_says_what_it_did(laptops, folder, kiebitz, tmp_path, place_of):
    one, _, new = laptops
    place = place_of(tmp_path / "one.db")
    done = kiebitz("exchange", folder, "--db", place)
    assert (done.code, done.err) == (0, "")
    assert done.out == "Taken over: 0 games, 0 decisions.\nHanded on: 7 games, 2 decisions.\n"
    done = kiebitz("exchange", folder, "--db", place_of(tmp_path / "new.db"), "--lang", "de")
    assert done.out == "Übernommen: 7 Spiele, 2 Entscheidungen.\nWeitergegeben: 0 Spiele, 0 Entscheidungen.\n"
    nothing = {"journals": 0, "decisions": 0}
    assert kiebitz("exchange", folder, "--db", place, "--json").json == {
        "taken": nothing,
        "given": nothing,
        "skipped": [],
    }
    _named(folder, "decisions", b"{}")
    done = kiebitz("exchange", folder, "--db", place)
    assert done.code == 2 and done.err.startswith("kiebitz: decision ") and "was left out: it is not a" in done.err


def test_a_folder_that_is_not_there_or_cannot_be_written(laptops, folder, tmp_path, monkeypatch):
    one, _, _ = laptops
    with pytest.raises(Trouble, match="is not a folder"):
        meet(one, tmp_path / "nowhere")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(exchanging.os, "sync", full)
    before = shown(one)
    with pytest.raises(Trouble, match="No space left on device. What was exchanged so far stays; run it again."):
        meet(one, folder)
    assert shown(one) == before
    monkeypatch.undo()
    assert meet(one, folder).given["journals"] == 7


def test_twenty_laptops_and_one_stick(open_store, tmp_path, folder):
    chance = random.Random(3)
    stores = [open_store(tmp_path / f"{k}.db", now=lambda k=k: 1_000_000_000 + 5_000_000 * k) for k in range(20)]
    for k, store in enumerate(stores):
        for game in range(3):
            lines = carre(chance.sample(["Anna", "Ben", "Cleo"], 2), [game, k % 4])
            store.add_journal(f"{k}-{game:04d}-0", lines, None, 1000 + 10 * k + game, False)
    for _ in range(60):
        store = chance.choice(stores)
        meet(store, folder)
        try:
            chance.choice((removals.delete, removals.restore))(store, chance.randrange(1, 4))
        except Trouble:
            continue
    for store in (*stores, *stores):
        meet(store, folder)
    ends = [shown(store) for store in stores]
    assert all(end == ends[0] for end in ends) and len(ends[0]["games"]) == 60
