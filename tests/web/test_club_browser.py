"""An evening as a club has it, by keys on simulated devices and clicks in a real browser, on both engines."""

import random
import re

import pytest
from helpers.browser import wait_until
from helpers.cable import Cable
from helpers.device import Device
from kiebitz_host.library.club_evenings import Evenings
from kiebitz_host.library.store import Store
from kiebitz_host.link.ports import Port
from kiebitz_host.link.trouble import LinkLost
from kiebitz_host.sim.hardware import Hardware
from kiebitz_lab.pages import barriers
from kiebitz_lab.web_gallery import SCREENS
from playwright.sync_api import expect

pytestmark = pytest.mark.long

MEMBERS = [f"Member {k:02}" for k in range(13)]
WON, LOST = " ok*4", " ok right ok*2 right ok"  # clubs with one, and clubs with two
SEATS = ("left", "up", "right", "down")


class Pulled(Cable):
    """A cable that can be pulled by the test, which then uses the device alone."""

    is_pulled = False

    def read(self, seconds):
        if self.is_pulled:
            raise LinkLost(self.name)
        return super().read(seconds)


class Desk:
    """The devices of the club, and which of them are plugged into the laptop."""

    def __init__(self, count):
        self.devices = {}
        for k in range(count):
            device = Device()
            hardware = Hardware(device.profile)
            hardware.unique_id = bytes.fromhex(f"e661a4d1275b3c0{k}")
            device.on(hardware)
            self.devices[f"cable{k}"] = device
        self.plugged = False
        self.cables = []

    def find(self):
        return [Port(name, "simulator") for name in self.devices] if self.plugged else []

    def open_port(self, port):
        self.cables.append(Pulled(self.devices[port.path]))
        return self.cables[-1]

    def plug(self, stand, page):
        self.plugged = True
        wait_until(page, lambda: len(_connected(stand)) == len(self.devices), "all devices are followed")

    def pull(self, stand, page):
        self.plugged = False
        for cable in self.cables:
            cable.is_pulled = True
        wait_until(page, lambda: not _connected(stand), "no device is followed")
        self.cables.clear()


def _connected(stand):
    return [one for one in list(stand.site.devices.followers.values()) if one.connected]


def play_a_list(device, chance):
    """Begin the offered table with one press, and play all its games. Returns (names, points, lost games)."""
    if device.app.is_dark:
        device.keys("undo")  # only wakes the display
    if len(device.app.stack) > 1:
        device.keys("ok")  # from the ranking of the series before
    assert device.sees(f"{device.app.roster.seats['table']}: ")
    device.keys("ok")
    table = device.app.library.table
    names, lost = list(device.game.names), [0] * device.game.n
    while not device.game.over:
        before, seat = len(table), chance.randrange(device.game.n)
        has_won = chance.random() < 0.8
        device.keys(SEATS[seat] + (WON if has_won else LOST))
        if len(table) > before:
            event = table.last_event()
            lost[event["p"]] += not event["won"]
        while not device.game.over and not device.app.top.takes_back:
            device.keys("undo")  # close what the keys of somebody who sits out have opened
    return names, device.game.totals(), lost


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_an_evening_of_thirteen_members_from_names_to_money(engine, serve, look, tmp_path, request):
    db = tmp_path / "results.db"
    if engine == "postgresql":
        db = request.getfixturevalue("server").new_schema("osnabrueck")
    desk = Desk(4)
    stand = serve(db, find=desk.find, open_port=desk.open_port)
    page = look(stand, "/club", token=True)
    form = page.locator("#begin")
    rules = {"name": "Club night", "series": "2", "sizes": "4 3", "stake": "5", "prizes": "30 20"}
    for key, value in {**rules, "fees": "3x0.50 1.00"}.items():
        form.locator(f"[name={key}]").fill(value)
    form.locator("[name=game]").select_option("skat")
    form.get_by_role("button").click()
    place = re.search("/club/[0-9a-f]{16}", page.url)[0]
    present = page.locator("#present")
    present.get_by_label("New names").fill(", ".join(MEMBERS[:12]))
    present.get_by_role("button").click()
    expect(present).to_contain_text("12 present")
    present.get_by_label(MEMBERS[3], exact=True).uncheck()
    present.get_by_label("New names").fill(MEMBERS[12])
    present.get_by_role("button").click()
    expect(present).to_contain_text("12 present")
    present.get_by_label(MEMBERS[3], exact=True).check()
    present.get_by_role("button").click()
    expect(present).to_contain_text("13 present")
    chance = random.Random(13)
    points, lost_in = dict.fromkeys(MEMBERS, 0), {name: [] for name in MEMBERS}
    for series in (1, 2):
        page.locator("#draw").get_by_role("button", name=f"Draw series {series}").click()
        expect(page.locator(f"#series-{series} li.tile")).to_have_count(4)
        drawn = [tile.split("\n")[1:] for tile in page.locator(f"#series-{series} li.tile").all_inner_texts()]
        seated = [name for table in drawn for name in table if name.startswith("Member")]
        assert sorted(seated) == MEMBERS
        if series == 2:
            assert [points[name] for name in seated] == sorted(points.values(), reverse=True)
        desk.plug(stand, page)
        page.reload()
        page.locator("#devices").get_by_role("button").click()
        expect(page.locator("#devices")).to_contain_text("Table 4:")
        desk.pull(stand, page)
        for device in desk.devices.values():
            names, totals, lost = play_a_list(device, chance)
            assert names in [[name for name in table if name.startswith("Member")] for table in drawn]
            for name, total, count in zip(names, totals, lost, strict=True):
                points[name] += total
                lost_in[name].append(count)
        desk.plug(stand, page)
        for device in sorted(stand.site.devices.followers):
            page.goto(f"{stand.address}/device/{device}")
            page.get_by_role("button", name="Fetch its games").click()
            expect(page.get_by_text("fetched")).to_be_visible()
        desk.pull(stand, page)
        page.goto(stand.address + place)
        expect(page.locator("#games")).to_contain_text(f"{4 * series} games have their tables")
    rows = page.locator("#standings table tbody tr").all()
    shown = {}
    for row in rows:
        cells = row.locator("th, td").all_inner_texts()
        shown[cells[1]] = (int(cells[0]), int(cells[-2].replace("−", "-")))
    assert {name: total for name, (_, total) in shown.items()} == points
    assert [total for _, total in shown.values()] == sorted(points.values(), reverse=True)
    money = {}
    for row in page.locator("#money tbody tr").all():
        cells = row.locator("th, td").all_inner_texts()
        money[cells[0]] = [round(float(cell.replace("−", "-")) * 100) for cell in (cells[3], cells[5])]
    fees = {name: sum(50 * min(n, 3) + 100 * max(n - 3, 0) for n in counts) for name, counts in lost_in.items()}
    assert {name: fee for name, (fee, _) in money.items()} == fees and sum(fees.values()) > 0
    box = page.locator("#money tfoot").inner_text().split()
    assert round(float(box[-1].replace("−", "-")) * 100) == -sum(balance for _, balance in money.values())
    page.locator("#money").get_by_role("button").click()
    expect(page.locator("#money")).not_to_contain_text("Changed since")
    with Store(db) as store:
        (evening,) = Evenings(store).all
        assert evening.settled == {name: balance for name, (_, balance) in money.items()}
        assert len(evening.seats) == 8


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8", "utf-8-sig", "utf-16"])
def test_a_file_of_a_spreadsheet_becomes_members(serve, look, tmp_path, encoding):
    file = tmp_path / "members.csv"
    rows = 'Mitgliedsnr;Nachname;Vorname;Verein\n1;M\u00fcller;J\u00f6rg;"Skat ""04"""\n2;Kern;Anna;\n'
    file.write_bytes(rows.encode(encoding))
    page = look(serve(), "/club/members", token=True)
    page.get_by_label("Or choose a CSV file").set_input_files(file)
    expect(page.locator("main")).to_contain_text("2 new, 0 changed, 0 as before")
    expect(page.locator("tbody tr").first).to_contain_text('J\u00f6rg M\u00fcller1Skat "04"')
    page.get_by_role("button", name="Store").click()
    expect(page.locator("h1 + p")).to_contain_text("2 players")


# --- how the pages look ---


@pytest.fixture
def club(serve, tmp_path):
    """Return a server with an evening of 60 people in its second series, and the address of its page."""
    db = tmp_path / "results.db"
    with Store(db) as store:
        found = Evenings(store)
        rates = {"stake": 500, "fees": [], "prizes": [2000, 1000]}
        key = "evening/0123456789abcdef"
        found.write(key, name="Skat club <04>", day=found.today(), game="skat", title="", settings="{}", series=2,
                    sizes=[4, 3], money=rates)  # fmt: skip
        found = Evenings(store)
        found.set_present(found.find("0123"), [f"Bernhardine-Max. {k:02}" for k in range(59)] + ["שרה"], True, 1)
        Evenings(store).draw(Evenings(store).find("0123"), 1, "lot", 1)
    return serve(db), "/club/0123456789abcdef"


@pytest.mark.parametrize(("screen", "light"), [("phone", "light"), ("laptop", "dark"), ("television", "dark")])
def test_no_page_of_a_club_has_a_barrier_or_scrolls_sideways(club, browser, screen, light):
    stand, place = club
    width, height, *_ = SCREENS[screen]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=light)
    page = context.new_page()
    page.goto(stand.link("/club"))
    for path in ("/club", "/club/members", place, f"{place}/wall", f"{place}/lists"):
        page.goto(stand.address + path)
        assert barriers(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    context.close()


def test_a_list_of_48_games_is_one_sheet_of_paper(club, browser):
    stand, place = club
    page = browser.new_page()
    page.goto(f"{stand.address}{place}/lists")
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == 15
    page.close()


def test_the_wall_follows_the_tables_and_the_store(club, look):
    stand, place = club
    page = look(stand, f"{place}/wall")
    expect(page.locator(".plan .tile")).to_have_count(15)
    names = page.locator(".plan .tile").first.locator("bdi").all_inner_texts()
    device = Device().sit_down({"game": "skat", "players": names, "dealer": len(names) - 1})
    device.keys("left" + WON)
    stand.show(device.app.library.table)
    tile = page.locator(".plan .tile").first
    expect(tile).to_contain_text("playing")
    expect(tile.locator(".n").first).to_have_text(str(device.game.totals()[0]))
    expect(page.locator(".ranks li").first).to_contain_text(f"1{names[0]}{device.game.totals()[0]}")
