"""Connect hostile devices to the page of a Kiebitz on USB: each gives a sentence, and runs nothing in the page.

A device answers like an honest one, with one value of most answers replaced, lines of noise, and a pulled cable.
"""

import random
import re
import sys
from pathlib import Path

from playwright.sync_api import Browser, Dialog, Page, expect

from kiebitz_lab.site.build import sentences

from .campaign import Campaign, command_line
from .page_zips import on_site

_PATIENCE_MS = 60_000
_PORT = Path(__file__).with_name("hostile_port.js")
_SAID = ("who", "lost", "stranger", "refused", "invalid", "names.sent", "names.long", "bgstats.later")
_ACTIONS = ("#games button", "#set-clock", "#send-names", "#all", "#all-bgstats", "[data-press='4']")


def sentence_patterns() -> list[re.Pattern]:
    """Return patterns of the sentences that the page may show about a device."""
    texts = sentences("en")
    return [re.compile(re.sub(r"\\{\w+\\}", ".*", re.escape(texts[f"usb.{key}"])), re.DOTALL) for key in _SAID]


class UsbPage:
    """The page of a Kiebitz on USB; `errors` has what went wrong in it."""

    def __init__(self, page: Page, address: str):
        self.page = page
        self.errors: list[str] = []
        self._patterns = sentence_patterns()
        self._busy = sentences("en")["usb.busy"]
        page.set_default_timeout(_PATIENCE_MS)
        page.add_init_script(path=_PORT)
        page.on("pageerror", lambda error: self.errors.append(f"error in the page: {error}"))
        page.on("dialog", self._script_ran)
        page.goto(f"{address}usb.html")
        page.wait_for_function("document.documentElement.lang === 'en' && 'hostile' in window")

    def _script_ran(self, dialog: Dialog) -> None:
        self.errors.append("a script ran")
        dialog.dismiss()

    def _settled(self) -> str:
        """Wait until the page is not busy. Returns what it says then."""
        status = self.page.locator("#status")
        expect(status).not_to_have_text(self._busy, timeout=_PATIENCE_MS)
        return status.text_content() or ""

    def meet(self, seed: int, chance: random.Random) -> list[str]:
        """Connect a device and use the page. Returns what went wrong."""
        self.errors.clear()
        page = self.page
        page.evaluate("seed => { hostile(seed); document.getElementById('status').textContent = ''; }", seed)
        page.click("#connect")
        expect(page.locator("#status")).not_to_have_text("", timeout=_PATIENCE_MS)
        said = [self._settled()]
        for action in chance.sample(_ACTIONS, 3):
            button = page.locator(action).first
            if button.is_visible() and button.is_enabled():
                button.click()
                said.append(self._settled())
        if page.is_visible("#leave"):
            page.click("#leave")
            expect(page.locator("#leave")).to_be_hidden(timeout=_PATIENCE_MS)
        if page.locator("main img").count():
            self.errors.append("markup of a device is in the page")
        unknown = [words for words in said if words and not any(p.fullmatch(words) for p in self._patterns)]
        return [*self.errors, *[f"not a sentence of the page: {words}" for words in unknown]]


def trial(campaign: Campaign, chance: random.Random, page: UsbPage) -> None:
    """Run the page with one device."""
    for why in page.meet(chance.randrange(1 << 32), chance):
        campaign.fail(why)
    campaign.figures["devices met"] += 1


def attack(browser: Browser, address: str, campaign: Campaign, first: int, count: int) -> None:
    """Connect devices to the page of a site that is being served."""
    context = browser.new_context(locale="en-GB", service_workers="block")
    page = UsbPage(context.new_page(), address)
    campaign.run(lambda campaign, chance: trial(campaign, chance, page), first, count)
    context.close()


if __name__ == "__main__":
    sys.exit(command_line("kiebitz_lab.torture.page_devices", __doc__ or "", 500, on_site(attack)))
