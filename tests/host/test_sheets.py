"""The score sheets: their content, and their width with names of any length and script."""

import json
from pathlib import Path

import pytest
from games.poker_carre.case import drift
from helpers.play import sure
from rich.cells import cell_len

# 24 characters each: long words, wide letters, letters of other scripts, and what looks like mark-up
LONG_NAMES = (
    "Wilhelmina-Charlotte von",
    "Wilhelmina-Charlotte vom",
    "日本語の名前はとても長いですから二十四文字ですよ",
    "Иоанн Александрович Петр",
    "👩‍👧 Familie Müller-Lüden",
    "[red]Ben[/red] :smile: x",
    "ابراهيم عبد الرحمن محمود",
    "\u202eevil\u202c name, turned",
)

MID_GAME = {"royal_flush": 22, "poker_carre": 20, "poch": 12, "top_spot": 15, "top_spot_assisted": 3}


@pytest.fixture
def sheet(kiebitz):
    """Return a function that replays lines and returns the lines of the printed score sheet."""

    def run(*lines):
        done = kiebitz("replay", "-", stdin="\n".join(map(json.dumps, lines)).encode())
        assert (done.code, done.err) == (0, "")
        return [line.rstrip() for line in done.out.splitlines()]

    return run


@pytest.fixture
def lines_of(game_file):
    return lambda name: [json.loads(line) for line in Path(game_file(name)).read_bytes().splitlines()]


def row(sheet, start):
    """Return the words of the table row with this start."""
    return next(line for line in sheet if line.startswith(start + "  ")).split()


def test_royal_flush_in_play_shows_boards_slots_chips_and_rounds(sheet, lines_of):
    lines = sheet(*lines_of("royal_flush")[:22])
    assert lines[0] == "Royal Flush · round 2 of 3 · In play · 19 entries"
    assert lines[1] == "Anna leads with 69 points."
    assert row(lines, "Player") == ["Player", "R1", "Now", "Total", "Chips", "Pieces", "Jokers"]
    assert row(lines, "Anna") == ["Anna", "23", "46", "69", "4", "1", "0"]
    assert row(lines, "Cleo") == ["Cleo", "7", "11", "18", "5", "4", "1"]
    assert row(lines, "Pair") == ["Pair", "2", "Dan", "1", "·", "1", "·", "1"]
    assert row(lines, "Royal Flush") == ["Royal", "Flush", "25", "·", "25"]
    assert "Anna started this round. Chips spent: 2, carried over: 2." in " ".join(lines)
    assert "If the round ended now: 1 each, 0 carried over." in " ".join(lines)


def test_a_full_board_says_so(sheet):
    score = {"ev": "score", "p": 0, "board": "pair"}
    lines = sheet({"game": "royal_flush", "players": ["Anna", "Ben"]}, score, {**score, "p": 1}, score)
    assert row(lines, "Pair") == ["Pair", "2", "Anna", "1", "Ben", "1", "Anna", "full"]


def test_royal_flush_over_shows_three_rounds_and_the_bonus(sheet, lines_of):
    lines = sheet(*lines_of("royal_flush"))
    assert lines[1] == "Anna wins with 89 points."
    assert row(lines, "Player") == ["Player", "R1", "R2", "R3", "Bonus", "Total", "Chips"]
    assert row(lines, "Dan") == ["Dan", "39", "2", "32", "10", "83", "5"]
    assert not [line for line in lines if line.startswith("Board")]


def test_the_chips_that_broke_a_tie_are_named(sheet):
    """Give Anna two more points on the boards, and Ben one more chip."""
    scores = [(0, "four_kind"), (0, "straight_flush"), (0, "royal_flush"), (1, "royal_flush"), (1, "royal_flush")]
    events = [{"ev": "score", "p": p, "board": board} for p, board in scores]
    events.insert(4, {"ev": "spend", "p": 0, "k": 1})
    lines = sheet({"game": "royal_flush", "players": ["Anna", "Ben"]}, *events)
    assert lines[1] == "Ben wins with 60 points: more chips than Anna."


def test_a_follower_of_turns_sees_who_is_to_act(sheet):
    setup = {"game": "royal_flush", "players": ["Anna", "Ben"], "options": {"turns": "follow"}}
    assert "Anna started this round. Anna is to act now." in " ".join(sheet(setup))


def test_between_rounds_new_boards_are_asked_for(sheet):
    setup = {"game": "royal_flush", "players": ["Anna", "Ben"], "options": {"redraw_boards_each_round": "on"}}
    lines = sheet(setup, {"ev": "score", "p": 0, "board": "royal_flush"})
    assert lines[-1] == "Nine boards must be chosen for round 2."


def test_poker_carre_shows_the_pad_and_the_square(sheet, lines_of):
    lines = sheet(*lines_of("poker_carre"))
    assert lines[0].startswith("PokerCarre · Grid · ")
    assert row(lines, "Anna") == ["Anna", "7", "x", "1", "7", "x", "2", "·", "2", "x", "7", "·", "35"]
    assert lines[-8].split() == ["-2", "-1", "0", "1", "2", "3", "4"]
    assert lines[-6].split() == ["-1", "·", "e4", "a5", "d4", "d7", "f6", "d5"]


def test_the_pad_alone_has_no_square(sheet, lines_of):
    lines = sheet(*lines_of("poker_carre_pad"))
    assert lines[0] == "PokerCarre · Pad · In play · 6 entries"
    assert row(lines, "Ben") == ["Ben", "1", "x", "1", "1", "x", "2", "·", "·", "·", "3"]
    assert lines[-1].startswith("Ben")


def test_the_pad_counts_cards_only_if_turns_are_followed(sheet):
    setup = {"game": "poker_carre", "players": ["Anna", "Ben", "Cleo"], "options": {"turns": "follow"}}
    assert sheet(setup)[0] == "PokerCarre · Pad · 0 of 39 cards placed · In play · 0 entries"


def test_a_figure_wider_than_the_square_is_shown_as_a_whole(sheet):
    events, wide = drift()
    lines = sheet({"game": "poker_carre", "players": ["Anna", "Ben"], "mode": "grid"}, *events, sure(wide))
    assert lines[-4].split() == [str(x) for x in range(-2, 6)]
    assert lines[-2].split() == ["1", "·", "·", "f5", "f2", "g3", "b4", "b5", "c6"]


def test_a_set_of_seven_that_wins_at_once_is_named(sheet):
    setup = {"game": "poker_carre", "players": ["Anna", "Ben"], "options": {"set_of_seven": "instant_win"}}
    lines = sheet(setup, {"ev": "mark", "p": 0, "rubric": 5}, {"ev": "place", "p": 1, "items": [["H", "set", 7]]})
    assert lines[1] == "Ben wins with 10 points, by a set of seven."


def test_poch_shows_pools_bank_chips_dealer_and_whose_bid_it_is(sheet, lines_of):
    lines = sheet(*lines_of("poch"))
    assert lines[0] == "Poch · round 3 · trump ♣ · Bidding · 37 entries"
    assert lines[1] == "Dan leads with 165 chips."
    assert "Anna        34       8       4   cashed Ace, King and Queen" in lines
    assert "Ben         31       8       ·   deals, cashed Jack, to bid 5 or more or hold" in lines
    assert "for 4, owes 20" in [line.strip() for line in lines]
    pools = next(k for k, line in enumerate(lines) if line.startswith("Ace"))
    assert lines[pools].split()[-3:] == ["Sequence", "Pocher", "Bank"]
    assert lines[pools + 2].split() == ["·", "·", "·", "·", "·", "8", "4", "4", "8"]
    assert "Suits are played upwards." in lines


def test_what_the_rules_noted_is_shown_with_its_event(sheet, lines_of):
    assert sheet(*lines_of("poch"))[-1] == "entry 25: W_SHORT - Ben is 109 chips short; that much is waived."


def test_a_note_that_was_undone_is_not_shown(sheet, lines_of):
    lines = sheet(*lines_of("poch")[:26], {"ev": "undo"})
    assert not [line for line in lines if "W_SHORT" in line]


def test_top_spot_shows_games_and_totals(sheet, lines_of):
    lines = sheet(*lines_of("top_spot"))
    assert lines[0] == "Top Spot · Junior · Tally · game 3 of 3 · Match over · 33 entries"
    assert row(lines, "Player") == ["Player", "G1", "G2", "G3", "Total"]
    assert row(lines, "Ben") == ["Ben", "1", "5", "4", "10"]


def test_a_long_match_sums_up_its_first_games(sheet):
    game = [{"ev": "point", "p": 1}, {"ev": "end_game"}, {"ev": "next_game"}]
    lines = sheet({"game": "top_spot", "players": ["Anna", "Ben", "Cleo"], "match_length": 12}, *game * 9)
    assert row(lines, "Player") == ["Player", "Before", "G4", "G5", "G6", "G7", "G8", "G9", "Now", "Total"]
    assert row(lines, "Ben") == ["Ben", "3", "1", "1", "1", "1", "1", "1", "0", "9"]


def test_refereed_tricks_show_the_cards_and_the_tie(sheet, lines_of):
    lines = sheet(*lines_of("top_spot_assisted")[:2])
    assert row(lines, "Cleo") == ["Cleo", "0", "0", "11"]
    assert lines[-1] == "Cleo has dealt. Tiebreaker between Ben and Cleo."


STANDINGS = (
    ([], "Nobody has scored yet."),
    ([0], "Anna leads with 1 point."),
    ([0, 1], "Anna and Ben lead with 1 point each."),
    ([0, 1, 2], "All are level at 1 point."),
)


def test_the_second_line_says_how_it_stands(sheet):
    setup = {"game": "top_spot", "players": ["Anna", "Ben", "Cleo"], "match_length": 1, "confirm": True}
    for points, sentence in STANDINGS:
        assert sheet(setup, *[{"ev": "point", "p": p} for p in points])[1] == sentence
    over = [{"ev": "point", "p": 0}, {"ev": "point", "p": 2}, {"ev": "end_game"}, {"ev": "next_game"}]
    assert sheet(setup, *over)[1] == "Anna and Cleo win with 1 point each."


@pytest.mark.parametrize("name", MID_GAME)
def test_long_names_of_any_script_keep_the_sheet_within_80_columns(sheet, lines_of, name):
    setup, *events = lines_of(name)
    for shift in range(len(LONG_NAMES)):
        names = [*LONG_NAMES[shift:], *LONG_NAMES[:shift]][: len(setup["players"])]
        for end in (MID_GAME[name], None):
            lines = sheet({**setup, "players": names}, *events[:end])
            assert max(map(cell_len, lines)) <= 80, lines


def test_eight_poch_players_with_long_names_and_many_chips_fit(sheet):
    setup = {"game": "poch", "players": list(LONG_NAMES), "options": {"chips_total": 1000000}}
    pools = ("A", "K", "Q", "J", "T", "MARRIAGE", "SEQUENCE")
    cash = [{"ev": "cash", "p": 7, "pool": pool} for pool in pools]
    bids = [{"ev": "bid", "p": 0, "k": 100000}, *[{"ev": "hold", "p": p} for p in range(1, 7)]]
    lines = sheet(setup, {"ev": "start_round", "trump": "D"}, *cash, {"ev": "end_cash"}, *bids)
    assert max(map(cell_len, lines)) <= 80
    assert row(lines, "[red]Ben[/red] :smile: x")[-3:] == ["24992", "4", "100000"]
    assert "evil name, turned" in "\n".join(lines)
    assert "\u202e" not in "\n".join(lines)


def test_names_that_start_alike_stay_apart_on_the_boards(sheet):
    score = [{"ev": "score", "p": p, "board": "pair"} for p in (0, 1)]
    lines = sheet({"game": "royal_flush", "players": list(LONG_NAMES[:2])}, *score)
    assert row(lines, "Pair")[:5] == ["Pair", "2", "Wilhelmi…1", "1", "Wilhelmi…2"]


def test_colour_is_only_for_terminals(kiebitz, game_file, monkeypatch):
    assert "\x1b" not in kiebitz("replay", game_file("royal_flush")).out
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = kiebitz("replay", game_file("royal_flush"))
    assert "\x1b[" in coloured.out


TO_ROUND_3 = [{"ev": "score", "p": 0, "board": "royal_flush"}] * 2
SPENT = [{"ev": "spend", "p": 1, "k": 5}]


def test_the_sheet_of_the_last_round_promises_no_share_of_the_pot(sheet):
    # RF-T23
    shown = " ".join(sheet({"game": "royal_flush", "players": ["Anna", "Ben"]}, *TO_ROUND_3, *SPENT))
    assert "Chips spent: 5, carried over: 0. After the last round they are not shared out." in shown
    assert "each" not in shown


def test_a_share_after_the_last_round_is_announced_and_told(sheet):
    # RF-T23
    setup = {"game": "royal_flush", "players": ["Anna", "Ben"], "options": {"distribute_after_last": "on"}}
    assert "If the round ended now: 2 each, 1 carried over." in " ".join(sheet(setup, *TO_ROUND_3, *SPENT))
    shown = " ".join(sheet(setup, *TO_ROUND_3, *SPENT, TO_ROUND_3[0]))
    assert "After the last round each player got 2 chips, 1 left over." in shown
