"""Guests are nobody: no Elo, no head to head and no place in a league, until they get a name."""

import pytest
from helpers.finished import any_game, carre
from kiebitz.text import LANGUAGES
from kiebitz_host.languages import device_texts
from kiebitz_host.league.guests import is_guest
from kiebitz_host.library import league_cache, people, query


@pytest.fixture
def evening(put):
    """Store a game of two names and a guest who wins, and games with one name or none."""
    put(carre(["Anna", "Guest 2", "Ben"], [3, 9, 2]), day=1)
    put(carre(["Guest 1", "Anna"], [1, 5]), day=2)
    put(carre(["Gast 1", "Guest 2"], [5, 1]), day=3)


@pytest.mark.only_files
def test_a_guest_is_one_in_every_language():
    for lang in LANGUAGES:
        form = device_texts(lang)["players.guest"]
        assert is_guest(form.format(n=1)) and is_guest(form.format(n=12))
    assert not any(is_guest(name) for name in ("Anna", "Guest", "Guest A", "guest 1", "Guest 1 of us", "My Guest 1"))


def test_a_guest_has_no_place_and_the_game_counts_for_the_others(evening, kiebitz):
    league = kiebitz("league", "poker_carre", "--json").json
    keys = ("name", "played", "wins", "points", "elo")
    assert [tuple(player[key] for key in keys) for player in league["players"]] == [
        ("Anna", 2, 1, 8, 1516.0),  # Anna before Ben, as if they had played alone
        ("Ben", 1, 0, 2, 1484.0),
    ]
    assert league["head_to_head"] == [{"a": "Anna", "b": "Ben", "ahead": 1, "level": 0, "behind": 0}]
    assert "Guest" not in kiebitz("league").out and league["games"] == 3


def test_a_win_shared_with_a_guest_is_a_shared_one(put, kiebitz):
    put(carre(["Anna", "Guest 2"], [3, 3]))
    (anna,) = kiebitz("league", "--json").json["players"]
    assert (anna["wins"], anna["shared"], anna["elo"]) == (0, 1, {"poker_carre": 1500.0})


def test_a_guest_holds_no_record_but_stands_between(put, store):
    put(carre(["Anna", "Guest 2", "Ben"], [9, 7, 1]), day=1)
    put(carre(["Anna", "Guest 2"], [1, 90]), day=2)
    history = query.league_history(store.db, query.Filter(finished=True, early=False))
    assert history.records["poker_carre"].score == 9
    assert history.margins["poker_carre"].score == 2, "two points before the guest, not eight before Ben"
    assert {history.names[person] for person, _ in history.players} == {"Anna", "Ben"}


def test_a_guest_who_gets_a_name_gets_the_games_too(evening, kiebitz):
    assert kiebitz("players", "rename", "Guest 2", "Cleo").out == (
        "Guest 2 is called Cleo now. Every Guest 2 of later games is Cleo, too. "
        "To name the guest of one game only, correct that game.\n"
    )
    players = {one["name"]: one for one in kiebitz("league", "poker_carre", "--json").json["players"]}
    assert players.keys() == {"Anna", "Ben", "Cleo"}
    assert (players["Cleo"]["played"], players["Cleo"]["wins"]) == (2, 1)
    kiebitz("players", "join", "Ben", "Gast 1")
    players = {one["name"]: one for one in kiebitz("league", "poker_carre", "--json").json["players"]}
    assert (players["Ben"]["played"], players["Ben"]["wins"]) == (2, 1)
    kiebitz("players", "split", "Gast 1")
    assert kiebitz("players", "rename", "Cleo", "Guest 2").code == 0
    assert [one["name"] for one in kiebitz("league", "--json").json["players"]] == ["Anna", "Ben"]


def test_the_guest_of_one_game_gets_a_name_by_a_correction(evening, kiebitz):
    change = '{"ev":"seats","players":["Cleo","Anna"]}'
    assert kiebitz("fix", "2", "1", change, "--insert").code == 0
    players = {one["name"]: one["played"] for one in kiebitz("league", "--json").json["players"]}
    assert players == {"Anna": 2, "Ben": 1, "Cleo": 1}


def test_where_only_guests_play_the_league_says_why_it_is_empty(put, kiebitz):
    put(carre(["Guest 1", "Guest 2"], [3, 2]))
    sentence = "Only guests have played. They have no place in the league until they get a name.\n"
    assert kiebitz("league").out == kiebitz("league", "poker_carre").out == sentence
    assert kiebitz("league", "--json").json["players"] == []
    done = kiebitz("league", "--player", "Guest 1")
    assert done.code == 2 and "Guest 1 is a guest, and has no place in a league without a name" in done.err


def test_a_league_of_guests_has_no_column(put, kiebitz):
    put(carre(["Anna", "Ben"], [3, 2]))
    put(any_game("Skyjo", ["Guest 1", "Guest 2"], [3, 9]))
    assert list(kiebitz("league", "--json").json["players"][0]["elo"]) == ["poker_carre"]
    assert "Skyjo" not in kiebitz("league").out


def test_guests_are_not_sent_to_a_device(evening, store):
    assert store.roster_names() == ["Anna", "Ben"]
    assert sorted(store.players_names()) == ["Anna", "Ben", "Gast 1", "Guest 1", "Guest 2"]


def test_a_name_for_a_guest_reaches_the_cached_leagues(store, monkeypatch):
    monkeypatch.setattr(league_cache, "STEP", 5)
    monkeypatch.setattr(league_cache, "LATE", 2)
    for k in range(40):
        store.add_journal(f"x-{k:04d}-0", carre(["Anna", "Guest 2"], [k % 3, 1]), None, 1000 + k, False)
    assert store.db.value("SELECT max(until) FROM ladders") > 1030
    for name, count in (("Ben", 2), ("Guest 2", 1)):
        with store.batch():
            people.rename(store.db, people.find(store.db, "Guest 2"), name)
        cached = league_cache.league(store.db)
        assert len(cached.standings) == count
        with store.db.transaction():
            store.db.run("DELETE FROM ladders")
        assert league_cache.league(store.db).state() == cached.state()
        store.rebuild()
