"""Start the firmware."""

import sys

if sys.path[0] == "":  # otherwise boot.py has put a developer's tree first
    sys.path[:] = [".frozen"]  # files on the flash must not hide the frozen modules

from kiebitz.power_on import power_on

power_on()
