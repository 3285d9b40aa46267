"""Presets of a device in the browser: listed, added, refused, removed."""

import pytest
from web.asking import Visitor

SKYJO = {"title": "Skyjo", "wins": "low", "entry": "rounds", "end": "target", "limit": "100", "start": "", "step": "1"}


@pytest.fixture
def owner(plugged):
    stand, _ = plugged()
    (device,) = stand.site.devices.followers
    visitor = Visitor(stand, token=True)
    visitor.place = f"/presets/{device}"
    visitor.on_device = lambda: stand.site.devices.followers[device].ask(lambda client: client.presets())
    return visitor


def test_a_preset_is_written_sent_and_listed(owner):
    assert "There is none yet." in owner.get("/presets").page.text
    assert owner.post(owner.place, SKYJO).status == 303
    assert owner.on_device() == [
        {"game": "any_game", "title": "Skyjo", "options": {"wins": "low", "end": "target", "limit": 100}}
    ]
    assert "Skyjo" in owner.get("/presets").page.text


def test_a_preset_is_taken_off(owner):
    owner.post(owner.place, SKYJO)
    assert owner.post(owner.place + "/remove", {"game": "any_game", "title": "Skyjo"}).status == 303
    assert owner.on_device() == []


@pytest.mark.parametrize(
    "wrong",
    [{"title": ""}, {"title": "x" * 25}, {"limit": ""}, {"limit": "many"}, {"entry": "counter", "end": "rounds"}],
)
def test_settings_that_do_not_go_together_are_said_and_kept_in_the_form(owner, wrong):
    answer = owner.post(owner.place, {**SKYJO, **wrong})
    assert answer.status == 422 and "do not go together" in answer.page.text
    assert owner.on_device() == []


def test_a_full_list_is_told(owner):
    for k in range(20):
        owner.post(owner.place, {**SKYJO, "title": f"Game {k}"})
    answer = owner.post(owner.place, {**SKYJO, "title": "One more"})
    assert answer.status == 422 and "20 presets already" in answer.page.text


def test_spectators_see_no_presets(plugged):
    stand, _ = plugged()
    assert Visitor(stand).get("/presets").status == 403
