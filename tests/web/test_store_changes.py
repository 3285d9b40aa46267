"""Open pages follow changes of the store by other processes: games, league, and live tables of a club."""

import re
import time
from argparse import Namespace

import pytest
from helpers.finished import carre, spot
from helpers.play import ev, setup
from helpers.shelf import games_on
from kiebitz_host.library import removals
from kiebitz_host.library.store import Store
from kiebitz_host.web import store_watch
from kiebitz_host.web.store_watch import StoredTables, kept
from kiebitz_lab.pages import wait_until
from kiebitz_lab.postgres_server import DATABASE
from playwright.sync_api import expect
from web.support import Visitor

DEVICE = "e661a4d1275b3c0f"
POINTS = ('{"ev":"point","p":1}', '{"ev":"point","p":2}')


def put(place, k, players=("Anna", "Ben")):
    """Store a finished game, as another program does."""
    with Store(place, say=lambda message: None) as store:
        store.add_journal(f"aabbcc-{k:04d}-0", carre(list(players), [k % 5, 2]), {"id": "e6"}, 1000 + k, False)


def play(place, *points, device=DEVICE, ago=60):
    """Store a match of Top Spot that goes on, as another laptop's sync does. Returns the id of the game."""
    lines = [spot(["Anna", "Ben", "Cleo"], [1, 1, 1], match_length=3)[0], *points]
    with Store(place, say=lambda message: None) as store:
        store.add_journal(f"{device[-6:]}-0001-0", lines, {"id": device}, int(time.time()) - ago, False)
    return f"{device[-6:]}-0001-0"


def state_of(page):
    return page.root.find(".//main").get("data-state")


def changes(stand, path="/league"):
    """Open a page and the event stream that reports when it is stale."""
    visitor = Visitor(stand)
    events = visitor.stream(f"/events/store?state={state_of(visitor.get(path).page)}")
    wait_until(lambda: len(stand.site.hub) >= 1, "the stream is open")
    return events


def settled(stand):
    """Wait until the store is being followed, if there is one."""
    wait_until(lambda: not stand.site.store_state().endswith(".0"), "the store was looked at")
    return stand


@pytest.fixture
def club(server, request):
    """Return the address of a club's database with one game."""
    address = server.new_schema(f"web_{abs(hash(request.node.name)) % 10**9}")
    put(address, 1)
    return address


# --- a file ---


def test_a_game_that_another_program_stores_is_told_to_open_pages(serve, tmp_path):
    put(tmp_path / "results.db", 1)
    stand = settled(serve())
    events = changes(stand)
    put(tmp_path / "results.db", 2)
    name, state = events.next()
    assert name == "store" and state == stand.site.store_state() == events.id
    page = Visitor(stand).get("/league").page
    assert state_of(page) == state and "2 finished games" in page.text


def test_a_page_that_is_old_already_is_told_at_once(serve, tmp_path):
    put(tmp_path / "results.db", 1)
    stand = settled(serve())
    assert Visitor(stand).stream("/events/store?state=old").next()[0] == "store"


def test_the_first_game_of_all_is_told_too(serve, tmp_path):
    stand = serve()
    assert "No games yet" in Visitor(stand).get("/games").page.text
    events = changes(stand, "/games")
    put(tmp_path / "results.db", 1)
    assert events.next()[0] == "store"


def test_a_file_shows_no_tables_of_others(serve, tmp_path):
    play(tmp_path / "results.db", *POINTS)
    stand = settled(serve())
    assert stand.site.seen() == []


def test_pages_on_which_something_is_changed_are_left_alone(serve, tmp_path):
    put(tmp_path / "results.db", 1)
    owner = Visitor(serve(), token=True)
    for path in ("/games/1/fix?entry=1", "/games/1/delete"):
        page = owner.get(path).page
        assert page.scripts() == [] and state_of(page) is None


# --- a club ---


@pytest.mark.long
def test_what_a_laptop_stores_in_the_club_is_told_by_the_server(serve, club):
    stand = settled(serve(club))
    events = changes(stand)
    put(club, 2)
    events.next()
    assert "2 finished games" in Visitor(stand).get("/league").page.text


@pytest.mark.long
def test_a_line_end_in_a_device_id_puts_nothing_into_the_stream_of_the_tables(serve, club):
    play(club, *POINTS)
    hostile = play(club, *POINTS, device="e6ffffffffffffff")
    with Store(club, say=lambda message: None) as store, store.batch():
        store.db.run("UPDATE journals SET device = ? WHERE game = ?", "e6\ndata: <img src=x>\r\n\n", hostile)
    stand = serve(club)
    wait_until(stand.site.seen, "the tables are shown")
    events = Visitor(stand).stream("/events/live")
    lines = []
    while not any(line.startswith(b"event: ") for line in lines):
        lines += re.split(rb"\r\n|\r|\n", events._response.readline())
    assert not any(line.startswith(b"data: <img") for line in lines)


@pytest.mark.long
def test_the_server_goes_away_and_comes_back(serve, club, server):
    stand = settled(serve(club))
    events = changes(stand)
    server.stop("immediate")
    try:
        gone = Visitor(stand, token=True).get("/league")
        assert gone.status == 409 and "does not answer" in gone.page.text
    finally:
        server.start()
    put(club, 2)
    events.next()
    assert "2 finished games" in Visitor(stand).get("/league").page.text
    put(club, 3)  # and it is followed as before
    events.next()
    assert "3 finished games" in Visitor(stand).get("/league").page.text


@pytest.mark.long
def test_the_league_of_a_club_is_computed_once_until_it_changes(club):
    made = []
    with Store(club) as store:
        for _ in range(2):
            kept(store, "x", lambda: made.append(1))
        put(club, 2)
        kept(store, "x", lambda: made.append(2))
    assert made == [1, 2]


@pytest.mark.long
def test_tables_of_other_laptops_are_live(serve, club):
    stand = settled(serve(club))
    events = Visitor(stand).stream("/events/live")
    play(club, *POINTS[:1])
    events.until("Entry 1: Point for Ben")
    play(club, *POINTS)
    events.until("Entry 2: Point for Cleo")
    play(club, *POINTS, '{"ev":"undo"}')
    assert "live-last undone" in events.until("Taken back: Point for Cleo")
    play(club, POINTS[1], device="e661a4d1275b0002")
    assert "275b3c0f"[-6:] in events.until("5b0002")  # both tables
    one = Visitor(stand).get(f"/live/{DEVICE}").page
    assert "Top Spot" in one.text
    with Store(club) as store:
        for device in (DEVICE, "e661a4d1275b0002"):
            removals.delete(store, store.number(f"{device[-6:]}-0001-0"))
    events.until("No Kiebitz is plugged in")


@pytest.mark.long
def test_an_old_game_and_one_that_was_left_are_on_no_table(club, monkeypatch):
    play(club, *POINTS, ago=store_watch.BEGUN_S + 60)
    tables = StoredTables()
    with Store(club) as store:
        assert tables.found(store) == []
        play(club, *POINTS, device="e661a4d1275b0002")
        assert [seen.device for seen in tables.found(store)] == ["e661a4d1275b0002"]
        monkeypatch.setattr(store_watch, "QUIET_S", -1)
        assert tables.found(store) == []
        monkeypatch.setattr(store_watch, "QUIET_S", 60)
        assert tables.found(store) == []  # it comes back with its next entry only
        play(club, *POINTS, POINTS[0], device="e661a4d1275b0002")
        assert [seen.snapshot.events for seen in tables.found(store)] == [3]


@pytest.mark.long
def test_a_journal_that_somebody_has_overwritten_hides_no_other_table(club):
    other = "e661a4d1275b0002"
    play(club, *POINTS)
    play(club, *POINTS, device=other)
    with Store(club) as store:
        store.db.run("UPDATE contents SET data = 'x' WHERE number = ?", store.number(f"{DEVICE[-6:]}-0001-0"))
        assert [seen.device for seen in StoredTables().found(store)] == [other]


def match(storage):
    """Put a match that was begun just now on the flash."""
    games = games_on(storage, int(time.time()))
    games.create(setup("top_spot", 3, match_length=3))
    games.play(ev("point", p=1))


@pytest.mark.long
def test_an_entry_on_a_device_is_seen_at_once_on_the_pages_of_the_whole_club(plugged, serve, club, server):
    """Show the club on a computer without the device, with a database outage in between."""
    far = settled(serve(club))
    events = Visitor(far).stream("/events/live")
    laptop, table = plugged(match, db=club)
    events.until("Entry 1: Point for Ben")
    table.keys("up")
    events.until("Entry 2: Point for")
    server.stop("immediate")
    table.keys("undo")
    server.start()
    assert "live-last undone" in events.until("Taken back: Point for")
    with Store(club) as store:
        assert store.db.rows("SELECT finished FROM games WHERE kind = 'top_spot'") == [(0,)]


@pytest.mark.long
def test_who_may_only_read_sees_all_tables_and_stores_nothing(plugged, server, club):
    name = club.rpartition("%3D")[2]
    server.sql(DATABASE, f"CREATE ROLE looker_{name} LOGIN; GRANT USAGE ON SCHEMA {name} TO looker_{name}")
    server.sql(DATABASE, f"GRANT SELECT ON ALL TABLES IN SCHEMA {name} TO looker_{name}")
    stand, table = plugged(match, db=server.address(name, f"looker_{name}"))
    events = Visitor(settled(stand)).stream("/events/live")
    events.until("Entry 1: Point for Ben")  # its own device
    table.keys("up")
    events.until("Entry 2: Point for")
    play(club, POINTS[0], device="e661a4d1275b0002")
    events.until("5b0002")  # that of another laptop
    with Store(club) as store:
        assert [device for (device,) in store.db.rows("SELECT device FROM journals ORDER BY device")] == [
            "e6",
            "e661a4d1275b0002",
        ]


# --- in a browser ---


@pytest.mark.long
@pytest.mark.parametrize("where", ["file", "club"])
def test_the_open_page_renews_itself_but_not_what_somebody_is_doing(serve, look, tmp_path, where, request):
    place = tmp_path / "results.db" if where == "file" else request.getfixturevalue("club")
    put(place, 1)
    page = look(settled(serve(place)), "/games")
    expect(page.locator("tbody tr")).to_have_count(1)
    page.evaluate("window.loaded = 1")
    put(place, 2, ("Anna", "Cleo"))
    expect(page.locator("tbody tr")).to_have_count(2)
    page.focus("main form select")
    page.select_option("main form select >> nth=0", "poker_carre")
    put(place, 3)
    expect(page.locator("tbody tr")).to_have_count(2)  # a page with a form in use is not reloaded
    page.evaluate("document.activeElement.blur()")
    expect(page.locator("tbody tr")).to_have_count(3)
    assert page.evaluate("window.loaded") == 1


@pytest.mark.parametrize("at", ["0.5", '"x"', "1e300", "[]", "true"])
def test_a_hostile_time_of_a_device_is_recorded_and_damages_nothing(tmp_path, at):
    place = tmp_path / "results.db"
    put(place, 1)
    recorder = store_watch.Recorder(Namespace(db=str(place)))
    recorder.start()
    setup_line = spot(["Anna", "Ben", "Cleo"], [1, 1, 1])[0].replace("{", f'{{"at":{at},', 1)
    recorder.keep(DEVICE, "5b3c0f-0001-0", [setup_line, *POINTS])
    recorder.stop(20.0)
    with Store(place) as store:
        assert store.stored_game("5b3c0f-0001-0").lines == [setup_line, *POINTS]
        assert store.rebuild() == 2
