"""Drive the device page in Chromium as a player does: press keys and read the display."""

import re
import time

from playwright.sync_api import expect

PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}

KEYS = {"up": 0, "down": 1, "left": 2, "right": 3, "ok": 4, "undo": 5}
DOWN_MS = 40  # how long a finger stays on a key, and off it before the next one
HOLD_MS = 750
PATIENCE_MS = 60_000  # timeout, reached only by failures
expect.set_options(timeout=PATIENCE_MS)


class DevicePage:
    """The device on a page that is open."""

    def __init__(self, page):
        self.page = page
        page.wait_for_selector("#screen[data-shown]")

    def says(self):
        """Return the texts on the display."""
        return self.page.text_content("#says")

    def expect(self, words):
        """Wait until the display shows these words."""
        expect(self.page.locator("#says")).to_contain_text(words)
        return self

    def press(self, script, touch=False):
        """Press keys on the case, one after the other: "up ok*3 hold:undo"."""
        for word in script.split():
            word, _, times = word.partition("*")
            for _ in range(int(times or 1)):
                self._press(word, touch)
        return self

    def _press(self, word, touch):
        kind, _, rest = word.partition(":")
        key = KEYS[rest or kind]
        button = self.page.locator(f"#device .key[data-key='{key}']:visible").first
        before = self._shown()
        if touch:
            box = button.bounding_box()
            self.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        else:
            button.dispatch_event("pointerdown", {"pointerId": 1, "bubbles": True})
            self.page.wait_for_timeout(HOLD_MS if kind == "hold" else DOWN_MS)
            button.dispatch_event("pointerup", {"pointerId": 1, "bubbles": True})
        expect(self.page.locator("#screen")).not_to_have_attribute("data-shown", before)
        self.page.wait_for_timeout(DOWN_MS)

    def _shown(self):
        return self.page.get_attribute("#screen", "data-shown")

    def words(self):
        """Return the words of the display without its signs, for comparison with another device."""
        return re.sub(r"\s+", " ", self.says()).strip()

    def standing(self):
        """Return the words of a table without the change of the last entry, which a new start does not show."""
        return re.sub(r"\+\d+|\s", "", self.words())


def watch(page, address, errors):
    """Collect errors in a page and requests to another host."""
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: None if is_ours(request.url, address) else errors.append(request.url))


def is_ours(url, address):
    """Return True if an address belongs to the site."""
    return url.startswith((address, "blob:" + address, "data:"))


def wait_until(page, condition, what):
    """Run the page until a condition holds; fail with `what` after the timeout."""
    end = time.monotonic() + PATIENCE_MS / 1000
    while not condition():
        assert time.monotonic() < end, f"it did not happen that {what}"
        page.wait_for_timeout(20)
