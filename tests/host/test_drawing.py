"""The wiring drawing shows every connection without overlaps."""

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest
from helpers.board import changed
from kiebitz.board.profiles import DEFAULT, PROFILES
from kiebitz_lab.hardware import pico
from kiebitz_lab.hardware.__main__ import FOLDER
from kiebitz_lab.hardware.case import Measures
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
