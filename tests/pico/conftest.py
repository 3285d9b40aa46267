"""Provide fixtures for the emulated chip: the shipped image on a flash, and a device at its first screen."""

import pytest
from kiebitz_lab.chip.flash import changed, flash_with
from kiebitz_lab.chip.probes import branch, in_use
from kiebitz_lab.chip.rig import Rig
from kiebitz_lab.image.build import current_image


@pytest.fixture(scope="session")
def image():
    return current_image()


@pytest.fixture(scope="session")
def bare_flash(image):
    """Return a flash with the image and an empty file system."""
    return flash_with(image)


@pytest.fixture(scope="session")
def flash(bare_flash):
    """Return the flash of a device that has been in use, with a chosen language and a known display."""
    return changed(bare_flash, in_use())


@pytest.fixture(scope="session")
def first_screen(flash):
    """Return a device that was just switched on. Tests must only change copies of it."""
    return Rig(flash).boot()


@pytest.fixture
def attempt(first_screen):
    """Return a function that runs scenario(rig) on a copy of the device at its first screen."""
    return lambda scenario: branch(first_screen, scenario)
