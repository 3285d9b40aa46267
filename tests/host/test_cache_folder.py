"""A file in the cache is believed only with the hash it was put there with."""

import pytest
from kiebitz_lab.chip.cache_folder import seal, sealed
from kiebitz_lab.chip.processor import fast_library


def test_a_file_that_has_changed_is_not_believed(tmp_path):
    file = tmp_path / "core.so"
    assert sealed(file) is None
    file.write_bytes(b"good")
    assert sealed(file) is None
    seal(file)
    assert list(sealed(file)) == ["core.so"]
    file.write_bytes(b"evil")
    assert sealed(file) is None


@pytest.mark.parametrize("change", ["edit", "add", "remove", "seal"])
def test_a_folder_in_which_anything_has_changed_is_not_believed(tmp_path, change):
    folder = tmp_path / "sources"
    (folder / "lib").mkdir(parents=True)
    (folder / "lib" / "a.c").write_text("a")
    (folder / "b.c").write_text("b")
    seal(folder)
    entries = sealed(folder)
    assert sorted(entries) == ["sources/b.c", "sources/lib/a.c"]
    if change == "edit":
        (folder / "lib" / "a.c").write_text("x")
    elif change == "add":
        (folder / "lib" / "c.c").write_text("c")
    elif change == "remove":
        (folder / "b.c").unlink()
    else:
        (tmp_path / "sources.sha256").write_text("{}")
    assert sealed(folder) is None
    seal(folder, entries)
    assert sealed(folder) is not None


@pytest.mark.long
def test_a_changed_core_of_the_emulator_is_compiled_again(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    library = fast_library(print)
    if library is None:
        pytest.fail("there is no compiler for the fast core of the emulator")
    good = library.read_bytes()
    library.write_bytes(b"evil")
    assert fast_library(print).read_bytes() == good
