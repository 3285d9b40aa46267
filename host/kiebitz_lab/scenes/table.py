"""Describe the scenes that are the same at any table, with the scoreboard and the turn clock."""

from ..games.royal_flush import score, spend
from ..laptop_stand_in import confirm

_SUNDAY = 1_794_787_200  # the 15th of November 2026
_LONG = 10  # letters of a name


def table(players):
    """Return the scenes that are the same at any table."""
    setup = {"game": "royal_flush", "players": players}
    some = [spend(0, 2), score(1, "four_kind"), score(0, "three_kind")]
    longest = [score(0, "perfect_triple"), score(1, "straight_flush")]
    over = [score(0, "royal_flush")] * 3
    spent = [*over[:2], *[spend(p, 3) for p in range(len(players))], over[0]]
    return [
        ("menu", setup, some, "left at:lots.title"),
        ("standings", setup, some, _after_a_while),
        ("final ranking after a long evening", setup, over, _long_evening),
        ("the game begun again", setup, over, "ok left"),
        ("battery low", setup, some, _low_battery),
        ("battery empty", setup, some, _empty_battery),
        ("house rules", setup, some, "left pick:menu.rules at:opt.straight_suits"),
        ("fixed for this game", setup, some, "left pick:menu.rules up ok"),
        ("effect of a house rule", setup, spent, "left pick:menu.rules pick:opt.distribute_after_last"),
        ("effect of a rule for eight", *_points_of_eight(), "hold:ok pick:menu.rules pick:opt.start right ok down"),
        ("house rule without an effect", setup, some, "left pick:menu.rules pick:opt.one_slot_per_board"),
        ("house rule entered", setup, spent, "left pick:menu.rules pick:opt.distribute_after_last ok"),
        ("entry that does not fit a house rule", setup, some, "left pick:menu.rules pick:opt.turns"),
        ("house rule taken back", setup, some, "left pick:menu.rules pick:opt.one_slot_per_board ok undo"),
        ("all entries", setup, some, "left pick:menu.history"),
        ("longest entries", setup, longest, "left pick:menu.history"),
        ("no entries", setup, [], "left pick:menu.history"),
        ("one entry", setup, some, "left pick:menu.history down*2 ok"),
        ("correct an entry", setup, some, "left pick:menu.history down ok pick:history.correct"),
        ("corrected", setup, some, "left pick:menu.history down ok pick:history.correct ok up ok"),
        (
            "later entry in the way",
            setup,
            [spend(0, 2), spend(0, 3)],
            "left pick:menu.history down ok pick:history.correct right*4 ok",
        ),
        ("entries taken back", setup, some, "left pick:menu.history down*2 ok pick:history.go_back"),
        ("insert an entry", setup, some, "left pick:menu.history down ok pick:history.insert"),
        ("entry inserted", setup, some, "left pick:menu.history down ok pick:history.insert ok*2"),
        ("entry deleted", setup, some, "left pick:menu.history down ok pick:history.remove"),
        (
            "the end of a round would move",
            setup,
            [*some, *over[:1], *some],
            "left pick:menu.history down*3 ok pick:history.remove",
        ),
        ("the game would go on", setup, over, "left pick:menu.history ok pick:history.remove"),
        (
            "the game would be over",
            setup,
            [*over[:2], some[2]],
            "left pick:menu.history ok pick:history.correct ok down*2 right ok",
        ),
        ("begin anew", setup, some, "left pick:menu.anew"),
        ("names and seats", setup, some, "left pick:menu.names"),
        ("one seat", setup, some, "left pick:menu.names ok down*2"),
        ("points stay with the seat", setup, some, "left pick:menu.names ok down*2 ok"),
        ("names exchanged", setup, some, "left pick:menu.names ok down*2 ok ok"),
        ("end the game now", setup, some, "left pick:menu.end"),
        ("thrown away", setup, some, "left pick:menu.throw"),
        ("games played, one thrown away", setup, some, "left pick:menu.throw pick:start.games"),
        ("a game that was thrown away", setup, some, "left pick:menu.throw pick:start.games ok ok at:shelf.bring_back"),
        ("undo", setup, some, "undo"),
        ("undo held", setup, some, _hold_undo),
        ("redo", setup, some, "undo hold:undo"),
        ("nothing to undo", setup, [], "undo"),
        ("nothing to redo", setup, some, "hold:undo"),
        ("nothing to undo, only to redo", setup, some[:1], _only_redo),
        ("start with a running game", setup, some, "left pick:menu.leave"),
        ("games played", setup, some, "left pick:menu.leave pick:start.games"),
        ("one game", setup, some, "left pick:menu.leave pick:start.games ok"),
        ("one game, what to do", setup, some, "left pick:menu.leave pick:start.games ok ok"),
        ("one game, on the laptop", setup, over, _synced),
        ("one game with eight players", None, [], lambda device: _of_eight(device, players)),
        ("games played, one damaged", setup, some, _damaged_file),
        ("one game, with its day", None, [], lambda device: _on_sunday(device, setup)),
        ("settings at the table", setup, some, "left pick:start.settings"),
        ("who starts", setup, some, "left pick:lots.title"),
        ("who starts, player", setup, some, _thrown("ok", 2)),
        ("who starts, die", setup, some, _thrown("right ok", 4)),
        ("who starts, dice", setup, some, _thrown("right*2 ok", 5)),
        ("who starts, coin", setup, some, _thrown("left ok", 0)),
        ("who starts, coin again", setup, some, _thrown("left ok", 1)),
        ("the same again", None, [], _known(players, "ok ok")),
        ("who plays", None, [], _known(players, "ok ok down ok ok")),
        ("ready", None, [], _known(players, "ok ok ok at:new.rules")),
        ("children", None, [], _known(players, "ok ok ok pick:new.children.none")),
        ("one player", None, [], _known(players, "pick:start.players down ok at:players.remove")),
    ]


def _after_a_while(device):
    """Show the standings of a game that takes 42 minutes so far."""
    device.app.library.time.begin(42)
    device.keys("left pick:menu.standings")


def _long_evening(device):
    """Show the ranking of a game that took more than ten hours."""
    games = device.app.library
    games.play({"ev": "undo"})
    games.time.begin(625)
    games.play({"ev": "redo"})
    device.keys("ok")


def _empty_battery(device):
    """Run the device on a battery that is empty."""
    device.hw.usb_power, device.hw.vsys_mv = False, 2900
    while not device.app.board.supply.empty:
        device.hw.time.advance(10_000)
        device.wait(100)


def _low_battery(device):
    """Run the device on a battery that is nearly empty."""
    device.hw.usb_power, device.hw.vsys_mv = False, 3100
    device.hw.time.advance(10_000)
    device.wait(100)


def _known(players, keys):
    """Return a function that presses keys with these players in the roster, as the last ones who played."""

    def play(device):
        device.app.roster.played(players)
        device.keys(keys)

    return play


def _thrown(keys, number):
    """Return a function that opens Who starts? at the table and presses keys, while every throw is this number."""

    def play(device):
        device.hw.urandom = lambda n: bytes([(number - (device.hw.time.ticks_ms() >> 4)) % 12] * n)
        device.keys("left pick:lots.title " + keys)

    return play


def _hold_undo(device):
    """Press UNDO and do not release it."""
    device.hw.press("undo")
    device.wait(100)


def _only_redo(device):
    """Take back the only entry, then press UNDO again."""
    device.keys("undo")
    _hold_undo(device)


def confirm_and_leave(device):
    """Confirm the game as if a laptop had fetched it."""
    games = device.app.library
    game_id, lines = games.journal.id, games.journal.lines - 1
    device.app.leave_table()
    confirm(games, game_id, lines)


def _synced(device):
    """Show a game that a laptop has."""
    confirm_and_leave(device)
    device.keys("pick:start.games ok ok at:shelf.remove")


def _points_of_eight():
    """Return the set-up and the first round of a game of eight players."""
    return {"game": "any_game", "players": EIGHT}, [{"ev": "points", "p": p, "k": 7 + p} for p in range(len(EIGHT))]


def _of_eight(device, players):
    """Show a stored game of eight players."""
    more = [name[:-1] for name in players] if len(players[0]) > _LONG else ["Eva", "Fritz", "Gerda", "Heidi"]
    device.sit_down({"game": "poch", "players": [*players, *more][:8]})
    device.keys("left pick:menu.leave pick:start.games ok")


def _damaged_file(device):
    """List the games, one of them with a damaged file."""
    device.storage.write("abcdef-0009-012345.kbz", b"unreadable")
    device.keys("left pick:menu.leave pick:start.games")


def _on_sunday(device, setup):
    """Show the list of games, with a game that was begun on a fixed day."""
    device.board.clock.set(_SUNDAY)
    device.sit_down(setup)
    device.keys("left pick:menu.leave pick:start.games ok")


EIGHT = ["Anna", "Ben", "Cleo", "Dan", "Eva", "Fritz", "Gerda", "Heidi"]
_ROUND = [
    {"ev": "start_round", "trump": "H"},
    *[{"ev": "cash", "p": p, "pool": pool} for p, pool in ((1, "A"), (0, "K"))],
]
_MOST = 1_000_000


def scoreboards(names):
    """Return the scenes of the scoreboard, with the first of these names."""
    over = [score(0, "royal_flush"), score(1, "four_kind"), score(1, "royal_flush"), score(0, "royal_flush")]
    three = {"game": "royal_flush", "players": names[:3]}
    five = {"game": "royal_flush", "players": names[:5]}
    many = {"game": "poch", "players": names, "options": {"chips_total": _MOST}}
    return [
        *[(f"scoreboard of {n}", {"game": "poch", "players": names[:n]}, _ROUND, "hold:left") for n in range(2, 9)],
        ("scoreboard with high numbers", many, _ROUND, "hold:left"),
        ("scoreboard by itself", five, [score(0, "four_kind"), score(1, "pair")], "wait:31000"),
        ("scoreboard at the end", five, over, "ok right"),
        ("final ranking of three", three, over, "ok"),
    ]


def turn_clocks(players, eight):
    """Return the scenes with these players, and of a game with all eight."""
    setup = {"game": "royal_flush", "players": players}
    some = [spend(0, 2), score(1, "four_kind"), score(0, "three_kind")]
    return [
        ("turn clock, not started", setup, some, "left pick:clock.title"),
        ("turn clock", setup, some, _turns),
        ("turn clock, limit reached", setup, some, _late),
        ("turn clock, menu", setup, some, lambda device: _late(device, "right at:clock.limit")),
        ("turn clock, at the table", setup, some, lambda device: _turns(device, "left")),
        ("turn clock of eight", {"game": "poch", "players": eight}, [], _hours),
    ]


def _turns(device, keys=""):
    """Give every player a turn, a long one to the last, then press keys."""
    device.keys("left pick:clock.title ok")
    for k in range(device.game.n - 1):
        _think(device, 49 + 73 * k)
        device.keys("ok")
    _think(device, 206)
    device.keys(keys)


def _late(device, keys=""):
    """Show a turn that is longer than its limit, then press keys."""
    device.keys("left pick:clock.title right pick:clock.limit ok*2 pick:clock.on ok")
    _think(device, 131)
    device.keys(keys)


def _hours(device):
    """Show the clock after the last player has taken hours, with a display that is never dark."""
    device.app.settings.set("off_s", 0)
    device.app.apply_settings()
    _turns(device)
    _think(device, 11 * 3600)
    device.keys("ok")
    _think(device, 754)


def _think(device, seconds):
    """Advance the clock."""
    device.hw.time.advance(seconds * 1000)
    device.wait(400)
