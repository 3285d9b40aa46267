"""Run code on a Pico at its prompt through mpremote, and restart the Pico afterwards."""

import io
import struct
import time
from collections.abc import Callable
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

from ..link.channel import SETTLE_S
from ..link.ports import WRITE_S, Port, SerialTransport, open_port
from ..printable import printable
from .trouble import Silent

AGENT = Path(__file__).with_name("agent.py")

# Silence after which the device counts as lost
SILENCE_S = 60
READ_S = 5  # timeout of each read of the port
# Limits of time and output for one run of code. 16 blocks of the flash, the most that is read at once, are 90 KB
RUN_S = 120
RUN_BYTES = 1 << 20
_REASON_MAX = 200  # characters of an error message
# Silence after which the port counts as having no prompt
PROMPT_S = 10
ASK_S = 0.5

_PROMPT = b">>> "
_END = b"\x04"  # terminates the output of the code, and its error
_TO_PROMPT = b"\r\x03\x02"  # stop the running program; from the raw prompt, back to the plain one


class Lost(Exception):
    """The device no longer answers, because its cable was pulled or it has no power."""


class Failed(Exception):
    """The code has failed on the device; the message is the last line of the traceback."""


class Bounded:
    """A port with limits on bytes and seconds, because mpremote would read an endless stream forever."""

    def __init__(self, port: Any, clock: Callable[[], float]):
        vars(self).update(_port=port, _clock=clock)
        self.begin()

    def begin(self) -> None:
        """Reset the limits of bytes and seconds."""
        vars(self).update(_left=RUN_BYTES, _end=self._clock() + RUN_S)

    @property
    def unbounded(self) -> Any:
        """The port itself, for a reader with its own limits."""
        return self._port

    def read(self, size: int = 1) -> bytes:
        """Read from the port; raise OSError after too many bytes or too long a time."""
        if self._left <= 0 or self._clock() >= self._end:
            raise OSError("no end")
        data = self._port.read(min(size, self._left))
        vars(self)["_left"] -= len(data)
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._port, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._port, name, value)


def open_prompt(path: str) -> Any:
    """Open the port for mpremote. Returns its transport; raises the errors of open_port() or TransportError."""
    from mpremote import transport_serial  # 50 ms to import; only needed once a Pico is found

    open_port(Port(path, "Pico")).close()  # raises a readable error if it cannot be opened; mpremote does not
    return transport_serial.SerialTransport(path)


class Session:
    """A context that holds a Pico at its prompt, and restarts it at the end if it is still connected."""

    def __init__(
        self,
        path: str,
        opened: Callable[[str], Any] = open_prompt,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ):
        """Stop the program on this port. Raises the errors of open_port(), or Silent."""
        self.path = path
        self._lost = False
        self._clock = clock
        self._transport: Any = None
        try:
            with self._loss():
                self._transport = opened(path)
                self._transport.serial = Bounded(self._transport.serial, clock)
                sleep(SETTLE_S)
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
        self.end()
        with self._loss():
            self._transport.exec_raw_no_follow("import machine\nmachine.reset()")

    def _to_prompt(self) -> None:
        """Bring the device to its prompt from any state, and retry until the prompt appears.

        mpremote requests the raw prompt directly after its Ctrl-C: a program that is reading consumes that request
        before it stops, and mpremote waits until its timeout.
        """
        port = self._transport.serial
        port.timeout = ASK_S
        started = last = self._clock()
        heard = data = b""
        while not heard.endswith(_PROMPT):
            if not data:
                port.write(_TO_PROMPT)
            data = port.read(1)
            heard = (heard + data)[-len(_PROMPT) :]
            now = self._clock()
            last = now if data else last
            if now > last + PROMPT_S or now > started + SILENCE_S:
                raise OSError("no prompt")
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
            self._transport.serial.begin()
            self._transport.exec_raw_no_follow(code)
            printed, error = self._heard()
        if error:
            lines = error.decode(errors="replace").strip().splitlines()
            raise Failed(printable(lines[-1])[:_REASON_MAX] if lines else "an error without words")
        return printed.decode(errors="replace")

    def _heard(self) -> tuple[bytes, bytes]:
        """Return (output of the code, its error). mpremote reads byte by byte, which takes minutes for a megabyte."""
        port = self._transport.serial
        heard = bytearray()
        silent = ends = 0
        while ends < 2:
            # Leave the last byte unread: it may be the prompt, which mpremote expects before the next code
            data = port.read(max(1, port.in_waiting - 1))
            silent = 0 if data else silent + READ_S
            if silent >= SILENCE_S:
                raise OSError("silence")
            heard += data
            ends += data.count(_END)
        printed, error, *_ = bytes(heard).split(_END)
        return printed, error

    def begin(self, code: str) -> SerialTransport:
        """Start code that runs until end(). Returns a transport to talk to it; its port belongs to this session."""
        with self._loss():
            self._transport.serial.begin()
            self._transport.exec_raw_no_follow(code)
            self._transport.serial.write_timeout = WRITE_S
            return SerialTransport(self._transport.serial.unbounded, self.path, self._clock)

    def end(self) -> None:
        """Stop the code started by begin(); its variables remain available to run()."""
        with self._loss():
            self._transport.serial.begin()
            self._to_prompt()
            self._transport.enter_raw_repl(soft_reset=False, timeout_overall=SILENCE_S)

    def enter_bootloader(self) -> None:
        """Turn the device into a drive; it leaves this port."""
        try:
            with self._loss():
                self._transport.exec_raw_no_follow("import machine\nmachine.bootloader()")
        except Lost:
            pass  # the device disconnected before its answer arrived
        self._lost = True

    @contextmanager
    def _loss(self):
        """Convert the errors of mpremote and pyserial for a lost device to Lost."""
        from mpremote.transport import TransportError  # as in open_prompt()

        try:
            with redirect_stdout(io.StringIO()):  # mpremote prints unexpected output
                yield
        except (TransportError, OSError, TypeError, struct.error):
            self._lost = True
            raise Lost from None
