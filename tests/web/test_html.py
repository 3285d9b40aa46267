"""HTML: escaping, `kiebitz export --html`, and pages sent as single files and as pictures."""

import re
import struct
import xml.etree.ElementTree as ElementTree
import zlib

import pytest
from helpers.finished import any_game
from kiebitz.text import LANGUAGES
from kiebitz_host.cli import main
from kiebitz_host.html import Node, el, fragment, join, name, plain_name, sentence, style_sheet
from kiebitz_host.library.store import Store
from kiebitz_host.png import SIGNATURE
from kiebitz_host.show import card
from kiebitz_host.show.card import Row, Table
from kiebitz_host.web.frame import Visit, address
from web.support import EVENING, GAMES, MARKUP, NOW, POCH_OF_EIGHT, Page, Visitor, fill

NASTY = ("<b>", "</p><script>alert(1)</script>", "\"'&amp;", "a\x00b\x1b[31m", "]]>", "\ud800", "\ufffe")


@pytest.mark.parametrize("words", NASTY)
def test_text_is_never_markup(words):
    made = str(el("p", words, title=words, data_x=words))
    element = ElementTree.fromstring(made)
    assert len(list(element.iter())) == 1
    assert set(element.attrib) == {"title", "data-x"}
    assert element.text == element.get("title")


def test_children_are_escaped_unless_they_are_elements():
    made = el("p", "1 < 2 ", el("b", "&"), None, False, ["x", [3]], class_="a", aria_label="b", hidden=True, id=None)
    assert str(made) == '<p class="a" aria-label="b" hidden="">1 &lt; 2 <b>&amp;</b>x3</p>'
    assert str(el("br")) == "<br/>"
    assert str(join(", ", ["a", el("i", "b")])) == "a, <i>b</i>"
    assert str(fragment("<", el("hr"))) == "&lt;<hr/>"


@pytest.mark.parametrize("place", ["javascript:alert(1)", " javascript:x", "JAVASCRIPT:x", "data:text/html,x", "x:y"])
def test_no_address_runs_a_script(place):
    with pytest.raises(ValueError):
        el("a", "x", href=place)
    assert 'href="/games?player=%3Cb%3E"' in str(el("a", "x", href=address("/games", [("player", "<b>")])))


def test_no_script_in_an_attribute_or_a_style_sheet():
    with pytest.raises(AssertionError):
        el("p", onclick="x()")
    with pytest.raises(AssertionError):
        style_sheet("</style><script>")


def test_a_name_keeps_its_direction_to_itself():
    assert str(name("\u202eevil<")) == "<bdi>evil&lt;</bdi>"
    assert plain_name("שרה\u202e") == "\u2068שרה\u2069"


def test_a_sentence_takes_names_as_elements():
    made = sentence("web.evening.best", name=name("<b>"), n=2)
    assert isinstance(made, Node)
    assert str(made) == "<bdi>&lt;b&gt;</bdi> has won 2 games, more than anybody else."
    assert str(sentence("web.moment.closest.says", one="<", other="\ue0000\ue001", game="g")).startswith("&lt; before")


def test_links_to_the_same_page_keep_the_filters_but_not_the_token():
    visit = Visit(path="/games", query=(("player", "A&B"), ("token", "secret"), ("lang", "de"), ("page", "3")))
    assert visit.same_page(lang="fr") == "/games?player=A%26B&page=3&lang=fr"
    assert visit.same_page(page="") == "/games?player=A%26B"
    assert visit.value("player") == "A&B" and visit.value("x", "y") == "y"


# --- kiebitz export html ---

TITLE = "The evening of Sunday, 4 January 2026"
WAYS = {
    "evening": (["--day", EVENING], TITLE),
    "last evening": ([], TITLE),
    "day without a date": (["--day"], TITLE),
    "game": (["1"], "Royal Flush · Game 1"),
    "game by option": (["--game", "1"], "Royal Flush · Game 1"),
    "league": (["--league"], "All games"),
    "one league": (["--league", "--game", "royal"], "Royal Flush"),
    "league with early games": (["--league", "--early"], "All games"),
}


@pytest.fixture
def export(tmp_path, monkeypatch):
    """Return a function that runs `kiebitz export html` on a full store and returns (exit code, content)."""
    path, out = tmp_path / "results.db", tmp_path / "page.html"
    fill(path)
    monkeypatch.setenv("KIEBITZ_DB", str(path))

    def run(*words, lang="en"):
        out.unlink(missing_ok=True)
        code = main(["export", "html", *words, "--lang", lang, "-o", str(out)])
        return code, out.read_text("utf-8") if out.exists() else None

    return run


@pytest.mark.parametrize("way", WAYS)
def test_a_page_is_one_file(export, way):
    words, title = WAYS[way]
    code, markup = export(*words)
    assert code == 0
    page = Page(markup)
    assert page.texts("h1") == [title] and page.title == title
    assert not page.tags() & {"a", "script", "link", "form", "img", "b", "i", "nav"}
    assert page.root.find("head/style") is not None and "http" not in markup.replace("http-equiv", "")
    assert "default-src 'none'" in page.root.find("head/meta[@http-equiv]").get("content")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_files_speak_every_language(export, lang):
    for words, _ in WAYS.values():
        code, markup = export(*words, lang=lang)
        assert code == 0 and Page(markup).lang == lang


def test_names_are_escaped_in_files(export):
    assert MARKUP in Page(export("1")[1]).texts("th")


def test_all_entries_of_a_game_are_in_its_file(export):
    assert len(Page(export("3")[1]).root.findall(".//tr[@id]")) == 11


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--day", "yesterday"], "is not a date"),
        (["--day", "1999-01-01"], "nothing was played on 1999-01-01"),
        (["99"], "there is no game 99"),
        (["1", "--league"], "a file holds one page"),
        (["1", "2"], "a file holds one page"),
        (["--player", "Anna"], "choose no page"),
        (["--league", "--game", "top"], None),
        (["--league", "--game", "chess"], "there is no game 'chess'"),
    ],
)
def test_what_cannot_be_a_page_is_said(export, capsys, words, told):
    code, markup = export(*words)
    assert (code, markup is None) == ((2, True) if told else (0, False))
    assert (told or "") in capsys.readouterr().err


def test_the_options_of_pages_are_for_pages(export, capsys):
    assert main(["export", "csv", "--day", EVENING]) == 2
    assert "are for pages" in capsys.readouterr().err


def test_an_empty_store_has_no_page(tmp_path, capsys):
    assert main(["export", "html", "--db", str(tmp_path / "none.db")]) == 2
    assert "there are no games yet" in capsys.readouterr().err


# Page -> (arguments of `kiebitz export html`, name of the file)
SENT = {
    f"/evening/{EVENING}": (["--day", EVENING], f"kiebitz-{EVENING}"),
    "/games/1": (["1"], "kiebitz-game-1"),
    "/league": (["--league"], "kiebitz-league"),
    "/league?game=royal_flush": (["--league", "--game", "royal_flush"], "kiebitz-league"),
}
LATE = 1767580200  # 2026-01-05 02:30 UTC, which belongs to EVENING


@pytest.fixture(scope="module")
def full(tmp_path_factory):
    path = tmp_path_factory.mktemp("store") / "results.db"
    fill(path, (*GAMES, POCH_OF_EIGHT))
    return path


@pytest.fixture
def guest(serve, full):
    return Visitor(serve(full))


def at(page, kind):
    """Return the URL of a page as a file or a picture."""
    path, _, query = page.partition("?")
    return f"{path}/{kind}" + (f"?{query}" if query else "")


# --- files ---


@pytest.mark.long
@pytest.mark.parametrize("page", SENT)
def test_a_button_saves_the_file_that_the_export_writes(guest, full, tmp_path, page):
    words, name = SENT[page]
    out = tmp_path / "page.html"
    assert main(["export", "html", *words, "--lang", "de", "--db", str(full), "-o", str(out)]) == 0
    assert at(page, "file") in guest.get(page).page.links()
    answer = guest.get(at(page, "file"), accept_language="de")
    assert (answer.status, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}.html"'
    assert answer.text == out.read_text("utf-8")


@pytest.mark.long
def test_what_is_not_there_cannot_be_sent(guest):
    for page in ("/evening/1999-01-01", "/evening/today", "/games/99", "/league?game=poker", "/players/Anna"):
        for kind in ("file", "picture"):
            assert guest.get(at(page, kind)).status == 404, page
    assert at("/evening/1999-01-01", "file") not in guest.get("/evening/1999-01-01").page.links()


# --- pictures ---


def pixels(data):
    """Return the rows of a PNG as lists of RGB triples."""
    assert data.startswith(SIGNATURE)
    chunks, where = {}, len(SIGNATURE)
    while where < len(data):
        (size,) = struct.unpack_from(">I", data, where)
        chunks[data[where + 4 : where + 8]] = data[where + 8 : where + 8 + size]
        where += 12 + size
    width, height, depth, kind, *_ = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert (depth, kind) == (8, 2)
    lines = zlib.decompress(chunks[b"IDAT"])
    stride = 3 * width + 1
    assert len(lines) == height * stride
    rows = [lines[y * stride + 1 : (y + 1) * stride] for y in range(height)]
    return [[tuple(row[x : x + 3]) for x in range(0, len(row), 3)] for row in rows]


def colors_of(rows):
    return {color for row in rows for color in row}


@pytest.mark.long
@pytest.mark.parametrize("page", SENT)
def test_a_picture_is_made_on_the_laptop(guest, page):
    assert at(page, "picture") in guest.get(page).page.links()
    answer = guest.get(at(page, "picture"))
    assert (answer.status, answer.headers["content-type"]) == (200, "image/png")
    assert answer.headers["content-disposition"] == f'inline; filename="{SENT[page][1]}.png"'
    rows = pixels(answer.body)
    assert len(rows[0]) == card.WIDTH and 400 < len(rows) < 4000
    assert {card.PAPER, card.FRAME, card.INK} <= colors_of(rows)
    assert set(rows[0]) == set(rows[-1]) == {card.PAPER}


@pytest.mark.long
def test_the_picture_of_a_game_has_the_colours_of_its_players(guest):
    colors = colors_of(pixels(guest.get("/games/9/picture").body))
    assert {*card.SEATS, card.FIRST} <= colors  # eight players, one of them has won


@pytest.mark.long
def test_every_language_has_its_picture(guest):
    pictures = {guest.get(f"/games/1/picture?lang={lang}").body for lang in LANGUAGES}
    assert len(pictures) == len(LANGUAGES)


LONG = "Bernhardine-Maximiliane"


@pytest.mark.long
@pytest.mark.parametrize(
    "table",
    [
        Table("", ("", LONG), (Row(("1", f"{LONG} {LONG} {LONG}"), 0, 1.0, True),)),
        Table(LONG, ("", *[LONG[:10]] * 10), (Row(("Round 1 – Round 12", *["-1000"] * 10)),), frozenset(range(1, 11))),
        Table("", ("Name", "Points"), (Row((LONG * 4, "7"), 3, 2.0),), frozenset({1})),
        Table("", ("", "", ""), (Row(("1", "\u202e\u05e9\u05e8\u05d4\x00", "-7"), 7, -1.0),), frozenset({2})),
    ],
)
def test_what_is_long_is_wrapped_or_cut_but_never_leaves_the_picture(table):
    rows = pixels(card.card(LONG * 3, f"{LONG} " * 9, f"{LONG} " * 4, (table,), "Kiebitz"))
    inner = card.MARGIN - 8
    assert len({len(row) for row in rows}) == 1
    assert all(set(row[:inner]) == {card.PAPER} and set(row[-inner:]) == {card.PAPER} for row in rows)


# --- days ---


@pytest.fixture
def late(serve, tmp_path):
    """Return a guest of a store with a game after midnight, and one whose time is not exactly known."""
    path = tmp_path / "late.db"
    fill(path)
    with Store(path, now=lambda: NOW, say=lambda message: None) as store, store.batch():
        for k, (when, approximate) in enumerate(((LATE, False), (LATE, True))):
            game = any_game("Skat", ["Anna", "Ben"], [k, 2])
            store.add_journal(f"ddeeff-{k + 1:04d}-{k + 1:06x}", game, {"id": "e6ddeeff"}, when, approximate)
    return Visitor(serve(path))


@pytest.mark.long
def test_the_list_and_the_evening_agree_on_the_day_of_a_game_after_midnight(late):
    listed = late.get("/games").page
    assert "4 Jan 2026 02:30 (night)" in listed.text and "5 Jan" not in listed.text
    assert "An evening ends at five in the morning" in listed.text
    number = next(link for link in listed.links() if link.startswith("/games/9"))
    game = late.get(number).page
    assert "4 Jan 2026 02:30 (night)" in game.text and f"/evening/{EVENING}" in game.links()
    evening = late.get(f"/evening/{EVENING}").page
    assert number in evening.links() and "An evening ends at five in the morning" in evening.text


@pytest.mark.long
def test_a_date_that_is_not_exactly_known_is_said_in_words(late):
    text = late.get("/games").page.text
    assert "about 4 Jan 2026" in text and "~" not in text


DATES = {
    "en": ("4 Jan 2026", "The evening of Sunday, 4 January 2026"),
    "de": ("4. Jan. 2026", "Der Abend vom Sonntag, 4. Januar 2026"),
    "fr": ("4 janv. 2026", "La soirée du dimanche 4 janvier 2026"),
    "it": ("4 gen 2026", "La serata di domenica 4 gennaio 2026"),
    "nl": ("4 jan 2026", "De avond van zondag 4 januari 2026"),
}


@pytest.mark.long
@pytest.mark.parametrize("lang", LANGUAGES)
def test_dates_are_written_as_the_reader_writes_them(guest, lang):
    short, title = DATES[lang]
    for page in ("/games", "/games/8", "/players", "/league"):
        text = guest.get(page, accept_language=lang).page.text
        assert short in text and not re.search(r"\d{4}-\d\d-\d\d", text), page
    assert guest.get(f"/evening/{EVENING}", accept_language=lang).page.texts("h1") == [title]


# --- words instead of abbreviations ---


@pytest.mark.long
def test_a_streak_is_told_in_words(guest):
    for page in ("/league", "/league?game=royal_flush", "/players/Anna"):
        text = guest.get(page).page.text
        assert re.search(r"\d (won|lost)", text) and not re.search(r"\b[WL]\d+\b", text), page


@pytest.mark.long
def test_the_curve_of_poch_ends_with_the_last_round_played(guest):
    page = guest.get("/games/9").page
    assert [label for label in page.texts("svg/text") if label.startswith("Round")] == ["Round 1"]
    assert "Round 2" not in page.text
