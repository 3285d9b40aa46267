"""Run every campaign in its long form, one after the other (`make torture`)."""

import argparse
import subprocess
import sys
import time

# (what is tortured, module, arguments); {seed} is the seed of this run
CAMPAIGNS = (
    ("power cuts on the emulated chip", "kiebitz_lab.chip.powercut", "2000 --seed {seed}"),
    ("power cuts during sync and start", "kiebitz_lab.torture.sync_cuts", "200 --seed {seed}"),
    ("power cuts at block level", "kiebitz_lab.torture.block_cuts", "22000 --seed {seed}"),
    ("wrong lines to the device", "kiebitz_lab.torture.link_lines", "10000 --seed {seed}"),
    ("hostile devices", "kiebitz_lab.torture.hostile", "9 --seed {seed}"),
    ("requests and floods against the pages", "kiebitz_lab.torture.raw_http", "20000 --seed {seed}"),
    ("ZIP files into the device page", "kiebitz_lab.torture.page_zips", "500 --seed {seed}"),
    ("hostile devices on Web Serial", "kiebitz_lab.torture.page_devices", "500 --seed {seed}"),
    ("killed commands", "kiebitz_lab.torture.kill_store", "1000 --seed {seed}"),
    ("damaged databases", "kiebitz_lab.torture.damaged_databases", "1000 --seed {seed}"),
    ("a club", "kiebitz_lab.torture.club", "60 --seed {seed}"),
    ("hostile members of a club", "kiebitz_lab.torture.hostile_members", "2000 --seed {seed}"),
    ("reading what was written", "kiebitz_lab.torture.readable_stores", "5000 --seed {seed}"),
    ("sync, exchange and failing servers at once", "kiebitz_lab.torture.races", "200 --seed {seed}"),
    ("100,000 games under attack", "kiebitz_lab.torture.large_store", "20 --seed {seed}"),
    ("hostile environments", "kiebitz_lab.torture.command_lines", "1000 --seed {seed}"),
    ("an hour with a busy link", "kiebitz_lab.torture.busy_hour", "60"),
    ("MicroPython's own tests", "kiebitz_lab.torture.upstream_suite", ""),
)


def main(argv: list[str] | None = None) -> int:
    """Run the campaigns. Returns 1 if any of them failed."""
    parser = argparse.ArgumentParser(prog="python -m kiebitz_lab.torture", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="another seed makes other trials")
    seed = parser.parse_args(argv).seed
    failed = []
    for what, module, arguments in CAMPAIGNS:
        print(f"== {what}: python -m {module} {arguments.format(seed=seed)}", flush=True)
        started = time.monotonic()
        done = subprocess.run([sys.executable, "-m", module, *arguments.format(seed=seed).split()])
        print(f"== {time.monotonic() - started:.0f} s, {'failed' if done.returncode else 'passed'}", flush=True)
        if done.returncode:
            failed.append(what)
    print("All campaigns passed." if not failed else f"Failed: {', '.join(failed)}.")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
