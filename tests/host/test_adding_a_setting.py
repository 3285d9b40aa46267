"""The example of docs/adding-a-setting.md in a copy of the project: it is in the menu, and no other test fails."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import indent

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "adding-a-setting.md"
DECLARATION = re.compile(r"^```python\n(    setting\(.*\n)```$", re.MULTILINE)
SENTENCES = re.compile(r"^`(firmware/[a-z_/]+\.txt)`\n\n```\n(.*\n)```$", re.MULTILINE)
STORY = re.compile(r"^```python\n(d\.keys\(.*?)^```$", re.MULTILINE | re.DOTALL)

IN_EVERY_LANGUAGE = """
from helpers.device import Device
from kiebitz.text import LANGUAGES

for lang in LANGUAGES:
    d = Device(language=lang)
{story}
    d.restart()
    assert d.app.settings.all()["click"] is True
"""

pytestmark = pytest.mark.long


def insert_after(path, start, line):
    """Insert a line into a file after the only line that starts like this."""
    lines = path.read_text("utf-8").splitlines(keepends=True)
    (at,) = [number for number, other in enumerate(lines) if other.startswith(start)]
    path.write_text("".join([*lines[: at + 1], line, *lines[at + 1 :]]), "utf-8")


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """Return a copy of the project with the line and the sentences of the guide, and nothing else changed."""
    folder = tmp_path_factory.mktemp("project")
    for path in ROOT.iterdir():
        if path.name in ("build", ".git", ".venv"):
            continue
        if path.is_dir():
            shutil.copytree(path, folder / path.name, ignore=shutil.ignore_patterns("__pycache__", "uf2"))
        else:
            shutil.copy(path, folder)
    (folder / ".venv").symlink_to(ROOT / ".venv")
    (folder / "build").mkdir()
    for path in (ROOT / "build").iterdir():
        if path.name in ("stubs", "page", "installers"):
            (folder / "build" / path.name).symlink_to(path)
    guide = GUIDE.read_text("utf-8")
    (line,) = DECLARATION.findall(guide)
    insert_after(folder / "firmware/kiebitz/store/settings.py", '    setting("advice"', line)
    sentences = SENTENCES.findall(guide)
    assert len(sentences) == 5
    for name, sentence in sentences:
        insert_after(folder / name, "set.advice = ", sentence)
    return folder


def run(copy, *command):
    """Run Python in the copy. Returns its output; fails if it does."""
    paths = os.pathsep.join(str(copy / part) for part in ("firmware", "host", "tests"))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment.update(PYTHONPATH=paths, XDG_DATA_HOME=str(copy / "data"))
    done = subprocess.run([sys.executable, *command], cwd=copy, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    return done.stdout


def test_it_is_in_the_menu_in_every_language_and_kept(copy):
    (story,) = STORY.findall(GUIDE.read_text("utf-8"))
    run(copy, "-c", IN_EVERY_LANGUAGE.format(story=indent(story, "    ")))


def test_no_other_test_fails(copy):
    run(copy, "-m", "pytest", "-q", "-n", "auto", "--dist", "worksteal", "-m", "not long")
