"""Test a game of Poch through key presses."""

from helpers.device import at_table
from helpers.play import ev, setup, sure

# The keys of each entry, and what a player can read after it.
ROUND_1 = (
    ("down*2 ok", ("Round 1 ♥", "Ace", "nobody", "Anna 67")),
    ("down*2 ok", ("King", "✓B")),
    ("down ok", ("Queen", "Anna 71")),
    ("down ok", ("Marriage", "has K and Q", "nobody", "Anna +4  79")),
    ("ok", ("Jack",)),
    ("down*3 ok", ("Ten",)),
    ("down*3 ok", ("Sequence", "nobody")),
    ("ok ok", ("Bank 0", "Poch 4", "Pass")),
    ("up*3 ok", ("Bank 3", "Hold")),
    ("up*3 ok", ("Anna 3", "▲5")),
    ("ok", ("Cleo pass",)),
    ("up ok", ("Bank 13", "Ben +17", "66→83")),
    ("down ok", ("Dan wins bank and Poch:", "+30")),
    ("down ok right ok right*2 ok ok", ("Round 2", "★ marks chips left over", "from an earlier round.")),
    ("right undo", ("Round 2", "Anna +6  82", "Ben -2  51", "Cleo -3  72", "★4")),
)
ROUND_2 = (
    ("down ok", ("Round 2 ♠", "★8", "Ben 43")),
    ("down*2 ok", ("King", "✓B")),
    ("down*2 ok", ("Queen",)),
    ("up ok", ("Jack", "✓D")),
    ("up ok", ("Ten",)),
    ("up*2 ok", ("Sequence", "nobody")),
    ("down ok", ("Chips stay in:", "K+Q")),
    ("ok", ("Poch 4", "Pass")),
    ("up ok", ("Ben ▲1",)),
    ("undo", ("Taken back: Ben bids 1",)),
    ("ok", ("Ben pass",)),
    ("ok", ("Cleo pass",)),
    ("ok", ("Dan pass",)),
    ("up ok", ("Anna wins bank and Poch:", "+4")),
    ("left pick:poch.lead.UP", ("Anna leads↑",)),
    ("up ok ok*3", ("Round 3", "Dan +3")),
)
ROUND_3 = (
    ("down*3 ok", ("Round 3 ♦", "Ace")),
    ("right*7 ok", ("Really?", "King, Queen, Jack and Ten.")),
    ("ok", ("Pass", "Poch 4")),
    ("up*2 ok", ("Cleo ▲2",)),
    ("up ok", ("Dan 2",)),
    ("ok", ("Bank 4",)),
    ("ok", ("Cleo +8", "Enter hands")),
    ("down*3 ok up*3 ok ok up ok ok", ("One pack cannot hold", "rank A.")),
    ("down ok", ("Cleo wins bank and Poch:", "+8")),
    ("ok hold:ok", ("Round 4", "Cleo +3")),
    ("left pick:menu.end", ("would win",)),
    ("ok", ("Final ranking", "Dan")),
)
PRESSES_PER_ENTRY = 4


def follow(device, story):
    for keys, words in story:
        device.keys(keys)
        assert device.sees(*words), (keys, device.text())


def test_a_game_of_three_rounds_from_the_first_ante_to_the_ranking():
    d = at_table(setup("poch", 4))
    assert d.sees("Round 1", "Poch", "Bank", "K+Q", "789", "ante 8", "Anna 75")
    follow(d, ROUND_1)
    assert d.game.chips == [82, 51, 72, 91]
    follow(d, ROUND_2)
    follow(d, ROUND_3)
    assert d.game.over and d.game.winners() == [3]
    assert sum(d.game.chips) + sum(d.game.pools) + d.game.bank == 300
    assert d.presses <= PRESSES_PER_ENTRY * len(d.table), (d.presses, len(d.table))


def test_the_battery_may_be_pulled_after_every_entry():
    d = at_table(setup("poch", 4))
    for keys, _ in ROUND_1:
        d.keys(keys)
        chips, phase = list(d.game.chips), d.game.phase
        d.restart()
        assert (d.game.chips, d.game.phase) == (chips, phase), keys
        assert d.sees("Round %d" % d.game.round, "menu") or d.sees("ante 8"), (keys, d.text())


def test_undo_goes_back_to_the_first_screen_through_every_phase():
    d = at_table(setup("poch", 4))
    for keys, _ in ROUND_1:
        d.keys(keys)
    phases = []
    while len(d.table):
        d.keys("undo")
        assert d.sees("Taken back:"), d.text()
        d.keys("wait:2000")
        if d.game.phase not in phases:
            phases.append(d.game.phase)
    assert phases == ["PLAYOUT", "SHOW", "BID", "CASH", "READY"]
    assert d.sees("Round 1", "Anna +8  75", "ante 8")
    d.keys("hold:undo")
    assert d.sees("Done again: Round starts")


def test_undo_reopens_a_finished_game():
    d = at_table(setup("poch", 2))
    d.keys("left pick:menu.end ok")
    assert d.sees("Final ranking") and d.game.over
    d.keys("undo")
    assert d.sees("ranking", "Anna")
    d.keys("undo")
    assert d.sees("Taken back: End of") and d.game.phase == "READY"


NAMES = ["Maximiliane-%s von Hohenf" % letter for letter in "ABCDEFGH"]
# The keys, and the phase they lead to.
ONE_ROUND = (
    ("right ok down up left undo ok", "CASH"),
    ("down ok ok ok ok right up ok down ok ok ok", "BID"),
    ("right down*2 ok up ok ok up ok ok*4", "SHOW"),
    ("up ok up ok up ok down ok right left undo down*2 ok", "PLAYOUT"),
    ("wait:2000 left undo down ok right*2 ok left ok*6 wait:4500", "READY"),
    ("left pick:menu.end undo*2 left pick:poch.menu.loan ok*2 undo*4 left pick:poch.menu.retire ok undo*3", "READY"),
)


def walk(device, script):
    """Press the keys one by one and look at every screen that no message covers."""
    for word in script.split():
        word, _, times = word.partition("*")
        for _ in range(int(times or 1)):
            device.keys(word)
            if not device.app._toast:
                assert device.faults() == [], (word, device.text())


def test_a_round_of_eight_players_with_long_names():
    for total in (300, 7000):
        d = at_table(setup("poch", 8, players=NAMES, chips_total=total))
        for script, phase in ONE_ROUND:
            walk(d, script)
            assert d.game.phase == phase, (script, d.text())
        assert d.game.round == 2


def test_short_players_and_the_end_of_the_game():
    events = [ev("start_round", trump="C"), sure(ev("end_cash"))] + [ev("pass", p=p) for p in range(8)]
    events.append(ev("end_round", winner=0, left={str(p): 4 for p in range(1, 8)}))
    d = at_table(setup("poch", 8, players=NAMES, chips_total=120), events)
    walk(d, "right ok ok down ok ok ok ok wait:2000 ok down*9 up*3 ok ok wait:2000 left pick:menu.end ok down ok")
