"""`kiebitz web`: its options, QR codes of its addresses, and the kiosk with its browser."""

import shutil
import socket
import subprocess
import sys

import pytest
from host.conftest import kiebitz  # noqa: F401 - the command line as a fixture
from kiebitz_host.cli import web
from kiebitz_host.cli.web import FAILURES_MAX, Kiosk
from kiebitz_host.outcome import Trouble
from kiebitz_host.show.qr import code_of, qr_picture
from kiebitz_host.web import server
from kiebitz_lab.pages import WebProcess, wait_until
from web.support import Visitor


@pytest.fixture
def served(kiebitz, monkeypatch, tmp_path):  # noqa: F811
    """Return a function that runs `kiebitz web` until its first request; returns its output and opened addresses."""
    opened = []

    def run(*argv, **options):
        monkeypatch.setattr(server.Server, "run", lambda self, sockets: opened.append(sockets[0].getsockname()))
        monkeypatch.setattr(web.webbrowser, "open", lambda address: opened.append(address))
        done = kiebitz("web", "--port", "0", "--db", str(tmp_path / "r.db"), "--lang", "en", *argv)
        return done, opened

    return run


def test_it_prints_the_link_with_the_token_and_opens_it(served):
    done, opened = served()
    assert (done.code, done.err) == (0, "")
    address = done.out.split()[4]
    assert address.startswith("http://127.0.0.1:") and "/live?token=" in address
    assert ("127.0.0.1", int(address.split(":")[2].split("/")[0])) in opened
    assert "Ctrl-C ends it." in done.out


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="there the browser is not found by its name")
def test_the_process_list_shows_a_link_that_works_only_once(tmp_path):
    browser, arguments = tmp_path / "browser", tmp_path / "arguments"
    browser.write_text(f'#!/bin/sh\necho "$*" > {arguments}.new && mv {arguments}.new {arguments}\n')
    browser.chmod(0o755)
    with WebProcess(tmp_path, BROWSER=f"{browser} %s") as process:
        wait_until(arguments.exists, "the browser is opened")
        shown = arguments.read_text().strip()
        assert shown.startswith(process.address) and process.token not in shown
        path = shown.removeprefix(process.address)
        first, second = Visitor(process), Visitor(process)
        assert first.get(path).headers["location"] == "/live" == second.get(path).headers["location"]
        assert first.get("/names").status == 200 and second.get("/names").status == 403
        assert process.token not in str(first.cookies)


def test_without_a_browser_it_only_prints(served):
    done, opened = served("--no-browser")
    assert done.code == 0 and len(opened) == 1


def test_with_lan_phones_get_their_address_and_a_code(served, monkeypatch):
    monkeypatch.setattr(server, "lan_address", lambda: "192.168.1.7")
    monkeypatch.setenv("FORCE_COLOR", "1")
    done, opened = served("--lan", "--no-browser")
    assert opened[0][0] == "0.0.0.0"
    assert "http://192.168.1.7:" in done.out and "▀" in done.out
    spectators = next(line for line in done.out.splitlines() if "may look on" in line)
    assert "token" not in spectators


def test_with_lan_but_without_a_network_it_says_so(served, monkeypatch):
    monkeypatch.setattr(server, "lan_address", lambda: None)
    done, _ = served("--lan", "--no-browser")
    assert "in no network" in done.out


def test_a_port_that_is_taken_is_told(kiebitz, tmp_path):  # noqa: F811
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = kiebitz("web", "--port", str(taken.getsockname()[1]), "--db", str(tmp_path / "r.db"))
    assert done.code == 2 and "choose another one with --port" in done.err


@pytest.mark.parametrize("word", ["70000", "-1", "x"])
def test_a_port_that_is_none_is_refused(kiebitz, word):  # noqa: F811
    assert kiebitz("web", f"--port={word}").code == 2


def test_the_simulated_device_is_opened_at_its_panel(served, tmp_path):
    done, _ = served("--sim", "--flash", str(tmp_path / "flash"), "--no-browser")
    assert done.code == 0 and "/device?token=" in done.out


def test_a_board_that_nobody_has_is_told(served, tmp_path):
    done, _ = served("--sim", "--board", "abacus", "--flash", str(tmp_path / "flash"))
    assert done.code == 2 and "there is no board abacus" in done.err


# --- QR codes ---


def test_the_codes_are_for_those_with_the_token(stand):
    stand.site.lan = "http://192.168.1.7:8080"
    assert Visitor(stand).get("/share").status == 403
    page = Visitor(stand, token=True).get("/share").page
    assert "http://192.168.1.7:8080/live" in page.text
    assert f"http://192.168.1.7:8080/device?token={stand.site.token}" in page.text
    assert len(page.root.findall(".//svg")) == 2


def test_without_the_network_it_says_how_to_let_phones_in(stand):
    assert "--lan" in Visitor(stand, token=True).get("/share").page.text


def test_the_picture_has_every_dark_module():
    address = "http://192.168.1.7:8080/live"
    assert str(qr_picture(address)).count("h1v1h-1z") == sum(map(sum, code_of(address).matrix_iter(border=0)))


def test_a_name_of_the_server_is_accepted_and_no_other(serve):
    stand = serve(names=("nas.fritz.box",))
    assert Visitor(stand).get("/live", host="nas.fritz.box:8080").status == 200
    assert Visitor(stand).get("/live", host="evil.example").status == 421


def test_names_are_written_as_browsers_do(served, monkeypatch):
    made = []
    monkeypatch.setattr(server, "new_site", lambda *_, names, **__: made.append(names) or server.Site("r.db", "t", str))
    done, _ = served("--no-browser", "--name", "NAS.fritz.box.", "--name", "nas")
    assert done.code == 0 and made == [["nas.fritz.box", "nas"]]


@pytest.mark.parametrize("word", ["", "a/b", "a b", "-", "http://nas", "näs"])
def test_a_name_that_is_none_is_refused(served, word):
    done, _ = served("--no-browser", f"--name={word}")
    assert done.code == 2


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
