"""Settings for every test run on CPython."""

import gc
import os
from pathlib import Path

import pytest
from hypothesis import configuration, settings
from kiebitz_host import languages

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
    "tests/host/test_sync_faults.py",
    "tests/host/test_replay.py::test_no_damage_to_a_recording_can_do_more_than_get_it_refused",
    "tests/host/test_hostile.py::test_every_kind_once",
    "tests/host/test_hostile.py::test_games_are_rescued",
    "tests/host/test_hostile.py::test_a_device_with_valid_journals",
    "tests/games/poker_carre/test_flow_grid.py::test_the_proposed_card_all_the_way_to_the_ranking",
    "tests/games/poch/test_flow.py::test_a_round_of_eight_players_with_long_names",
    "tests/games/poch/test_flow.py::test_short_players_and_the_end_of_the_game",
    "tests/raster/test_large_canvas.py::test_letters_stand_evenly_however_long_the_line",
    "tests/host/test_fonts.py::test_what_the_tall_display_shows_is_what_the_art_shows",
    # Attacks and faults in their short form
    "tests/results/test_hostile_data.py",
    "tests/results/test_exchange_folder.py",
    "tests/store/test_replay.py::test_the_power_may_go_anywhere",
    "tests/store/test_replay.py::test_the_flash_may_be_full",
    "tests/web/test_webhook.py",
    # The packing of the texts, and what finds mistakes in them
    "tests/host/test_languages.py",
    "tests/host/test_texts.py::test_a_key_that_no_language_has",
    "tests/host/test_texts.py::test_a_sentence_that_no_file",
    # Minutes of fake time, turn by turn of the loop
    "tests/screens/test_flow_battery.py",
    "tests/screens/test_screens_cpython.py",
    "tests/screens/test_flow_scoreboard.py",
    "tests/screens/test_flow_turn_clock.py::test_the_final_ranking_tells_how_long_the_game_took",
    "tests/screens/test_flow_turn_clock.py::test_the_standings_tell_how_long_it_takes_so_far",
    "tests/screens/test_flow_turn_clock.py::test_a_rest_with_the_display_off_is_not_counted",
    "tests/screens/test_flow_turn_clock.py::test_undo_takes_back_an_entry_and_no_time",
    "tests/screens/test_flow_turn_clock.py::test_time_after_the_end_is_not_counted",
    "tests/screens/test_flow_turn_clock.py::test_ten_minutes",
    "tests/screens/test_flow_players.py::test_a_chip_whose_chance_is_always_the_same",
    # Every screen, in more languages than one
    "tests/host/test_gallery.py::test_the_last_line_explains_the_keys_that_do_something_and_no_others",
    "tests/games/poker_carre/test_flow_grid.py::test_long_names",
    "tests/games/poker_carre/test_flow_pad.py::test_long_names",
    "tests/host/test_texts.py::test_every_refusal_has_a_sentence_that_fits_the_display",
    "tests/host/test_texts.py::test_the_image_gets_what_the_device_says_and_finds_the_same",
    "tests/host/test_lab_tools.py::test_the_first_evening_takes_few_presses_in_every_game",
    "tests/host/test_lab_tools.py::test_the_shelf_of_the_benchmark",
    "tests/host/test_lab_tools.py::test_whoever_enters_each_number_from_0",
    "tests/host/test_gallery.py::test_every_sentence_is_on_some_screen",
    "tests/host/test_gallery.py::test_the_hard_scenes_are_hard",
    # The screens in English show what a change has broken; the other languages follow
    *[
        f"tests/host/test_gallery.py::{test}[{lang}"
        for test in (
            "test_every_screen_fits",
            "test_every_screen_fits_with_the_longest_names_most_players_and_high_numbers",
        )
        for lang in ("de", "fr", "it", "nl")
    ],
    # A whole device, a whole copy of the project, or a power cut at every operation
    "tests/games/poch/test_flow.py::test_the_battery_may_be_pulled_after_every_entry",
    "tests/games/poch/test_flow.py::test_undo_goes_back_to_the_first_screen_through_every_phase",
    "tests/host/test_adding_a_game.py",
    "tests/host/test_link_client.py::test_a_cable_that_loses_and_changes_bytes_costs_time_only",
    "tests/host/test_sim_terminal.py",
    "tests/results/test_rescue_flash.py",
    "tests/results/test_same_league.py",
    "tests/store/test_library.py::test_the_power_may_go_anywhere_while_journals_are_packed",
    "tests/host/test_live.py",
    "tests/host/test_report.py",
    "tests/results/test_damage.py::test_the_campaign_notices",
    "tests/results/test_evenings_season.py::test_a_draw_or_settling_that_is_killed",
    "tests/results/test_people.py::test_ten_thousand_members",
    "tests/store/test_library_lost.py::test_the_power_may_go_anywhere",
    "tests/store/test_replay.py::test_a_flipped_bit_in_any_byte",
    "tests/store/test_replay.py::test_a_file_that_ends_anywhere",
    "tests/host/test_sim.py",
    "tests/host/test_cli.py::test_a_light_command_imports_nothing_heavy",
    "tests/host/test_cli.py::test_the_help_has_a_line_for_every_command",
    "tests/web/test_devices.py",
    "tests/web/test_live_tables.py",
    "tests/web/test_security.py",
)


def pytest_collection_modifyitems(items):
    for item in items:
        if item.nodeid.startswith(LONG):
            item.add_marker("long")


@pytest.fixture(autouse=True, scope="module")
def frozen():
    """Exempt what is in memory (pytest, the tests) from the gc.collect() calls of the firmware between screens."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def english():
    """Reset the language to English, because a test may have changed it."""
    languages.use("en")


@pytest.fixture(scope="session")
def server():
    """Yield a PostgreSQL on a socket of its own, stopped at the end."""
    from kiebitz_lab import postgres_server  # only the tests of clubs need it

    with postgres_server.running() as running:
        yield running


# One browser for all tests of pages, of `kiebitz web` and of the site: Playwright runs only once in a process. It is
# imported here because the other tests must start without it.


@pytest.fixture(scope="session")
def playwright():
    """Return Playwright, which drives the browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def chromium(playwright):
    """Return Debian's chromium; `make test` installs it."""
    from kiebitz_lab.pages import launch

    opened = launch(playwright)
    yield opened
    opened.close()
