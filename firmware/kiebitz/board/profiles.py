"""Which pin does what on each board: plain data, the one truth for the drivers, the drawings and the tests."""

_OLED = {"bus": 0, "sda": 4, "scl": 5, "hz": 400_000, "address": 0x3C, "width": 128, "height": 64}

# Numbers are GPIO numbers. The keys stand in the order UP, DOWN, LEFT, RIGHT, OK, UNDO and pull their pin to ground.
_PICO = {"keys": (10, 11, 12, 13, 14, 9), "buzzer": 15, "vsys": 29}

# An SH1106 has memory for 132 columns, and the glass shows the middle 128 of them.
PROFILES = {
    "pico_oled": dict(_PICO, display=dict(_OLED, controller="ssd1306", first_column=0)),
    "pico_oled_sh1106": dict(_PICO, display=dict(_OLED, controller="sh1106", first_column=2)),
}

DEFAULT = "pico_oled"
