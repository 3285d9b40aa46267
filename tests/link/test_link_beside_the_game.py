"""Test that keys and display keep working while a laptop uses or abuses the link."""

from helpers.device import Device, at_table
from helpers.play import ev, setup, short_game
from helpers.usb import Laptop
from kiebitz.link import PACKET
from kiebitz.link.link import READ_BYTES, SHORT_BUDGET_MS
from kiebitz.link.requests import FOLLOW_MS, HEAD, SIZES
from kiebitz.link.wire import ANSWER, REQUEST_MAX, unframe
from kiebitz.widgets.keys import LOCKOUT_MS
from kiebitz_lab.dice import Dice


def spot():
    return setup("top_spot", 3, match_length=3)


def long_game(changes=70):
    """Return a device whose running game has a journal of more than four kilobytes, or of more."""
    device = at_table(spot(), [ev("point", p=k % 3) for k in range(9)])
    for _ in range(changes):
        device.app.library.play(ev("undo"))
        device.app.library.play(ev("redo"))
    return device


def answers(laptop, ms):
    """Return all answers that arrive within this time, as (seq, word)."""
    heard = [unframe(ANSWER, line) for line in laptop.lines(ms)]
    return [got[:2] for got in heard if got]


# --- keys ---


def test_nothing_is_written_while_a_contact_bounces():
    device = Device()
    laptop = Laptop(device)
    device.hw.press("down")
    device.wait(100)
    device.hw.release("down")
    laptop.send(laptop.request("names", {"at": 0, "names": ["Anna"], "more": False}))
    device.wait(LOCKOUT_MS - 10)
    assert not device.app.roster.names
    device.wait(50)
    assert device.app.roster.names == ["Anna"]


# --- garbage ---


def test_garbage_before_and_between_requests_is_passed_over():
    laptop = Laptop(Device())
    for garbage in (b"AT+GMM\r\r\n", b"\x00\xff\xfe\x04\x01\x02", b"\n\n\r\n", b">>> import os\n", b"K? K? 5 who {} "):
        laptop.send(garbage)
        assert laptop.ok("who")["product"] == "kiebitz", garbage


def test_a_request_may_arrive_byte_by_byte():
    laptop = Laptop(Device())
    request = laptop.request("who")
    for k in range(len(request)):
        laptop.send(request[k : k + 1])
        laptop.device.wait(5)
    assert laptop.answer(laptop.seq)[0][1]["product"] == "kiebitz"


def test_several_requests_at_once_are_all_answered():
    laptop = Laptop(Device())
    laptop.send(b"".join([laptop.request("who", seq=k) for k in range(1, 8)]))
    assert answers(laptop, 500) == [(k, "ok") for k in range(1, 8)]


def test_a_line_without_end_is_dropped_and_the_next_one_heard():
    laptop = Laptop(Device())
    laptop.send(b"x" * (3 * REQUEST_MAX) + laptop.request("who", seq=5))
    laptop.device.wait(500)
    assert answers(laptop, 100) == []
    laptop.send(laptop.request("who", seq=6))
    assert answers(laptop, 200) == [(6, "ok")]


def test_the_longest_request_is_heard_and_no_longer_one():
    for more, heard in ((0, [(9, "ok")]), (1, [])):
        laptop = Laptop(Device())
        plain = laptop.request("who", {"fill": ""}, seq=9)
        laptop.send(laptop.request("who", {"fill": "x" * (REQUEST_MAX - len(plain) + more)}, seq=9))
        assert answers(laptop, 1000) == heard, more


def test_an_answer_is_cut_by_the_next_request():
    device = long_game()
    laptop = Laptop(device, reading=False)
    laptop.send(laptop.request("read", {"games": [device.app.library.journal.id, 0]}, seq=1))
    device.wait(50)
    laptop.send(laptop.request("who", seq=2))
    device.wait(50)
    laptop.usb.reading = True
    assert answers(laptop, 200) == [(1, "no"), (2, "ok")]


def test_fuzzed_lines_do_no_harm():
    device = at_table(*short_game("poch"))
    laptop = Laptop(device)
    dice = Dice(5)
    game_id = device.app.library.journal.id
    journal = device.journal()
    requests = [
        laptop.request(word, value)
        for word, value in (
            ("who", {}),
            ("games", {}),
            ("read", {"games": [game_id, 0]}),
            ("roster", {}),
            ("settings", {}),
            ("follow", {"on": True}),
        )
    ]
    for _ in range(150):
        line = bytearray(dice.pick(requests))
        for _ in range(1 + dice.below(4)):
            at = dice.below(len(line))
            if dice.chance(50):
                line[at] = dice.below(256)
            else:
                line = line[:at] + line[at + dice.below(5) :] + bytes([dice.below(256)])
        laptop.send(bytes(line))
        laptop.lines(5 * dice.below(4))
    laptop.send(b"\n")
    assert laptop.ok("who")["product"] == "kiebitz"
    assert device.journal() == journal and device.app.library.ids() == [game_id]


# --- a laptop that behaves badly ---


def test_a_laptop_that_sends_without_end_and_never_reads_does_not_stop_the_game():
    device = long_game()
    laptop = Laptop(device, reading=False)
    for k in range(300):
        laptop.send(laptop.request("games", seq=k))
    unread = laptop.usb.unread
    started = device.hw.time.elapsed
    before = len(device.table)
    device.keys("undo*5")
    assert len(device.table) == before - 5
    # Two presses of 40 ms each, in turns of 5 ms: the clock shows that no turn took longer
    assert device.hw.time.elapsed - started == 5 * 80 and laptop.usb.waited_ms == 0
    device.wait(2000)
    assert unread - laptop.usb.unread < 1000, "requests are not taken while their answers are not"
    laptop.usb.reading = True
    assert sum(len(answers(laptop, 5)) for _ in range(3000)) > 300


def test_an_endless_stream_of_garbage_leaves_time_for_the_keys():
    device = at_table(*short_game("top_spot"))
    laptop = Laptop(device)
    laptop.send(bytes([k * 7 % 256 for k in range(256)]) * 40)
    unread = laptop.usb.unread
    device.wait(5)
    assert unread - laptop.usb.unread == READ_BYTES
    before = len(device.table)
    device.keys("undo")
    assert len(device.table) == before - 1


def test_keys_pressed_while_a_long_answer_runs_are_taken_at_once():
    device = long_game()
    laptop = Laptop(device)
    laptop.send(laptop.request("read", {"games": [device.app.library.journal.id, 0]}, seq=1))
    before = len(device.table)
    device.keys("undo")
    assert len(device.table) == before - 1
    (word, end), _, lines = laptop.answer(1)
    assert word == "ok" and end["ends"][0] >= len(device.journal()) - 100
    assert len(lines) == device.app.library.journal.lines - 1 or len(lines) == device.app.library.journal.lines


def test_a_turn_ends_as_soon_as_a_key_is_pressed():
    for pressed_at in (None, 3, 40, 80):
        device = long_game(160)
        laptop = Laptop(device)
        device.wait(5)
        laptop.send(laptop.request("read", {"games": [device.app.library.journal.id, 0]}))
        put = laptop.usb.put
        packets = []

        def put_and_press(data, at=pressed_at, put=put, packets=packets, device=device):
            packets.append(data)
            if len(packets) == at:
                device.hw.press("down")
            return put(data)

        laptop.usb.put = put_and_press
        device.app.step()
        if pressed_at is None:
            assert len(packets) * PACKET > len(device.journal()), "in one turn, if nobody presses a key"
        else:
            most = (HEAD + SIZES[0]) // PACKET  # a piece
            assert 0 <= len(packets) - pressed_at < most < len(device.journal()) // PACKET, pressed_at
            before = device.app.keys.down
            device.app.step()
            assert not before and device.app.keys.down, pressed_at


def test_while_a_key_is_down_turns_are_short():
    device = long_game()
    laptop = Laptop(device)
    laptop.ok("who")
    device.hw.press("down")
    device.wait(100)
    laptop.send(laptop.request("read", {"games": [device.app.library.journal.id, 0]}))
    # The clock goes on by a millisecond with each look
    clock = device.board.clock
    ms = clock.ms
    looks = []
    clock.ms = lambda: looks.append(1) or ms() + len(looks)
    device.app.link.step()
    clock.ms = ms
    assert len(looks) <= SHORT_BUDGET_MS + 2


def test_the_cable_may_be_pulled_at_any_moment():
    device = long_game()
    game_id = device.app.library.journal.id
    for ms in range(0, 60, 5):
        laptop = Laptop(device)
        laptop.send(laptop.request("read", {"games": [game_id, 0]}))
        device.wait(ms)
        laptop.usb.pull() if ms % 10 else laptop.usb.disconnect()
        device.wait(20)
        laptop = Laptop(device)
        assert laptop.ok("who")["product"] == "kiebitz", ms
        assert laptop.usb.waited_ms == 0, ms


# --- following the game ---


def news(laptop, ms=50):
    heard = [unframe(ANSWER, line) for line in laptop.lines(ms)]
    return [got[2] for got in heard if got and got[:2] == (0, "now")]


def state(device):
    journal = device.app.library.journal
    return {"id": journal.id, "lines": journal.lines, "mark": journal.mark} if journal else {"id": None}


def test_whoever_follows_hears_of_every_change():
    device = at_table(spot())
    laptop = Laptop(device)
    assert laptop.ok("follow", {"on": True}) == state(device)
    assert news(laptop) == []
    device.app.library.play(ev("point", p=1))
    assert news(laptop) == [state(device)]
    device.keys("undo")
    assert news(laptop) == [state(device)]
    device.app.leave_table()
    assert news(laptop) == [{"id": None}]
    device.sit_down(spot())
    assert news(laptop) == [state(device)]


def test_nobody_hears_of_changes_unless_he_asked():
    device = at_table(spot())
    laptop = Laptop(device)
    laptop.ok("who")
    device.app.library.play(ev("point", p=1))
    assert news(laptop) == []
    laptop.ok("follow", {"on": True})
    laptop.ok("follow", {"on": False})
    device.app.library.play(ev("point", p=1))
    assert news(laptop) == []


def test_a_follower_that_is_quiet_for_long_is_forgotten():
    device = at_table(spot())
    laptop = Laptop(device)
    laptop.ok("follow", {"on": True})
    device.wait(FOLLOW_MS - 1000)
    device.app.library.play(ev("point", p=1))
    assert len(news(laptop)) == 1
    device.wait(1000)
    device.app.library.play(ev("point", p=1))
    assert news(laptop) == []


def test_a_follower_that_does_not_read_hears_the_latest_when_it_does():
    device = at_table(spot())
    laptop = Laptop(device)
    laptop.ok("follow", {"on": True})
    laptop.usb.reading = False
    for k in range(40):
        device.app.library.play(ev("undo") if k % 2 else ev("point", p=1))
        device.wait(5)
    laptop.usb.reading = True
    heard = news(laptop)
    assert heard[-1] == state(device) and len(heard) < 10
    assert laptop.usb.waited_ms == 0
