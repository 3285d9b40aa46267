"""Devices on the page, simulated and emulated."""

import threading
from base64 import b64decode

import pytest
from helpers.play import ev, setup, short_game
from helpers.shelf import games_on, play_all
from kiebitz.raster.tints import COLOURS
from kiebitz.store.roster import Roster
from kiebitz.store.table import Table
from kiebitz_host.link.ports import Port
from kiebitz_host.link.trouble import LinkLost, LinkTrouble, PortBusy
from kiebitz_host.web.devices import DEVICES_MAX, Devices
from kiebitz_lab.chip.flash import changed, flash_with
from kiebitz_lab.chip.probes import ChipCable, ReferenceDevice
from kiebitz_lab.chip.rig import Rig
from kiebitz_lab.image.build import current_image
from kiebitz_lab.pages import wait_until
from kiebitz_lab.torture.devices import Cable, Clock, Honest
from playwright.sync_api import expect
from web.support import Visitor


def match(storage):
    """Put a running match of Top Spot on the flash."""
    games = games_on(storage)
    games.create(setup("top_spot", 3, match_length=3))
    games.play(ev("point", p=1))


def names(storage):
    Roster(storage).replace(["Anna", "Ben"])


def written(answer):
    """Return the content of the field of names."""
    return answer.page.root.find(".//textarea").text


def live(stand):
    events = Visitor(stand).stream("/events/live")
    wait_until(lambda: len(stand.site.hub) >= 1, "the stream is open")
    return events


def test_an_entry_on_the_device_reaches_the_page_and_an_undo_is_seen_as_one(plugged):
    stand, table = plugged(match)
    events = live(stand)
    events.until("Entry 1: Point for Ben")
    table.keys("up")
    events.until("Entry 2: Point for")
    table.keys("undo")
    data = events.until("Taken back: Point for")
    assert "live-last undone" in data
    events.close()


def test_a_refusal_on_the_device_is_no_error_and_the_game_goes_on(plugged, tmp_path):
    def all_tricks(storage):
        games = games_on(storage)
        games.create(setup("top_spot", 3, match_length=3))
        play_all(games, [ev("point", p=1)] * 12)

    stand, table = plugged(all_tricks)
    events = live(stand)
    events.until("Entry 12:")
    table.keys("up undo")  # the thirteenth trick is refused, and the twelfth taken back
    events.until("Taken back: Point for")
    assert not list(tmp_path.rglob("crash*"))
    events.close()


def test_an_unplugged_device_keeps_its_picture_and_goes_on_when_it_is_back(plugged):
    stand, table = plugged(match)
    events = live(stand)
    events.until("Entry 1:")
    table.unplug()
    data = events.until("is unplugged")
    assert "Entry 1:" in data
    table.keys("up")
    table.plug()
    data = events.until("Entry 2:")
    assert "is unplugged" not in data
    events.close()


def test_the_display_is_read_only_while_somebody_looks(plugged):
    stand, table = plugged(match)
    (device,) = stand.site.devices.followers
    follower = stand.site.devices.followers[device]
    assert follower.watchers == 0 and follower.picture is None
    screen = Visitor(stand, token=True).stream(f"/events/device/{device}")
    picture = screen.picture()
    assert (picture["w"], picture["h"]) == (128, 64) and follower.watchers == 1 and "tints" not in picture
    before = picture["pages"]
    table.keys("up")
    while screen.picture()["pages"] == before:
        pass
    screen.close()
    table.keys("undo")
    wait_until(lambda: follower.watchers == 0, "nobody looks any more")


def test_a_page_that_comes_later_gets_the_display_though_nothing_has_changed(plugged):
    stand, _ = plugged(match)
    (device,) = stand.site.devices.followers
    first, later = [Visitor(stand, token=True).stream(f"/events/device/{device}") for _ in range(2)]
    assert first.picture() == later.picture()
    for one in (first, later):
        one.close()
    wait_until(lambda: not stand.site.devices.followers[device].watchers, "nobody looks any more")
    again = Visitor(stand, token=True).stream(f"/events/device/{device}")
    assert again.picture()["pages"]
    again.close()


def test_the_panel_is_told_that_the_device_is_unplugged_and_back(plugged):
    stand, table = plugged(match)
    (device,) = stand.site.devices.followers
    screen = Visitor(stand, token=True).stream(f"/events/device/{device}")
    assert screen.next() == ("plugged", "1")
    table.unplug()
    while screen.next() != ("plugged", "0"):
        pass
    table.plug()
    while screen.next() != ("plugged", "1"):
        pass
    assert screen.picture()["pages"]
    screen.close()


def test_the_square_display_is_shown_as_large_as_it_is_and_in_its_colours(plugged):
    stand, _ = plugged(match, board="pico_lcd_13")
    (device,) = stand.site.devices.followers
    visitor = Visitor(stand, token=True)
    screen = visitor.stream(f"/events/device/{device}")
    picture = screen.picture()
    assert picture["w"] == picture["h"] == 240
    assert b64decode(picture["tints"])[:3] == bytes([0, 0, 240]) and picture["colours"] == [list(c) for _, c in COLOURS]
    assert 'class="square"' in visitor.get("/device").text
    screen.close()


def test_keys_of_the_panel_are_pressed_on_the_device(plugged):
    stand, _ = plugged(match)
    (device,) = stand.site.devices.followers
    owner = Visitor(stand, token=True)
    events = live(stand)
    assert owner.post(f"/device/{device}/key", {"key": "UP"}).status == 204
    events.until("Entry 2:")
    assert owner.post(f"/device/{device}/key", {"key": "UNDO"}).status == 204
    events.until("Taken back")
    assert owner.post(f"/device/{device}/key", {"key": "UNDO", "hold": "1"}).status == 204
    events.until("Entry 2:")
    assert owner.post(f"/device/{device}/key", {"key": "EJECT"}).status == 400
    assert Visitor(stand).post(f"/device/{device}/key", {"key": "OK"}).status == 403
    events.close()


def test_a_key_for_a_device_that_is_gone_is_answered(plugged):
    stand, table = plugged(match)
    (device,) = stand.site.devices.followers
    table.unplug()
    wait_until(lambda: not stand.site.devices.followers[device].connected, "it is gone")
    assert Visitor(stand, token=True).post(f"/device/{device}/key", {"key": "OK"}).status == 409


def test_games_are_fetched_into_the_store_and_the_table_goes_on(plugged):
    stand, table = plugged(match)
    (device,) = stand.site.devices.followers
    owner = Visitor(stand, token=True)
    answer = owner.post(f"/device/{device}/fetch")
    assert (answer.status, answer.headers["location"]) == (303, f"/device/{device}?fetched=1")
    assert "1 game fetched." in owner.get(answer.headers["location"]).page.text
    assert "Top Spot" in owner.get("/games").page.text
    assert owner.post(f"/device/{device}/fetch").headers["location"].endswith("fetched=0")
    events = live(stand)
    table.keys("up")
    events.until("Entry 2:")


def test_names_are_edited_and_sent(plugged):
    stand, _ = plugged(names)
    (device,) = stand.site.devices.followers
    owner = Visitor(stand, token=True)
    assert "Anna\nBen" in owner.get("/names").text
    answer = owner.post(f"/names/{device}", {"names": "Cleo\r\n  Ben \r\n\r\n<b>Zoë</b>\r\nBen"})
    assert (answer.status, answer.headers["location"]) == (303, f"/names?sent={device}")
    after = owner.get(answer.headers["location"])
    assert written(after) == "Cleo\nBen\n<b>Zoë</b>" and "3 names on the device now" in after.text


@pytest.mark.parametrize(
    ("words", "said"),
    [("Anna\n" + "x" * 25, "1 to 24 letters"), ("\n".join(f"Name {k}" for k in range(41)), "41 names")],
)
def test_names_that_no_device_takes_are_said_and_kept_in_the_form(plugged, words, said):
    stand, _ = plugged(names)
    (device,) = stand.site.devices.followers
    owner = Visitor(stand, token=True)
    answer = owner.post(f"/names/{device}", {"names": words})
    assert answer.status == 422 and said in answer.page.text
    assert written(answer) == words
    assert stand.site.devices.followers[device].ask(lambda client: client.roster()) == ["Anna", "Ben"]


def test_two_devices_make_a_list_and_each_has_its_own_page(stand, visitor):
    stand.show(Table(setup("poch", 4)), "aa11")
    stand.show(Table(setup("top_spot", 3, match_length=3)), "bb22")
    page = visitor.get("/live").page
    assert "Poch" in page.text and "Top Spot" in page.text
    assert {"/live/aa11", "/live/bb22"} <= set(page.links())
    assert "Top Spot" not in visitor.get("/live/aa11").page.text
    assert "No Kiebitz is plugged in" in visitor.get("/live/cc33").page.text


class Nobody:
    """A port that raises this error when it is opened."""

    def __init__(self, trouble):
        self.opened = 0
        self.trouble = trouble

    def open_port(self, port):
        self.opened += 1
        raise self.trouble


def test_a_busy_port_is_tried_again_and_told_to_nobody():
    busy = Nobody(PortBusy("cable"))
    devices = Devices(tell=None, show=None, find=lambda: [Port("cable", "Pico")], open_port=busy.open_port)
    devices.search()
    devices.search()
    assert busy.opened == 2 and devices.seen() == []


class Deaf:
    """A transport that never answers; its clock advances with every read."""

    name = "cable"
    opened = 0

    def __init__(self):
        self._now = 0.0
        Deaf.opened += 1

    def clock(self):
        return self._now

    def read(self, seconds):
        self._now += seconds
        return b""

    def write(self, data):
        pass

    def close(self):
        pass


def test_another_pico_is_left_alone_for_a_while(monkeypatch):
    monkeypatch.setattr(Deaf, "opened", 0)
    devices = Devices(tell=None, show=None, find=lambda: [Port("cable", "Pico")], open_port=lambda port: Deaf())
    devices.search()
    devices.search()
    assert Deaf.opened == 1 and devices.seen() == []


class Pulled(Cable):
    """A cable that is pulled when the device has told its state."""

    def __init__(self, device):
        super().__init__(self._until_follow, Clock())
        self._device = device
        self._pulled = False

    def _until_follow(self, seq, verb, value):
        yield from self._device.answer(seq, verb, value)
        self._pulled = verb == "read"

    def read(self, seconds):
        if self._pulled:
            raise LinkLost(self.name)
        return super().read(seconds)


def test_a_device_with_another_id_each_time_leaves_no_threads_and_few_devices_behind():
    device, told = Honest(), []
    devices = Devices(told.append, None, lambda: [Port("cable", "Pico")], lambda port: Pulled(device))
    threads = threading.active_count()
    for k in range(2 * DEVICES_MAX):
        device.who["device"] = f"{k:016x}"
        devices.search()
        wait_until(lambda: told and told[-1].lost and threading.active_count() == threads, "it is unplugged")
        assert told.pop().device == device.who["device"]
    assert [one.device for one in devices.seen()] == [f"{k:016x}" for k in range(DEVICES_MAX, 2 * DEVICES_MAX)]
    device.who["device"] = f"{DEVICES_MAX:016x}"
    devices.search()
    wait_until(lambda: told[-1].lost and told[-1].device == device.who["device"], "a known one was followed again")
    assert len(devices.seen()) == DEVICES_MAX


def test_the_pages_forget_a_device_when_it_is_forgotten(stand, visitor):
    stand.show(None, "aa11")
    stand.show(None, "bb22")
    wait_until(lambda: len(stand.site.seen()) == 2, "the pages show both")
    visitor.stream("/events/live/aa11").next()
    del stand.site.devices.followers["aa11"]
    stand.show(None, "bb22")
    wait_until(lambda: [one.device for one in stand.site.seen()] == ["bb22"], "the pages show the other one only")
    assert not any(topic[1] == "aa11" for topic in stand.site._kept)


def test_whoever_wants_something_from_a_device_that_was_never_there_hears_it(stand):
    follower = stand.show(None)
    with pytest.raises(LinkTrouble):
        follower.press("OK")


# --- an emulated Pico ---

PORT = Port("cable", "Pico")


@pytest.fixture
def pico():
    """Return an emulated Pico with a game of Top Spot on its table."""
    reference = ReferenceDevice()
    reference.sit_down(*short_game("top_spot"))
    return Rig(changed(flash_with(current_image()), reference.files())).boot()


def test_keys_on_the_pico_change_the_page_and_the_panel_shows_its_display(pico, serve, look):
    stand = serve(find=lambda: [PORT], open_port=lambda port: ChipCable(pico))
    wait_until(lambda: stand.site.devices.seen() and stand.site.devices.seen()[0].snapshot, "the Pico is followed")
    (follower,) = stand.site.devices.followers.values()
    entries = follower.seen.snapshot.events
    page = look(stand)
    expect(page.locator("#live")).to_contain_text("Top Spot")
    follower.ask(lambda client: pico.tap("undo"))  # the emulation runs in the thread of the follower
    expect(page.locator(".live-last.undone")).to_be_visible()
    assert follower.seen.snapshot.events == entries - 1
    panel = look(stand, "/device", token=True)
    expect(panel.locator("#display[data-shown]")).to_be_visible()
    panel.locator("body").press("Shift+Backspace")  # what was taken back comes back
    expect(page.locator(".live-last")).to_contain_text(f"Entry {entries}:")
