"""Drive pages in Chromium as a player does, with keys, the display, and a serial port for the USB page."""

import re
import time

from kiebitz.link.wire import REQUEST, unframe
from kiebitz_host.link.trouble import LinkLost
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
        """Return the words of a table without what depends on time: the change of the last entry, and the last line."""
        return re.sub(r"\+\d+|\s", "", self.says().rstrip().rpartition("\n")[0])


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
        assert time.monotonic() < end, f"timeout before {what}"
        page.wait_for_timeout(20)


_READ_S = 0.02
_MOST = 4096  # bytes carried at a time
_PORT = """
(() => {
  const hex = (bytes) => bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const port = {
    async open() {
      this.closed = false;
      const waiting = [];
      let control;
      this.readable = new ReadableStream({ start: (given) => { control = given; } });
      this.writable = new WritableStream({ write: (bytes) => { waiting.push(...bytes); } });
      const carry = async () => {
        while (!this.closed) {
          const came = await window.carried(hex(waiting.splice(0)));
          if (this.closed) return;
          if (came === null) return control.error(new Error("the cable was pulled"));
          if (came) control.enqueue(new Uint8Array(came.match(/../g).map((digits) => parseInt(digits, 16))));
        }
      };
      carry();
    },
    async close() { this.closed = true; },
  };
  let isGranted = false;
  const requestPort = async () => (isGranted = true) && port;
  const getPorts = async () => (isGranted && await window.plugged() ? [port] : []);
  Object.defineProperty(navigator, "serial", { value: { requestPort, getPorts } });
})();
"""


class PagePort:
    """The cable of a device in a test, for one page. `verbs` has the requests of the page, in order."""

    def __init__(self, page, cable):
        self.verbs = []
        self._cable = cable
        self._line = b""
        page.expose_function("carried", self._carried)
        page.expose_function("plugged", lambda: self._cable is not None)
        page.add_init_script(_PORT)

    def plug(self, cable):
        """Put another cable into the port, or with None pull the one that is there."""
        self._cable = cable

    def _carried(self, digits):
        """Carry what the page sends, and return what the device has sent meanwhile; None after the cable was pulled."""
        data = bytes.fromhex(digits)
        if self._cable is None:
            return None
        try:
            if data:
                self._note(data)
                self._cable.write(data)
            came = piece = self._cable.read(_READ_S)
            while piece and len(came) < _MOST:
                piece = self._cable.read(_READ_S)
                came += piece
            return came.hex()
        except LinkLost:
            return None

    def _note(self, data):
        *lines, self._line = (self._line + data).split(b"\n")
        for line in lines:
            found = unframe(REQUEST, line)
            if found:
                self.verbs.append(found[1])
