"""Build the board at power-on and run the app on it."""

from .app import App
from .board.pico import this_board
from .board.storage import Storage

app = None  # global for inspection at the prompt after the app was stopped


def power_on():
    """Build the board and run the app; never return."""
    build().run()


def build():
    """Build the board and the app. Returns the app; an error before the first screen is kept, shown and raised."""
    global app
    board = None
    try:
        board = this_board()
        app = App(board)
    except Exception as error:
        _failed(board, error)
        raise
    return app


def _failed(board, error):
    """Keep an error that prevented the start of the app, and show it if there is a display."""
    try:
        if board:
            from .screens.messages import show_crash

            show_crash(board, error)
        else:
            from .store.crash import keep_crash

            keep_crash(Storage("data"), error)
    except Exception:
        pass  # the first error is the one to report
