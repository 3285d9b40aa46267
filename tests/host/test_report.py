"""`kiebitz doctor --report`: the scenario on a fake device, its file, and unchanged files of the players."""

from datetime import UTC, datetime

import pytest
from helpers.fake_pico import FakePico, StagedPico
from helpers.installing import FakeUsb
from kiebitz import VERSION
from kiebitz.text import use
from kiebitz_host import report as reporting
from kiebitz_host.cli import doctor as command
from kiebitz_host.cli.doctor import REPORT, Doctor, write_report
from kiebitz_host.install.prompt_session import Lost
from kiebitz_host.install.trouble import DeviceFailed, NoPico
from kiebitz_host.link.trouble import NotAKiebitz
from kiebitz_host.report import (
    CHAPTERS,
    CannotWrite,
    CutShort,
    InAGame,
    NoRoom,
    NotMountedFlash,
    OtherFirmware,
    Reporter,
    SimulatedApp,
    presses,
)
from kiebitz_host.report.sheet import sheet, summary

PRESSES = presses(SimulatedApp("pico_oled", {"language": "en"}))
PORT = "/dev/null"  # which exists
POCH = {"game": "poch", "players": ["Rumpelstilz", "Ben", "Cleo"]}
MOMENT = datetime(2026, 11, 18, 3, 4, tzinfo=UTC)


@pytest.fixture
def pico(tmp_path):
    folder = tmp_path / "flash"
    folder.mkdir()
    yield StagedPico(folder)
    use("en")


def reporter(pico, **doors):
    first = lambda path, connect: VERSION  # noqa: E731
    return Reporter(pico.connect, pico.session, lambda _: None, clock=lambda: 0.0, first_screen=first, **doors)


def made(pico, **doors):
    return reporter(pico, **doors).run(PORT)


def files(pico):
    """Return the content of the players' files."""
    return {path.name: path.read_bytes() for path in pico.folder.rglob("*") if path.is_file()}


def test_every_picture_is_the_simulators_and_the_file_says_so(pico):
    pico.device.app.roster.add("Rumpelstilz")
    report = made(pico)
    assert [step.same for step in report.played.steps] == [True] * (1 + len(PRESSES))
    assert report.files == report.files_after and report.files["files"] == 1
    told = sheet(report, MOMENT)
    lines = told.splitlines()
    assert lines[0] == "Kiebitz report of 2026-11-18 03:04 UTC"
    assert f"  pictures        all {1 + len(PRESSES)} pictures are the simulator's" in lines
    assert f"  files           1 of the players, CRC32 {report.files['crc']} before and after: unchanged" in lines
    assert f"  firmware        kiebitz {VERSION}" in lines and "  board           pico_oled, 128 by 64 pixels" in lines
    assert "  MicroPython     1.25.0 on Raspberry Pi Pico with RP2040" in lines
    assert "  the start       990 of 1,000 reads hit: 99.00 %" in lines
    assert f"  all keys        {990 * len(PRESSES):,} of {1000 * len(PRESSES):,} reads hit: 99.00 %" in lines
    assert "Rumpelstilz" not in told and pico.device.board.device_id not in told
    assert pico.restarts == 1 and pico.began == ["app.run()"]


def test_the_story_plays_every_game_and_leaves_each_with_entries(pico):
    report = made(pico)
    titles = [step.title for step in report.played.steps]
    for words in ("Self-test 6/6", "Round 1 of 3", "PokerCarre", "Game 1 of 3", "Skyjo", "Settings"):
        assert any(title.startswith(words) for title in titles), words
    assert sum(step.written for step in report.played.steps) > 20
    for chapter, _ in CHAPTERS:  # UNDO on the first screen could bring back a game that was thrown away
        at = max(number for number, press in enumerate(PRESSES, 1) if press.chapter == chapter)
        assert titles[at] == "Kiebitz" and PRESSES[at - 1].key != "UNDO"


@pytest.mark.parametrize(
    ("language", "board"), [("de", "pico_oled"), pytest.param("fr", "pico_lcd_13", marks=pytest.mark.long)]
)
def test_its_language_and_its_display_are_those_of_the_device(tmp_path, language, board):
    folder = tmp_path / "flash"
    folder.mkdir()
    pico = StagedPico(folder, language, board)
    pico.device.app.settings.set("brightness", 3)
    report = made(pico)
    use("en")
    assert summary(report.played) == f"all {1 + len(PRESSES)} pictures are the simulator's"
    assert report.board == board


def test_the_files_of_the_players_are_not_touched_and_nothing_is_left(pico):
    before = files(pico)
    made(pico)
    assert files(pico) == before and [path.name for path in pico.folder.iterdir()] == ["data"]


def test_a_changed_file_would_be_told(pico):
    pico.on_turn = lambda app: (pico.folder / "data" / "settings").write_bytes(b"other")
    assert "after: CHANGED" in sheet(made(pico))


def test_one_wrong_picture_is_named_and_drawn(pico):
    def spoil(app):
        if pico.pressed == 7:
            app.board.display.buffer[0] ^= 0xFF
            pico.on_turn = lambda app: None

    pico.on_turn = spoil
    report = made(pico)
    wrong = [number for number, step in enumerate(report.played.steps) if not step.same]
    assert wrong == [7] and report.played.ended == ""
    told = sheet(report)
    assert f"1 of {1 + len(PRESSES)} pictures differ from the simulator's: steps 7" in told
    assert "Step 7: the device shows" in told and "Step 7: the simulator shows" in told
    assert [line for line in told.splitlines() if "DIFFERS" in line][0].split()[:3] == ["7", "self-test", "DOWN"]


def test_another_story_ends_after_a_few_pictures(pico):
    def blank(app):
        buffer = app.board.display.buffer
        buffer[:] = bytes(len(buffer))

    pico.on_turn = blank
    report = made(pico)
    assert "but the scenario ended early: 5 pictures in a row were different" in summary(report.played)
    assert len(report.played.steps) < 8


def test_an_error_of_the_app_is_in_the_report(pico):
    def fail(app):
        if pico.pressed == 9:
            raise ValueError("the display is upside down")

    pico.on_turn = fail
    report = made(pico)
    assert 5 < len(report.played.steps) < 12
    told = sheet(report)
    assert "but the scenario ended early: after key" in told and "ValueError: the display is upside down" in told


def test_without_counters_of_a_cache_it_says_so(pico):
    pico.counts = False
    assert "not counted: this is not a real RP2040" in sheet(made(pico))


def test_a_clock_that_was_set_is_set_again(pico):
    made(pico, now=lambda: 1_800_000_000.0)
    assert pico.device.app.clock.now() == 0
    pico.device.app.clock.set(1_790_000_000)
    made(pico, now=lambda: 1_800_000_000.0)
    assert 0 <= pico.device.app.clock.now() - 1_800_000_000 < 60


# --- errors: one sentence, no file, and every game unchanged ---


def trouble(pico, kind, words):
    before = files(pico)
    with pytest.raises(kind, match=words) as told:
        made(pico)
    assert files(pico) == before
    assert "\n" not in str(told.value) and str(told.value).endswith(".")


def test_a_game_on_the_table_is_not_interrupted(pico):
    pico.device.sit_down(POCH)
    trouble(pico, InAGame, "a game is on the table of .*: leave the table")
    assert pico.restarts == 0
    pico.device.keys("left pick:menu.leave")
    assert summary(made(pico).played).startswith("all ")


def test_another_firmware_is_not_compared(pico, monkeypatch):
    monkeypatch.setattr(reporting, "VERSION", "9.9.9")
    trouble(pico, OtherFirmware, f"kiebitz {VERSION} runs on .* and this is kiebitz 9.9.9")
    assert pico.restarts == 0


def silent(path):
    raise NotAKiebitz(path)


def test_a_pico_without_a_kiebitz(pico):
    pico.connect = silent
    trouble(pico, NotAKiebitz, "Kiebitz")


def test_a_flash_that_is_nearly_full_or_not_mounted(pico):
    pico.files = {"data/x": bytes(244 * 4096)}
    trouble(pico, NoRoom, "has only 44 KB free")
    pico.files = None
    trouble(pico, NotMountedFlash, "no file system is mounted")


@pytest.mark.parametrize("cut", [300, 20_000, 200_000])
def test_a_cable_that_is_pulled_leaves_the_games_and_the_next_report_removes_the_rest(pico, cut):
    before = (pico.folder / "data" / "settings").read_bytes()
    pico.cut = cut
    end = pico.end

    def gone():
        raise Lost

    pico.end = gone
    with pytest.raises(CutShort, match="the connection to /dev/null was lost before the report was complete"):
        made(pico)
    assert (pico.folder / "report").is_dir()
    assert (pico.folder / "data" / "settings").read_bytes() == before
    pico.cut, pico.end = None, end
    assert summary(made(pico).played).startswith("all ")
    assert not (pico.folder / "report").exists()


@pytest.mark.parametrize("told", ["null", "{}", "[", '{"files":-1,"crc":"00000000"}', '{"files":1,"crc":"\\u001b"}'])
def test_a_device_that_talks_nonsense(pico, monkeypatch, told):
    run = pico.run
    monkeypatch.setattr(pico, "run", lambda code: told if code == "tell_files()" else run(code))
    trouble(pico, DeviceFailed, "something that this computer does not understand")


# --- the command ---


@pytest.fixture
def usb(tmp_path):
    usb = FakeUsb(tmp_path)
    usb.plug(PORT)
    return usb


def test_the_command_writes_one_file_and_never_over_another(pico, usb, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(reporting.Reporter, "first_screen", staticmethod(lambda path, connect: VERSION), raising=False)
    doctor = Doctor(usb, pico.connect, pico.session, progress=lambda _: None)
    target = tmp_path / "report.txt"
    assert write_report(doctor, None, target) == 0
    assert "pictures are the simulator's. Please send it back" in capsys.readouterr().out
    content = target.read_text()
    assert content.startswith("Kiebitz report of ")
    restarts = pico.restarts
    with pytest.raises(CannotWrite, match="it is there already"):
        write_report(doctor, None, target)
    with pytest.raises(CannotWrite, match="there is no such folder"):
        write_report(doctor, None, tmp_path / "none" / "x")
    assert target.read_text() == content and pico.restarts == restarts


def test_without_a_pico_there_is_one_sentence_and_no_file(usb, tmp_path, kiebitz, monkeypatch):
    usb.unplug(PORT)
    with pytest.raises(NoPico):
        write_report(Doctor(usb), None, tmp_path / "x")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "Usb", lambda: usb)
    done = kiebitz("doctor", "--report")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith("kiebitz: there is no Pico on USB")
    assert not (tmp_path / REPORT).exists()


def test_the_doctor_tells_of_what_a_report_has_left(usb, tmp_path):
    told = [str(line) for line in Doctor(usb, silent, FakePico({"report/x": b""}).session).report(None)]
    assert "  old files    report: left by a report that was cut short; the next one removes it" in told
