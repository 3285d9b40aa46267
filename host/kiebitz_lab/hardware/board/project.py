"""Write what KiCad needs beside the parts: an empty board with its layers, and the rules that it checks."""

import json

from .places import POWER, POWER_TRACK_MM, THICKNESS, TRACK_MM, VERSION
from .reading import ORIGIN
from .sexpr import Node, Text, write

GREEN = "#0B5D33EE"  # of the solder mask in the pictures: a card table

# What KiCad would complain about, and why that is intended. Everything else counts.
IGNORED = {
    "lib_footprint_mismatch": "we replace the 3D models, and remove solder paste from what is soldered by hand",
    "lib_symbol_mismatch": "symbols that are derived from others are written out in full",
    "footprint_filters_mismatch": "the parts list, not the symbol, says which footprint a part has",
}


def empty_board() -> str:
    """Return a board without parts."""
    layers: Node = ["layers"]
    for number, name, kind in [
        (0, "F.Cu", "signal"), (2, "B.Cu", "signal"), (9, "F.Adhes", "user"), (11, "B.Adhes", "user"),
        (13, "F.Paste", "user"), (15, "B.Paste", "user"), (5, "F.SilkS", "user"), (7, "B.SilkS", "user"),
        (1, "F.Mask", "user"), (3, "B.Mask", "user"), (17, "Dwgs.User", "user"), (25, "Edge.Cuts", "user"),
        (27, "Margin", "user"), (31, "F.CrtYd", "user"), (29, "B.CrtYd", "user"), (35, "F.Fab", "user"),
        (33, "B.Fab", "user"),
    ]:  # fmt: skip
        layers.append([number, Text(name), kind])
    stackup: Node = ["stackup"]
    for label, *facts in [
        ("F.SilkS", ["type", Text("Top Silk Screen")], ["color", Text("White")]),
        ("F.Paste", ["type", Text("Top Solder Paste")]),
        ("F.Mask", ["type", Text("Top Solder Mask")], ["color", Text(GREEN)], ["thickness", 0.01]),
        ("F.Cu", ["type", Text("copper")], ["thickness", 0.035]),
        ("dielectric 1", ["type", Text("core")], ["thickness", THICKNESS - 0.09], ["material", Text("FR4")],
         ["epsilon_r", 4.5], ["loss_tangent", 0.02]),
        ("B.Cu", ["type", Text("copper")], ["thickness", 0.035]),
        ("B.Mask", ["type", Text("Bottom Solder Mask")], ["color", Text(GREEN)], ["thickness", 0.01]),
        ("B.Paste", ["type", Text("Bottom Solder Paste")]),
        ("B.SilkS", ["type", Text("Bottom Silk Screen")], ["color", Text("White")]),
    ]:  # fmt: skip
        stackup.append(["layer", Text(label), *facts])
    stackup += [["copper_finish", Text("HAL lead-free")], ["dielectric_constraints", "no"]]
    return write([
        "kicad_pcb", ["version", "20241229"], ["generator", Text("kiebitz")], ["generator_version", Text("9.0")],
        ["general", ["thickness", THICKNESS], ["legacy_teardrops", "no"]], ["paper", Text("A4")],
        ["title_block", ["title", Text("Kiebitz")], ["rev", Text(VERSION)],
         ["comment", "1", Text("Made by `make board` from host/kiebitz_lab/hardware/board/places.py: change that.")]],
        layers,
        ["setup", stackup, ["pad_to_mask_clearance", 0], ["allow_soldermask_bridges_in_footprints", "no"],
         ["tenting", "front", "back"], ["aux_axis_origin", *ORIGIN]],
        ["net", 0, Text("")],
    ]) + "\n"  # fmt: skip


def project() -> str:
    """Return the project file with the rules of the cheapest offers of the fabs, and a little more room."""
    rules = {
        "min_clearance": 0.2, "min_track_width": 0.25, "min_via_diameter": 0.6, "min_through_hole_diameter": 0.3,
        "min_via_annular_width": 0.13, "min_copper_edge_clearance": 0.3, "min_hole_clearance": 0.25,
        "min_hole_to_hole": 0.5, "min_silk_clearance": 0.0, "min_text_height": 1.0, "min_text_thickness": 0.15,
        "min_connection": 0.0, "min_resolved_spokes": 2, "solder_mask_to_copper_clearance": 0.0,
    }  # fmt: skip
    narrow = {
        "name": "Default", "clearance": 0.2, "track_width": TRACK_MM, "via_diameter": 0.6, "via_drill": 0.3,
        "microvia_diameter": 0.3, "microvia_drill": 0.1, "diff_pair_gap": 0.25, "diff_pair_width": 0.2,
        "diff_pair_via_gap": 0.25, "bus_width": 12, "wire_width": 6, "line_style": 0, "priority": 2147483647,
        "pcb_color": "rgba(0, 0, 0, 0.000)", "schematic_color": "rgba(0, 0, 0, 0.000)",
    }  # fmt: skip
    content = {
        "board": {"design_settings": {"rules": rules, "drc_exclusions": [], "defaults": {}, "track_widths": [],
                                      "via_dimensions": [],
                                      "rule_severities": dict.fromkeys(IGNORED, "ignore")}},
        "erc": {"erc_exclusions": [], "rule_severities": {"lib_symbol_mismatch": "ignore"}},
        "net_settings": {
            "classes": [narrow, {**narrow, "name": "Power", "track_width": POWER_TRACK_MM, "priority": 0}],
            "netclass_patterns": [{"netclass": "Power", "pattern": net} for net in POWER], "meta": {"version": 4},
        },
        "meta": {"filename": "kiebitz.kicad_pro", "version": 3},
    }  # fmt: skip
    return json.dumps(content, indent=2) + "\n"
