"""Take screenshots of every page, light and dark, on phone, laptop and television (`make webshots`)."""

import argparse
import random
import shutil
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

from kiebitz.board.profiles import DEFAULT, PROFILES
from kiebitz.games import Refused, game_class
from kiebitz.store.table import Table
from kiebitz_host.library import people, query
from kiebitz_host.library.club_evenings import Evenings
from kiebitz_host.library.store import Store
from playwright.sync_api import Browser, sync_playwright

from .bench.evenings import evening as an_evening
from .dice import Dice
from .gallery import Flash
from .games import GAMES_IN_LAB
from .games.base import lines_of
from .handheld import ScriptedDevice
from .pages import WebStand, launch, wait_until
from .synthetic_store import fill
from .web_load import Played

OUT = Path("build") / "webshots"
# name -> (width, height)
SCREENS = {"phone": (390, 844), "laptop": (1366, 768), "television": (1920, 1080)}
LIGHTS = ("light", "dark")
GAMES = 60  # in the store
CLUB = ("Alma", "Bruno", "Clara", "Dieter", "Elke", "Frank", "Gerda", "Holger", "Ines", "Jens", "Karin", "Lothar",
        "Maria")  # fmt: skip
DOCS = Path("docs")
# Name of a picture in the docs -> (width, height of the window, page)
DOCS_PICTURES = {"club-evening": (1000, 1500, ""), "club-evening-wall": (1600, 720, "/wall")}
CLUB_EVENING = f"/club/{0:016x}"
PART = 0.55  # of a sample is played
MOST_EVENTS = 70


def tables():
    """Yield (name, table) of games in play, parts of the samples and games played by events."""
    for game in GAMES_IN_LAB.values():
        for name, (setup, keys) in game.SAMPLES.items():
            lines = lines_of(keys)
            with tempfile.TemporaryDirectory() as folder:
                device = ScriptedDevice(Flash(folder)).sit_down(setup)
                device.keys(" ".join(lines[: max(1, int(len(lines) * PART))]))
                yield name, device.table
    yield "any_rounds", _any_rounds()
    yield "any_counter", _any_counter()
    yield "any_crowd", _any_crowd()
    yield "poch_crowd", _poch_crowd()
    for kind in GAMES_IN_LAB:
        yield f"{kind}_most", _most_players(kind)


def _any_rounds() -> Table:
    names = ["Anna", "Ben", "Cleo", "Dora", "Emil", "Fatma"]
    table = Table({"game": "any_game", "players": names, "title": "Wizard", "options": {"end": "rounds", "limit": 10}})
    for k in range(8 * len(names) + 3):
        table.play({"ev": "points", "p": k % len(names), "k": (k * 7) % 60 - 20})
    return table


def _any_counter() -> Table:
    options = {"entry": "counter", "end": "target", "limit": 50, "wins": "low"}
    table = Table({"game": "any_game", "players": ["Anna", "Ben", "Cleo"], "title": "Phase 10", "options": options})
    for p, k in ((0, 12), (1, 25), (2, 5), (0, 3), (1, -4)):
        table.play({"ev": "add", "p": p, "k": k})
    return table


# As many as a table takes, with names that are as long as the device allows, and one from right to left
CROWD = ["Bernhardine-Maximiliane", "Bernhard Maximilian", "Charlotte-Sophie", "Dorothea Wilhelmine", "Emil",
         "\u05d3\u05e0\u05d9\u05d0\u05dc", "Fritz & Franz <3>", "Bernhardine-Maximiliana"]  # fmt: skip


def _any_crowd() -> Table:
    options = {"end": "target", "limit": 10_000, "wins": "low"}
    table = Table({"game": "any_game", "players": CROWD, "title": "Doppelkopf mit Schweinen", "options": options})
    for k in range(12 * len(CROWD) + 5):
        table.play({"ev": "points", "p": k % len(CROWD), "k": (k * 71) % 1900 - 900})
    return table


def _poch_crowd() -> Table:
    table = Table({"game": "poch", "players": CROWD})
    table.play({"ev": "start_round", "trump": "S"})
    table.play({"ev": "cash", "p": 1, "pool": "K"})
    table.play({"ev": "cash", "p": 1, "pool": "A"})
    return table


def _most_players(kind: str) -> Table:
    """Return a game of as many as can play it, after random entries."""
    many = game_class(kind).players_for({})[1]
    table = Table({"game": kind, "players": CROWD[:many], "confirm": True})
    dice = Dice(5)
    for _ in range(MOST_EVENTS):
        try:
            table.play({**GAMES_IN_LAB[kind].event(table.game, dice, True), "confirm": True})
        except Refused:
            continue  # most of the entries fit
    return table


def shoot(browser: Browser, stand: WebStand, name: str, path: str, out: Path, screens: dict, lights) -> None:
    """Save a page on every screen, light and dark; a television shows the live table without a frame."""
    for screen, (width, height) in screens.items():
        for light in lights:
            is_tv = screen == "television" and (path.startswith("/live") or path.endswith("/wall"))
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=light,
                                          reduced_motion="reduce")  # fmt: skip
            page = context.new_page()
            answer = page.goto(stand.link(path))
            assert answer is not None and answer.ok, path
            if is_tv and path.startswith("/live"):
                page.goto(stand.link(path) + "&tv=1")
            elif path == "/device":
                page.locator("#display[data-shown]").wait_for()
            page.screenshot(path=out / f"{name.replace(' ', '_')}-{screen}-{light}.png", full_page=not is_tv)
            context.close()


def result_pages(store: Store):
    """Yield (name, path) of the pages about games that were played."""
    game = query.games(store.db, query.Filter(finished=True), 1)[0]
    number, player = game["number"], game["scores"][0]["name"]
    yield "games", "/games"
    yield "game", f"/games/{number}"
    yield "game-fix", f"/games/{number}/fix?entry=1"
    yield "game-delete", f"/games/{number}/delete"
    yield "evening", "/evening"
    yield "league", "/league"
    yield "league-poch", "/league?game=poch"
    yield "league-poch-days", "/league?game=poch&by=elo&period=days&from=2020-01-05&to=2020-01-15"
    yield "players", "/players"
    yield "players-empty", "/players?period=days&from=1999-10-01&to=1999-10-31"
    yield "player", f"/players/{quote(player)}"
    yield "club", "/club"
    yield "club-evening", CLUB_EVENING
    yield "club-wall", f"{CLUB_EVENING}/wall"
    yield "club-lists", f"{CLUB_EVENING}/lists"
    yield "player-rename", f"/people/rename?name={quote(player)}&new=Somebody"


def _name_members(store: Store) -> None:
    """Give the evening and its members names as in a club."""
    found = Evenings(store)
    (evening,) = found.all
    for old, new in zip(evening.people(), CLUB, strict=True):
        people.rename(store.db, people.find(store.db, old), new)
    found.save(evening, name="Club night", day=evening.day, game=evening.game, title="", settings={},
               series=evening.series, sizes=evening.sizes, rates=evening.rates)  # fmt: skip


def draw_docs(browser: Browser, stand: WebStand) -> None:
    """Save the pictures of the docs, of an evening with 13 members."""
    for name, (width, height, part) in DOCS_PICTURES.items():
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
        page.goto(stand.link(f"{CLUB_EVENING}{part}"))
        page.screenshot(path=DOCS / f"{name}.png")
        page.close()


def main(argv: list[str] | None = None) -> int:
    """Take the pictures. Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only the pages whose name has this in it")
    parser.add_argument("--screen", choices=SCREENS, action="append", help="only this screen (default: all)")
    parser.add_argument("--light", choices=LIGHTS, action="append", help="only this light (default: both)")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--docs", action="store_true", help="only the pictures of the docs")
    args = parser.parse_args(argv)
    out = args.out.absolute()  # the simulated device changes the working folder
    screens = {name: SCREENS[name] for name in args.screen or SCREENS}
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = launch(playwright)

        def take(stand: WebStand, name: str, path: str) -> None:
            if args.only in name:
                shoot(browser, stand, name, path, out, screens, args.light or LIGHTS)

        with Store(Path(folder, "results.db")) as store:
            fill(store, GAMES)
            records, decided = an_evening(0, random.Random(1))
            store.add_records(records)
            store.add_decisions(decided)
            _name_members(store)
            results = list(result_pages(store))
        with WebStand(Path(folder, "results.db")) as stand:
            if args.docs:
                draw_docs(browser, stand)
                return 0
            take(stand, "live-nobody", "/live")
            for name, table in tables():
                if args.only in f"live-{name}":
                    stand.show(table)
                    take(stand, f"live-{name}", "/live")
            table.play({"ev": "undo"})
            stand.show(table)
            take(stand, "live-undone", "/live")
            stand.show(None, "e661a4d1275bffff")
            take(stand, "live-list", "/live")
            for name, path in results:
                take(stand, name, path)
        _with_device(Path(folder), take)
        browser.close()
    print(f"{len(list(out.iterdir()))} pictures in {args.out}")
    return 0


def _with_device(folder: Path, take) -> None:
    """Take the pages that need a device, with a simulated one of each kind of display."""
    for board in PROFILES:
        flash = folder / board
        flash.mkdir()
        played = Played(flash, board)
        try:
            with WebStand(folder / "results.db", find=played.find, open_port=played.open_port) as stand:
                stand.site.lan = "http://192.168.1.7:8080"
                wait_until(stand.site.devices.seen, "the device is followed")
                take(stand, f"device-{board}", "/device")
                if board == DEFAULT:
                    for name in ("names", "presets", "share"):
                        take(stand, name, f"/{name}")
        finally:
            played.device.stop()


if __name__ == "__main__":
    sys.exit(main())
