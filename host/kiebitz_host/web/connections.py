"""Limit connections, so that idle or slow peers neither lock out this computer nor use up all file descriptors.

A connection from this computer to itself has a share of its own. All file descriptors stay below 1024, because
pyserial calls select(), which supports no higher ones.
"""

import time
from collections import Counter

import h11
from uvicorn.protocols.http.flow_control import CLOSE_HEADER
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol

from ..printable import complain
from .security import HEADERS

FILES = 1024
OTHERS_MAX = 480  # connections from other computers
OWN_MAX = 256  # connections from this computer
PEER_MAX = 64  # connections from one other computer: some pages in each of some browsers behind one router
AT_ONCE = 16  # connections accepted in one turn of the event loop, before any of them can be refused
REQUEST_S = 10.0  # until the headers of a request, and its body, must have arrived
LOG_S = 1.0  # between two lines of the log


class Log:
    """Print at most one line a second on standard error."""

    def __init__(self) -> None:
        self._next = 0.0

    def __call__(self, line: str) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + LOG_S
            complain(line)


class Peers:
    """Count the open connections of each peer, and decide whether it may open another one."""

    def __init__(self, files: int, log: Log):
        self._others_max = min(OTHERS_MAX, files * OTHERS_MAX // FILES)
        self._own_max = min(OWN_MAX, files * OWN_MAX // FILES)
        self._open: Counter[str] = Counter()  # connections of each other computer
        self._own = 0
        self._log = log

    def admit(self, peer: str, is_own: bool) -> bool:
        """Count a new connection; return False without counting it if there are too many."""
        if is_own:
            admitted = self._own < self._own_max
            self._own += admitted
        else:
            admitted = self._open[peer] < PEER_MAX and self._open.total() < self._others_max
            self._open[peer] += admitted
        if not admitted:
            self._log(f"too many connections: one from {peer} was refused.")
        return admitted

    def leave(self, peer: str, is_own: bool) -> None:
        """Forget a connection that was admitted."""
        if is_own:
            self._own -= 1
            return
        self._open[peer] -= 1
        if not self._open[peer]:
            del self._open[peer]


class Connection(H11Protocol):
    """A connection that is closed if its peer has too many, or does not send a request in time."""

    peers: Peers  # set by the server in its own subclass
    _admitted = False

    def connection_made(self, transport) -> None:
        super().connection_made(transport)
        self._since = self.loop.time()  # when it began to wait for a request, or the request began
        self._peer = self.client[0] if self.client else ""
        self._is_own = self.client is not None and self.server is not None and self._peer == self.server[0]
        self._admitted = self.peers.admit(self._peer, self._is_own)
        if not self._admitted:
            self.connections.discard(self)
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._admitted:
            self._admitted = False
            self.peers.leave(self._peer, self._is_own)

    def on_response_complete(self) -> None:
        self._since = self.loop.time()
        super().on_response_complete()

    def end_if_late(self) -> None:
        """Close the connection if headers or body of a request are overdue."""
        is_complete = self.cycle is not None and not self.cycle.response_complete and not self.cycle.more_body
        if not is_complete and self.loop.time() - self._since > REQUEST_S:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Answer to an invalid request, with the headers of every answer."""
        headers = [(b"content-type", b"text/plain; charset=utf-8"), CLOSE_HEADER]
        headers += [(key.encode(), value.encode()) for key, value in HEADERS.items()]
        try:
            for event in (
                h11.Response(status_code=400, headers=headers, reason=STATUS_PHRASES[400]),
                h11.Data(data=msg.encode("ascii")),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event) or b"")
        except h11.LocalProtocolError:
            pass  # invalid bytes after an answer that has begun
        self.transport.close()
