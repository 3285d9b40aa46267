"""Make tests/games/KIND/replays.jsonl: random games with their results, for both interpreters.

Run `.venv/bin/python tests/make_replays.py` after a deliberate change of the rules, and read the difference before
committing it. The same rules always give the same files.
"""

import json
from pathlib import Path

from kiebitz.games import GAMES, Refused
from kiebitz.store.events import encode
from kiebitz.store.replay import ReplayedTable
from kiebitz_lab.dice import Dice
from kiebitz_lab.random_games import damaged, next_line, setup

PER_GAME = 75
LENGTHS = (3, 8, 15, 15, 25, 40, 120)  # lines after the set-up, unless the game is over or a line refused before
EVERYDAY = ("E_ARG", "E_OVER", "E_PHASE", "E_PLAYER", "E_TURN")  # the other codes are rare: they are kept if they come


def replay(kind, seed):
    """Return the lines of one game, the code that refuses its last line, and the summary after that."""
    dice = Dice(seed)
    line = setup(kind, dice)
    if dice.chance(6):
        line = damaged(line, dice)
    script, lines = ReplayedTable(), [encode(line)]
    refused = feed(script, lines[0])
    length = dice.pick(LENGTHS)
    to_the_end = dice.chance(50)
    while not refused and len(lines) <= length and not (script.table.game.over and dice.chance(30)):
        text = "" if dice.chance(1) else encode(next_line(script.table, dice, wild=8))
        refused = feed(script, text)
        if refused and (to_the_end or dice.chance(80 if refused in EVERYDAY else 10)):
            refused = None
        else:
            lines.append(text)
    table = script.table
    return {
        "game": kind,
        "script": lines,
        "refused": refused,
        "events": 0 if table is None else len(table),
        "summary": None if table is None else table.game.summary(),
    }


def feed(script, text):
    """Return the code with which the line is refused, or None."""
    try:
        script.feed(text.encode())
    except Refused as refusal:
        return refusal.code
    return None


def path_of(kind):
    """Return the path of the recorded games of a kind."""
    return Path(__file__).parent / "games" / kind / "replays.jsonl"


def made(kind):
    """Return the text of the file of a kind."""
    games = [replay(kind, seed) for seed in range(PER_GAME)]
    return "".join(json.dumps(game, ensure_ascii=False, separators=(",", ":")) + "\n" for game in games)


if __name__ == "__main__":
    for kind in GAMES:
        path_of(kind).write_text(made(kind), encoding="utf-8")
        print(f"{path_of(kind)}: {path_of(kind).stat().st_size} bytes")
