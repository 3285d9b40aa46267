"""Access control of the pages, and hostile peers: this computer is served, and every answer has all headers."""

import http.client
import socket
from urllib.parse import urlsplit

import pytest
from kiebitz_host.web import server
from kiebitz_host.web.security import HEADERS, is_own_host, language_of, own_names
from kiebitz_host.web.server import PEER_MAX, Log, listen
from kiebitz_lab.pages import WebProcess, wait_until
from kiebitz_lab.torture.campaign import Campaign
from kiebitz_lab.torture.raw_http import FILES, MODULE, Attacker, attack, flood
from web.support import GAMES, PATIENCE_S, Page, Visitor, fill

CHANGE = "/device/e661a4d1275b3c0f/key"
ALL_KINDS = ("/live", "/games", "/nothing", "/static/kiebitz.js", "/static/live.css", "/favicon.ico", "/device", CHANGE)


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "localhost", "[::1]:8080", "192.168.1.7", "10.0.0.2:80"])
def test_addresses_and_own_names_are_accepted(host):
    assert is_own_host(host, own_names())
    assert is_own_host(socket.gethostname(), own_names())


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "", "a@127.0.0.1", "127.0.0.1/x", "["]
)
def test_no_other_name_is_accepted(host):
    assert not is_own_host(host, own_names())


def test_a_site_that_lets_its_name_point_here_gets_nothing(visitor):
    answer = visitor.get("/live", host="evil.example")
    assert answer.status == 421 and "Kiebitz" not in answer.headers.values()
    assert "<html" not in answer.text
    assert visitor.get("/live").status == 200


def test_spectators_only_look(visitor):
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        assert visitor.ask(method, CHANGE, "", {"origin": visitor.stand.address}).status == 403
    assert visitor.ask("HEAD", "/live", None, {}).status == 200


def test_the_link_with_the_token_opens_what_changes_something(stand):
    visitor = Visitor(stand)
    assert visitor.get("/names").status == 403 and visitor.get("/device").status == 403
    answer = visitor.get(f"/device?token={stand.site.token}&x=1")
    assert (answer.status, answer.headers["location"]) == (303, "/device?x=1")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=lax" in cookie
    assert visitor.get("/device").status == 200 and visitor.get("/names").status == 200


def test_a_wrong_token_opens_nothing(stand):
    visitor = Visitor(stand)
    answer = visitor.get("/device?token=guess")
    assert answer.status == 303 and "set-cookie" not in answer.headers
    visitor.cookies["kiebitz_" + stand.address.rpartition(":")[2]] = "guess"
    assert visitor.get("/device").status == 403


def test_a_cookie_is_bound_to_its_server(serve):
    """Browsers send the cookies of a host to all its ports."""
    one, other = Visitor(serve(), token=True), Visitor(serve(), token=True)
    ((_, value),), ((name, _),) = one.cookies.items(), other.cookies.items()
    one.cookies = other.cookies = {**one.cookies, **other.cookies}
    assert one.get("/names").status == other.get("/names").status == 200
    assert one.stand.token not in value
    other.cookies = {name: value}
    assert other.get("/names").status == 403


def test_a_link_never_leads_to_another_site(stand):
    for path in ("//evil.example", "/\\evil.example", "///evil.example/x"):
        connection = http.client.HTTPConnection(Visitor(stand).host)
        connection.putrequest("GET", f"{path}?token={stand.site.token}")
        connection.endheaders()
        location = connection.getresponse().headers["location"]
        assert location.startswith("/") and not location.startswith(("//", "/\\"))
        connection.close()


@pytest.mark.parametrize("origin", ["http://evil.example", "null", None, "https://127.0.0.1", "http://["])
def test_a_page_of_another_site_cannot_act_with_the_token_of_this_browser(stand, origin):
    visitor = Visitor(stand, token=True)
    assert visitor.post(CHANGE, {"key": "OK"}, origin=origin).status == 403
    assert visitor.post(CHANGE, {"key": "OK"}).status == 404  # allowed, but the device does not exist


def test_more_than_a_form_can_hold_is_refused(stand):
    visitor = Visitor(stand, token=True)
    assert visitor.post(CHANGE, {"key": "x" * 2_000_000}).status == 403


NONSENSE = (
    "%00", "%ff%fe", "a" * 3000, "..%2f..%2fetc%2fpasswd", "-1", "9" * 30, "1e9", "%E2%80%AE", "'%20OR%201=1--",
    "%3Cscript%3Ealert(1)%3C/script%3E", "%0d%0aSet-Cookie:%20a=b", "%D9%A3", "%ED%A0%80", "9" * 5000,
)  # fmt: skip
PLACES = (
    "/games/{}", "/games/1/{}", "/players/{}", "/evening/{}", "/live/{}", "/device/{}", "/static/{}", "/games?page={}",
    "/games?game={}&player={}&state={}", "/games?day={}", "/league?game={}", "/games/1/fix?entry={}&do={}",
    "/device?fetched={}", "/live?lang={}&theme={}&tv={}",
)  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_no_nonsense_in_an_address_gets_further_than_a_page(serve, place, tmp_path):
    fill(tmp_path / "results.db", GAMES[:1])
    stand = serve(tmp_path / "results.db")
    stand.show(None)
    owner = Visitor(stand, token=True)
    for nonsense in NONSENSE:
        answer = owner.get(place.replace("{}", nonsense))
        assert answer.status in (200, 303, 403, 404, 409), nonsense
        assert "<script>" not in answer.text and "root:" not in answer.text
        assert "a=b" not in answer.headers.get("set-cookie", "")


@pytest.mark.parametrize("path", ALL_KINDS)
def test_every_answer_carries_the_policy(visitor, path):
    headers = visitor.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "script-src 'self'" in policy
    assert headers["x-content-type-options"] == "nosniff" and headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"


NO_REQUESTS = (b"GET / HTTP/9", b"\x16\x03\x01", b"GET", b"GET /live HTTP/1.1\r\nHost: a\r\nHost: b")


@pytest.mark.parametrize("request_line", NO_REQUESTS)
def test_an_answer_to_what_is_not_a_request_carries_all_headers(visitor, request_line):
    with socket.create_connection(visitor.host.split(":"), timeout=PATIENCE_S) as raw:
        raw.sendall(request_line + b"\r\n\r\n")
        answer = http.client.HTTPResponse(raw)
        answer.begin()
        assert answer.status == 400
        for key, value in HEADERS.items():
            assert answer.headers[key] == value


def test_the_page_that_is_missing_links_to_no_other_site(stand):
    for path in ("//evil.example", "/\\evil.example", "///evil.example/x?y=1"):
        connection = http.client.HTTPConnection(Visitor(stand).host)
        connection.putrequest("GET", path)
        connection.endheaders()
        answer = connection.getresponse()
        links = Page(answer.read().decode()).links()
        connection.close()
        assert answer.status == 404 and any("evil.example" in link for link in links)
        assert not any(link.startswith(("//", "/\\")) for link in links)


@pytest.mark.parametrize("db", ["secret.db", "postgresql://kiebitz@127.0.0.1:1/secret"])
def test_only_the_owner_sees_where_the_results_are(serve, tmp_path, db):
    (tmp_path / "secret.db").write_bytes(b"not a database " * 1000)
    stand = serve(db if "://" in db else tmp_path / db)
    answer = Visitor(stand).get("/games")
    assert answer.status == 409 and "secret" not in answer.text and "127.0.0.1:1" not in answer.text
    assert "only with the link" in answer.page.text
    assert "secret" in Visitor(stand, token=True).get("/games").page.text


def test_a_stream_carries_it_too(stand, visitor):
    events = visitor.stream("/events/live")
    assert events._response.headers["content-security-policy"]
    events.close()


def test_nobody_else_can_connect_unless_the_network_is_let_in():
    for lan, address in ((False, "127.0.0.1"), (True, "0.0.0.0")):
        with listen(0, lan) as opened:
            assert opened.getsockname()[0] == address


@pytest.mark.parametrize(
    ("header", "lang"),
    [
        ("de-CH,de;q=0.9,en;q=0.8", "de"),
        ("es, fr;q=0.5, it;q=0.7", "it"),
        ("es", "en"),
        ("", "en"),
        ("nl;q=nonsense, fr;q=0.1", "fr"),
        ("de;q=0, fr;q=0.2", "fr"),
    ],
)
def test_the_language_is_that_of_the_browser(header, lang):
    assert language_of(header, "en") == lang


def test_the_language_can_be_changed_and_stays(visitor):
    assert visitor.get("/live", accept_language="fr").page.lang == "fr"
    assert visitor.get("/live?lang=it", accept_language="fr").page.lang == "it"
    assert visitor.get("/live", accept_language="fr").page.lang == "it"
    assert visitor.get("/live?lang=xx", accept_language="fr").page.lang == "it"


# --- hostile peers ---

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
    monkeypatch.setattr(server, "REQUEST_S", 0.0)
    one = connect()
    one.sendall(sent)
    assert ends(one)


def test_a_stream_stays_open_longer_than_a_request_may_take(monkeypatch, stand, visitor):
    monkeypatch.setattr(server, "REQUEST_S", 0.0)
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
    monkeypatch.setattr(server.time, "monotonic", lambda: now[0])
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
