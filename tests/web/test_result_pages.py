"""Pages of games, evenings, league and players, in every language."""

import threading
from urllib.parse import urlencode, urljoin
from xml.etree.ElementTree import fromstring

import pytest
from helpers.finished import lines_of, spot
from kiebitz.text import LANGUAGES, text
from kiebitz_host.languages import read, speaking, use
from kiebitz_host.library import imported
from kiebitz_host.library.query import evenings
from kiebitz_host.library.store import Store
from kiebitz_host.web.curves import LETTER, Line, Tick, curves
from kiebitz_lab import synthetic_store
from web.support import EVENING, MARKUP, NASTY, QUOTES, TITLE, Visitor, fill

WEIGHT_MAX = 60_000  # bytes of a page without pictures
TITLE_LEAGUE = "/league?" + urlencode({"game": f"any_game:{TITLE.casefold()}"})
PAGES = (
    "/games",
    *[f"/games/{number}" for number in range(1, 9)],
    "/games?state=unfinished",
    "/evening",
    f"/evening/{EVENING}",
    "/evening/1999-01-01",
    "/league",
    "/league?game=royal_flush",
    TITLE_LEAGUE,
    "/players",
    "/players/Anna",
    "/players/%3Cb%3EMax%3C/b%3E%20%26%20Co",
    "/players/Jo%20%22J%22%20O%27N%27",
)

SENT = ("/games/", "/evening", "/league")  # pages that can be sent


@pytest.fixture(scope="module")
def full(tmp_path_factory):
    path = tmp_path_factory.mktemp("store") / "results.db"
    fill(path)
    return path


@pytest.fixture
def guest(serve, full):
    return Visitor(serve(full))


@pytest.fixture
def owner(serve, full):
    return Visitor(serve(full), token=True)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_in_every_language(owner, lang):
    for path in PAGES:
        answer = owner.get(path, accept_language=lang)
        assert answer.status == 200, path
        page = answer.page  # strictly parsed
        assert page.lang == lang, path
        assert not page.tags() & {"b", "i"}, f"{path}: a name has become markup"
        sent = ["/static/share.js"] if path.startswith(SENT) else []
        assert page.scripts() == ["/static/fresh.js", *sent], path
        assert "\u202e" not in page.text, path
        assert len(answer.text.encode()) < WEIGHT_MAX, path
        assert "web." not in page.text.replace("kiebitz web", ""), path
    told = owner.get("/league", accept_language=lang).page
    assert read(lang)["league.square"] in told.text


def test_names_that_would_be_markup_are_shown_as_they_are(guest):
    page = guest.get("/games/1").page
    assert MARKUP in page.texts("th") and QUOTES in page.texts("th")
    assert MARKUP in page.text and "evil שרה" in guest.get("/games/2").page.text
    assert all(who.replace("\u202e", "").replace("\u202c", "") in guest.get("/players").page.text for who in NASTY)
    assert TITLE.replace("\u202e", "") in guest.get("/games/5").page.texts("h1")[0]


def test_the_sheet_is_as_on_paper(guest):
    page = guest.get("/games/1").page
    sheet = page.root.find(".//section[@class='paper']//table")
    rows = [["".join(cell.itertext()) for cell in row] for row in sheet.iter("tr")]
    assert rows[0] == ["", "Anna", MARKUP, QUOTES]
    assert rows[1] == ["Round 1", "25", "0", "0"]
    assert rows[-2:] == [["Total", "58", "35", "12"], ["Place", "1 ★", "2", "3"]]
    assert page.title.startswith("Royal Flush · Game 1")
    assert "Anna wins with" in page.text
    assert page.texts("svg/title") == ["Totals over the game"]


def test_a_visitor_without_the_token_only_looks(guest, owner):
    assert not [link for link in guest.get("/games/1").page.links() if "/fix" in link or "/delete" in link]
    assert [link for link in owner.get("/games/1").page.links() if link == "/games/1/fix?entry=3"]
    for path in ("/games/1/fix?entry=3", "/games/1/delete", "/games/1/undo"):
        assert guest.get(path).status == 403
        assert guest.post(path.partition("?")[0]).status == 403


@pytest.mark.parametrize(
    "path",
    ["/games/99", "/games/99999999999999999999", "/evening/today", "/evening/2026-13-40", "/league?game=chess",
     "/players/Nobody", "/games/1/fix?entry=x", "/games/1/burn"],
)  # fmt: skip
def test_what_is_not_there_is_said(owner, path):
    assert owner.get(path).status == 404
    assert owner.get(path).page.texts("h1")


def test_the_list_is_filtered(guest):
    def numbers(query):
        return [int(cells[1]) for cells in _rows(guest.get(f"/games?{query}").page)]

    assert numbers("") == [8, 7, 6, 5, 4, 3, 2, 1]
    assert numbers("game=royal_flush") == [8, 7, 1]
    assert numbers("player=Ben&game=royal_flush") == [8, 7]
    assert numbers("state=unfinished") == [7]
    assert numbers("state=finished&player=Ben") == [8, 6, 4]
    assert numbers(f"from={EVENING}&to={EVENING}") == [8, 7, 6, 5]
    assert numbers("game=any_game") == [6, 5]
    assert numbers("game=any_game%3Aphase+10") == [6]
    for nonsense in ("game=chess", "player=Nobody", "from=2150-01-01", "state=deleted"):
        assert numbers(nonsense) == []
    assert numbers("page=77&lang=en") == [8, 7, 6, 5, 4, 3, 2, 1]


def test_no_two_choices_of_the_list_have_the_same_name(serve, tmp_path):
    path = tmp_path / "many.db"
    with Store(path) as store:
        synthetic_store.fill(store, 60)
    page = Visitor(serve(path)).get("/games", accept_language="de").page
    choices = [option.text for option in page.root.findall(".//select[@name='game']/option")]
    assert "Kniffel" in choices and "Wizard (Anderes Spiel)" in choices and len(set(choices)) == len(choices)


def test_the_numbers_beside_a_curve_have_room_on_a_phone():
    drawn = curves("totals", "", "", [Line("Anna", [0, -36000, 1500])], [Tick(0, "Round 1")], None)
    numbers = [words for words in fromstring(f"<div>{drawn}</div>").iter("text") if words.get("text-anchor") == "end"]
    assert "-40000" in [words.text for words in numbers]
    for words in numbers:
        assert float(words.get("x")) >= LETTER * len(words.text), words.text


def test_pages_take_a_period(guest):
    days = f"period=days&from={EVENING}&to={EVENING}"
    league = guest.get(f"/league?{days}").page
    assert "3 finished games on 4 Jan 2026" in league.text
    assert "4 games on 4 Jan 2026" in guest.get(f"/games?{days}").page.text
    assert "4 players on 4 Jan 2026" in guest.get(f"/players?{days}").page.text
    anna = guest.get(f"/players/Anna?{days}").page
    assert "4 games on 4 Jan 2026" in anna.text and len(_rows(anna)) == 4
    chosen = league.root.find(".//select[@name='period']/option[@selected]")
    assert chosen.get("value") == "days" and league.root.find(".//input[@name='to']").get("value") == EVENING
    choices = [option.get("value") for option in league.root.findall(".//select[@name='period']/option")]
    assert choices == ["", "month", "last-month", "year", "days"]


def test_an_empty_period_says_so(guest):
    days = "period=days&from=2024-10-01&to=2024-10-31"
    for lang, sentences in {
        "en": ("No finished games in October 2024.", "No games in October 2024.", "Nobody has played in October 2024."),
        "de": ("Keine beendeten Spiele im Oktober 2024.", "Keine Spiele im Oktober 2024.",
               "Niemand hat im Oktober 2024 gespielt."),
    }.items():  # fmt: skip
        for path, sentence in zip(("/league", "/games", "/players"), sentences, strict=True):
            assert sentence in guest.get(f"{path}?{days}", accept_language=lang).page.texts("p"), path
    assert "No finished games in October 2024." in guest.get(f"/players/Anna?{days}").page.texts("p")
    assert "No games like that in October 2024." in guest.get(f"/games?{days}&game=poch").page.texts("p")


@pytest.mark.parametrize("path", ["/league", "/games", "/players", "/players/Anna"])
def test_what_is_no_period_is_refused_with_a_sentence(guest, path):
    for query, sentence in (
        ("from=yesterday", "'yesterday' is not a date: write it like 2026-01-31."),
        ("from=2026-01-02&to=2026-01-01", "this period ends before it begins"),
        ("period=decade", "'decade' is not a period"),
    ):
        answer = guest.get(f"{path}?{query}")
        assert answer.status == 409 and sentence in answer.page.text


def test_the_order_of_a_league_is_chosen_in_its_head(guest):
    def order(query):
        page = guest.get(f"/league?game=royal_flush{query}").page
        (head,) = page.root.findall(".//th[@aria-sort]")
        links = {link for link in page.links() if link and "by=" in link}
        return "".join(head.itertext()), head.get("aria-sort"), links, page

    words, direction, links, page = order("")
    assert (words, direction) == ("Wins\u00a0▼", "descending")
    assert links == {"/league?game=royal_flush&by=average", "/league?game=royal_flush&by=elo"}
    words, _, links, page = order("&early=1&by=elo")
    assert words == "Elo\u00a0▼" and "/league?game=royal_flush&early=1&by=wins" in links
    assert page.root.find(".//form//input[@name='by']").get("value") == "elo", "the filter keeps the order"
    assert order("&by=luck")[0] == "Wins\u00a0▼"
    (head,) = guest.get("/league?by=elo").page.root.findall(".//th[@aria-sort]")
    assert "".join(head.itertext()) == "Wins\u00a0▼", "over several games only wins can be compared"
    low = guest.get(f"{TITLE_LEAGUE}&by=average").page.root.find(".//th[@aria-sort]")
    assert ("".join(low.itertext()), low.get("aria-sort")) == ("Average\u00a0▲", "ascending")


def _rows(page):
    rows = page.root.findall(".//table[@class='games']/tbody/tr")
    return [["".join(cell.itertext()) for cell in row] for row in rows]


def test_an_evening_has_its_winners_and_moments(guest):
    page = guest.get(f"/evening/{EVENING}").page
    assert page.texts("h1") == ["The evening of Sunday, 4 January 2026"]
    assert "4 games · 4 players" in page.text
    tiles = page.texts("li[@class='tile']")
    assert any("Highest single entry" in tile and "Phase 10" in tile and "+40" in tile for tile in tiles), tiles
    assert not any("Skyjo" in tile for tile in tiles if "Highest" in tile), "where few points win, many are no feat"
    assert any("Closest finish" in tile for tile in tiles)


def test_an_evening_has_the_moments_of_those_who_joined_later(serve, tmp_path):
    setup = {"game": "any_game", "players": ["Anna", "Ben"], "title": "Rummy"}
    points = [(0, 30), (1, 20)], [(0, 1), (1, 2), (2, 70)]
    first, second = ([{"ev": "points", "p": p, "k": k} for p, k in entries] for entries in points)
    game = lines_of(setup, [*first, {"ev": "join", "name": "Cleo", "k": 10}, *second, {"ev": "end_game"}])
    fill(tmp_path / "joined.db", [game])
    page = Visitor(serve(tmp_path / "joined.db")).get(f"/evening/{EVENING}").page
    tiles = page.texts("li[@class='tile']")
    assert any("Highest single entry" in tile and "+70" in tile and "Cleo" in tile for tile in tiles), tiles
    assert any("Greatest comeback" in tile and "Cleo" in tile and "21 behind" in tile for tile in tiles), tiles


@pytest.mark.long
def test_every_game_and_evening_of_a_season_has_its_page(serve, tmp_path):
    with Store(tmp_path / "season.db") as store:
        synthetic_store.fill(store, 120)
        places = [f"/evening/{day}" for day, _ in evenings(store.db, 120)]
    visitor = Visitor(serve(tmp_path / "season.db"))
    places += [f"/games/{number}" for number in range(1, 121)]
    assert len(places) > 120 and [place for place in places if visitor.get(place).status != 200] == []


def test_the_evening_goes_on_after_midnight(serve, tmp_path, monkeypatch):
    path = tmp_path / "late.db"
    fill(path)
    with Store(path) as store, store.batch():
        late = 1767580200  # 2026-01-05 02:30 UTC
        number = store.number("aabbcc-0008-000008")
        store.db.run("UPDATE journals SET at = ? WHERE number = ?", late, number)
        store.derive(number)
    guest = Visitor(serve(path))
    assert [int(cells[1]) for cells in _rows(guest.get(f"/evening/{EVENING}").page)] == [5, 6, 7, 8]


def test_where_few_points_win_the_fewest_are_first(guest):
    page = guest.get(TITLE_LEAGUE).page
    assert "The fewest points win." in page.text
    first = page.root.find(".//table/tbody/tr/th")
    assert "".join(first.itertext()) == MARKUP
    assert any("Fewest points: 5" in tile for tile in page.texts("li[@class='tile']"))


def test_a_player_has_opponents_ratings_and_last_games(guest):
    page = guest.get("/players/Anna").page
    assert {"Game by game", "Elo over time", "Head to head", "Last games"} <= set(page.texts("h2"))
    assert "/league?game=royal_flush" in page.links() and "/players/Ben" in page.links()


@pytest.mark.parametrize("who", ["..", ".", "a/../b", "../league"])
def test_a_player_whose_name_is_a_folder_has_a_page(serve, tmp_path, who):
    fill(tmp_path / "results.db", [spot([who, "Ben", "Cleo"], [3, 2, 4])])
    guest = Visitor(serve())
    page = guest.get("/league").page
    (link,) = {link.get("href") for link in page.root.iter("a") if "".join(link.itertext()) == who}
    resolved = urljoin(guest.stand.address + "/league", link.replace("%2e", ".").replace("%2E", "."))  # as a browser
    assert guest.get(resolved.removeprefix(guest.stand.address)).page.texts("h1") == [who]


def test_the_league_follows_what_is_stored(serve, tmp_path):
    path = tmp_path / "results.db"
    fill(path)
    owner = Visitor(serve(path), token=True)
    before = owner.get("/league?game=royal_flush").page.text
    assert owner.post("/games/8/delete").status == 303
    assert owner.get("/league?game=royal_flush").page.text != before
    assert owner.post("/games/8/restore").status == 303
    assert owner.get("/league?game=royal_flush").page.text == before


def test_an_empty_store_is_no_trouble(visitor):
    for path in ("/games", "/evening", "/league", "/players"):
        assert visitor.get(path).page.texts("h1"), path


# --- languages ---

YES = {"en": "Language", "de": "Sprache", "fr": "Langue", "it": "Lingua", "nl": "Taal"}


def test_threads_do_not_hear_each_other():
    together = threading.Barrier(len(YES))
    heard = {}

    def speak(lang):
        with speaking(lang):
            together.wait(10)
            heard[lang] = [text("web.languages") for _ in range(200)]

    threads = [threading.Thread(target=speak, args=(lang,)) for lang in YES]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {lang: set(words) for lang, words in heard.items()} == {lang: {word} for lang, word in YES.items()}


def test_one_within_the_other_and_back():
    with speaking("de"):
        with speaking("fr"):
            assert text("web.languages") == YES["fr"]
        assert text("web.languages") == YES["de"]
    use("it")
    assert text("web.languages") == YES["it"]


def test_requests_at_the_same_time_get_their_own_pages(stand):
    pages = {}

    def ask(lang):
        pages[lang] = [Visitor(stand).get("/live", accept_language=lang).text for _ in range(10)]

    threads = [threading.Thread(target=ask, args=(lang,)) for lang in YES]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for lang, word in YES.items():
        assert all(f'<html lang="{lang}"' in page and word in page for page in pages[lang])


def test_imported_results_have_a_page_without_a_sheet_and_are_in_no_league(serve, tmp_path):
    path = tmp_path / "imported.db"
    with Store(path) as store:
        seats = (imported.Seat("Anna", 1204, 1, True), imported.Seat("Ben", -87, 2, False))
        imported.add(store, [imported.Results("any_game", "Skat", "2025-01-31", "7", False, seats, 1738324800)])
    visitor = Visitor(serve(path), token=True)
    assert "imported" in visitor.get("/games").page.text
    game = visitor.get("/games/1").page.text
    assert "Imported." in game and "1204" in game.replace(",", "") and "Anna" in game
    for address in ("/evening", "/evening/2025-01-31", "/players", "/players/Anna", "/games?state=finished", "/live"):
        assert visitor.get(address).page.title
    for address in visitor.get("/games/1").page.links():
        if address.startswith("/games/1"):
            assert visitor.get(address).status == 200, address
    assert "Anna" not in visitor.get("/league").text
