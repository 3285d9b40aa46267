"""Run `kiebitz web`: serve the game in play, all games and the league as web pages, locally or in the network."""

import os
import re
import shutil
import subprocess
import threading
import time
import webbrowser
from argparse import Namespace
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from kiebitz.text import LANGUAGES, text

from .. import languages
from ..library.location import db_path
from ..outcome import OK, Trouble
from ..printable import complain, say
from ..system import data_folder, simulator_folder
from .options import add_db_option

PORT = 8080
TELL_VARIABLE = "KIEBITZ_TELL"  # the address of --tell, which may be a secret and stays out of the process list


def add(subparsers):
    parser = subparsers.add_parser(
        "web",
        description="Serve pages with the running game of every Kiebitz on USB, all games, the evening and the league, "
        "and open them in the browser. Only this computer sees them, unless --lan lets phones in. Ctrl-C ends it.",
    )
    parser.add_argument("--lan", action="store_true", help="let other devices of the network look on")
    parser.add_argument("--port", type=_port, default=PORT, help=f"of the server (default: {PORT}; 0: any free one)")
    parser.add_argument("--name", action="append", default=[], type=_name, metavar="HOST",
                        help="a host name by which the pages are reached, besides those of this computer")  # fmt: skip
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--no-browser", action="store_true", help="only print the address")
    shown.add_argument("--kiosk", action="store_true", help="full screen: the live table on a television")
    parser.add_argument("--tell", metavar="URL", default=os.environ.get(TELL_VARIABLE) or None,
                        help="post every entry, undo and end of a game as JSON to this address in your own network "
                        f"(or ${TELL_VARIABLE}; docs/webhook.md)")  # fmt: skip
    parser.add_argument("--sim", action="store_true", help="run the simulated device behind the front panel")
    parser.add_argument("--flash", metavar="DIR", help="the folder that is the flash of the simulated device")
    parser.add_argument("--board", metavar="NAME", help="the hardware of the simulated device, as for kiebitz sim")
    parser.add_argument("--lang", choices=LANGUAGES, help="language for browsers that request no supported one")
    add_db_option(parser)
    return parser


def _port(word):
    if not word.isdecimal() or int(word) > 65535:
        raise ValueError(word)
    return int(word)


def _name(word):
    name = word.lower().rstrip(".")
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*(\.[a-z0-9-]+)*", name):
        raise ValueError(word)
    return name


def play(flash):
    """Show the front panel of a simulated device in the browser until Ctrl-C. Returns the exit code."""
    return run(Namespace(lan=False, port=0, name=[], no_browser=False, kiosk=False, tell=None, sim=True, flash=flash,
                         board=None, lang=None, db=None))  # fmt: skip


def run(args):
    lang = args.lang or languages.system_language()
    # Not at the top, because starlette would slow down every start
    from ..web import server as server_module
    from ..web.webhook import Receiver, Webhook

    webhook = Webhook(Receiver(args.tell), lang, complain) if args.tell else None
    db = db_path(args)
    if isinstance(db, Path):
        db = db.absolute()  # because a simulated device changes the working directory
    with ExitStack() as stack:
        simulated = _simulated(args, stack) if args.sim else {}
        site = server_module.new_site(db, names=args.name, webhook=webhook, **simulated)
        listening = stack.enter_context(server_module.listen(args.port, args.lan))
        port = listening.getsockname()[1]
        address = server_module.lan_address() if args.lan else None
        site.lan = f"http://{address}:{port}" if address else None
        here = f"http://{server_module.LOCAL}:{port}"
        first_page = f"{here}{'/device' if args.sim else '/live'}?token="
        own = first_page + site.token
        server = server_module.Server(site, lang)
        with languages.speaking(lang):
            _tell(args, own, site.lan)
        ended: list[str] = []
        if args.kiosk:

            def closed(sentence):
                ended.append(sentence)
                server.end()

            kiosk = Kiosk(f"{here}/live?tv=1", data_folder() / "kiosk", closed)
            server.when_started = kiosk.start
            stack.callback(kiosk.stop)
        elif not args.no_browser:
            code = server_module.new_token()  # every user of this computer can see the arguments of the browser
            site.codes.add(code)
            threading.Thread(target=webbrowser.open, args=(first_page + code,), daemon=True).start()
        try:
            server.run(sockets=[listening])
        except KeyboardInterrupt:
            pass
    if any(ended):
        raise Trouble(ended[0])
    return OK


def _simulated(args, stack):
    """Start a simulated device. Returns the arguments for the site that add it to the devices on USB."""
    # Only with --sim, because the simulator would slow down every start
    from kiebitz.board.profiles import PROFILES

    from ..link import ports as usb
    from ..sim.device import set_board
    from ..sim.flash_folder import flash_folder
    from ..sim.in_thread import NAME, SimulatedDevice

    if args.board is not None and args.board not in PROFILES:
        raise Trouble(f"there is no board {args.board}: choose from {', '.join(PROFILES)}.")
    folder = stack.enter_context(flash_folder(args.flash or simulator_folder()))
    set_board(folder, args.board)
    device = SimulatedDevice(folder).start()
    stack.callback(device.stop)
    own = usb.Port(NAME, "simulator")

    def find():
        others = [port for port in usb.ports() if port.what != own.what]
        return [*others, own] if device.is_on() else others

    def open_port(port):
        return device.plug() if port == own else usb.open_port(port)

    return {"find": find, "open_port": open_port}


def _tell(args, own, others):
    """Print the URLs, and the QR code for spectators; the page /share has both codes."""
    say(text("web.cli.own", address=own))
    if others:
        say(text("web.cli.spectators", address=f"{others}/live"))
        from ..show.qr import print_code  # slow to import, and needed only for phones

        print_code(f"{others}/live", advice=False)
        say(text("web.cli.phones", address=others + own[own.index("/", len("http://")) :]))
    elif args.lan:
        say(text("web.cli.no_lan"))
    say(text("web.cli.end"))


_CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "microsoft-edge")
_CHROMIUM_OPTIONS = (
    "--kiosk",
    "--no-first-run",
    "--noerrdialogs",
    "--hide-crash-restore-bubble",
    "--password-store=basic",  # because the system's one may ask for a password
    "--disable-features=Translate",
)
AGAIN_S = 2.0  # before a browser that has crashed is started again
SHORT_S = 10.0  # a browser that ends earlier has failed
FAILURES_MAX = 5  # in a row


class Kiosk:
    """A thread that keeps the browser open, and calls closed(sentence) after somebody has closed it."""

    def __init__(self, address: str, profile: Path, closed: Callable[[str], None]):
        """Find the browser; raises Trouble if there is none. `profile` is a folder for its data."""
        self._command = _command(address, profile)
        self._closed = closed
        self._browser: subprocess.Popen | None = None
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="kiosk", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Close the browser."""
        self._ends.set()
        if self._browser is not None:
            self._browser.terminate()

    def _run(self) -> None:
        failures = 0
        while failures < FAILURES_MAX:
            began = time.monotonic()
            try:
                self._browser = subprocess.Popen(
                    self._command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
            except OSError as trouble:
                self._closed(f"{self._command[0]} does not start ({trouble.strerror}).")
                return
            if self._ends.is_set():
                self._browser.terminate()
            code = self._browser.wait()
            if self._ends.is_set():
                return
            if code == 0:
                self._closed("")
                return
            failures = failures + 1 if time.monotonic() - began < SHORT_S else 0
            self._ends.wait(AGAIN_S)
        self._closed(f"{self._command[0]} has failed {FAILURES_MAX} times in a row: is there a screen?")


def _command(address: str, profile: Path) -> list[str]:
    """Return the command line that opens an address in the first browser found, and make the folder for its data."""
    profile.mkdir(parents=True, exist_ok=True)
    for name in _CHROMIUM:
        found = shutil.which(name)
        if found:
            return [found, *_CHROMIUM_OPTIONS, f"--user-data-dir={profile}", address]
    found = shutil.which("firefox")
    if found:
        return [found, "--kiosk", "--profile", str(profile), address]
    raise Trouble("--kiosk needs a browser: install chromium or firefox.")
