"""What happens at power-on: the board is built, and the app runs on it."""

from .app import App
from .board.pico import this_board
from .board.storage import Storage

app = None  # whoever stops the app finds it here, at the prompt


def power_on():
    """Build the board and run the app on it, for ever; an error before its first screen is kept, shown and raised."""
    global app
    board = None
    try:
        board = this_board()
        app = App(board)
    except Exception as error:
        _failed(board, error)
        raise
    board.limit_garbage()  # not before: the start makes much of it, and has no time
    app.run()


def _failed(board, error):
    """Keep an error that leaves no app, and show it if there is a display."""
    try:
        if board:
            from .screens.crash import show_crash  # hardly ever needed

            show_crash(board, error)
        else:
            from .store.crash import keep_crash

            keep_crash(Storage("data"), error)
    except Exception:
        pass  # the error that came first is the one to be told
