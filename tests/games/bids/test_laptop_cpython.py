"""Test games with bids on the laptop: sheet, rows, questions, live table, and the presses of the sample evening."""

import xml.etree.ElementTree as ElementTree

from helpers.device import at_table
from helpers.play import ev, setup
from kiebitz.games.bids.rules import Bids
from kiebitz.store.table import Table
from kiebitz_host.games import on_laptop
from kiebitz_host.games.live import live_table, snapshot_of
from kiebitz_host.show.game_sheet import score_sheet, sheet_rows
from kiebitz_lab.games.bids import WIZARD
from kiebitz_lab.samples import SAMPLES

OWN = on_laptop("bids")
FOUR = 4


def played(rounds, *more):
    """Return a table with these rounds of Wizard and more events."""
    table = Table(setup("bids", FOUR, title="Wizard"))
    for bids, tricks in WIZARD[:rounds]:
        for name, numbers in (("bid", bids), ("tricks", tricks)):
            for p, k in enumerate(numbers):
                table.play(ev(name, p=p, k=k))
    for event in more:
        table.play(event)
    return table


def words_of(table, last=None):
    markup = str(live_table("bids").markup(snapshot_of(table, OWN.rows(table), "", last)))
    return " ".join("".join(ElementTree.fromstring(f"<div>{markup}</div>").itertext()).split())


def test_each_row_has_tricks_and_bid_beside_the_points():
    table = played(3)
    facts = {
        "game": "bids",
        "rows": sheet_rows(OWN.rows(table), table),
        "scores": [{"name": name, "score": 0, "rank": 1, "winner": False} for name in table.game.names],
    }
    sheet = score_sheet(facts)
    rows = sheet.rows
    assert [row.name for row in rows] == ["Round 1", "Round 2", "Round 3"]
    assert rows[1].cells == ["0/1 -10", "0/0 20", "2/2 40", "0/0 20"]
    assert sheet.legend == "2/3: 2 tricks of 3 bid, then the points."
    summed = score_sheet(facts, most=2).rows
    assert summed[0].name == "Round 1 – Round 2" and summed[0].cells == ["10", "40", "60", "50"]
    assert score_sheet(facts, most=1).legend == "", "sums have no marks"


def test_the_rows_of_a_game_add_up_to_its_totals():
    table = played(len(WIZARD))
    assert [sum(points) for points in zip(*[points for _, points in OWN.rows(table)], strict=True)] == [
        *table.game.totals()
    ]
    assert OWN.rows(played(0)) == [("total", [0] * FOUR)]


class Asker:
    """Answers with the least number, and notes what was asked."""

    def __init__(self):
        self.asked = []

    def choice(self, question, choices, old):
        return choices[0][1]

    def number(self, question, old, low, high):
        self.asked.append((question, low, high))
        return low


def test_a_correction_asks_for_what_the_round_has():
    asker = Asker()
    assert OWN.ask(asker, played(2).game, {}) == ev("bid", p=0, k=0)
    bidden = played(2, *[ev("bid", p=p, k=1) for p in range(FOUR)], ev("tricks", p=0, k=1))
    assert OWN.ask(asker, bidden.game, {}) == ev("tricks", p=1, k=0)
    assert asker.asked == [("How many tricks are bid?", 0, 3), ("How many tricks were made?", 0, 3)]


def test_the_live_table_shows_bids_tricks_and_their_sum():
    table = played(3, ev("bid", p=3, k=2), ev("bid", p=0, k=1))
    said = words_of(table)
    assert "round 4 of 15, 4 cards" in said and "3 of 4 bid." in said and "Still to bid: Ben and Cleo." in said
    for p, k in ((1, 3), (2, 0)):
        table.play(ev("bid", p=p, k=k))
    assert "6 of 4 bid: 2 too many." in words_of(table) and "2/2 +40" in words_of(table)


def test_what_is_new_is_marked():
    table = played(3, *[ev("bid", p=p, k=1) for p in range(FOUR)])
    last = snapshot_of(table, OWN.rows(table), "", None)
    table.play(ev("tricks", p=2, k=1))
    markup = ElementTree.fromstring(f"<div>{live_table('bids').picture(snapshot_of(table, [], '', last))}</div>")
    assert ["".join(cell.itertext()) for cell in markup.iter("td") if cell.get("class") == "n new"] == ["1"]


PRESSES_MOST = 14  # of a round of four in which everybody bids at most 3
ENTRIES = 8  # of a round


def said():
    """Return the rounds of points that the players of the evening would write on paper."""
    return [
        [20 + 10 * made if bid == made else -10 * abs(bid - made) for bid, made in zip(*both, strict=True)]
        for both in WIZARD
    ]


def test_the_evening_ends_as_the_players_said_and_survives_power_cuts():
    line, keys = SAMPLES["bids"]
    d = at_table(line)
    for at, entry in enumerate([entry for entry in keys.splitlines() if entry]):
        d.keys(entry)
        if at % 17 == 16 and not d.game.over:
            before, picture = d.game.snapshot(), d.hw.oled.frame()
            d.restart()
            assert d.game.snapshot() == before and d.hw.oled.frame() == picture
    assert d.game.over and d.game.summary()["rounds"] == said() and d.sees("Final ranking")
    assert d.game.totals() == [sum(points) for points in zip(*said(), strict=True)]
    assert isinstance(d.game, Bids) and not d.game.early


def test_a_round_of_four_takes_at_most_fourteen_presses():
    line, keys = SAMPLES["bids"]
    d = at_table(line)
    entries = [entry for entry in keys.splitlines() if entry]
    counted = 0
    for number, (bids, _) in enumerate(WIZARD):
        before = d.presses
        d.keys(" ".join(entries[ENTRIES * number : ENTRIES * (number + 1)]))
        if max(bids) <= 3:
            assert d.presses - before <= PRESSES_MOST, number + 1
            counted += 1
    assert counted >= 8
