"""Settings for every test run on CPython."""

import os
from pathlib import Path

import pytest
from hypothesis import configuration, settings
from kiebitz import text as texts

pytest.register_assert_rewrite("helpers")

# KIEBITZ_EXAMPLES=2000 makes the property tests look longer and at other games every time.
configuration.set_hypothesis_home_dir(Path(__file__).parents[1] / "build" / "hypothesis")
settings.register_profile("check", deadline=None, derandomize=True, max_examples=30)
if "KIEBITZ_EXAMPLES" in os.environ:
    settings.register_profile("long", deadline=None, max_examples=int(os.environ["KIEBITZ_EXAMPLES"]))
    settings.load_profile("long")
else:
    settings.load_profile("check")


# `make check` leaves these out, so that it stays under a minute; `make test` runs them.
LONG = (
    "tests/host/test_sync_cuts.py",
    "tests/host/test_sync_fuzz.py",
    "tests/host/test_replay_fuzz.py",
    "tests/host/test_hostile.py::test_every_kind_once",
    "tests/games/poker_carre/test_flow_grid.py::test_the_proposed_card_all_the_way_to_the_ranking",
    "tests/games/poch/test_flow_fits.py",
    "tests/raster/test_large_canvas.py::test_letters_stand_evenly_however_long_the_line",
    "tests/host/test_fonts.py::test_what_the_tall_display_shows_is_what_the_art_shows",
    # The screens in English and German show what a change has broken; the other languages follow
    "tests/host/test_gallery.py::test_every_screen_fits[fr",
    "tests/host/test_gallery.py::test_every_screen_fits[it",
    "tests/host/test_gallery.py::test_every_screen_fits[nl",
    "tests/host/test_gallery.py::test_every_screen_fits_with_the_longest_names_most_players_and_high_numbers[fr",
    "tests/host/test_gallery.py::test_every_screen_fits_with_the_longest_names_most_players_and_high_numbers[it",
    "tests/host/test_gallery.py::test_every_screen_fits_with_the_longest_names_most_players_and_high_numbers[nl",
)


def pytest_collection_modifyitems(items):
    for item in items:
        if item.nodeid.startswith(LONG):
            item.add_marker("long")


@pytest.fixture(autouse=True)
def english():
    """Whatever the test before has spoken."""
    texts.use("en")
