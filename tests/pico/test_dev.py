"""A developer's tree: this checkout runs on the device without an image, says so, and goes away again."""

from helpers.chip import patched
from kiebitz_lab import dev
from kiebitz_lab.chip.pty import Port
from kiebitz_lab.chip.rig import BOOT_LIMIT_MS, Rig
from kiebitz_lab.chip.twin import Twin

SLOW_START_MS = 4 * BOOT_LIMIT_MS


def test_the_tree_is_put_on_the_device_runs_there_says_so_and_is_taken_away(flash, first_screen):
    with Port(lambda: Rig(flash).boot()) as port:
        assert dev.main([port.name]) == 0
        port.call("run_ms", SLOW_START_MS)
        files = port.call("files")
        assert files["boot.py"] == dev.BOOT.encode() and "dev/kiebitz/power_on.mpy" in files
        assert not any(name.startswith("dev/kiebitz_languages") for name in files), "they would take too much memory"
        told = Twin()
        told.board.tree = "/dev"
        told.app.stack.clear()
        told.app.leave_table()
        assert told.wait(20) is None and told.sees("/dev")
        assert port.call("frame") == told.frame()
        assert dev.main([port.name, "--off"]) == 0
        port.call("run_ms", SLOW_START_MS)
        assert not any(name.startswith(("dev", "boot")) for name in port.call("files"))
        assert port.call("frame") == first_screen.frame()


def test_a_changed_module_is_the_one_that_runs(flash):
    changed = patched(flash, ("kiebitz/__init__.py", 'VERSION = "', 'VERSION = "9.'))
    rig = Rig(changed).boot(SLOW_START_MS)
    rig.serial.send(b"\x03")
    rig.serial.wait_for(b">>> ")
    rig.serial.send(b"import kiebitz; print(kiebitz.VERSION, kiebitz.__file__)\r")
    assert b"9.0." in rig.serial.wait_for(b">>> ") and b"/dev/kiebitz" in rig.serial.out


def test_without_a_device_it_says_so(capfd):
    assert dev.main(["/dev/nowhere"]) == 2
    assert "is a Kiebitz plugged in?" in capfd.readouterr().err
