"""Build the site into build/site: static files for any web host, with relative addresses only; serve it for tests."""

import functools
import hashlib
import http.server
import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from kiebitz import VERSION
from kiebitz.text import LANGUAGES
from kiebitz.widgets.keys import NAMES
from kiebitz_host.web.frame import styles
from markupsafe import Markup

from kiebitz_lab.frozen_tree import ROOT
from kiebitz_lab.image.build import checksum_path, current_image

from .. import pages
from .bundle import device_image, laptop_image
from .guide import GUIDE, build_guide
from .pictures import CaseDrawing, draw_gallery, draw_start, write_icons

LANGUAGES_FOLDER = Path(__file__).parent / "languages"


def sentences(lang: str) -> dict[str, str]:
    """Return the sentences of a language by their keys; ValueError for a line that is not `key = sentence`."""
    found: dict[str, str] = {}
    for number, line in enumerate((LANGUAGES_FOLDER / f"{lang}.txt").read_text("utf-8").splitlines(), 1):
        if line.startswith("#") or not line:
            continue
        key, equals, sentence = line.partition(" = ")
        if not equals or not sentence.strip() or key in found:
            raise ValueError(f"{lang}.txt, line {number}: not `key = sentence`, or a key that comes twice")
        found[key] = sentence
    return found


def own_name(lang: str) -> str:
    """Return what a language calls itself."""
    return (LANGUAGES_FOLDER / f"{lang}.txt").read_text("utf-8").partition("\n")[0].lstrip("# ")


def copy_downloads(site: Path) -> list[dict[str, str]]:
    """Copy the image, built if needed. Returns name, size and checksum of each file that can be downloaded."""
    image = current_image()
    found = []
    for path in (image, checksum_path(image)):
        shutil.copy(path, site)
    digest = checksum_path(image).read_text().split()[0]
    found.append({"name": image.name, "size": f"{image.stat().st_size / 1024:,.0f} KB", "sha256": digest})
    return found


class Handler(http.server.SimpleHTTPRequestHandler):
    """Sends files with the types that a browser insists on, and says nothing about it."""

    extensions_map = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".js": "text/javascript",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
    }

    def log_message(self, *_: object) -> None:
        """Say nothing."""


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
# Page, key of its name
NAV = (
    ("play.html", "nav.play"),
    ("usb.html", "nav.usb"),
    ("get.html", "nav.get"),
    ("gallery.html", "nav.gallery"),
    (f"{GUIDE}/index.html", "nav.guide"),
)
# No page asks another host, and none runs a script that is not a file of the site, whatever a device on USB says
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)
_TITLES = {"index": "A score keeper for card games", "play": "Try it", "usb": "My Kiebitz on USB", "get": "Get one",
           "gallery": "Screens"}  # fmt: skip
# Fetched when they are wanted, and not kept for a table without a network
_NOT_KEPT = ("*.uf2", "*.sha256", f"{GUIDE}/*.png", f"{GUIDE}/*.svg")


def build(site: Path = SITE, downloads: bool = True, gallery: bool = True) -> Path:
    """Build the site into a new folder. Returns it. Without downloads and gallery it takes seconds."""
    shutil.rmtree(site, ignore_errors=True)
    site.mkdir(parents=True)
    copy_parts(site)
    images = copy_downloads(site) if downloads else []
    groups = draw_gallery(site) if gallery else []
    _write_pages(site, images=images, groups=groups, start=draw_start(site))
    build_guide(site, _in_the_frame())
    write_service_worker(site)
    return site


def copy_parts(site: Path) -> None:
    """Write everything but the pages: scripts, styles, sentences, icons, MicroPython and the two images of Python."""
    for path in sorted(STATIC.glob("*.mjs")):
        shutil.copy(path, site)
    own = [(STATIC / name).read_text("utf-8") for name in ("site.css", "device.css")]
    (site / "kiebitz.css").write_text("".join([styles(), *own]), "utf-8")  # as `kiebitz web`: both look alike
    for name in ("micropython.mjs", "micropython.wasm"):
        shutil.copy(pages.npm_micropython() / name, site)
    (site / "device.romfs").write_bytes(device_image())
    (site / "laptop.romfs").write_bytes(laptop_image())
    (site / "texts").mkdir()
    for lang in LANGUAGES:
        (site / "texts" / f"{lang}.json").write_text(json.dumps(sentences(lang), ensure_ascii=False) + "\n", "utf-8")
    write_icons(site)


def _in_the_frame() -> dict:
    """Return what the frame around every page shows."""
    return {"nav": NAV, "version": VERSION, "texts": sentences(LANGUAGES[0]), "policy": POLICY}


def _write_pages(site: Path, **content: list) -> None:
    """Write the pages that are no guides; `content` has what some of them list."""
    loader = FileSystemLoader([HERE / "pages", HERE / "theme"])
    environment = Environment(loader=loader, undefined=StrictUndefined, autoescape=True)
    drawing = CaseDrawing()
    shared = {
        **_in_the_frame(),
        "base": ".",
        "languages": [(lang, own_name(lang)) for lang in LANGUAGES],
        "keys": NAMES,
        "place": _place,
        "case": drawing,
        "case_svg": Markup(drawing.svg()),
        "guide": GUIDE,
        **content,
    }
    for name, title in _TITLES.items():
        page = environment.get_template(f"{name}.html")
        (site / f"{name}.html").write_text(page.render(shared, title=title, current=f"{name}.html"), "utf-8")


def _place(where: dict[str, float]) -> Markup:
    """Return a style that puts an element there."""
    return Markup(";".join(f"{name}:{value}%" for name, value in where.items()))


def write_service_worker(site: Path) -> None:
    """Write the list of files that a browser keeps, and a version that changes with any of them."""
    names = sorted(path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file())
    kept = [name for name in names if not any(fnmatch(name, pattern) for pattern in _NOT_KEPT)]
    digest = hashlib.sha256()
    for name in kept:
        digest.update(name.encode() + b"\0" + (site / name).read_bytes())
    version = f"{VERSION}-{digest.hexdigest()[:12]}"
    script = (STATIC / "service_worker.js").read_text()
    script = script.replace("{{version}}", version).replace("{{files}}", json.dumps(kept))
    (site / "service_worker.js").write_text(script)
