"""Provide fixtures for the site: the site, built once, and a server for it."""

import pytest
from helpers.browser import PATIENCE_MS, watch
from kiebitz_lab.site.build import build, served


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """Return the folder of the site, without the downloads and the gallery, which take longer."""
    return build(tmp_path_factory.mktemp("site") / "site", downloads=False, gallery=False)


@pytest.fixture(scope="session")
def address(site):
    """Yield the address of the site on a server."""
    with served(site) as address:
        yield address


@pytest.fixture
def visit(chromium, address):
    """Return a function that opens a page in a new browser context; errors on the page fail the test."""
    contexts, errors = [], []

    def visit(name, **options):
        context = chromium.new_context(**{"locale": "en-GB", **options})
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        watch(page, address, errors)
        page.goto(address + name)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert errors == []
