"""Asks the server over real sockets: pages, forms and streams of events, as a browser would."""

import http.client
import json
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urlsplit

from web.strict_html import Page

PATIENCE_S = 12  # less than the time between two heartbeats: a stream that only beats is a failure


class Answer:
    """What the server has answered."""

    def __init__(self, response, body):
        self.status = response.status
        self.headers = response.headers
        self.text = body.decode()

    @property
    def page(self):
        return Page(self.text)


class Visitor:
    """Somebody at a browser: keeps cookies, follows no redirect by itself."""

    def __init__(self, stand, token=False):
        self.stand = stand
        self.host = urlsplit(stand.address).netloc
        self.cookies = {}
        if token:
            assert self.get(f"/live?token={stand.site.token}").status == 303

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
    """An open stream; next() returns (name, data) of the next event, and passes over heartbeats."""

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
        """Return the first event that has these words in it."""
        while True:
            name, data = self.next()
            if words in data:
                return data

    def picture(self):
        return json.loads(self.until("pages"))

    def rest(self):
        """Read until the server ends the stream. Returns what has come."""
        data = self._response.read()
        self.close()
        return data

    def close(self):
        self._response.close()
        self._connection.close()
