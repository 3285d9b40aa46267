"""The flash in a browser loses nothing that was kept, wherever the power is cut."""

import subprocess
from pathlib import Path

from kiebitz_lab.site.build import STATIC

PROMISES = 5


def test_nothing_that_was_kept_is_lost_wherever_the_power_is_cut():
    script = Path(__file__).with_name("cut_flash.mjs")
    done = subprocess.run(["node", str(script), str(STATIC)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == PROMISES
