"""Where the data files of the tests lie, whatever folder the tests are started from."""


def game_path(kind, name):
    """Return the path of tests/games/KIND/NAME."""
    return __file__[: -len("helpers/files.py")] + "games/" + kind + "/" + name
