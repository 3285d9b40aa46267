"""Describe every command that writes to the store, with the files it starts from."""

import json
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from kiebitz.board.storage import Storage
from kiebitz_host.exchange import Folder, StoreSide, exchange
from kiebitz_host.library import fixes, removals
from kiebitz_host.library.club_evenings import Evenings
from kiebitz_host.library.store import Store
from kiebitz_host.link.client import Client
from kiebitz_host.link.sync import Sync
from kiebitz_host.outcome import Trouble

from ..handheld import ScriptedDevice
from ..synthetic_store import DEVICE, few_games, journals, shelf
from .campaign import GAMES, make_store

STORE = "results.db"
_BLOCK = 4096


def _nothing(folder: Path) -> int:
    raise NotImplementedError


@dataclass
class Scenario:
    """A command, the files it starts from, and what must hold afterwards."""

    name: str
    files: Path
    argv: Callable[[Path], list] | None = None
    action: Callable[[Path], int] = _nothing  # instead of a command line
    between: Callable[[Path], bool] | None = None  # True if the store may be left like this
    check: Callable[[Path], str] | None = None  # returns what is wrong


def scenarios(place: Path) -> list[Scenario]:
    """Make the files of all scenarios in a folder. Returns the scenarios."""
    return list(_scenarios(place))


def _scenarios(place: Path) -> Iterator[Scenario]:
    files = place / "store"
    files.mkdir(parents=True)
    make_store(files / STORE)
    game = _game(Path(files, "game.jsonl"), 7)
    with Store(files / STORE) as store:
        store.add_journal("file-0123456789ab", game[:5], None, 1000, False)
        number, entry, event = _correction(store)
        fixed = store.db.value("SELECT max(number) FROM games WHERE fixes")
    _game(Path(files, "other.jsonl"), 8)
    _evening(files / STORE)
    Path(files, "export.csv").write_text("as it was\n")
    Path(files, "members.csv").write_text("Name;Number\n" + "".join(f"Member {k};{k}\n" for k in range(40)))
    rows = [f"2025-01-{1 + k // 3 % 28:02};Skat;{k // 84};Member {k % 3};{k}\n" for k in range(240)]
    Path(files, "season.csv").write_text("Date;Game;Series;Name;Points\n" + "".join(rows))
    with Store(files / "from.db") as store, store.batch():
        for game_id, lines, at in journals(8, seed=2):
            store.add_journal(f"x{game_id}", lines, DEVICE, at, False)
    contents, _ = shelf(few_games(2))
    blocks = [data.ljust(-(-len(data) // _BLOCK) * _BLOCK, b"\xff") for data in contents.values()]
    Path(files, "flash.bin").write_bytes(b"".join(blocks))
    for name, words in (
        ("add a longer game", ["add", "DIR/game.jsonl"]),
        ("add two games", ["add", "DIR/game.jsonl", "DIR/other.jsonl"]),
        ("rename", ["players", "rename", "Anna", "Eva"]),
        ("join", ["players", "join", "Anna", _stranger(files / STORE)]),
        ("split", ["players", "split", _spelling(files / STORE)]),
        ("import members", ["players", "import", "DIR/members.csv", "--yes", "--json"]),
        ("import results", ["import", "results", "DIR/season.csv", "--yes", "--json"]),  # without a preview
        ("fix", ["fix", number, "--entry", entry, "--with", event]),
        ("fix --undo", ["fix", fixed, "--undo"]),
        ("delete", ["delete", 1, 2, 3]),
        ("restore", ["restore", 5]),
        ("evening draw", ["evening", "draw", "--seed", 5, "--by", "meet"]),
        ("evening here", ["evening", "here", "--new", "Hugo", "Ida"]),
        ("evening money", ["evening", "money", "--settle"]),
        ("rebuild", ["rebuild"]),
        ("rebuild --from", ["rebuild", "--from", "DIR/from.db"]),
        ("rescue", ["rescue", "DIR/flash.bin"]),
        ("presets", ["presets", "add", "Skyjo", "--low", "--target", 100]),
        ("export -o", ["export", "csv", "-o", "DIR/export.csv"]),
    ):
        yield Scenario(name, files, lambda folder, words=words: _placed(words, folder))  # type: ignore[misc]
    yield _exchange(place, files)
    yield _first_game(place, files)
    yield _sync(place)


def _placed(words: list, folder: Path) -> list[str]:
    return [str(word).replace("DIR", str(folder)) for word in words]


def _game(path: Path, number: int) -> list[str]:
    """Write a recorded game without an id. Returns its lines."""
    _, (first, *lines), _ = list(journals(number, seed=3))[-1]
    setup = json.loads(first)
    for key in ("id", "at", "device"):
        del setup[key]
    lines = [json.dumps(setup), *lines]
    path.write_text("\n".join(lines) + "\n")
    return lines


def _correction(store: Store) -> tuple[int, int, str]:
    """Return (game, entry, event) of a correction that the rules allow."""
    for number in range(6, GAMES + 1):
        table = store.replayed(number).table
        for entry in range(1, len(table) if table else 0):
            try:
                with store.batch():
                    fixes.correct(store, number, entry, table.event(entry))  # type: ignore[union-attr]
                    raise Trouble("only tried")
            except fixes.Unfit:
                continue
            except Trouble as trouble:
                if str(trouble) == "only tried":
                    return number, entry, json.dumps(table.event(entry))  # type: ignore[union-attr]
    raise RuntimeError("no game can be corrected")


def _evening(path: Path) -> None:
    """Begin an evening of seven people whose first series is drawn."""
    names = [f"Member {k}" for k in range(7)]
    money = {"stake": 500, "fees": [], "prizes": [1000, 500]}
    about = {"day": "2026-01-05", "game": "top_spot", "title": "", "settings": "{}"}
    with Store(path) as store:
        Evenings(store).write("evening/0123456789abcdef", name="Club", **about, series=2, sizes=[4, 3], money=money)
        Evenings(store).set_present(Evenings(store).find("Club"), names, True, 1)
        Evenings(store).draw(Evenings(store).find("Club"), 1, "lot", 1)


def _spelling(path: Path) -> str:
    """Return a spelling of Anna that is not her name."""
    with Store(path) as store:
        joined = "FROM spellings JOIN people ON people.id = person WHERE name = 'Anna' AND spelling <> name"
        other = f"SELECT spelling {joined}"
        return store.db.value(f"{other} ORDER BY spelling")


def _stranger(path: Path) -> str:
    """Return the name of a player who never played with Anna."""
    with closing(sqlite3.connect(path)) as connection:
        sql = (
            "SELECT name FROM people WHERE id NOT IN ("
            "SELECT t.person FROM people p JOIN spellings s ON s.person = p.id "
            "JOIN scores a ON a.spelling = s.id JOIN scores b USING (number) JOIN spellings t ON t.id = b.spelling "
            "WHERE p.name = 'Anna') ORDER BY name"
        )
        return connection.execute(sql).fetchone()[0]


def _exchange(place: Path, store: Path) -> Scenario:
    files = place / "exchange"
    shutil.copytree(store, files)
    (files / "stick").mkdir()
    with Store(files / "from.db") as other:
        removals.delete(other, 1)
        skipped: list[str] = []
        exchange(StoreSide(other), Folder(files / "stick"), skipped)
    words = ["exchange", "DIR/stick"]
    return Scenario("exchange", files, lambda folder: _placed(words, folder), between=_has_all_games)


def _has_all_games(folder: Path) -> bool:
    """Return True if all games are there that were there before the exchange; it stores portion by portion."""
    with Store(folder / STORE) as store:
        return store.db.value("SELECT count(*) FROM journals") > GAMES


def _first_game(place: Path, store: Path) -> Scenario:
    files = place / "empty"
    files.mkdir()
    (files / "game.jsonl").write_bytes((store / "game.jsonl").read_bytes())
    return Scenario("add the first game", files, lambda folder: ["add", folder / "game.jsonl"])


# --- sync ---


class Cable:
    """The USB cable to a device in the same process, in its fake time."""

    name = "cable"

    def __init__(self, device: ScriptedDevice):
        self._device = device
        device.hw.usb.connect()

    def clock(self) -> float:
        return self._device.hw.time.elapsed / 1000

    def read(self, seconds: float) -> bytes:
        end = self.clock() + seconds
        while True:
            self._device.wait(5)
            data = self._device.hw.usb.receive()
            if data or self.clock() >= end:
                return data

    def write(self, data: bytes) -> None:
        self._device.hw.usb.send(data)

    def close(self) -> None:
        self._device.hw.usb.disconnect()


def _client(folder: Path) -> Client:
    return Client(Cable(ScriptedDevice(Storage(str(folder / "flash" / "data")))))


def _sync(place: Path) -> Scenario:
    files = place / "sync"
    files.mkdir()
    contents, _ = shelf(few_games(1))
    for name, data in contents.items():
        path = files / "flash" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return Scenario("sync", files, action=_fetch, between=_is_stored_in_order, check=_confirmed_is_stored)


def _fetch(folder: Path) -> int:
    with Store(folder / STORE) as store, _client(folder) as client:
        Sync(client, store, int(time.time())).run()
    return 0


def _device_games(folder: Path) -> list[dict]:
    """Return the games of the device, the newest first, as it reports them."""
    with _client(folder) as client:
        client.hello()
        return client.games()[0]


def _is_stored_in_order(folder: Path) -> bool:
    """Return True if the oldest games of the device are stored, because a sync stores them in order."""
    with Store(folder / STORE) as store:
        stored = [store.stored_game(game["id"]) is not None for game in reversed(_device_games(folder))]
    return stored == sorted(stored, reverse=True)


def _confirmed_is_stored(folder: Path) -> str:
    """Return a game that was confirmed to the device but is not completely stored."""
    with Store(folder / STORE) as store:
        for game in _device_games(folder):
            held = store.stored_game(game["id"])
            if game["confirmed"] and (held is None or len(held.lines) != game["lines"]):
                return f"{game['id']} was confirmed but is not stored"
    return ""
