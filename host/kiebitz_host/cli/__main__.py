"""Run the command line as `python -m kiebitz_host.cli`."""

import sys

from . import main

sys.exit(main())
