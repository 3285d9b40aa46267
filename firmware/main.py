"""The entry point of the device: builds the board and runs the app."""

from kiebitz.board import this_board
from kiebitz.ui.app import App

App(this_board()).run()
