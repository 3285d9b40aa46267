"""Test that nothing is cut off or overdrawn on a Poch table with eight long names and large numbers."""

from helpers.device import at_table
from helpers.play import ev, setup, sure

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
