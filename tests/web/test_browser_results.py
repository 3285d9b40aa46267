"""Result pages in a real browser: accessibility, print on one sheet, no script, no foreign request."""

import re
from base64 import b64encode

import pytest
from helpers.browser import wait_until
from helpers.finished import any_game
from kiebitz_host.library.store import Store
from kiebitz_host.web.evening_page import evening_of
from kiebitz_host.web.game_page import sheet_of
from kiebitz_host.web.league_page import find_league
from kiebitz_host.web.sending import evening_file, game_file, league_file
from kiebitz_lab.pages import barriers
from kiebitz_lab.web_gallery import SCREENS
from playwright.sync_api import expect
from web.support import EVENING, GAMES, MARKUP, POCH_OF_EIGHT, fill

pytestmark = pytest.mark.long

EIGHT = ["Anna", "Ben", "Cleo", "Dora", "Emil", "Fritz", MARKUP, "Bernhardine-Maximiliane"]
LONG = [
    any_game(f"Rounds {count}", EIGHT, *[[(k * 7 + p * 13) % 90 - 20 for p in range(8)] for k in range(count)])
    for count in (15, 30, 56, 100, 180)
]
PAGES = (
    "/games",
    "/games/1",
    "/games/2",
    "/games/5",
    "/games/12",
    "/games/3/fix?entry=1",
    "/games/3/fix?do=insert&entry=1",
    "/games/3/fix?do=remove&entry=1",
    "/games/3/delete",
    "/evening",
    "/league",
    "/league?game=royal_flush",
    f"/league?game=royal_flush&by=elo&from={EVENING}&to={EVENING}",
    "/league?period=last-month",
    "/players",
    "/players/Anna",
    "/people/rename?name=Anna&new=Eva",
    "/people/rename?name=Anna&new=Ben",
    "/players/Nobody",
    "/evening/2026-13-40",
    "/games/99",
    "/nothing",
)

GROUND = "getComputedStyle(document.documentElement).backgroundColor"
GROUNDS = {"light": "rgb(251, 249, 244)", "dark": "rgb(20, 23, 26)"}


@pytest.fixture(scope="module")
def full(tmp_path_factory):
    path = tmp_path_factory.mktemp("store") / "results.db"
    fill(path, (*GAMES[:3], *LONG, *GAMES[3:], POCH_OF_EIGHT))
    return path


@pytest.fixture
def stand(serve, full):
    return serve(full)


# Contrast depends on the light alone, and whether all fits on the screen alone: two of the four say everything
@pytest.mark.parametrize(("screen", "light"), [("phone", "light"), ("television", "dark")])
def test_no_page_has_a_barrier_or_scrolls_sideways(stand, browser, screen, light):
    width, height, *_ = SCREENS[screen]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=light)
    page = context.new_page()
    page.goto(stand.link("/games"))
    for path in PAGES:
        page.goto(stand.address + path)
        assert barriers(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    context.close()


def test_a_barrier_is_found(stand, browser):
    page = browser.new_page()
    page.goto(stand.address + "/games/1")
    page.evaluate("document.documentElement.removeAttribute('lang')")
    assert "html-has-lang" in barriers(page)[0]
    page.close()


def test_every_game_is_one_sheet_of_paper(stand, browser):
    page = browser.new_page()
    for number in range(1, len(GAMES) + len(LONG) + 2):
        page.goto(f"{stand.address}/games/{number}")
        assert pages_of(page.pdf(prefer_css_page_size=True)) == 1, number
    for path in ("/evening", "/league", "/league?game=royal_flush"):
        page.goto(stand.address + path)
        assert pages_of(page.pdf(prefer_css_page_size=True)) == 1, path
    page.close()


@pytest.mark.parametrize("count", [8, 27, 55, 99])
def test_a_printed_league_is_one_sheet_without_a_form(serve, browser, tmp_path, count):
    players = [f"{EIGHT[k % 8]}{k // 8 or ''}" for k in range(count)]
    seats = [players[k : k + 6] for k in range(0, count, 6)]
    titles = ["Doppelkopf mit Schweinen", "Skat", "Rommé", "Wizard", "Phase 10", "Canasta", "Skyjo"]
    games = [
        any_game(title, [*who, players[0] if who[0] != players[0] else "Zoë"], [k, *range(len(who))])
        for k, title in enumerate(titles)
        for who in seats
    ]
    path = tmp_path / "club.db"
    fill(path, games)
    stand = serve(path)
    page = browser.new_page()
    for league in ("/league", "/league?game=any_game%3Askat"):
        page.goto(stand.address + league)
        page.emulate_media(media="print")
        assert [form for form in page.locator("form, .send").all() if form.is_visible()] == []
        page.set_viewport_size({"width": 703, "height": 1032})  # of A4 between its margins, in CSS pixels
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), league
        assert pages_of(page.pdf(prefer_css_page_size=True)) == 1, league
        page.emulate_media(media="screen")
    page.close()


# --- on a phone ---

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


@pytest.fixture
def phone(browser):
    """Return a page of a phone."""
    context = browser.new_context(**PHONE)
    yield context.new_page()
    context.close()


def edge(box, x):
    """Return the sum of red, green and blue of a pixel at the edge of a box, halfway down its first row."""
    data = box.screenshot()
    page = box.page
    return page.evaluate(
        """async ([data, x]) => {
          const image = new Image();
          image.src = "data:image/png;base64," + data;
          await image.decode();
          const canvas = document.createElement("canvas");
          [canvas.width, canvas.height] = [image.width, image.height];
          const context = canvas.getContext("2d");
          context.drawImage(image, 0, 0);
          const [r, g, b] = context.getImageData(x < 0 ? image.width + x : x, 8, 1, 1).data;
          return r + g + b;
        }""",
        [b64encode(data).decode(), x],
    )


def test_a_table_that_scrolls_sideways_has_a_shadow_where_there_is_more(stand, phone):
    phone.goto(stand.address + "/league")
    box = phone.locator(".scroll").first
    white = 3 * 255
    assert box.evaluate("(box) => box.scrollWidth > box.clientWidth")
    assert edge(box, 3) == white and edge(box, -4) < white - 60
    box.evaluate("(box) => { box.scrollLeft = box.scrollWidth; }")
    assert edge(box, 3) < white - 60 and edge(box, -4) == white


def test_notes_and_bank_are_not_cut_on_a_phone(stand, phone):
    phone.goto(stand.address + "/games")
    assert phone.locator(".notes", has_text="unfinished").count() == 1
    assert phone.locator(".scroll").evaluate("(box) => box.scrollWidth <= box.clientWidth")
    number = len(GAMES) + len(LONG) + 1
    phone.goto(f"{stand.address}/games/{number}")  # Poch with eight players, pools and bank
    sheet = phone.locator(".paper .scroll")
    expect(sheet.locator("th", has_text="Bank")).to_be_visible()
    assert sheet.evaluate("(box) => box.scrollWidth <= box.clientWidth")
    cell = sheet.locator("tbody td").nth(1)  # a line keeps the numbers of neighbours apart
    assert cell.evaluate("(cell) => getComputedStyle(cell).borderInlineStartWidth") == "1px"


# A phone that shares what it is given, at the second tap if `late`
SHARE = """
window.shared = [];
let late = LATE;
Object.defineProperty(navigator, "canShare", { value: ({ files }) => files.every((file) => file instanceof File) });
Object.defineProperty(navigator, "share", { value: async ({ files: [file], title }) => {
  if (late) { late = false; throw new DOMException("too late", "NotAllowedError"); }
  window.shared.push([file.name, file.type, title, file.size, (await file.slice(0, 15).text())]);
} });
"""


@pytest.mark.parametrize("late", ["false", "true"])
def test_a_phone_shares_the_file_or_the_picture(stand, phone, late):
    phone.add_init_script(SHARE.replace("LATE", late))
    for path, name in ((f"/evening/{EVENING}", EVENING), ("/games/1", "game-1"), ("/league", "league")):
        phone.goto(stand.address + path)
        for word, kind, beginning in (("Share the page", "html", "<!DOCTYPE html>"), ("Share a picture", "png", "PNG")):
            phone.get_by_role("link", name=word).tap()
            if late == "true" and kind == "html":
                expect(phone.locator("#shared")).to_contain_text("press once more")
                phone.get_by_role("link", name=word).tap()
            wait_until(phone, lambda: phone.evaluate("window.shared.length"), "something is shared")
            file, media, title, size, first = phone.evaluate("window.shared.pop()")
            assert (file, media, title) == (
                f"kiebitz-{name}.{kind}", "text/html" if kind == "html" else "image/png", phone.title()
            )  # fmt: skip
            assert size > 5000 and beginning in first
            assert phone.url == stand.address + path
    assert barriers(phone) == []


def test_without_a_share_menu_the_file_is_saved_and_the_picture_opened(stand, phone, browser):
    phone.add_init_script("Object.defineProperty(navigator, 'canShare', { value: undefined });")
    phone.goto(stand.address + "/games/1")
    with phone.expect_download() as saved:
        phone.get_by_role("link", name="Save as a file").tap()
    assert saved.value.suggested_filename == "kiebitz-game-1.html"
    phone.get_by_role("link", name="Picture").tap()
    phone.wait_for_url("**/games/1/picture")
    assert phone.locator("img").evaluate("(image) => image.naturalWidth") == 1080


def pages_of(pdf):
    """Return how many pages a PDF has."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.mark.parametrize("system", ["light", "dark"])
def test_light_and_dark_are_those_of_the_system_unless_the_visitor_wants_another_and_paper_is_white(
    stand, browser, system
):
    context = browser.new_context(color_scheme=system)
    page = context.new_page()
    grounds = {}
    for theme in ("auto", "light", "dark"):
        page.goto(f"{stand.address}/games?theme={theme}")
        grounds[theme] = page.evaluate(GROUND)
        page.emulate_media(media="print")
        assert page.evaluate(GROUND) == "rgb(255, 255, 255)"
        page.emulate_media(media="screen")
    assert grounds == {"auto": GROUNDS[system], **GROUNDS}
    context.close()


def follow(page, selector):
    """Click a link or a button that leads to another page, and wait for that page."""
    with page.expect_navigation():
        page.click(selector)


def test_everything_works_without_script_and_asks_nobody_else(stand, browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    asked, said = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.goto(stand.link("/games"))
    page.select_option("select[name=player]", "Anna")
    follow(page, "main form button")
    follow(page, "table a >> nth=0")
    page.goto(stand.address + "/games/3")
    follow(page, "a[href='/games/3/fix?entry=1']")
    page.select_option("main form select >> nth=1", label="Anna")
    follow(page, "text=Show the effect")
    follow(page, "text=Store it")
    assert page.url == f"{stand.address}/games/3"
    assert "corrected" in page.inner_text("mark")
    follow(page, "text=Take the last correction back")
    follow(page, "button:text('Take the last correction back')")
    assert page.locator("mark").count() == 0
    follow(page, "footer >> text=Deutsch")
    assert page.get_attribute("html", "lang") == "de"
    follow(page, "footer >> text=Dunkel")
    page.goto(stand.address + "/league")
    assert page.get_attribute("html", "lang") == "de"
    assert page.get_attribute("link[href='/static/dark.css']", "media") == "screen"
    assert {url for url in asked if not url.startswith(stand.address)} == set()
    assert said == []
    context.close()


def test_a_period_and_an_order_are_chosen_on_a_phone(stand, browser):
    width, height = SCREENS["phone"]
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.goto(stand.address + "/league?game=royal_flush")
    assert not page.locator("input[name=from]").is_visible(), "the two days are shown when they are asked for"
    page.select_option("select[name=period]", "days")
    page.fill("input[name=from]", EVENING)
    page.fill("input[name=to]", EVENING)
    follow(page, "main form button")
    assert "1 finished game on 4 Jan 2026" in page.inner_text("main")
    assert page.locator("input[name=from]").is_visible() and page.input_value("input[name=to]") == EVENING
    follow(page, "thead a:text('Elo')")
    assert page.inner_text("th[aria-sort]").split() == ["Elo", "▾"]
    assert "1 finished game on 4 Jan 2026" in page.inner_text("main"), "the order keeps the period"
    context.close()


def test_a_guest_gets_a_name_on_a_phone(serve, browser, tmp_path):
    fill(tmp_path / "guests.db", [any_game("Skyjo", ["Anna", "Guest 2"], [5, 7])] * 2)
    stand = serve(tmp_path / "guests.db")
    width, height = SCREENS["phone"]
    context = browser.new_context(viewport={"width": width, "height": height}, java_script_enabled=False)
    page = context.new_page()
    page.goto(stand.link("/players"))
    follow(page, "text=Guest 2")
    assert "A guest has no Elo" in page.inner_text("main")
    page.fill("input[name=new]", "Ben")
    follow(page, "button:text('Rename')")
    assert page.locator("tbody tr").all_inner_texts() == ["Guest 2\t2 games\t–", "Ben\t–\t2 games"]
    follow(page, "text=Store it")
    assert page.url == f"{stand.address}/players/Ben" and "Elo over time" in page.inner_text("main")
    context.close()


def test_files_are_read_offline_without_a_request(full, browser, tmp_path):
    with Store(full, create=False) as store:
        files = {
            "game": game_file(sheet_of(store, 1), "en"),
            "rounds": game_file(sheet_of(store, 5), "en"),
            "long": game_file(sheet_of(store, 8), "en"),
            "evening": evening_file(evening_of(store, EVENING), "en"),
            "league": league_file(find_league(store), "en"),
            "royal": league_file(find_league(store, "royal_flush"), "en"),
        }
    for light in ("light", "dark"):
        context = browser.new_context(offline=True, color_scheme=light)
        page = context.new_page()
        asked, said = [], []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.on("console", lambda message, said=said: said.append(message.text))
        for name, markup in files.items():
            place = tmp_path / f"{name}.html"
            place.write_text(markup, "utf-8")
            asked.clear()
            page.goto(place.as_uri())
            assert asked == [place.as_uri()] and said == [], name
            assert page.locator("h1").count() == 1
            if name != "long":  # its 7,000 elements are those of `rounds`, and take the check seven seconds
                assert barriers(page) == [], name
            assert pages_of(page.pdf(prefer_css_page_size=True)) == 1, name
        context.close()
