"""Check that pictures, journals, sheets and exports in a page, on MicroPython, equal those on CPython."""

import json
import subprocess
from array import array
from pathlib import Path
from zlib import crc32

import pytest
from kiebitz.games import GAMES
from kiebitz_host.languages import use
from kiebitz_host.league.names import league_of, stable_id
from kiebitz_host.library.derive import DerivedGame
from kiebitz_host.link.journal import sealed
from kiebitz_host.show.entries import effect, entries, sheet
from kiebitz_lab.chip.probes import ReferenceDevice, settled
from kiebitz_lab.handheld import presses
from kiebitz_lab.pages import npm_micropython
from kiebitz_lab.samples import SAMPLES, to_first_entry
from kiebitz_lab.site.build import STATIC
from kiebitz_lab.site.bundle import device_image, laptop_image
from rich.table import Table
from rich.text import Text

HERE = Path(__file__).parent
BOARDS = ("pico_oled", "pico_lcd_13")
# A game from the start screen on, its first entry taken back and made again; the language was chosen before
MENUS = to_first_entry("royal_flush").partition(" ")[2] + " undo hold:undo left undo"


@pytest.fixture(scope="session")
def image(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "device.romfs"
    path.write_bytes(device_image())
    return path


def played_in_the_page(image, scenarios):
    command = ["node", str(HERE / "play_samples.mjs"), str(npm_micropython()), str(image), str(STATIC)]
    done = subprocess.run(command, input=json.dumps(scenarios), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def pixels(reference):
    """Return the pixels as the page has them: 0 or 1 on an OLED, 16 bits of colour on the square display."""
    model = reference.hw.oled
    if not model.has_colours:
        return b"".join(model.frame())
    assert model.lit and model.inverted
    return b"".join(array("H", column[: model.width]).tobytes() for column in reversed(model.ram))


def played_on_cpython(board, setup, keys):
    """Return (checksum of each picture, journals) of the same scenario."""
    reference = ReferenceDevice(board=board)
    if setup:
        reference.sit_down(setup)
    pictures = [crc32(pixels(reference))]
    reference.look = lambda: pictures.append(crc32(pixels(reference)))
    reference.keys(" ".join(keys))
    return pictures, journals_of(reference.files()), reference.text()


def journals_of(files):
    """Return the files without the settings, because these differ in the display that was found."""
    return {path: data for path, data in settled(files).items() if "settings" not in path}


@pytest.mark.parametrize("board", BOARDS)
def test_every_sample_game_is_the_same_in_the_page(image, board):
    scenarios = [{"board": board, "setup": setup, "keys": list(presses(keys))} for setup, keys in SAMPLES.values()]
    scenarios.append({"board": board, "setup": None, "keys": list(presses(MENUS))})
    count = 0
    for scenario, found in zip(scenarios, played_in_the_page(image, scenarios), strict=True):
        pictures, journals, text = played_on_cpython(**scenario)
        assert found["text"] == text
        assert found["pictures"] == pictures
        files = {path: bytes.fromhex(data) for path, data in found["files"].items()}
        assert journals_of(files) == journals and journals
        count += len(pictures)
    assert count > 400


def test_a_wrong_key_is_noticed(image):
    setup, keys = SAMPLES["top_spot"]
    first, second = played_in_the_page(
        image,
        [{"board": "pico_oled", "setup": setup, "keys": list(presses(script))} for script in (keys, "down " + keys)],
    )
    assert first["pictures"] != second["pictures"][:-1] and first["files"] != second["files"]


NOW = 1767700000  # as in tests/results
# Every other game has a title, here with letters that a league folds
ANY_GAME = [
    '{"game":"any_game","title":"Stra\u00dfe \u00c9t\u00e9","players":["Anna","Zo\u00eb"],"options":{"wins":"low"}}',
    '{"ev":"points","p":0,"k":12}',
    '{"ev":"points","p":1,"k":-3}',
    '{"ev":"end_game","confirm":true}',
]
LANGUAGES_TRIED = ("en", "de", "fr")
RECORDED = sorted((Path(__file__).parents[1] / "games").glob("*/recorded/*.jsonl"))


@pytest.fixture(scope="module")
def in_the_page(tmp_path_factory):
    """Return a function that renders games, given as (id, lines, language), in the page."""
    image = tmp_path_factory.mktemp("page") / "laptop.romfs"
    image.write_bytes(laptop_image())

    def in_the_page(games):
        scenarios = []
        for game_id, lines, language in games:
            journal = b"".join(sealed(game_id, number, line) for number, line in enumerate(lines))
            scenarios.append({"id": game_id, "journal": journal.hex(), "language": language})
        node = ["node", str(HERE / "make_sheets.mjs"), str(npm_micropython()), str(image), str(STATIC), str(NOW)]
        done = subprocess.run(node, input=json.dumps(scenarios), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-2000:]
        return json.loads(done.stdout)

    return in_the_page


def plain(part):
    """Return the text of a part of a sheet, or of each cell of a table."""
    if isinstance(part, Table):
        columns = [[str(cell) for cell in column._cells] for column in part.columns]
        return [[str(column.header) for column in part.columns], *map(list, zip(*columns, strict=True))]
    return str(part) if isinstance(part, Text | str) else part


def from_page(part):
    def words(pieces):
        return "".join(text for text, _ in pieces)

    if "text" in part:
        return words(part["text"])
    return [[words(cell) for cell in row] for row in [part["headers"], *part["rows"]]]


def test_every_recorded_game_has_the_same_sheet_in_the_page(in_the_page):
    recorded = [*[path.read_text().splitlines() for path in RECORDED], ANY_GAME]
    games = [
        (f"aabbcc-00{k:02}-2a2a2a", lines, language)
        for k, lines in enumerate(recorded, 1)
        for language in LANGUAGES_TRIED
    ]
    found = in_the_page(games)
    kinds = set()
    for (_, lines, language), page in zip(games, found, strict=True):
        use(language)
        derived = DerivedGame(lines)
        table = derived.table
        kinds.add(derived.kind)
        assert [from_page(part) for part in page["sheet"]["parts"]] == [plain(part) for part in sheet(table)]
        log = entries(table, derived.names)
        assert [row[2] for row in page["sheet"]["log"]] == [item["text"] for item in log]
        assert [row[3] for row in page["sheet"]["log"]] == [effect(item, derived.names, derived.kind) for item in log]
        assert [row["points"] for row in page["json"]["rows"]] == [list(points) for _, points in derived.rows()]
        assert page["json"]["journal"] == lines and page["json"]["finished"] == derived.finished
        assert [(s["score"], s["rank"], s["winner"], s["starts"]) for s in page["json"]["scores"]] == derived.scores()
        assert bool(page["bgstats"]) == derived.finished
        if derived.finished:
            check_plays(json.loads(page["bgstats"]), page["json"])
    assert kinds == set(GAMES)


def check_plays(file, game):
    """Check that the file has this game and its players, by the ids that the laptop gives them."""
    (play,) = file["plays"]
    names = {player["id"]: player["name"] for player in file["players"]}
    assert play["uuid"] == stable_id("play", game["id"])
    assert all(player["uuid"] == stable_id("player", player["name"]) for player in file["players"])
    scores = [(names[score["playerRefId"]], score["score"], score["winner"]) for score in play["playerScores"]]
    assert scores == [(score["name"], str(score["score"]), score["winner"]) for score in game["scores"]]
    title = DerivedGame(game["journal"]).title
    assert file["games"][0]["uuid"] == stable_id("game", league_of(game["game"], title))


def test_a_damaged_line_ends_the_game_there_and_is_said(in_the_page):
    lines = RECORDED[0].read_text().splitlines()
    (whole,) = in_the_page([("aabbcc-0001-2a2a2a", lines, "en")])
    (cut,) = in_the_page([("aabbcc-0001-2a2a2a", [*lines[:4], '{"ev":"nonsense"}', *lines[4:]], "en")])
    assert whole["sheet"]["flaw"] == "" and cut["sheet"]["flaw"] and len(cut["sheet"]["log"]) <= 4
