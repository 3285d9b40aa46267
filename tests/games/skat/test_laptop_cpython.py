"""Test Skat on the laptop: one A4 sheet for 48 games, Seeger-Fabian, the live table, and the sample series."""

import json
import re
import unicodedata

import pytest
from helpers.device import at_table
from kiebitz.games import new_game
from kiebitz.store.events import encode
from kiebitz.store.table import Table
from kiebitz_host.games import on_laptop
from kiebitz_host.games.live import live_table, snapshot_of
from kiebitz_host.library.store import Store
from kiebitz_host.show.game_sheet import facts_of, score_sheet
from kiebitz_lab.dice import Dice
from kiebitz_lab.games import GAMES_IN_LAB
from kiebitz_lab.pages import WebStand
from kiebitz_lab.samples import SAMPLES

LONG_NAMES = ["Maximiliane-Alexandrina", "Bartholomäus Schönfelder", "Cäcilie von Hohenzollern", "Wilhelmina Vander"]
FULL = {"score": "seeger", "kontra": "on", "ramsch": "on"}


def series(players, seed, options):
    """Return the lines of a whole series of random games."""
    table = Table({"game": "skat", "players": players, "options": options})
    dice = Dice(seed)
    lines = [encode(table.setup)]
    while not table.game.over:
        event = GAMES_IN_LAB["skat"].event(table.game, dice, True)
        try:
            table.play(event)
        except Exception as refused:
            assert "E_" in str(refused) or "W_" in str(refused)
            continue
        lines.append(encode(event))
    return lines


@pytest.fixture
def stored(tmp_path):
    """Return a function that stores a series and returns (path, number of the game)."""

    def store(lines):
        path = tmp_path / "list.db"
        with Store(path, now=lambda: 1_800_000_000, say=lambda message: None) as found:
            found.add_journal("aabbcc-0001-000001", lines, {"id": "e6aabbcc"}, 1_799_999_000, False)
            return path, found.number("aabbcc-0001-000001")

    return store


def sheet_of(stored, lines):
    path, number = stored(lines)
    with Store(path, now=lambda: 1_800_000_000, say=lambda message: None) as found:
        facts = facts_of(found, number)
    return facts, score_sheet(facts, 100)


def test_each_row_has_the_running_total_of_who_played(stored):
    lines = [
        encode({"game": "skat", "players": ["Anna", "Ben", "Cleo"], "options": {"score": "seeger", "series": 4}}),
        encode({"ev": "play", "p": 0, "game": "C", "tops": 2, "won": True}),
        encode({"ev": "play", "p": 1, "game": "H", "tops": -3, "mods": "h", "won": False}),
        encode({"ev": "passed"}),
        encode({"ev": "play", "p": 0, "game": "N", "won": True}),
    ]
    facts, sheet = sheet_of(stored, lines)
    assert [(row.name, row.cells) for row in sheet.rows] == [
        (" 1  ♣ with 2", ["36", "", "", "+36"]),
        (" 2  ♥ without 3, Hand", ["", "-100", "", "-100"]),
        (" 3  All passed", ["", "", "", ""]),
        (" 4  Null", ["59", "", "", "+23"]),
        ("Seeger-Fabian: games won and lost", ["+100", "-50", "+0", ""]),
        ("Seeger-Fabian: lost by others", ["+40", "+0", "+40", ""]),
        ("Won", ["2", "0", "0", ""]),
        ("Lost", ["0", "1", "0", ""]),
    ]
    assert sheet.totals.cells == ["199", "-150", "40", "-41"] and sheet.winners == [True, False, False]
    assert facts["title"] == "Skat Seeger" and facts["league"] == "skat:skat seeger"
    assert facts["counts"] == [{"label": "won", "points": [2, 0, 0]}, {"label": "lost", "points": [0, 1, 0]}]


def test_points_won_and_lost_games_are_in_the_summary():
    game = new_game({"game": "skat", "players": ["Anna", "Ben", "Cleo"]})
    game.apply({"ev": "play", "p": 2, "game": "D", "tops": 1, "won": False})
    summary = json.loads(json.dumps(game.summary()))
    assert (summary["points"], summary["won"], summary["lost"]) == ([0, 0, -36], [0, 0, 0], [0, 0, 1])


def test_the_rows_of_every_list_add_up_to_its_totals():
    for seed in range(12):
        players = LONG_NAMES[: 3 + seed % 2]
        lines = series(players, seed, FULL if seed % 3 else {})
        table = Table(json.loads(lines[0]))
        for line in lines[1:]:
            table.play(json.loads(line))
        own = on_laptop("skat")
        rows = own.rows(table)
        assert [sum(column) for column in zip(*[points for _, points in rows], strict=True)] == table.game.totals()
        assert len({label for label, _ in rows}) == len(rows)
        for label, _ in rows:
            words = own.row_name(label)
            assert words and unicodedata.is_normalized("NFC", words) and "skat." not in words


def test_the_live_list_marks_the_newest_game_and_says_who_sits_out():
    table = Table({"game": "skat", "players": ["Anna", "Ben", "Cleo", "Dan"]})
    before = snapshot_of(table, on_laptop("skat").rows(table), "", None)
    table.play({"ev": "play", "p": 1, "game": "G", "tops": -4, "mods": "hsSb", "won": True})
    now = snapshot_of(table, on_laptop("skat").rows(table), "", before)
    picture = str(live_table("skat").picture(now))
    assert "Grand without 4, Schneider ann., Schwarz" in picture and "+216" in picture
    assert picture.count('class="trick"') == 1 and '<g class="seat-1">' in picture
    markup = str(live_table("skat").markup(now))
    assert "sits out" in markup and "Ben: Grand without 4 S!Sw \N{CHECK MARK}" in markup


@pytest.mark.long
@pytest.mark.parametrize("players", [LONG_NAMES, ["Anna", "Ben", "Cleo"]])
def test_a_whole_series_is_one_list_on_one_sheet_of_paper(stored, chromium, players):
    path, number = stored(series(players, 7, FULL))
    with WebStand(path) as stand:
        page = chromium.new_page()
        page.goto(f"{stand.address}/games/{number}")
        page.emulate_media(media="print")
        page.set_viewport_size({"width": 703, "height": 1032})  # of A4 between its margins, in CSS pixels
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.locator(".paper table").count() == 1
        assert page.locator(".paper tbody tr").count() == len(players) * 12 + 4
        assert not page.locator(".curve").is_visible()
        pdf = page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1
        page.close()


def test_the_sample_series_takes_nine_presses_a_game_at_most_and_survives_power_cuts():
    line, keys = SAMPLES["skat"]
    d = at_table(line)
    before = d.presses
    for at, entry in enumerate([entry for entry in keys.splitlines() if entry]):
        d.keys(entry)
        assert d.game.games == at + 1, entry
        if at % 5 == 4 and not d.game.over:
            state, picture = d.game.snapshot(), d.hw.oled.frame()
            d.restart()
            assert d.game.snapshot() == state and d.hw.oled.frame() == picture
    assert (d.presses - before) / 36 < 7.6
    assert d.game.over and d.sees("Final ranking")
    assert d.game.points == [187, 429, 486] and d.game.totals() == [707, 1039, 1006]
