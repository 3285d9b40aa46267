"""HTML: escaping, and `kiebitz export --html`."""

import xml.etree.ElementTree as ElementTree

import pytest
from kiebitz.text import LANGUAGES
from kiebitz_host.cli import main
from kiebitz_host.html import Node, el, fragment, join, name, plain_name, sentence, style_sheet
from kiebitz_host.web.frame import Visit, address
from web.support import EVENING, MARKUP, Page, fill

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
