"""A power cut in the middle of a rename: littlefs hides the file behind the renamed one, and the store must not."""

from kiebitz_lab.littlefs_flash import LittlefsStorage, after_cut


def cut_in_a_rename():
    """Return flashes, each after a power cut in a rename between two parts of a long folder, and the names in it."""
    storage = LittlefsStorage()
    names = [f"file{k:02}" for k in range(60)]
    for name in names:
        storage.write(name, name.encode() * 20)
    storage.write("a.tmp", b"renamed")
    image, start = storage.image(), len(storage.flash.log)
    storage.rename("a.tmp", "zz")
    log = storage.flash.log[start:]
    return [after_cut(image, log, at, 0) for at in range(len(log))], names


def test_no_file_is_hidden_by_a_rename_that_was_cut_off():
    flashes, names = cut_in_a_rename()
    hidden = [name for flash in flashes for name in names if LittlefsStorage(flash, False).size(name) is None]
    assert hidden, "littlefs no longer hides files: the care in Storage can go"
    for flash in flashes:
        assert [name for name in names if LittlefsStorage(flash).size(name) is None] == []
