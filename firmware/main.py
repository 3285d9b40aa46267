"""The entry point of the device: starts the firmware."""

import sys

if sys.path[0] == "":  # else boot.py has put a developer's tree in front
    sys.path[:] = [".frozen"]  # files of an older version on the flash must not hide the modules of this one

from kiebitz.power_on import power_on

power_on()
