"""Where the data files of the tests lie, whatever folder the tests are started from."""


def data_path(name):
    """Return the path of tests/data/NAME."""
    return __file__[: -len("helpers/files.py")] + "data/" + name
