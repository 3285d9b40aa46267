"""Devices that send without end: every request ends, only progress extends its wait, and little of it is kept."""

import itertools

import pytest
from helpers.cable import client
from helpers.device import Device
from helpers.syncing import memory_store
from kiebitz_host.link.channel import ANSWER_S, ATTEMPTS, REQUEST_S
from kiebitz_host.link.client import Client
from kiebitz_host.link.journal import JournalDownload
from kiebitz_host.link.sync import SYNC_S, Sync
from kiebitz_host.link.trouble import Endless, LinkTrouble, NameTooLong, NoAnswer, Nonsense
from kiebitz_lab.torture.devices import ASKED, Cable, Clock, Honest, framed, journal, on_flash


def meet(verb, make, pause=None):
    """Return (client, clock): the device answers a verb with make(seq, k), k from 0, perhaps with pauses."""
    honest, clock = Honest(), Clock()

    def answer(seq, value):
        for k in itertools.count():
            yield make(seq, k)
            if pause:
                yield pause

    honest.answers[verb] = answer
    return Client(Cable(honest.answer, clock)), clock


def test_cuts_do_not_extend_the_wait():
    link, clock = meet("settings", lambda seq, k: framed(seq, "no", {"code": "E_CUT"}), 1.0)
    with pytest.raises(NoAnswer):
        link.settings()
    assert clock() <= ATTEMPTS * ANSWER_S + 1


@pytest.mark.parametrize("word", ["+", "maybe"])
def test_words_that_bring_nothing_do_not_extend_the_wait(word):
    link, clock = meet("settings", lambda seq, k: framed(seq, word, {}), 1.0)
    with pytest.raises(NoAnswer):
        link.settings()
    assert clock() <= ATTEMPTS * ANSWER_S + 1


def test_the_same_line_again_and_again_does_not_extend_the_wait():
    first = on_flash(ASKED, journal(ASKED))[0]
    link, clock = meet("read", lambda seq, k: first, 1.0)
    with pytest.raises(NoAnswer):
        link.read(ASKED)
    assert clock() <= (ATTEMPTS + 1) * ANSWER_S


def test_new_lines_extend_the_wait_but_not_for_ever():
    lines = on_flash(ASKED, journal(ASKED, [{"ev": "undo"}] * 4000))
    link, clock = meet("read", lambda seq, k: lines[k % len(lines)], 1.0)
    with pytest.raises(NoAnswer):
        list(link.read_all([JournalDownload(ASKED)]))
    assert 4 * ANSWER_S < clock() <= REQUEST_S + 2


@pytest.mark.long
@pytest.mark.parametrize("sent", [b"\n" * 4096, b"x" * 4096, b"noise\n" * 700])
def test_a_flood_ends_the_request(sent):
    link, _ = meet("settings", lambda seq, k: sent)
    with pytest.raises((Endless, NoAnswer)):
        link.settings()
    assert len(link.channel.unread) <= 4096


def test_no_more_files_and_names_than_a_device_can_have():
    link, _ = meet("games", lambda seq, k: framed(seq, "+", {"files": {f"{k:x}-{n}.kbz": 1 for n in range(40)}}))
    with pytest.raises(Nonsense):
        link.games()
    link, _ = meet("roster", lambda seq, k: framed(seq, "+", {"names": [f"Name {k}"]}))
    with pytest.raises(Nonsense):
        link.roster()
    preset = {"game": "any_game", "title": "Skyjo", "options": {}}
    link, _ = meet("presets", lambda seq, k: framed(seq, "+", {"preset": {**preset, "title": f"Title {k}"}}))
    with pytest.raises(Nonsense):
        link.presets()


def test_of_many_news_only_the_latest_are_kept():
    honest = Honest()
    honest.before = lambda seq: [framed(0, "now", {"id": ASKED, "lines": k, "mark": "0badcafe"}) for k in range(1000)]
    link = Client(Cable(honest.answer, Clock()))
    link.settings()
    assert link.channel.news["lines"] == link.news(0)["lines"] == 999
    assert link.news(0) is None


def test_a_sync_drop_by_drop_ends():
    honest, clock = Honest(), Clock()
    honest.files = {f"a-{k:04}-b.kbz": 9 for k in range(1000)}
    honest.list_end = {"files": 1000, "index": 0, "mark": "00000000", "thrown": []}
    honest.before = lambda seq: [4.0]
    with memory_store() as store, pytest.raises(LinkTrouble):
        Sync(Client(Cable(honest.answer, clock)), store, 1_800_000_000).run()
    assert clock() <= SYNC_S + 2 * ANSWER_S


def test_a_name_that_fits_into_no_request_is_said():
    with pytest.raises(NameTooLong, match="is too long for the Kiebitz on cable"):
        client(Device()).write_roster(["Ben", "\U0001f600" * 400])


def test_a_name_that_the_device_does_not_accept_is_not_sent_to_it():
    class Renamed:
        """A store of which only the names are asked."""

        def __init__(self, store):
            self.stored_game, self.add_journal = store.stored_game, store.add_journal
            self.take_over_thrown = store.take_over_thrown

        def renames(self):
            return {"Ben": "x" * 999, "Cleo": "Cleopatra"}

    with memory_store() as store:
        report = Sync(Client(Cable(Honest().answer, Clock())), Renamed(store), 1_800_000_000).run()
    assert report.renamed == [("Cleo", "Cleopatra")]
