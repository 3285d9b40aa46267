"""Where MicroPython for the Pico comes from: one way after the other, and one sentence if there is none."""

import os
import struct
import subprocess
import threading

import pytest
from kiebitz_host.chip import image as images
from kiebitz_host.chip.image import BadImage, Failed, find_image, read_uf2
from kiebitz_host.outcome import Trouble

BLOCK = 512


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache, and nobody who gives an image."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("KIEBITZ_UF2", raising=False)
    return tmp_path / "kiebitz"


@pytest.fixture
def ways(monkeypatch):
    """ways(download=error, build=bytes) lets these ways fail or make such a file; returns the list of those tried."""
    tried = []

    def replace(**outcomes):
        def way(name, outcome):
            def go(target, say):
                tried.append(name)
                if isinstance(outcome, Exception):
                    raise outcome
                target.write_bytes(outcome)

            return go

        for name, outcome in outcomes.items():
            monkeypatch.setattr(images, f"_{name}", way(name, outcome))
        return tried

    return replace


def quiet(_):
    pass


def spoilt(image, at, value):
    data = bytearray(image.read_bytes())
    struct.pack_into("<I", data, at, value)
    return bytes(data)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda image: b"", "multiple of 512"),
        (lambda image: image.read_bytes()[:-1], "multiple of 512"),
        (lambda image: spoilt(image, 4, 0), "no UF2 file"),
        (lambda image: spoilt(image, BLOCK - 4, 0), "no UF2 file"),
        (lambda image: spoilt(image, 28, 0xE48BFF59), "another chip"),
        (lambda image: spoilt(image, 12, 0x20000000), "where a Pico keeps"),
        (lambda image: image.read_bytes()[: 100 * BLOCK], "no MicroPython in it"),
        (lambda image: image.read_bytes().replace(b"ython v1.25.0", b"ython v1.24.1"), "not version 1.25.0"),
    ],
)
def test_a_wrong_file_is_told_by_what_is_wrong_with_it(image, tmp_path, change, reason):
    path = tmp_path / "wrong.uf2"
    path.write_bytes(change(image))
    with pytest.raises(BadImage, match=reason):
        read_uf2(path)
    with pytest.raises(Trouble, match=reason):
        find_image(str(path))


def test_what_the_user_gives_is_taken(image, cache, ways, monkeypatch):
    tried = ways(download=Failed("no"), build=Failed("no"))
    assert find_image(str(image)) == image
    monkeypatch.setenv("KIEBITZ_UF2", str(image))
    assert find_image() == image
    with pytest.raises(Trouble, match="No such file"):
        find_image(str(cache / "nothing.uf2"))
    assert tried == []


def test_the_download_comes_first_and_is_kept(image, cache, ways):
    tried = ways(download=image.read_bytes(), build=Failed("no"))
    found = find_image(say=quiet)
    assert found.parent == cache and "1.25.0" in found.name
    assert find_image(say=quiet) == found
    assert tried == ["download"]


def test_a_download_that_is_broken_is_not_kept_but_built(image, cache, ways):
    tried = ways(download=image.read_bytes()[: 7 * BLOCK], build=image.read_bytes())
    said = []
    assert find_image(say=said.append).read_bytes() == image.read_bytes()
    assert tried == ["download", "build"]
    assert len(said) >= 2 and all(said)
    assert not [path for path in cache.iterdir() if path.name.startswith("making")]


def test_a_broken_file_in_the_cache_is_made_anew(image, cache, ways):
    ways(download=image.read_bytes())
    found = find_image(say=quiet)
    found.write_bytes(b"broken")
    assert find_image(say=quiet).read_bytes() == image.read_bytes()


def test_one_clear_sentence_if_nothing_works(cache, ways):
    ways(download=Failed("the download failed: no network"), build=Failed("this is no Debian"))
    with pytest.raises(Trouble) as trouble:
        find_image(say=quiet)
    told = str(trouble.value)
    assert "no network" in told and "no Debian" in told and "--uf2" in told and "KIEBITZ_UF2" in told
    assert "\n" not in told


def test_two_at_once_build_only_one(image, cache, ways):
    begun, go_on = threading.Event(), threading.Event()
    tried = ways(download=Failed("no"))
    said = []

    def slow(target, say):
        tried.append("build")
        begun.set()
        assert go_on.wait(10)
        target.write_bytes(image.read_bytes())

    images._build = slow  # put back by the fixture, which has replaced it as well
    found = []
    first = threading.Thread(target=lambda: found.append(find_image(say=quiet)))
    second = threading.Thread(target=lambda: found.append(find_image(say=said.append)))
    first.start()
    assert begun.wait(10)
    second.start()
    while not said:
        second.join(0.01)
    go_on.set()
    first.join(10)
    second.join(10)
    assert len(found) == 2 and tried.count("build") == 1
    assert "waiting" in said[0]


def test_the_build_says_what_it_lacks(tmp_path):
    """On a machine without apt-get the script gives up with a sentence, and writes nothing."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("bash", "mkdir"):
        os.symlink(f"/bin/{name}", tools / name)
    done = subprocess.run(
        ["bash", str(images._BUILD), str(tmp_path / "out.uf2"), str(tmp_path / "work")],
        env={"PATH": str(tools)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and "no Debian" in done.stderr and len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "out.uf2").exists()
