"""Settings for every test run on CPython."""

import os
from pathlib import Path

import pytest
from hypothesis import configuration, settings
from kiebitz.ui import texts

pytest.register_assert_rewrite("helpers")

# KIEBITZ_EXAMPLES=2000 makes the property tests look longer and at other games every time.
configuration.set_hypothesis_home_dir(Path(__file__).parents[1] / "build" / "hypothesis")
settings.register_profile("check", deadline=None, derandomize=True, max_examples=40)
if "KIEBITZ_EXAMPLES" in os.environ:
    settings.register_profile("long", deadline=None, max_examples=int(os.environ["KIEBITZ_EXAMPLES"]))
    settings.load_profile("long")
else:
    settings.load_profile("check")


@pytest.fixture(autouse=True)
def english():
    """Whatever the test before has spoken."""
    texts.use("en")
