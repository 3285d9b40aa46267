"""Games that the table has ended early: marked wherever they are listed, and in the league only if asked for."""

import pytest
from helpers.finished import carre, spot
from kiebitz.games.poker_carre.rules import PokerCarre


@pytest.fixture
def evening(put, monkeypatch):
    """A whole match of Top Spot, won by Cleo, and a game of PokerCarre that was ended early, won by Ben."""
    details = PokerCarre.details
    monkeypatch.setattr(PokerCarre, "details", lambda self: {**details(self), "early": True})
    put(spot(["Anna", "Ben", "Cleo"], [1, 2, 3]), day=1)
    put(carre(["Anna", "Ben"], [0, 2]), day=2)


def test_a_game_that_was_ended_early_is_marked(evening, kiebitz):
    assert [game["early"] for game in kiebitz("games", "--json").json] == [True, False]
    assert kiebitz("games").out.count("ended early") == 1
    assert "Ended early." in kiebitz("show", "2").out
    assert "Ended early." not in kiebitz("show", "1").out
    assert "Vorzeitig beendet." in kiebitz("show", "2", "--lang", "de").out


def test_the_league_counts_it_only_if_asked_for(evening, kiebitz):
    players = kiebitz("league", "--json").json["players"]
    assert [(player["name"], player["wins"]) for player in players] == [("Cleo", 1), ("Anna", 0), ("Ben", 0)]
    players = kiebitz("league", "--early", "--json").json["players"]
    assert [(player["name"], player["wins"]) for player in players] == [("Cleo", 1), ("Ben", 1), ("Anna", 0)]
    assert kiebitz("league").out.endswith("\nLeft out: 1 game ended early; --early counts them.\n")
    assert "Left out" not in kiebitz("league", "--early").out + kiebitz("league", "top_spot").out
    assert kiebitz("league", "poker_carre").out.startswith("No finished games yet.\nLeft out: 1 game")


def test_board_game_stats_gets_a_remark(evening, kiebitz):
    assert '"comments": "Ended early."' in kiebitz("export", "bgstats", "2").out
