"""Runs the command line as `python -m kiebitz_host.cli`, where the command `kiebitz` is not installed."""

import sys

from . import main

sys.exit(main())
