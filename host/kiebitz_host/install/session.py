"""Runs code on a Pico at its prompt through mpremote, and restarts the Pico afterwards."""

import io
import struct
import time
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

from mpremote.transport import TransportError
from mpremote.transport_serial import SerialTransport

from ..link.client import SETTLE_S
from ..link.ports import Port, open_port
from .trouble import Silent

AGENT = Path(__file__).with_name("agent.py")

# Silence after which the device counts as lost
SILENCE_S = 60
READ_S = 5  # for each read of the port
# Silence after which there is nothing on the port that gives a prompt
PROMPT_S = 10
ASK_S = 0.5

_PROMPT = b">>> "
_END = b"\x04"  # ends the output of the code, and its error
_TO_PROMPT = b"\r\x03\x02"  # stop the running program; from the raw prompt, back to the plain one


class Lost(Exception):
    """The device no longer answers: its cable was pulled, or it has no power."""


class Failed(Exception):
    """The code has ended with an error on the device; the message is the last line of the error."""


class Session:
    """A context that holds a Pico at its prompt; at its end the device is restarted, if it is still there."""

    def __init__(self, path: str):
        """Stop the program on this port. Raises the troubles of open_port(), or Silent."""
        self.path = path
        self._lost = False
        self._transport: Any = None
        open_port(Port(path, "Pico")).close()  # raises a sentence if it cannot be opened; mpremote does not
        try:
            with self._loss():
                self._transport = SerialTransport(path)
                time.sleep(SETTLE_S)
                self._to_prompt()
                self._transport.enter_raw_repl(timeout_overall=SILENCE_S)
            self.run(AGENT.read_text())
        except (Lost, Failed):
            self._close()
            raise Silent(path) from None

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if not self._lost:
                self._restart()
        except Lost:
            pass
        finally:
            self._close()

    def _restart(self) -> None:
        """Restart the device, even in the middle of interrupted code."""
        with self._loss():
            self._to_prompt()
            self._transport.enter_raw_repl(soft_reset=False, timeout_overall=SILENCE_S)
            self._transport.exec_raw_no_follow("import machine\nmachine.reset()")

    def _to_prompt(self) -> None:
        """Bring the device to its prompt from any state, and repeat the request until the prompt comes.

        mpremote asks for the raw prompt directly after its Ctrl-C: a program that is reading consumes that request
        before it stops, and mpremote waits in vain.
        """
        port = self._transport.serial
        port.timeout = ASK_S
        started = last = time.monotonic()
        heard = data = b""
        while not heard.endswith(_PROMPT):
            if not data:
                port.write(_TO_PROMPT)
            data = port.read(1)
            heard = (heard + data)[-len(_PROMPT) :]
            now = time.monotonic()
            last = now if data else last
            if now > last + PROMPT_S or now > started + SILENCE_S:
                raise TransportError("no prompt")
        port.timeout = READ_S

    def _close(self) -> None:
        try:
            if self._transport:
                self._transport.close()
        except OSError:
            pass

    def run(self, code: str) -> str:
        """Run the code. Returns its output; raises Failed if the code fails, Lost if the device is gone."""
        with self._loss():
            self._transport.exec_raw_no_follow(code)
            printed, error = self._heard()
        if error:
            raise Failed(error.decode(errors="replace").strip().splitlines()[-1])
        return printed.decode(errors="replace")

    def _heard(self) -> tuple[bytes, bytes]:
        """Return (output of the code, its error). mpremote reads byte by byte, which takes minutes for a megabyte."""
        port = self._transport.serial
        heard = bytearray()
        silent = 0
        while heard.count(_END) < 2:
            # The last byte stays unread: it may be the prompt, for which mpremote looks before the next code
            data = port.read(max(1, port.in_waiting - 1))
            silent = 0 if data else silent + READ_S
            if silent >= SILENCE_S:
                raise TransportError("silence")
            heard += data
        printed, error, _ = bytes(heard).split(_END)
        return printed, error

    def enter_bootloader(self) -> None:
        """Turn the device into a drive; it leaves this port."""
        try:
            with self._loss():
                self._transport.exec_raw_no_follow("import machine\nmachine.bootloader()")
        except Lost:
            pass  # the device left before its answer arrived
        self._lost = True

    @contextmanager
    def _loss(self):
        """Turn the errors of mpremote and pyserial for a lost device into Lost."""
        try:
            with redirect_stdout(io.StringIO()):  # mpremote prints what it does not understand
                yield
        except (TransportError, OSError, TypeError, struct.error):
            self._lost = True
            raise Lost from None
