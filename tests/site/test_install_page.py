"""Check the part of the USB page that installs, with a simulated drive and simulated and emulated devices."""

import base64
from hashlib import sha256

import pytest
from helpers.browser import PHONE, PagePort, wait_until
from helpers.cable import Cable
from helpers.chip import ChipCable
from kiebitz import VERSION
from kiebitz.board.profiles import FAMILIES
from kiebitz_host.install.uf2 import RP2350, flash_content, read_uf2
from kiebitz_host.link.trouble import LinkLost
from kiebitz_host.sim.hardware import PowerOff
from kiebitz_lab.chip.flash import changed, flash_with
from kiebitz_lab.chip.probes import ReferenceDevice, in_use, settled
from kiebitz_lab.chip.rig import Rig
from kiebitz_lab.image.build import family_images
from kiebitz_lab.pages import barriers
from kiebitz_lab.samples import SAMPLES
from kiebitz_lab.site.build import copy_downloads, sentences, write_images
from playwright.sync_api import expect

TEXTS = sentences("en")
CLICKS_MOST = 4
BOOT_LOADER = "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n"
BOOT_LOADER_2 = "UF2 Bootloader v1.0\r\nModel: Raspberry Pi RP2350\r\nBoard-ID: RP2350\r\n"
# A drive in the browser's private file system. `fails` is the name of an error after so many bytes; a boot loader takes
# the drive away when the file is complete.
_DRIVE = """
(options) => {
  window.showDirectoryPicker = async () => {
    if (options.refuses) throw new DOMException("", options.refuses);
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(options.name, { create: true });
    if (options.info) {
      const file = await (await folder.getFileHandle("INFO_UF2.TXT", { create: true })).createWritable();
      await file.write(options.info);
      await file.close();
    }
    const written = async (name, how) => {
      const handle = await folder.getFileHandle(name, how);
      if (!how) return handle;
      const file = await handle.createWritable();
      let left = options.after ?? Infinity;
      const write = async (bytes) => {
        if ((left -= bytes.length) < 0) throw new DOMException("", options.fails);
        await file.write(bytes);
      };
      const close = async () => {
        await file.close();
        throw new DOMException("the drive has gone", "InvalidStateError");
      };
      return { createWritable: async () => ({ write, close, abort: () => file.abort() }) };
    };
    return { name: options.name, getFileHandle: written };
  };
}
"""
_READ = """
async ([folder, name]) => {
  const drive = await (await navigator.storage.getDirectory()).getDirectoryHandle(folder);
  const file = await (await drive.getFileHandle(name)).getFile();
  let text = "";
  for (const byte of new Uint8Array(await file.arrayBuffer())) text += String.fromCharCode(byte);
  return btoa(text);
}
"""
_LIST = """
async (folder) => {
  const drive = await (await navigator.storage.getDirectory()).getDirectoryHandle(folder);
  const names = [];
  for await (const name of drive.keys()) names.push(name);
  return names;
}
"""


@pytest.fixture(scope="module")
def images(site):
    """Put the images into the site. Yields their paths by family."""
    write_images(site, copy_downloads(site))
    yield family_images()
    write_images(site, [])


@pytest.fixture
def page(visit, images):
    return visit("index.html", service_workers="block")


class Clicks:
    """A reader who counts the clicks on pages; the browser's own dialogs are simulated."""

    def __init__(self, page):
        self.page = page
        self.count = 0

    def on(self, selector):
        self.page.click(selector)
        self.count += 1
        return self


def insert_drive(page, name="RPI-RP2", info=BOOT_LOADER, **options):
    page.evaluate(_DRIVE, {"name": name, "info": info, **options})


def to_page(page):
    clicks = Clicks(page).on("header a[href*='usb.html']")
    page.wait_for_selector("#install-pick:visible")
    return clicks


def expect_said(page, key, **places):
    expect(page.locator("#install-status")).to_have_text(TEXTS[key].format(**places))


def on_drive(page, name, drive="RPI-RP2"):
    """Return the content of a file on the simulated drive."""
    return base64.b64decode(page.evaluate(_READ, [drive, name]))


@pytest.mark.parametrize("family", ["", "picosystem"])
def test_a_new_device_is_installed_and_says_its_version(page, images, family):
    port = PagePort(page, None)
    clicks = to_page(page)
    insert_drive(page)
    if family:
        clicks.on(f"input[name='family'][value='{family}']")
    clicks.on("#install-pick")
    expect_said(page, "install.connect")
    assert flash_content(on_drive(page, images[family].name)) == read_uf2(images[family])
    board = FAMILIES[family][-1]
    port.plug(ChipCable(Rig(flash_with(images[family], in_use(board)), board).boot()))
    clicks.on("#install-connect")
    expect_said(page, "install.done", version=VERSION)
    assert clicks.count == (4 if family else 3) <= CLICKS_MOST


class BecomesDrive(Cable):
    """The cable of a device that may start its boot loader: then its port is gone."""

    def read(self, seconds):
        try:
            return super().read(seconds)
        except PowerOff:
            raise LinkLost(self.name) from None


def test_a_running_kiebitz_is_updated_and_keeps_its_games(page, images):
    setup, keys = SAMPLES["top_spot"]
    reference = ReferenceDevice().sit_down(setup).keys(keys)
    reference.app.leave_table()
    port = PagePort(page, BecomesDrive(reference))
    clicks = to_page(page).on("#install-ask")
    expect_said(page, "install.asked")
    assert "update" in port.verbs and "confirm" not in port.verbs
    port.plug(None)
    insert_drive(page)
    files = reference.files()
    clicks.on("#install-pick")
    expect_said(page, "install.restarting")
    port.plug(ChipCable(Rig(changed(flash_with(images[""]), files)).boot()))
    expect_said(page, "install.done", version=VERSION)
    page.wait_for_selector("#games tr")
    assert "Top Spot" in page.text_content("#games") and clicks.count == 3 <= CLICKS_MOST
    assert any(name.endswith(".kbz") for name in settled(files))


def test_a_pico_2_gets_its_part_and_only_for_boards_that_take_one(page, images):
    PagePort(page, None)
    to_page(page)
    insert_drive(page, "RP2350", BOOT_LOADER_2)
    page.check("input[value='displaypack']")
    page.click("#install-pick")
    expect_said(page, "install.connect")
    part = on_drive(page, images["displaypack"].name, "RP2350")
    assert flash_content(part) == read_uf2(images["displaypack"], chip=RP2350)
    for family in ("picoboy", "picosystem"):
        page.check(f"input[value='{family}']")
        page.click("#install-pick")
        expect_said(page, "install.chip", chip=RP2350.name)


def test_the_board_that_is_connected_is_chosen_unless_the_reader_has_chosen(page):
    port = PagePort(page, Cable(ReferenceDevice(board="display_pack")))
    to_page(page)
    page.click("#connect")
    expect(page.locator("input[value='displaypack']")).to_be_checked()
    page.check("input[value='picosystem']")
    port.plug(Cable(ReferenceDevice()))
    page.click("#connect")
    page.wait_for_selector("#no-games:visible")
    expect(page.locator("input[value='picosystem']")).to_be_checked()


FOREIGN = "UF2 Bootloader v3.6\r\nModel: Feather M4\r\nBoard-ID: SAMD51J19A-Feather-v0\r\n"


@pytest.mark.parametrize(
    ("drive", "key", "places"),
    [
        ({"name": "Holidays", "info": ""}, "install.folder", {"name": "Holidays"}),
        ({"info": FOREIGN}, "install.stranger", {"board": "SAMD51J19A-Feather-v0"}),
        ({"info": "nothing"}, "install.stranger", {"board": "?"}),
        ({"refuses": "AbortError"}, "install.nodrive", {}),
        ({"refuses": "SecurityError"}, "install.denied", {}),
        ({"after": 0, "fails": "NotAllowedError"}, "install.denied", {}),
        ({"after": 500_000, "fails": "QuotaExceededError"}, "install.full", {}),
        ({"after": 500_000, "fails": "NotFoundError"}, "install.gone", {}),
        ({"after": 500_000, "fails": "InvalidStateError"}, "install.gone", {}),
    ],
)
def test_each_way_to_fail_has_its_sentence_and_the_next_try_works(page, drive, key, places):
    PagePort(page, None)
    to_page(page)
    insert_drive(page, **drive)
    page.click("#install-pick")
    expect_said(page, key, **places)
    assert page.is_hidden("#install-progress")
    insert_drive(page)
    page.click("#install-pick")
    expect_said(page, "install.connect")


def test_a_reader_who_finds_no_kiebitz_is_told_about_cables(page):
    PagePort(page, None)
    to_page(page)
    closed = "async () => { throw new DOMException('', 'NotFoundError'); }"
    page.evaluate(f"() => {{ navigator.serial.requestPort = {closed}; }}")
    page.click("#install-ask")
    expect_said(page, "install.noport")


def test_a_port_that_does_not_open_is_said(page):
    """Another program uses it, or the user has no right to it."""
    PagePort(page, None)
    to_page(page)
    closed = "async () => ({ open: async () => { throw new DOMException('', 'NetworkError'); } })"
    page.evaluate(f"() => {{ navigator.serial.requestPort = {closed}; }}")
    page.click("#install-ask")
    expect_said(page, "usb.closed")
    page.click("#connect")
    expect(page.locator("#status")).to_have_text(TEXTS["usb.closed"])


def test_a_damaged_file_is_not_written(page, images):
    to_page(page)
    insert_drive(page)
    page.route("**/*.uf2", lambda route: route.fulfill(body=images[""].read_bytes()[:-512]))
    page.click("#install-pick")
    expect_said(page, "install.damaged", name=images[""].name)
    page.evaluate("() => { window.fetch = async () => { throw new TypeError('no network'); }; }")
    page.click("#install-pick")
    expect_said(page, "install.missing")
    assert page.evaluate(_LIST, "RPI-RP2") == ["INFO_UF2.TXT"]


def test_another_version_than_the_one_that_was_written_is_said(page):
    page.route("**/images.json", lambda route: route.fulfill(json={**route.fetch().json(), "version": "9.9.9"}))
    PagePort(page, Cable(ReferenceDevice()))
    to_page(page)
    insert_drive(page)
    page.click("#install-pick")
    page.click("#install-connect")
    expect_said(page, "install.other", version=VERSION, wanted="9.9.9")


def test_while_it_waits_for_one_device_the_next_one_can_be_installed_or_connected(page):
    port = PagePort(page, BecomesDrive(ReferenceDevice()))
    to_page(page)
    page.click("#install-ask")
    expect_said(page, "install.asked")
    port.plug(None)
    insert_drive(page)
    page.click("#install-pick")
    expect_said(page, "install.restarting")
    insert_drive(page, "Holidays", "")
    page.click("#install-pick")
    expect_said(page, "install.folder", name="Holidays")
    insert_drive(page)
    page.click("#install-pick")
    expect_said(page, "install.restarting")
    port.plug(Cable(ReferenceDevice()))
    page.click("#install-connect")
    expect_said(page, "install.done", version=VERSION)


@pytest.mark.parametrize("options", [PHONE, {"viewport": {"width": 1280, "height": 640}}])
def test_what_is_said_is_seen_without_scrolling(visit, images, options):
    page = visit("usb.html", service_workers="block", **options)
    insert_drive(page, "Holidays", "")
    page.click("#install-pick")
    expect_said(page, "install.folder", name="Holidays")
    expect(page.locator("#install-status")).to_be_in_viewport(ratio=1)
    insert_drive(page)
    page.click("#install-pick")
    expect_said(page, "install.connect")
    expect(page.locator("#install-status")).to_be_in_viewport(ratio=1)


class Mute:
    """A port at which nobody answers."""

    def write(self, data):
        """Take everything."""

    def read(self, seconds):
        return b""


def test_a_device_that_does_not_come_back_is_said_after_a_minute(page):
    page.clock.install()
    port = PagePort(page, BecomesDrive(ReferenceDevice()))
    to_page(page)
    page.click("#install-ask")
    asked = page.locator("#install-status", has_text=TEXTS["install.asked"])
    wait_until(page, lambda: page.clock.run_for(200) or asked.count(), "it was asked")
    insert_drive(page)
    port.plug(Mute())
    page.click("#install-pick")
    expect_said(page, "install.restarting")
    elapsed = 0
    while page.text_content("#install-status") == TEXTS["install.restarting"]:
        page.clock.run_for(1000)
        elapsed += 1
        assert elapsed < 200
    expect_said(page, "install.away")
    assert elapsed >= 60 and page.is_visible("#install-connect")


def test_other_browsers_get_the_file_and_the_pictures(visit, images):
    page = visit("index.html", service_workers="block")
    page.add_init_script("delete window.showDirectoryPicker")
    page.click("header a[href*='usb.html']")
    expect(page.locator("#install-hand")).to_be_visible()
    assert page.is_hidden("#install-pick") and page.locator("#install svg").count() == 2
    page.check("input[value='picoboy']")
    with page.expect_download() as download:
        page.click("#install-file")
    assert download.value.suggested_filename == images["picoboy"].name
    assert page.text_content("#install-sum") == sha256(images["picoboy"].read_bytes()).hexdigest()


def test_axe_finds_nothing(visit, images):
    for options in ({"color_scheme": "light"}, {"color_scheme": "dark", **PHONE}):
        page = visit("usb.html", service_workers="block", **options)
        page.wait_for_selector("#install-steps:visible")
        assert barriers(page) == []
