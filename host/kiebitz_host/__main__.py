"""Runs the command line as `python -m kiebitz_host`, where the command `kiebitz` is not installed."""

import sys

from .cli import main

sys.exit(main())
