"""The pins of each board as plain data: the only source for the drivers, the drawings and the tests."""

_OLED = {"bus": 0, "sda": 4, "scl": 5, "hz": 400_000, "address": 0x3C, "width": 128, "height": 64}

# Numbers are GPIO numbers. The keys are in the order UP, DOWN, LEFT, RIGHT, OK, UNDO and pull their pin to ground;
# the pins of several switches for one key form a tuple.
_PICO = {"keys": (10, 11, 12, 13, 14, 9), "buzzer": 15, "vsys": 29}

# The Waveshare Pico-LCD-1.3: the joystick, pressed for OK, and the keys A, B, X, Y one below the other. The outer
# ones are OK and the inner ones UNDO. The maker's own programs drive the bus at the same speed.
_LCD_13 = {
    "keys": (2, 18, 16, 20, (3, 15, 21), (17, 19)),
    "buzzer": None,
    "vsys": 29,
    "display": {
        "controller": "st7789",
        "bus": 1,
        "sck": 10,
        "mosi": 11,
        "cs": 9,
        "dc": 8,
        "reset": 12,
        "light": 13,
        "hz": 62_500_000,
        "width": 240,
        "height": 240,
    },
}

# An SH1106 has memory for 132 columns, and the glass shows the middle 128 of them.
PROFILES: dict = {
    "pico_oled": dict(_PICO, display=dict(_OLED, controller="ssd1306", first_column=0)),
    "pico_oled_sh1106": dict(_PICO, display=dict(_OLED, controller="sh1106", first_column=2)),
    "pico_lcd_13": _LCD_13,
}

DEFAULT = "pico_oled"


def pins_of(key):
    """Return the pins of a key as a tuple, also if it is only one."""
    return key if isinstance(key, tuple) else (key,)


def i2c_bus(machine, wiring):
    """Return the bus of an OLED."""
    pin = machine.Pin
    return machine.I2C(wiring["bus"], sda=pin(wiring["sda"]), scl=pin(wiring["scl"]), freq=wiring["hz"])
