"""Install the firmware on a Pico, and examine an installed one."""
