"""What the tests on the emulated chip share: MicroPython, the firmware on a flash, and a device at its first screen."""

import pytest
from kiebitz_host.chip.bench import Bench
from kiebitz_host.chip.branch import branch
from kiebitz_host.chip.files import changed, firmware_files, flash_with
from kiebitz_host.chip.image import find_image
from kiebitz_host.chip.twin import Twin


@pytest.fixture(scope="session")
def image():
    return find_image()


@pytest.fixture(scope="session")
def bare_flash(image):
    """A flash with the firmware, as it is after the installation."""
    return flash_with(image, firmware_files())


@pytest.fixture(scope="session")
def flash(bare_flash):
    """A flash with the firmware of a device whose language has been chosen."""
    return changed(bare_flash, Twin().files())


@pytest.fixture(scope="session")
def first_screen(flash):
    """A device that was just switched on. Tests look at it only: what they do, they do to a copy."""
    return Bench(flash).boot()


@pytest.fixture
def attempt(first_screen):
    """attempt(story) calls story(bench) with a copy of the device at its first screen, and returns what it returns."""
    return lambda story: branch(first_screen, story)
