"""Build the site into build/site: static files for any web host, with relative addresses only; serve it for tests."""

import functools
import hashlib
import http.server
import json
import re
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from kiebitz import VERSION
from kiebitz.board.profiles import FAMILIES, PROFILES
from kiebitz.text import LANGUAGES
from kiebitz.widgets.keys import NAMES
from kiebitz_host import languages
from kiebitz_host.install.uf2 import CHIPS, RP2040
from kiebitz_host.outcome import Trouble
from kiebitz_host.web.frame import styles
from markupsafe import Markup, escape

from .. import pages
from ..frozen_tree import ROOT
from ..games import GAMES_IN_LAB
from ..image.build import checksum_path, family_images
from .bundle import device_image, laptop_image
from .guide import GUIDE, build_guide, guide_start
from .pictures import CaseDrawing, draw_gallery, draw_start, write_icons

IMAGES = "images.json"  # the images that a page can install
LANGUAGES_FOLDER = Path(__file__).parent / "languages"


def sentences(lang: str) -> dict[str, str]:
    """Return the sentences of a language by their keys; ValueError for a line that is not `key = sentence`.

    Those of the guided first game about one game are among the laptop's sentences about that game.
    """
    found = {key: sentence for key, sentence in languages.read(lang).items() if key.startswith("tour.")}
    for number, line in enumerate((LANGUAGES_FOLDER / f"{lang}.txt").read_text("utf-8").splitlines(), 1):
        if line.startswith("#") or not line:
            continue
        key, equals, sentence = line.partition(" = ")
        if not equals or not sentence.strip() or key in found:
            raise ValueError(f"{lang}.txt, line {number}: not `key = sentence`, or a key that comes twice")
        found[key] = sentence
    return found


def first_keys() -> dict[str, str]:
    """Return the keys of the first entry of each game and mode, by the keys of the scripts for them."""
    return {
        f"tour.keys.{kind}.{mode}".rstrip("."): keys
        for kind, game in GAMES_IN_LAB.items()
        for mode, keys in game.FIRST_KEYS.items()
    }


_BOLD, _CODE, _LINK = re.compile(r"\*\*(.+?)\*\*"), re.compile(r"`(.+?)`"), re.compile(r"\[(.+?)\]\((\w+)\)")


def rendered(sentence: str, addresses: dict[str, str]) -> Markup:
    """Return a sentence as HTML: **bold**, `code`, and [words](name) as a link to the address of this name."""
    found = _BOLD.sub(r"<b>\1</b>", str(escape(sentence)))
    found = _CODE.sub(r"<code>\1</code>", found)
    return Markup(_LINK.sub(lambda match: f'<a href="{addresses[match[2]]}">{match[1]}</a>', found))


def own_name(lang: str) -> str:
    """Return the name of a language in that language."""
    return (LANGUAGES_FOLDER / f"{lang}.txt").read_text("utf-8").partition("\n")[0].lstrip("# ")


def copy_downloads(site: Path) -> list[dict[str, str]]:
    """Copy the images, built if needed. Returns what the pages say of each file."""
    found = []
    for family, image in family_images().items():
        for path in (image, checksum_path(image)):
            shutil.copy(path, site)
        digest = checksum_path(image).read_text().split()[0]
        size = f"{image.stat().st_size / 1024:.0f} KB"
        found.append({"family": family, "name": image.name, "size": size, "sha256": digest})
    return found


def write_images(site: Path, downloads: list[dict[str, str]]) -> None:
    """Write the list of images for the page that installs them; it may be empty."""
    images = {}
    for image in downloads:
        boards = FAMILIES[image["family"]]
        # A board with a chip of its own is not a Pico 2
        chips = [chip.name for chip in CHIPS if chip == RP2040 or PROFILES[boards[0]].pico]
        images[image["family"]] = {"name": image["name"], "sha256": image["sha256"], "chips": chips, "boards": boards}
    (site / IMAGES).write_text(json.dumps({"version": VERSION, "images": images}, indent=1) + "\n", "utf-8")


class Handler(http.server.SimpleHTTPRequestHandler):
    """A handler that sends files with the MIME types that browsers require, without a log."""

    extensions_map = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".js": "text/javascript",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
    }

    def log_message(self, *_: object) -> None:
        """Write no log."""


@contextmanager
def served(site: Path) -> Iterator[str]:
    """Serve a folder. Yields its address."""
    handler = functools.partial(Handler, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


HERE = Path(__file__).parent
STATIC = HERE / "static"
SITE = ROOT / "build" / "site"
# The pages that are one file for each language; the others change their sentences in the browser
TRANSLATED = ("index.html", "get.html", "gallery.html")
# No requests to other hosts and no inline scripts, because a device on USB may send markup
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)
# The families of boards with an image each; a sentence names the first one
BOARD_NAMES = {
    "": "",
    "picoboy": "PicoBoy Color",
    "displaypack": "Pimoroni Pico Display Pack 2.0 / 2.8",
    "picosystem": "Pimoroni PicoSystem",
}
_TITLES = {"index": "home.short", "play": "play.title", "usb": "usb.title", "get": "nav.get", "gallery": "nav.gallery"}
# Of pages that are one file for each language, not fetched by the others
_NOT_SPOKEN = ("home.", "get.", "gallery.", "guide.")
# Downloaded on demand, not cached for offline use
_NOT_KEPT = ("*.uf2", "*.sha256", IMAGES, f"{GUIDE}/*.png", f"{GUIDE}/*.svg")


def build(site: Path = SITE, downloads: bool = True, gallery: bool = True) -> Path:
    """Build the site into a new folder and return it. Without downloads and gallery it takes seconds."""
    shutil.rmtree(site, ignore_errors=True)
    site.mkdir(parents=True)
    copy_parts(site)
    images = copy_downloads(site) if downloads else []
    write_images(site, images)
    groups = draw_gallery(site) if gallery else []
    for lang in LANGUAGES:
        _write_pages(site, lang, images=images, groups=groups, start=draw_start(site, lang))
    build_guide(site, {lang: frame_of(lang) for lang in LANGUAGES})
    write_service_worker(site)
    return site


def copy_parts(site: Path) -> None:
    """Write scripts, styles, sentences, icons, MicroPython and the two Python file systems, but no pages."""
    for path in sorted(STATIC.glob("*.mjs")):
        shutil.copy(path, site)
    own = [(STATIC / name).read_text("utf-8") for name in ("site.css", "device.css")]
    (site / "kiebitz.css").write_text("".join([styles(), *own]), "utf-8")  # the styles of `kiebitz web`
    copy_micropython(pages.npm_micropython(), site)
    (site / "device.romfs").write_bytes(device_image())
    (site / "laptop.romfs").write_bytes(laptop_image())
    (site / "texts").mkdir()
    for lang in LANGUAGES:
        spoken = {key: sentence for key, sentence in sentences(lang).items() if not key.startswith(_NOT_SPOKEN)}
        spoken.update(first_keys())
        (site / "texts" / f"{lang}.json").write_text(json.dumps(spoken, ensure_ascii=False) + "\n", "utf-8")
    write_icons(site)


def copy_micropython(package: Path, site: Path) -> None:
    """Copy the interpreter into the site; raises Trouble if a file is not the one that was locked."""
    for line in (HERE / "micropython.sha256").read_text().splitlines():
        digest, name = line.split()
        data = (package / name).read_bytes()
        if hashlib.sha256(data).hexdigest() != digest:
            raise Trouble(f"{name} of the npm package is not the locked one: remove build/npm and run make again.")
        (site / name).write_bytes(data)


def page_path(name: str, lang: str) -> str:
    """Return the path of a page in a language, below the site."""
    return name if lang == LANGUAGES[0] or name not in TRANSLATED else f"{lang}/{name}"


def frame_of(lang: str) -> dict:
    """Return the template variables of the frame around every page of a language."""
    pages_by_key = {
        "nav.play": "play.html",
        "nav.usb": "usb.html",
        "nav.get": page_path("get.html", lang),
        "nav.gallery": page_path("gallery.html", lang),
        "nav.guide": guide_start(lang),
    }
    return {
        "lang": lang,
        "home": page_path("index.html", lang),
        "nav": [(name, key) for key, name in pages_by_key.items()],
        "version": VERSION,
        "texts": sentences(lang),
        "policy": POLICY,
        "names": [(code, own_name(code)) for code in LANGUAGES],
    }


def _addresses(base: str, lang: str) -> dict[str, str]:
    """Return the addresses that the sentences of a page name."""
    paths = {
        "play": "play.html",
        "usb": "usb.html",
        "get": page_path("get.html", lang),
        "gallery": page_path("gallery.html", lang),
        "guides": guide_start(lang),
        "update": "usb.html#install",
        "build": f"{GUIDE}/hardware/index.html",
        "parts": f"{GUIDE}/hardware/index.html#without-soldering",
        "install": f"{GUIDE}/docs/install.html",
    }
    return {name: f"{base}/{path}" for name, path in paths.items()}


def _write_pages(site: Path, lang: str, **content: list) -> None:
    """Write the pages of a language except the guides; `content` has the lists that some of them show."""
    loader = FileSystemLoader([HERE / "pages", HERE / "theme"])
    environment = Environment(loader=loader, undefined=StrictUndefined, autoescape=True)
    drawing = CaseDrawing()
    frame = frame_of(lang)
    for name, title in _TITLES.items():
        page = f"{name}.html"
        if page not in TRANSLATED and lang != LANGUAGES[0]:
            continue
        path = site / page_path(page, lang)
        path.parent.mkdir(exist_ok=True)
        base = "." if path.parent == site else ".."
        addresses = _addresses(base, lang)

        def say(key: str, addresses=addresses, **places: str) -> Markup:
            filled = frame["texts"][key]
            for place, value in places.items():
                filled = filled.replace(f"{{{place}}}", value)
            return rendered(filled, {**addresses, "sum": f"{addresses['play'][:-9]}{places.get('name')}.sha256"})

        values = {
            **frame,
            **content,
            "base": base,
            "say": say,
            "go": addresses,
            "keys": NAMES,
            "board_names": BOARD_NAMES,
            "place": _place,
            "case": drawing,
            "case_svg": Markup(drawing.svg()),
            "title": frame["texts"][title],
            "current": page_path(page, lang),
            "versions": {code: page_path(page, code) for code in LANGUAGES} if page in TRANSLATED else {},
            "is_translated": page in TRANSLATED,
        }
        path.write_text(environment.get_template(page).render(values), "utf-8")


def _place(where: dict[str, float]) -> Markup:
    """Return a style that positions an element there."""
    return Markup(";".join(f"{name}:{value}%" for name, value in where.items()))


def write_service_worker(site: Path) -> None:
    """Write the list of files that a browser caches, and a version that changes with any of them."""
    names = sorted(path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file())
    kept = [name for name in names if not any(fnmatch(name, pattern) for pattern in _NOT_KEPT)]
    digest = hashlib.sha256()
    for name in kept:
        digest.update(name.encode() + b"\0" + (site / name).read_bytes())
    version = f"{VERSION}-{digest.hexdigest()[:12]}"
    script = (STATIC / "service_worker.js").read_text()
    script = script.replace("{{version}}", version).replace("{{files}}", json.dumps(kept))
    (site / "service_worker.js").write_text(script)


def main() -> int:
    """Build the site and print its path. Returns the exit code."""
    try:
        site = build()
    except Trouble as trouble:
        print(f"site: {trouble}", file=sys.stderr)
        return 1
    size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    name = site.relative_to(ROOT)
    print(f"{name}: {size / 1e6:.1f} MB. Look at it: python3 -m http.server -d {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
