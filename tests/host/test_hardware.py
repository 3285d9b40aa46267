"""The board profiles are valid for a Pico, and the files in hardware/ agree with them."""

import json
import re
from functools import cache

import pytest
from helpers import device as copies
from kiebitz.board.profiles import DEFAULT, PROFILES, family_of, pins_of
from kiebitz.widgets.keys import NAMES
from kiebitz_host import languages
from kiebitz_lab.hardware import pico
from kiebitz_lab.hardware.__main__ import FOLDER, generated, main
from kiebitz_lab.hardware.case import Measures
from kiebitz_lab.hardware.checks import problems, uses
from kiebitz_lab.hardware.table import PARTS, PRINTS, cents, diagram_json, read_bom, wokwi_pin
from kiebitz_lab.hardware.wiring import nets

REFERENCE = PROFILES[DEFAULT]
CSV = FOLDER / "bom.csv"
ITSELF = "the Pico itself uses it as "
made = cache(generated)

PLUGGED = PROFILES["pico_lcd_13"]  # a board that is sold ready-made


def changed(**changes):
    """Return the reference profile with other pins; names that belong to the display go there."""
    profile = {name: changes.pop(name) for name in list(changes) if hasattr(REFERENCE, name)}
    return copies.changed(REFERENCE, **{"display": copies.changed(REFERENCE.display, **changes), **profile})


def plugged(**changes):
    """Return the ready-made board with a display that differs."""
    return copies.changed(PLUGGED, display=copies.changed(PLUGGED.display, **changes))


def with_more(thing, **more):
    """Return a copy of a profile, or of its display, with more attributes."""
    copy = copies.changed(thing)
    vars(copy).update(more)
    return copy


# --- the table of the Pico, compared with the data sheet by examples ---


@pytest.mark.parametrize(
    ("name", "number"),
    [("GP0", 1), ("GP4", 6), ("GP9", 12), ("GP15", 20), ("GP16", 21), ("GP22", 29), ("GP26", 31), ("GP28", 34)]
    + [("RUN", 30), ("ADC_VREF", 35), ("3V3", 36), ("3V3_EN", 37), ("VSYS", 39), ("VBUS", 40)],
)
def test_pins_have_the_numbers_of_the_data_sheet(name, number):
    assert pico.number(name) == number


def test_the_header_has_every_pin_but_those_the_pico_uses_itself():
    on_header = {int(name[2:]) for name in pico.HEADER.values() if name.startswith("GP")}
    assert on_header == set(pico.GPIOS) - set(pico.OWN)
    assert pico.GROUNDS == (3, 8, 13, 18, 23, 28, 38) and len(pico.HEADER) == 40


def test_buses_slices_and_channels_are_those_of_the_data_sheet():
    assert [pico.i2c(gpio) for gpio in (0, 1, 4, 5, 2, 3, 26, 27)] == [
        (0, "SDA"), (0, "SCL"), (0, "SDA"), (0, "SCL"), (1, "SDA"), (1, "SCL"), (1, "SDA"), (1, "SCL")
    ]  # fmt: skip
    assert [pico.spi(gpio) for gpio in (2, 3, 16, 19, 10, 11, 8, 13)] == [
        (0, "SCK"), (0, "TX"), (0, "RX"), (0, "TX"), (1, "SCK"), (1, "TX"), (1, "RX"), (1, "CSn")
    ]  # fmt: skip
    assert [pico.pwm(gpio) for gpio in (0, 1, 14, 15, 16, 17, 25, 28)] == [
        (0, "A"), (0, "B"), (7, "A"), (7, "B"), (0, "A"), (0, "B"), (4, "B"), (6, "A")
    ]  # fmt: skip


# --- profiles ---


@pytest.mark.parametrize("name", PROFILES)
def test_every_profile_can_work(name):
    assert problems(PROFILES[name]) == []


def test_a_board_with_a_display_on_spi_can_be_checked_too():
    assert problems(PLUGGED) == []
    assert problems(plugged(mosi=12, reset=11)) == [
        "GP12 (display MOSI) cannot be TX of SPI1: it can be RX of SPI1."
    ]
    assert problems(copies.changed(PLUGGED, buzzer=28)) == [
        "GP13 (display light) and GP28 (buzzer) share PWM slice 6: they would have the same frequency."
    ]
    assert problems(copies.changed(PLUGGED, keys=(2, 18, 16, 20, (3, 15, 21), (17, 15)))) == [
        "GP15 is used twice: key OK and key UNDO."
    ]
    assert problems(copies.changed(PLUGGED, keys=(2, 18, 16, 20, (3, 24), 17), vbus=None)) == [
        f"GP24 (key OK) is not on the header: {ITSELF}the sense pin of the USB supply."
    ]
    assert problems(plugged(hz=100_000_000)) == [
        "SPI cannot have 100000000 Hz: the RP2040 reaches 62500000."
    ]


@pytest.mark.parametrize(
    ("profile", "sentence"),
    [
        (changed(sda=5, scl=4), "GP5 (display SDA) cannot be SDA of I2C0: it can be SCL of I2C0."),
        (changed(sda=14, scl=15), "GP14 (display SDA) cannot be SDA of I2C0: it can be SDA of I2C1."),
        (changed(bus=1), "GP4 (display SDA) cannot be SDA of I2C1: it can be SDA of I2C0."),
        (changed(keys=(10, 11, 12, 13, 14, 4)), "GP4 is used twice: display SDA and key UNDO."),
        (changed(keys=(10, 11, 12, 13, 14, 14)), "GP14 is used twice: key OK and key UNDO."),
        (changed(buzzer=3), "GP3 is used twice: key OK and buzzer."),
        (changed(keys=(10, 11, 12, 13, 14, 25)), "GP25 (key UNDO) is not on the header: " + ITSELF + "the LED."),
        (changed(buzzer=23), "GP23 (buzzer) is not on the header: " + ITSELF + "the power-save pin of the regulator."),
        (changed(keys=(10, 11, 12, 13, 14, 30)), "GP30 (key UNDO) does not exist: the RP2040 has GP0 to GP29."),
        (changed(keys=(10, 11, 12, 13, 14, -1)), "GP-1 (key UNDO) does not exist: the RP2040 has GP0 to GP29."),
        (changed(buzzer=29, vsys=None), "GP29 (buzzer) is not on the header: " + ITSELF + "the divided VSYS voltage."),
        (changed(vsys=28), "GP28 (VSYS sensing) cannot be: the Pico measures VSYS at GP29, and nowhere else."),
        (changed(keys=(10, 11, 12, 13, 14)), "There must be 6 keys (UP, DOWN, LEFT, RIGHT, OK, UNDO), not 5."),
        (changed(address=0x78), "0x78 is no I2C address. With the write bit in it, it means 0x3C."),
        (changed(address=0x03), "0x03 is no I2C address."),
        (
            changed(display=with_more(REFERENCE.display, backlight=3)),
            'The checks do not know "backlight" of a display: teach them whether it is a pin.',
        ),
        (with_more(REFERENCE, led=3), 'The checks do not know "led": teach them whether it is a pin.'),
    ],
)  # fmt: skip
def test_a_wrong_profile_fails_with_a_sentence(profile, sentence):
    assert sentence in problems(profile)


def test_nothing_is_drawn_of_a_wrong_profile():
    with pytest.raises(ValueError, match="GP3 is used twice"):
        nets(changed(buzzer=3))


def test_buzzer_and_sensing_can_be_left_out():
    profile = changed(buzzer=None, vsys=None)
    assert problems(profile) == []
    assert not [net for net in nets(profile) if "buzzer" in str(net).lower()]


# --- generated files ---


@pytest.mark.parametrize("name", made())
def test_no_generated_file_is_stale(name):
    assert (FOLDER / name).read_text("utf-8") == made()[name], f"hardware/{name} is stale: run make hardware"


@pytest.mark.parametrize("name", made())
def test_every_generated_file_says_so_with_its_command(name):
    assert "Made by `make hardware` from " in made()[name][:400]


def test_the_command_writes_what_has_changed_and_says_so(tmp_path, capsys):
    (tmp_path / "bom.csv").write_bytes(CSV.read_bytes())
    assert main(tmp_path) == 0
    assert capsys.readouterr().out.splitlines() == [f"{tmp_path.name}/{name}" for name in made()]
    (tmp_path / "wiring.md").write_text("changed by hand")
    assert main(tmp_path) == 0
    told = capsys.readouterr().out.splitlines()
    assert [line.endswith("is up to date") for line in told] == [False] + [True] * (len(told) - 1)
    assert {name: (tmp_path / name).read_text("utf-8") for name in made()} == made()


def test_the_command_writes_nothing_of_a_wrong_profile(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(PROFILES, "wrong", changed(buzzer=3))
    assert main(tmp_path) == 1
    assert capsys.readouterr().err == "wrong: GP3 is used twice: key OK and buzzer.\n"
    assert list(tmp_path.iterdir()) == []


def test_the_table_has_every_pin_of_every_profile():
    sections = made()["wiring.md"].split("\n## ")[1:]
    for name, profile in PROFILES.items():
        section = next(section for section in sections if f"`{name}`" in section.splitlines()[0])
        for use in uses(profile):
            if not profile.pico:
                assert re.search(rf"^\| GP{use.gpio} \| {re.escape(use.part)} \|", section, re.M)
            elif use.job == "ADC":
                assert f"(GP{use.gpio}, ADC channel 3)" in section
            elif use.job == "USB":
                assert f"GP{use.gpio}, also inside," in section
            else:
                number = pico.number(f"GP{use.gpio}")
                assert re.search(rf"^\| {number} \| GP{use.gpio} \| {re.escape(use.part)}", section, re.M)


def test_boards_that_are_wired_alike_share_a_table():
    text = made()["wiring.md"]
    assert text.count("\n## ") == len(PROFILES) - 2, "three share the first"
    assert "## `pico_oled` and `pico_oled_sh1106` and `pico_oled_242`\n" in text
    assert "## `pico_lcd_13`\n\nNothing to solder" in text and "| 14 | GP10 | display SCK |" in text


def test_the_keys_of_a_ready_made_board_are_named_as_on_the_board():
    for name, prints in PRINTS.items():
        assert sorted(prints) == sorted(use.gpio for use in uses(PROFILES[name]) if use.part.startswith("key "))
    section = made()["wiring.md"].split("`pico_lcd_13`")[1]
    assert "| 5 | GP3 | key OK | joystick pressed |" in section and "| 22 | GP17 | key UNDO | B |" in section


def test_the_guide_tells_what_the_keys_of_the_ready_made_board_do():
    guide = (FOLDER / "README.md").read_text("utf-8")
    prints = PRINTS["pico_lcd_13"]
    for name, key in list(zip(NAMES, PLUGGED.keys, strict=True))[4:]:
        assert f"| {', '.join(prints[gpio] for gpio in key)} | {name} |" in guide, name
    for name, gpio in list(zip(NAMES, PLUGGED.keys, strict=True))[:4]:
        assert prints[gpio] == f"joystick {name.lower()}"


@pytest.mark.parametrize("name", ["picoboy_color", "display_pack", "picosystem"])
def test_the_guide_tells_the_keys_and_the_file_of_each_board_from_a_shop(name):
    guide = (FOLDER / "README.md").read_text("utf-8")
    (row,) = re.findall(rf"^\| \*\*.*`{name}`.*$", guide, re.M)
    assert f"`kiebitz-VERSION-{family_of(name)}.uf2`" in row
    prints = PRINTS[name]
    for key, pins in list(zip(NAMES, PROFILES[name].keys, strict=True))[4:]:
        assert f"{' or '.join(prints[gpio] for gpio in pins_of(pins))} = {key}" in row


def test_the_wokwi_diagram_connects_the_same_pins():
    diagram = json.loads(made()["diagram.json"])
    assert {part["id"] for part in diagram["parts"]} == set(PARTS.values())
    wanted = {frozenset(wokwi_pin(end) for end in net.ends if end.part in PARTS) for net in nets(REFERENCE)}
    assert joined(diagram["connections"]) == {net for net in wanted if len(net) > 1}
    profile = changed(keys=(2, 3, 16, 7, 8, 26), buzzer=22, sda=20, scl=21)
    pins = {pin for a, b, *_ in json.loads(diagram_json(profile, Measures(), ""))["connections"] for pin in (a, b)}
    assert {pin for pin in pins if pin.startswith("pico:GP")} == {
        f"pico:GP{gpio}" for gpio in (2, 3, 16, 7, 8, 26, 22, 20, 21)
    }


def test_wokwi_knows_the_ground_pins_by_their_order():
    grounds = [end for net in nets(REFERENCE) for end in net.ends if end.part == "pico" and end.pin in ("3", "38")]
    assert {wokwi_pin(end) for end in grounds} == {"pico:GND.1", "pico:GND.8"}


def joined(connections):
    """Return the connected components of the connections."""
    sets = []
    for first, second, *_ in connections:
        touched = [group for group in sets if first in group or second in group]
        sets = [group for group in sets if group not in touched]
        sets.append({first, second}.union(*touched))
    return {frozenset(group) for group in sets}


# --- texts written by hand ---


@pytest.mark.parametrize("name", ["README.md", "bom.csv", "bom.md"])
def test_no_text_written_by_hand_names_a_pin(name):
    text = (FOLDER / name).read_text("utf-8")
    assert re.findall(r"\bGP ?\d+|\b[Pp]ins? \d+|\bGPIO ?\d+", text) == []


def test_the_guide_quotes_what_the_display_really_says():
    texts = languages.read("en")
    guide = (FOLDER / "README.md").read_text("utf-8")
    errors = guide.split("## What each error looks like")[1]
    quoted = re.findall(r"^\| `([^`]+)`", errors, re.M)
    assert len(quoted) >= 6
    for phrase in quoted:
        assert any(sentence.startswith(phrase) for sentence in texts.values()), phrase
    chosen = re.findall(r"\*\*Settings → ([^*]+)\*\*", guide)
    assert set(chosen) == {"Self-test", "About", "Rotate display", "Sound", "Display"}
    for phrase in chosen:
        assert any(key.startswith("set.") and text.startswith(phrase) for key, text in texts.items()), phrase
    assert f"*{texts['test.all']}*" in guide


def test_every_profile_a_builder_can_choose_stands_in_the_guide():
    guide = (FOLDER / "README.md").read_text("utf-8")
    for name in PROFILES:
        assert f"`{name}`" in guide, name


def test_every_link_of_the_guide_leads_somewhere():
    guide = (FOLDER / "README.md").read_text("utf-8")
    for link in re.findall(r"\]\(([^)#]+)|src=\"([^\"]+)", guide):
        target = link[0] or link[1]
        assert target.startswith("https://") or (FOLDER / target).exists(), target


def test_the_parts_list_has_what_the_wiring_needs():
    rows = read_bom(CSV.read_text("utf-8"))
    count = {(row["part"], row["group"]): int(row["quantity"]) for row in rows}
    assert count["Tactile switch", "needed"] == len(NAMES)
    for part, group in (("Raspberry Pi Pico", "needed"), ("OLED display", "needed"), ("Buzzer", "sound")):
        assert count[part, group] == 1
    assert count["Screw", "case"] == 4
    screw = next(row for row in rows if row["part"] == "Screw")
    assert screw["value"] == f"M2 × {Measures().screw_length}"


def test_the_parts_list_sums_up_each_group_and_says_that_its_prices_are_guesses():
    text = made()["bom.md"]
    rows = read_bom(CSV.read_text("utf-8"))
    sums = [int(euros) * 100 + int(rest) for euros, rest in re.findall(r"\*\*together\*\* \| \*\*(\d+)\.(\d\d)", text)]
    assert len(sums) == len({row["group"] for row in rows}) and sum(sums) == sum(map(cents, rows))
    assert "rough guess" in text


def test_the_parts_list_warns_of_the_usual_traps():
    text = made()["bom.md"]
    for word in ("SSD1306 or SH1106", "Pull-ups", "4.7 kΩ", "0x78"):
        assert word in text


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("needed,Pico,,1,4.00,x", "row 2: it has fewer cells"),
        ("needed,Pico,,1,4.00,x,y,z", "row 2: it has more cells"),
        ("luxury,Pico,,1,4.00,x,y", "row 2: there is no group luxury"),
        ("needed,Pico,,one,4.00,x,y", "row 2: part, quantity"),
        ("needed,,,1,4.00,x,y", "row 2: part, quantity"),
        ("needed,Pico,,1,cheap,x,y", "row 2: cheap is not a price"),
        ("needed,Pico,,1,4.5,x,y", "row 2: 4.5 is not a price"),
    ],
)
def test_a_mistake_in_the_parts_list_is_told(row, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_bom("group,part,value,quantity,euro,look for,substitutes\n" + row + "\n")


def test_a_parts_list_with_other_columns_is_refused():
    with pytest.raises(ValueError, match="must have the columns"):
        read_bom("part,price\nPico,4\n")


# --- the profile is chosen on the device ---


def test_a_simulated_device_keeps_its_hardware(kiebitz, tmp_path):
    def size(*arguments):
        shot = tmp_path / "shot.png"
        flash = ("--flash", str(tmp_path / "flash"))
        done = kiebitz("sim", *flash, "--script", "-", "--shot", str(shot), *arguments, stdin=b"ok")
        assert done.code == 0 and "Which game?" in done.out
        return int.from_bytes(shot.read_bytes()[16:20], "big"), int.from_bytes(shot.read_bytes()[20:24], "big")

    assert size() == (512, 256)
    assert size("--board", "pico_lcd_13") == (480, 480)
    assert size() == (480, 480)
    assert size("--board", "pico_oled_sh1106") == (512, 256)
    assert kiebitz("sim", "--board", "pico_led").code == 2
