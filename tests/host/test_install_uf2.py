"""The UF2 file: where it is looked for, and what is checked before anything is copied."""

import hashlib

import pytest
from helpers.installing import FLASH_START, RP2350, flash, part, uf2, write
from kiebitz import VERSION
from kiebitz_host.flash_layout import FS_START
from kiebitz_host.install.trouble import BadUf2, NoUf2, OtherSum
from kiebitz_host.install.uf2 import find_uf2

NAME = f"kiebitz-{VERSION}.uf2"


@pytest.fixture
def find(tmp_path):
    """find(given, KIEBITZ_UF2) looks in the folders `shipped` and `build`."""

    def find_it(given=None, named=None):
        environ = {"KIEBITZ_UF2": str(named)} if named else {}
        return find_uf2(given and str(given), environ, (tmp_path / "shipped", tmp_path / "build"))

    return find_it


def test_what_is_named_comes_first_then_what_was_shipped_then_what_was_built(find, tmp_path):
    places = [tmp_path / "a.uf2", tmp_path / "b.uf2", tmp_path / "shipped" / NAME, tmp_path / "build" / NAME]
    for k, path in enumerate(places):
        write(path, uf2(flash(f"0.{k}.0")))
    assert find(places[0], places[1]).version == "0.0.0"
    assert find(None, places[1]).version == "0.1.0"
    assert find().version == "0.2.0"
    places[2].unlink()
    found = find()
    assert (found.path, found.version, found.compared) == (places[3], "0.3.0", True)
    assert found.sha256 == hashlib.sha256(places[3].read_bytes()).hexdigest()


def test_without_a_file_it_is_said_how_to_get_one(find):
    with pytest.raises(NoUf2) as trouble:
        find()
    assert str(trouble.value) == (
        f"there is no {NAME} on this computer: run make uf2 in a checkout of the project, which builds it, "
        "or name a file with --uf2 FILE."
    )


def test_a_checksum_may_be_missing_only_for_a_file_that_was_named(find, tmp_path):
    path = write(tmp_path / "build" / NAME, uf2(flash()), checksum=False)
    with pytest.raises(BadUf2, match=f"its checksum {NAME}.sha256 is missing.*Nothing was copied"):
        find()
    assert not find(path).compared
    assert not find(None, path).compared


@pytest.mark.parametrize("text", ["", "no sum", "0" * 64 + "  x.uf2\n", "\xff\xfe"])
def test_another_checksum_is_refused_also_for_a_file_that_was_named(find, tmp_path, text):
    path = write(tmp_path / "x.uf2", uf2(flash()))
    (tmp_path / "x.uf2.sha256").write_text(text)
    with pytest.raises(OtherSum, match="does not match the SHA-256 in x.uf2.sha256"):
        find(path)


def test_a_damaged_file_is_found_out(find, tmp_path):
    path = write(tmp_path / "x.uf2", uf2(flash()))
    data = bytearray(path.read_bytes())
    data[100_000] ^= 1
    path.write_bytes(data)
    with pytest.raises(OtherSum):
        find(path)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "its length is not a multiple of 512"),
        (b"UF2" * 1000, "its length is not a multiple of 512"),
        (bytes(5120), "it is not a UF2 file"),
        (uf2(flash(), payload=500), "it is not a UF2 file"),
        (uf2(flash()) + part(flash(), family=0xADA52840), "it is made for another chip"),
        (part(flash()), "the part for the RP2350 is missing"),
        (part(flash(), family=RP2350), "the part for the RP2040 is missing"),
        (part(flash()) + part(flash(), family=RP2350), "its parts are in the wrong order"),
        (part(flash(), family=RP2350)[:-512] + part(flash()), "it is not complete"),
        (part(flash("0.1.0"), family=RP2350) + part(flash("0.2.0")), "its parts are different versions"),
        (uf2(flash(size=400_000))[: 512 * 900], "it is not complete"),
        (uf2(flash(size=400_000))[:-512], "it is not complete"),
        (uf2(flash(), start=FLASH_START + 256), "it does not lie where a Pico keeps MicroPython"),
        (uf2(flash(size=FS_START + 256)), "it does not lie where a Pico keeps MicroPython"),
        (uf2(flash(size=9999)), "there is no MicroPython in it"),
        (uf2(b"x" * 300_000), "there is no MicroPython in it"),
        (uf2(flash(micropython="1.24.1")), "it is not version 1.25.0"),
        (uf2(flash(version="")), "there is MicroPython in it, but no Kiebitz"),
    ],
)
def test_any_other_file_is_refused_with_the_reason(find, tmp_path, data, words):
    path = write(tmp_path / "x.uf2", data)
    with pytest.raises(BadUf2) as trouble:
        find(path)
    assert f"{path} is not a Kiebitz firmware for the Pico: {words}. " in str(trouble.value)


def test_a_file_that_cannot_be_read(find, tmp_path):
    for path, words in ((tmp_path / "none.uf2", "No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(BadUf2, match=f"it cannot be read .{words}"):
            find(path)
