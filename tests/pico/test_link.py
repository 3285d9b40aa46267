"""The link on the emulated chip: real MicroPython, its real USB stack, and the real client at the other end."""

import pytest
from helpers.dice import Dice
from helpers.short_games import short_game
from helpers.syncing import NOW, memory_store, outcomes
from helpers.twin import Twin
from kiebitz.link.wire import REQUEST, frame
from kiebitz_host.chip.bench import Bench
from kiebitz_host.chip.branch import branch
from kiebitz_host.chip.files import changed
from kiebitz_host.link.client import Client
from kiebitz_host.link.fetch import Fetch
from kiebitz_host.link.trouble import LinkLost

TURN_MS = 0.5


class Wire:
    """A transport to a bench, in emulated time; pulled after `cut` bytes from the device."""

    name = "chip"

    def __init__(self, bench, cut=None):
        self.bench = bench
        self._left = cut
        bench.serial.connect()
        bench.pico.run_until(lambda: bench.serial.connected_ms is not None, 1000)
        bench.run_ms(30)

    def clock(self):
        return self.bench.ms / 1000

    def read(self, seconds):
        end = self.clock() + seconds
        while True:
            data = self.bench.serial.receive()
            if self._left is not None:
                if self._left <= 0:
                    self.close()
                    raise LinkLost(self.name)
                data = data[: self._left]
                self._left -= len(data)
            if data or self.clock() >= end:
                return data
            self.bench.run_ms(TURN_MS)

    def write(self, data):
        self.bench.serial.send(data)

    def close(self):
        self.bench.serial.disconnect()
        self.bench.run_ms(10)


@pytest.fixture(scope="module")
def evening():
    """A device with three games, one of them on its table: fake hardware that does what the chip does."""
    twin = Twin()
    for kind in ("royal_flush", "poker_carre", "poch"):
        twin.sit_down(*short_game(kind))
    return twin


@pytest.fixture(scope="module")
def table(flash, evening):
    return Bench(changed(flash, evening.files())).boot()


def sync(bench, store, **faults):
    return Fetch(Client(Wire(bench, **faults)), store, NOW).run()


def lines_on(bench, game_id):
    data = bench.files("data")[f"data/{game_id}.kbz"].decode()
    return [line.rsplit(" ", 2)[0] for line in data.splitlines()]


def ids(evening):
    return evening.app.games.ids()[::-1]


def test_everything_is_fetched_and_confirmed_and_then_nothing_is_new(table, evening):
    def story(bench):
        with memory_store() as store:
            report = sync(bench, store)
            assert outcomes(report) == ["new"] * 3 and all(game.confirmed for game in report.games)
            for game_id in ids(evening):
                assert store.held(game_id).lines == lines_on(bench, game_id)
            report = sync(bench, store)
            assert outcomes(report) == ["same"] * 3 and report.clock_was_set
        return report.device

    assert branch(table, story) == "ff" * 8


def test_all_requests(table, evening):
    def story(bench):
        client = Client(Wire(bench))
        who = client.hello()
        assert (who["product"], who["now"]) == ("kiebitz", 0)
        client.set_clock(NOW)
        assert NOW <= client.hello()["now"] <= NOW + 2
        names = ["Änne", "\U0001f600 ~", *[f"Name {k}" for k in range(38)]]
        client.write_roster(names)
        assert client.roster() == names
        client.set("flip", True)
        assert client.settings()["flip"] is True
        state = client.follow()
        assert state["id"] == ids(evening)[-1]
        client.press("UNDO")
        assert client.news(2)["lines"] == state["lines"] + 1
        client.set("flip", False)
        bench.settle()
        width, height, pages = client.screen()
        rows = [[pages[y // 8 * width + x] >> y % 8 & 1 for x in range(width)] for y in range(height)]
        assert [list(row) for row in bench.frame()] == rows

    branch(table, story)


def test_the_game_goes_on_while_it_is_synced(table, evening):
    game_id = ids(evening)[-1]

    def story(bench):
        before = len(lines_on(bench, game_id))
        end = bench.ms + 1800
        for k in range(5):
            bench.pico.at(100 + 350 * k, lambda: bench.press("undo"))
            bench.pico.at(150 + 350 * k, lambda: bench.release("undo"))
        with memory_store() as store:
            while bench.ms < end:
                sync(bench, store)
            bench.settle()
            sync(bench, store)
            assert store.held(game_id).lines == lines_on(bench, game_id)
            return len(lines_on(bench, game_id)) - before

    assert branch(table, story) == 5


def test_a_host_that_sends_without_end_and_never_reads_does_not_stop_the_keys(table, evening):
    game_id = ids(evening)[-1]

    def story(bench):
        bench.serial.reading = False
        bench.serial.send(frame(REQUEST, 7, "games", "{}") * 400)
        bench.run_ms(300)
        before = len(lines_on(bench, game_id))
        for _ in range(3):
            bench.press("undo")
            bench.run_ms(60)
            bench.release("undo")
            bench.run_ms(240)
        assert len(lines_on(bench, game_id)) == before + 3
        assert bench.serial.unread > 5_000

    branch(table, story)


def test_a_cable_pulled_in_the_middle(table, evening):
    for cut in (64, 1100):

        def story(bench, cut=cut):
            with memory_store() as store:
                with pytest.raises(LinkLost):
                    sync(bench, store, cut=cut)
                bench.keys("undo")
                sync(bench, store)
                return [store.held(game_id).lines == lines_on(bench, game_id) for game_id in ids(evening)]

        assert branch(table, story) == [True] * 3, cut


def test_fuzzed_lines_do_no_harm(table, evening):
    dice = Dice(3)
    lines = [frame(REQUEST, 5, word, value) for word, value in (("who", "{}"), ("games", "{}"), ("screen", "{}"))]
    noise = b""
    for _ in range(60):
        line = bytearray(dice.pick(lines))
        line[dice.below(len(line))] = 4 + dice.below(252)  # anything but Ctrl-C, which stops every program
        noise += line

    def story(bench):
        bench.serial.send(noise)
        bench.run_ms(500)
        with memory_store() as store:
            assert outcomes(sync(bench, store)) == ["new"] * 3
        assert "data/crash.txt" not in bench.files("data")

    branch(table, story)
