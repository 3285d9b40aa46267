"""The entry point of the device: starts the firmware."""

try:
    with open("finish.py") as file:
        finish = file.read()
except OSError:
    finish = ""
exec(finish)  # the last step of an install, if the power went while it was done

from kiebitz.power_on import power_on  # noqa: E402

power_on()
