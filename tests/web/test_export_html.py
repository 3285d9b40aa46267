"""`kiebitz export html`: the same pages as single files that need nothing else."""

import pytest
from kiebitz.text import LANGUAGES
from kiebitz_host.cli import main
from web.full_store import EVENING, MARKUP, fill
from web.strict_html import Page

WAYS = {
    "evening": (["--day", EVENING], f"The evening of {EVENING}"),
    "last evening": ([], f"The evening of {EVENING}"),
    "day without a date": (["--day"], f"The evening of {EVENING}"),
    "game": (["1"], "Royal Flush · Game 1"),
    "game by option": (["--game", "1"], "Royal Flush · Game 1"),
    "league": (["--league"], "All games"),
    "one league": (["--league", "--game", "royal"], "Royal Flush"),
    "league with early games": (["--league", "--early"], "All games"),
}


@pytest.fixture
def export(tmp_path, monkeypatch):
    """export(words) runs `kiebitz export html` on a full store, and returns (exit code, content of the file)."""
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
        (["--day", "yesterday"], "is no date"),
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
