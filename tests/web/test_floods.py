"""Idle, slow and hostile peers: this computer is still served, and every answer has all headers."""

import http.client
import socket
from urllib.parse import urlsplit

import pytest
from kiebitz_host.web import connections
from kiebitz_host.web.connections import PEER_MAX, Log
from kiebitz_lab.pages import WebProcess, wait_until
from kiebitz_lab.torture.campaign import Campaign
from kiebitz_lab.torture.raw_http import FILES, MODULE, Attacker, attack, flood
from web.support import PATIENCE_S

HELLO = b"GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\n"
SLOW = {
    "nothing": b"",
    "a request line": HELLO,
    "a body that never comes": HELLO + b"Content-Length: 9\r\n\r\n",
    "a stream with a body that never comes": HELLO.replace(b"live", b"events/live") + b"Content-Length: 9\r\n\r\n",
}


@pytest.fixture
def connect(stand):
    """Return a function that opens a connection from an address of the loopback interface."""
    place = urlsplit(stand.address)
    opened = []

    def open_one(peer="127.0.0.2"):
        opened.append(socket.create_connection((place.hostname, place.port), PATIENCE_S, (peer, 0)))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


def ends(one):
    """Return True when the server has closed a connection; skip what it has sent before."""
    try:
        while one.recv(1 << 16):
            pass
    except ConnectionResetError:
        pass
    return True


def answers(one):
    """Return True if the server answers a request."""
    one.sendall(HELLO + b"\r\n")
    answer = http.client.HTTPResponse(one)
    answer.begin()
    return answer.status == 200 and len(answer.read()) > 0


@pytest.mark.parametrize("sent", SLOW.values(), ids=SLOW)
def test_a_peer_that_does_not_finish_its_request_is_disconnected(monkeypatch, connect, sent):
    monkeypatch.setattr(connections, "REQUEST_S", 0.0)
    one = connect()
    one.sendall(sent)
    assert ends(one)


def test_a_stream_stays_open_longer_than_a_request_may_take(monkeypatch, stand, visitor):
    monkeypatch.setattr(connections, "REQUEST_S", 0.0)
    events = visitor.stream("/events/live")
    assert "No Kiebitz" in events.next()[1]
    (connection,) = stand.server.server_state.connections
    connection.end_if_late()
    stand.show(None)
    assert "Kiebitz 5b3c0f" in events.next()[1]


def test_a_peer_with_too_many_connections_is_refused_and_others_are_not(connect, capfd):
    opened = [connect() for _ in range(PEER_MAX)]
    assert all(map(answers, opened))
    refused = [connect() for _ in range(20)]
    assert all(map(ends, refused))
    assert answers(connect("127.0.0.3")) and answers(connect("127.0.0.1"))
    assert capfd.readouterr().err.count("127.0.0.2 was refused") == 1
    opened.pop().close()
    wait_until(lambda: _is_served(connect), "a closed connection makes room for another one")


def _is_served(connect):
    try:
        return answers(connect())
    except (ConnectionError, http.client.HTTPException):
        return False


def test_the_log_gets_at_most_one_line_a_second(monkeypatch, capsys):
    now = [0.0]
    monkeypatch.setattr(connections.time, "monotonic", lambda: now[0])
    log = Log()
    for k in range(30):
        now[0] = k / 10
        log(f"line {k}")
    assert capsys.readouterr().err.splitlines() == ["kiebitz: line 0", "kiebitz: line 10", "kiebitz: line 20"]


@pytest.mark.parametrize("peers", [1, 100])
def test_idle_connections_neither_lock_the_owner_out_nor_fill_the_log(tmp_path, peers):
    campaign = Campaign(MODULE, 1)
    with WebProcess(tmp_path, "--no-browser", "--sim", "--flash", str(tmp_path / "flash"), files=FILES) as process:
        flood(Attacker(process), campaign, 1600, peers, held_s=1.5)
    assert campaign.failures == []
    assert campaign.figures["pages of the owner during floods"] > 5


def test_raw_requests_while_two_browsers_watch(browser):
    campaign = Campaign(MODULE, 3)
    attack(campaign, 0, 400, browser, connections=0)
    assert campaign.failures == []
    assert campaign.figures["answers 200"] > 30 and campaign.figures["answers 400"] > 30
