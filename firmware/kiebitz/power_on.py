"""What happens at power-on: the board is built, and the app runs on it."""


def begin():
    """The app, with its first screen to be drawn."""
    from .board.memory import start

    start()
    board = None
    try:
        from .board import this_board

        board = this_board()
        from .ui.app import App

        return App(board)
    except Exception as error:
        _failed(board, error)
        raise


def _failed(board, error):
    """There will be no app: keep the error, and show it if there is a display. It is told at the prompt as well."""
    try:
        if board:
            from .ui.crash_screen import show_crash

            show_crash(board, error)
        else:
            from .board.storage import Storage
            from .table.crash import keep_crash

            keep_crash(Storage("data"), error)
    except Exception:
        pass  # the error that came first is the one to be told


def power_on():
    begin().run()
