"""The live table of every game: all states, open actions, marked changes, and escaped names."""

import xml.etree.ElementTree as ElementTree

import pytest
from games.poker_carre.case import drift
from helpers.play import ev, setup, sure
from kiebitz.games import GAMES, Refused
from kiebitz.store.table import Table
from kiebitz.text import LANGUAGES
from kiebitz_host.games import on_laptop
from kiebitz_host.games.live import DeviceState, LiveTable, initials, live_table, snapshot_of, spoken
from kiebitz_host.games.poker_carre.live import CELL, GAP
from kiebitz_host.languages import speaking
from kiebitz_host.web.live import render
from kiebitz_lab import random_games
from kiebitz_lab.dice import Dice

EVIL = ["<img src=x onerror=a()>", "\"'&amp;</svg>", "\u202eevil\u2066", "Zoë"]
PLAYED = 60  # events of a random game


def markup_of(table, last=None):
    moment = snapshot_of(table, on_laptop(table.game.KIND).rows(table), "", last)
    return moment, render([DeviceState("aa11", snapshot=moment)], "")


def parsed(markup):
    return ElementTree.fromstring(f"<div>{markup}</div>")


def words(markup):
    return " ".join("".join(parsed(markup).itertext()).split())


def known_games():
    """Return the games for which random play exists."""
    return [kind for kind in GAMES if kind != "any_game"]


@pytest.mark.parametrize("kind", known_games())
def test_every_state_of_random_games_can_be_shown(kind):
    for seed in range(6):
        dice = Dice(seed)
        table = Table({**random_games.setup(kind, dice), "confirm": True})
        last = None
        for _ in range(PLAYED):
            if table.game.over:
                break
            try:
                table.play({**random_games.legal_event(table.game, dice), "confirm": True})
            except Refused:
                continue
            last, markup = markup_of(table, last)
            assert len(parsed(markup).findall(".//ol/li")) == table.game.n


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_has_its_words(lang):
    table = Table(setup("poch", 4))
    table.play(ev("start_round", trump="H"))
    with speaking(lang):
        said = words(markup_of(table)[1])
    assert "web." not in said and "{" not in said


@pytest.mark.parametrize("kind", GAMES)
def test_names_and_titles_are_text_and_nothing_else(kind):
    table = Table({"game": kind, "players": EVIL, "title": "<b>x</b>"} if kind == "any_game" else
                  {"game": kind, "players": EVIL, **({"match_length": 4} if kind == "top_spot" else {})})  # fmt: skip
    markup = markup_of(table)[1]
    assert "<img" not in markup and "\u202e" not in markup and "\u2066" not in markup and "<b>" not in markup
    assert EVIL[0] in words(markup) and "Zoë" in words(markup)


def test_a_piece_lies_on_its_slot_and_is_marked():
    table = Table(setup("royal_flush", 3))
    before, _ = markup_of(table)
    table.play(ev("score", p=1, board="pair"))
    _, markup = markup_of(table, before)
    marked = [group.get("class") for group in parsed(markup).iter("g") if "new" in (group.get("class") or "").split()]
    assert marked == ["seat-1 new"]
    assert "Ben leads with 2 points." in words(markup) and "Entry 1: Ben: Pair" in words(markup)


def test_the_box_written_last_has_the_colour_of_its_player():
    table = Table(setup("five_dice", 3, title="Kniffel"))
    before, _ = markup_of(table)
    table.play(ev("write", p=1, box="sixes", k=18))
    _, markup = markup_of(table, before)
    marked = [group for group in parsed(markup).iter("g") if group.find("rect[@class='trick']") is not None]
    assert [group.get("class") for group in marked] == ["seat-1"]
    assert [label.get("class") for label in marked[0].iter("text")] == ["piece-words"]


def test_an_undo_is_seen_as_one_and_a_redo_is_not():
    table = Table(setup("royal_flush", 3))
    table.play(ev("score", p=1, board="pair"))
    first, _ = markup_of(table)
    table.play(ev("undo"))
    second, markup = markup_of(table, first)
    assert second.undone and "Taken back: Ben: Pair" in words(markup) and 'class="gone"' in markup
    table.play(ev("redo"))
    third, markup = markup_of(table, second)
    assert not third.undone and "Entry 1: Ben: Pair" in words(markup)


def test_what_was_taken_back_is_told_to_who_comes_later():
    table = Table(setup("royal_flush", 3))
    table.play(ev("score", p=1, board="pair"))
    table.play(ev("undo"))
    assert "Taken back: Ben: Pair" in words(markup_of(table)[1])


def test_the_round_board_of_poch_has_its_pools_around_the_bank():
    table = Table(setup("poch", 4))
    before, _ = markup_of(table)
    table.play(ev("start_round", trump="H"))
    moment, markup = markup_of(table, before)
    pools = [group for group in parsed(markup).iter("g") if (group.get("class") or "").startswith("pool")]
    assert len(pools) == 9 and sum("new" in group.get("class") for group in pools) == 8
    assert "Marriage" in words(markup) and "Bank" in words(markup) and "♥" in words(markup)
    assert len(parsed(markup).findall(".//g[@class='chips']")) == 8
    table.play(ev("cash", p=2, pool="K"))
    _, markup = markup_of(table, moment)
    assert 'class="taken seat-2"' in markup and "pool new gone" in markup


def test_rings_are_explained():
    table = Table(setup("royal_flush", 3))
    table.play(ev("score", p=1, board="pair"))
    moment, markup = markup_of(table)
    assert "next piece" in words(markup) and "free later" in words(markup) and "taken back" not in words(markup)
    table.play(ev("undo"))
    assert "taken back" in words(markup_of(table, moment)[1])
    table = Table(setup("poch", 4))
    table.play(ev("start_round", trump="H"))
    moment, markup = markup_of(table)
    assert "chips taken" not in words(markup)
    table.play(ev("cash", p=2, pool="K"))
    assert "chips taken" in words(markup_of(table, moment)[1])


def test_the_games_of_a_match_have_a_word():
    table = Table(setup("top_spot", 3, match_length=3))
    for event in (ev("point", p=1), ev("end_game"), ev("next_game")):
        table.play(event)
    said = words(markup_of(table)[1])
    assert "Game 1" in said and "G1" not in said


def aloud(table, last=None):
    """Return the snapshot of a table, and what is read aloud."""
    moment, markup = markup_of(table, last)
    return moment, parsed(markup).find("article").get("data-aloud")


# Beginning of a round, a pool that is cashed, and the same taken back
ALOUD = {
    "en": ("Round starts, trump spades. All", "Ben cashes Ace. Ben leads", "Taken back: Ben cashes Ace. All"),
    "de": ("Neue Runde, Trumpf Pik. Alle", "Ben kassiert Ass. Ben führt", "Zurückgenommen: Ben kassiert Ass. Alle"),
    "fr": (" pique. ", ". Ben ", "Annulé\u202f: "),
    "it": (" picche. ", ". Ben ", "Annullato: "),
    "nl": (" schoppen. ", ". Ben ", "Teruggenomen: "),
}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_entry_and_standing_are_read_aloud_with_words_for_signs(lang):
    table, moment = Table(setup("poch", 4)), None
    with speaking(lang):
        standing = on_laptop("poch").standing
        assert aloud(table)[1] == standing(table.game)
        for event, told in zip((ev("start_round", trump="S"), ev("cash", p=1, pool="A"), ev("undo")), ALOUD[lang],
                               strict=True):  # fmt: skip
            table.play(event)
            moment, said = aloud(table, moment)
            assert told in said and said.endswith(standing(table.game))
        counter = any_game(entry="counter")
        counter.play(ev("add", p=1, k=-30))
        assert "Ben \N{MINUS SIGN}30. " in aloud(counter)[1]
    assert spoken("Anna: a3 2←1↑.") == "Anna: a3 2 left 1 up."


def test_the_square_of_cards_has_their_colours_and_letters():
    table = Table({**setup("poker_carre", 2), "mode": "grid"})
    table.play(ev("layout", cards="a1 b2 c3 d4 e5 f6 g7 a2 b3"))
    markup = markup_of(table)[1]
    classes = [(group.get("class") or "").split() for group in parsed(markup).iter("g")]
    found = [words[1] for words in classes if words[:1] == ["card"]]
    assert sorted(set(found)) == [f"card-{letter}" for letter in "abcdefg"]


def test_a_figure_wider_than_the_square_is_shown_as_a_whole():
    table = Table({**setup("poker_carre", 2), "mode": "grid"})
    events, wide = drift()
    for event in [*events, sure(wide)]:
        table.play(event)
    picture = parsed(markup_of(table)[1]).find(".//svg")
    cards = [group for group in picture.iter("g") if (group.get("class") or "").startswith("card ")]
    assert len(cards) == 15
    width, height = (int(number) for number in picture.get("viewBox").split()[2:])
    assert width - height == CELL + GAP, "eight columns, seven rows"
    assert max(int(rect.get("x")) + int(rect.get("width")) for rect in picture.iter("rect")) <= width


def test_the_pad_knows_no_cards_unless_turns_are_followed():
    free, follow = Table(setup("poker_carre", 3)), Table(setup("poker_carre", 3, turns="follow"))
    assert "Cards" not in words(markup_of(free)[1]) and "cards placed" not in words(markup_of(free)[1])
    assert "Cards4" in words(markup_of(follow)[1]) and "0 of 39 cards placed" in words(markup_of(follow)[1])


def test_the_pad_has_a_cross_for_each_point_and_many_as_a_number():
    table = Table(setup("poker_carre", 3))
    for _ in range(3):
        table.play(ev("mark", p=0, rubric=1))
    markup = markup_of(table)[1]
    assert len(parsed(markup).findall(".//path")) == 3
    for _ in range(5):
        table.play(ev("mark", p=0, rubric=1))
    assert "8 ×" in words(markup_of(table)[1])


def any_game(**options):
    return Table({"game": "any_game", "players": ["Anna", "Ben", "Cleo"], "title": "Wizard", "options": options})


def test_the_sheet_of_any_game_tells_who_is_missing_and_who_leads():
    table = any_game(wins="low", end="target", limit=50)
    table.play(ev("points", p=0, k=10))
    markup = markup_of(table)[1]
    assert "Wizard" in words(markup) and "Still to enter: Ben and Cleo." in words(markup)
    assert "The fewest points win." in words(markup) and "40" in words(markup)
    assert [cell.text for cell in parsed(markup).iter("td") if cell.get("class") == "n new"] == ["10"]


def test_many_rounds_are_summed_up_so_that_nothing_scrolls():
    table = any_game()
    for k in range(3 * 40):
        table.play(ev("points", p=k % 3, k=1))
    markup = markup_of(table)[1]
    rows = parsed(markup).findall(".//tbody/tr")
    assert len(rows) <= 9 and [cell.text for cell in rows[0]] == ["Round 1–33", "33", "33", "33"]


def test_a_house_rule_changed_in_play_is_told_and_in_force_at_once():
    table = any_game(end="target", limit=50)
    for p, k in ((0, 60), (1, 10), (2, 20)):
        table.play(ev("points", p=p, k=k))
    last, markup = markup_of(table)
    table.play({"ev": "option", "name": "limit", "value": 100})
    last, markup = markup_of(table, last)
    assert "Limit: 100" in words(markup) and "Until 100" in words(markup) and not table.game.over
    table.play({"ev": "option", "name": "wins", "value": "low"})
    assert "The fewest points win." in words(markup_of(table, last)[1])
    table.play(ev("undo", k=2))
    assert table.game.over and "Until 100" not in words(markup_of(table, last)[1])


def test_a_counter_has_bars_and_a_line_for_the_target():
    table = any_game(entry="counter", end="target", limit=100)
    table.play(ev("add", p=1, k=30))
    markup = markup_of(table)[1]
    assert len(parsed(markup).findall(".//rect[@class='bar']")) == 3 and len(parsed(markup).findall(".//line")) == 1


def test_a_game_that_nobody_drew_shows_its_players_and_totals():
    assert type(live_table("a_game_without_a_file")) is LiveTable
    table = Table(setup("top_spot", 3, match_length=3))
    table.play(ev("point", p=1))
    moment = snapshot_of(table, [], "", None)
    said = "".join(parsed(LiveTable().markup(moment)).itertext())
    assert "Ben" in said and "leads" in said


@pytest.mark.parametrize(
    ("names", "short"),
    [(["Anna", "Ben"], ["A", "B"]), (["Anna", "Alf"], ["An", "Al"]), (["Anna", "Annika"], ["1", "2"])],
)
def test_initials_are_never_the_same(names, short):
    assert initials(names) == short
