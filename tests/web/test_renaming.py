"""Rename, join and separate players on their pages, and what guests see there."""

from urllib.parse import urlencode

import pytest
from helpers.finished import carre
from kiebitz.text import LANGUAGES
from kiebitz_host.library import decisions, people
from kiebitz_host.library.store import Store
from web.support import MARKUP, Visitor, fill

GAMES = (
    carre(["Anna", "Ben"], [3, 2]),
    carre(["ANNA", "Ben"], [1, 2]),
    carre(["Guest 1", "Ben", MARKUP], [9, 2, 1]),
    carre(["Anna", "Guest 2"], [3, 2]),
)


@pytest.fixture
def path(tmp_path):
    fill(tmp_path / "results.db", GAMES)
    return tmp_path / "results.db"


@pytest.fixture
def stand(serve, path):
    return serve(path)


@pytest.fixture
def owner(stand):
    return Visitor(stand, token=True)


def preview(owner, kind, **fields):
    answer = owner.get(f"/people/{kind}?{urlencode(fields)}")
    assert answer.status == 200, answer.text
    return answer.page


def form_of(page):
    """Return the fields of the form that stores the change."""
    (form,) = [form for form in page.root.iter("form") if form.get("method") == "post"]
    return {field.get("name"): field.get("value") for field in form.iter("input")}


def effect(page):
    return [["".join(cell.itertext()) for cell in row] for row in page.root.findall(".//main//tbody/tr")]


def players(path):
    """Return {name: (games, other spellings)}."""
    with Store(path, create=False) as store:
        return {one["name"]: (one["games"], one["spellings"]) for one in people.listed(store.db)}


def test_a_player_is_renamed_after_the_effect_was_seen(owner, path):
    before = players(path)
    page = preview(owner, "rename", name="Anna", new=" Änne ")
    assert effect(page) == [["Anna", "2 games", "–"], ["Änne", "–", "2 games"]]
    assert "Anna will be called Änne in all games" in page.text
    assert players(path) == before, "looking stores nothing"
    done = owner.post("/people/rename", form_of(page))
    assert (done.status, done.headers["location"]) == (303, "/players/%C3%84nne")
    assert players(path)["Änne"] == (2, ["Anna"])
    told = owner.get("/players/%C3%84nne").page
    assert "also written Anna" in told.text and any("Anna is called Änne now." in line for line in told.texts("li"))
    with Store(path, create=False) as store:
        (made,) = decisions.about(store.db, decisions.PEOPLE)
    assert (made.kind, made.values) == ("rename", {"name": "Anna", "new": "Änne"})


def test_two_spellings_are_joined_and_separated_again(owner, path):
    page = preview(owner, "join", name="Anna", other="ANNA")
    assert effect(page) == [["Anna", "2 games", "3 games"], ["ANNA", "1 game", "–"]]
    assert owner.post("/people/join", form_of(page)).headers["location"] == "/players/Anna"
    assert players(path)["Anna"] == (3, ["ANNA"])
    page = preview(owner, "split", name="Anna", spelling="ANNA")
    assert effect(page) == [["Anna", "3 games", "2 games"], ["ANNA", "–", "1 game"]]
    assert owner.post("/people/split", form_of(page)).status == 303
    assert players(path)["Anna"] == (2, []) and players(path)["ANNA"] == (1, [])
    assert len([line for line in owner.get("/players/Anna").page.texts("li") if "ANNA" in line and ":" in line]) == 2


REFUSED = (
    ("rename", {"name": "Anna", "new": "Ben"}, "There is a player Ben already."),
    ("rename", {"name": "Anna", "new": "x" * 25}, "1 to 24 letters"),
    ("rename", {"name": "Anna", "new": "Anna"}, "Nothing was changed."),
    ("join", {"name": "Anna", "other": "Ben"}, "both sat at the table in game 1"),
    ("join", {"name": "Anna", "other": "Nobody"}, "there is no player 'Nobody'"),
    ("split", {"name": "Anna", "spelling": "Anna"}, "is the name of this player"),
)


@pytest.mark.parametrize(("kind", "fields", "sentence"), REFUSED)
def test_the_rules_are_those_of_the_command_line(owner, path, kind, fields, sentence):
    before = players(path)
    page = preview(owner, kind, **fields)
    assert sentence in page.text and not [form for form in page.root.iter("form") if form.get("method") == "post"]
    answer = owner.post(f"/people/{kind}", {**fields, "seen": "0"})
    assert answer.status == 409 and sentence in answer.page.text
    assert players(path) == before


def test_a_name_that_somebody_has_leads_to_joining(owner):
    page = preview(owner, "rename", name="ANNA", new="Anna")
    assert "/people/join?name=Anna&other=ANNA" in page.links()
    assert effect(owner.get("/people/join?name=Anna&other=ANNA").page)[0] == ["Anna", "2 games", "3 games"]


def test_an_effect_that_has_changed_since_is_not_stored(owner, path):
    form = form_of(preview(owner, "join", name="Anna", other="ANNA"))
    with Store(path) as store:
        store.add_journal("aabbcc-0099-000099", carre(["ANNA", "Dora"], [1, 2]), None, 1767700000, False)
    answer = owner.post("/people/join", form)
    assert answer.status == 409 and "changed meanwhile" in answer.page.text
    assert players(path)["ANNA"] == (2, [])


def test_only_the_owner_changes_names(stand, owner, path):
    visitor = Visitor(stand)
    before = players(path)
    form = form_of(preview(owner, "rename", name="Anna", new="Eva"))
    assert visitor.get("/people/rename?name=Anna&new=Eva").status == 403
    assert visitor.post("/people/rename", form).status == 403
    assert owner.post("/people/rename", form, origin="http://elsewhere.example").status == 403
    assert [form.get("action") for form in visitor.get("/players/Anna").page.root.iter("form")] == ["/players/Anna"]
    assert owner.get("/people/burn?name=Anna").status == 404
    assert owner.get("/people/rename?name=Anna").status == 409
    assert players(path) == before


def test_the_page_of_a_player_offers_what_is_possible(owner):
    def actions(name):
        forms = owner.get(f"/players/{name}").page.root.iter("form")
        return [form.get("action") for form in forms if "/people/" in form.get("action")]

    assert actions("Anna") == ["/people/rename", "/people/join"]
    owner.post("/people/join", form_of(preview(owner, "join", name="Anna", other="ANNA")))
    assert actions("Anna") == ["/people/rename", "/people/join", "/people/split"]
    assert actions("Guest%201") == ["/people/rename"]


def test_names_that_would_be_markup_stay_names(owner, path):
    page = preview(owner, "rename", name=MARKUP, new="<i>Eva</i>")
    assert effect(page) == [[MARKUP, "1 game", "–"], ["<i>Eva</i>", "–", "1 game"]]
    done = owner.post("/people/rename", form_of(page))
    assert owner.get(done.headers["location"]).page.texts("h1") == ["<i>Eva</i>"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_pages_speak_every_language(owner, lang):
    places = ("/people/rename?name=Anna&new=Eva", "/people/join?name=Anna&other=ANNA", "/players/Guest%201", "/players")
    for path in places:
        page = owner.get(path, accept_language=lang).page
        assert page.lang == lang and "web." not in page.text and "people." not in page.text, path


def test_a_guest_is_nobody_on_the_pages(owner):
    page = owner.get("/players/Guest%201").page
    assert "A guest has no Elo and no place in the league." in page.text
    assert not {"Elo over time", "Head to head"} & set(page.texts("h2"))
    assert "Guest" not in owner.get("/league").page.text
    assert "Guest" not in "".join(owner.get("/players/Ben").page.texts("section//td"))
    listed = owner.get("/players").page.texts("tbody/tr/th")
    assert {"Guest 1", "Guest 2"} <= set(listed), "the list leads to the page where a guest gets a name"
    page = preview(owner, "rename", name="Guest 1", new="Cleo")
    assert "Every Guest 1 of later games is Cleo, too." in page.text
    assert "Every Guest 1 of later games is Anna, too." in preview(owner, "join", name="Anna", other="Guest 1").text
    owner.post("/people/rename", form_of(page))
    assert "Cleo" in owner.get("/league").page.text


def test_where_only_guests_have_played_the_league_says_so(serve, tmp_path):
    fill(tmp_path / "guests.db", [carre(["Guest 1", "Guest 2"], [3, 2])])
    visitor = Visitor(serve(tmp_path / "guests.db"))
    for path in ("/league", "/league?game=poker_carre", "/league?game=poker_carre&by=elo"):
        assert "Only guests have played." in visitor.get(path).page.text
