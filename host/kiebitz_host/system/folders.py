"""Finds the folders where this system keeps the data and the caches of programs."""

from collections.abc import Callable
from pathlib import Path

import platformdirs

from ..outcome import NO_HOME, Trouble

_NAME = "kiebitz"


def data_folder() -> Path:
    """Return the folder of Kiebitz in the user's data, whether it exists or not; XDG_DATA_HOME is respected."""
    return _found(platformdirs.user_data_path)


def cache_folder() -> Path:
    """Return the folder of Kiebitz in the user's caches, whether it exists or not; XDG_CACHE_HOME is respected."""
    return _found(platformdirs.user_cache_path)


def _found(look_up: Callable[..., Path]) -> Path:
    try:
        return look_up(_NAME, appauthor=False)
    except RuntimeError:  # neither the environment nor the system knows a home folder
        raise Trouble(NO_HOME) from None
