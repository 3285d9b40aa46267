"""HTML is escaped by construction: whatever a name holds, a page shows it and obeys nothing of it."""

import xml.etree.ElementTree as ElementTree

import pytest
from kiebitz_host.html import Node, el, fragment, join, name, plain_name, sentence, style_sheet
from kiebitz_host.web.frame import Visit, address

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
