"""The client: gets its answers over a bad cable, and says in a sentence why it does not get them at all."""

import json

import pytest
from helpers.cable import Answering, Cable, client
from helpers.device import Device, at_table
from helpers.play import ev, setup, short_game
from kiebitz.link.wire import ANSWER, REQUEST, frame, unframe
from kiebitz_host.link.client import Client
from kiebitz_host.link.journal import mark
from kiebitz_host.link.trouble import DeviceRefused, LinkLost, NoAnswer, Nonsense, NotAKiebitz, OtherProtocol
from kiebitz_lab.dice import Dice

PRESETS = [
    {"game": "any_game", "title": "Skyjo", "options": {"wins": "low", "end": "target", "limit": 100}},
    {"game": "any_game", "title": "\U0001f600 Ä", "options": {"entry": "counter"}, "step": 5},
]


class Parrot(Answering):
    """Somebody else at the port: answers every line by a rule."""

    name = "parrot"

    def __init__(self, answer):
        super().__init__()
        self._answer = answer

    def write(self, data):
        self.unread += self._answer(data)


class Babbler(Answering):
    """Somebody who says the same again and again, every hundredth of a second."""

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


def journal(device):
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
    want = journal(device)
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
            pass  # three times in a row: it must be allowed to give up, never to be wrong


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
    """Return an answerer: every request gets these values, sealed and numbered as they should be."""

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
