"""Builds the site into build/site: static files for any web host, with relative addresses only."""

import hashlib
import json
import shutil
from fnmatch import fnmatch
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from kiebitz import VERSION
from kiebitz.widgets.keys import NAMES
from kiebitz_host.web.frame import styles
from markupsafe import Markup

from kiebitz_lab.frozen_tree import ROOT

from .. import pages
from .bundle import device_image, laptop_image
from .case_drawing import CaseDrawing
from .downloads import copy_downloads
from .guide import GUIDE, build_guide
from .icons import write_icons
from .pictures import draw_gallery, draw_start
from .sentences import LANGUAGES, own_name, sentences

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
