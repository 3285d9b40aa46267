"""Check the meshes of the case: closed, small enough, and with every opening in its place."""

import math

import numpy
import pytest
import trimesh
from helpers.meshes import DOWN, OUTWARDS, UP, free, hits, inside, points, spread
from kiebitz.widgets.keys import NAMES
from kiebitz_lab.frozen_tree import ROOT
from kiebitz_lab.hardware.case import PARTS, Measures, built, signs

M = Measures()
LIDS = ("lid_0.96", "lid_1.3", "lid_2.42")
BASES = {"lid_0.96": "base", "lid_1.3": "base", "lid_2.42": "base_2.42"}
DISPLAYS = {"base": "0.96", "base_2.42": "2.42"}

BOARD_BOTTOM = M.floor_height + M.under_board
BOARD_TOP = BOARD_BOTTOM + M.board[2]
LID_BOTTOM = BOARD_TOP + M.switch_height - M.cap_socket_depth + M.cap_flange_height + M.cap_travel
LID_TOP = LID_BOTTOM + M.lid_height


def up(base):
    """Return how far the upper wall of a base is from the upper wall of the narrow base."""
    return M.inside(DISPLAYS[base])[3] - M.inside("0.96")[3]


@pytest.fixture(scope="session")
def meshes():
    """Return each part in its position in the closed case."""
    found = {path.stem: trimesh.load_mesh(path) for path in built()}
    for lid in LIDS:  # it is printed with its face down
        found[lid].apply_transform(numpy.diag([-1.0, 1.0, -1.0, 1.0]))
        found[lid].apply_translation([0, 0, LID_TOP])
    return found


def bodies(mesh):
    """Return the separate pieces of a mesh, as lists of the points they consist of."""
    names = {}

    def root(key):
        while names.setdefault(key, key) != key:
            names[key] = names[names[key]]
            key = names[key]
        return key

    for a, b in mesh.edges_unique:
        names[root(a)] = root(b)
    groups = {}
    for vertex in range(len(mesh.vertices)):
        groups.setdefault(root(vertex), []).append(mesh.vertices[vertex])
    return [numpy.array(group) for group in groups.values()]


# --- every part ---


@pytest.mark.parametrize("part", PARTS)
def test_every_part_is_closed(meshes, part):
    mesh = meshes[part]
    assert mesh.is_watertight and mesh.is_winding_consistent and mesh.is_volume
    assert mesh.volume > 0


@pytest.mark.parametrize("part", PARTS)
def test_every_part_fits_the_bed(meshes, part):
    assert all(size <= limit for size, limit in zip(meshes[part].extents, M.bed, strict=True)), meshes[part].extents


def test_the_guide_tells_the_sizes_of_the_parts(meshes):
    guide = (ROOT / "hardware" / "README.md").read_text("utf-8")
    for part in PARTS:
        x, y, z = meshes[part].extents
        line = next(line for line in guide.splitlines() if line.startswith("|") and f"`{part}.stl`" in line)
        assert f"{x:.0f} × {y:.0f} × {z:.0f} mm" in line
    assert f"a bed of {M.bed[0]} × {M.bed[1]} mm" in guide


def test_nothing_lies_loose(meshes):
    assert {part: len(bodies(meshes[part])) for part in PARTS} == {part: 6 if part.endswith("keys") else 1 for part in PARTS}


@pytest.mark.parametrize("lid", LIDS)
def test_lid_and_base_meet_without_overlapping(meshes, lid):
    base = meshes[BASES[lid]]
    assert base.bounds[1][2] == pytest.approx(LID_BOTTOM)
    assert meshes[lid].bounds[1][2] == pytest.approx(LID_TOP)
    assert base.bounds[:, :2] == pytest.approx(meshes[lid].bounds[:, :2])
    below = [vertex for vertex in meshes[lid].vertices if vertex[2] < LID_BOTTOM - 0.05]
    assert below and not any(inside(base, vertex) for vertex in below)


# --- window ---


@pytest.mark.parametrize("lid", LIDS)
def test_the_window_is_over_the_lit_area_also_for_a_player_who_sits_in_front(meshes, lid):
    mesh = meshes[lid]
    display = lid.removeprefix("lid_")
    left, lower, right, upper = M.lit_area(display)
    glass = BOARD_TOP + M.oled(display)[6]
    slanted = (0.00013, -math.tan(math.radians(50)), 1.0)
    sideways = (math.tan(math.radians(30)), 0.00017, 1.0)
    for x in spread(left, right):
        for y in spread(lower, upper):
            for direction in (UP, slanted, sideways):
                assert free(mesh, (x, y, glass), direction), (x, y, direction)


@pytest.mark.parametrize("lid", LIDS)
def test_the_window_is_not_larger_than_it_must_be(meshes, lid):
    left, lower, right, upper = M.lit_area(lid.removeprefix("lid_"))
    x, y = (left + right) / 2, (lower + upper) / 2
    edge, below = M.window_margin + 0.2, M.window_below + 0.2
    for at in ((left - edge, y), (right + edge, y), (x, upper + edge), (x, lower - below)):
        assert not free(meshes[lid], (*at, LID_BOTTOM - 1))


# --- keys ---


@pytest.mark.parametrize("lid", LIDS)
@pytest.mark.parametrize("key", range(len(NAMES)), ids=NAMES)
def test_each_cap_has_its_hole_over_its_switch(meshes, lid, key):
    x, y = M.key_middles()[key]
    half = M.cap_size[key] / 2
    for dx, dy in ((0, 0), (half, 0), (-half, 0), (0, half), (0, -half)):
        assert free(meshes[lid], (x + dx, y + dy, LID_BOTTOM - 1)), "the cap goes through"
    kept = half + M.cap_flange - 0.1
    for dx, dy in ((kept, 0), (-kept, 0), (0, kept), (0, -kept)):
        assert not free(meshes[lid], (x + dx, y + dy, LID_BOTTOM - 1)), "its flange does not"


def test_each_cap_shows_the_sign_of_the_screen(meshes):
    """Check each pixel of the sign with a line from above: cut in where it is set, flat elsewhere."""
    top = meshes["keys"].bounds[1][2]
    for key, rows in enumerate(signs().values()):
        x, y = (key % 3 - 1) * 15, (key // 3 - 0.5) * -15
        for down, row in enumerate(rows):
            for across, pixel in enumerate(row):
                at_x = x + (across - (len(row) - 1) / 2) * M.sign_pixel
                at_y = y + ((len(rows) - 1) / 2 - down) * M.sign_pixel
                deep = hits(meshes["keys"], (at_x, at_y, top + 1), DOWN)[0] - 1
                assert deep == pytest.approx(M.sign_depth if pixel == "#" else 0, abs=0.02), (NAMES[key], rows)


def test_each_cap_has_its_size_and_a_socket_for_the_knob(meshes):
    height = LID_TOP + M.cap_above_lid - (BOARD_TOP + M.switch_height - M.cap_socket_depth)
    sizes = []
    for body in bodies(meshes["keys"]):
        low, high = body.min(axis=0), body.max(axis=0)
        assert high[2] - low[2] == pytest.approx(height)
        sizes.append(round(float(high[0] - low[0]) - 2 * M.cap_flange, 3))
        x, y = (low[:2] + high[:2]) / 2
        inner, outer = M.switch_knob / 2, M.switch_knob / 2 + 0.6
        assert hits(meshes["keys"], (x + inner, y, -1), UP)[0] == pytest.approx(1 + M.cap_socket_depth, abs=0.01)
        assert hits(meshes["keys"], (x + outer, y, -1), UP)[0] == pytest.approx(1, abs=0.01)
    assert sorted(sizes) == sorted(M.cap_size)


# --- openings of the base ---


@pytest.mark.parametrize("base", DISPLAYS)
def test_the_usb_socket_can_be_reached_and_the_wall_is_closed_beside_it(meshes, base):
    x = M.pico_at[0]
    z = M.floor_height + M.pico_foot + M.pico[2] + M.usb_middle
    start = M.pico_at[1] + M.pico[1] / 2 + up(base)
    for dx in (-3.9, 0, 3.9):
        for dz in (-1.35, 0, 1.35):
            assert free(meshes[base], (x + dx, start, z + dz), OUTWARDS)
    assert not free(meshes[base], (x + M.usb_plug[0] / 2 + 0.5, start, z), OUTWARDS)
    face = start + M.usb_overhang
    at_the_skin = hits(meshes[base], (x + M.usb_socket[0] / 2 + 0.7, face + 5, z), (0.00013, -1.0, 0.00017))[0]
    assert face + 5 - at_the_skin - face < 0.4, "the body of the plug comes close to the socket"


@pytest.mark.parametrize("lid", LIDS)
def test_the_screws_go_through_the_base_into_the_lid(meshes, lid):
    base = BASES[lid]
    for x, y in M.screws(DISPLAYS[base]):
        assert free(meshes[base], (x, y, -1))
        beside = hits(meshes[base], (x + 1.6, y, -1), UP)
        assert M.screw_head_depth < beside[0] - 1 < M.screw_head_depth + 1, "the head is held"
        through_board = (abs(x), abs(y)) == (M.board_holes[0] / 2, M.board_holes[1] / 2)
        end = BOARD_BOTTOM if through_board else BOARD_TOP - M.post_play
        assert beside[1] - 1 == pytest.approx(end, abs=0.02), "the board, or the post of the lid, rests on the pillar"
        first = hits(meshes[lid], (x, y, BOARD_TOP - 1), UP)[0] - 1 + BOARD_TOP
        assert first == pytest.approx(LID_BOTTOM, abs=0.02), "the pilot hole ends inside the lid"
        wall = hits(meshes[lid], (x + 1.4, y, BOARD_TOP - 1), UP)[0]
        assert wall == pytest.approx(1, abs=0.02), "the post stands on the board, or on the pillar"


def test_short_screws_hold_the_upper_edge_of_the_board_in_the_wide_case(meshes):
    y = M.board_holes[1] / 2
    for x in (-M.board_holes[0] / 2, M.board_holes[0] / 2):
        bottom = hits(meshes["base_2.42"], (x, y, BOARD_BOTTOM + 1), DOWN)[0] - 1
        assert bottom == pytest.approx(6, abs=0.1), "a hole for them, closed below"
        assert hits(meshes["base_2.42"], (x + 1.6, y, BOARD_BOTTOM + 1), DOWN)[0] == pytest.approx(1, abs=0.02)


def test_the_clip_goes_over_its_pegs_and_leaves_the_pads_of_the_pico_free(meshes):
    clip = meshes["clip"]
    for x in (-M.pico_holes[0] / 2, M.pico_holes[0] / 2):
        assert free(clip, (x, 0, -1)) and M.pico_clip_hole >= M.pico_peg
    pads = 8.89 - 0.8  # the inner edge of the rows of pads, from the middle of the Pico
    assert clip.extents[0] / 2 < pads - 0.3
    (x, y), foot = M.pico_at, M.floor_height + M.pico_foot
    for base in DISPLAYS:
        far = y + up(base) - M.pico_holes[1] / 2
        top = hits(meshes[base], (x + M.pico_holes[0] / 2, far, LID_BOTTOM), DOWN)[0]
        assert LID_BOTTOM - top > foot + M.pico[2] + M.pico_clip[2], "the pegs come out of the bar"
        assert LID_BOTTOM - top < BOARD_BOTTOM - 2.5, "and do not reach the legs of the board"


# --- the stand of the ready-made board, on its side in its file ---


def test_the_ready_made_board_fits_its_stand_and_its_picture_is_not_hidden(meshes):
    stand = meshes["stand"]
    tilt = math.radians(M.stand_tilt)
    along, inwards = (math.cos(tilt), math.sin(tilt)), (math.sin(tilt), -math.cos(tilt))
    edge = (0, M.stand_wall + (M.stand_device[2] + M.stand_play) * math.cos(tilt))
    middle = M.stand_width / 2

    def at(up, deep):
        return edge[0] + along[0] * up + inwards[0] * deep, edge[1] + along[1] * up + inwards[1] * deep, middle

    for up_ in spread(0.1, M.stand_device[1]):
        for deep in spread(0.1, M.stand_device[2]):
            assert not inside(stand, at(up_, deep)), (up_, deep)
    outwards = (-inwards[0], -inwards[1], 0.00017)
    for up_ in spread(1.5, M.stand_device[1]):
        assert free(stand, at(up_, 0.05), outwards), "nothing stands in front of the picture"
    inward = (*inwards, 0.00017)
    assert hits(stand, at(10, 1), inward)[0] < M.stand_device[2] + M.stand_play, "its back leans on something"
    assert hits(stand, at(1, 1), (-along[0], -along[1], 0.00017))[0] == pytest.approx(1, abs=0.1), "and it stands"
    assert M.stand_width < M.stand_device[0] - 10, "both ends are free"


def test_no_press_of_a_key_tips_the_stand(meshes):
    tilt = math.radians(M.stand_tilt)
    low = M.stand_wall + (M.stand_device[2] + M.stand_play) * math.cos(tilt)
    top = M.stand_device[1] * math.cos(tilt), low + M.stand_device[1] * math.sin(tilt)
    meets_the_table = top[0] + top[1] * math.tan(tilt)  # a push straight onto the upper edge
    assert meshes["stand"].bounds[1][0] >= meets_the_table - 0.01


# --- no collisions ---


@pytest.mark.parametrize("name", DISPLAYS)
def test_what_lies_in_the_base_is_not_inside_its_plastic(meshes, name):
    base = meshes[name]
    bottom = M.floor_height + 0.05
    foot = M.floor_height + M.pico_foot
    boxes = [
        (M.battery_at, M.battery, bottom, bottom + M.battery[2]),
        (M.charger_at, M.charger, bottom, bottom + M.charger[2]),
        ((M.buzzer_at[0], M.buzzer_at[1] + up(name)), [M.buzzer[0] * 0.7] * 2, bottom, bottom + M.buzzer[1]),
    ]
    for box in boxes:
        for point in points(*box):
            assert not inside(base, point), point
    (x, y), (across, along) = (M.pico_at[0], M.pico_at[1] + up(name)), M.pico_holes
    pegs = [(x + i * across / 2, y + j * along / 2) for i in (-1, 1) for j in (-1, 1)]
    for point in points((x, y), M.pico, foot + 0.05, foot + M.pico[2] + 2.5, 2.0):
        if min(math.dist(point[:2], peg) for peg in pegs) > M.pico_peg / 2 + 0.1:
            assert not inside(base, point), point


@pytest.mark.parametrize("lid", LIDS)
def test_board_switches_and_display_are_not_inside_plastic(meshes, lid):
    display = lid.removeprefix("lid_")
    width, height, *_, glass = M.oled(display)
    boxes = [((0, 0), M.board, BOARD_BOTTOM + 0.05, BOARD_TOP - 0.05, 5.0)]
    boxes += [(at, M.switch_body, BOARD_TOP, BOARD_TOP + M.switch_body[2], 3.0) for at in M.key_middles()]
    boxes.append((M.module(display), (width, height), BOARD_TOP + 2.5, BOARD_TOP + glass, 3.0))
    for box in boxes:
        for point in points(*box):
            assert not inside(meshes[BASES[lid]], point) and not inside(meshes[lid], point), point


@pytest.mark.parametrize("base", DISPLAYS)
def test_the_board_is_held_at_its_edges_where_thumbs_press(meshes, base):
    x, y = M.board[0] / 2 - 0.5, M.board[1] / 2 - 0.5
    for at in ((x, 0), (-x, 0), (0, -y)):
        support = hits(meshes[base], (*at, BOARD_BOTTOM + 1), DOWN)[0]
        assert support == pytest.approx(1, abs=0.01)


# --- the tests can fail ---


def test_a_lid_in_the_wrong_place_is_noticed(meshes):
    moved = meshes["lid_0.96"].copy()
    moved.apply_translation([3, 0, 0])
    left, lower, right, upper = M.lit_area("0.96")
    assert not all(free(moved, (x, (lower + upper) / 2, LID_BOTTOM - 1)) for x in spread(left, right))
    x, y = M.key_middles()[0]
    assert not free(moved, (x - M.cap_size[0] / 2, y, LID_BOTTOM - 1))


def test_an_open_mesh_is_noticed(meshes):
    torn = meshes["keys"].copy()
    torn.update_faces(numpy.arange(len(torn.faces)) > 0)
    assert not torn.is_watertight
