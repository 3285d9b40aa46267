"""The link client: answers over a bad cable, and limits on devices that send without end."""

import itertools
import json

import pytest
from helpers.cable import Answering, Cable, client, memory_store
from helpers.device import Device, at_table
from helpers.play import ev, setup, short_game
from kiebitz.link.wire import ANSWER, REQUEST, frame, unframe
from kiebitz_host.link.channel import ANSWER_S, ATTEMPTS, REQUEST_S
from kiebitz_host.link.client import Client
from kiebitz_host.link.journal import JournalDownload, mark
from kiebitz_host.link.sync import SYNC_S, Sync
from kiebitz_host.link.trouble import (
    DeviceRefused,
    Endless,
    LinkLost,
    LinkTrouble,
    NameTooLong,
    NoAnswer,
    Nonsense,
    NotAKiebitz,
    OtherProtocol,
)
from kiebitz_lab.dice import Dice
from kiebitz_lab.torture.devices import ASKED, Clock, Honest, framed, journal, on_flash
from kiebitz_lab.torture.devices import Cable as EndlessCable

PRESETS = [
    {"game": "any_game", "title": "Skyjo", "options": {"wins": "low", "end": "target", "limit": 100}},
    {"game": "any_game", "title": "\U0001f600 Ä", "options": {"entry": "counter"}, "step": 5},
]


class Parrot(Answering):
    """A foreign device that answers every line by a rule."""

    name = "parrot"

    def __init__(self, answer):
        super().__init__()
        self._answer = answer

    def write(self, data):
        self.unread += self._answer(data)


class Babbler(Answering):
    """A foreign device that sends the same bytes every 10 ms."""

    def __init__(self, babble):
        super().__init__()
        self._babble = babble

    def write(self, data):
        pass

    def read(self, seconds):
        super().read(0.01)
        return self._babble


def talk_to(answer):
    return Client(Parrot(answer), seed=1)


def journal_of(device):
    """Return the lines of the running game, as sync has them."""
    got, whole = client(device).read(device.app.library.journal.id)
    assert whole
    return got


# --- answers ---


def test_everything_can_be_asked():
    device = at_table(*short_game("poker_carre"))
    link = client(device)
    assert link.hello()["product"] == "kiebitz"
    games, aside = link.games()
    assert aside == 0 and games[0]["players"] == ["Änne", 'Jürgen "Jo"', "Zoë"]
    link.set_clock(1_800_000_000)
    assert link.hello()["now"] == 1_800_000_000
    assert link.settings()["flip"] is False
    link.set("flip", True)
    assert link.settings()["flip"] is True
    assert link.screen() == (128, 64, bytes(device.board.display.buffer), b"")
    before = len(device.table)
    link.press("UNDO")
    assert len(device.table) == before - 1
    lines, whole = link.read(games[0]["id"])
    game_id = games[0]["id"]
    assert whole and link.confirm({game_id: mark(game_id, lines)}) == {game_id}
    assert link.read(games[0]["id"], lines) == ([], True)
    assert link.read(games[0]["id"], lines[:3]) == (lines[3:], True)


@pytest.mark.parametrize(
    "names",
    [
        [],
        ["Ben"],
        [f"Name {k}" for k in range(40)],
        ["\U0001f600" * 20 + str(k) for k in range(40)],
        ["~", "~~41", "\\u"],
    ],
)
def test_a_roster_of_any_length_arrives(names):
    device = Device()
    link = client(device)
    link.write_roster(names)
    assert link.roster() == names == device.app.roster.names


def test_following_the_game():
    device = at_table(setup("top_spot", 3, match_length=3))
    link = client(device)
    assert link.follow()["lines"] == 1
    assert link.news(1.0) is None
    device.app.library.play(ev("point", p=1))
    device.app.library.play(ev("point", p=1))
    assert link.news(1.0) == {"id": device.app.library.journal.id, "lines": 3, "mark": device.app.library.journal.mark}
    link.unfollow()
    device.app.library.play(ev("point", p=1))
    assert link.news(1.0) is None


def test_news_between_other_answers_are_not_lost():
    device = at_table(setup("top_spot", 3, match_length=3))
    games = device.app.library
    link = client(device, on_turn=lambda: games.journal.lines < 3 and games.play(ev("point", p=1)))
    link.follow()
    link.games()
    assert link.news(0)["lines"] == 2
    assert link.news(1.0)["lines"] == 3


def test_a_refusal_has_its_code():
    with pytest.raises(DeviceRefused) as refused:
        client(Device()).set("nothing", 1)
    assert refused.value.code == "E_SETTING" and "(E_SETTING)" in str(refused.value)
    with pytest.raises(DeviceRefused, match="does not have this game"):
        client(Device()).read("5b3c0f-0009-000000")


# --- a bad cable ---


def spoiler(seed, percent):
    dice = Dice(seed)

    def damage(data, to_device):
        if not dice.chance(percent):
            return data
        at = dice.below(len(data))
        kind = dice.below(3)
        if kind == 0:
            return data[:at] + bytes([dice.below(256)]) + data[at + 1 :]
        return data[:at] if kind == 1 else data[:at] + b"MPY: soft reboot\r\n>>> " + data[at:]

    return damage


@pytest.mark.parametrize("seed", range(12))
def test_a_cable_that_loses_and_changes_bytes_costs_time_only(seed):
    device = at_table(*short_game("poch"))
    want = journal_of(device)
    link = client(device, damage=spoiler(seed, 15))
    for _ in range(3):
        try:
            assert link.read(device.app.library.journal.id) == (want, True)
            assert link.games()[0][0]["lines"] == len(want)
            link.write_roster(["Änne", "Ben", "Cleo"])
            assert device.app.roster.names == ["Änne", "Ben", "Cleo"]
            assert link.roster() == ["Änne", "Ben", "Cleo"]
            for preset in PRESETS:
                link.write_preset(preset)
            found = link.presets()
            assert found == device.app.presets.all and len(found) == 2 and all(preset in found for preset in PRESETS)
            link.remove_preset(PRESETS[0])
            assert link.presets() == PRESETS[1:]
        except NoAnswer:
            pass  # three attempts: it may give up, but must never be wrong


def test_a_key_is_pressed_once_over_a_cable_that_loses_the_answers():
    device = at_table(*short_game("poch"))
    lost = []

    def damage(data, to_device):
        if to_device or len(lost) > 1:
            return data
        lost.append(data)
        return b""

    before = device.app.library.journal.lines
    client(device, damage=damage).press("UNDO")
    assert len(lost) == 2 and device.app.library.journal.lines == before + 1


def test_an_answer_that_comes_late_is_not_taken_for_another():
    device = at_table(*short_game("poch"))
    late = []

    def damage(data, to_device):
        if to_device or late:
            return data
        late.append(data)
        return b""

    link = client(device, damage=damage)
    link.transport.device.hw.usb.connect()
    assert link.hello()["product"] == "kiebitz"
    device.hw.usb.put(late[0])
    assert link.settings()["brightness"] == 6


def test_a_pulled_cable_is_told_from_silence():
    with pytest.raises(LinkLost, match="plug the Kiebitz in again"):
        client(Device(), cut=40).hello()
    device = Device()
    link = client(device)
    link.hello()
    link.transport.device.app.link.step = lambda: None
    with pytest.raises(NoAnswer, match="no longer answers"):
        link.settings()


# --- somebody else ---


def test_silence_is_no_kiebitz():
    with pytest.raises(NotAKiebitz, match="does not answer like a Kiebitz"):
        talk_to(lambda data: b"").hello()


def test_an_echo_is_no_kiebitz():
    with pytest.raises(NotAKiebitz, match="does not answer like a Kiebitz"):
        talk_to(lambda data: data).hello()


def test_a_prompt_of_micropython_is_recognised():
    def prompt(data):
        return data.replace(b"\n", b"\r\n") + b'Traceback (most recent call last):\r\n  File "<stdin>", line 1\r\n>>> '

    for answer in (prompt, lambda data: data.replace(b"\n", b"")):
        with pytest.raises(NotAKiebitz, match="MicroPython prompt"):
            talk_to(answer).hello()


def test_a_device_is_asked_to_make_way_for_its_next_firmware():
    asked = []

    def answer(data):
        asked.append(unframe(REQUEST, data.rstrip(b"\n")))
        return frame(ANSWER, asked[-1][0], "ok", "{}")

    talk_to(answer).update()
    assert [request[1:] for request in asked] == [("update", {})]


def replies(**who):
    """Return a function that answers every request with these values in a valid frame."""

    def answer(data):
        found = data.split()
        text = str(who).replace("'", '"')
        return frame(ANSWER, int(found[1]), "ok", text) if found else b""

    return answer


@pytest.mark.parametrize("who", [{}, {"product": "other", "protocol": 1}, {"product": "kiebitz"}])
def test_another_product_is_no_kiebitz(who):
    with pytest.raises(NotAKiebitz):
        talk_to(replies(**who)).hello()


def test_a_newer_protocol_needs_an_update():
    with pytest.raises(OtherProtocol, match="speaks protocol 2.*update kiebitz on this computer"):
        talk_to(replies(product="kiebitz", protocol=2, version="9.0.0")).hello()


@pytest.mark.parametrize("protocol", [0, -1, "2", 10**12, [1]])
def test_a_protocol_number_that_cannot_be_is_not_a_kiebitz(protocol):
    with pytest.raises(NotAKiebitz):
        talk_to(replies(product="kiebitz", protocol=protocol, version="0.2.0")).hello()


@pytest.mark.parametrize("babble", [b"x" * 1000, b"some line\n" * 100, b"K! 5 ok {}\n"])
def test_a_device_that_talks_without_end_is_not_listened_to_without_end(babble):
    link = Client(Babbler(babble))
    with pytest.raises(NotAKiebitz):
        link.hello()
    assert len(link.channel.unread) < 20_000


def test_a_cable_carries_what_the_client_sends():
    cable = Cable(Device(), cut=10)
    cable.write(b"0123456789abc")
    assert cable.carried == 10
    with pytest.raises(LinkLost):
        cable.read(1)


@pytest.mark.parametrize(
    "verb, answer, ask",
    [
        ("who", {"product": "kiebitz", "version": "1", "protocol": 1, "device": "\ud800", "now": 0}, Client.hello),
        ("confirm", {"confirmed": [{}]}, lambda link: link.confirm({"a-0001-b": "00000000"}, None)),
        ("games", {"files": {"a-\u00b2-b.kbz": 10}}, Client.games),
        ("roster", {"names": [[]]}, Client.roster),
        ("presets", {"preset": {"game": "any_game", "title": "\x1b[2J", "options": {}}}, Client.presets),
        ("presets", {"preset": {"game": "any_game", "title": "X", "options": {"end": "target"}}}, Client.presets),
    ],
)
def test_an_answer_with_the_wrong_kind_of_values_is_nonsense(verb, answer, ask):
    def liar(data):
        asked = unframe(REQUEST, data.strip())
        if not asked:
            return b""
        seq = asked[0]
        end = {"files": 1, "index": 0, "names": 1}
        if verb in ("games", "roster"):
            return frame(ANSWER, seq, "+", json.dumps(answer)) + frame(ANSWER, seq, "ok", json.dumps(end))
        return frame(ANSWER, seq, "ok", json.dumps(answer))

    with pytest.raises(Nonsense):
        ask(talk_to(liar))


# --- devices that send without end ---


def connect(verb, make, pause=None):
    """Return a client and a clock. The device answers a verb with make(seq, k), k from 0, after a pause if given."""
    honest, clock = Honest(), Clock()

    def answer(seq, value):
        for k in itertools.count():
            yield make(seq, k)
            if pause:
                yield pause

    honest.answers[verb] = answer
    return Client(EndlessCable(honest.answer, clock)), clock


def test_cuts_do_not_extend_the_wait():
    link, clock = connect("settings", lambda seq, k: framed(seq, "no", {"code": "E_CUT"}), 1.0)
    with pytest.raises(NoAnswer):
        link.settings()
    assert clock() <= ATTEMPTS * ANSWER_S + 1


@pytest.mark.parametrize("word", ["+", "maybe"])
def test_words_that_bring_nothing_do_not_extend_the_wait(word):
    link, clock = connect("settings", lambda seq, k: framed(seq, word, {}), 1.0)
    with pytest.raises(NoAnswer):
        link.settings()
    assert clock() <= ATTEMPTS * ANSWER_S + 1


def test_the_same_line_again_and_again_does_not_extend_the_wait():
    first = on_flash(ASKED, journal(ASKED))[0]
    link, clock = connect("read", lambda seq, k: first, 1.0)
    with pytest.raises(NoAnswer):
        link.read(ASKED)
    assert clock() <= (ATTEMPTS + 1) * ANSWER_S


def test_new_lines_extend_the_wait_but_not_for_ever():
    lines = on_flash(ASKED, journal(ASKED, [{"ev": "undo"}] * 4000))
    link, clock = connect("read", lambda seq, k: lines[k % len(lines)], 1.0)
    with pytest.raises(NoAnswer):
        list(link.read_all([JournalDownload(ASKED)]))
    assert 4 * ANSWER_S < clock() <= REQUEST_S + 2


@pytest.mark.long
@pytest.mark.parametrize("sent", [b"\n" * 4096, b"x" * 4096, b"noise\n" * 700])
def test_a_flood_ends_the_request(sent):
    link, _ = connect("settings", lambda seq, k: sent)
    with pytest.raises((Endless, NoAnswer)):
        link.settings()
    assert len(link.channel.unread) <= 4096


def test_no_more_files_and_names_than_a_device_can_have():
    link, _ = connect("games", lambda seq, k: framed(seq, "+", {"files": {f"{k:x}-{n}.kbz": 1 for n in range(40)}}))
    with pytest.raises(Nonsense):
        link.games()
    link, _ = connect("roster", lambda seq, k: framed(seq, "+", {"names": [f"Name {k}"]}))
    with pytest.raises(Nonsense):
        link.roster()
    preset = {"game": "any_game", "title": "Skyjo", "options": {}}
    link, _ = connect("presets", lambda seq, k: framed(seq, "+", {"preset": {**preset, "title": f"Title {k}"}}))
    with pytest.raises(Nonsense):
        link.presets()


def test_of_many_news_only_the_latest_are_kept():
    honest = Honest()
    honest.before = lambda seq: [framed(0, "now", {"id": ASKED, "lines": k, "mark": "0badcafe"}) for k in range(1000)]
    link = Client(EndlessCable(honest.answer, Clock()))
    link.settings()
    assert link.channel.news["lines"] == link.news(0)["lines"] == 999
    assert link.news(0) is None


def test_a_sync_drop_by_drop_ends():
    honest, clock = Honest(), Clock()
    honest.files = {f"a-{k:04}-b.kbz": 9 for k in range(1000)}
    honest.list_end = {"files": 1000, "index": 0, "mark": "00000000", "thrown": []}
    honest.before = lambda seq: [4.0]
    with memory_store() as store, pytest.raises(LinkTrouble):
        Sync(Client(EndlessCable(honest.answer, clock)), store, 1_800_000_000).run()
    assert clock() <= SYNC_S + 2 * ANSWER_S


def test_a_name_that_fits_into_no_request_is_said():
    with pytest.raises(NameTooLong, match="is too long for the Kiebitz on cable"):
        client(Device()).write_roster(["Ben", "\U0001f600" * 400])


def test_a_name_that_the_device_does_not_accept_is_not_sent_to_it():
    class Renamed:
        """A store with renames for the device."""

        def __init__(self, store):
            self.stored_game, self.add_journal = store.stored_game, store.add_journal
            self.take_over_thrown = store.take_over_thrown

        def renames(self):
            return {"Ben": "x" * 999, "Cleo": "Cleopatra"}

    with memory_store() as store:
        report = Sync(Client(EndlessCable(Honest().answer, Clock())), Renamed(store), 1_800_000_000).run()
    assert report.renamed == [("Cleo", "Cleopatra")]
