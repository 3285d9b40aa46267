"""Ten thousand fuzzed lines in each direction: nobody crashes, no game is lost, nothing wrong is kept."""

import pytest
from helpers.cable import Answering, client
from helpers.device import Device, at_table
from helpers.faulty_storage import FaultyStorage
from helpers.play import short_game
from helpers.syncing import NOW, lines_of, memory_store, outcomes, sync
from kiebitz.link.requests import Requests
from kiebitz.link.wire import REQUEST, frame, unframe
from kiebitz_host.link.channel import ATTEMPTS
from kiebitz_host.link.client import Client
from kiebitz_host.link.sync import Sync
from kiebitz_host.link.trouble import LinkTrouble
from kiebitz_lab.dice import Dice, fuzzed

LINES = 10_000
PARTS = 4


@pytest.fixture(scope="module")
def flash():
    device = Device()
    for kind in ("poker_carre", "poch"):
        device.sit_down(*short_game(kind))
    return device.storage.files


def requests(game_id):
    """Sensible requests, and some that are well formed and make no sense; none that is allowed to change a game."""
    for word, value in (
        ("who", "{}"),
        ("games", "{}"),
        ("game", f'{{"id":"{game_id}"}}'),
        ("game", '{"id":"../data/settings"}'),
        ("read", f'{{"games":["{game_id}",0,"{game_id}",50]}}'),
        ("read", f'{{"games":["{game_id}",999999]}}'),
        ("read", '{"games":["../data/settings",0]}'),
        ("read", '{"games":[["a"],{}]}'),
        ("confirm", '{"index":0}'),
        ("confirm", '{"index":"all"}'),
        ("confirm", f'{{"games":{{"{game_id}":"00000000"}}}}'),
        ("confirm", '{"games":{"":null}}'),
        ("confirm", '{"games":[["a"]]}'),
        ("clock", '{"now":1800000000}'),
        ("clock", '{"now":"soon"}'),
        ("names", '{"at":1,"more":false,"names":[["a"]]}'),
        ("set", '{"name":{},"value":[]}'),
        ("key", '{"key":[]}'),
        ("follow", '{"on":true}'),
        ("screen", "{}"),
        ("", "{}"),
        ("who", '{"a":' + "[" * 100 + "]" * 100 + "}"),
    ):
        yield frame(REQUEST, 17, word, value)


@pytest.mark.parametrize("part", range(PARTS))
def test_fuzzed_lines_from_the_laptop(flash, part):
    device = Device(FaultyStorage(flash))
    usb = device.hw.usb
    usb.connect()
    dice = Dice(part)
    asked = list(requests(device.app.library.journal.id))
    before = {game_id: lines_of(device, game_id) for game_id in device.app.library.ids()}
    for _ in range(LINES // PARTS):
        line = dice.pick(asked)
        usb.send(line if dice.chance(20) else fuzzed(dice, line) + b"\n" * dice.below(2))
        while usb.unread:
            device.wait(5)
        usb.receive()
    usb.send(b"\n")
    device.wait(2000)
    usb.receive()
    with memory_store() as store:
        assert outcomes(sync(device, store)) == ["new", "new"]
        for game_id, lines in before.items():
            assert lines_of(device, game_id) == lines == store.stored_game(game_id).lines
    assert "crash.txt" not in device.storage.files and usb.waited_ms == 0


class Babble(Answering):
    """A port with a real device behind it, whose answers arrive with many lines fuzzed and others put in."""

    name = "babble"

    def __init__(self, dice, device):
        super().__init__()
        self.fuzzed = 0
        self._dice = dice
        self._requests = Requests(device.app)

    def write(self, data):
        for request in data.split(b"\n"):
            asked = unframe(REQUEST, request)
            if asked:
                for line in b"".join([bytes(piece) for piece in self._requests.answer(*asked)]).splitlines():
                    self._pass_on(line)

    def _pass_on(self, line):
        dice = self._dice
        while dice.chance(60):
            self.fuzzed += 1
            self.unread += fuzzed(dice, line) + b"\n"
        if dice.chance(85):
            self.unread += line + b"\n"


@pytest.mark.parametrize("part", range(PARTS))
def test_fuzzed_lines_from_the_device(flash, part):
    dice = Dice(100 + part)
    lines = whole = 0
    while lines < LINES // PARTS:
        device = Device(FaultyStorage(flash))
        games = device.app.library
        with memory_store() as store:
            for _ in range(3):
                babble = Babble(dice, device)
                try:
                    Sync(Client(babble), store, NOW).run()
                    whole += 1
                except LinkTrouble as trouble:
                    assert str(trouble).endswith(".")
                lines += babble.fuzzed
                for game_id in games.ids():
                    held = store.stored_game(game_id)
                    confirmed = games.entry(game_id)["confirmed"]
                    true = lines_of(device, game_id)
                    assert held is None or (held.lines == true[: len(held.lines)] and held.variants == [])
                    assert not confirmed or held.lines == true
            # A sync over a good cable makes it whole
            assert set(outcomes(sync(device, store))) <= {"new", "longer", "same"}
            for game_id in games.ids():
                assert store.stored_game(game_id).lines == lines_of(device, game_id)
    assert whole, "some of it must get through, or nothing is tested"


@pytest.mark.parametrize("seed", range(6))
def test_a_cable_that_spoils_every_tenth_line_in_both_directions(seed):
    device = at_table(*short_game("royal_flush"))
    game_id = device.app.library.journal.id
    dice = Dice(seed)

    def damage(data, to_device):
        lines = data.split(b"\n")
        return b"\n".join([fuzzed(dice, line) if line and dice.chance(10) else line for line in lines])

    with memory_store() as store:
        for _ in range(ATTEMPTS):
            try:
                Sync(client(device, damage=damage), store, NOW).run()
            except LinkTrouble:
                continue
            held = store.stored_game(game_id)
            assert held.lines == lines_of(device, game_id)[: len(held.lines)]
        sync(device, store)
        stored = store.stored_game(game_id)
        assert stored.lines == lines_of(device, game_id) and stored.variants == []
