"""Changes from the browser: corrections, deletions, restores, presets, and names of players."""

from urllib.parse import urlencode

import pytest
from helpers.finished import carre
from kiebitz.text import LANGUAGES
from kiebitz_host.library import decisions, fixes, people, query
from kiebitz_host.library.store import Store
from web.support import GAMES, MARKUP, Visitor, fill


@pytest.fixture
def path(tmp_path):
    fill(tmp_path / "results.db")
    return tmp_path / "results.db"


@pytest.fixture
def owner(serve, path):
    return Visitor(serve(path), token=True)


def fields_of(page, method):
    """Return a dict of the fields in the form with this method, as a browser would send them."""
    forms = [form for form in page.root.iter("form") if form.get("method") == method and form.get("role") is None]
    assert len(forms) == 1, [form.attrib for form in forms]
    values = {
        field.get("name"): field.get("value", "") for field in forms[0].iter("input") if field.get("type") != "checkbox"
    }
    for field in forms[0].iter("select"):
        options = list(field.iter("option"))
        chosen = next((option for option in options if option.get("selected") is not None), options[0])
        values[field.get("name")] = chosen.get("value")
    return values


def choices_of(page, question):
    """Return the field name of a question, and a dict of its labels and values."""
    for label in page.root.iter("label"):
        if "".join(label.find("span").itertext()) == question:
            field = label.find("select")
            return field.get("name"), {
                "".join(option.itertext()): option.get("value") for option in field.iter("option")
            }
    raise AssertionError(question)


def look(owner, number, **fields):
    query = "&".join(f"{key}={value}" for key, value in fields.items())
    answer = owner.get(f"/games/{number}/fix?{query}")
    assert answer.status == 200, answer.text
    return answer.page


def scores(path, number):
    with Store(path, create=False) as store:
        return [(score["name"], score["score"], score["rank"]) for score in query.one(store.db, number)["scores"]]


@pytest.mark.long
def test_an_entry_is_corrected_after_its_effect_was_seen(owner, path):
    before = scores(path, 3)
    page = look(owner, 3, entry=1)  # Max marked one point
    assert f"{MARKUP}" in page.text and "The right entry" in page.text
    assert not [form for form in page.root.iter("form") if form.get("method") == "post"], "nothing was looked at yet"
    form = fields_of(page, "get")
    who, names = choices_of(page, "Who?")
    form[who] = names["Anna"]
    seen = look(owner, 3, **form)
    assert "6 (place 1, won)" in seen.text and "2 (place 2)" in seen.text
    assert scores(path, 3) == before, "looking stores nothing"
    assert owner.post("/games/3/fix", fields_of(seen, "post")).status == 303
    assert scores(path, 3) == [(MARKUP, 2, 2), ("Jo \"J\" O'N'", 2, 2), ("Anna", 6, 1)]
    page = owner.get("/games/3").page
    assert "corrected" in page.text and page.root.find(".//mark") is not None
    assert any("Entry 1," in line and "(in force)" in line for line in page.texts("li"))


@pytest.mark.long
def test_a_correction_is_taken_back_and_both_stay_in_the_trail(owner, path):
    before = scores(path, 3)
    page = look(owner, 3, entry=1)
    form = fields_of(page, "get")
    who, names = choices_of(page, "Who?")
    form[who] = names["Anna"]
    owner.post("/games/3/fix", fields_of(look(owner, 3, **form), "post"))
    undo = owner.get("/games/3/undo").page
    assert "6 (place 1, won)" in undo.text and "5 (place 1, won)" in undo.text
    assert owner.post("/games/3/undo", fields_of(undo, "post")).status == 303
    assert scores(path, 3) == before
    assert any("undone on" in line for line in owner.get("/games/3").page.texts("li"))
    with Store(path, create=False) as store:
        (fix,) = fixes.history(store, 3, ["a", "b", "c"])
        assert (fix["state"], fix["entry"]) == ("undone", 1)
        assert store.histories(3)[0] == GAMES[2], "the journal itself is never altered"
    assert owner.get("/games/3/undo").status == 409, "there is nothing left to take back"


@pytest.mark.long
def test_an_entry_is_put_in_question_by_question(owner, path):
    page = look(owner, 3, do="insert", entry=1)
    name, events = choices_of(page, "What happened?")
    mark = next(value for words, value in events.items() if words.startswith("(Player)"))
    page = look(owner, 3, do="insert", entry=1, **{name: mark})
    form = fields_of(page, "get")
    for _ in range(4):
        open_ones = [key for key, value in form.items() if value == ""]
        for key in open_ones:
            form[key] = "0"
        page = look(owner, 3, **form)
        if page.root.find(".//form[@method='post']") is not None:
            break
        form = fields_of(page, "get")
    assert "Put an entry in before entry 1" in page.text
    assert owner.post("/games/3/fix", fields_of(page, "post")).status == 303
    with Store(path, create=False) as store:
        assert query.one(store.db, 3)["events"] == 12
        assert fixes.history(store, 3, ["a", "b", "c"])[0]["old"] is None


@pytest.mark.long
def test_an_entry_is_taken_out(owner, path):
    page = look(owner, 3, do="remove", entry=1)
    assert owner.post("/games/3/fix", fields_of(page, "post")).status == 303
    assert scores(path, 3)[0] == (MARKUP, 2, 2)


@pytest.mark.long
def test_what_the_rules_refuse_cannot_be_stored(owner, path):
    page = look(owner, 3, do="remove", entry=11)  # without its end the game would not be over
    assert "the game would not be over" in page.text
    assert page.root.find(".//form[@method='post']") is None
    answer = owner.post("/games/3/fix", {"do": "remove", "entry": "11", "seen": "x"})
    assert answer.status == 409 and "would not be over" in answer.page.text
    with Store(path, create=False) as store:
        assert fixes.history(store, 3, ["a", "b", "c"]) == []


@pytest.mark.long
def test_a_form_from_before_another_change_is_refused(owner, path):
    first = fields_of(look(owner, 3, do="remove", entry=1), "post")
    second = fields_of(look(owner, 3, do="remove", entry=2), "post")
    assert owner.post("/games/3/fix", first).status == 303
    answer = owner.post("/games/3/fix", second)
    assert answer.status == 409 and "Game 3 was changed meanwhile" in answer.page.text
    assert scores(path, 3)[0] == (MARKUP, 2, 2)


@pytest.mark.long
@pytest.mark.parametrize(
    "form",
    [{}, {"do": "burn", "entry": "1"}, {"do": "correct", "entry": "x"}, {"do": "correct", "entry": "1", "event": "["}],
)
def test_a_form_that_is_none_of_ours_changes_nothing(owner, path, form):
    before = scores(path, 3)
    assert owner.post("/games/3/fix", form).status == 409
    assert scores(path, 3) == before


DOUBTED = [
    '{"game":"poch","players":["Anna","Ben"]}', '{"ev":"start_round","trump":"H"}', '{"ev":"cash","p":0,"pool":"A"}',
    '{"ev":"end_cash","confirm":true}', '{"ev":"pass","p":0}', '{"ev":"pass","p":1}',
    '{"ev":"end_round","winner":1,"left":{"0":3}}', '{"ev":"end_game"}',
]  # fmt: skip


@pytest.mark.long
def test_a_doubt_is_confirmed_with_a_tick(serve, tmp_path):
    path = tmp_path / "doubt.db"
    fill(path, [DOUBTED])
    owner = Visitor(serve(path), token=True)
    form = fields_of(look(owner, 1, entry=3), "get")
    page = look(owner, 1, **form)
    assert page.root.find(".//input[@name='confirm']") is not None and "enter it all the same" in page.text
    assert page.root.find(".//form[@method='post']") is None
    confirmed = look(owner, 1, **form, confirm="1")
    assert "is already like that" in confirmed.text, "it was confirmed at the table, so nothing changes"


@pytest.mark.long
def test_a_game_is_deleted_and_restored_and_both_are_told(owner):
    page = owner.get("/games/8/delete").page
    assert "can be restored at any time" in page.text
    assert owner.post("/games/8/delete", fields_of(page, "post")).status == 303
    assert "/games/8" not in owner.get("/games").page.links()
    assert "/games/8" in owner.get("/games?state=deleted").page.links()
    deleted = owner.get("/games/8").page
    assert "Deleted." in deleted.text and "/games/8/restore" in deleted.links()
    assert owner.post("/games/8/delete").status == 409, "it is deleted already"
    assert owner.post("/games/8/restore", fields_of(owner.get("/games/8/restore").page, "post")).status == 303
    lines = owner.get("/games/8").page.texts("section[@class='screen-only trail']/ol/li")
    assert [line.rpartition(" ")[2] for line in lines] == ["deleted", "restored"]


@pytest.mark.long
def test_an_unfinished_game_is_corrected_on_the_device(owner):
    assert not [link for link in owner.get("/games/7").page.links() if "/fix" in link]
    assert owner.get("/games/7/fix?entry=1").status == 409


# --- presets ---

SKYJO = {"title": "Skyjo", "wins": "low", "entry": "rounds", "end": "target", "limit": "100", "start": "", "step": "1"}


@pytest.fixture
def preset_owner(plugged):
    stand, _ = plugged()
    (device,) = stand.site.devices.followers
    visitor = Visitor(stand, token=True)
    visitor.place = f"/presets/{device}"
    visitor.on_device = lambda: stand.site.devices.followers[device].ask(lambda client: client.presets())
    return visitor


@pytest.mark.long
def test_a_preset_is_written_sent_and_listed(preset_owner):
    assert "No presets yet." in preset_owner.get("/presets").page.text
    assert preset_owner.post(preset_owner.place, SKYJO).status == 303
    assert preset_owner.on_device() == [
        {"game": "any_game", "title": "Skyjo", "options": {"wins": "low", "end": "target", "limit": 100}}
    ]
    assert "Skyjo" in preset_owner.get("/presets").page.text


@pytest.mark.long
def test_a_preset_is_taken_off(preset_owner):
    preset_owner.post(preset_owner.place, SKYJO)
    assert preset_owner.post(preset_owner.place + "/remove", {"game": "any_game", "title": "Skyjo"}).status == 303
    assert preset_owner.on_device() == []


@pytest.mark.long
@pytest.mark.parametrize(
    "wrong",
    [{"title": ""}, {"title": "x" * 25}, {"limit": ""}, {"limit": "many"}, {"entry": "counter", "end": "rounds"}],
)
def test_settings_that_do_not_go_together_are_said_and_kept_in_the_form(preset_owner, wrong):
    answer = preset_owner.post(preset_owner.place, {**SKYJO, **wrong})
    assert answer.status == 422 and "do not go together" in answer.page.text
    assert preset_owner.on_device() == []


@pytest.mark.long
def test_a_full_list_is_told(preset_owner):
    for k in range(20):
        preset_owner.post(preset_owner.place, {**SKYJO, "title": f"Game {k}"})
    answer = preset_owner.post(preset_owner.place, {**SKYJO, "title": "One more"})
    assert answer.status == 422 and "20 presets already" in answer.page.text


@pytest.mark.long
def test_spectators_see_no_presets(plugged):
    stand, _ = plugged()
    assert Visitor(stand).get("/presets").status == 403


RENAMED_GAMES = (
    carre(["Anna", "Ben"], [3, 2]),
    carre(["ANNA", "Ben"], [1, 2]),
    carre(["Guest 1", "Ben", MARKUP], [9, 2, 1]),
    carre(["Anna", "Guest 2"], [3, 2]),
)


@pytest.fixture
def people_path(tmp_path):
    fill(tmp_path / "results.db", RENAMED_GAMES)
    return tmp_path / "results.db"


@pytest.fixture
def stand(serve, people_path):
    return serve(people_path)


@pytest.fixture
def admin(stand):
    return Visitor(stand, token=True)


def preview(admin, kind, **fields):
    answer = admin.get(f"/people/{kind}?{urlencode(fields)}")
    assert answer.status == 200, answer.text
    return answer.page


def form_of(page):
    """Return the fields of the form that stores the change."""
    (form,) = [form for form in page.root.iter("form") if form.get("method") == "post"]
    return {field.get("name"): field.get("value") for field in form.iter("input")}


def effect(page):
    return [["".join(cell.itertext()) for cell in row] for row in page.root.findall(".//main//tbody/tr")]


def players(people_path):
    """Return {name: (games, other spellings)}."""
    with Store(people_path, create=False) as store:
        return {one["name"]: (one["games"], one["spellings"]) for one in people.listed(store.db)}


def test_a_player_is_renamed_after_the_effect_was_seen(admin, people_path):
    before = players(people_path)
    page = preview(admin, "rename", name="Anna", new=" Änne ")
    assert effect(page) == [["Anna", "2 games", "–"], ["Änne", "–", "2 games"]]
    assert "Anna will be called Änne in all games" in page.text
    assert players(people_path) == before, "looking stores nothing"
    done = admin.post("/people/rename", form_of(page))
    assert (done.status, done.headers["location"]) == (303, "/players/%C3%84nne")
    assert players(people_path)["Änne"] == (2, ["Anna"])
    told = admin.get("/players/%C3%84nne").page
    assert "also written Anna" in told.text and any("Anna is called Änne now." in line for line in told.texts("li"))
    with Store(people_path, create=False) as store:
        (made,) = decisions.about(store.db, decisions.PEOPLE)
    assert (made.kind, made.values) == ("rename", {"name": "Anna", "new": "Änne"})


def test_two_spellings_are_joined_and_separated_again(admin, people_path):
    page = preview(admin, "join", name="Anna", other="ANNA")
    assert effect(page) == [["Anna", "2 games", "3 games"], ["ANNA", "1 game", "–"]]
    assert admin.post("/people/join", form_of(page)).headers["location"] == "/players/Anna"
    assert players(people_path)["Anna"] == (3, ["ANNA"])
    page = preview(admin, "split", name="Anna", spelling="ANNA")
    assert effect(page) == [["Anna", "3 games", "2 games"], ["ANNA", "–", "1 game"]]
    assert admin.post("/people/split", form_of(page)).status == 303
    assert players(people_path)["Anna"] == (2, []) and players(people_path)["ANNA"] == (1, [])
    assert len([line for line in admin.get("/players/Anna").page.texts("li") if "ANNA" in line and ":" in line]) == 2


REFUSED = (
    ("rename", {"name": "Anna", "new": "Ben"}, "There is a player Ben already."),
    ("rename", {"name": "Anna", "new": "x" * 25}, "1 to 24 letters"),
    ("rename", {"name": "Anna", "new": "Anna"}, "Nothing was changed."),
    ("join", {"name": "Anna", "other": "Ben"}, "both sat at the table in game 1"),
    ("join", {"name": "Anna", "other": "Nobody"}, "there is no player 'Nobody'"),
    ("split", {"name": "Anna", "spelling": "Anna"}, "is the name of this player"),
)


@pytest.mark.parametrize(("kind", "fields", "sentence"), REFUSED)
def test_the_rules_are_those_of_the_command_line(admin, people_path, kind, fields, sentence):
    before = players(people_path)
    page = preview(admin, kind, **fields)
    assert sentence in page.text and not [form for form in page.root.iter("form") if form.get("method") == "post"]
    answer = admin.post(f"/people/{kind}", {**fields, "seen": "0"})
    assert answer.status == 409 and sentence in answer.page.text
    assert players(people_path) == before


def test_a_name_that_somebody_has_leads_to_joining(admin):
    page = preview(admin, "rename", name="ANNA", new="Anna")
    assert "/people/join?name=Anna&other=ANNA" in page.links()
    assert effect(admin.get("/people/join?name=Anna&other=ANNA").page)[0] == ["Anna", "2 games", "3 games"]


def test_an_effect_that_has_changed_since_is_not_stored(admin, people_path):
    form = form_of(preview(admin, "join", name="Anna", other="ANNA"))
    with Store(people_path) as store:
        store.add_journal("aabbcc-0099-000099", carre(["ANNA", "Dora"], [1, 2]), None, 1767700000, False)
    answer = admin.post("/people/join", form)
    assert answer.status == 409 and "changed meanwhile" in answer.page.text
    assert players(people_path)["ANNA"] == (2, [])


def test_only_the_owner_changes_names(stand, admin, people_path):
    visitor = Visitor(stand)
    before = players(people_path)
    form = form_of(preview(admin, "rename", name="Anna", new="Eva"))
    assert visitor.get("/people/rename?name=Anna&new=Eva").status == 403
    assert visitor.post("/people/rename", form).status == 403
    assert admin.post("/people/rename", form, origin="http://elsewhere.example").status == 403
    assert [form.get("action") for form in visitor.get("/players/Anna").page.root.iter("form")] == ["/players/Anna"]
    assert admin.get("/people/burn?name=Anna").status == 404
    assert admin.get("/people/rename?name=Anna").status == 409
    assert players(people_path) == before


def test_the_page_of_a_player_offers_what_is_possible(admin):
    def actions(name):
        forms = admin.get(f"/players/{name}").page.root.iter("form")
        return [form.get("action") for form in forms if "/people/" in form.get("action")]

    assert actions("Anna") == ["/people/rename", "/people/join"]
    admin.post("/people/join", form_of(preview(admin, "join", name="Anna", other="ANNA")))
    assert actions("Anna") == ["/people/rename", "/people/join", "/people/split"]
    assert actions("Guest%201") == ["/people/rename"]


def test_names_that_would_be_markup_stay_names(admin, people_path):
    page = preview(admin, "rename", name=MARKUP, new="<i>Eva</i>")
    assert effect(page) == [[MARKUP, "1 game", "–"], ["<i>Eva</i>", "–", "1 game"]]
    done = admin.post("/people/rename", form_of(page))
    assert admin.get(done.headers["location"]).page.texts("h1") == ["<i>Eva</i>"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_pages_speak_every_language(admin, lang):
    places = ("/people/rename?name=Anna&new=Eva", "/people/join?name=Anna&other=ANNA", "/players/Guest%201", "/players")
    for people_path in places:
        page = admin.get(people_path, accept_language=lang).page
        assert page.lang == lang and "web." not in page.text and "people." not in page.text, people_path


def test_a_guest_is_nobody_on_the_pages(admin):
    page = admin.get("/players/Guest%201").page
    assert "A guest has no Elo and no place in the league." in page.text
    assert not {"Elo over time", "Head to head"} & set(page.texts("h2"))
    assert "Guest" not in admin.get("/league").page.text
    assert "Guest" not in "".join(admin.get("/players/Ben").page.texts("section//td"))
    listed = admin.get("/players").page.texts("tbody/tr/th")
    assert {"Guest 1", "Guest 2"} <= set(listed), "the list leads to the page where a guest gets a name"
    page = preview(admin, "rename", name="Guest 1", new="Cleo")
    assert "Every Guest 1 of later games is Cleo, too." in page.text
    assert "Every Guest 1 of later games is Anna, too." in preview(admin, "join", name="Anna", other="Guest 1").text
    admin.post("/people/rename", form_of(page))
    assert "Cleo" in admin.get("/league").page.text


def test_where_only_guests_have_played_the_league_says_so(serve, tmp_path):
    fill(tmp_path / "guests.db", [carre(["Guest 1", "Guest 2"], [3, 2])])
    visitor = Visitor(serve(tmp_path / "guests.db"))
    for people_path in ("/league", "/league?game=poker_carre", "/league?game=poker_carre&by=elo"):
        assert "Only guests have played." in visitor.get(people_path).page.text
