"""Drawings: the wiring has no overlaps, the dimensions of the case fit together, and its pictures are up to date."""

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest
from helpers.device import changed
from kiebitz.board.profiles import DEFAULT, PROFILES
from kiebitz.raster import icons
from kiebitz.raster.canvas import Canvas
from kiebitz.widgets.keys import NAMES
from kiebitz_host.outcome import Trouble
from kiebitz_host.png import SIGNATURE
from kiebitz_lab.hardware import case, pico
from kiebitz_lab.hardware.__main__ import FOLDER
from kiebitz_lab.hardware.case import PARTS, PICTURES, SOURCES, Measures, digest, drawn_from, signs, views
from kiebitz_lab.hardware.drawing import HEIGHT, WIDTH, wiring_svg
from kiebitz_lab.hardware.svg import arrange, crossings
from kiebitz_lab.hardware.wiring import AA, LIPO, nets

REFERENCE = PROFILES[DEFAULT]
SVG = "{http://www.w3.org/2000/svg}"
LETTER = 0.62  # the width of a letter, as a part of its height


class Seen:
    """The visible parts of a drawing."""

    def __init__(self, source):
        root = ElementTree.fromstring(source)
        self.pads = {}
        self.wires = {}
        self.tags = {}
        self.parts = []
        self.texts = []
        for element in root.iter():
            kind = element.get("class")
            if kind == "pad":
                self.pads[element.get("data-end")] = (float(element.get("cx")), float(element.get("cy")))
            elif kind == "wire":
                numbers = [float(number) for number in re.findall(r"-?[\d.]+", element.get("d"))]
                points = list(zip(numbers[::2], numbers[1::2], strict=True))
                self.wires.setdefault(element.get("data-net"), []).extend(zip(points, points[1:], strict=False))
            elif kind == "tag":
                self.tags[element.get("data-net")] = box_of(element)
            elif kind == "part":
                self.parts.append(box_of(element))
            if element.tag == SVG + "text":
                self.texts.append((element.text, text_box(element)))


def box_of(rect):
    x, y, width, height = (float(rect.get(name)) for name in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


def text_box(text):
    x, size = float(text.get("x")), float(text.get("font-size"))
    middle = float(text.get("y")) - size * 0.36
    width = size * LETTER * len(text.text)
    left = {"start": x, "middle": x - width / 2, "end": x - width}[text.get("text-anchor")]
    return left, middle - size / 2, left + width, middle + size / 2


def touch(segment, box, margin=0.0):
    (x1, y1), (x2, y2) = segment
    left, top, right, bottom = box
    return (
        min(x1, x2) < right + margin
        and max(x1, x2) > left - margin
        and min(y1, y2) < bottom + margin
        and max(y1, y2) > top - margin
    )


def overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def on(point, segment):
    (x1, y1), (x2, y2) = segment
    x, y = point
    return min(x1, x2) <= x <= max(x1, x2) and min(y1, y2) <= y <= max(y1, y2)


def connected(segments):
    """Return True if the segments form one connected graph; two are joined where one of them ends."""
    reached, todo = set(), {0}
    while todo:
        at = todo.pop()
        reached.add(at)
        for other, segment in enumerate(segments):
            meets = any(on(end, segments[at]) for end in segment) or any(on(end, segment) for end in segments[at])
            if meets and other not in reached:
                todo.add(other)
    return len(reached) == len(segments)


# The reference, and others with their wires on the left side of the Pico too
DRAWN = {
    "reference": REFERENCE,
    "no buzzer": changed(REFERENCE, buzzer=None, vsys=None),
    "turned round": changed(REFERENCE, keys=(15, 14, 13, 12, 11, 10), buzzer=9),
    "upper pins": changed(
        REFERENCE, display=changed(REFERENCE.display, reset=None), keys=(0, 1, 2, 3, 6, 7), buzzer=15
    ),
    "lower display": changed(
        REFERENCE, display=changed(REFERENCE.display, sda=8, scl=9), keys=(2, 3, 10, 11, 12, 13), buzzer=7
    ),
}


@pytest.fixture(params=[(name, battery) for name in DRAWN for battery in (AA, LIPO)], ids=", ".join)
def drawn(request):
    name, battery = request.param
    return nets(DRAWN[name], battery), Seen(wiring_svg(name, DRAWN[name], Measures(), "test", battery))


def test_the_drawing_shows_every_connection(drawn):
    wanted, seen = drawn
    assert set(seen.wires) == {net.name for net in wanted}
    for net in wanted:
        segments = seen.wires[net.name]
        assert connected(segments), net.name
        for end in net.ends:
            assert any(seen.pads[".".join(end)] in segment for segment in segments), (net.name, end)


def test_no_wire_ends_where_it_should_not(drawn):
    connections, seen = drawn
    wanted = {net.name: {".".join(end) for end in net.ends} for net in connections}
    for name, segments in seen.wires.items():
        touched = {end for end, point in seen.pads.items() for segment in segments if on(point, segment)}
        assert touched == wanted[name], name


def test_wires_run_straight_and_wires_of_two_nets_never_run_along_each_other(drawn):
    _, seen = drawn
    for segments in seen.wires.values():
        for (x1, y1), (x2, y2) in segments:
            assert (x1 == x2) != (y1 == y2)
    for first, second in combinations(seen.wires, 2):
        for a in seen.wires[first]:
            for b in seen.wires[second]:
                upright_a, upright_b = a[0][0] == a[1][0], b[0][0] == b[1][0]
                if upright_a == upright_b:
                    box = (min(a[0][0], a[1][0]), min(a[0][1], a[1][1]), max(a[0][0], a[1][0]), max(a[0][1], a[1][1]))
                    assert not touch(b, box, 5), (first, second)


def test_no_label_is_crossed_by_a_wire_or_another_label(drawn):
    _, seen = drawn
    for (first, a), (second, b) in combinations(seen.texts, 2):
        assert not overlap(a, b), (first, second)
    for text, box in seen.texts:
        for name, segments in seen.wires.items():
            own = seen.tags.get(name)
            for segment in segments:
                if not (own and overlap(box, own)):
                    assert not touch(segment, box), (text, name)


def test_no_wire_runs_over_a_part_or_a_strange_tag(drawn):
    _, seen = drawn
    for name, segments in seen.wires.items():
        for segment in segments:
            ends_in_a_part = any(point in segment for point in seen.pads.values())
            for box in seen.parts:
                inner = (box[0] + 1, box[1] + 1, box[2] - 1, box[3] - 1)
                assert ends_in_a_part or not touch(segment, inner), (name, segment)
            for other, box in seen.tags.items():
                assert other == name or not touch(segment, box), (name, other)


def test_everything_is_inside_the_picture(drawn):
    _, seen = drawn
    for text, (left, top, right, bottom) in seen.texts:
        assert left >= 0 and top >= 0 and right <= WIDTH and bottom <= HEIGHT, text


def test_all_forty_pins_have_their_number_and_name():
    seen = Seen((FOLDER / "wiring.svg").read_text("utf-8"))
    assert {f"pico.{number}" for number in pico.HEADER} <= set(seen.pads)
    words = [text for text, _ in seen.texts]
    for number, name in pico.HEADER.items():
        assert str(number) in words and name in words


@pytest.mark.parametrize(("name", "battery"), [("wiring.svg", AA), ("wiring_lipo.svg", LIPO)])
def test_the_committed_drawings_are_those_of_the_reference(name, battery):
    seen = Seen((FOLDER / name).read_text("utf-8"))
    assert set(seen.wires) == {net.name for net in nets(REFERENCE, battery)}


def test_lanes_are_swapped_until_few_wires_cross():
    wires = [(1.0, 30.0), (2.0, 20.0), (3.0, 10.0)]
    lanes = arrange(wires)
    assert sorted(lanes) == [0, 1, 2]
    assert crossings(wires, lanes) == min(crossings(wires, order) for order in ([0, 1, 2], [2, 1, 0], [1, 0, 2]))
    assert crossings([(1.0, 1.0), (2.0, 2.0)], [0, 1]) == 0


DISPLAYS = ("0.96", "1.3", "2.42")


@pytest.fixture
def m():
    return Measures()


def box(middle, size):
    return middle[0] - size[0] / 2, middle[1] - size[1] / 2, middle[0] + size[0] / 2, middle[1] + size[1] / 2


def apart(a, b):
    """Return how far two boxes are from each other; negative if they overlap."""
    return max(a[0] - b[2], b[0] - a[2], a[1] - b[3], b[1] - a[3])


def within(a, b):
    """Return the smallest margin around box a inside box b; negative if it sticks out."""
    return min(a[0] - b[0], a[1] - b[1], b[2] - a[2], b[3] - a[3])


def test_values_are_read_with_their_types():
    read = Measures('wall = 2;  // mm\nboard = [60, 80, 1.6];\ndisplay = "1.3";\n// corner = 9;\n')
    assert (read.wall, read.board, read.display) == (2, [60, 80, 1.6], "1.3")
    with pytest.raises(AttributeError):
        _ = read.corner


def test_every_line_of_the_parameters_is_understood(m):
    lines = [line for line in (SOURCES / "parameters.scad").read_text().splitlines() if line and line[0] != "/"]
    assert len(m.values) == len(lines)


def test_every_leg_of_a_switch_meets_a_hole_of_its_own(m):
    columns, rows = m.board_grid
    used = [leg for key in range(len(NAMES)) for leg in m.legs(key)]
    assert len(set(used)) == len(used) == 4 * len(NAMES)
    for key, (column, row) in enumerate(m.key_holes):
        for x, y in m.legs(key):
            assert 0 <= x < columns and 0 <= y < rows
            assert (abs(x - column), abs(y - row)) == (m.switch_legs[0] / 2, m.switch_legs[1] / 2)


def test_the_keys_lie_as_their_names_say(m):
    place = dict(zip(NAMES, m.key_middles(), strict=True))
    assert place["UP"][0] == place["DOWN"][0] and place["LEFT"][1] == place["RIGHT"][1]
    assert place["LEFT"][0] < place["UP"][0] < place["RIGHT"][0] < place["UNDO"][0] < place["OK"][0]
    assert place["DOWN"][1] < place["LEFT"][1] < place["UP"][1]


def test_caps_do_not_touch_each_other_the_display_or_the_walls(m):
    inside = box((0, 0), [m.board[0] + 2 * m.board_play, m.board[1] + 2 * m.board_play])
    lip = m.lip[0] + m.lip[2]
    flanges = [
        box(at, [size + 2 * m.cap_flange] * 2) for at, size in zip(m.key_middles(), m.cap_size, strict=True)
    ]
    for i, flange in enumerate(flanges):
        assert within(flange, inside) > lip
        for other in flanges[:i]:
            assert apart(flange, other) > 0.3
        for display in DISPLAYS:
            assert apart(flange, box(m.module(display), m.oled(display))) > 0.3


def test_a_cap_is_kept_by_the_lid_and_can_move_far_enough(m):
    assert m.cap_flange - m.cap_play >= 0.5, "the flange must be wider than the gap around the cap"
    under_flange = m.switch_height - m.cap_socket_depth - m.switch_body[2]
    assert under_flange > 0.5, "a switch needs 0.25 mm of travel before the cap meets its body"
    assert m.cap_above_lid > 0.25 + m.cap_travel, "a pressed cap must not sink into the lid"


@pytest.mark.parametrize("display", DISPLAYS)
def test_the_display_lies_on_the_board_and_below_the_lid(m, display):
    room = m.switch_height - m.cap_socket_depth + m.cap_flange_height + m.cap_travel
    assert 0.3 <= room - m.oled(display)[6] <= 1.2, "the glass lies just below the lid"
    module = box(m.module(display), m.oled(display))
    if display == "2.42":  # wider than the board: it hangs in the lid, between its lip and below its screws
        left, lower, right, upper = m.inside(display)
        lip = m.lip[0] + m.lip[2]
        assert within(module, (left + lip, lower + lip, right - lip, upper - lip)) > 0.3
        posts = [box(at, [m.post] * 2) for at in m.screws(display)]
        assert all(apart(module, post) > m.frame_242[0] + m.frame_242[2] for post in posts)
    else:
        assert within(module, box((0, 0), m.board)) > 0
    left, lower, right, upper = m.lit_area(display)
    assert within((left, lower, right, upper), box(m.module(display), m.oled(display))) > 1


@pytest.mark.parametrize("display", ["0.96", "2.42"])
def test_what_lies_in_the_base_has_its_place(m, display):
    inside = m.inside(display)
    up = inside[3] - m.inside("0.96")[3]  # Pico and buzzer stay at the upper wall
    pico_at, buzzer_at = ((x, y + up) for x, y in (m.pico_at, m.buzzer_at))
    buzzer = [m.buzzer[0] + 0.6 + 2 * m.rib[0]] * 2
    places = {
        "Pico": box(pico_at, m.pico),
        "battery": box(m.battery_at, [m.battery[0], m.battery[1] + 2 * m.rib[0]]),
        "charger": box(m.charger_at, m.charger),
        "buzzer": box(buzzer_at, buzzer),
    }
    pillars = [
        box((x * m.board_holes[0] / 2, y * m.board_holes[1] / 2), [m.pillar] * 2) for x in (-1, 1) for y in (-1, 1)
    ]
    pillars += [box(at, [m.pillar] * 2) for at in m.screws(display)]
    for name, place in places.items():
        assert within(place, inside) >= 0, name
        for other in places:
            assert name == other or apart(place, places[other]) >= 0.2, (name, other)
        if name != "battery":  # its ribs may touch a pillar, the cell itself does not
            assert all(apart(place, pillar) > 0 for pillar in pillars), name
    cell = box(m.battery_at, m.battery)
    assert within(cell, inside) >= 0 and all(apart(cell, pillar) > 0 for pillar in pillars)
    assert m.charger_rib < m.pico_foot, "the ribs of the charger reach below the Pico"


def test_everything_is_lower_than_the_perfboard(m):
    tails = 2.5  # what is left of cut legs, with solder
    for height in (m.pico_foot + m.pico[2] + max(2.7, m.pico_clip[2] + 0.4), m.battery[2], m.charger[2], m.buzzer[1]):
        assert height < m.under_board - tails


def test_the_signs_of_the_caps_are_those_at_the_foot_of_the_screens(m):
    """Compare with the font of the device pixel by pixel. OK is dark letters on a light plate there."""
    drawn = signs()
    for name, char in zip(NAMES, "↑↓←→" + icons.OK + icons.UNDO, strict=True):
        pixels = lit(char)
        if name == "OK":
            plate = {(x, y) for x in range(2, 11) for y in range(1, 6)}
            pixels = moved(plate - pixels)
        cut = {(x, y) for y, row in enumerate(drawn[name]) for x, pixel in enumerate(row) if pixel == "#"}
        assert cut == moved(pixels), name
        half = m.cap_size[NAMES.index(name)] / 2 - m.chamfer
        assert max(len(drawn[name]), len(drawn[name][0])) * m.sign_pixel / 2 < half, "it fits the flat top of its cap"


def lit(char):
    """Return the pixels that the device draws for a character."""
    buffer = bytearray(128 * 8)
    Canvas(128, 64, buffer).text(char, 0, 0)
    return {(x, y) for y in range(8) for x in range(128) if buffer[x] >> y & 1}


def moved(pixels):
    """Return the pixels moved into the upper left corner."""
    left, top = min(x for x, _ in pixels), min(y for _, y in pixels)
    return {(x - left, y - top) for x, y in pixels}


def test_the_screws_hold_in_the_posts_and_do_not_come_out_of_the_lid(m):
    bite = m.screw_head_depth + m.screw_length - m.floor_height - m.under_board - m.board[2]
    post = m.switch_height - m.cap_socket_depth + m.cap_flange_height + m.cap_travel
    assert 4 <= bite < post - 0.5
    assert m.screw_pilot < 2 < m.screw_hole


@pytest.mark.parametrize("name", PICTURES)
def test_no_picture_is_stale(name):
    picture = (SOURCES / f"{name}.png").read_bytes()
    assert picture.startswith(SIGNATURE)
    assert drawn_from(picture) == digest(views(name)), f"hardware/case/{name}.png is stale: run make case"


def test_a_picture_that_does_not_say_what_it_shows_counts_as_stale():
    assert drawn_from(SIGNATURE) == ""


def test_without_openscad_one_sentence_says_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setenv("OPENSCAD", str(tmp_path / "nothing"))
    with pytest.raises(Trouble, match="apt-get install openscad"):
        case.build(tmp_path, PARTS)


def test_a_warning_of_openscad_is_an_error(monkeypatch, tmp_path):
    fake = tmp_path / "openscad"
    fake.write_text("#!/bin/sh\necho 'WARNING: Object may not be a valid 2-manifold' >&2\n")
    fake.chmod(0o755)
    monkeypatch.setenv("OPENSCAD", str(fake))
    with pytest.raises(Trouble, match="2-manifold"):
        case.build(tmp_path, ["keys"])
