"""Model the clock tree of the RP2040: the program's registers decide how long an instruction takes."""

from typing import Any

from rp2040py.peripherals.peripheral import BasePeripheral

XOSC_HZ = 12_000_000
# The chip runs from the ring oscillator until the program starts a PLL. It has about 6.5 MHz, and no two are alike.
# With this one, a cycle has whole nanoseconds, and both cores add up the same time.
ROSC_HZ = 6_250_000

# Registers of a PLL, their values after a reset, and bits of them
_CS, _PWR, _FBDIV, _PRIM = 0x0, 0x4, 0x8, 0xC
_PLL_RESET = {_CS: 1, _PWR: 0x2D, _FBDIV: 0, _PRIM: 0x77000}
_LOCK = 1 << 31
_REFDIV = 0x3F
_POWERED_DOWN = 0x21  # PWR: the PLL or its oscillator


class Pll(BasePeripheral):
    """One PLL; it locks as soon as it has power."""

    def __init__(self, mcu, name: str, changed):
        super().__init__(mcu, name)
        self._changed = changed
        self.reset()

    def reset(self) -> None:
        self._registers = dict(_PLL_RESET)

    @property
    def hz(self) -> float:
        """The output frequency; 0 while the PLL is off."""
        registers = self._registers
        if registers[_PWR] & _POWERED_DOWN or not registers[_FBDIV]:
            return 0
        vco = XOSC_HZ / (registers[_CS] & _REFDIV) * registers[_FBDIV]
        return vco / (registers[_PRIM] >> 16 & 7) / (registers[_PRIM] >> 12 & 7)

    def read_uint32(self, offset: int) -> int:
        value = self._registers.get(offset, 0)
        return value | _LOCK if offset == _CS and not self._registers[_PWR] & _POWERED_DOWN else value

    def write_uint32(self, offset: int, value: int) -> None:
        if offset in self._registers:
            self._registers[offset] = value & ~_LOCK if offset == _CS else value
            self._changed()


class Clocks:
    """The clocks of an emulated chip, taken from its registers whenever the program writes to them."""

    def __init__(self, mcu):
        self._mcu = mcu
        self._registers: Any = mcu.clocks
        self._write = mcu.clocks.write_uint32
        mcu.clocks.write_uint32 = self._written
        self._pll_sys = mcu.peripherals[0x40028] = Pll(mcu, "PLL_SYS", self._update)
        self._pll_usb = mcu.peripherals[0x4002C] = Pll(mcu, "PLL_USB", self._update)
        self.reset()

    def reset(self) -> None:
        """Run from the ring oscillator again, as after a reset of the chip."""
        self.fastest_hz = 0.0
        self._pll_sys.reset()
        self._pll_usb.reset()
        self._update()

    def _written(self, offset: int, value: int) -> None:
        self._write(offset, value)
        self._update()

    def _update(self) -> None:
        """Take over the frequencies that the registers ask for."""
        registers, usb = self._registers, self._pll_usb.hz
        ref = (ROSC_HZ, usb, XOSC_HZ, 0)[registers.ref_ctrl & 3]
        aux = (self._pll_sys.hz, usb, ROSC_HZ, XOSC_HZ, 0, 0, 0, 0)
        sys = aux[registers.sys_ctrl >> 5 & 7] if registers.sys_ctrl & 1 else ref
        # A program that stops its own clock would stand still: the clock before stays.
        self.sys_hz = sys * 256 / (registers.sys_div or 256) or self.sys_hz
        self.cycle_ns = 1e9 / self.sys_hz
        self.fastest_hz = max(self.fastest_hz, self.sys_hz)
        self._mcu.clk_sys = self.sys_hz
        for channel in self._mcu.pwm.channels:
            channel.timer._base_freq = self.sys_hz
        peri = (self.sys_hz, self._pll_sys.hz, usb, ROSC_HZ, XOSC_HZ, 0, 0, 0)[registers.peri_ctrl >> 5 & 7]
        self._mcu.clk_peri = peri or self.sys_hz

    sys_hz: float = ROSC_HZ
