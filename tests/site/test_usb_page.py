"""Check the page of a Kiebitz on USB, with simulated, emulated and hostile devices and damaged files."""

import io
import json
import re
import struct
import zipfile

import pytest
from helpers.browser import DevicePage, PagePort, wait_until
from helpers.cable import Cable
from helpers.chip import BadCable
from kiebitz.link.wire import ANSWER, REQUEST, escape, frame, unframe
from kiebitz.raster.tints import COLOURS
from kiebitz.store.sealed_lines import seal
from kiebitz_lab.chip.flash import changed, flash_with
from kiebitz_lab.chip.probes import ReferenceDevice, settled
from kiebitz_lab.chip.rig import Rig
from kiebitz_lab.image.build import current_image
from kiebitz_lab.samples import SAMPLES, choose_game
from kiebitz_lab.site.build import sentences
from kiebitz_lab.site.bundle import HERE, device_image
from kiebitz_lab.torture import page_devices, page_zips
from kiebitz_lab.torture.campaign import Campaign
from kiebitz_lab.torture.page_zips import packed
from playwright.sync_api import expect

TEXTS = sentences("en")
TOP_SPOT = "ok " + choose_game("top_spot") + " ok*4 right ok"


@pytest.fixture
def reference():
    """Return a device with a finished game of Top Spot and a game of Royal Flush in play."""
    setup, keys = SAMPLES["top_spot"]
    reference = ReferenceDevice().sit_down(setup).keys(keys)
    reference.app.leave_table()
    setup, _ = SAMPLES["royal_flush"]
    return reference.sit_down(setup, [{"ev": "spend", "p": 0, "k": 2}])


@pytest.fixture
def plugged(visit, address):
    """Return a function that opens the page with a cable in a port, connects, and returns (page, port)."""

    def plugged(cable):
        page = visit("get.html", accept_downloads=True)
        port = PagePort(page, cable)
        page.goto(address + "usb.html")
        page.click("#connect")
        return page, port

    return plugged


def wait_for_status(page, words):
    expect(page.locator("#status")).to_contain_text(words)


def test_games_with_their_sheets_and_files(plugged, reference, tmp_path):
    page, port = plugged(Cable(reference))
    page.wait_for_selector("#games tr")
    rows = page.eval_on_selector_all("#games tr", "rows => rows.map((row) => row.innerText)")
    assert [row.split("\t")[0].strip() for row in rows] == ["Royal Flush", "Top Spot"]
    assert TEXTS["usb.unfinished"] in rows[0] and TEXTS["usb.finished"] in rows[1]
    page.click("#games tr:nth-child(2) button")
    page.wait_for_selector("#sheet .scroll")
    assert "Anna" in page.text_content("#sheet") and reference.app.library.table.game.KIND == "royal_flush"
    journals = {name.split("/")[-1]: data for name, data in settled(reference.files()).items() if name.endswith(".kbz")}
    finished = min(journals)
    for k, suffix in enumerate((".kbz", ".json", ".bgsplay")):
        with page.expect_download() as download:
            page.click(f"#sheet .actions button:nth-of-type({k + 1})")
        download.value.save_as(tmp_path / "file")
        content = (tmp_path / "file").read_bytes()
        assert download.value.suggested_filename == finished.replace(".kbz", suffix)
        if suffix == ".kbz":
            assert content == journals[finished]
        else:
            assert json.loads(content)
    with page.expect_download() as download:
        page.click("#all")
    download.value.save_as(tmp_path / "all.zip")
    with zipfile.ZipFile(tmp_path / "all.zip") as file:
        assert {name: file.read(name) for name in file.namelist() if name.endswith(".kbz")} == journals
    assert "confirm" not in port.verbs and {"who", "games", "read", "screen", "roster"} <= set(port.verbs)


def test_the_display_and_its_keys(plugged, reference):
    page, port = plugged(Cable(reference))
    page.wait_for_selector("#screen[data-shown]")
    before = reference.text()
    page.click("[data-press='2']")  # LEFT: the menu
    wait_until(page, lambda: "key" in port.verbs and reference.text() != before, "the key is pressed on the device")
    pixels = "[...c.getContext('2d').getImageData(0, 0, c.width, c.height).data]"
    assert page.eval_on_selector("#screen", f"c => {pixels}.filter((v) => v > 200).length") > 1000


def test_clock_and_names(plugged):
    reference = ReferenceDevice()
    page, _ = plugged(Cable(reference))
    expect(page.locator("#clock")).to_have_text(TEXTS["usb.clock.unset"])
    page.click("#set-clock")
    expect(page.locator("#clock")).not_to_have_text(TEXTS["usb.clock.unset"])
    assert reference.app.clock.now() > 1_700_000_000
    names = ["Anna", "Zoë", "Łukasz", *[f"Somebody with a name {k}" for k in range(30)]]
    page.fill("#names", "\n".join(names))
    page.click("#send-names")
    wait_for_status(page, TEXTS["usb.names.sent"])
    assert reference.app.roster.names == names
    page.fill("#names", "x" * 2000)
    page.click("#send-names")
    wait_for_status(page, "too long")
    assert reference.app.roster.names == names


@pytest.mark.parametrize("cut", [400, 1500, 3000])
def test_a_cable_pulled_in_the_middle_is_said_and_the_next_try_works(visit, address, reference, cut):
    cable = Cable(reference, cut=cut)
    page = visit("get.html")
    port = PagePort(page, cable)
    page.goto(address + "usb.html")
    page.click("#connect")
    wait_for_status(page, TEXTS["usb.lost"])
    before = settled(reference.files())
    port.plug(Cable(reference))
    page.click("#connect")
    page.wait_for_selector("#games tr")
    assert settled(reference.files()) == before


def test_a_port_without_a_kiebitz_is_said(plugged):
    class Mute:
        def write(self, data):
            """Take everything."""

        def read(self, seconds):
            return b">>> \n"

    page, _ = plugged(Mute())
    wait_for_status(page, TEXTS["usb.stranger"])


EVIL = "<img src=x onerror=alert(1)>"
RIGHT_TO_LEFT = "\u202eevil"


class Liar:
    """A hostile device on the link: every word is markup, every number is too large."""

    id = "5b3c0f-0001-c67e81"

    def __init__(self):
        self._came = b""
        self._answers = b""

    def write(self, data):
        *lines, self._came = (self._came + data).split(b"\n")
        for line in lines:
            found = unframe(REQUEST, line)
            if found:
                seq, verb, value = found
                for word, answer in self.answer(verb, value):
                    self._answers += frame(ANSWER, seq, word, json.dumps(answer)) if word else escape(answer)

    def read(self, seconds):
        data, self._answers = self._answers, b""
        return data

    def answer(self, verb, value):
        """Yield the answer to a request as (word, value) of a line of the link, or ("", other line)."""
        entry = {"game": EVIL, "title": EVIL, "players": [EVIL, RIGHT_TO_LEFT, {}], "at": 1e300, "size": 7}
        if verb == "who":
            yield "ok", {"product": "kiebitz", "protocol": 1, "version": EVIL, "device": f"../{EVIL}", "now": 1e300}
        elif verb == "games":
            yield "", seal(f"{self.id} {json.dumps(entry)}", "index")
            yield "+", {"files": {f"{self.id}.kbz": 7, f"../{EVIL}.kbz": 1, "__proto__": {"x": 1}}}
            yield "ok", {"index": 0}
        elif verb == "screen":
            yield "+", {"page": 10**9, "columns": EVIL}
            yield "ok", {"width": 60_000, "height": 60_000, "tints": EVIL}
        elif verb == "roster":
            yield "+", {"names": [EVIL, RIGHT_TO_LEFT]}
            yield "ok", {}
        elif verb == "read":
            yield "", seal(EVIL, self.id)
            yield "ok", {"ends": [len(seal(EVIL, self.id))]}
        else:
            yield "no", {"code": EVIL}


def test_a_device_that_lies_can_show_words_and_nothing_else(plugged):
    page, _ = plugged(Liar())
    said = []
    page.on("dialog", lambda dialog: said.append(dialog.message) or dialog.dismiss())
    page.wait_for_selector("#games tr")
    rows = page.eval_on_selector_all("#games tr", "rows => rows.map((row) => row.innerText)")
    assert len(rows) == 1 and EVIL in rows[0] and "\u2068\u202eevil\u2069" in rows[0]
    wait_for_status(page, TEXTS["usb.stranger"])  # of an impossible display
    page.click("#games button")
    page.wait_for_selector("#sheet .warn")
    page.click("#set-clock")
    wait_for_status(page, TEXTS["usb.refused"].format(code=EVIL))
    assert page.input_value("#names") == f"{EVIL}\n{RIGHT_TO_LEFT}"
    assert page.text_content("#clock") == TEXTS["usb.clock.unset"]
    with page.expect_download() as download:
        page.click("#all")
    assert re.fullmatch(r"kiebitz-[0-9a-f]*\.zip", download.value.suggested_filename)
    assert page.locator("main img").count() == 0 and said == []


def test_the_square_display_is_shown_in_its_colours(plugged):
    reference = ReferenceDevice(board="pico_lcd_13", language="en")
    page, _ = plugged(Cable(reference))
    page.wait_for_selector("#screen[data-shown]")
    found = page.eval_on_selector(
        "#screen", "c => [c.width, c.height, ...c.getContext('2d').getImageData(c.width / 2, 1, 1, 1).data]"
    )
    assert found[0] == found[1] == 240 and found[2:5] == list(dict(COLOURS)["bar"])


def test_a_browser_without_serial_ports_is_told_which_has_them(visit, address):
    page = visit("get.html")
    page.add_init_script("Object.defineProperty(navigator, 'serial', { value: undefined })")
    page.goto(address + "usb.html")
    page.wait_for_selector("#without:visible")
    assert "Firefox" in page.text_content("#without") and not page.is_visible("#connect")
    assert page.text_content("p[data-text='usb.never']") == TEXTS["usb.never"]


def test_the_link_to_the_device_of_this_browser(visit, address):
    page = visit("play.html")
    device = DevicePage(page)
    device.press(TOP_SPOT + " up")
    page.goto(address + "usb.html")
    page.click("#here")
    page.wait_for_selector("#games tr")
    page.click("#games button")
    page.wait_for_selector("#sheet .scroll")
    assert "Top Spot" in page.text_content("#sheet")
    page.evaluate("document.getElementById('here').port.pull()")
    wait_for_status(page, TEXTS["usb.lost"])


def test_the_page_can_send_nothing_that_confirms(visit):
    page = visit("usb.html")
    refused = page.evaluate("""async () => {
      const { Link } = await import("./link.mjs");
      const link = new Link();
      return link.ask("confirm", {}).then(() => "sent", (error) => error.message);
    }""")
    assert "does not send confirm" in refused


def test_games_and_display_of_the_emulated_pico_and_a_cable_pulled_in_the_middle(visit, address):
    setup, keys = SAMPLES["top_spot"]
    reference = ReferenceDevice().sit_down(setup).keys(keys)
    reference.app.leave_table()
    rig = Rig(changed(flash_with(current_image()), reference.files())).boot()
    page = visit("get.html")
    port = PagePort(page, BadCable(rig, cut=900))
    page.goto(address + "usb.html")
    page.click("#connect")
    expect(page.locator("#status")).to_have_text(TEXTS["usb.lost"])
    port.plug(BadCable(rig))
    page.click("#connect")
    page.wait_for_selector("#screen[data-shown]")  # the list of games is from before the cut
    page.click("#games button")
    page.wait_for_selector("#sheet .scroll")
    assert "Top Spot" in page.text_content("#sheet")
    assert "confirm" not in port.verbs
    assert settled(rig.files("data")).keys() >= {name for name in settled(reference.files()) if name.endswith(".kbz")}


ZIPS = 12
DEVICES = 12


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
