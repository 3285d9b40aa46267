"""Makes devices with finished games for the benchmark of sync: evenings of all kinds, long games, a full flash."""

import json
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress

from kiebitz.board.storage import Storage
from kiebitz.games import Refused
from kiebitz.store.events import encode
from kiebitz.store.journal_files import NAME as TAIL
from kiebitz.store.journal_files import SUFFIX
from kiebitz.store.library import Library
from kiebitz.store.table import Table

from .. import dice, random_games
from ..synthetic_store import PER_KIND, finished_games

NOW = 1_800_000_000
GAMES_OF_A_KIND = 5
FULL_OF_A_KIND = 8  # with this many long games the flash is nearly full
EVENTS = 380  # before a game of the season is played to its end, which takes 20 to 70 more
MATCH = 32  # games in a match of Top Spot, of about 13 events each
NAME = "J\u00fcrgen"


def few_games(of_a_kind: int = GAMES_OF_A_KIND) -> list[list[str]]:
    """Return games of all kinds as replay lines, most of them short; the same ones every time."""
    samples = finished_games()
    return [samples[k] for k in range(len(samples)) if k % PER_KIND < of_a_kind]


def season(of_a_kind: int = GAMES_OF_A_KIND) -> Iterator[list[str]]:
    """Yield games of about 400 events with the most players, as replay lines; the same ones every time."""
    setups = random_games.long_setups()
    # Each line of a refereed match is as long as ten others. Any other game ends only by hand, and is like a tally
    for name in ("top_spot assisted", "any_game rounds", "any_game counter"):
        del setups[name]
    for seed in range(1, of_a_kind + 1):
        for setup in setups.values():
            players = [NAME, *setup["players"][1:]]
            is_match = "match_length" in setup
            setup = {**setup, "players": players, **({"match_length": MATCH, "confirm": True} if is_match else {})}
            table = Table(setup)
            if not is_match:
                random_games.play_on(table, EVENTS, seed)
            chance = dice.Dice(seed)
            while not table.game.over:
                with suppress(Refused):
                    table.play(random_games.legal_event(table.game, chance))
            yield [encode(setup), *map(encode, table.events())]


def shelf(replays: Iterable[list[str]]) -> tuple[dict[str, bytes], int]:
    """Return (files of a device on which these games were played, bytes of their journals)."""
    with tempfile.TemporaryDirectory() as folder:
        storage = Storage(folder)
        games = Library(storage, "ff" * 8, lambda n: b"*" * n, lambda: NOW)
        for lines in replays:
            games.create(json.loads(lines[0]))
            for line in lines[1:]:
                games.play(json.loads(line))
            games.close()
        folder_of_tail = TAIL.partition("/")[0]
        files = {f"data/{name}": storage.read(name) for name in storage.names() if name != folder_of_tail}
        size = sum(size for name, size in games.files.sizes() if name.endswith(SUFFIX))
    return files, size
