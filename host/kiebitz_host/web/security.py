"""Authorize requests by host, token and origin; define the security headers, which the server adds to every answer.

A page of another site must neither read from nor act on this server. Only IP addresses and this computer's own names
are accepted as Host, which prevents DNS rebinding. Everything but GET and HEAD needs the token, which is in the link
printed by `kiebitz web`, and must come from a page of this server.
"""

import hmac
import ipaddress
import secrets
import socket
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from kiebitz.text import LANGUAGES
from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..languages import speaking

TOKEN_BYTES = 12
BODY_MAX = 1 << 20  # bytes of a form
REMEMBER_S = 365 * 24 * 3600
EVENING_S = 24 * 3600  # the token changes at every start
LENGTH_DIGITS = 9  # of a Content-Length
LANG_COOKIE = "kiebitz_lang"
TOKEN = "token"
READING = ("GET", "HEAD")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), fullscreen=(self)",
}


def new_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def own_names() -> set[str]:
    """Return the names of this computer that a browser may use."""
    name = socket.gethostname().lower()
    return {"localhost", name, f"{name}.local"}


def is_own_host(host: str, names: set[str]) -> bool:
    """Return True if Host is an IP address or one of our own names (prevents DNS rebinding)."""
    try:
        found = urlsplit(f"//{host}")
        name, _ = found.hostname or "", found.port
    except ValueError:
        return False
    if found.username is not None or found.path or found.query or found.fragment:
        return False
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name.rstrip(".") in names
    return True


def language_of(header: str, default: str) -> str:
    """Return the best supported language of an Accept-Language header, by weight."""
    wanted = []
    for place, part in enumerate(header.split(",")[:20]):
        name, _, weight = part.strip().partition(";")
        try:
            quality = float(weight.strip().removeprefix("q=")) if weight else 1.0
        except ValueError:
            continue
        lang = name.strip().lower().split("-")[0]
        if lang in LANGUAGES and quality > 0:
            wanted.append((-quality, place, lang))
    return min(wanted)[2] if wanted else default


class Guard:
    """ASGI middleware that checks each request, and stores language and rights in request.state."""

    def __init__(self, app: ASGIApp, token: str, codes: set[str], lang: str, names: Iterable[str] = ()):
        """Wrap an app. `codes` are unused one-time codes, each of which stands for the token once.

        `names` are names by which the server is reached besides its own.
        """
        self._app = app
        self._token = token
        self._codes = codes
        self._lang = lang
        self._names = own_names() | set(names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        query = QueryParams(scope["query_string"])
        cookies = _cookies(headers)
        if not is_own_host(headers.get("host", ""), self._names):
            refusal = PlainTextResponse("This is not the address of a Kiebitz.\n", 421)
            await refusal(scope, receive, _with_cookies(send, {}))
            return
        set_cookies: dict[str, str] = {}
        lang = next((word for word in (query.get("lang"), cookies.get(LANG_COOKIE)) if word in LANGUAGES), None)
        if lang is not None and lang == query.get("lang"):
            set_cookies[LANG_COOKIE] = lang
        state = scope.setdefault("state", {})
        state["lang"] = lang or language_of(headers.get("accept-language", ""), self._lang)
        port = scope["server"][1] if scope.get("server") else 0
        state["may_change"] = _is_same(cookies.get(cookie_name(port), ""), self._cookie(port))
        if scope["method"] in READING and TOKEN in query:
            await self._take_token(scope, receive, send, query, port)
            return
        if scope["method"] not in READING:
            trouble = self._trouble(scope, headers, state["may_change"])
            if trouble:
                await PlainTextResponse(trouble + "\n", 403)(scope, receive, _with_cookies(send, {}))
                return
        with speaking(state["lang"]):
            await self._app(scope, receive, _with_cookies(send, set_cookies))

    def _cookie(self, port: int) -> str:
        """Return the value of the cookie. It is not the token, because a browser sends it to every port of the host."""
        return hmac.new(self._token.encode(), f"cookie {port}".encode(), "sha256").hexdigest()

    def _is_accepted(self, word: str) -> bool:
        """Return True for the token or a one-time code, which is then used up."""
        if word in self._codes:
            self._codes.discard(word)
            return True
        return _is_same(word, self._token)

    async def _take_token(self, scope: Scope, receive: Receive, send: Send, query: QueryParams, port: int) -> None:
        """Store the link's token in a cookie, and redirect to the URL without the token."""
        rest = [(key, value) for key, value in query.multi_items() if key != TOKEN]
        query_string = str(QueryParams(rest))
        place = "/" + scope["path"].lstrip("/\\") + (f"?{query_string}" if query_string else "")
        answer = RedirectResponse(place, 303)
        if self._is_accepted(query[TOKEN]):
            value = self._cookie(port)
            answer.set_cookie(cookie_name(port), value, max_age=EVENING_S, httponly=True, samesite="lax")
        await answer(scope, receive, _with_cookies(send, {}))

    def _trouble(self, scope: Scope, headers: Headers, may_change: bool) -> str:
        """Return why a request must not change anything; empty if it may."""
        if not may_change:
            return "Only the link with the token, as kiebitz web prints it, may change something."
        if _host_of(headers.get("origin", "")) != headers.get("host"):
            return "This request does not come from a page of this server."
        length = headers.get("content-length", "")
        if not length.isdecimal() or len(length) > LENGTH_DIGITS or int(length) > BODY_MAX:
            return "This is more than a form can hold."
        return ""


def cookie_name(port: int) -> str:
    """Return the name of a server's cookie, with its port because all servers of a host share their cookies."""
    return f"kiebitz_{port}"


def _is_same(word: str, secret: str) -> bool:
    return hmac.compare_digest(word.encode(errors="replace"), secret.encode())


def _host_of(origin: str) -> str | None:
    """Return the host and port of an Origin header; None if it has none."""
    try:
        return urlsplit(origin).netloc or None
    except ValueError:
        return None


def _cookies(headers: Headers) -> dict[str, str]:
    try:
        return {key: morsel.value for key, morsel in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}


def _with_cookies(send: Send, cookies: dict[str, str]) -> Send:
    """Return a send() that forbids caching by default, and adds the cookies of this server."""

    async def send_with_cookies(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.setdefault("Cache-Control", "no-store")
            for key, value in cookies.items():
                headers.append("Set-Cookie", f"{key}={value}; Path=/; Max-Age={REMEMBER_S}; HttpOnly; SameSite=Lax")
        await send(message)

    return send_with_cookies
