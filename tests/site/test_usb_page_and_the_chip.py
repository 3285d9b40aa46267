"""The page of a Kiebitz on USB against the emulated Pico: real MicroPython and its real USB stack behind the bridge."""

from helpers.chip import BadCable
from helpers.page_port import PagePort
from kiebitz_lab.chip.files import changed, flash_with
from kiebitz_lab.chip.rig import Rig
from kiebitz_lab.chip.twin import Twin, settled
from kiebitz_lab.image.build import current_image
from kiebitz_lab.samples import SAMPLES
from kiebitz_lab.site.build import sentences
from playwright.sync_api import expect

TEXTS = sentences("en")


def test_games_and_display_of_the_emulated_pico_and_a_cable_pulled_in_the_middle(visit, address):
    setup, keys = SAMPLES["top_spot"]
    twin = Twin().sit_down(setup).keys(keys)
    twin.app.leave_table()
    rig = Rig(changed(flash_with(current_image()), twin.files())).boot()
    page = visit("get.html")
    port = PagePort(page, BadCable(rig, cut=900))
    page.goto(address + "usb.html")
    page.click("#connect")
    expect(page.locator("#status")).to_have_text(TEXTS["usb.lost"])
    port.plug(BadCable(rig))
    page.click("#connect")
    page.wait_for_selector("#screen[data-shown]")  # the list of games is older: it came before the cut
    page.click("#games button")
    page.wait_for_selector("#sheet .scroll")
    assert "Top Spot" in page.text_content("#sheet")
    assert "confirm" not in port.verbs
    assert settled(rig.files("data")).keys() >= {name for name in settled(twin.files()) if name.endswith(".kbz")}
