"""Periods and dates, and guests, who are in no league until they get a name."""

import json
import time

import pytest
from helpers.finished import any_game, carre, poch, spot
from kiebitz.text import LANGUAGES
from kiebitz_host.languages import device_texts
from kiebitz_host.league.names import is_guest
from kiebitz_host.league.period import Period, period_of
from kiebitz_host.league.standings import League
from kiebitz_host.library import league_cache, people, query
from kiebitz_host.outcome import Trouble

NOON = 1767139200 + 43200  # of 2025-12-31
DAY = 86400


@pytest.fixture
def today(monkeypatch):
    """Set the date to 2026-01-06."""
    monkeypatch.setattr("kiebitz_host.cli.options.time.time", lambda: 1767700000.0)


@pytest.fixture
def winter(store):
    """Store a game in November 2025, one in December, one at two o'clock on New Year's morning, and one in January."""
    times = (NOON - 40 * DAY, NOON - 10 * DAY, NOON + DAY - 10 * 3600, NOON + 4 * DAY)
    players = (["Anna", "Ben"], ["Anna", "Cleo"], ["Ben", "Cleo"], ["Anna", "Dan"])
    for k, (at, names) in enumerate(zip(times, players, strict=True), 1):
        store.add_journal(f"aabbcc-{k:04d}-{k:06x}", carre(names, [3, 2]), None, at, False)


PERIODS = (
    (["--period", "month"], [4]),
    (["--period", "last-month"], [3, 2]),
    (["--period", "year"], [4]),
    (["--since", "2025-12-21", "--until", "2025-12-31"], [3, 2]),
    (["--since", "2026-1-1"], [4]),
    (["--until", "2025-12-20"], [1]),
)


@pytest.mark.parametrize(("argv", "numbers"), PERIODS)
def test_games_league_and_players_take_the_same_period(winter, today, kiebitz, argv, numbers):
    games = kiebitz("games", "--json", *argv).json
    assert [game["number"] for game in games] == numbers
    assert kiebitz("league", "--json", *argv).json["games"] == len(numbers)
    names = {score["name"]: 0 for game in games for score in game["scores"]}
    for game in games:
        for score in game["scores"]:
            names[score["name"]] += 1
    assert {player["name"]: player["games"] for player in kiebitz("players", "--json", *argv).json} == names


def test_the_head_of_the_league_has_the_period(winter, today, kiebitz):
    heads = [kiebitz("league", "--period", word).out.splitlines()[0] for word in ("month", "last-month", "year")]
    assert heads[:2] == ["All games · 1 finished game in January", "All games · 2 finished games in December 2025"]
    assert heads[2] == "All games · 1 finished game in 2026"


EMPTY = {
    "en": ("No finished games in December 2025.", "No games in December 2025.", "Nobody has played in December 2025."),
    "de": ("Keine beendeten Spiele im Dezember 2025.", "Keine Spiele im Dezember 2025.",
           "Niemand hat im Dezember 2025 gespielt."),
    "fr": ("Aucune partie terminée en décembre 2025.", "Aucune partie en décembre 2025.",
           "Personne n'a joué en décembre 2025."),
    "it": ("Nessuna partita finita in dicembre 2025.", "Nessuna partita in dicembre 2025.",
           "Nessuno ha giocato in dicembre 2025."),
    "nl": ("Geen uitgespeelde spellen in december 2025.", "Geen spellen in december 2025.",
           "Niemand heeft in december 2025 gespeeld."),
}  # fmt: skip


@pytest.mark.parametrize("lang", EMPTY)
def test_an_empty_period_says_so_in_every_language(put, today, kiebitz, lang):
    put(carre(["Anna", "Ben"], [3, 2]))
    options = ("--period", "last-month", "--lang", lang)
    assert tuple(kiebitz(what, *options).out.strip() for what in ("league", "games", "players")) == EMPTY[lang]


@pytest.mark.only_files
@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        ("2026-10-01", "2026-10-31", "in October"),
        ("2024-02-01", "2024-02-29", "in February 2024"),
        ("2024-02-01", "2024-02-28", "from 1 Feb 2024 to 28 Feb 2024"),
        ("2025-01-01", "2025-12-31", "in 2025"),
        ("2026-10-05", "2026-10-05", "on 5 Oct 2026"),
        ("2026-10-05", "", "since 5 Oct 2026"),
        ("", "2026-10-05", "until 5 Oct 2026"),
    ],
)
def test_a_period_has_the_shortest_name(first, last, words):
    assert period_of("", first, last, "2026-11-18").in_words() == words


@pytest.mark.only_files
@pytest.mark.parametrize("command", ["games", "league", "players"])
def test_the_help_says_when_a_day_ends(kiebitz, command):
    assert "a day ends at five in the morning" in " ".join(kiebitz(command, "--help").out.split())


def test_a_period_begins_at_five_in_the_morning_as_an_evening_does():
    period = period_of("last-month", "", "", "2026-01-31")
    assert (period.first, period.last) == ("2025-12-01", "2025-12-31")
    moments = [time.strftime("%Y-%m-%d %H:%M", time.gmtime(moment)) for moment in (period.since, period.until)]
    assert moments == ["2025-12-01 05:00", "2026-01-01 05:00"]
    assert not Period() and (Period().since, Period().until) == (None, None)


@pytest.mark.only_files
@pytest.mark.parametrize(
    ("word", "first", "last", "sentence"),
    [
        ("", "yesterday", "", "'yesterday' is not a date: write it like 2026-01-31."),
        ("", "", "2026-02-30", "'2026-02-30' is not a date: write it like 2026-01-31."),
        ("", "2026-02-02", "2026-02-01", "this period ends before it begins: 2026-02-02 to 2026-02-01."),
        ("", "9999-12-31", "", "'9999-12-31' is not the day of a game: nothing was played in the year 9999."),
        ("decade", "", "", "'decade' is not a period: choose from month, last-month, year."),
    ],
)
def test_what_is_no_period_is_refused(word, first, last, sentence):
    with pytest.raises(Trouble) as refused:
        period_of(word, first, last, "2026-01-06")
    assert str(refused.value) == sentence


@pytest.mark.parametrize("command", ["league", "games", "players"])
def test_options_that_contradict_each_other_are_bad_usage(kiebitz, command):
    done = kiebitz(command, "--period", "year", "--since", "2026-01-01")
    assert (done.code, done.err) == (2, "kiebitz: choose --period, or --since and --until, but not both.\n")
    done = kiebitz(command, "--since", "2026-01-02", "--until", "2026-01-01")
    assert (done.code, done.err) == (2, "kiebitz: this period ends before it begins: 2026-01-02 to 2026-01-01.\n")


def test_a_period_changes_nothing_about_a_player(put, kiebitz):
    put(carre(["Anna", "Ben"], [3, 2]))
    assert "a period is for the list of players" in kiebitz("players", "--period", "year", "rename", "Anna", "X").err
    assert kiebitz("players", "--json").json[0]["name"] == "Anna"


def test_the_league_of_a_period_is_that_of_its_games(store, monkeypatch):
    monkeypatch.setattr(league_cache, "STEP", 5)
    monkeypatch.setattr(league_cache, "LATE", 2)
    for k in range(40):
        game = (carre, spot)[k % 2](["Anna", "Ben", "Guest 3"], [k % 3, k % 4, 1])
        store.add_journal(f"x-{k:04d}-0", game, None, 1000 + k // 2, False)
    for since, until in ((None, 1007), (1003, None), (1003, 1011), (1005, 1006), (1, 1000), (2000, 3000), (1019, 9000)):
        for kind in (None, "top_spot"):
            wanted = query.Filter(game=kind, since=since, until=until, finished=True, early=False)
            league, history = query.league_with_history(store.db, wanted)
            assert query.league(store.db, wanted).state() == league.state()
            assert league.state() == League(query.league_games(store.db, wanted)).state(), (since, until, kind)
            times = [one.first for one in history.players.values()] + [one.last for one in history.players.values()]
            assert all((since or 0) <= at < (until or 9999) for at in times)


# --- recorded games ---


@pytest.fixture
def record(tmp_path, kiebitz):
    """Return a function that adds a recorded game with this value of `at`, and returns the run and the games."""

    def add(at):
        lines = poch(["Anna", "Ben"], [130, 70], at=at)
        (tmp_path / "game.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
        return kiebitz("add", str(tmp_path / "game.jsonl")), kiebitz("games", "--json").json

    return add


DATES = (
    (1767700000, "2026-01-06T11:46:40Z"),
    ("2025-12-24", "2025-12-24T12:00:00Z"),
    ("2025-12-24 20:15", "2025-12-24T20:15:00Z"),
    ("2025-12-24T20:15:30+01:00", "2025-12-24T19:15:30Z"),
)


@pytest.mark.parametrize(("at", "moment"), DATES)
def test_the_date_in_a_recorded_game_is_used(record, at, moment):
    done, (game,) = record(at)
    assert done.code == 0
    assert (game["at"], game["approximate"]) == (moment, False)


def test_without_a_date_it_is_that_of_the_file(record):
    _, (game,) = record(0)
    assert game["approximate"] and game["at"][:4] >= "2026"


@pytest.mark.parametrize("at", ["yesterday", "24.12.2025", "2025-02-30", "", -5, 9_999_999_999, 1.5, True, None, ["x"]])
def test_a_date_that_is_not_understood_is_refused_with_a_sentence(record, tmp_path, kiebitz, at):
    done, games = record(at)
    assert (done.code, games) == (3, [])
    sentence = "The date of the game is not understood: write it like 2026-01-31."
    assert done.err.endswith(f"not taken, line 1: E_ARG - {sentence}\n")
    shown = kiebitz("replay", str(tmp_path / "game.jsonl"), "--json")
    assert shown.code == 3
    assert json.loads(shown.out)["refused"] == {"line": 1, "code": "E_ARG", "message": sentence}


# --- guests ---

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
    assert store.db.value("SELECT max(until) FROM league_cache") > 1030
    for name, count in (("Ben", 2), ("Guest 2", 1)):
        with store.batch():
            people.rename(store.db, people.find(store.db, "Guest 2"), name)
        cached = league_cache.league(store.db)
        assert len(cached.standings) == count
        with store.db.transaction():
            store.db.run("DELETE FROM league_cache")
        assert league_cache.league(store.db).state() == cached.state()
        store.rebuild()
