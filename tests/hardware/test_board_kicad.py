"""KiCad finds nothing wrong with the board, notices mistakes, and builds the committed files again."""

import csv
import io
import json
import shutil
import subprocess
from zipfile import ZipFile

import numpy
import pytest
import trimesh
from kiebitz_host.outcome import Trouble
from kiebitz_lab.frozen_tree import ROOT
from kiebitz_lab.hardware.board import build, places, project, rules, schematic
from kiebitz_lab.hardware.board.reading import read_board
from kiebitz_lab.hardware.case import Measures

NPM = ROOT / "build" / "npm" / "node_modules"


@pytest.fixture(scope="session")
def fresh():
    return build.built()


@pytest.fixture
def copied(fresh, tmp_path):
    """Return a folder with a board to spoil."""
    for path in fresh.glob("kiebitz.kicad_???"):
        shutil.copy(path, tmp_path)
    return build.Kicad(tmp_path)


def complaints(run):
    build.check_schematic(run)
    build.check_board(run)
    return build.complaints(run.folder)


def test_kicad_finds_nothing_wrong_and_nothing_is_left_out_without_a_reason(fresh):
    assert build.complaints(fresh) == []
    rules = json.loads((fresh / "kiebitz.kicad_pro").read_text("utf-8"))
    assert rules["board"]["design_settings"]["drc_exclusions"] == rules["erc"]["erc_exclusions"] == []
    ignored = [*rules["board"]["design_settings"]["rule_severities"], *rules["erc"]["rule_severities"]]
    assert all(project.IGNORED[name] for name in ignored)


def test_kicad_notices_a_cut_track_a_moved_part_and_another_value(copied):
    board = copied.folder / "kiebitz.kicad_pcb"
    text = board.read_text("utf-8")
    start = text.index("\t(segment")
    text = text[:start] + text[text.index("\t(segment", start + 5) :]
    text = text.replace('"Value" "BAT54C"', '"Value" "1N4148"')
    piece = text.index('(footprint "Package_TO_SOT_SMD:SOT-23"')
    place = text.index("(at ", piece)
    text = text[:place] + "(at 90 130 90)" + text[text.index(")", place) + 1 :]
    board.write_text(text, "utf-8")
    found = {line.split(":")[0] for line in complaints(copied)}
    assert {"unconnected_items", "footprint_symbol_mismatch", "shorting_items"} <= found or {
        "unconnected_items", "footprint_symbol_mismatch", "clearance"
    } <= found, found  # fmt: skip


def test_kicad_notices_a_supply_that_nothing_feeds(copied):
    schematic = copied.folder / "kiebitz.kicad_sch"
    text = schematic.read_text("utf-8")
    schematic.write_text(text.replace('(global_label "VSYS"', '(global_label "VSYS2"', 1), "utf-8")
    assert any(
        line.startswith(("power_pin_not_driven", "isolated_pin_label", "net_conflict")) for line in complaints(copied)
    )


@pytest.mark.parametrize("name", build.FILES)
def test_the_committed_files_are_those_of_a_fresh_run(fresh, name):
    assert (fresh / name).read_bytes() == (build.COMMITTED / name).read_bytes(), (
        "run make board and commit hardware/board"
    )


def test_another_part_makes_the_committed_schematic_stale(monkeypatch):
    committed = (build.COMMITTED / "kiebitz.kicad_sch").read_text("utf-8")
    assert schematic.schematic() == committed
    other = [part._replace(kind=places.R_1K) if part.name == "R7" else part for part in places.PARTS]
    monkeypatch.setattr(schematic, "PARTS", other)
    assert schematic.schematic() != committed


def test_the_same_sources_give_the_same_bytes(fresh, tmp_path):
    again = build.build(tmp_path / "again")
    for name in (*build.FILES, "schematic.pdf", "kiebitz.step"):
        assert (again / name).read_bytes() == (fresh / name).read_bytes(), name


def test_the_qr_code_has_the_address_of_the_project_if_there_is_one():
    assert build.silk("https://kiebitz.example/board") != build.silk("")


def test_the_parts_list_is_that_of_the_schematic(fresh):
    drawn = {}
    for row in csv.DictReader(io.StringIO((fresh / "kicad.bom.csv").read_text("utf-8"))):
        for name in row["Reference"].split(","):
            drawn[name] = row["Order"], bool(row["DNP"])
    listed = {}
    for row in csv.DictReader(io.StringIO((fresh / build.BOM).read_text("utf-8"))):
        for name in row["Designator"].split(","):
            listed[name] = row["Order number"], row["Fitted by"] == "nobody"
    assert drawn == listed


def drawn_by_another_reader(folder):
    script = ROOT / "host" / "kiebitz_lab" / "hardware" / "board" / "gerbers.mjs"
    return json.loads(subprocess.run(["node", script, NPM, folder], capture_output=True, text=True, check=True).stdout)


def test_an_independent_reader_draws_the_gerbers_and_misses_what_is_not_there(fresh, tmp_path):
    with ZipFile(fresh / build.FAB) as packed:
        packed.extractall(tmp_path)
    assert rules.gerbers(drawn_by_another_reader(tmp_path)) == []
    (tmp_path / "kiebitz-Edge_Cuts.gm1").unlink()
    (tmp_path / "kiebitz-F_Mask.gts").rename(tmp_path / "unnamed.bin")
    layers, *others = rules.gerbers(drawn_by_another_reader(tmp_path))
    assert layers.startswith("the layers are ") and "outline" not in layers and "('soldermask', 'top')" not in layers
    assert others and others[0].startswith("the outline is "), "the size is that of the silk screen or copper"


def corners(pieces):
    """Return the corners of the solids of all parts on a board."""
    found = [(x, y, z) for piece in pieces.values() if piece.fitted for prism in piece.solids()
             for x, y in prism.outline for z in (prism.low, prism.high)]  # fmt: skip
    return numpy.unique(numpy.round(found, 4), axis=0)


def test_the_step_model_has_every_fitted_part_where_the_case_expects_it(fresh):
    """Compare KiCad's export, of the engine that makes the STEP file, with the solids that the case is checked with."""
    vertices = trimesh.load_mesh(fresh / "kiebitz.stl").vertices
    board = read_board(fresh / "kiebitz.kicad_pcb")

    def furthest():
        return max(numpy.abs(vertices - corner).max(axis=1).min() for corner in corners(board.pieces))

    assert furthest() < 0.12, "KiCad puts parts onto copper and mask"
    assert vertices[:, 2].min() == pytest.approx(corners(board.pieces)[:, 2].min(), abs=0.12)
    assert vertices[:, 2].max() == pytest.approx(corners(board.pieces)[:, 2].max(), abs=0.12)
    names = (fresh / "kiebitz.step").read_text("utf-8")
    fitted = {piece.footprint for piece in board.pieces.values() if piece.fitted and piece.solids()}
    assert all(name in names for name in fitted)
    x, y = board.pieces["J5"].at
    board.pieces["J5"].at = (x, y + 0.3)
    assert furthest() > 0.12, "a plug in another place is noticed"


def test_a_missing_kicad_is_said_in_one_sentence(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(
        Trouble, match="the board needs KiCad 9; without it, use the files in hardware/board as they are."
    ):
        build.kicad()


def test_the_case_and_the_board_have_the_same_thickness():
    assert Measures().board[2] == places.THICKNESS
