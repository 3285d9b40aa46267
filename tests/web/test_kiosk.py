"""`kiebitz web --kiosk`: the live table on a television, in a browser that is opened again if it crashes."""

import shutil
import subprocess

import pytest
from host.conftest import kiebitz  # noqa: F401 - the command line as a fixture
from kiebitz_host.cli import web
from kiebitz_host.cli.web import FAILURES_MAX, Kiosk
from kiebitz_host.outcome import Trouble
from kiebitz_lab.pages import wait_until

PATIENCE_S = 12


@pytest.fixture
def browser(tmp_path, monkeypatch):
    """Return a function that puts a browser with this shell script on the PATH, the only one there."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in ("sh", "sleep"):
        (folder / tool).symlink_to(shutil.which(tool))
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(web, "AGAIN_S", 0)

    def make(script, name="chromium"):
        (folder / name).write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\n{script}\n')
        (folder / name).chmod(0o755)

    make.calls = lambda: (tmp_path / "calls").read_text().splitlines()
    return make


@pytest.fixture
def shown(tmp_path):
    """Return a function that runs a kiosk until somebody closes its browser; returns the sentence."""

    def run():
        said = []
        Kiosk("http://127.0.0.1:8080/live?tv=1", tmp_path / "data" / "kiosk", said.append).start()
        wait_until(lambda: said, "the browser is closed")
        return said[0]

    return run


def test_it_opens_the_live_table_without_a_frame(browser, shown, tmp_path):
    browser("exit 0")
    assert shown() == ""
    (call,) = browser.calls()
    assert call.startswith("--kiosk ") and call.endswith(f"{tmp_path}/data/kiosk http://127.0.0.1:8080/live?tv=1")


def test_firefox_will_do_if_there_is_no_chromium(browser, shown, tmp_path):
    browser("exit 0", "firefox")
    assert shown() == "" and (tmp_path / "data" / "kiosk").is_dir()
    assert browser.calls() == [f"--kiosk --profile {tmp_path}/data/kiosk http://127.0.0.1:8080/live?tv=1"]


def test_a_browser_that_crashes_is_opened_again_until_it_is_hopeless(browser, shown):
    browser("exit 1")
    assert "has failed 5 times in a row: is there a screen?" in shown()
    assert len(browser.calls()) == FAILURES_MAX


def test_a_browser_that_does_not_start_is_reported(browser, shown, tmp_path):
    (tmp_path / "bin" / "chromium").write_text("#!/no/such/shell\n")
    (tmp_path / "bin" / "chromium").chmod(0o755)
    assert "does not start" in shown()


def test_without_any_browser_it_says_what_to_install(browser, tmp_path):
    with pytest.raises(Trouble, match="install chromium or firefox"):
        Kiosk("http://127.0.0.1:8080/live", tmp_path / "kiosk", print)


def test_the_browser_is_closed_with_the_server(browser, tmp_path):
    browser("exec sleep 60")
    said = []
    opened = Kiosk("http://127.0.0.1:8080/live", tmp_path / "kiosk", said.append)
    opened.start()
    wait_until(lambda: opened._browser is not None, "the browser runs")
    opened.stop()
    assert opened._browser.wait(PATIENCE_S) != 0 and not said


def test_closing_the_browser_ends_the_command(kiebitz, browser, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    browser("exit 0")
    done = kiebitz("web", "--port", "0", "--db", str(tmp_path / "r.db"), "--kiosk", "--lang", "en")
    assert (done.code, done.err) == (0, "")
    (call,) = browser.calls()
    assert call.endswith("/live?tv=1") and "token" not in call


def test_a_hopeless_browser_ends_the_command_with_a_sentence(kiebitz, browser, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    browser("exit 1")
    done = kiebitz("web", "--port", "0", "--db", str(tmp_path / "r.db"), "--kiosk")
    assert done.code == 2 and "is there a screen?" in done.err


def test_kiosk_and_no_browser_exclude_each_other(kiebitz):  # noqa: F811
    done = kiebitz("web", "--kiosk", "--no-browser")
    assert done.code == 2 and "not allowed with argument" in done.err


@pytest.mark.long
def test_the_real_browser_shows_the_table(stand, tmp_path):
    """Chromium itself, without a screen, as root, with the options of the kiosk: it loads the page."""
    command = web._command(f"{stand.address}/live?tv=1", tmp_path / "kiosk")
    done = subprocess.run([*command[:-1], "--headless", "--no-sandbox", "--disable-gpu", "--disable-sync",
                           "--disable-background-networking", "--dump-dom", command[-1]],
                          capture_output=True, text=True, timeout=60)  # fmt: skip
    assert "live-page tv" in done.stdout and (tmp_path / "kiosk").is_dir()
