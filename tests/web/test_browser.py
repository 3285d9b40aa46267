"""Scenarios in a real browser: live table, unplugging, full screen, front panel, and phone."""

import pytest
from helpers.play import ev, setup
from helpers.shelf import games_on
from kiebitz.store.table import Table
from kiebitz_lab.handheld import presses
from kiebitz_lab.pages import barriers
from kiebitz_lab.samples import SAMPLES, choose_game
from kiebitz_lab.web_gallery import tables
from playwright.sync_api import expect
from web.support import CUT_CHOICES

pytestmark = pytest.mark.long

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
TELEVISION = {"viewport": {"width": 1920, "height": 1080}}


def match(storage):
    """Put a running match of Top Spot on the flash."""
    games = games_on(storage)
    games.create(setup("top_spot", 3, match_length=3))
    games.play(ev("point", p=1))


def shown(page, stand):
    """Wait until the page shows the current state."""
    expect(page.locator("#live")).to_have_attribute("data-state", stand.site.state(""))


def says(page, words):
    expect(page.locator("#live")).to_contain_text(words)


def test_a_whole_evening_is_followed_from_the_first_entry_to_the_last_ranking(plugged, look):
    stand, table = plugged()
    page = look(stand)
    says(page, "No game is being played.")
    table.keys("ok " + choose_game("top_spot") + " ok*4 right ok")
    says(page, "Nobody has scored yet.")
    table.keys("up")
    says(page, "Entry 1: Point for Guest 2")
    expect(page.locator("#said")).to_have_text("Entry 1: Point for Guest 2")
    table.keys("undo")
    says(page, "Taken back: Point for Guest 2")
    table.keys(SAMPLES["top_spot"][1])
    says(page, "Guest 2 wins with 16 points.")
    table.keys("ok")
    says(page, "No game is being played.")
    for kind, sample in (("poker_carre", "poker_carre pad"), ("poch", "poch")):
        table.keys("ok " + choose_game(kind) + " ok*2")
        expect(page.locator(f".live-{kind.replace('_', '-')}")).to_be_visible()
        table.keys(SAMPLES[sample][1])
        expect(page.locator(".live-over .best").first).to_be_visible()
        table.keys("ok")
        says(page, "No game is being played.")


def test_unplugged_and_back(plugged, look):
    stand, table = plugged(match)
    page = look(stand)
    says(page, "Entry 1:")
    table.unplug()
    says(page, "is unplugged")
    says(page, "Entry 1:")
    table.keys("up")
    table.plug()
    says(page, "Entry 2:")
    expect(page.locator("#live")).not_to_contain_text("is unplugged")


@pytest.mark.parametrize("path", ["/live?tv=1", "/live"])
def test_nothing_scrolls_on_a_television(stand, look, path):
    page = look(stand, path, **TELEVISION)
    for name, table in tables():
        stand.show(table)
        shown(page, stand)
        if path == "/live":
            page.locator("#full").click()
            expect(page.locator("body.tv")).to_be_attached()
        height, width = page.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]")
        assert height <= page.evaluate("innerHeight") and width <= page.evaluate("innerWidth"), name
        assert page.evaluate(CUT) == [], name
        assert page.evaluate(OVERLAPPING) == [], name
        assert all(box.bounding_box()["height"] < 60 for box in page.locator(".ring").all()), name  # a line of a legend
        if path == "/live":
            page.evaluate("document.exitFullscreen()")
            expect(page.locator("body:not(.tv)")).to_be_attached()


# Elements that overflow their cell of the table, on a television
CUT = """() => {
  const areas = '.live-seats, .live-picture, .live-foot, .live-head, .live-table';
  const found = [];
  for (const part of document.querySelectorAll('.live-table *:not(svg *, .more *, .hidden, .hidden *, bdi)')) {
    const outer = part.parentElement.closest(areas).getBoundingClientRect();
    const inner = part.getBoundingClientRect();
    const below = inner.bottom > Math.min(outer.bottom, innerHeight) + 1 || inner.top < outer.top - 1;
    const beside = inner.right > Math.min(outer.right, innerWidth) + 1 || inner.left < outer.left - 1;
    if (below || beside) found.push(`${part.tagName} ${part.className} ${part.textContent.slice(0, 20)}`);
  }
  for (const part of document.querySelectorAll('.seat .total, .live-sheet td, .live-sheet th, h1, .live-standing'))
    if (part.clientWidth && part.scrollWidth > part.clientWidth + 1) found.push(`cut: ${part.textContent}`);
  return found;
}"""
# Words in the picture of a table that touch other words
OVERLAPPING = """() => {
  const words = [...document.querySelectorAll('.live-picture svg text')];
  const boxes = words.map((one) => one.getBoundingClientRect());
  const touch = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > a.height / 3;
  return words.flatMap((one, k) => words.slice(0, k).filter((_, i) => touch(boxes[k], boxes[i]))
    .map((other) => `${other.textContent} | ${one.textContent}`));
}"""
WIDER_THAN_A_PHONE = f"document.documentElement.scrollWidth > {PHONE['viewport']['width']}"  # innerWidth grows with it


def test_a_phone_needs_no_sideways_scrolling(stand, look):
    page = look(stand, "/live", token=True, **PHONE)
    for name, table in tables():
        stand.show(table)
        shown(page, stand)
        assert not page.evaluate(WIDER_THAN_A_PHONE), name
    for path in ("/device", "/names", "/presets", "/share"):
        page.goto(stand.address + path)
        assert not page.evaluate(WIDER_THAN_A_PHONE), path


def test_no_choice_of_a_preset_is_cut_on_a_phone(plugged, look):
    stand, _ = plugged()
    page = look(stand, "/presets", token=True, **PHONE)
    expect(page.locator("select")).to_have_count(4)
    assert page.evaluate(CUT_CHOICES) == []


def test_the_front_panel_plays_a_game(plugged, look):
    stand, _ = plugged()
    live = look(stand)
    panel = look(stand, "/device", token=True)
    expect(panel.locator("#display[data-shown]")).to_be_visible()
    lit = panel.evaluate(
        "() => { const c = document.getElementById('display'); const d = c.getContext('2d').getImageData(0, 0, c.width,"
        " c.height).data; let n = 0; for (let k = 0; k < d.length; k += 4) n += d[k] > 128; return n; }"
    )
    assert 100 < lit < 128 * 64
    # New game, Top Spot, four guests
    for key in ("OK", "DOWN", "DOWN", "DOWN", "OK", "OK", "OK", "OK", "OK", "RIGHT", "OK"):
        panel.locator(f"[data-key={key}]").click()
    says(live, "Nobody has scored yet.")
    panel.locator("body").press("ArrowUp")
    says(live, "Entry 1: Point for Guest 2")
    panel.locator("body").press("Backspace")
    says(live, "Taken back")
    panel.locator("body").press("Shift+Backspace")
    says(live, "Entry 1:")
    panel.locator("body").press("Backspace")
    says(live, "Taken back")
    for key in presses(SAMPLES["top_spot"][1]):  # the whole match, by the mouse
        panel.locator(f"[data-key={key.upper()}]").click()
    says(live, "Guest 2 wins with 16 points.")


def test_the_panel_has_its_display_after_a_reload_and_says_when_the_device_is_unplugged(plugged, look):
    stand, table = plugged()
    panel = look(stand, "/device", token=True)
    for _ in range(2):
        expect(panel.locator("#display[data-shown]")).to_be_visible()
        panel.reload()
    expect(panel.locator("#display[data-shown]")).to_be_visible()
    expect(panel.locator("#unplugged")).to_be_hidden()
    table.unplug()
    expect(panel.locator("#unplugged")).to_be_visible()
    panel.reload()
    expect(panel.locator("#unplugged")).to_be_visible()
    table.plug()
    expect(panel.locator("#unplugged")).to_be_hidden()
    expect(panel.locator("#display[data-shown]")).to_be_visible()


def test_the_panel_is_for_those_with_the_token_only(plugged, look):
    stand, _ = plugged(match)
    page = look(stand)
    assert page.locator("nav a[href='/device']").count() == 0
    answer = page.request.get(stand.address + "/device")
    assert answer.status == 403


def test_every_language_by_the_setting_of_the_browser(stand, look):
    stand.show(Table(setup("poch", 4)))
    words = {"en": "deals", "de": "gibt", "fr": "donne", "it": "dà", "nl": "deelt"}
    for lang in words:
        page = look(stand, "/live", locale=lang)
        assert page.locator("html").get_attribute("lang") == lang
        stand.show(Table(setup("royal_flush", 3)))
        says(page, "Royal Flush")
        stand.show(Table(setup("poch", 4)))
        says(page, "Poch")


def test_names_are_typed_with_a_real_keyboard(plugged, look):
    stand, _ = plugged()
    page = look(stand, "/names", token=True)
    page.locator("textarea").fill("Anna\nBjörn\n<b>Zoë</b>")
    page.locator("form.names button").click()
    expect(page.locator("[role=status]")).to_contain_text("3 names on the device now")
    assert page.locator("textarea").input_value() == "Anna\nBjörn\n<b>Zoë</b>"


def test_the_page_says_that_it_needs_a_script(stand, look):
    stand.show(Table(setup("poch", 4)))
    page = look(stand, "/live", java_script_enabled=False)
    assert "Poch" in page.locator("#live").inner_text()
    assert "JavaScript" in page.locator("main").inner_text()


# Records the sentences to be spoken
VOICE = """
window.said = [];
Object.defineProperty(window, "speechSynthesis", { value: {
  speak: (said) => window.said.push(`${said.lang}: ${said.text}`),
  cancel: () => window.said.push("stop"),
  getVoices: () => [],
} });
"""
ALOUD = {
    "en": ["en: Round starts, trump hearts. All are level at 67 chips.",
           "en: Ben cashes Ace. Ben leads with 71 chips."],
    "de": ["de: Neue Runde, Trumpf Herz. Alle haben gleich viel: 67 Chips.",
           "de: Ben kassiert Ass. Ben führt mit 71 Chips."],
}  # fmt: skip


@pytest.mark.parametrize("lang", ALOUD)
def test_the_table_is_read_aloud_until_it_is_switched_off(stand, look, lang):
    table = Table(setup("poch", 4))
    table.play(ev("start_round", trump="H"))
    stand.show(table)
    page = look(stand, "/games", locale=lang)
    page.add_init_script(VOICE)
    page.goto(stand.address + "/live")

    def spoken():
        return [words for words in page.evaluate("window.said") if words != "stop"]

    button = page.locator("#aloud")
    expect(button).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("window.said") == []
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert spoken() == ALOUD[lang][:1]
    table.play(ev("cash", p=1, pool="A"))
    stand.show(table)
    shown(page, stand)
    assert spoken() == ALOUD[lang]
    button.click()
    assert page.evaluate("window.said").pop() == "stop"
    table.play({"ev": "undo"})
    stand.show(table)
    shown(page, stand)
    assert spoken() == ALOUD[lang]


def test_a_browser_without_a_voice_offers_none(stand, look):
    page = look(stand, "/games")
    page.add_init_script("Object.defineProperty(window, 'speechSynthesis', { value: undefined });")
    page.goto(stand.address + "/live")
    expect(page.locator("#full")).to_be_visible()
    expect(page.locator("#aloud")).to_be_hidden()


def test_the_first_page_says_what_each_page_is_for_until_a_table_appears(stand, look):
    page = look(stand, "/", token=True)
    rows = page.locator(".what-for div")
    expect(rows.first).to_be_visible()
    links = [link.get_attribute("href") for link in page.locator(".what-for a").all()]
    assert links == [link.get_attribute("href") for link in page.locator(".top nav a").all()]
    assert barriers(page) == []
    stand.show(Table(setup("poch", 4)))
    shown(page, stand)
    expect(rows.first).to_be_hidden()


@pytest.mark.parametrize("light", ["light", "dark"])
def test_no_barriers_for_anybody(plugged, look, browser, light):
    """Check all pages of this side with axe."""
    stand, _ = plugged(match)
    stand.site.lan = "http://192.168.1.7:8080"
    page = look(stand, "/live", token=True, color_scheme=light, reduced_motion="reduce")
    for path in ("/live", "/live?tv=1", "/device", "/names", "/presets", "/share"):
        page.goto(stand.address + path)
        assert barriers(page) == [], path
    spectator = browser.new_page(color_scheme=light)  # without the token, and with everything that moves
    for path in ("/device", "/live", "/live?tv=1"):
        spectator.goto(stand.address + path)
        assert barriers(spectator) == [], f"{path} of a spectator"
    spectator.close()
    page.goto(stand.address + "/live/stand")
    for name, table in tables():
        stand.show(table, "stand")
        expect(page.locator("#live")).to_have_attribute("data-state", stand.site.state("stand"))
        assert barriers(page) == [], name
    page.goto(stand.address + "/live")  # two tables: a list
    expect(page.locator(".live-list")).to_be_visible()
    assert barriers(page) == []
