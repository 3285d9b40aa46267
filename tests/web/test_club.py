"""The pages of a club's evenings: what everybody sees, what the token allows, and what can go wrong."""

import csv
import io

import pytest
from helpers.finished import carre
from kiebitz_host.library.club_evenings import Evenings
from kiebitz_host.library.store import Store
from web.support import HOUR_S, NOW, Visitor

SEVEN = ["Anna", "Ben", "Cleo", "Dan", "Eva", "Finn", "=1+1"]
DAY = "2026-01-06"  # that of NOW
RULES = {"name": "Club", "day": DAY, "game": "poker_carre", "series": "2", "sizes": "4 3", "stake": "5",
         "prizes": "20 10"}  # fmt: skip


@pytest.fixture
def owner(stand):
    """Return a client of `stand` with the token."""
    return Visitor(stand, token=True)


class Club:
    """An evening as the pages change it."""

    def __init__(self, owner, path):
        self.owner = owner
        self.path = path
        answer = owner.post("/club", RULES)
        assert answer.status == 303, answer.text
        self.place = answer.headers["location"]

    def does(self, action, **form):
        """Do an action that must succeed."""
        answer = self.owner.post(f"{self.place}/{action}", form)
        assert answer.status == 303, answer.page.text
        return answer.headers["location"]

    def refuses(self, action, **form):
        """Do an action that must be refused, and return the sentence."""
        answer = self.owner.post(f"{self.place}/{action}", form)
        assert answer.status == 409
        return answer.page.text

    def seen(self, action):
        """Return what the form of an action has noted about what the page showed."""
        (form,) = [form for form in self.page.root.iter("form") if form.get("action") == f"{self.place}/{action}"]
        return next(field.get("value") for field in form.iter("input") if field.get("name") == "seen")

    def here(self, names=SEVEN):
        self.does("here", series="1", was="", new=", ".join(names))

    @property
    def page(self):
        answer = self.owner.get(self.place)
        assert answer.status == 200
        return answer.page

    @property
    def evening(self):
        with Store(self.path, now=lambda: NOW) as store:
            return Evenings(store).find(self.place.removeprefix("/club/"), True)

    def plays(self, series=1):
        """Store a finished game of each table of a series; the seats win 1, 2, 3 ... points."""
        with Store(self.path, now=lambda: NOW, say=print) as store:
            for k, table in enumerate(self.evening.draws[series].tables):
                game_id = f"aabbcc-{series:02d}{k:02d}-000000"
                lines = carre(table, list(range(1, len(table) + 1)))
                store.add_journal(game_id, lines, {"id": "e6aabbcc"}, NOW + series * HOUR_S, False)


@pytest.fixture
def club(owner, tmp_path):
    return Club(owner, tmp_path / "results.db")


def test_an_evening_by_clicks_from_members_to_money(club, visitor):
    club.here()
    assert club.evening.here == {1: sorted(SEVEN), 2: sorted(SEVEN)}
    club.does("draw", series="1", by="lot", seed="3")
    assert [len(table) for table in club.evening.draws[1].tables] == [4, 3]
    club.plays()
    assert club.does("assign").endswith("#games")
    club.does("draw", series="2", by="result", seed="")
    best = club.evening.draws[2].tables[0]
    assert {table[-1] for table in club.evening.draws[1].tables} <= set(best)
    club.plays(2)
    club.does("assign")
    page = club.page
    assert "Cash box" in page.text and len(club.evening.games) == 4
    (standings,) = [table for table in page.root.iter("table") if "Tables won" in "".join(table.itertext())]
    assert len(standings.findall("tbody/tr")) == 7
    club.does("settle", seen=club.seen("settle"))
    assert sum(club.evening.settled.values()) == -7 * 500 + 3000
    seen = visitor.get(club.place).page
    assert "Cash box" not in seen.text and "form" not in seen.tags()
    assert "Standings" in seen.text


def test_tables_without_a_game_are_named_before_a_draw_by_result(club):
    club.here()
    club.does("draw", series="1", by="lot", seed="3")
    assert "No game yet: table 1 of series 1 and table 2 of series 1. By the result" in club.page.text
    club.plays()
    club.does("assign")
    assert "No game yet" not in club.page.text


def test_the_next_evening_begins_with_the_game_of_the_last_one(club):
    (form,) = [form for form in club.owner.get("/club").page.root.iter("form") if form.get("action") == "/club"]
    assert [one.get("value") for one in form.iter("option") if "selected" in one.attrib] == ["poker_carre"]


def test_spectators_change_nothing(club, visitor):
    for action in ("here", "draw", "assign", "settle", "undo", "cancel", "change", "team", "seats"):
        assert visitor.post(f"{club.place}/{action}", {}).status == 403
    assert visitor.post("/club", RULES).status == visitor.post("/club/season", {}).status == 403
    assert visitor.get("/club/members").status == visitor.get(f"{club.place}/money.csv").status == 403
    assert visitor.get("/club").status == 200
    assert visitor.get("/club/0123456789abcdef").status == visitor.get("/club/season/0123").status == 404


def test_ticks_tell_who_comes_and_who_leaves(club):
    club.here()
    form = {"here.0": "Anna", "here.1": "Ben", "was": "Anna\nCleo", "new": "Hugo; hugo", "series": "2"}
    club.does("here", **form)
    assert club.evening.here == {1: sorted(SEVEN), 2: sorted({*SEVEN, "Hugo"} - {"Cleo"})}
    assert "1 to 24 letters" in club.refuses("here", series="1", new="x" * 25)
    assert "is a guest" in club.refuses("here", series="1", new="Guest 1")
    assert "not complete" in club.refuses("here", series="3", new="Ida")
    assert club.refuses("here", **{"series": "1", "here.0": "Nobody"})


def test_bad_forms_are_sentences_and_change_nothing(club):
    club.here(SEVEN[:2])
    before = club.evening
    assert "too few for a table of 3" in club.refuses("draw", series="1", by="lot")
    assert "no results yet" in club.refuses("draw", series="2", by="result")
    assert "not complete" in club.refuses("draw", series="1", by="magic")
    assert "not complete" in club.refuses("team", team="Reds")
    assert "not an amount" in club.refuses("change", **{**RULES, "stake": "ten"})
    assert "loses single games" in club.refuses("change", **{**RULES, "fees": "1.00"})
    assert "cannot play" in club.refuses("change", **{**RULES, "sizes": "9"})
    assert "not a house rule" in club.refuses("change", **{**RULES, "settings": "wrong"})
    assert "meanwhile" in club.refuses("undo", seen="0")
    assert "meanwhile" in club.refuses("settle", seen="x")
    assert "needs a name" in club.refuses("change", **{**RULES, "name": " "})
    assert "not complete" in club.refuses("change", **{**RULES, "day": "2026-02-30"})
    assert "already" in club.owner.post("/club", RULES).page.text
    assert club.owner.post(f"{club.place}/nothing", {}).status == 404
    assert club.evening == before


def test_a_series_that_was_drawn_meanwhile_is_not_drawn_again(club):
    club.here()
    club.does("draw", series="1", by="lot", seed="1")
    first = club.evening.draws
    assert "is drawn already" in club.refuses("draw", series="1", by="lot", seed="2")
    assert club.evening.draws == first
    club.does("draw", series="1", by="lot", seed="2", again="1")
    assert club.evening.draws[1].seed == 2
    club.does("undo", seen=club.seen("undo"))
    assert club.evening.draws == first


def test_games_that_do_not_fit_are_asked(club, tmp_path):
    club.here()
    club.does("draw", series="1", by="lot", seed="1")
    with Store(club.path, now=lambda: NOW, say=print) as store:
        store.add_journal("aabbcc-0009-000000", carre(["Hugo", "Ida"], [1, 2]), {"id": "e6aabbcc"}, NOW, False)
    assert "Game 1 (Hugo, Ida) fits no table." in club.page.text
    club.does("game", number="1", spot="1.2")
    assert "but was played by Hugo, Ida" in club.page.text
    club.does("game", number="1", spot="off")
    assert [spot for spot in club.evening.games.values() if spot] == []
    assert "not complete" in club.refuses("game", number="1", spot="x")


def test_a_cancelled_evening_comes_back(club):
    club.here()
    club.does("cancel")
    assert "cancelled" in club.page.text
    club.does("restore")
    assert "cancelled" not in club.page.texts("h1")[0] and not club.evening.cancelled


def test_teams_and_seasons(club, owner, visitor):
    club.here()
    club.does("draw", series="1", by="lot", seed="1")
    club.plays()
    club.does("assign")
    form = {f"of.{k}": name for k, name in enumerate(SEVEN[:3])}
    club.does("team", team="Reds", **form)
    assert "Teams" in str(club.page.texts("h2")) and "Reds" in club.page.text
    season = {"name": "2026", "since": "2026-01-01", "until": "2026-12-31", "by": "best", "best": "10", "least": "1"}
    assert owner.post("/club/season", season).status == 303
    assert owner.post("/club/season", {**season, "until": "2025-01-01"}).status == 409
    link = next(link for link in visitor.get("/club").page.links() if link.startswith("/club/season/"))
    assert "sum of the best 10 evenings" in visitor.get(link).page.text
    rows = list(csv.DictReader(io.StringIO(visitor.get(f"{link}/standings.csv").text)))
    assert [row["evenings"] for row in rows] == ["1"] * 7


def test_files_for_federations_chats_and_printers(club, visitor, owner):
    club.here()
    owner.post("/club/members", {"list": "Name;Nr;Verein\nAnna;12;Skat 04\n", "seen": "1 0 0"})
    club.does("draw", series="1", by="lot", seed="1")
    club.plays()
    club.does("assign")
    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(visitor.get(f"{club.place}/standings.csv").text))}
    assert "'=1+1" in rows and (rows["Anna"]["number"], rows["Anna"]["club"]) == ("12", "Skat 04")
    assert rows["Anna"]["series_1"] == rows["Anna"]["points"]
    assert "Cash box" in owner.get(f"{club.place}/money.csv").text
    file = visitor.get(f"{club.place}/file")
    assert "attachment" in file.headers["content-disposition"] and "Standings" in file.page.text
    assert "form" not in file.page.tags() and "Stake" not in file.page.text
    assert visitor.get(f"{club.place}/picture").body.startswith(b"\x89PNG")
    lists = visitor.get(f"{club.place}/lists").page
    assert len(lists.root.findall(".//table")) == 2 and len(lists.root.findall(".//table[1]/tbody/tr")) == 2 * 48
    assert len(lists.root.findall(".//svg")) == 2
    assert visitor.get(f"{club.place}/lists?rows=500").status == 409


def test_the_line_breaks_of_a_browser_are_no_part_of_a_club(owner):
    rows = 'Name;Verein\r\nAnna;"Skat 04"\r\nBen;Skat 04\r\n'
    shown = owner.post("/club/members", {"list": rows}).page.root.find(".//textarea").text
    assert shown.splitlines() == ["Name;Verein", 'Anna;"Skat 04"', "Ben;Skat 04"]
    assert owner.post("/club/members", {"list": shown, "seen": "2 0 0"}).status == 303
    assert owner.get("/club/members.csv").text.splitlines()[1:] == ["Anna,,Skat 04", "Ben,,Skat 04"]


def test_members_are_previewed_and_nothing_is_doubled(owner):
    rows = "Name,Nummer\nAnna,1\nBen,2\n"
    preview = owner.post("/club/members", {"list": rows})
    assert preview.status == 200 and "2 new" in preview.page.text
    assert "Anna" not in owner.get("/club/members").page.text
    fields = {field.get("name"): field.get("value") for field in preview.page.root.iter("input")}
    assert owner.post("/club/members", {"list": rows, "seen": fields["seen"]}).status == 303
    assert "Anna" in owner.get("/club/members").page.text
    assert "2 as before" in owner.post("/club/members", {"list": rows}).page.text
    wrong = owner.post("/club/members", {"list": rows + "Anna,3\n"})
    assert wrong.status == 422 and "here twice" in wrong.page.text
    assert owner.post("/club/members", {"list": "no heads"}).status == 422
    assert owner.get("/club/members.csv").text.startswith("name,number,club\n")


def test_a_season_of_two_games_is_counted_game_by_game(club, owner, visitor):
    club.here()
    club.does("draw", series="1", by="lot", seed="1")
    club.plays()
    club.does("assign")
    club.does("team", team="Reds", **{"of.0": SEVEN[0]})
    season = {"name": "2026", "since": "2026-01-01", "until": "", "by": "sum", "best": "1", "least": "1"}
    assert owner.post("/club/season", season).status == 303
    assert owner.post("/club", {**RULES, "name": "Other", "game": "poch", "day": "2026-01-07"}).status == 303
    link = next(link for link in visitor.get("/club").page.links() if link.startswith("/club/season/"))
    assert "No game counts yet" in visitor.get(link).page.text  # Poch was last
    own = next(link for link in visitor.get(link).page.links() if link.endswith("game=poker_carre"))
    page = visitor.get(own).page
    assert "No game counts yet" not in page.text and "Reds" in page.text and "Teams" in page.texts("h2")
    file = next(link for link in page.links() if "standings.csv" in link)
    assert len(visitor.get(file).text.splitlines()) == 1 + len(SEVEN)


WRONG = """Name;Nr;Verein;Ort
Anna;1;V;O
anna;2;V;O
Ben;1;V;O
;3;V;O
Guest 1;4;V;O
=1+1;5;V;O
{long};6;V;O
Dan;{long};V;O
Eva;7;{long}{long};O
Finn;8
"Gina;9;V;O
"""


@pytest.mark.parametrize("lang", ["de", "fr", "it", "nl"])
def test_what_is_wrong_in_a_list_of_members_is_said_in_the_language_of_the_visitor(owner, lang):
    for content in (WRONG.format(long="x" * 25), "Telefon;Ort\n1;2\n", "Name;Spieler\nA;B\n", "PK\x03\x04"):
        said = []
        for code in ("en", lang):
            page = owner.post(f"/club/members?lang={code}", {"list": content, "lang": code}).page
            said.append({*page.texts("main//p"), *page.texts("main//li")})
        assert len(said[0]) == len(said[1]) > 2
        assert not said[0] & said[1]


@pytest.mark.parametrize("lang", ["de", "fr", "it", "nl"])
def test_every_sentence_of_an_evening_is_in_the_language_of_the_visitor(club, owner, lang):
    club.here()
    club.does("draw", series="1", by="lot", seed="1")
    club.plays()
    club.does("assign")
    for path in ("/club", club.place, f"{club.place}/wall", f"{club.place}/lists", "/club/members"):
        english = owner.get(f"{path}?lang=en").page
        other = owner.get(f"{path}?lang={lang}").page
        assert other.lang == lang
        same = set(english.texts("button") + english.texts("h2")) & set(other.texts("button") + other.texts("h2"))
        assert not {words for words in same if " " in words and not words.startswith("Table ")}, path
    members = {f"of.{k}": name for k, name in enumerate(SEVEN[:3])}
    club.does("team", team="Reds", **members)
    club.does("settle", seen=club.seen("settle"))
    trail = "*[@class='trail']/li"
    english, other = [owner.get(f"{club.place}?lang={code}").page.texts(trail) for code in ("en", lang)]
    assert len(english) == len(other) == 6
    same = {line.partition(": ")[2] for line in english} & {line.partition(": ")[2] for line in other}
    assert same <= {"team Reds: Anna, Ben, Cleo"}  # that is Dutch, too
    answer = owner.post(f"{club.place}/draw?lang={lang}", {"series": "1", "by": "lot", "lang": lang})
    assert answer.status == 409 and "drawn already" not in answer.page.text
