"""Starts the browser that tests, measurements and galleries of pages use: Debian's chromium, without a window."""

from playwright.sync_api import Browser, Playwright

CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


def launch(playwright: Playwright) -> Browser:
    """Return the browser, ready to open pages."""
    return playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
