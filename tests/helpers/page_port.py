"""Provide a serial port for the USB page in tests, with a device behind it."""

from kiebitz.link.wire import REQUEST, unframe
from kiebitz_host.link.trouble import LinkLost

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
  Object.defineProperty(navigator, "serial", { value: { requestPort: async () => port } });
})();
"""


class PagePort:
    """The cable of a device in a test, for one page. `verbs` has the requests of the page, in order."""

    def __init__(self, page, cable):
        self.verbs = []
        self._cable = cable
        self._line = b""
        page.expose_function("carried", self._carried)
        page.add_init_script(_PORT)

    def plug(self, cable):
        """Put another cable into the port."""
        self._cable = cable

    def _carried(self, digits):
        """Carry what the page sends, and return what the device has sent meanwhile; None after the cable was pulled."""
        data = bytes.fromhex(digits)
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
