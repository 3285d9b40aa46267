"""A Pico on its way into the boot loader, and to its first screen afterwards."""

import os
import pty
import tty

import pytest
import serial
from helpers.fake_pico import FakePico
from helpers.installing import PORT, Clock, FakeClient
from kiebitz_host.install import bootloader, prompt_session
from kiebitz_host.install.bootloader import enter_bootloader, wait_for_first_screen
from kiebitz_host.install.trouble import DoesNotStart, OtherBoard, Silent
from kiebitz_host.link.trouble import (
    DeviceRefused,
    LinkLost,
    NoAnswer,
    NoPermission,
    NoPort,
    NotAKiebitz,
    OtherProtocol,
)


def no_session(path):
    raise AssertionError("nobody needs a prompt")


def test_a_running_kiebitz_is_asked_over_the_link():
    client = FakeClient()
    assert enter_bootloader(PORT, lambda path: client, no_session) == "0.1.0"
    assert client.updated


def test_a_kiebitz_that_is_quicker_than_its_answer():
    assert enter_bootloader(PORT, lambda path: FakeClient(update=LinkLost(PORT)), no_session) == "0.1.0"


@pytest.mark.parametrize(
    ("client", "there", "version"),
    [
        (FakeClient(update=DeviceRefused(PORT, "update", "E_VERB")), "0.1.0", "0.1.0"),
        (FakeClient(update=NoAnswer(PORT)), "0.1.0", "0.1.0"),
        (FakeClient(hello=NotAKiebitz(PORT)), "0.0.9", "0.0.9"),
        (FakeClient(hello=NotAKiebitz(PORT, prompt=True)), None, None),
        (FakeClient(hello=OtherProtocol(PORT, "9.9", 9, 1)), "9.9", "9.9"),
    ],
)
def test_anybody_else_is_told_at_the_prompt(client, there, version):
    pico = FakePico({}, kiebitz=there)
    assert enter_bootloader(PORT, lambda path: client, pico.session) == version
    assert (pico.in_bootloader, pico.restarts) == (True, 0)


@pytest.mark.parametrize(
    ("what", "kind"),
    [
        ({"machine": "ESP32 module", "platform": "esp32"}, OtherBoard),
    ],
)
def test_another_board_is_left_as_it_is(what, kind):
    pico = FakePico({})
    vars(pico).update(what)
    with pytest.raises(kind):
        enter_bootloader(PORT, lambda path: FakeClient(hello=NotAKiebitz(PORT)), pico.session)
    assert (pico.in_bootloader, pico.restarts) == (False, 1)


def test_a_port_that_nobody_may_open_is_said_at_once():
    def connect(path):
        raise NoPermission(path, "dialout")

    with pytest.raises(NoPermission, match="you may not open /dev/null: ask for the group"):
        enter_bootloader(PORT, connect, no_session)


# --- the first screen ---


def wait(*answers):
    left = list(answers)
    clock = Clock()

    def connect(path):
        answer = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(answer, NoPort):
            raise answer
        return FakeClient(hello=answer)

    return wait_for_first_screen(lambda: "/dev/ttyACM0", connect, clock, clock.sleep)


def test_the_first_screen_is_waited_for():
    assert wait(NoPort("x"), NotAKiebitz("x"), None) == "0.1.0"
    assert wait(NotAKiebitz("x", prompt=True), None) == "0.1.0"  # that of before the restart


def test_a_firmware_that_does_not_start():
    for answer, words in (
        (NotAKiebitz("x", prompt=True), r"\(it has stopped at the MicroPython prompt\)"),
        (NotAKiebitz("x"), r"\(it does not answer\)"),
        (NoPort("x"), "there is no port x"),
    ):
        with pytest.raises(DoesNotStart, match=words + ".*run kiebitz doctor"):
            wait(answer)


# --- a real port ---


@pytest.fixture
def dead_port(monkeypatch):
    """Yield a port behind which nobody is."""
    monkeypatch.setattr(prompt_session, "PROMPT_S", 0.2)
    monkeypatch.setattr(prompt_session, "ASK_S", 0.1)
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    yield os.ttyname(theirs)
    os.close(ours)
    os.close(theirs)


def test_a_port_where_nobody_answers(dead_port):
    with pytest.raises(Silent, match=f"MicroPython does not answer on {dead_port}: unplug the Pico.*BOOTSEL"):
        enter_bootloader(dead_port, lambda path: FakeClient(hello=NotAKiebitz(path)))


def test_a_port_that_is_in_use(kiebitz, dead_port, firmware):
    with serial.Serial(dead_port, exclusive=True):
        done = kiebitz("install", dead_port, "--uf2", str(firmware.path))
    assert done.code == 2
    assert f"{dead_port} is in use by another program" in done.err
    assert bootloader.open_client(dead_port).port == dead_port
