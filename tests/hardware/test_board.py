"""The board follows the rules of its design, and each rule notices a deliberate mistake."""

import copy
import csv
import io
from zipfile import ZipFile

import pytest
from kiebitz.board.profiles import PROFILES
from kiebitz_lab.frozen_tree import ROOT
from kiebitz_lab.hardware.board import build, pictures, places, rules
from kiebitz_lab.hardware.board.bom import device_sums
from kiebitz_lab.hardware.board.reading import Track, read_board
from kiebitz_lab.hardware.board.router import Rect, Router
from kiebitz_lab.hardware.board.schematic import BLOCKS
from kiebitz_lab.hardware.board.silk import silk
from kiebitz_lab.hardware.case import drawn_from

COMMITTED = ROOT / "hardware" / "board"
VALUES = {part.name: part.kind.name for part in places.PARTS}


@pytest.fixture(scope="session")
def read():
    return read_board(COMMITTED / "kiebitz.kicad_pcb")


@pytest.fixture
def board(read):
    return copy.deepcopy(read)


@pytest.fixture(scope="session")
def tested_nets():
    with ZipFile(COMMITTED / build.FAB) as packed:
        return rules.ipc_nets(packed.read("kiebitz.ipc").decode())


@pytest.fixture
def nets(tested_nets):
    return copy.deepcopy(tested_nets)


def moved(nets, end, net):
    """Return the nets with a pin soldered to another one."""
    for ends in nets.values():
        if end in ends:
            ends.remove(end)
    nets.setdefault(net, []).append(end)
    return nets


def test_pictures_are_of_this_board():
    drawn = sorted(path.stem for path in COMMITTED.glob("*.png"))
    assert drawn == sorted(pictures.PICTURES)
    for name in drawn:
        stamp = drawn_from((COMMITTED / f"{name}.png").read_bytes())
        assert stamp == pictures.digest(), f"hardware/board/{name}.png is stale: run make board"


def test_the_blocks_of_the_schematic_are_on_the_sheet_and_apart():
    frame, title_block = (5, 5, 160, 112), (117, 99, 160, 112)
    areas = [title_block]
    for title, left, top, width, (wide, high), names in BLOCKS:
        rows = -(-len(list(names)) // (width // wide))
        area = left, top, left + width, top + 2 + rows * high
        assert area[0] >= frame[0] and area[1] >= frame[1] and area[2] <= frame[2] and area[3] <= frame[3], title
        for other in areas:
            apart = area[2] <= other[0] or area[0] >= other[2] or area[3] <= other[1] or area[1] >= other[3]
            assert apart, f"{title} lies over another block"
        areas.append(area)


# --- connections, read back from the board ---


def test_the_nets_of_the_board_are_those_of_the_description(board, nets):
    assert {net: sorted(ends) for net, ends in nets.items()} == {
        net: sorted(set(ends)) for net, ends in board.nets().items()
    }
    assert {net: sorted(set(ends)) for net, ends in places.nets().items()} == {
        net: sorted(set(ends)) for net, ends in board.nets().items()
    }


def test_every_pin_of_every_claimed_profile_goes_where_it_should(nets):
    assert rules.profiles(nets) == []
    assert set(places.CLAIMS) <= set(PROFILES)


def test_swapped_wires_are_noticed(nets):
    swapped = moved(moved(nets, ("J1", "3"), "SDA"), ("J1", "4"), "SCL")
    one, other = (f"GP{getattr(PROFILES['pico_oled_242'].display, name)}" for name in ("sda", "scl"))
    wrong = rules.profiles(swapped)
    assert wrong[:2] == [
        f"pico_oled: {one} is not connected to J1, pin 4.",
        f"pico_oled: {other} is not connected to J1, pin 3.",
    ]
    assert len(wrong) == 6, "three profiles have this row"


def test_a_pin_that_no_profile_uses_is_noticed(nets):
    assert rules.profiles(moved(nets, ("A1", "20"), "SDA")) == [
        "pin 20 of the Pico is connected and no profile uses it."
    ]


def test_each_key_has_one_resistor(nets):
    assert rules.keys(nets, VALUES) == []


def test_a_key_without_its_resistor_is_noticed(nets):
    assert rules.keys(moved(nets, ("R5", "2"), "OK"), VALUES) == [
        "OK must be joined with one resistor of 1 kΩ and nothing else, not with []."
    ]
    assert len(rules.keys(nets, {**VALUES, "R6": "100 Ω"})) == 2
    assert "UP does not go to ground." in rules.keys(moved(nets, ("SW1", "2"), "3V3"), VALUES)


def test_cells_usb_and_logic_meet_only_through_mosfet_or_diode(nets):
    assert rules.supplies(nets) == []


@pytest.mark.parametrize(
    ("end", "net", "sentence"),
    [
        (("SW7", "2"), "VSYS", "AA+ and VSYS meet without a MOSFET or diode."),
        (("SW7", "3"), "LIPO+", "AA+ and LIPO+ meet without a MOSFET or diode."),
        (("R10", "2"), "VBUS", "VSYS and VBUS meet without a MOSFET or diode."),
        (("R7", "2"), "VBUS", "VBUS and 3V3 meet without a MOSFET or diode."),
        (("C1", "2"), "3V3", "C1 has both VBUS and 3.3 V."),
        (("J4", "2"), "VBUS", "J4 has both VBUS and 3.3 V."),
        (("J3", "2"), "VSYS", "J3 has both VSYS and 3.3 V."),
        (("JP2", "1"), "VBUS", "J1 has both VBUS and 3.3 V."),
    ],
)
def test_supplies_that_meet_are_noticed(nets, end, net, sentence):
    wrong = moved(nets, end, net)
    if end[0] == "R10":
        moved(wrong, ("R10", "1"), "VSYS")
    assert sentence in rules.supplies(wrong)


def test_cells_only_feed_and_usb_switches_the_mosfet_off(nets):
    assert rules.directions(nets) == []


@pytest.mark.parametrize(
    ("first", "second", "sentences"),
    [
        (("Q1", "2"), ("Q1", "3"), ["Q1 does not conduct from AA+ to VSYS."]),
        (("D2", "1"), ("D2", "2"), ["D2 does not conduct from LIPO+ to VSYS."]),
        (("D1", "1"), ("D1", "3"), ["D1 does not conduct from VBUS to GATE."]),
        (("D1", "2"), ("D1", "3"), ["D1 does not conduct from LIPO+ to GATE."]),
        (("R10", "2"), ("J4", "2"), ["the gate of Q1 must have one resistor to ground."]),
        (("Q1", "1"), ("D2", "2"), ["the gate of Q1 must have one resistor to ground."]),
    ],
)  # fmt: skip
def test_a_mosfet_or_diode_the_wrong_way_round_is_noticed(nets, first, second, sentences):
    one, other = rules.net_of(nets, first), rules.net_of(nets, second)
    wrong = rules.directions(moved(moved(nets, first, other), second, one))
    assert [sentence for sentence in sentences if sentence not in wrong] == []


def test_sda_and_scl_have_one_pull_up_and_are_short(nets, board):
    assert rules.pull_ups(nets, board) == []


def test_a_second_pull_up_and_a_long_bus_are_noticed(nets, board):
    moved(nets, ("R6", "1"), "SDA")
    board.tracks.append(Track("SCL", "F.Cu", (0, 0), (0, 90), 0.25))
    wrong = rules.pull_ups(nets, board)
    assert wrong[0].startswith("SDA must have one pull-up to 3.3 V, not ['R") and wrong[1].startswith("SCL is ")


# --- copper, screws, antenna ---


def test_copper_keeps_away_from_edge_screws_and_antenna(board):
    assert rules.edge(board) + rules.screws(board) + rules.antenna(board) + rules.test_pads(board) == []


def test_copper_at_the_edge_is_noticed(board):
    board.tracks.append(Track("SDA", "F.Cu", (0, 0), (37.3, 0), 0.24))
    assert rules.edge(board) == ["a track of SDA at (37.3, 0) is 0.08 mm from the edge."]
    corner = board.tracks[-1].end = (36.4, 42.4)
    assert rules.edge(board) == [f"a track of SDA at {corner} is -0.01 mm from the edge."], "in a round corner"


def test_a_buzzer_over_a_screw_is_noticed(board):
    x, y = places.HOLES[1]
    board.pieces["BZ1"].at = (x - 8, y - 4)
    assert rules.screws(board) == [f"BZ1 is under the screw at {places.HOLES[1]}."]


def test_a_track_under_a_screw_and_a_moved_hole_are_noticed(board):
    (x, y), *_ = places.HOLES
    board.tracks.append(Track("3V3", "B.Cu", (x - 2, y - 9), (x - 2, y + 2), 0.6))
    for pad in board.pieces["H4"].pads:
        pad.at = (0, 0)
    assert rules.screws(board) == [
        f"a track of 3V3 is under the screw at {places.HOLES[0]}.", f"H4 is not at {places.HOLES[3]}."
    ]  # fmt: skip


def test_copper_under_the_antenna_is_noticed(board):
    board.tracks.append(Track("OK", "F.Cu", (0, 17), (20, 17), 0.25))
    board.pieces["TP1"].pads[0].at = (10, 17)
    board.areas.append(("GND", "B.Cu", [(0, 0), (20, 0), (20, 30), (0, 30)]))
    assert rules.antenna(board) == [
        "a track of OK is under the antenna.", "a pad of TP1 is under the antenna.",
        "the copper area of GND on B.Cu is under the antenna.",
    ]  # fmt: skip


def test_a_missing_test_pad_is_noticed(board):
    del board.pieces["TP1"]
    assert rules.test_pads(board) == [f"{next(iter(places.nets()))} has no test pad."]


# --- what is printed, listed and placed ---


def test_every_print_is_beside_what_it_names(board):
    assert rules.prints(silk(""), board) == []


@pytest.mark.parametrize(
    ("first", "second"), [("+", "-"), ("OK", "UNDO"), ("RES", "DC"), ("GND", "VCC"), ("CS", "BLK"), ("SWCLK", "SWDIO")]
)
def test_swapped_prints_are_noticed(board, first, second):
    swap = {first: second, second: first}
    shapes = [[swap.get(word, word) if isinstance(word, str) else word for word in shape] for shape in silk("")]
    wrong = rules.prints(shapes, board)
    assert any(sentence.startswith(f"{first} is printed beside {second} at ") for sentence in wrong)


def rows_of(name):
    return list(csv.DictReader(io.StringIO((COMMITTED / name).read_text("utf-8"))))


def test_the_parts_list_has_every_part_once(board):
    assert rules.parts_list(rows_of(build.BOM), board) == []


def test_a_wrong_parts_list_is_noticed(board):
    first, second, *rest = rows_of(build.BOM)
    assert rules.parts_list([second, *rest], board) == ["A1 is not listed."]
    assert rules.parts_list([first, first, second, *rest], board) == ["A1 is listed twice, or is not on the board."]
    wrong = {**second, "Designator": "SW1,SW2,SW3,SW4,SW5", "Second source": ""}
    found = rules.parts_list([first, wrong, *rest], board)
    assert found[0] == f"{second['Comment']}: 6 are not 5." and found[-1] == "SW6 is not listed."
    assert found[1].startswith("SW1: Second source is , not ")
    board.pieces["BZ1"].fitted = False
    assert rules.parts_list([first, second, *rest], board) == ["BZ1: Fitted by is hand, not nobody."]


def test_the_factory_fits_what_the_positions_list_says(board):
    assert rules.positions(rows_of(build.POSITIONS), board) == []


def test_wrong_positions_are_noticed(board):
    first, second, *rest = rows_of(build.POSITIONS)
    name = first["Designator"]
    assert rules.positions([second, *rest], board) == [f"{name} has no position."]
    wrong = {**first, "Mid X": "1.000mm", "Layer": "Top"}
    found = rules.positions([wrong, second, *rest], board)
    assert found == [f"{name} is at {board.pieces[name].at}, not at (1.0, {float(first['Mid Y'][:-2])}).",
                     f"{name} is on the other side."]  # fmt: skip
    assert rules.positions([first, second, *rest, {**second, "Designator": "BZ1"}], board) == [
        "BZ1 is not fitted by the factory, or listed twice."
    ]


@pytest.fixture(scope="module")
def stencil():
    with ZipFile(COMMITTED / build.FAB) as packed:
        return packed.read("kiebitz-B_Paste.gbp").decode()


def test_the_stencil_is_open_where_the_factory_puts_a_part_and_nowhere_else(stencil):
    assert rules.paste(stencil, rows_of(build.POSITIONS)) == []


def test_paste_under_the_pico_none_under_a_part_and_another_origin_are_noticed(stencil):
    rows = rows_of(build.POSITIONS)
    name = rows[0]["Designator"]
    assert rules.paste(stencil.replace(f"%TO.C,{name}*%", "%TO.C,A1*%"), rows) == [
        f"{name} gets no solder paste.", "A1 gets solder paste, but the factory does not fit it."
    ]  # fmt: skip
    moved = [{**row, "Mid X": f"{float(row['Mid X'][:-2]) + 100}mm"} for row in rows]
    assert rules.paste(stencil, moved) == [
        f"the solder paste of {row['Designator']} is 100.0 mm from its position." for row in rows
    ]


def test_the_guide_quotes_the_sums_and_names_the_files(board):
    guide = (COMMITTED / "README.md").read_text("utf-8")
    one, ten, hundred = (round(value) for value in device_sums())
    assert f"Estimates for one device: {one} € alone, {ten} € each of ten, {hundred} € each of a hundred" in " ".join(
        guide.split()
    )
    assert build.FAB in guide and "No board has been made yet" in guide
    for number in range(1, 6):
        assert f'src="step{number}.png"' in guide


def test_a_release_without_kicad_takes_the_committed_files_and_says_so(monkeypatch, capsys):
    monkeypatch.setenv("PATH", "/nowhere")
    files = build.for_release("https://kiebitz.example")
    assert files == build.for_release("") == [COMMITTED / name for name in (build.FAB, build.BOM, build.POSITIONS)]
    assert all(path.exists() for path in files)
    assert capsys.readouterr().out == (
        "kiebitz: the board needs KiCad 9; without it, use the files in hardware/board as they are.\n"
    )


# --- the router ---


def routed(rects, pads):
    router = Router(
        20, 20, {"A": 0.25, "B": 0.25}, rects + [rect for group in pads.values() for pad in group for rect in pad], 0.5
    )
    return router.route(pads)


def pad(x, y, net, layers=(0, 1)):
    return [Rect(x - 0.5, y - 0.5, x + 0.5, y + 0.5, layer, net) for layer in layers]


def test_two_nets_that_cross_go_over_two_layers():
    tracks = routed([], {"A": [pad(3, 10, "A"), pad(17, 10, "A")], "B": [pad(10, 3, "B"), pad(10, 17, "B")]})
    assert {track.net for track in tracks} == {"A", "B"}
    assert {layer for track in tracks for layer in track.layers} == {0, 1}
    assert tracks == routed([], {"A": [pad(3, 10, "A"), pad(17, 10, "A")], "B": [pad(10, 3, "B"), pad(10, 17, "B")]})


def test_a_net_that_is_walled_in_is_named():
    wall = [Rect(8, 0, 9, 20, layer, "*") for layer in (0, 1)]
    with pytest.raises(ValueError, match="A is walled in: move some parts"):
        routed(wall, {"A": [pad(3, 10, "A"), pad(17, 10, "A")]})
