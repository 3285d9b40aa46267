"""The simulator run by key scripts, with the real entry point and with a small test program."""

import builtins
import gc
import os
import sys
from pathlib import Path

import pytest
from kiebitz.games import Refused
from kiebitz.text import refusal
from kiebitz.widgets import keys
from kiebitz_host.cli import sim, web
from kiebitz_host.outcome import Trouble
from kiebitz_host.sim import device
from kiebitz_host.sim import key_script as keyscript
from kiebitz_host.sim.device import board_of
from kiebitz_host.sim.flash_folder import MARK, flash_folder
from kiebitz_host.sim.hardware import FakeTime, Hardware, PowerOff
from kiebitz_host.system import simulator_folder

PNG = b"\x89PNG\r\n\x1a\n"

# Shows and stores the last key. A held UNDO restarts it, a held LEFT raises an error.
PROGRAM = """
import machine
import time
from kiebitz.board.pico import this_board
from kiebitz.widgets.keys import NAMES, Keys

board = this_board()
canvas = board.canvas
keys = Keys(board.clock)
told = (board.storage.read("told") or b"nothing yet").decode()
starts = len(board.storage.read("starts") or b"") + 1
board.storage.append("starts", b".")
while True:
    for key, kind in keys.feed(board.read_keys(), board.clock.ms()):
        told = NAMES[key] + " " + kind
        board.storage.write("told", told.encode())
        if told == "UNDO hold":
            machine.reset()
        if told == "LEFT hold":
            raise ValueError("broken as asked")
    canvas.clear()
    canvas.text(told, 0, 0)
    canvas.text("start %d" % starts, 0, 8)
    canvas.text("%d %s" % (board.clock.now(), board.device_id), 0, 16)
    canvas.text("%s %d" % (board.random(2), board.storage.free()), 0, 24)
    canvas.text("hidden", 0, 40)
    canvas.rect(0, 32, 128, 32, 0)
    board.display.show()
    time.sleep_ms(5)
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "main.py"
    path.write_text(PROGRAM)
    return path


@pytest.fixture
def flash(tmp_path):
    folder = tmp_path / "flash"
    folder.mkdir()
    return folder


@pytest.fixture
def play(program, flash, tmp_path, capsys):
    """Return a function that runs a key script on the small program and returns the printed lines."""

    def play(text, **options):
        script = tmp_path / "script"
        script.write_text(text)
        assert sim.play_script(keyscript.read(str(script)), flash, main=program, **options) == 0
        return capsys.readouterr().out.splitlines()

    return play


def words(lines):
    """Return the last paragraph."""
    return "\n".join(lines).rstrip("\n").split("\n\n")[-1].split("\n")


def test_the_real_firmware_shows_its_first_screen(kiebitz, tmp_path):
    (tmp_path / "script").write_text("")
    done = kiebitz("sim", "--script", str(tmp_path / "script"))
    assert (done.code, done.err) == (0, "")
    assert "Kiebitz" in done.out and "⣿" in done.out


def test_the_real_firmware_plays_the_same_twice(kiebitz, tmp_path):
    script, shot = tmp_path / "script", tmp_path / "shot.png"
    script.write_text("down*2 ok wait:100 undo text\nup ok*2 hold:right # far\n")
    runs = [(kiebitz("sim", "--script", str(script), "--shot", str(shot)), shot.read_bytes()) for _ in range(2)]
    assert runs[0] == runs[1]
    assert runs[0][0].code == 0 and runs[0][1].startswith(PNG)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_script_chooses_lines_of_menus_by_their_text_keys(kiebitz, tmp_path, lang):
    script = tmp_path / "script"
    script.write_text("pick:start.settings pick:set.sound at:set.flip text # sound is off now\n")
    done = kiebitz("sim", "--script", str(script), "--lang", lang)
    assert (done.code, done.err) == (0, "")
    assert {"en": "Sound: off", "de": "Ton: aus"}[lang] in done.out


def test_a_wrong_text_key_ends_the_script_and_names_the_lines_of_the_menu(kiebitz, tmp_path):
    script, flash = tmp_path / "script", tmp_path / "flash"
    for word, told in (
        ("pick:start.set", "its lines are start.new, start.games, start.players, start.settings."),
        ("ok ok pick:players.new pick:start.new", "NameEntry is not a menu."),
    ):
        script.write_text(word)
        done = kiebitz("sim", "--script", str(script), "--flash", str(flash))
        assert (done.code, done.out) == (2, "") and done.err.count("\n") == 1
        assert done.err.startswith(f"kiebitz: {word.split()[-1]}: ") and done.err.rstrip().endswith(told), done.err
    assert not [path for path in flash.rglob("crash*")]


# A match of Top Spot: the end of a game without a trick is a doubt, and the thirteenth trick is refused
REFUSALS = """
ok pick:game.top_spot ok*4 right ok
ok pick:spot.menu.end text undo*2
up*12 undo up text
"""


def test_a_doubt_and_a_refusal_are_shown_and_the_game_goes_on(kiebitz, tmp_path):
    script, flash = tmp_path / "script", tmp_path / "flash"
    script.write_text(REFUSALS + "wait:5000 text undo text")
    done = kiebitz("sim", "--script", str(script), "--flash", str(flash))
    assert (done.code, done.err) == (0, "")
    doubt, refused, table, undone = done.out.replace("\n\n", "\r").replace("\n", " ").split("\r")[:4]
    assert refusal(Refused("W_NO_TRICK"), []) in doubt
    assert refusal(Refused("E_TOO_MANY", most=12), []) in refused
    assert "↑ 12 " in table and "↑ 11 " in undone
    assert not [path for path in flash.rglob("crash*")]


def test_a_module_that_its_package_imports_is_loaded_once(flash):
    folder = flash / "twice"
    folder.mkdir()
    (folder / "__init__.py").write_text("from .inner import Inner\n")
    (folder / "inner.py").write_text("class Inner:\n    pass\n")
    pico = device.Interpreter(flash, {})
    assert pico.module("twice.inner") is pico.module("twice").inner
    assert pico.module("twice.inner").Inner is pico.module("twice").Inner


def test_a_script_speaks_english_unless_the_flash_or_the_command_says_otherwise(kiebitz, tmp_path):
    script, flash = tmp_path / "script", tmp_path / "flash"
    script.write_text("")
    assert "New game" in kiebitz("sim", "--script", str(script)).out
    assert "Neues Spiel" in kiebitz("sim", "--script", str(script), "--lang", "de").out
    assert "Nieuw spel" in kiebitz("sim", "--script", str(script), "--flash", str(flash), "--lang", "nl").out
    assert "Nieuw spel" in kiebitz("sim", "--script", str(script), "--flash", str(flash)).out
    assert "Nuova partita" in kiebitz("sim", "--script", str(script), "--flash", str(flash), "--lang", "it").out
    assert "New game" in kiebitz("sim", "--script", str(script), "--flash", str(flash), "--fresh").out


def test_every_key_reaches_the_program(play):
    for key in keyscript.KEYS:
        assert words(play(key))[0] == f"{key.upper()} release"


@pytest.mark.parametrize(
    "script, told",
    [
        ("", "nothing yet"),
        ("# ok\n\n", "nothing yet"),
        ("UP\n  Ok\t", "OK release"),
        ("up*3 # ok", "UP release"),
        ("hold:ok", "OK release"),
    ],
)
def test_words_of_a_script(play, script, told):
    assert words(play(script))[0] == told


def test_text_prints_the_screen_on_the_way(play):
    lines = play("ok text wait:1500 up text hold:ok")
    assert [line for line in lines if line.endswith(("release", "press", "hold"))] == [
        "OK release",
        "UP release",
        "OK release",
    ]


def test_a_repeated_word_presses_so_often(program, flash, tmp_path):
    (tmp_path / "script").write_text("ok*12 right*1")
    steps = keyscript.read(str(tmp_path / "script"))
    assert steps == [("tap", "ok")] * 12 + [("tap", "right")]


def test_covered_words_are_not_read(play):
    assert "hidden" not in "\n".join(play("ok"))


def test_clock_chance_and_flash_are_the_same_every_time(play, flash):
    first = play("")
    for name in ("told", "starts"):
        (flash / "data" / name).unlink(missing_ok=True)
    assert play("") == first
    assert words(first)[2].startswith("1767225600 ")


def test_the_styles_draw_the_same_pixels(play):
    half, dots = play("", style="half"), play("", style="plain")
    assert dots[0] == half[0].translate(str.maketrans("▀▄█", "'.:"))


def test_a_reset_starts_the_program_again(play):
    assert words(play("hold:undo wait:100"))[1] == "start 2"


def test_the_flash_is_kept_from_run_to_run(play, flash):
    play("down")
    assert words(play(""))[:2] == ["DOWN release", "start 2"]
    assert (flash / "data" / "told").read_bytes() == b"DOWN release"


@pytest.mark.parametrize("ending", ["power", "error"])
def test_everything_is_as_before_afterwards(program, flash, ending):
    hardware = Hardware(time=FakeTime(sim.SCRIPT_UNIX))
    before = (os.getcwd(), os.urandom, os.statvfs, builtins.__import__, hasattr(gc, "mem_free"))
    modules = {name: module for name, module in sys.modules.items() if name.startswith("kiebitz")}

    def power_off():
        raise PowerOff

    hardware.time.at(100, lambda: hardware.press("left"))
    hardware.time.at(500 if ending == "power" else 5000, power_off)
    if ending == "power":
        device.run(hardware, flash, program)
    else:
        with pytest.raises(ValueError, match="broken as asked"):
            device.run(hardware, flash, program)
    assert before == (os.getcwd(), os.urandom, os.statvfs, builtins.__import__, hasattr(gc, "mem_free"))
    assert modules == {name: module for name, module in sys.modules.items() if name.startswith("kiebitz")}


def test_only_the_firmware_sees_the_clock_of_the_device(program, flash, monkeypatch):
    monkeypatch.delitem(sys.modules, "sched", raising=False)
    program.write_text("import sched\nimport time\nassert time.ticks_ms() == 0 and sched.time is not time\n")
    device.run(Hardware(), flash, program)
    assert sys.modules["sched"].time is sys.modules["time"]


def test_a_start_imports_the_firmware_anew_and_leaves_that_of_the_host_alone(program, flash):
    program.write_text(
        "import machine\n"
        "import os\n"
        "from kiebitz.widgets import keys\n"
        "assert keys.NAMES[0] == 'UP' and os.statvfs('/')[0] == 4096\n"
        "keys.NAMES = ()\n"
        "if 'started' not in os.listdir():\n"
        "    open('started', 'w').close()\n"
        "    machine.reset()\n"
        "open('twice', 'w').close()\n"
    )
    device.run(Hardware(), flash, program)
    assert (flash / "twice").exists() and keys.NAMES[0] == "UP"


@pytest.mark.parametrize("line", ["import kiebitz.nowhere.keys", "from kiebitz.widgets.nowhere import NAMES"])
def test_what_the_firmware_lacks_is_not_found_on_the_host(program, flash, monkeypatch, line):
    for name in ("kiebitz.nowhere", "kiebitz.nowhere.keys", "kiebitz.widgets.nowhere"):
        monkeypatch.setitem(sys.modules, name, keys)
    program.write_text(line)
    with pytest.raises(ModuleNotFoundError, match="nowhere"):
        device.run(Hardware(), flash, program)


@pytest.mark.parametrize(
    "word",
    ["uq", "ok*", "ok*0", "ok*-1", "ok*1001", "ok*x", "hold:", "hold:all", "hold:ok*2", "wait:", "wait:-5", "wait:x"]
    + ["pick", "pick:", "at:", "wait:3600001", "wait:٣", "wait", ":", "*3", "quit", "text*2", "\x00"],
)
def test_a_word_that_is_no_key_is_named_with_its_line(kiebitz, tmp_path, word):
    script = tmp_path / "script"
    script.write_text(f"ok\nup {word} down\n")
    done = kiebitz("sim", "--script", str(script))
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1 and f"{script}, line 2: {word!r}" in done.err


def test_a_script_may_come_from_standard_input(kiebitz):
    assert kiebitz("sim", "--script", "-", stdin=b"down").code == 0
    done = kiebitz("sim", "--script", "-", stdin=b"\xff")
    assert done.code == 2 and "line 1" in done.err


def test_files_that_cannot_be_used_are_named(kiebitz, tmp_path):
    script = tmp_path / "script"
    script.write_text("")
    for argv in (
        ("--script", str(tmp_path / "none")),
        ("--script", str(script), "--shot", str(tmp_path / "none" / "shot.png")),
        ("--script", str(script), "--flash", str(script)),
        ("--script", str(script), "--flash", str(tmp_path)),
    ):
        done = kiebitz("sim", *argv)
        assert done.code == 2 and str(tmp_path) in done.err and done.err.count("\n") == 1, argv


def test_fresh_forgets_the_games_and_nothing_else(kiebitz, tmp_path):
    script, flash = tmp_path / "script", tmp_path / "flash"
    script.write_text("")
    (flash / "data").mkdir(parents=True)
    (flash / MARK).touch()
    (flash / "data" / "leftover").touch()
    (flash / "own file").touch()
    assert kiebitz("sim", "--script", str(script), "--flash", str(flash)).code == 0
    assert (flash / "data" / "leftover").exists()
    assert kiebitz("sim", "--script", str(script), "--flash", str(flash), "--fresh").code == 0
    assert not (flash / "data" / "leftover").exists() and (flash / "own file").exists()


def test_two_simulators_do_not_share_a_flash(tmp_path):
    with (
        flash_folder(tmp_path / "flash"),
        pytest.raises(Trouble, match="another simulator"),
        flash_folder(tmp_path / "flash"),
    ):
        pass
    with flash_folder(tmp_path / "flash"):
        pass


def test_the_flash_lies_with_the_users_data(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert simulator_folder() == tmp_path / "kiebitz" / "sim"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert simulator_folder() == tmp_path / ".local" / "share" / "kiebitz" / "sim"


def test_without_a_terminal_it_says_so(kiebitz, tmp_path):
    done = kiebitz("sim", "--flash", str(tmp_path / "flash"))
    assert done.code == 2 and "--script" in done.err


def test_where_the_terminal_cannot_be_the_device_the_browser_is(kiebitz, tmp_path, monkeypatch):
    shown = []
    monkeypatch.setattr(sim, "HAS_TERMINAL_FRONT", False)
    monkeypatch.setattr(web, "play", lambda flash: shown.append(flash) or 0)
    flash = str(tmp_path / "flash")
    done = kiebitz("sim", "--flash", flash, "--board", "pico_oled_sh1106")
    assert (done.code, shown) == (0, [flash]) and "browser" in done.out
    assert board_of(tmp_path / "flash") == "pico_oled_sh1106"
    assert kiebitz("sim", "--flash", flash, "--shot", "x.png").err.count("--script") == 1


def test_without_a_checkout_it_says_so(flash):
    with pytest.raises(Trouble, match=r"main\.py"):
        device.run(Hardware(), flash, Path("nowhere") / "main.py")


def test_games_of_scripts_have_ids_of_their_own_wherever_they_stay(kiebitz, tmp_path):
    script = tmp_path / "script"
    script.write_text("ok*4 hold:ok ok right ok hold:ok right ok")  # players A and B begin a game
    ids = set()
    for folder in ("a", "a", "b"):
        assert kiebitz("sim", "--script", str(script), "--flash", str(tmp_path / folder), "--fresh").code == 0
        ids |= {path.stem for path in (tmp_path / folder).rglob("*.kbz")}
    assert len(ids) == 3
    assert len({game_id.partition("-")[0] for game_id in ids}) == 2
