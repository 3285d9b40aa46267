"""Convert the guides of the repository to pages with MkDocs, in the frame of the site."""

import json
import logging
import os
import re
import shutil
import tempfile
from pathlib import Path

from kiebitz_host.outcome import Trouble
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.exceptions import MkDocsException

from kiebitz_lab.frozen_tree import ROOT

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
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\(([^)#:]+)(#[^)]*)?\)")
_EMPTY_HEAD = re.compile(r"<th([^>]*)></th>")
_EXTENSIONS = ["tables", "fenced_code", "toc", "sane_lists", "attr_list"]


def build_guide(site: Path, extra: dict) -> None:
    """Build the guides below the site; raises Trouble for a broken link."""
    with tempfile.TemporaryDirectory() as name:
        sources = Path(name) / "docs"
        sources.mkdir()
        for part in _SOURCES:
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, sources / part)
        pages = sorted(sources.rglob("*.md"), key=lambda path: _order(path.relative_to(sources).as_posix()))
        for path in pages:
            path.write_text(_without_dead_links(path, sources))
        guides = [{"path": _address(path.relative_to(sources)), "title": _title(path)} for path in pages]
        _run(sources, site / GUIDE, {**extra, "guides": guides})


def _order(name: str) -> tuple[int, str]:
    first = [i for i, start in enumerate(_FIRST) if start in (name, os.path.dirname(name))]
    return (first[0] if first else len(_FIRST), name)


def _address(path: Path) -> str:
    return (path.with_name("index.html") if path.name == "README.md" else path.with_suffix(".html")).as_posix()


def _title(path: Path) -> str:
    found = _TITLE.search(path.read_text())
    return found[1].replace("`", "") if found else path.stem


def _without_dead_links(path: Path, sources: Path) -> str:
    """Return the text of a page; a link to a folder, or to a file that is not on the site, becomes its words."""

    def kept(match: re.Match) -> str:
        target = Path(os.path.normpath(path.parent / match[2]))
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
