"""Test the device in a page: its first picture, a whole game by touch, and faults."""

import os
import signal
import zipfile
from pathlib import Path

import pytest
from helpers.browser import KEYS, PHONE, DevicePage
from kiebitz.games import GAMES
from kiebitz.text import text
from kiebitz_host.sim.flash_folder import DATA
from kiebitz_lab.chip.probes import ReferenceDevice, settled
from kiebitz_lab.pages import CHROMIUM, FLAGS
from kiebitz_lab.samples import SAMPLES, choose_game, first_entry
from kiebitz_lab.site.build import LANGUAGES, sentences
from kiebitz_lab.site.bundle import device_image
from kiebitz_lab.torture.page_zips import packed, saved_flash
from playwright.sync_api import expect

FIRST_PICTURE_WORK_MS = 1000  # processor time; 260 on an idle computer
NEW_TABLE = "ok {} ok*4 right ok"  # from the start screen to the table of a game, with four guests
TOP_SPOT = NEW_TABLE.format(choose_game("top_spot"))
TEXTS = sentences("en")
CONTROLLED = """() => new Promise((done) => {
  const worker = navigator.serviceWorker;
  if (worker.controller) done();
  else worker.addEventListener("controllerchange", () => done());
})"""
COUNT_TONES = """() => {
  window.tones = 0;
  const connect = OscillatorNode.prototype.connect;
  OscillatorNode.prototype.connect = function (next) {
    window.tones++;
    return connect.call(this, next);
  };
}"""


def test_the_first_picture_takes_little_work(visit, address):
    """Measure processor time; `make bench` measures real time as page_first_picture_ms."""
    found = []
    for _ in range(5):  # a shared processor takes longer
        page = visit("get.html", service_workers="block")
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "timeTicks"})
        before = work_ms(session)
        page.goto(address + "play.html")
        DevicePage(page)
        found.append(work_ms(session) - before)
        if found[-1] < FIRST_PICTURE_WORK_MS:
            return
    raise AssertionError(found)


def work_ms(session):
    """Return the processor time of a page's process in milliseconds."""
    metrics = {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}
    return 1000 * metrics["ProcessTime"]


def test_a_whole_game_by_touch_on_a_phone(visit):
    device = DevicePage(visit("play.html", **PHONE))
    device.press(TOP_SPOT, touch=True)
    _, keys = SAMPLES["top_spot"]
    device.press(keys, touch=True)
    reference = ReferenceDevice(language="en").keys(TOP_SPOT + " " + keys)
    assert device.words() == " ".join("".join(c for c in reference.text() if not "\ue000" <= c <= "\uf8ff").split())
    assert reference.game.over


def test_every_pixel_is_a_square_of_whole_pixels(visit):
    for width, ratio in ((390, 2), (1280, 1), (820, 1.5)):
        page = visit("play.html", viewport={"width": width, "height": 800}, device_scale_factor=ratio)
        DevicePage(page)
        pixels, shown = page.eval_on_selector("#screen", "c => [c.width, c.getBoundingClientRect().width]")
        assert pixels % 128 == 0 and abs(pixels / shown - ratio) < 0.01


def shown_size(page):
    """Return the pixels of the screen for each pixel of the display, and the edges of the device."""
    times = page.eval_on_selector("#screen", "c => c.width") // 128
    box = page.locator("#pico_oled").bounding_box()
    return times, box["x"], box["x"] + box["width"], box["y"] + box["height"]


@pytest.mark.parametrize(
    ("options", "times", "large"),
    [
        ({"viewport": {"width": 1366, "height": 768}}, 3, 10),
        ({"viewport": {"width": 1920, "height": 1080}}, 4, 15),
        (PHONE, 5, 6),
    ],
)
def test_the_display_is_as_large_as_the_window_allows(visit, options, times, large):
    page = visit("play.html", **options)
    device = DevicePage(page)
    found, left, right, bottom = shown_size(page)
    width, height = options["viewport"]["width"], options["viewport"]["height"]
    assert found == times and left >= 0 and right <= width and bottom <= height
    page.click("#large")
    expect(page.locator("#large")).to_have_text(TEXTS["play.small"])
    found, left, right, bottom = shown_size(page)
    assert found == large and left >= 0 and right <= width and bottom <= height
    device.press("ok")
    device.expect("Top Spot")
    page.keyboard.press("Escape")
    assert shown_size(page)[0] == times


def test_the_ok_key_says_ok(visit):
    page = visit("play.html")
    DevicePage(page)
    assert page.locator("#pico_oled [data-cap='4']").text_content() == "OK"
    assert page.locator("#pico_lcd_13 .key-OK").text_content() == "OK"


def test_a_reload_in_the_middle_of_a_game_loses_nothing(visit):
    page = visit("play.html")
    device = DevicePage(page)
    device.press(TOP_SPOT + " up up left")
    before = device.standing()
    page.reload()
    assert DevicePage(page).standing() == before


def test_killing_the_browser_in_the_middle_of_a_game_loses_nothing(playwright, address, tmp_path):
    def open_browser():
        context = playwright.chromium.launch_persistent_context(
            tmp_path, executable_path=CHROMIUM, args=FLAGS, locale="en-GB"
        )
        page = context.pages[0]
        page.goto(address + "play.html")
        return context, DevicePage(page)

    context, device = open_browser()
    device.press(TOP_SPOT + " up")
    device.press("up left")
    before = device.standing()
    for process in processes_of(tmp_path):
        os.kill(process, signal.SIGKILL)
    context, device = open_browser()
    assert device.standing() == before
    context.close()


def processes_of(profile):
    """Return the ids of the processes of the browser with this profile."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if f"--user-data-dir={profile}".encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            continue  # the process has ended
    assert found
    return found


def test_a_browser_without_room_is_told_and_the_entry_was_not_made(visit, address):
    page = visit("play.html")
    device = DevicePage(page)
    device.press(TOP_SPOT + " up")
    before = device.standing()
    session = page.context.new_cdp_session(page)
    session.send("Storage.overrideQuotaForOrigin", {"origin": address.rstrip("/"), "quotaSize": 1})
    page.reload()  # the browser has reserved some space for an open file
    device = DevicePage(page)
    device.press("up")
    page.wait_for_selector("#message:visible")
    assert TEXTS["storage.full"] in page.text_content("#message")
    device.expect(text("flash.title"))
    session.send("Storage.overrideQuotaForOrigin", {"origin": address.rstrip("/")})
    page.reload()
    assert DevicePage(page).standing() == before


def test_a_second_tab_is_told_that_the_first_one_has_the_device(visit):
    page = visit("play.html")
    DevicePage(page)
    second = page.context.new_page()
    second.goto(page.url)
    second.wait_for_selector("#message:visible")
    assert TEXTS["storage.busy"] in second.text_content("#message")
    page.close()
    second.click("#message button")
    DevicePage(second)


def test_everything_goes_to_one_file_and_comes_back(visit, tmp_path):
    page = visit("play.html")
    device = DevicePage(page)
    device.press(TOP_SPOT + " up left")
    before = device.standing()
    with page.expect_download() as download:
        page.click("#export")
    saved = tmp_path / "kiebitz.zip"
    download.value.save_as(saved)
    with zipfile.ZipFile(saved) as file:
        assert file.testzip() is None
        files = {name: file.read(name) for name in file.namelist() if name.startswith(DATA + "/") and name[-1] != "/"}
    reference = ReferenceDevice(files)
    assert len(reference.table) == 2 and any(name.endswith(".kbz") for name in settled(files))

    other = visit("play.html")
    device = DevicePage(other)
    other.on("dialog", lambda dialog: dialog.accept())
    other.set_input_files("#file", saved)
    other.wait_for_selector("#message:visible")
    assert TEXTS["files.done"] in other.text_content("#message")
    device.expect("Game 1 of 4")
    assert device.standing() == before
    other.set_input_files("#file", {"name": "x.zip", "mimeType": "application/zip", "buffer": b"no zip at all"})
    expect(other.locator("#message")).to_contain_text(TEXTS["files.unknown"])
    assert device.standing() == before


FAILING_INDEXEDDB = """async () => {
  const { IdbFlash } = await import("./flash_idb.mjs");
  const { WRITE } = await import("./flash_log.mjs");
  const bytes = new TextEncoder();
  const add = IDBObjectStore.prototype.add;
  const full = () => { IDBObjectStore.prototype.add = function (...given) {
    add.call(this, ...given).onerror = (event) => event.preventDefault();
    this.transaction.abort();
    IDBObjectStore.prototype.add = add;
  }; };
  const names = (flash) => [...flash.files().keys()].join();
  const found = [];
  let failed;
  const failure = new Promise((resolve) => { failed = resolve; });
  let flash = await IdbFlash.open("test", failed);
  flash.keep(WRITE, "a", bytes.encode("a"));
  full();
  flash.keep(WRITE, "b", bytes.encode("b")); // is not kept
  flash.keep(WRITE, "c", bytes.encode("c")); // is kept behind a gap
  await failure;
  found.push(flash.keep(WRITE, "d", bytes.encode("d")));
  flash = await IdbFlash.open("test", () => {});
  found.push(names(flash));
  full();
  found.push(await flash.replace(new Map([["x", bytes.encode("x")]])), names(flash));
  found.push(await flash.replace(new Map([["y", bytes.encode("y")]])), flash.keep(WRITE, "z", bytes.encode("z")));
  found.push(names(await IdbFlash.open("test", () => {})));
  return found;
}"""


def test_after_a_change_that_indexeddb_could_not_keep_none_is_kept(visit):
    assert visit("get.html").evaluate(FAILING_INDEXEDDB) == [False, "a", False, "a", True, True, "y,z"]


def test_a_second_tab_cannot_save_load_or_erase_the_device_of_the_first(visit, address):
    page = visit("play.html")
    device = DevicePage(page)
    device.press(TOP_SPOT + " up")
    before = device.standing()
    second = page.context.new_page()
    second.on("dialog", lambda dialog: dialog.accept())
    second.goto(page.url)
    message = second.locator("#message")
    good = {"name": "x.zip", "mimeType": "application/zip", "buffer": packed([("data/", b"")])}
    for action in ("#export", "#erase", "#file"):
        expect(message).to_contain_text(TEXTS["storage.busy"])
        second.evaluate("document.getElementById('message').hidden = true")
        if action == "#file":
            second.set_input_files(action, good)
        else:
            second.click(action)
        expect(message).to_be_visible()
    expect(message).to_contain_text(TEXTS["storage.busy"])
    second.goto(address + "usb.html")
    second.click("#here")
    expect(second.locator("#status")).to_have_text(TEXTS["storage.busy"])
    second.close()
    page.reload()
    assert DevicePage(page).standing() == before


def test_a_device_in_memory_only_can_be_erased_and_loaded(visit):
    page = visit("play.html?storage=memory")
    device = DevicePage(page)
    device.press(TOP_SPOT + " up")
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("#erase")
    device.expect("New game")
    page.set_input_files("#file", {"name": "x.zip", "mimeType": "application/zip", "buffer": packed(saved_flash())})
    expect(page.locator("#message")).to_contain_text(TEXTS["files.done"])
    device.expect("Round 1 of 3")


def test_the_page_works_without_a_network_after_the_first_visit(visit, address):
    page = visit("play.html")
    device = DevicePage(page)
    device.press(TOP_SPOT + " up")
    before = device.standing()
    page.evaluate(CONTROLLED)
    page.context.set_offline(True)
    page.reload()
    assert DevicePage(page).standing() == before
    assert page.goto(address + "usb.html").ok


def test_an_error_in_the_program_is_shown_and_the_game_is_still_there(visit, address):
    broken = device_image({"kiebitz/screens/settings.py": "raise ValueError('broken on purpose')\n"})
    page = visit("get.html", service_workers="block")
    page.context.route("**/device.romfs", lambda route: route.fulfill(body=broken))
    page.goto(address + "play.html")
    device = DevicePage(page)
    device.press("up")  # to the settings
    page.keyboard.press("Enter", delay=60)
    page.wait_for_selector("#message:visible")
    said = page.text_content("#message")
    assert "broken on purpose" in said and TEXTS["ended.error"] in said
    page.click("#message button")
    device.expect("New game")


def test_a_browser_that_cannot_write_at_once_says_so_and_keeps_the_game(visit):
    page = visit("play.html?storage=indexeddb")
    device = DevicePage(page)
    assert page.text_content("#storage") == TEXTS["storage.indexeddb"]
    device.press(TOP_SPOT + " up")
    before = device.standing()
    page.reload()
    assert DevicePage(page).standing() == before


def test_the_guided_game_can_be_skipped(visit):
    page = visit("play.html")
    DevicePage(page)
    page.click("#tour-start")
    expect(page.locator("#device .pointed").first).to_be_visible()
    page.click("#tour-skip")
    assert page.is_visible("#tour-start") and not page.query_selector(".pointed")


def walk_through_tour(page, device, texts, kind):
    """Follow the guided game to its end with a game of this kind."""
    page.click("#tour-start")
    own = f"tour.4.{kind}"
    steps = (("ok", "tour.1"), (choose_game(kind), "tour.2"), ("ok*4 right ok", "tour.3"),
             (first_entry(kind), own if own in texts else "tour.4"), ("undo", "tour.5"))  # fmt: skip
    for number, (keys, sentence) in enumerate(steps, 1):
        expect(page.locator("#tour-step")).to_have_text(texts["tour.step"].replace("{n}", str(number)))
        expect(page.locator("#tour-text")).to_have_text(texts[sentence])
        pointed = page.eval_on_selector_all(".case .pointed", "all => all.map((button) => button.dataset.key)")
        assert str(KEYS[keys.split()[0].partition("*")[0]]) in pointed, (kind, number)
        device.press(keys)
    expect(page.locator("#tour-text")).to_have_text(texts["tour.done"])
    page.click("#tour-skip")
    assert page.is_visible("#tour-start")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guided_game_points_at_the_keys_and_ends(visit, language):
    page = visit("play.html", locale=language)
    device = DevicePage(page)
    expect(page.locator("html")).to_have_attribute("lang", language)
    walk_through_tour(page, device, sentences(language), "top_spot")


@pytest.mark.parametrize("kind", [kind for kind in GAMES if kind != "top_spot"])
def test_the_guided_game_looks_at_the_game_that_was_chosen(visit, kind):
    page = visit("play.html")
    walk_through_tour(page, DevicePage(page), TEXTS, kind)


def test_the_guided_game_has_a_sentence_for_titles_and_every_mode(visit):
    page = visit("play.html")
    DevicePage(page)
    page.wait_for_function("document.title")
    said = page.evaluate("""async () => {
      const { sentence } = await import("./tour.mjs");
      const table = (playing, mode) => sentence(4, { screen: "Table", playing, mode });
      return [sentence(2, { screen: "Titles" }), table("poker_carre", "grid"), table("poker_carre", "score"),
        table("top_spot", "assisted"), table("any_game", "counter"), table("any_game", "exchange"),
        table("a_new_game", "")];
    }""")
    keys = ("2.titles", "4.poker_carre.grid", "4.poker_carre", "4.top_spot.assisted", "4.any_game.counter",
            "4.any_game.exchange", "4")  # fmt: skip
    assert said == [TEXTS[f"tour.{key}"] for key in keys]


def test_keyboard_and_language_reach_the_device(visit):
    page = visit("play.html")
    device = DevicePage(page)
    page.keyboard.press("ArrowDown", delay=60)
    page.keyboard.press("Enter", delay=60)
    device.expect("No games yet")
    page.keyboard.press("Backspace", delay=60)
    page.select_option("#language", "fr")
    device.expect("Nouvelle partie")
    assert page.text_content("h1") == sentences("fr")["play.title"]
    page.reload()
    assert "Nouvelle partie" in DevicePage(page).says()


def test_the_other_board_is_a_device_of_its_own(visit):
    page = visit("play.html")
    device = DevicePage(page)
    device.press(TOP_SPOT + " up")
    page.select_option("#board", "pico_lcd_13")
    expect(page.locator("#pico_lcd_13 #screen")).to_be_visible()
    device.expect("New game")
    assert "Resume" not in device.says()
    device.press(TOP_SPOT + " up")


def test_sound_only_on_request(visit):
    page = visit("play.html")
    device = DevicePage(page)
    page.evaluate(COUNT_TONES)
    device.press(TOP_SPOT + " up")
    assert page.evaluate("window.tones") == 0
    page.check("#sound")
    device.press("up")
    assert page.evaluate("window.tones") > 0
