"""Check the site as a whole: links, hosts, weight, sentences, accessibility, and its flash after power cuts."""

import gzip
import html
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from helpers.browser import PHONE, DevicePage
from kiebitz.games import GAMES, presets_of
from kiebitz_host.languages import device_texts
from kiebitz_host.outcome import Trouble
from kiebitz_lab.frozen_tree import ROOT
from kiebitz_lab.hardware.case import Measures
from kiebitz_lab.pages import barriers, npm_micropython
from kiebitz_lab.site.build import LANGUAGES, POLICY, STATIC, copy_micropython, sentences
from kiebitz_lab.site.bundle import older
from kiebitz_lab.site.pictures import CaseDrawing
from playwright.sync_api import expect

DEVICE_PAGE_BYTES = 550_000  # compressed, with everything that the device needs
_PLACE = re.compile(r"{\w+}")


class Links(HTMLParser):
    """The addresses and the ids in a page."""

    def __init__(self, text):
        super().__init__()
        self.found, self.ids = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src"):
                self.found.append((tag, value))
            if name == "id":
                self.ids.add(value)


@pytest.fixture(scope="module")
def pages(site):
    return {path: Links(path.read_text()) for path in sorted(site.resolve().rglob("*.html"))}


def test_every_link_leads_somewhere(site, pages):
    wrong = []
    for path, links in pages.items():
        for tag, address in links.found:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                if tag != "a" or parts.scheme != "https":
                    wrong.append((path, address))  # only links may point to another host
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            found = target.is_file() and target.is_relative_to(site.resolve()) and not parts.path.startswith("/")
            if found and parts.fragment and target.suffix == ".html":
                found = parts.fragment in pages[target].ids
            if not found:
                wrong.append((path, address))
    assert wrong == [] and len(pages) > 20


def test_no_page_may_run_or_ask_for_anything_that_is_not_of_the_site(pages):
    for path in pages:
        text = path.read_text()
        assert f'http-equiv="Content-Security-Policy" content="{POLICY}"' in html.unescape(text), path
        assert re.findall(r"<script(?![^>]* src=)|\son\w+=|javascript:", text) == [], path


def test_a_script_that_was_slipped_in_does_not_run(chromium, address):
    page = chromium.new_page()
    page.goto(address + "usb.html")
    slipped = '<img src="icon.svg" onload="window.ran = true">'
    page.evaluate(f"document.querySelector('main').insertAdjacentHTML('beforeend', '{slipped}')")
    page.evaluate("document.querySelector('main img').decode()")
    assert page.evaluate("window.ran") is None
    page.close()


def test_scripts_import_only_what_is_there_and_name_no_other_host(site):
    for path in [*STATIC.glob("*.mjs"), *STATIC.glob("*.css"), *STATIC.glob("*.js")]:
        text = path.read_text()
        assert "http://" not in text and "https://" not in text, path.name
        for name in re.findall(r'(?:from|import\(|new URL\() ?"\./([\w.]+)"', text):
            assert (site / name).is_file(), (path.name, name)


def test_the_device_page_weighs_little_more_than_half_a_megabyte(visit, site, address):
    loaded = []
    page = visit("get.html", service_workers="block")  # it fetches all other pages, too
    page.context.on("request", lambda request: loaded.append(request.url))
    page.goto(address + "play.html")
    DevicePage(page)
    names = {urlsplit(url).path.lstrip("/") for url in loaded}
    assert {"device.romfs", "micropython.wasm", "micropython.mjs", "play.mjs"} <= names
    weight = sum(len(gzip.compress((site / name).read_bytes())) for name in names if (site / name).is_file())
    assert 300_000 < weight < DEVICE_PAGE_BYTES


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_sentence_is_there_in_every_language_with_its_places(language):
    english, other = sentences("en"), sentences(language)
    assert other.keys() == english.keys()
    for key in english:
        assert sorted(_PLACE.findall(other[key])) == sorted(_PLACE.findall(english[key])), key
    same = [key for key in english if other[key] == english[key]]
    assert len(same) < 8, same


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_start_page_names_every_game(language):
    lead = sentences(language)["home.lead"]
    for kind in [kind for kind in GAMES if kind != "any_game"]:
        names = device_texts(language)[f"game.{kind}"], *getattr(presets_of(kind), "TITLES", ())
        assert any(name in lead for name in names), kind


def test_every_sentence_is_used(site):
    sources = [*STATIC.glob("*.mjs"), *STATIC.parent.glob("pages/*.html"), *STATIC.parent.glob("theme/*.html")]
    sources += [STATIC.parent / "build.py", STATIC.parent / "guide.py", STATIC.parent / "pictures.py"]
    text = "".join(path.read_text() for path in sources)
    shown = html.unescape("".join(path.read_text() for path in site.glob("*.html")))
    joined = re.compile(r"key\.\w+|play\.pico_\w+|tour\.\d.*|storage\.\w+|files\.(done|unknown|full)")
    unused = [key for key in sentences("en") if f'"{key}"' not in text and not joined.fullmatch(key)]
    assert [key for key in unused if re.split(r"[\[{*`]", sentences("en")[key])[0] not in shown] == []


def test_the_site_can_be_installed(site):
    manifest = json.loads((site / "manifest.webmanifest").read_text())
    assert manifest["start_url"] == "play.html" and manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        assert (site / icon["src"]).is_file()
    worker = (site / "service_worker.js").read_text()
    files = json.loads(re.search(r"FILES = (\[.*\]);", worker)[1])
    assert {"play.html", "device.romfs", "micropython.wasm", "usb.html", "laptop.romfs"} <= set(files)
    assert all((site / name).is_file() for name in files) and "{{" not in worker


def test_the_pages_of_the_games_come_after_the_page_about_playing(site):
    guide = (site / "guide" / "docs" / "screens.html").read_text("utf-8")
    listed = re.findall(r'<li><a href="\.\./(docs/[\w/-]+)\.html"', guide)
    games = sorted(path.stem for path in (site / "guide" / "docs" / "games").glob("*.html"))
    assert "poch" in games
    first = listed.index("docs/playing") + 1
    assert listed[first : first + len(games)] == [f"docs/games/{game}" for game in games]
    assert (site / "guide" / "docs" / "games" / "poch-ready.png").is_file()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index", "get", "usb", "gallery", "guide/index"])
def test_axe_finds_nothing(visit, name, scheme):
    page = visit(f"{name}.html", color_scheme=scheme, **(PHONE if scheme == "dark" else {}))
    assert barriers(page) == []


def test_axe_finds_nothing_on_any_guide(visit, site, address):
    page = visit("get.html", service_workers="block", **PHONE)
    for path in sorted((site / "guide").rglob("*.html")):
        page.goto(address + path.relative_to(site).as_posix())
        if page.url.endswith(path.name):  # a translated page leads to the one in the reader's language
            assert barriers(page) == [], path.name


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_axe_finds_nothing_in_other_languages(visit, address, language):
    page = visit("index.html", locale=language, service_workers="block")
    for name in ("index.html", "get.html", "gallery.html", "guide/docs/playing.html", "guide/docs/games/any_game.html"):
        page.goto(address + name)
        page.wait_for_url(re.compile(f"/{language}/"))
        assert barriers(page) == [], name


# --- the language of the reader ---


def heading(language):
    """Return the heading of the guide to playing in a language."""
    folder = ROOT / "docs" if language == "en" else ROOT / "docs" / language
    return (folder / "playing.md").read_text("utf-8").partition("\n")[0].lstrip("# ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_home_get_one_and_guides_are_in_the_language_of_the_reader(visit, address, language):
    texts = sentences(language)
    page = visit("index.html", locale=language)
    expect(page.locator("h1")).to_have_text(texts["home.title"])
    assert page.get_attribute("html", "lang") == language
    for key in ("home.safe.how", "home.spot", "home.evening", "nav.get", "nav.alone"):
        assert texts[key] in page.text_content("body"), key
    page.click("header nav li:nth-child(3) a")
    expect(page.locator("h1")).to_have_text(texts["nav.get"])
    assert texts["get.copy"] in page.text_content("main")
    page.goto(address + "guide/docs/playing.html")
    expect(page.locator("h1")).to_have_text(heading(language))
    shown = page.eval_on_selector("article img", "img => [img.naturalWidth, img.src]")
    assert shown[0] == 384 and (language == "en" or f"/docs/{language}/games/" in shown[1])
    page.goto(address + "usb.html")
    page.click("header nav li:last-child a")
    expect(page.locator("html")).to_have_attribute("lang", language)


def test_a_language_that_was_chosen_stays_on_every_page(visit, address):
    page = visit("index.html")
    page.select_option("#language", "nl")
    expect(page.locator("h1")).to_have_text(sentences("nl")["home.title"])
    page.goto(address + "play.html")
    DevicePage(page).expect("Nieuw spel")
    page.goto(address + "guide/docs/games/poch.html#nothing")
    expect(page.locator("html")).to_have_attribute("lang", "nl")
    page.select_option("#language", "fr")
    expect(page.locator("h1")).to_have_text("Poque")
    page.goto(address + "guide/docs/architecture.html")  # only in English
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.select_option("#language", "de")
    expect(page.locator("h1")).to_have_text(heading("de"))


def test_guides_on_a_phone_have_their_list_at_hand(visit):
    page = visit("guide/docs/games/poch.html", locale="de", **PHONE)
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert not page.is_visible("#guides a")
    page.evaluate("scrollTo(0, document.body.scrollHeight / 2)")
    button = page.locator(".guide button[popovertarget]").first
    expect(button).to_be_in_viewport()
    button.click()
    expect(page.locator("#guides a", has_text="Top Spot")).to_be_in_viewport()
    expect(page.locator("#guides a", has_text="Architecture")).to_be_attached()
    page.locator("#guides a", has_text="Top Spot").click()
    expect(page.locator("h1")).to_have_text("Top Spot")


def test_guides_on_a_laptop_show_their_list_beside_the_text(visit):
    page = visit("guide/docs/playing.html")
    assert page.is_visible("#guides a") and not page.is_visible(".guide button")


@pytest.mark.parametrize("board", ["pico_oled", "pico_lcd_13"])
def test_axe_finds_nothing_on_the_device_page(visit, board):
    for options in ({"color_scheme": "light"}, {"color_scheme": "dark", **PHONE}):
        page = visit(f"play.html?board={board}", **options)
        DevicePage(page)
        page.click("#tour-start")
        assert barriers(page) == []


def test_axe_finds_nothing_on_a_sheet(visit, address):
    page = visit("play.html")
    DevicePage(page).press("ok ok ok*4 right ok")
    page.goto(address + "usb.html")
    page.click("#here")
    page.wait_for_selector("#games tr")
    page.click("#games button")
    page.wait_for_selector("#sheet .scroll")
    page.click("#sheet summary")
    assert barriers(page) == []


@pytest.mark.parametrize(
    "newer",
    [
        "[*a, 1]", "[1, *a, *b, 2]", "(0, *a)", "{**c, 'x': 1}", "{'x': 1, **c}", "f'{a}:{len(b):+} {{}}'",
        "f'{f\"{a[0]}!\"}'", "'abc'.removeprefix('a')", "'abc'.removesuffix('x')",
        "list(zip(a, b, strict=True))",
        "{*a, *b}",
    ],
)  # fmt: skip
def test_older_python_says_the_same(newer):
    names = {"a": [1, 2], "b": [3, 4], "c": {"x": 0, "y": 2}}
    text = older(f"found = {newer}\n")
    exec(text, names)
    assert names["found"] == eval(newer, {}, {"a": [1, 2], "b": [3, 4], "c": {"x": 0, "y": 2}})
    assert "**" not in text and "strict" not in text and "f'" not in text and "[*" not in text


def test_older_python_drops_what_only_types_need():
    newer = "from typing import Any\nRows = list[tuple[str, int]]\ndef f(a: int, *b: str) -> Any:\n    c: int = a\n"
    text = older(newer)
    assert "typing" not in text and "int" not in text and "Rows = None" in text


def test_older_python_drops_what_only_a_type_checker_imports():
    text = older("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from rich.text import Text\nwidth = 3\n")
    assert text.strip() == "width = 3"


def test_the_case_of_the_page_is_the_printed_case():
    drawing, measures = CaseDrawing(), Measures()
    places = drawing.keys()
    for (x, y), place in zip(measures.key_middles(), places, strict=True):
        middle = (place["left"] + place["width"] / 2) / 100 * drawing.width
        assert abs(middle - drawing.width / 2 - x) < 0.01
        middle = (place["top"] + place["height"] / 2) / 100 * drawing.height
        assert abs(drawing.height / 2 - middle - y) < 0.01
    lit = drawing.display()
    bottom = lit["top"] + lit["height"]
    assert all(place["top"] > bottom for place in places)


PROMISES = 5


def test_nothing_that_was_kept_is_lost_wherever_the_power_is_cut():
    script = Path(__file__).with_name("cut_flash.mjs")
    done = subprocess.run(["node", str(script), str(STATIC)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == PROMISES


def test_a_changed_interpreter_does_not_get_into_the_site(tmp_path):
    package = shutil.copytree(npm_micropython(), tmp_path / "package")
    (package / "micropython.wasm").write_bytes(b"changed")
    with pytest.raises(Trouble, match="not the locked one"):
        copy_micropython(package, tmp_path)
    assert not (tmp_path / "micropython.wasm").exists()
