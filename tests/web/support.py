"""Support for the tests of the pages: an HTTP client, a strict HTML parser and a filled store."""

import http.client
import json
import xml.etree.ElementTree as ElementTree
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urlsplit

from helpers.finished import any_game, carre, counter, lines_of, poch, royal, spot, unfinished
from kiebitz_host.library.store import Store

DOCTYPE = "<!DOCTYPE html>\n"
ISOLATES = "\u2068\u2069"


class Page:
    """A parsed page."""

    def __init__(self, markup):
        """Parse a page. Raise an error if it is not well-formed."""
        assert markup.startswith(DOCTYPE)
        self.markup = markup
        self.root = ElementTree.fromstring(markup[len(DOCTYPE) :])
        self._check()

    def _check(self):
        root = self.root
        assert root.tag == "html" and root.get("lang")
        assert [child.tag for child in root] == ["head", "body"]
        assert len(root.findall(".//h1")) == 1, "one headline of the first order"
        assert len(root.findall(".//main")) == 1
        ids = [element.get("id") for element in root.iter() if element.get("id")]
        assert len(ids) == len(set(ids)), "every id once"
        for element in root.iter():
            for key in element.attrib:
                assert not key.startswith("on") and key != "style", f"{element.tag} {key}"
            if element.tag == "script":
                assert not (element.text or "").strip(), "no script in the page itself"
        for label in ("aria-labelledby", "aria-describedby"):
            for element in root.iter():
                for word in element.get(label, "").split():
                    assert word in ids, f"nothing has the id {word}"

    @property
    def lang(self):
        return self.root.get("lang")

    @property
    def title(self):
        return _words(self.root.find("head/title"))

    @property
    def text(self):
        """Return all words of the page, without direction marks."""
        return _words(self.root.find("body"))

    def texts(self, path):
        """Return the words of every element at a path."""
        return [_words(element) for element in self.root.findall(f".//{path}")]

    def scripts(self):
        """Return the addresses of the scripts of the page."""
        return [element.get("src") for element in self.root.iter("script")]

    def links(self):
        return [element.get("href") for element in self.root.iter("a")]

    def tags(self):
        return {element.tag for element in self.root.iter()}


def _words(element):
    words = " ".join("".join(element.itertext()).split())
    return words.translate(dict.fromkeys(map(ord, ISOLATES)))


# --- HTTP client ---

PATIENCE_S = 12  # less than the time between two heartbeats: a stream that only beats is a failure


class Answer:
    """A response of the server."""

    def __init__(self, response, body):
        self.status = response.status
        self.headers = response.headers
        self.body = body

    @property
    def text(self):
        return self.body.decode()

    @property
    def page(self):
        return Page(self.text)


class Visitor:
    """An HTTP client that keeps cookies and does not follow redirects."""

    def __init__(self, stand, token=False):
        self.stand = stand
        self.host = urlsplit(stand.address).netloc
        self.cookies = {}
        if token:
            assert self.get(f"/live?token={stand.token}").status == 303

    def get(self, path, **headers):
        return self.ask("GET", path, None, headers)

    def post(self, path, form=(), **headers):
        """Send a form from a page of this server, unless another Origin is given; None for none."""
        headers.setdefault("origin", self.stand.address)
        return self.ask("POST", path, urlencode(dict(form)), headers)

    def ask(self, method, path, body, headers):
        connection = self._connect(method, path, body, headers)
        response = connection.getresponse()
        answer = Answer(response, response.read())
        connection.close()
        for line in response.headers.get_all("set-cookie") or ():
            self.cookies.update({key: morsel.value for key, morsel in SimpleCookie(line).items()})
        return answer

    def stream(self, path, **headers):
        """Open a stream of events."""
        connection = self._connect("GET", path, None, headers)
        response = connection.getresponse()
        assert (response.status, response.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
        return Events(connection, response)

    def _connect(self, method, path, body, headers):
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE_S)
        headers = {key.replace("_", "-"): value for key, value in headers.items() if value is not None}
        if body is not None:
            headers["content-type"] = "application/x-www-form-urlencoded"
        if self.cookies:
            headers["cookie"] = "; ".join(f"{key}={value}" for key, value in self.cookies.items())
        connection.request(method, path, body, headers)
        return connection


class Events:
    """An open event stream; next() returns (name, data) of the next event and skips heartbeats."""

    opened: list["Events"] = []  # the tests close what they have opened at the latest when the server ends

    def __init__(self, connection, response):
        Events.opened.append(self)
        self._connection = connection
        self._response = response
        self.heartbeats = 0
        self.id = ""

    def next(self):
        name, data = "", []
        while True:
            line = self._response.readline().decode().rstrip("\n")
            if line == "" and self._response.isclosed():
                raise EOFError
            field, _, value = line.partition(": ")
            if field == "event":
                name = value
            elif field == "data":
                data.append(value)
            elif field == "id":
                self.id = value
            elif line == ":":
                self.heartbeats += 1
            elif line == "" and name:
                return name, "\n".join(data)
            elif line == "" and self._response.fp is None:
                raise EOFError

    def until(self, words):
        """Return the first event that contains these words."""
        while True:
            name, data = self.next()
            if words in data:
                return data

    def picture(self):
        return json.loads(self.until("pages"))

    def rest(self):
        """Read until the server ends the stream. Return the data."""
        data = self._response.read()
        self.close()
        return data

    def close(self):
        self._response.close()
        self._connection.close()


# --- a filled store ---

NOW = 1767700000  # 2026-01-06 11:46:40 UTC
MARKUP = "<b>Max</b> & Co"
QUOTES = "Jo \"J\" O'N'"
RIGHT_TO_LEFT = "\u202eevil\u202c שרה"
PLAIN = "שרה"
TITLE = "<i>Skyjo</i> \u202e\"5'"
NASTY = (MARKUP, QUOTES, RIGHT_TO_LEFT)
DAY_S = 86400
HOUR_S = 3600

GAMES = (
    royal(["Anna", MARKUP, QUOTES], [0, 1, 0], spent=[2, 1, 0]),
    poch(["Anna", RIGHT_TO_LEFT], [130, 70], dealer=0),
    carre([MARKUP, QUOTES, "Anna"], [3, 2, 5]),
    spot(["Anna", "Ben", MARKUP], [3, 2, 4], level="expert"),
    any_game(TITLE, ["Anna", MARKUP, RIGHT_TO_LEFT], [5, 7, 9], [20, -3, 4], [0, 1, 2], low=True),
    counter("Phase 10", ["Anna", "Ben"], (0, 20), (1, 10), (0, 40), start=0, limit=50),
    unfinished(royal(["Anna", "Ben"], [0, 1, 0])),
    royal(["Ben", "Anna"], [0, 0, 1]),
)
EIGHT = ["Anna", "Ben", "Cleo", "Dora", "Emil", "Fritz", "Gil", "Bernhardine-Maximiliane"]
# A round of Poch, with chips left in the pools
POCH_OF_EIGHT = lines_of(
    {"game": "poch", "players": EIGHT, "options": {"chips_total": 301, "final_pools": "ignore"}},
    [
        {"ev": "start_round", "trump": "C"},
        {"ev": "cash", "p": 2, "pool": "K"},
        {"ev": "end_cash", "confirm": True},
        *[{"ev": "pass", "p": p} for p in range(8)],
        {"ev": "end_round", "winner": 3, "left": {str(p): 2 for p in range(8) if p != 3}},
        {"ev": "end_game"},
    ],
)
EVENING = "2026-01-04"  # the day of the last games


def fill(path, games=GAMES):
    """Store the games, four on an evening, the last evening on EVENING. Returns their numbers."""
    numbers = []
    with Store(path, now=lambda: NOW, say=lambda message: None) as store, store.batch():
        for k, lines in enumerate(games):
            game_id = f"aabbcc-{k + 1:04d}-{k + 1:06x}"
            evenings_ago = (len(games) - 1 - k) // 4
            at = NOW - 2 * DAY_S - evenings_ago * 7 * DAY_S + (k % 4) * HOUR_S + 6 * HOUR_S
            store.add_journal(game_id, lines, {"id": "e6aabbcc"}, at, False)
            numbers.append(store.number(game_id))
    return numbers


# --- in a browser ---

# The choices of drop-down lists that are wider than their list, which has an arrow of 20 pixels
CUT_CHOICES = """() => [...document.querySelectorAll('select')].flatMap((list) => {
  const pen = document.createElement('canvas').getContext('2d'), style = getComputedStyle(list);
  pen.font = style.font;
  const room = list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 20;
  return [...list.options].map((choice) => choice.text).filter((words) => pen.measureText(words).width > room);
})"""
