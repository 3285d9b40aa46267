"""Convert the guides of the repository to pages with MkDocs, in the frame of the site."""

import json
import logging
import os
import re
import shutil
import tempfile
from pathlib import Path

from kiebitz.text import LANGUAGES
from kiebitz_host.outcome import Trouble
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.exceptions import MkDocsException

from kiebitz_lab.frozen_tree import ROOT
from kiebitz_lab.gallery import draw_pages

GUIDE = "guide"
_SOURCES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE", "docs", "hardware")
_FIRST = (  # order of the guides; a folder means all its pages
    "README.md",
    "docs/playing.md",
    "docs/games",
    "docs/laptop.md",
    "hardware/README.md",
    "docs/install.md",
    "docs/results.md",
    "docs/rules.md",
)
_START = "README.md"  # readers of other languages start with the guide to playing
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\(([^)#:]+)(#[^)]*)?\)")
_EMPTY_HEAD = re.compile(r"<th([^>]*)></th>")
_EXTENSIONS = ["tables", "fenced_code", "toc", "sane_lists", "attr_list"]


def guide_start(lang: str) -> str:
    """Return the path of the first guide in a language, below the site; the English one without guides in it."""
    own = (ROOT / "docs" / lang / "playing.md").is_file()
    return f"{GUIDE}/docs/{lang}/playing.html" if own else f"{GUIDE}/index.html"


def build_guide(site: Path, frames: dict[str, dict]) -> None:
    """Build the guides below the site, `frames` by language; raises Trouble for a broken link."""
    with tempfile.TemporaryDirectory() as name:
        sources = Path(name) / "docs"
        sources.mkdir()
        for part in _SOURCES:
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, sources / part)
        for lang in [lang for lang in LANGUAGES if (sources / "docs" / lang).is_dir()]:
            draw_pages(sources / "docs" / lang / "games", lang)
        files = {path.relative_to(sources).as_posix(): path for path in sources.rglob("*.md")}
        for path in files.values():
            path.write_text(_without_dead_links(path, sources))
        _run(sources, site / GUIDE, {"frames": frames, "guides": _lists(files, frames), "pages": _versions(files)})


def _split(name: str) -> tuple[str, str]:
    """Return the language of a page and the name of its English version (docs/de/playing.md: docs/playing.md)."""
    folder, _, rest = name.partition("/")
    lang, _, page = rest.partition("/")
    return (lang, f"{folder}/{page}") if lang in LANGUAGES else (LANGUAGES[0], name)


def _lists(files: dict[str, Path], frames: dict[str, dict]) -> dict[str, list[dict]]:
    """Return the lists of guides by language: those in it, then those that are only in English."""
    english = LANGUAGES[0]
    found: dict[str, list[dict]] = {}
    for lang in LANGUAGES:
        own = {english_name: name for name in files for code, english_name in [_split(name)] if code == lang}
        rest = {name: name for name in files if _split(name)[0] == english and name not in own and name != _START}
        texts = frames[lang]["texts"]
        groups = ((texts["nav.guide"], lang, own), (texts["guide.english"], english, rest))
        found[lang] = [
            {"title": title, "lang": code, "pages": [_item(files, chosen[key]) for key in sorted(chosen, key=_order)]}
            for title, code, chosen in groups
            if chosen
        ]
    return found


def _item(files: dict[str, Path], name: str) -> dict[str, str]:
    return {"path": _address(Path(name)), "title": _title(files[name])}


def _versions(files: dict[str, Path]) -> dict[str, dict]:
    """Return the language of each page by its address, and where a reader of another language goes from there."""
    pages: dict[str, dict] = {}
    for name in files:
        lang, english_name = _split(name)
        same = {code: other for other in files for code, page in [_split(other)] if page == english_name}
        addresses = {code: f"{GUIDE}/{_address(Path(other))}" for code, other in same.items()}
        versions = {code: addresses.get(code, guide_start(code)) for code in LANGUAGES}
        is_translated = len(same) > 1 or name == _START
        pages[_address(Path(name))] = {"lang": lang, "versions": versions, "is_translated": is_translated}
    return pages


def _order(name: str) -> tuple[int, str]:
    first = [i for i, start in enumerate(_FIRST) if start in (name, os.path.dirname(name))]
    return (first[0] if first else len(_FIRST), name)


def _address(path: Path) -> str:
    return (path.with_name("index.html") if path.name == "README.md" else path.with_suffix(".html")).as_posix()


def _title(path: Path) -> str:
    found = _TITLE.search(path.read_text())
    return found[1].replace("`", "") if found else path.stem


def _without_dead_links(path: Path, sources: Path) -> str:
    """Return the text of a page; a link to a folder, or to a file that is not on the site, becomes its words.

    A translated page shows the screens in its language.
    """
    lang, _ = _split(path.relative_to(sources).as_posix())

    def kept(match: re.Match) -> str:
        target = Path(os.path.normpath(path.parent / match[2]))
        drawn = sources / "docs" / lang / "games" / target.name
        if lang != LANGUAGES[0] and target.suffix == ".png" and drawn.is_file():
            return f"[{match[1]}]({os.path.relpath(drawn, path.parent)})"
        return match[0] if target.is_file() and target.is_relative_to(sources) else match[1]

    return _LINK.sub(kept, path.read_text())


def _run(sources: Path, target: Path, extra: dict) -> None:
    logging.getLogger("mkdocs").setLevel(logging.WARNING)
    config = {
        "site_name": "Kiebitz",
        "docs_dir": str(sources),
        "site_dir": str(target),
        "theme": {"name": None, "custom_dir": str(Path(__file__).parent / "theme")},
        "use_directory_urls": False,
        "plugins": [],
        "markdown_extensions": _EXTENSIONS,
        "extra": extra,
        "strict": True,
        "validation": {"links": {"anchors": "warn", "unrecognized_links": "warn"}, "nav": {"omitted_files": "ignore"}},
    }
    file = sources.with_name("mkdocs.yml")
    file.write_text(json.dumps(config))  # JSON is YAML, too
    try:
        mkdocs_build(load_config(str(file)))
    except MkDocsException as error:
        raise Trouble(f"the guides cannot be built: {error}") from None
    for path in target.rglob("*.html"):
        path.write_text(_for_everybody(path.read_text()))
    for name in ("frame.html", "main.html", "sitemap.xml", "sitemap.xml.gz"):
        (target / name).unlink(missing_ok=True)


def _for_everybody(page: str) -> str:
    """Return a page whose code and tables scroll without a mouse, and whose empty heads of columns are cells."""
    page = page.replace("<pre>", '<pre tabindex="0">').replace("<table>", '<table tabindex="0">')
    return _EMPTY_HEAD.sub(r"<td\1></td>", page)
