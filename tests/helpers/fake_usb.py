"""What is plugged into a laptop in a test: serial ports, and drives that are folders."""

from types import SimpleNamespace

from kiebitz_host.install.find_picos import INFO, Usb

PICO = (0x2E8A, 0x0005)
PROBE = (0x2E8A, 0x000C)
MODEM = (0x1234, 0x5678)

INFO_RP2040 = "UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n"
INFO_RP2350 = "UF2 Bootloader v1.0\nModel: Raspberry Pi RP2350\nBoard-ID: RP2350\n"
INFO_OTHER = "UF2 Bootloader v2.0\nModel: Feather M0\nBoard-ID: SAMD21G18A\n"


class FakeUsb(Usb):
    """plug() and drive() put something in; `folder` holds the drives."""

    def __init__(self, folder):
        self.folder = folder
        self.ports = []
        (folder / "labels").mkdir()
        super().__init__(lambda: self.ports, lambda: sorted(folder.glob("media*")), folder / "labels")

    def plug(self, name, usb=PICO, number=None):
        self.ports.append(SimpleNamespace(device=name, vid=usb[0], pid=usb[1], serial_number=number))

    def unplug(self, name):
        self.ports = [port for port in self.ports if port.device != name]

    def drive(self, name="media", info=INFO_RP2040):
        """Mount a drive. Returns its folder."""
        folder = self.folder / name
        folder.mkdir()
        (folder / INFO).write_text(info)
        return folder

    def unmounted_drive(self, label="RPI-RP2"):
        """Add a drive that nobody has mounted. Returns its device."""
        device = self.folder / "sdb1"
        device.touch()
        (self.folder / "labels" / label).symlink_to(device)
        return device.resolve()


class Clock:
    """Time that passes only while somebody sleeps; `events` are (moment, action)."""

    def __init__(self, *events):
        self.now = 0.0
        self._events = list(events)

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds
        due = [event for event in self._events if event[0] <= self.now]
        self._events = [event for event in self._events if event[0] > self.now]
        for _, action in due:
            action()
