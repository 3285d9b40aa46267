"""The case of the board and the board have one set of places, and everything fits inside."""

import ast
import copy
import math
import re

import pytest
import trimesh
from helpers.meshes import DOWN, UP, free, hits, inside, points, spread
from kiebitz.widgets.keys import NAMES
from kiebitz_lab.frozen_tree import ROOT
from kiebitz_lab.hardware.board import places, scad
from kiebitz_lab.hardware.board.reading import read_board
from kiebitz_lab.hardware.case import SOURCES, Measures, built

# The measures of this case: those of the other one, then the places of the board, then what differs
M = Measures()
for name in ("board_places.scad", "board_case.scad"):
    for key, text in re.findall(r"^(\w+) = ([^;]+);", (SOURCES / name).read_text(), re.MULTILINE):
        if not re.search("[a-z]", text):  # what is computed, is computed in the model
            M.values[key] = ast.literal_eval(text)

HOLDER_BOTTOM = M.floor_height
BOARD_BOTTOM = M.floor_height + M.under_board
BOARD_TOP = BOARD_BOTTOM + places.THICKNESS
LID_BOTTOM = BOARD_TOP + M.switch_height - M.cap_socket_depth + M.cap_flange_height + M.cap_travel
LID_TOP = LID_BOTTOM + M.lid_height
LIDS = ("board_lid_2.42", "board_lid_1.3")
CLOSE_MM = 0.1


@pytest.fixture(scope="module")
def meshes():
    found = {path.stem: trimesh.load_mesh(path) for path in built() if path.stem.startswith("board_")}
    for lid in LIDS:
        found[lid].apply_transform([[-1, 0, 0, 0], [0, 1, 0, 0], [0, 0, -1, 0], [0, 0, 0, 1]])
        found[lid].apply_translation([0, 0, LID_TOP])
    return found


@pytest.fixture(scope="module")
def board():
    return read_board(ROOT / "hardware" / "board" / "kiebitz.kicad_pcb")


def middle(mesh, x, y, z):
    """Return the middle of the opening in a plate around a point, measured along x and y; None if it is closed."""
    found = []
    for axis in (0, 1):
        ends = []
        for sign in (-1, 1):
            way = [0.00013, 0.00013, 0.00017]
            way[axis] = float(sign)
            ends.append(sign * hits(mesh, (x, y, z), way)[0])
        found.append((x, y)[axis] + sum(ends) / 2)
    return found


# --- places ---


@pytest.mark.parametrize("lid", LIDS)
@pytest.mark.parametrize("key", range(6), ids=NAMES)
def test_each_opening_is_over_its_key(meshes, board, lid, key):
    x, y = board.pieces[f"SW{key + 1}"].middle
    assert math.dist(middle(meshes[lid], x, y, LID_BOTTOM + 1), (x, y)) < CLOSE_MM
    half = M.cap_size[key] / 2
    assert free(meshes[lid], (x + half, y, LID_BOTTOM - 1)) and free(meshes[lid], (x, y - half, LID_BOTTOM - 1))
    assert not free(meshes[lid], (x + half + M.cap_flange - 0.1, y, LID_BOTTOM - 1)), "the flange of the cap is held"


def test_the_screws_go_through_base_board_and_into_the_lid(meshes, board):
    for number in range(1, 5):
        x, y = board.pieces[f"H{number}"].middle
        assert free(meshes["board_base"], (x, y, -1)), "the screw goes through the pillar"
        assert hits(meshes["board_base"], (x + 2, y, -1), UP)[1] - 1 == pytest.approx(BOARD_BOTTOM, abs=0.02)
        for lid in LIDS:
            assert hits(meshes[lid], (x + 1.9, y, BOARD_TOP - 1), UP)[0] == pytest.approx(1, abs=0.02)
        reach = M.screw_head_depth + 16 - BOARD_TOP
        assert 4 < reach < LID_BOTTOM - BOARD_TOP, "a screw of 16 mm ends in the post of the lid"


def lit_areas(board):
    """Return {lid: (left, lower, right, upper)} of the pixels over the row each display is plugged into."""
    found = {}
    for lid, row, (_, height, above, wide, high, up, _) in (
        (LIDS[0], "J1", [72, 43, 1.9, 55.0, 27.5, 0, 5.8]), (LIDS[1], "J2", M.display_130),
    ):  # fmt: skip
        x, y = board.pieces[row].middle
        y += above - height / 2 + up
        found[lid] = x - wide / 2, y - high / 2, x + wide / 2, y + high / 2
    return found


@pytest.mark.parametrize("lid", LIDS)
def test_the_window_shows_every_pixel_also_to_a_player_who_sits_in_front(meshes, board, lid):
    left, lower, right, upper = lit_areas(board)[lid]
    slanted = (0.00013, -math.tan(math.radians(50)), 1.0)
    for x in spread(left, right, 3):
        for y in spread(lower, upper, 3):
            for direction in (UP, slanted):
                assert free(meshes[lid], (x, y, BOARD_TOP + M.pcb_glass), direction), (x, y, direction)
    assert not free(meshes[lid], (right + M.window_margin + 0.2, (lower + upper) / 2, LID_BOTTOM - 1))


def test_the_usb_socket_can_be_reached(meshes, board):
    socket = max((prism for prism in board.pieces["A1"].solids() if prism.low == -3.7), key=lambda prism: prism.high)
    ys = [y for _, y in socket.outline]
    assert min(x for x, _ in socket.outline) < -places.SIZE[0] / 2 - 1, "it reaches into the wall"
    outwards = (-1.0, 0.00013, 0.00017)
    for y in (min(ys), max(ys)):
        for z in (socket.low, socket.high):
            assert free(meshes["board_base"], (-37, y, BOARD_BOTTOM + z), outwards)
    assert middle_of_wall(meshes["board_base"], -38.5, sum(ys) / 4) == pytest.approx(sum(ys) / 4, abs=CLOSE_MM)


def middle_of_wall(mesh, x, y):
    """Return the middle along y of an opening in a side wall, at the height of USB."""
    z = BOARD_BOTTOM - M.pico_thick - M.usb_middle
    ends = [sign * hits(mesh, (x, y, z), (0.00013, float(sign), 0.00017))[0] for sign in (-1, 1)]
    return y + sum(ends) / 2


def test_the_knob_is_free_in_both_positions_and_the_dot_shows_where_it_is_on(meshes, board):
    switch = board.pieces["SW7"]
    knob = min(switch.solids(), key=lambda prism: prism.high - prism.low)
    pads = {pad.number: pad.at for pad in switch.pads}
    (_, y), travel = switch.middle, 1.0
    outwards = (1.0, 0.00013, 0.00017)
    for dy in (-travel, travel):
        for z in (knob.low, knob.high):
            assert free(meshes["board_base"], (37, y + dy, BOARD_BOTTOM + z), outwards), (dy, z)
    assert math.copysign(1, pads["1"][1] - pads["2"][1]) == M.pcb_knob_on, "pole 1 is joined when the knob is there"
    dot = y + M.pcb_knob_on * (M.knob_dish[0] / 2 + 2.5)
    wall = hits(meshes["board_base"], (45, dot, BOARD_BOTTOM - M.knob_under_board), (-1.0, 0.00013, 0.00017))[0]
    assert wall == pytest.approx(45 - 40 + 0.5, abs=0.05), "the dot is cut into the wall"


def test_buzzer_and_i2c_have_openings(meshes, board):
    outwards = (0.00013, 1.0, 0.00017)
    for name in ("BZ1", "J4"):
        x, _ = board.pieces[name].middle
        solids = board.pieces[name].solids()
        z = BOARD_BOTTOM + min(prism.low for prism in solids) / 2
        assert free(meshes["board_base"], (x, 43, z), outwards), name


def test_the_generated_places_are_those_of_the_description():
    assert list(map(tuple, M.pcb_keys)) == places.KEYS and tuple(M.pcb_row_242) == places.DISPLAY_ROW
    assert scad.places_scad("x").splitlines()[2:] == [
        line for line in (SOURCES / "board_places.scad").read_text().splitlines()[2:]
    ]


# --- heights ---


def inside_plastic(case, board):
    """Return the names of parts that reach into one of these meshes."""
    width, height = places.SIZE
    boxes = [("board", (0, 0), (width - 2, height - 2), BOARD_BOTTOM + 0.05, BOARD_TOP - 0.05)]
    boxes.append(("holder", M.holder_at, M.holder, M.floor_height + 0.05, M.floor_height + M.holder[2]))
    for name, piece in board.pieces.items():
        for prism in piece.solids():
            xs, ys = [x for x, _ in prism.outline], [y for _, y in prism.outline]
            size = max(xs) - min(xs), max(ys) - min(ys)
            spot = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
            boxes.append((name, spot, size, BOARD_BOTTOM + prism.low, BOARD_BOTTOM + prism.high))
    return {
        name for name, *box in boxes for point in points(*box, step=6.0) if any(inside(mesh, point) for mesh in case)
    }


def test_nothing_of_the_board_is_inside_plastic(meshes, board):
    assert inside_plastic([meshes["board_base"], meshes["board_lid_2.42"]], board) == set()


def test_a_lid_that_is_too_low_and_a_part_over_a_pillar_are_noticed(meshes, board):
    low = meshes["board_lid_2.42"].copy()
    low.apply_translation([0, 0, -3])
    assert "J1" in inside_plastic([low], board), "its display stands in the lid"
    plug = copy.deepcopy(board)
    plug.pieces["J5"].at = places.HOLES[1]
    assert inside_plastic([meshes["board_base"]], plug) == {"J5"}


def overlap(board):
    """Return the names of parts that reach into the holder of the cells."""
    (x, y), (wide, high, tall) = M.holder_at, M.holder
    found = set()
    for piece in board.pieces.values():
        for prism in piece.solids():
            xs, ys = [a for a, _ in prism.outline], [b for _, b in prism.outline]
            over = (
                max(xs) > x - wide / 2 and min(xs) < x + wide / 2 and max(ys) > y - high / 2 and min(ys) < y + high / 2
            )
            if over and BOARD_BOTTOM + prism.low < M.floor_height + tall + 0.5:
                found.add(piece.name)
    return found


def test_the_cells_have_room_under_the_board(board):
    assert overlap(board) == set()


def test_a_plug_over_the_cells_and_a_lid_in_the_wrong_place_are_noticed(meshes, board):
    plug = board.pieces["J5"]
    before, plug.at = plug.at, (0, -17.5)
    assert overlap(board) == {"J5"}
    plug.at = before
    moved = meshes["board_lid_2.42"].copy()
    moved.apply_translation([0.3, 0, 0])
    x, y = board.pieces["SW1"].middle
    assert math.dist(middle(moved, x, y, LID_BOTTOM + 1), (x, y)) > CLOSE_MM


def test_caps_cover_the_knobs_of_the_keys(meshes):
    low = meshes["board_keys"].bounds[0][2]
    for key in range(6):
        x, y = (key % 3 - 1) * 15, (key // 3 - 0.5) * -15
        assert hits(meshes["board_keys"], (x, y, low - 1), UP)[0] == pytest.approx(1 + M.cap_socket_depth, abs=0.02)
        assert hits(meshes["board_keys"], (x, y, 30), DOWN)
