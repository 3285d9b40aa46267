"""Test the shipped image: reproducible, complete, and not too close to the file system."""

import hashlib
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from threading import Event
from types import SimpleNamespace
from zipfile import ZipFile

import pytest
from kiebitz import VERSION
from kiebitz.board.family import MARK
from kiebitz.games import GAMES
from kiebitz.raster import font_small, font_tall
from kiebitz.text import LANGUAGES
from kiebitz_host.flash_layout import BLOCK, BLOCKS, FLASH_SIZE, FS_START
from kiebitz_host.install.uf2 import CHIPS, RP2040, find_uf2, mark_of, read_part, read_uf2
from kiebitz_host.outcome import Trouble
from kiebitz_lab import dist
from kiebitz_lab.chip.cache_folder import only_one
from kiebitz_lab.chip.flash import FS_END, flash_with
from kiebitz_lab.chip.pico import Pico
from kiebitz_lab.chip.processor import XOSC_HZ
from kiebitz_lab.frozen_tree import source_files, write_tree
from kiebitz_lab.image import build
from kiebitz_lab.image.__main__ import main as image_main
from kiebitz_lab.image.build import (
    MARGIN,
    Program,
    check_program,
    checksum_path,
    current_image,
    elf_of,
    family_images,
    find_sources,
    notices,
    refuse_too_large,
    sections,
)
from kiebitz_lab.image.room import FONTS, MICROPYTHON, NAMES, current_room
from kiebitz_lab.site.build import build as build_site


def test_the_image_passes_the_checks_of_the_installer_and_has_a_checksum_beside_it(image):
    found = find_uf2(str(image))
    assert (found.version, found.compared) == (VERSION, True)
    digest = hashlib.sha256(image.read_bytes()).hexdigest()
    assert checksum_path(image).read_text() == f"{digest}  {image.name}\n"


def test_every_module_of_the_firmware_is_in_it(image):
    program = read_uf2(image)
    for name in source_files():
        assert name.as_posix().encode() in program, name


def test_it_is_the_same_bytes_in_another_folder_from_nothing(image, tmp_path):
    """Compile it again from the sources in another folder, which takes about a minute."""
    sources = tmp_path / "elsewhere"
    for part in ("micropython", "mbedtls", "deb"):
        shutil.copytree(find_sources() / part, sources / part, symlinks=True)
    shutil.rmtree(sources / "micropython" / "mpy-cross" / "build")
    build._run(["make", "-C", str(sources / "micropython" / "mpy-cross"), "-j2"], tmp_path / "log")
    write_tree(tmp_path / "firmware")
    binary = build._compile(sources, tmp_path / "firmware", RP2040, lambda line: None)
    assert build.as_uf2(sources, binary, RP2040) == read_part(find_uf2(str(image)), RP2040)


def test_an_image_that_nobody_has_changed_is_not_built_again(image, monkeypatch):
    monkeypatch.setattr(build, "_build", None)
    assert current_image() == image


def test_an_image_that_is_not_as_it_was_written_is_built_again(image, monkeypatch, tmp_path):
    built = []
    (tmp_path / "image").mkdir()
    shutil.copy(elf_of(image), tmp_path / "image")
    for path in family_images().values():
        shutil.copy(path, tmp_path)
    monkeypatch.setattr(build, "BUILD", tmp_path)
    monkeypatch.setattr(build, "_build", lambda tree, path, key, version, say: built.append(path))
    key = (image.parent / "image" / f"{image.stem}.key").read_text()
    (tmp_path / "image" / f"{image.stem}.key").write_text(key)
    current_image(lambda line: None)
    assert built == []
    (tmp_path / image.name).write_bytes(image.read_bytes() + b"x")
    current_image(lambda line: None)
    assert built == [tmp_path / image.name]
    shutil.copy(image, tmp_path)
    current_image(lambda line: None)
    assert len(built) == 1
    build.image_path(family="picosystem").unlink()
    current_image(lambda line: None)
    assert len(built) == 2


def test_the_images_of_all_families_are_the_same_but_for_one_mark(image):
    for family, path in family_images().items():
        assert path.name == f"kiebitz-{VERSION}{'-' * bool(family)}{family}.uf2"
        assert checksum_path(path).read_text() == f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        assert find_uf2(str(path)).version == VERSION
        for chip in CHIPS:
            plain = read_uf2(image, chip=chip)
            assert plain.count(MARK) == 1 and len(mark_of(family)) == len(MARK)
            assert read_uf2(path, chip=chip) == plain.replace(MARK, mark_of(family))
            assert build.for_family(plain, family) == read_uf2(path, chip=chip)
    with pytest.raises(Trouble, match="must have one place for the family of boards, not 2"):
        build.for_family(2 * MARK, "picosystem")


def test_the_installer_makes_the_same_part_as_the_build(image):
    for family, path in family_images().items():
        for chip in CHIPS:
            assert read_part(replace(find_uf2(str(image)), family=family), chip) == read_part(find_uf2(str(path)), chip)


def test_sources_are_not_taken_for_damaged_while_another_process_builds_with_them(monkeypatch, tmp_path):
    """During a build the folder has files without a hash, and a damaged folder is removed."""
    with monkeypatch.context() as cache:
        cache.setenv("XDG_CACHE_HOME", str(tmp_path))
        told, looked = [], []
        cache.setattr(build, "_checked_sources", lambda say: (looked.append(len(told)), {}))
        with ThreadPoolExecutor(1) as pool, only_one("image", told.append):
            asked = Event()
            found = pool.submit(find_sources, lambda line: (told.append(line), asked.set()))
            assert asked.wait(10) and not looked
        assert found.result(10) is None and looked == [1]


@pytest.mark.parametrize(("over", "refused"), [(0, False), (1, True), (100_000, True)])
def test_an_image_too_near_to_the_games_is_refused(over, refused):
    size = FS_START - MARGIN + over
    if not refused:
        refuse_too_large(size)
        return
    with pytest.raises(Trouble, match=f"must end 16 KB before the file system: {over:,} bytes have to go"):
        refuse_too_large(size)


def test_the_file_system_stays_where_it_is_for_ever():
    """An image with another boundary would not find the games on a device, or would overwrite them."""
    header = (build.HERE / "board" / "mpconfigboard.h").read_text()
    assert re.search(r"#define MICROPY_HW_FLASH_STORAGE_BYTES +\(PICO_FLASH_SIZE_BYTES - 1024 \* 1024\)\n", header)
    assert (FS_START, BLOCK * BLOCKS, FS_END) == (0x100000, 1024 * 1024, FLASH_SIZE)


@pytest.mark.parametrize("chip", CHIPS)
def test_inner_loops_run_from_ram_and_all_modules_have_a_place(image, chip):
    program = Program(elf_of(image, chip).read_bytes())
    check_program(program)

    def changed(name, **values):
        symbols = [symbol._replace(**values) if symbol.name == name else symbol for symbol in program.symbols]
        return SimpleNamespace(symbols=symbols)

    for name in ("gc_alloc", "mp_execute_bytecode"):
        with pytest.raises(Trouble, match=f"{name} is not in RAM"):
            check_program(changed(name, start=0x10001000))
    with pytest.raises(Trouble, match="257 modules are frozen"):
        check_program(changed("mp_frozen_mpy_content", size=4 * 258))


def test_the_image_sets_200_mhz_after_it_has_raised_the_voltage(image):
    """A chip at 200 MHz needs a core voltage of 1.15 V (VSEL 0xc) before the clock rises."""
    pico = Pico(flash_with(image))
    regulator, raised = pico.mcu.vreg_and_chip_reset, []
    write = regulator.write_uint32

    def written(offset, value):
        raised.append((offset, value >> 4 & 0xF, pico.clocks.sys_hz))
        write(offset, value)

    regulator.write_uint32 = written
    pico.run_ms(20)
    assert raised == [(0, 0xC, XOSC_HZ)]
    assert pico.clocks.sys_hz == pico.mcu.clk_peri == 200_000_000


def test_the_table_of_the_room_adds_up_to_the_image(image):
    content = Program(elf_of(image).read_bytes()).content
    assert read_uf2(image).rstrip(b"\0") == content.rstrip(b"\0"), "the linked program is of another image"
    figures = current_room()
    rows = figures["rows"]
    assert sum(rows.values()) == figures["size"] == len(content) and figures["free"] == FS_START - len(content)
    wanted = {*[f"kiebitz.games.{kind}" for kind in GAMES], *[f"kiebitz_languages.{lang}" for lang in LANGUAGES]}
    assert wanted | {MICROPYTHON, NAMES, FONTS, "kiebitz.screens", "kiebitz.store"} <= set(rows)
    assert all(8_000 < rows[f"kiebitz_languages.{lang}"] < 20_000 for lang in LANGUAGES), rows
    tables = sum(bytes_in(table) for part in (font_small, font_tall) for table in vars(part).values())
    assert 10_000 < tables < rows[FONTS] < 2 * tables


def test_make_room_prints_the_table_instead_of_the_path(image, capsys):
    assert image_main(["--room"]) == 0
    shown = capsys.readouterr().out
    assert f"Free before the file system: {current_room()['free']:,} bytes." in shown and str(image) not in shown


def test_machine_code_begins_at_a_whole_word_because_it_loads_constants_from_there(image):
    program = Program(elf_of(image).read_bytes())
    viper = [symbol for symbol in program.symbols if symbol.name.startswith("fun_data_") and "_dot_py" in symbol.name]
    assert len(viper) > 10 and not [symbol for symbol in viper if symbol.start % 4]


def bytes_in(table):
    """Return how many bytes the constants of a table have."""
    return len(table) if isinstance(table, bytes) else sum(map(bytes_in, table)) if isinstance(table, tuple) else 0


def test_the_licences_of_everything_inside_are_told(image):
    text = notices(find_sources())
    for title in sections(find_sources()):
        assert title in text
    for words in ("Damien P. George", "littlefs", "Raspberry Pi", "TinyUSB", "Ha Thach", "newlib", "GCC Runtime"):
        assert words.lower() in text.lower(), words


def test_what_is_released_has_checksums_and_a_wheel_with_the_image_inside(image, tmp_path):
    site = partial(build_site, gallery=False)
    files = {path.name: path for path in dist.make(tmp_path / "dist", "https://code.example/kiebitz", site)}
    wheel = next(name for name in files if name.endswith(".whl"))
    printed = {name for name in files if name.endswith(".stl")}
    assert {"kiebitz-case-base.stl", "kiebitz-case-lid_0.96.stl", "kiebitz-case-keys.stl"} <= printed
    assert {f"kiebitz-case-board_{name}.stl" for name in ("base", "lid_2.42", "lid_1.3", "keys")} <= printed
    packed = f"kiebitz-site-{VERSION}.zip"
    images = {path.name for path in family_images().values()}
    sums = {f"{name}.sha256" for name in images}
    board = {"kiebitz-board-1-fab.zip", "kiebitz-board-bom.csv", "kiebitz-board-positions.csv"}
    server = {"Dockerfile", "compose.yaml", "kiebitz.service", "kiebitz-kiosk.service"}
    assert set(files) - printed == images | sums | board | server | {wheel, packed, "NOTICES.txt", "SHA256SUMS"}
    with ZipFile(files[packed]) as pages:
        assert {"index.html", "play.html", "guide/index.html", "images.json"} | images <= set(pages.namelist())
    for line in files["SHA256SUMS"].read_text().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256(files[name].read_bytes()).hexdigest() == digest
    shutil.unpack_archive(files[wheel], tmp_path / "wheel", "zip")
    shipped = tmp_path / "wheel" / "kiebitz_host" / "uf2" / image.name
    assert shipped.read_bytes() == image.read_bytes() and find_uf2(None, {}, (shipped.parent,)).version == VERSION
    assert not (tmp_path / "wheel" / "kiebitz_lab").exists()
    for folder in ("kiebitz_languages", "kiebitz_host/languages"):
        assert (tmp_path / "wheel" / folder / "de.txt").is_file()


def test_a_trial_with_another_micropython_leaves_the_pinned_image_alone(capsys, monkeypatch):
    assert image_main(["--micropython", "newest"]) == 2
    assert capsys.readouterr().err == "kiebitz: a version of MicroPython looks like 1.25.0, not like newest.\n"
    asked = []

    def no_sources(say, version):
        asked.append(version)
        raise Trouble(f"there is no {version}.")

    monkeypatch.setattr(build, "_checked_sources", no_sources)
    pinned = build.image_path()
    before = pinned.read_bytes() if pinned.exists() else None
    assert image_main(["--micropython", "99.0.0"]) == 2
    assert asked == ["99.0.0"] and capsys.readouterr().err.endswith("kiebitz: there is no 99.0.0.\n")
    assert build.image_path("99.0.0") != pinned and before == (pinned.read_bytes() if pinned.exists() else None)
