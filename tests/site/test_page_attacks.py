"""Check that damaged files are not loaded, and attack the pages: changed ZIP files, hostile devices on USB."""

import io
import struct
import zipfile

import pytest
from helpers.browser import DevicePage
from kiebitz_lab.samples import choose_game
from kiebitz_lab.site.build import sentences
from kiebitz_lab.site.bundle import HERE, device_image
from kiebitz_lab.torture import page_devices, page_zips
from kiebitz_lab.torture.campaign import Campaign
from kiebitz_lab.torture.page_zips import packed
from playwright.sync_api import expect

ZIPS = 12
DEVICES = 12
TEXTS = sentences("en")
TOP_SPOT = f"ok {choose_game('top_spot')} ok*4 right ok"  # from the start screen to its table, with four guests


def test_a_changed_zip_starts_a_device_or_is_refused_with_the_old_games_intact(chromium, address):
    campaign = Campaign("kiebitz_lab.torture.page_zips", 1)
    page_zips.attack(chromium, address, campaign, 0, ZIPS)
    assert campaign.failures == []
    assert campaign.figures["taken"] and campaign.figures["refused"] > 2


def test_a_hostile_device_on_usb_gets_a_sentence_and_nothing_else(chromium, address):
    campaign = Campaign("kiebitz_lab.torture.page_devices", 1)
    page_devices.attack(chromium, address, campaign, 0, DEVICES)
    assert campaign.failures == [] and campaign.figures["devices met"] == DEVICES


# --- files that are not loaded ---


def zip_of(files):
    """Return a ZIP without compression, as the page makes it."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        for name, content in files.items():
            file.writestr(name, content)
    return made.getvalue()


def overlapping():
    """Return a ZIP bomb: a thousand files that share the same bytes."""
    one = zip_of({"data/x": b"x" * 10_000})
    start = one.index(b"PK\x01\x02")
    entry, end = one[start : one.index(b"PK\x05\x06")], one[one.index(b"PK\x05\x06") :]
    return one[:start] + entry * 1000 + end[:8] + struct.pack("<HH", 1000, 1000) + end[12:]


GOOD = zip_of({"data/": b"", "data/index": b"x" * 100})
DAMAGED = {
    "cut in half": GOOD[: len(GOOD) // 2],
    "cut by a byte": GOOD[:-1],
    "without its beginning": GOOD[40:],
    "a bit turned": GOOD.replace(b"xxxx", b"xxyx", 1),
    "something else": zip_of({"photo.jpg": b"x"}),
    "a way out of its folder": zip_of({"data/": b"", "data/../lib/evil.py": b"raise SystemExit"}),
    "from the root": zip_of({"/data/index": b"x"}),
    "a file for its folder": zip_of({"data": b"x"}),
    "a wrong id": zip_of({".kiebitz-id": b"x" * 9, "data/": b""}),
    "a trap": overlapping(),
    "a file and a folder of one name": packed([("data/", b""), ("data/x", b"x"), ("data/x/", b"")]),
    "a file that is a folder, too": packed([("data/", b""), ("data/x", b"x"), ("data/x/y", b"y")]),
    "two files of one name": packed([("data/", b""), ("data/x", b"x"), ("data/x", b"y")]),
    "300 folders deep": packed([("data/" + "x/" * 300, b"")]),
    "a name of 5,000 letters": packed([("data/", b""), ("data/" + "x" * 5000, b"x")]),
    "more than a flash holds": packed([("data/", b""), ("data/x", bytes(3_000_000))]),
    "more files than a flash has room for": packed([("data/", b""), *[(f"data/{k}", b"x") for k in range(5000)]]),
    "nothing": b"",
}


def test_no_damaged_file_is_loaded(visit):
    page = visit("play.html")
    device = DevicePage(page)
    device.press(TOP_SPOT + " up left")
    before = device.standing()
    page.on("dialog", lambda dialog: dialog.accept())
    for why, content in DAMAGED.items():
        page.set_input_files("#file", {"name": "x.zip", "mimeType": "application/zip", "buffer": content})
        page.wait_for_selector("#message:visible")
        assert TEXTS["files.unknown"] in page.text_content("#message"), why
        page.click("#message button")
        assert device.standing() == before, why
    page.reload()
    assert DevicePage(page).standing() == before


def test_a_file_with_which_no_device_starts_is_not_loaded(visit, address):
    """Check that the page first tries to start a device with the file; this firmware fails on one of its names."""
    source = (HERE / "device" / "page_device.py").read_text()
    trap = "def _build(language):\n    if page_flash._exists('data/poison'):\n        raise ValueError('poisoned')\n"
    image = device_image({"page_device.py": source.replace("def _build(language):\n", trap)})
    page = visit("get.html", service_workers="block")
    page.context.route("**/device.romfs", lambda route: route.fulfill(body=image))
    page.goto(address + "play.html")
    device = DevicePage(page)
    device.press(TOP_SPOT + " up left")
    before = device.standing()
    page.on("dialog", lambda dialog: dialog.accept())
    poison = packed([("data/", b""), ("data/poison", b"x")])
    page.set_input_files("#file", {"name": "x.zip", "mimeType": "application/zip", "buffer": poison})
    expect(page.locator("#message")).to_contain_text(TEXTS["files.unknown"])
    assert device.standing() == before
    device.press("up")  # it goes on
    before = device.standing()
    page.reload()
    assert DevicePage(page).standing() == before


@pytest.fixture
def quota(address):
    """Return a function that limits the storage of a page to some bytes, or ends the limit."""

    def limit(page, size=None):
        session = page.context.new_cdp_session(page)
        limits = {} if size is None else {"quotaSize": size}
        session.send("Storage.overrideQuotaForOrigin", {"origin": address.rstrip("/"), **limits})

    return limit


def test_a_file_that_does_not_fit_into_the_browser_changes_nothing(visit, quota):
    page = visit("play.html")
    device = DevicePage(page)
    device.press(TOP_SPOT + " up left")
    before = device.standing()
    quota(page, 1)
    page.on("dialog", lambda dialog: dialog.accept())
    large = packed([("data/", b""), ("data/x", bytes(range(256)) * 4000)])
    page.set_input_files("#file", {"name": "x.zip", "mimeType": "application/zip", "buffer": large})
    expect(page.locator("#message")).to_contain_text(TEXTS["files.full"])
    assert device.standing() == before
    quota(page)
    page.reload()
    assert DevicePage(page).standing() == before
