"""Sync over a bad cable: pulled at every byte, and 10,000 fuzzed lines in each direction."""

from contextlib import contextmanager

import pytest
from helpers.cable import NOW, Answering, Cable, client, lines_of, memory_store, outcomes, sync
from helpers.device import Device, at_table
from helpers.faulty_storage import FaultyStorage
from helpers.play import ev, setup, short_game
from kiebitz.link.requests import Requests
from kiebitz.link.wire import REQUEST, frame, unframe
from kiebitz_host.link.channel import ATTEMPTS
from kiebitz_host.link.client import Client
from kiebitz_host.link.sync import Sync
from kiebitz_host.link.trouble import LinkLost, LinkTrouble
from kiebitz_lab.dice import Dice, fuzzed

CUT_PARTS = 8
SEED = 1000


class Tap(Cable):
    """A cable that records its traffic."""

    def __init__(self, device):
        super().__init__(device)
        self.stream = b""

    def _carry(self, data, to_device):
        data = super()._carry(data, to_device)
        self.stream += data
        return data


@pytest.fixture(scope="module")
def flash():
    """Return a game of two entries and a roster that is to be changed."""
    device = at_table(setup("top_spot", 3), [ev("point", p=1), ev("undo")])
    device.app.roster.replace(["Bem", "Anna"])
    return device.storage.files


def fetch(cable, store):
    return Sync(Client(cable, seed=SEED), store, NOW).run()


class Undone(Exception):
    pass


@contextmanager
def empty(store):
    """Yield the store, empty, and empty it again afterwards."""
    try:
        with store.batch():
            yield
            raise Undone
    except Undone:
        pass


@pytest.fixture(scope="module")
def store():
    with memory_store() as store:
        store.renames = lambda: {"Bem": "Ben"}
        yield store


def cuts(flash, store):
    """Return every offset at which a session can break off; blank lines that pad a packet count once."""
    with empty(store):
        cable = Tap(Device(FaultyStorage(flash)))
        fetch(cable, store)
    stream = cable.stream
    return [n for n in range(len(stream)) if stream[n - 1 : n + 1] != b"\n\n"]


@pytest.mark.parametrize("part", range(CUT_PARTS))
def test_a_cable_pulled_at_any_byte(flash, store, part):
    for cut in cuts(flash, store)[part::CUT_PARTS]:
        device = Device(FaultyStorage(flash))
        game_id = device.app.library.journal.id
        with empty(store):
            with pytest.raises(LinkLost):
                fetch(Cable(device, cut=cut), store)
            half = store.stored_game(game_id)
            assert half is None or half.lines == lines_of(device, game_id), cut
            if device.app.library.entry(game_id)["confirmed"]:
                assert half is not None, (cut, "confirmed, but not kept")
            device.app.library.play(ev("redo"))
            report = sync(device, store)
            assert outcomes(report) == ["longer" if half else "new"], cut
            assert store.stored_game(game_id).lines == lines_of(device, game_id) and report.games[0].confirmed, cut
            assert device.app.roster.names == ["Ben", "Anna"], cut
            assert device.hw.usb.waited_ms == 0, cut


def test_the_cuts_reach_every_stage(flash, store):
    # The harness can fail: among the cuts are some before anything was kept, before it was confirmed, and after
    seen = set()
    for cut in cuts(flash, store)[::15]:
        device = Device(FaultyStorage(flash))
        game_id = device.app.library.journal.id
        with empty(store):
            with pytest.raises(LinkLost):
                fetch(Cable(device, cut=cut), store)
            seen.add((store.stored_game(game_id) is not None, device.app.library.entry(game_id)["confirmed"]))
    assert seen == {(False, False), (True, False), (True, True)}


# --- fuzzed lines ---

LINES = 10_000
FUZZ_PARTS = 4


@pytest.fixture(scope="module")
def fuzzed_flash():
    device = Device()
    for kind in ("poker_carre", "poch"):
        device.sit_down(*short_game(kind))
    return device.storage.files


def requests(game_id):
    """Yield valid requests, and well-formed invalid ones. None of them may change a game."""
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


@pytest.mark.parametrize("part", range(FUZZ_PARTS))
def test_fuzzed_lines_from_the_laptop(fuzzed_flash, part):
    device = Device(FaultyStorage(fuzzed_flash))
    usb = device.hw.usb
    usb.connect()
    dice = Dice(part)
    asked = list(requests(device.app.library.journal.id))
    before = {game_id: lines_of(device, game_id) for game_id in device.app.library.ids()}
    for _ in range(LINES // FUZZ_PARTS):
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
    """A port of a real device, with fuzzed and inserted lines in its answers."""

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


@pytest.mark.parametrize("part", range(FUZZ_PARTS))
def test_fuzzed_lines_from_the_device(fuzzed_flash, part):
    dice = Dice(100 + part)
    lines = whole = 0
    while lines < LINES // FUZZ_PARTS:
        device = Device(FaultyStorage(fuzzed_flash))
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
            # A sync over a good cable completes it
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
