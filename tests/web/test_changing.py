"""Changes from the browser: corrections, deletions, restores and presets."""

import pytest
from kiebitz_host.library import fixes, query
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


def test_an_entry_is_taken_out(owner, path):
    page = look(owner, 3, do="remove", entry=1)
    assert owner.post("/games/3/fix", fields_of(page, "post")).status == 303
    assert scores(path, 3)[0] == (MARKUP, 2, 2)


def test_what_the_rules_refuse_cannot_be_stored(owner, path):
    page = look(owner, 3, do="remove", entry=11)  # without its end the game would not be over
    assert "the game would not be over" in page.text
    assert page.root.find(".//form[@method='post']") is None
    answer = owner.post("/games/3/fix", {"do": "remove", "entry": "11", "seen": "x"})
    assert answer.status == 409 and "would not be over" in answer.page.text
    with Store(path, create=False) as store:
        assert fixes.history(store, 3, ["a", "b", "c"]) == []


def test_a_form_from_before_another_change_is_refused(owner, path):
    first = fields_of(look(owner, 3, do="remove", entry=1), "post")
    second = fields_of(look(owner, 3, do="remove", entry=2), "post")
    assert owner.post("/games/3/fix", first).status == 303
    answer = owner.post("/games/3/fix", second)
    assert answer.status == 409 and "Game 3 was changed meanwhile" in answer.page.text
    assert scores(path, 3)[0] == (MARKUP, 2, 2)


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


def test_a_preset_is_written_sent_and_listed(preset_owner):
    assert "No presets yet." in preset_owner.get("/presets").page.text
    assert preset_owner.post(preset_owner.place, SKYJO).status == 303
    assert preset_owner.on_device() == [
        {"game": "any_game", "title": "Skyjo", "options": {"wins": "low", "end": "target", "limit": 100}}
    ]
    assert "Skyjo" in preset_owner.get("/presets").page.text


def test_a_preset_is_taken_off(preset_owner):
    preset_owner.post(preset_owner.place, SKYJO)
    assert preset_owner.post(preset_owner.place + "/remove", {"game": "any_game", "title": "Skyjo"}).status == 303
    assert preset_owner.on_device() == []


@pytest.mark.parametrize(
    "wrong",
    [{"title": ""}, {"title": "x" * 25}, {"limit": ""}, {"limit": "many"}, {"entry": "counter", "end": "rounds"}],
)
def test_settings_that_do_not_go_together_are_said_and_kept_in_the_form(preset_owner, wrong):
    answer = preset_owner.post(preset_owner.place, {**SKYJO, **wrong})
    assert answer.status == 422 and "do not go together" in answer.page.text
    assert preset_owner.on_device() == []


def test_a_full_list_is_told(preset_owner):
    for k in range(20):
        preset_owner.post(preset_owner.place, {**SKYJO, "title": f"Game {k}"})
    answer = preset_owner.post(preset_owner.place, {**SKYJO, "title": "One more"})
    assert answer.status == 422 and "20 presets already" in answer.page.text


def test_spectators_see_no_presets(plugged):
    stand, _ = plugged()
    assert Visitor(stand).get("/presets").status == 403
