"""'kiebitz rescue' and 'kiebitz rebuild --from': games from a flash image, a backup, or a damaged file."""

import random
import shutil

import pytest
from helpers.finished import carre, spot
from helpers.shelf import DEVICE, NOW, games_on
from kiebitz.games import Refused
from kiebitz.store.journal_files import NAME as NEWEST
from kiebitz_host import rescue as flash_image
from kiebitz_host.cli.rescue import rescue
from kiebitz_host.flash_layout import BLOCK, BLOCKS, FLASH_SIZE, FS_START
from kiebitz_host.library import fixes, people, removals, schema
from kiebitz_host.library.store import Store
from kiebitz_lab.chip.flash import damaged
from kiebitz_lab.dice import Dice
from kiebitz_lab.random_games import legal_event, long_setups
from kiebitz_lab.torture.block_cuts import LittlefsStorage

LENGTHS = (1, 3, 8, 40, 150, 300)
KINDS = sorted(long_setups())


class Season:
    """A device with games of all kinds, of which the last one is running."""

    def __init__(self, seed, games):
        self.storage = LittlefsStorage()
        self.lines = {}  # game id -> its lines, as a sync would bring them
        self.files = {}  # game id -> the pieces of flash that hold them
        dice = Dice(seed)
        shelf = games_on(self.storage)
        for k in range(games):
            self._play(shelf, long_setups()[KINDS[k % len(KINDS)]], dice)
            if k < games - 1:
                shelf.close()
        for game_id in self.lines:
            data = self.storage.read(game_id + ".kbz") or shelf.files.read(game_id + ".kbz")
            self.files[game_id] = list(pieces(data))
        self.files[shelf.journal.id].append(self.storage.read(NEWEST))
        self.image = self.storage.image()

    def _play(self, shelf, setup, dice):
        shelf.create(setup)
        length = dice.pick(LENGTHS)
        while shelf.journal.lines <= length:
            try:
                shelf.play({"ev": "undo"} if dice.chance(5) else legal_event(shelf.table.game, dice, endless=True))
            except Refused:
                pass
            if dice.chance(10):
                shelf.make_ready()
            if dice.chance(3):
                shelf.keep_state()
        data = shelf.files.read(shelf.journal.name)
        self.lines[shelf.journal.id] = texts(data)

    def intact(self, image, hit):
        """Return the games that have no current or earlier data in a damaged block."""
        holds = {k: self.image[k * BLOCK : (k + 1) * BLOCK] for k in hit}
        return [
            game_id
            for game_id, parts in self.files.items()
            if not any(part in block for block in holds.values() for part in parts)
        ]


def texts(data):
    """Return the lines of a journal without numbers and checksums."""
    return [line.rsplit(b" ", 2)[0].decode() for line in data.splitlines()]


def pieces(data):
    """Yield the data of each block of a littlefs file, without the skip-list pointers at the start of a block."""
    at = number = 0
    while at < len(data):
        pointers = (number & -number).bit_length() if number else 0
        size = BLOCK - 4 * pointers
        yield data[at : at + size]
        at += size
        number += 1


@pytest.fixture(scope="module")
def season():
    return Season(1, 30)


@pytest.fixture
def unmountable(monkeypatch):
    """Make images unmountable, as without littlefs-python."""
    monkeypatch.setattr("kiebitz_host.cli.rescue.mounted_files", lambda image: None)


def spoilt(image, blocks, chance):
    """Return the image with these blocks randomized, zeroed or erased."""
    data = bytearray(image)
    for block in blocks:
        rubbish = chance.choice((chance.randbytes(BLOCK), bytes(BLOCK), b"\xff" * BLOCK))
        data[block * BLOCK : (block + 1) * BLOCK] = rubbish
    return bytes(data)


def found(image):
    return {game.id: game for game in rescue(image).games}


def lines_of(games):
    return {game_id: game.lines for game_id, game in games.items()}


# --- what comes back ---


def test_an_intact_image_gives_every_game_with_the_newest_entries(season):
    games = found(season.image)
    assert lines_of(games) == season.lines
    assert not any(game.flaw or game.others for game in games.values())
    assert rescue(season.image).is_mounted


def test_carving_alone_gives_the_same(season, unmountable):
    assert lines_of(found(season.image)) == season.lines


def test_with_both_roots_destroyed_every_game_comes_back(season):
    flash = b"\x00" * FS_START + season.image + b"\x00" * (FLASH_SIZE - FS_START - len(season.image))
    image = damaged(flash)[FS_START : FS_START + len(season.image)]
    result = rescue(image)
    assert not result.is_mounted
    assert {game.id: game.lines for game in result.games} == season.lines
    assert not any(game.flaw for game in result.games)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
def test_with_blocks_destroyed_every_game_comes_back_whose_blocks_are_intact(season, seed):
    chance = random.Random(seed)
    hit = chance.sample(range(BLOCKS), chance.choice((1, 4, 15, 60, 200)))
    image = spoilt(season.image, hit, chance)
    games = found(image)
    for game_id in season.intact(image, hit):
        assert games[game_id].lines == season.lines[game_id]
    for game_id, game in games.items():
        whole = season.lines[game_id]
        assert game.lines == whole[: len(game.lines)]
        if len(game.lines) < len(whole) and game.later:
            assert game.flaw


def test_a_gap_is_told_and_what_is_before_it_is_taken(season, unmountable):
    game_id, lines = max(season.lines.items(), key=lambda item: len(item[1]))
    first, second = season.files[game_id][:2]
    assert len(season.files[game_id]) > 2
    image = season.image.replace(second[100:], bytes(len(second) - 100))
    game = found(image)[game_id]
    assert 0 < len(game.lines) < len(lines)
    assert game.lines == lines[: len(game.lines)]
    assert game.flaw == f"entry {len(game.lines)} is lost, and {game.later} entries behind it cannot be used"
    game = found(image.replace(first[:500], bytes(500)))[game_id]
    assert not game.lines
    assert game.flaw.startswith("its set-up is lost, and ")


def test_an_end_of_which_only_the_index_tells(season, unmountable):
    game_id, lines = max(season.lines.items(), key=lambda item: len(item[1]))
    last = season.files[game_id][-1]
    game = found(season.image.replace(last, bytes(len(last))))[game_id]
    assert game.flaw == f"{len(lines) - len(game.lines)} entries at its end are lost"


@pytest.fixture
def two_courses():
    """Return a device with a game and a file with an older copy of it, which continued differently."""
    storage = LittlefsStorage()
    shelf = games_on(storage)
    shelf.create(long_setups()["poch"])
    for k in range(30):
        shelf.play({"ev": "loan", "from": k % 2, "to": (k + 1) % 2, "k": 1})
    shelf.files.settle()
    game_id, name = shelf.journal.id, shelf.journal.name
    whole = storage.read(name)
    head = whole[: whole.index(b" 10 ")]
    storage.write("old.bad", whole)
    storage.write(name, head[: head.rindex(b"\n") + 1])
    again = games_on(storage)
    again.resume(game_id)
    for k in range(4):
        again.play({"ev": "loan", "from": 2 + k % 2, "to": 2 + (k + 1) % 2, "k": 2})
    return storage.image(), game_id, texts(whole), texts(again.files.read(name))


def test_lines_of_another_course_are_not_mixed_in(two_courses):
    image, game_id, _, new = two_courses
    game = found(image)[game_id]
    assert (game.lines, game.flaw) == (new, "")


def test_both_courses_are_kept_if_nobody_knows_which_one_counts(two_courses, unmountable, kiebitz, tmp_path, path):
    image, game_id, old, new = two_courses
    game = found(image)[game_id]
    assert (game.lines, game.others) == (old, [new])
    (tmp_path / "flash.bin").write_bytes(image)
    assert "Another course of this game was found as well" in kiebitz("rescue", tmp_path / "flash.bin").out
    for _ in range(2):
        with Store(path) as store:
            held = store.stored_game(game_id)
            assert (held.lines, held.variants) == (old, [new])
        kiebitz("rescue", tmp_path / "flash.bin")


# --- into the store ---


@pytest.fixture
def image_file(season, tmp_path):
    path = tmp_path / "flash.bin"
    path.write_bytes(season.image)
    return path


def test_games_are_stored_as_a_sync_stores_them_and_only_once(kiebitz, season, image_file, path):
    told = kiebitz("rescue", image_file, "--json").json
    assert [game["outcome"] for game in told] == ["new"] * len(season.lines)
    assert all(game["complete"] for game in told)
    with Store(path) as store:
        for game_id, lines in season.lines.items():
            held = store.stored_game(game_id)
            assert (held.lines, held.variants, held.damaged) == (lines, [], False)
            assert (held.played_at, held.approximate) == (NOW, False)
        assert store.db.rows("SELECT id FROM devices") == [(DEVICE,)]
    told = kiebitz("rescue", image_file, "--json").json
    assert [game["outcome"] for game in told] == ["same"] * len(season.lines)


def test_the_whole_flash_will_do_and_a_later_image_completes_what_a_damaged_one_gave(
    kiebitz, season, image_file, tmp_path, path
):
    chance = random.Random(3)
    broken = tmp_path / "broken.bin"
    flash = bytearray(b"\xff" * FLASH_SIZE)
    flash[FS_START : FS_START + len(season.image)] = spoilt(season.image, chance.sample(range(BLOCKS), 60), chance)
    broken.write_bytes(flash)
    first = kiebitz("rescue", broken)
    assert (first.code, first.err) == (0, "")
    assert "the file system was not mounted" in first.out or "could be mounted" in first.out
    outcomes = {game["outcome"] for game in kiebitz("rescue", image_file, "--json").json}
    assert outcomes >= {"same", "longer"}
    with Store(path) as store:
        assert all(store.stored_game(game_id).lines == lines for game_id, lines in season.lines.items())
        assert not any(store.stored_game(game_id).damaged for game_id in season.lines)


@pytest.mark.only_files
def test_a_dry_run_stores_nothing(kiebitz, season, image_file, path):
    done = kiebitz("rescue", image_file, "--dry-run")
    assert done.code == 0
    lines = done.out.splitlines()
    assert len(lines) == len(season.lines) + 1
    assert lines[-1] == "30 games found, 30 complete; the file system could be mounted."
    assert "found." in lines[0]
    assert not path.exists()


# --- rubbish ---


def test_rubbish_is_one_sentence(kiebitz, season, tmp_path):
    chance = random.Random(9)
    some_id = next(iter(season.lines)).encode()
    rubbish = {
        "empty": b"",
        "short": b"\x01\x00\x00",
        "text": b"not a flash\n" * 1000,
        "random": chance.randbytes(BLOCK * BLOCKS),
        "whole": chance.randbytes(FLASH_SIZE),
        "pointers": bytes(BLOCK * BLOCKS),
        "ids": some_id * 5000,
        "braces": (b'{"' * 700 + some_id + b" 7 0123abcd\n") * 50,
    }
    for name, data in rubbish.items():
        path = tmp_path / name
        path.write_bytes(data)
        done = kiebitz("rescue", path)
        assert (done.code, done.out) == (2, ""), name
        assert done.err.startswith(f"kiebitz: no game can be found in {path}: ")
        assert done.err.count("\n") == 1


def test_a_file_that_cannot_be_read(kiebitz, tmp_path):
    for path, words in (
        (tmp_path / "nothing", "No such file"),
        (tmp_path, "Is a directory"),
    ):
        done = kiebitz("rescue", path)
        assert (done.code, done.out) == (2, "")
        assert words in done.err
    large = tmp_path / "large"
    with open(large, "wb") as file:
        file.truncate(flash_image.SIZE_MAX + 1)
    assert "too large" in kiebitz("rescue", large).err


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_images_that_are_cut_off_shifted_or_sprinkled_with_wrong_bits(season, seed):
    chance = random.Random(seed)
    data = bytearray(season.image)
    for _ in range(chance.choice((10, 1000, 100000))):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    for image in (bytes(data), bytes(data[: chance.randrange(len(data))]), bytes(data[chance.randrange(5000) :])):
        for game_id, game in found(image).items():
            assert game.lines == season.lines[game_id][: len(game.lines)]


# --- kiebitz rebuild --from ---

GAMES = {f"aabbcc-{k:04d}-000000": carre(["Anna", "Ben"], [k % 40, 40 - k % 40]) for k in range(1, 61)}


@pytest.fixture
def other(open_store, tmp_path):
    """Return the store of another laptop."""
    return open_store(tmp_path / "other.db")


def fill(store, games=GAMES):
    with store.batch():
        for game_id, lines in games.items():
            store.add_journal(game_id, lines, {"id": "e6aabbcc"}, 1000, False)


def test_everything_can_be_derived_anew(put, store, kiebitz):
    put(carre(["Anna", "Ben"], [3, 2]))
    put(spot(["Anna", "Ben", "Cleo"], [1, 2, 3]))
    before = kiebitz("games", "--json").out
    store.db.run("UPDATE scores SET score = 0")
    assert kiebitz("rebuild").out == "Rebuilt: 2 games.\n"
    assert kiebitz("games", "--json").out == before
    assert kiebitz("rebuild", "--json").json == {"games": 2, "taken": None}


@pytest.mark.only_files
def test_games_of_another_laptop_are_taken_with_what_was_done_there(store, other, kiebitz, tmp_path):
    fill(store, dict(list(GAMES.items())[:40]))
    fill(other, dict(list(GAMES.items())[20:]))
    other.add_journal("x-1-1", carre(["anna", "Cleo"], [1, 2]), None, 2000, True, True)
    people.join(other.db, people.find(other.db, "Anna"), people.find(other.db, "anna"))
    people.rename(other.db, people.find(other.db, "Ben"), "Benjamin")
    number = other.number("aabbcc-0060-000000")
    fixes.correct(other, number, 1, {"ev": "mark", "p": 0, "rubric": 5})
    fixes.correct(other, number, 2, {"ev": "mark", "p": 0, "rubric": 5})
    fixes.take_back(other, number)
    removals.delete(other, other.number("aabbcc-0059-000000"))
    done = kiebitz("rebuild", "--from", tmp_path / "other.db", "--json").json
    assert done == {"games": 61, "taken": {"new": 21, "known": 20, "lost": 0}}
    assert all(store.stored_game(game_id).lines == lines for game_id, lines in GAMES.items())
    held = store.stored_game("x-1-1")
    assert (held.played_at, held.approximate, held.damaged) == (2000, True, True)
    assert store.renames() == {"Ben": "Benjamin", "anna": "Anna"}
    assert [game["id"] for game in kiebitz("games", "--deleted", "--json").json] == ["aabbcc-0059-000000"]
    corrected = [game for game in kiebitz("games", "--json").json if game["fixes"]]
    assert [(game["id"], game["scores"][0]["score"]) for game in corrected] == [("aabbcc-0060-000000", 29)]
    again = kiebitz("rebuild", "--from", tmp_path / "other.db", "--json").json
    assert again["taken"] == {"new": 0, "known": 41, "lost": 0}
    assert [game["fixes"] for game in kiebitz("games", "--json").json if game["fixes"]] == [1]


@pytest.mark.only_files
def test_a_backup_of_a_newer_version_is_left_alone(store, other, kiebitz, tmp_path):
    fill(other)
    other.db.run(f"PRAGMA user_version = {schema.FORMAT + 1}")
    other.close()
    done = kiebitz("rebuild", "--from", tmp_path / "other.db")
    assert (done.code, done.out) == (2, "") and "written by a newer Kiebitz (format 2, this one supports 1)" in done.err
    assert kiebitz("games", "--json").json == []


@pytest.mark.parametrize(("part", "at_least"), [(0.02, 0), (0.3, 0), (0.5, 80), (0.7, 160), (0.9, 240), (0.99, 280)])
@pytest.mark.only_files
def test_of_a_file_that_was_cut_off_what_is_there_is_rescued(other, store, kiebitz, tmp_path, part, at_least):
    games = {f"aabbcc-{k:04d}-000000": carre(["Anna", "Ben"], [k % 40, 40 - k % 40]) for k in range(1, 301)}
    fill(other, games)
    other.close()
    whole = (tmp_path / "other.db").read_bytes()
    (tmp_path / "cut.db").write_bytes(whole[: int(len(whole) * part)])
    taken = kiebitz("rebuild", "--from", tmp_path / "cut.db", "--json").json["taken"]
    assert taken["new"] >= at_least
    assert taken["new"] + taken["lost"] >= at_least
    for game_id, lines in games.items():
        held = store.stored_game(game_id)
        if held:
            assert lines[: len(held.lines)] == held.lines
            assert held.damaged == (len(held.lines) < len(lines)), game_id


@pytest.mark.only_files
def test_rubbish_in_a_file_never_becomes_a_game(other, store, kiebitz, tmp_path):
    fill(other)
    other.close()
    content = bytearray((tmp_path / "other.db").read_bytes())
    for at in range(4096, len(content), 97):
        content[at] ^= at % 255
    (tmp_path / "other.db").write_bytes(content)
    kiebitz("rebuild", "--from", tmp_path / "other.db")
    for game in kiebitz("games", "--json").json:
        assert game["flaw"] is None and game["game"] in ("poker_carre", None)


@pytest.mark.only_files
def test_a_cut_file_and_its_backup_together_give_everything_back(other, kiebitz, tmp_path, store):
    fill(other)
    other.close()
    shutil.copy(tmp_path / "other.db", tmp_path / "backup.db")
    with open(tmp_path / "other.db", "rb+") as file:
        file.truncate(20000)
    for name in ("other.db", "backup.db"):
        assert kiebitz("rebuild", "--from", tmp_path / name).code == 0
    assert len(kiebitz("games", "--json").json) >= 60
    assert all(store.stored_game(game_id).lines == lines for game_id, lines in GAMES.items())


@pytest.mark.only_files
def test_what_cannot_be_taken_over_is_said(store, kiebitz, tmp_path, path):
    fill(store)
    (tmp_path / "letter.txt").write_text("Dear Anna, " * 500)
    before = kiebitz("games", "--json").out
    for source, sentence in (
        ("missing.db", "there is no such file"),
        (path, "cannot be imported into itself"),
        (tmp_path / "letter.txt", "nothing can be read in this file"),
    ):
        done = kiebitz("rebuild", "--from", source)
        assert (done.code, done.out) == (2, "") and sentence in done.err and done.err.count("\n") == 1
    assert kiebitz("games", "--json").out == before
