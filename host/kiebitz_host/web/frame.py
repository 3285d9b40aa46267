"""Render the frame of every page (skip link, navigation, language, theme), online or as a single file."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urlencode

from kiebitz.text import LANGUAGES, own_name, text

from ..html import Child, Node, document, el, name, style_sheet
from ..printable import printable

THEMES = ("auto", "light", "dark")
# Query keys that are not repeated in links to the same page
_NOT_REPEATED = ("lang", "theme", "token")


class Visit(NamedTuple):
    """One request for a page."""

    lang: str = LANGUAGES[0]
    theme: str = THEMES[0]
    path: str = "/"
    query: tuple[tuple[str, str], ...] = ()
    may_change: bool = False  # whether forms are shown
    offline: bool = False  # a single file without server, navigation and forms

    def same_page(self, **changes: str) -> str:
        """Return the URL of this page with other values in its query; an empty value removes the key."""
        pairs = [(key, value) for key, value in self.query if key not in (*_NOT_REPEATED, *changes)]
        return address(self.path, [*pairs, *changes.items()])

    def value(self, key: str, default: str = "") -> str:
        """Return the first value of a query key."""
        return next((value for found, value in self.query if found == key), default)


def address(path: str, pairs: Iterable[tuple[str, str]] = ()) -> str:
    """Return a URL on this server, with everything quoted. Two leading slashes would be the start of a host name."""
    query = urlencode([(key, value) for key, value in pairs if value])
    return "/" + quote(path.lstrip("/")) + (f"?{query}" if query else "")


def player_address(who: str) -> str:
    """Return the URL of a player's page. A browser would take the names "." and ".." in a path for folders."""
    if who in (".", ".."):
        return address("/players/", [("name", who)])
    return f"/players/{quote(who, safe='')}"


STATIC = Path(__file__).parent / "static"
# Navigation for spectators, and with the token: (key of the text, URL)
NAVIGATION = (
    ("live", "/live"),
    ("games", "/games"),
    ("evening", "/evening"),
    ("club", "/club"),
    ("league", "/league"),
    ("players", "/players"),
)
# Media query of the dark styles, by the visitor's choice
DARK_ON = {"auto": "screen and (prefers-color-scheme: dark)", "dark": "screen"}
THEME_WORDS = {"auto": "web.theme.auto", "light": "web.theme.light", "dark": "web.theme.dark"}
FOR_OWNERS = (("device", "/device"), ("names", "/names"), ("presets", "/presets"), ("share", "/share"))


def whole_page(
    visit: Visit,
    title: str,
    *content: Child,
    wide: bool = False,
    live: bool = False,
    body_class: str = "",
    printed: bool = False,
    fresh: str = "",
) -> str:
    """Return a page as HTML. `title` is plain text; `content` goes into <main> and has the only <h1>.

    wide: use the whole width. live: include script and styles of the live pages. printed: the page fits on one sheet
    of paper and can be sent. fresh: the store version shown on the page; a script reloads the page after a change.
    """
    classes = " ".join(filter(None, ["wide" if wide else "", "sheet-of-paper" if printed else "", body_class]))
    body = el(
        "body",
        None if visit.offline else el("a", text("web.skip"), href="#main", class_="skip"),
        None if visit.offline else _header(visit),
        el("main", *content, id="main", tabindex="-1", data_state=fresh or None),
        _footer(visit),
        class_=classes or None,
    )
    return document(visit.lang, _head(visit, title, live, bool(fresh), printed), body)


def _head(visit: Visit, title: str, live: bool, fresh: bool, sent: bool) -> list[Child]:
    shared: list[Child] = [
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", printable(title if visit.offline else f"{title} · Kiebitz")),
    ]
    if visit.offline:
        # The file may be opened anywhere, so it loads nothing and has no scripts
        policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
        return [shared[0], el("meta", http_equiv="Content-Security-Policy", content=policy), *shared[1:], _inlined()]
    links = [el("link", rel="stylesheet", href="/static/kiebitz.css"), el("link", rel="icon", href="/favicon.ico")]
    if live:
        links.append(el("link", rel="stylesheet", href="/static/live.css"))
        links.append(el("script", src="/static/kiebitz.js", defer=True))
    if fresh:
        links.append(el("script", src="/static/fresh.js", defer=True))
    if sent:
        links.append(el("script", src="/static/share.js", defer=True))
    if visit.theme in DARK_ON:
        links.append(el("link", rel="stylesheet", href="/static/dark.css", media=DARK_ON[visit.theme]))
    return [*shared, *links]


def styles() -> str:
    """Return the styles of pages without a server, light or dark as the system prefers."""
    light, dark = [(STATIC / name).read_text("utf-8") for name in ("kiebitz.css", "dark.css")]
    return f"{light}\n@media {DARK_ON['auto']} {{\n{dark}}}\n"


def _inlined() -> Node:
    return style_sheet(styles())


def _header(visit: Visit) -> Node:
    """Return the name of the product and the navigation, with the current section marked."""
    links = [
        el("li", el("a", text(f"web.nav.{key}"), href=place, aria_current="page" if _is_here(visit, place) else None))
        for key, place in _navigation(visit)
    ]
    brand = el("a", el("span", "Kiebitz", translate="no"), href="/", class_="brand")
    return el("header", brand, el("nav", el("ul", links), aria_label=text("web.nav")), class_="top")


def _navigation(visit: Visit) -> list[tuple[str, str]]:
    """Return (key of the text, URL) of the sections that a visitor may open."""
    return [*NAVIGATION, *(FOR_OWNERS if visit.may_change else ())]


def _is_here(visit: Visit, place: str) -> bool:
    return visit.path == place or visit.path.startswith(place + "/")


def _footer(visit: Visit) -> Node:
    """Return the choices of language and theme; in a single file only the name of the generator."""
    if visit.offline:
        return el("footer", el("p", text("web.made_by")), class_="bottom")
    languages = [
        el(
            "a",
            own_name(lang),
            href=visit.same_page(lang=lang),
            lang=lang,
            hreflang=lang,
            aria_current="true" if lang == visit.lang else None,
        )
        for lang in LANGUAGES
    ]
    themes = [
        el(
            "a",
            text(THEME_WORDS[theme]),
            href=visit.same_page(theme=theme),
            aria_current="true" if theme == visit.theme else None,
        )
        for theme in THEMES
    ]
    return el(
        "footer",
        _choice(text("web.languages"), languages),
        _choice(text("web.theme"), themes),
        class_="bottom",
    )


def _choice(label: str, links: list[Node]) -> Node:
    return el("nav", el("ul", [el("li", link) for link in links]), aria_label=label, class_="choice")


def titled(words: str, *more: Child) -> Node:
    """Return the headline of a page, with a line below it."""
    return el("div", el("h1", name(words)), [el("p", line, class_="under") for line in more if line], class_="headline")


def send_links(visit: Visit, path: str) -> Node | None:
    """Return the links that save a page as a single file and as a picture; a script shares them on a phone.

    path: of the page; its query is kept.
    """
    if visit.offline:
        return None
    query = [(key, value) for key, value in visit.query if key not in _NOT_REPEATED]
    links = [
        el(
            "a",
            el("span", text(f"web.send.{kind}"), class_="saves"),
            el("span", text(f"web.send.share_{kind}"), class_="shares"),
            href=address(f"{path}/{kind}", query),
            download=kind == "file",
            data_share=True,
            class_="button",
        )
        for kind in ("file", "picture")
    ]
    said = el("span", role="status", data_again=text("web.send.again"), id="shared")
    return el("p", links, said, class_="actions send screen-only")


def what_for(visit: Visit) -> Node:
    """Return what each page is for; the style sheet shows it only while no device is plugged in."""
    pages = [
        el("div", el("dt", el("a", text(f"web.nav.{key}"), href=place)), el("dd", text(f"web.what.{key}")))
        for key, place in _navigation(visit)
    ]
    return el("section", el("h2", text("web.what")), el("dl", pages), class_="what-for")
