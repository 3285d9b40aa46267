"""A story against the emulated Pico: real MicroPython and its USB stack behind the server, a real browser before it."""

import pytest
from helpers.play import short_game
from kiebitz_host.link.ports import Port
from kiebitz_lab.chip.files import changed, flash_with
from kiebitz_lab.chip.probes import ChipCable
from kiebitz_lab.chip.reference import ReferenceDevice
from kiebitz_lab.chip.rig import Rig
from kiebitz_lab.image.build import current_image
from kiebitz_lab.pages import wait_until
from playwright.sync_api import expect

pytestmark = pytest.mark.long

PORT = Port("cable", "Pico")


@pytest.fixture
def pico():
    """Return an emulated Pico with a game of Top Spot on its table."""
    reference = ReferenceDevice()
    reference.sit_down(*short_game("top_spot"))
    return Rig(changed(flash_with(current_image()), reference.files())).boot()


def test_keys_on_the_pico_change_the_page_and_the_panel_shows_its_display(pico, serve, look):
    stand = serve(find=lambda: [PORT], open_port=lambda port: ChipCable(pico))
    wait_until(lambda: stand.site.devices.seen() and stand.site.devices.seen()[0].snapshot, "the Pico is followed")
    (follower,) = stand.site.devices.followers.values()
    entries = follower.seen.snapshot.events
    page = look(stand)
    expect(page.locator("#live")).to_contain_text("Top Spot")
    follower.ask(lambda client: pico.tap("undo"))  # the emulation runs in the thread of the follower
    expect(page.locator(".live-last.undone")).to_be_visible()
    assert follower.seen.snapshot.events == entries - 1
    panel = look(stand, "/device", token=True)
    expect(panel.locator("#display[data-shown]")).to_be_visible()
    panel.locator("body").press("Shift+Backspace")  # what was taken back comes back
    expect(page.locator(".live-last")).to_contain_text(f"Entry {entries}:")
