"""Describe the board: its outline, its parts, where they are and what they are connected to.

This is the only file to change for another board: schematic, layout, parts list, case and tests follow from it.
Millimetres from the centre of the board, x to the right, y up, both seen from the front, also for parts at the back.
"""

from collections import defaultdict
from typing import NamedTuple

from kiebitz.board.profiles import PROFILES, I2cDisplay, Profile, pins_of
from kiebitz.widgets.keys import NAMES

from .. import pico
from ..checks import DISPLAY_PINS

VERSION = "1"
SIZE = (75.0, 87.0)
CORNER = 3.5
THICKNESS = 1.6
HOLES = [(-33.5, 39.5), (33.5, 39.5), (-33.5, -39.5), (33.5, -39.5)]  # for M2.5
SCREW_HEAD = 5.5  # diameter that stays free around each hole, on both sides

# UP, DOWN, LEFT, RIGHT, OK, UNDO: where the thumbs are. Neighbours need 15.6 mm across or 14.6 mm down.
KEYS = [(-12.1, -15.5), (-12.1, -35.0), (-27.7, -25.25), (3.5, -25.25), (27.2, -17.5), (19.4, -33.0)]

PICO = (-12.0, 17.5)  # lies at the back, its USB socket over the left edge
ANTENNA = (5.0, 10.4, 14.5, 24.6)  # left, lower, right, upper edge of the area without copper, for a Pico W
SWITCH = (34.8, 27.0)  # its knob stands out over the right edge
DISPLAY_ROW = (0.0, 34.4)  # middle of the row of the 2.42 inch display
SMALL_ROW = (0.0, 30.7)  # of the 1.3 inch display
LCD_ROW = (28.0, 14.8)  # of a display with ST7789, whose header is at its right side
BUZZER = (20.8, 30.3)
SWD_ROW = (17.0, 14.6)  # holes for wires to the debug pads of the Pico

# The board has the pins of these profiles. A key with several switches on the ready-made board has only its first one.
CLAIMS = ("pico_oled", "pico_oled_sh1106", "pico_oled_242", "pico_lcd_13")

POWER = ("3V3", "VSYS", "VBUS", "AA+", "AA_ON", "LIPO+", "LIPO_ON")
TRACK_MM = 0.25
POWER_TRACK_MM = 0.6


class Kind(NamedTuple):
    """Describe a part: symbol, footprint, order number, second source, euros for 1, 10 and 100."""

    name: str
    symbol: str
    footprint: str
    order: str
    second: str
    euros: tuple[float, float, float]
    hand: bool = True  # soldered by hand, not by the factory


class Part(NamedTuple):
    """A part on the board. `turn` is in degrees as KiCad counts it."""

    name: str
    kind: Kind
    at: tuple[float, float]
    nets: dict[str, str]
    turn: int = 0
    back: bool = True
    fitted: bool = True
    value: str = ""

    @property
    def by(self) -> str:
        """Return who fits the part: the factory, a hand, or nobody."""
        return "nobody" if not self.fitted else "hand" if self.kind.hand else "factory"


def _resistor(ohm: str, order: str, second: str) -> Kind:
    footprint = "Resistor_SMD:R_0805_2012Metric_Pad1.20x1.40mm_HandSolder"
    return Kind(ohm, "Device:R", footprint, order, second, (0.10, 0.03, 0.01), False)


def _row(pins: int) -> Kind:
    return Kind(
        f"pin row 1x{pins}, 2.54 mm", f"Connector_Generic:Conn_01x{pins:02}",
        f"Connector_PinHeader_2.54mm:PinHeader_1x{pins:02}_P2.54mm_Vertical",
        "comes with the display", "any pin row of 2.54 mm", (0, 0, 0),
    )  # fmt: skip


MODULE = Kind("Raspberry Pi Pico", "MCU_Module:RaspberryPi_Pico", "Module:RaspberryPi_Pico_Common_SMD",
              "Raspberry Pi SC0915", "Pico 2: Raspberry Pi SC1631", (4.50, 4.50, 4.20))  # fmt: skip
KEY = Kind("key 12 x 12 x 7.3 mm", "Switch:SW_Push", "Button_Switch_THT:SW_SPST_Omron_B3F-40xx",
           "Omron B3F-4050", "C&K PTS125SM73-2 LFS", (0.60, 0.45, 0.30))  # fmt: skip
R_100 = _resistor("100 Ω", "Yageo RC0805FR-07100RL", "Vishay CRCW0805100RFKEA")
R_1K = _resistor("1 kΩ", "Yageo RC0805FR-071KL", "Vishay CRCW08051K00FKEA")
R_4K7 = _resistor("4.7 kΩ", "Yageo RC0805FR-074K7L", "Vishay CRCW08054K70FKEA")
R_100K = _resistor("100 kΩ", "Yageo RC0805FR-07100KL", "Vishay CRCW0805100KFKEA")
C_4U7 = Kind("4.7 µF", "Device:C", "Capacitor_SMD:C_0805_2012Metric_Pad1.18x1.45mm_HandSolder",
             "Samsung CL21A475KAQNNNE", "Murata GRM21BR61E475KA12L", (0.20, 0.10, 0.05), False)  # fmt: skip
PIEZO = Kind("piezo buzzer", "Device:Buzzer", "Buzzer_Beeper:Buzzer_TDK_PS1240P02BT_D12.2mm_H6.5mm",
             "Murata PKM13EPYH4000-A0", "TDK PS1240P02BT", (0.90, 0.70, 0.50))  # fmt: skip
SLIDE = Kind("slide switch, two poles", "Switch:SW_Slide_DPDT", "Button_Switch_THT:SW_CK_JS202011AQN_DPDT_Angled",
             "C&K JS202011AQN", "any other with two poles, on wires", (0.90, 0.70, 0.50))  # fmt: skip
MOSFET = Kind("AO3401A", "Transistor_FET:AO3401A", "Package_TO_SOT_SMD:SOT-23",
              "AOS AO3401A", "Diodes DMG2305UX-7", (0.30, 0.15, 0.07), False)  # fmt: skip
TWO_DIODES = Kind("BAT54C", "Diode:BAT54C", "Package_TO_SOT_SMD:SOT-23",
                  "Nexperia BAT54C,215", "Diodes BAT54C-7-F", (0.20, 0.10, 0.04), False)  # fmt: skip
DIODE = Kind("SS14", "Device:D_Schottky", "Diode_SMD:D_SMA",
             "Vishay SS14-E3/61T", "onsemi SS14", (0.30, 0.15, 0.08))  # fmt: skip
CHARGER = Kind("MCP73831-2", "Battery_Management:MCP73831-2-OT", "Package_TO_SOT_SMD:SOT-23-5",
               "Microchip MCP73831T-2ACI/OT", "Microchip MCP73832T-2ACI/OT", (0.80, 0.70, 0.60))  # fmt: skip
AA_PLUG = Kind("plug of the AA holder, JST XH", "Connector_Generic:Conn_01x02",
               "Connector_JST:JST_XH_B2B-XH-A_1x02_P2.50mm_Vertical",
               "JST B2B-XH-A(LF)(SN)", "any XH header of 2 pins", (0.15, 0.12, 0.08))  # fmt: skip
LIPO_PLUG = Kind("plug of the LiPo cell, JST PH", "Connector_Generic:Conn_01x02",
                 "Connector_JST:JST_PH_B2B-PH-K_1x02_P2.00mm_Vertical",
                 "JST B2B-PH-K-S(LF)(SN)", "any PH header of 2 pins", (0.15, 0.12, 0.08))  # fmt: skip
I2C_PLUG = Kind("I2C, JST SH", "Connector_Generic_MountingPin:Conn_01x04_MountingPin",
                "Connector_JST:JST_SH_SM04B-SRSS-TB_1x04-1MP_P1.00mm_Horizontal",
                "JST SM04B-SRSS-TB(LF)(SN)", "any SH header of 4 pins", (0.60, 0.50, 0.40), False)  # fmt: skip
BRIDGE = Kind("solder bridge", "Jumper:SolderJumper_3_Bridged12",
              "Jumper:SolderJumper-3_P1.3mm_Bridged12_RoundedPad1.0x1.5mm", "", "", (0, 0, 0))  # fmt: skip
PAD = Kind("test pad", "Connector:TestPoint", "TestPoint:TestPoint_Pad_D1.0mm", "", "", (0, 0, 0))
WIRES = Kind("holes for wires", "Connector_Generic:Conn_01x03",
             "Connector_PinHeader_2.54mm:PinHeader_1x03_P2.54mm_Vertical", "", "", (0, 0, 0))  # fmt: skip
HOLE = Kind("hole M2.5", "Mechanical:MountingHole", "MountingHole:MountingHole_2.7mm_M2.5", "", "", (0, 0, 0))


def wires_of(profile: Profile) -> dict[int, str]:
    """Return {GPIO: net} of the pins of a profile; a key has only its first pin."""
    before = "" if isinstance(profile.display, I2cDisplay) else "LCD_"
    wires = {
        getattr(profile.display, name): before + name.upper()
        for name, _, _ in DISPLAY_PINS
        if getattr(profile.display, name, None) is not None
    }
    wires |= {pins_of(key)[0]: name for name, key in zip(NAMES, profile.keys, strict=True)}
    if profile.buzzer is not None:
        wires[profile.buzzer] = "BUZZER"
    return wires


def pico_nets() -> dict[str, str]:
    """Return {pin of the Pico: net}. The ground pin of the ADC is joined with ground inside the Pico and stays open."""
    wires: dict[int, str] = {}
    for name in CLAIMS:
        for gpio, net in wires_of(PROFILES[name]).items():
            if wires.setdefault(gpio, net) != net:
                raise ValueError(f"GP{gpio} is {wires[gpio]} in one profile of the board and {net} in {name}.")
    found = {str(pico.number(f"GP{gpio}")): net for gpio, net in wires.items()}
    found |= {str(pin): "GND" for pin in pico.GROUNDS}
    return found | {str(pico.number(name)): name for name in ("3V3", "VSYS", "VBUS", "RUN")}


def _keys() -> list[Part]:
    """Return the switches, and behind each its resistor, which keeps a wrong output pin from a short circuit."""
    found = []
    for number, (name, (x, y)) in enumerate(zip(NAMES, KEYS, strict=True), 1):
        nets = {"1": f"{name}_KEY", "2": "GND"}
        found.append(Part(f"SW{number}", KEY, (x, y), nets, back=False, value=name))
        found.append(Part(f"R{number}", R_1K, (x, y), {"1": name, "2": f"{name}_KEY"}))
    return found


def _numbered(*nets: str) -> dict[str, str]:
    return {str(number): net for number, net in enumerate(nets, 1)}


PARTS = [
    Part("A1", MODULE, PICO, pico_nets(), turn=270),
    *_keys(),
    # Displays. The bridges swap the first two pins of the OLED rows: GND first as made, VCC first for other modules.
    Part("J1", _row(7), DISPLAY_ROW, _numbered("PIN_1", "PIN_2", "SCL", "SDA", "RESET", "GND", "GND"), 90, False,
         value="2.42 inch"),
    Part("J2", _row(4), SMALL_ROW, _numbered("PIN_1", "PIN_2", "SCL", "SDA"), 90, False, value="1.3 inch"),
    Part("JP1", BRIDGE, (-14.5, 33.2), _numbered("GND", "PIN_1", "3V3"), 180),
    Part("JP2", BRIDGE, (-14.5, 36.6), _numbered("3V3", "PIN_2", "GND"), 180),
    Part("J3", _row(8), LCD_ROW, _numbered("GND", "3V3", "LCD_SCK", "LCD_MOSI", "LCD_RESET", "LCD_DC", "LCD_CS",
                                           "LCD_LIGHT"), 0, False, value="ST7789"),
    Part("R7", R_4K7, (-20.9, 34.0), {"1": "3V3", "2": "SDA"}, 90),
    Part("R8", R_4K7, (-24.0, 34.0), {"1": "3V3", "2": "SCL"}, 90),
    Part("J4", I2C_PLUG, (-21.5, 40.0), {**_numbered("GND", "3V3", "SDA", "SCL"), "MP": "GND"}, 0),
    # Sound
    Part("R9", R_100, (13.0, 37.6), {"1": "BUZZER", "2": "BUZZER+"}),
    Part("BZ1", PIEZO, BUZZER, {"1": "BUZZER+", "2": "GND"}),
    # Three AA cells: plug, switch, MOSFET. USB and a LiPo cell close the MOSFET through the two diodes, so that nothing
    # flows into the cells; its own diode blocks a holder that is plugged in the wrong way round.
    Part("J5", AA_PLUG, (21.8, 15.6), _numbered("AA+", "GND"), 270),
    Part("SW7", SLIDE, SWITCH, {"1": "AA+", "2": "AA_ON", "5": "LIPO_ON", "6": "LIPO+"}, 270),
    Part("Q1", MOSFET, (21.4, 8.3), {"1": "GATE", "2": "VSYS", "3": "AA_ON"}, 90),
    Part("D1", TWO_DIODES, (16.6, 8.3), {"1": "VBUS", "2": "LIPO_ON", "3": "GATE"}, 90),
    Part("R10", R_100K, (19.0, 4.4), {"1": "GATE", "2": "GND"}),
    # A LiPo cell and its charger, never fitted by the factory: 255 mA with 3.9 kΩ
    Part("J6", LIPO_PLUG, (33.4, -3.0), _numbered("LIPO+", "GND"), 90, fitted=False),
    Part("D2", DIODE, (33.6, 6.0), {"1": "VSYS", "2": "LIPO_ON"}, 90, fitted=False),
    Part("U1", CHARGER, (33.0, 13.0), {"1": "STAT", "2": "GND", "3": "LIPO+", "4": "VBUS", "5": "PROG"}, 90,
         fitted=False),
    Part("R11", _resistor("3.9 kΩ", "Yageo RC0805FR-073K9L", "Vishay CRCW08053K90FKEA"), (31.5, 17.0),
         {"1": "PROG", "2": "GND"}, fitted=False),
    Part("C1", C_4U7, (31.4, -9.4), {"1": "VBUS", "2": "GND"}, fitted=False),
    Part("C2", C_4U7, (31.4, -12.4), {"1": "LIPO+", "2": "GND"}, fitted=False),
    # Three wires to the pads of the Pico, which are at another place on each model
    Part("J7", WIRES, SWD_ROW, _numbered("SWCLK", "GND", "SWDIO"), 180, fitted=False, value="SWD"),
    *[Part(f"H{number}", HOLE, at, {}) for number, at in enumerate(HOLES, 1)],
]  # fmt: skip


def nets() -> dict[str, list[tuple[str, str]]]:
    """Return {net: [(part, pin)]} in the order of the parts."""
    found = defaultdict(list)
    for part in PARTS:
        for pin, net in part.nets.items():
            found[net].append((part.name, pin))
    return dict(found)


def test_pads() -> list[tuple[str, str]]:
    """Return (name, net) of a test pad for every net; the layout finds a free place near the net."""
    return [(f"TP{number}", net) for number, net in enumerate(nets(), 1)]
