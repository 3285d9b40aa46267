"""What a version of loose files has left is cleared away, file by file; nothing else is touched."""

import pytest
from kiebitz.store.old_loose_files import Leftovers

OLD = ("kiebitz/__init__.mpy", "kiebitz/power_on.mpy", "kiebitz/files.txt", "kiebitz/app.mpy", "kiebitz/ui/a/b.txt")
BESIDE = ("finish.py", "board.txt", "kiebitz.new/0123")
STAYS = ("data/settings", "data/fresh/lines", "boot.py", "main.py.bak", "dev/kiebitz/power_on.mpy", "notes.txt")


def put(root, names, content=b"x"):
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)


def left(root):
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}


@pytest.fixture
def flash(tmp_path):
    put(tmp_path, OLD + BESIDE + STAYS)
    put(tmp_path, ["main.py"], b"from kiebitz.power_on import power_on\npower_on()\n")
    return tmp_path


def leftovers(root):
    return Leftovers(f"{root}/")


def test_everything_of_the_old_version_goes_and_all_else_stays(flash):
    cleaner = leftovers(flash)
    steps = 0
    while cleaner.clear_one():
        steps += 1
    assert left(flash) == set(STAYS) and not (flash / "kiebitz").exists() and not (flash / "kiebitz.new").exists()
    assert steps > len(OLD), "one at a time"


def test_a_cut_at_any_moment_is_made_up_for_at_the_next_start(flash):
    for _ in range(40):
        leftovers(flash).clear_one()  # every start comes one file further
    assert left(flash) == set(STAYS)


def test_another_program_keeps_its_main_and_a_folder_of_that_name(tmp_path):
    put(tmp_path, ["main.py", "kiebitz/notes.txt", "board.txt"])
    cleaner = leftovers(tmp_path)
    assert not cleaner.clear_one()
    assert left(tmp_path) == {"main.py", "kiebitz/notes.txt", "board.txt"}


def test_the_main_of_another_program_stays_beside_our_old_files(flash):
    put(flash, ["main.py"], b"print('mine')\n")
    cleaner = leftovers(flash)
    while cleaner.clear_one():
        pass
    assert left(flash) == {*STAYS, "main.py"}


def test_a_flash_without_leftovers_is_looked_at_once(tmp_path):
    put(tmp_path, STAYS)
    assert not leftovers(tmp_path).clear_one() and left(tmp_path) == set(STAYS)


def test_trouble_with_the_flash_ends_it_until_the_next_start(flash, monkeypatch):
    def broken(path):
        raise OSError(5)

    cleaner = leftovers(flash)
    monkeypatch.setattr("kiebitz.store.old_loose_files.os.remove", broken)
    assert cleaner.clear_one() and not cleaner.clear_one()
