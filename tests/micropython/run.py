"""Run plain test functions under MicroPython, which has no pytest: run.py tests/store/test_a.py ..."""

import gc
import sys

COLLECT_EVERY = 65_536  # bytes, as on the device (Board.limit_garbage): what a test keeps is not all over the heap


def module_name(path):
    """Return the module name of a path, tests/games/poch/test_flow.py -> games.poch.test_flow."""
    parts = path.split("/")
    return ".".join(parts[1:] if parts[0] == "tests" else parts[-2:])[: -len(".py")]


def load(name):
    """Import and return the module, because __import__ returns its package."""
    __import__(name)
    return sys.modules[name]


def drop_modules(keep):
    """Unload every module imported since, so that the next test module has the whole heap."""
    for name in list(sys.modules):
        if name not in keep:
            del sys.modules[name]
    gc.collect()


def attempt(name, action):
    """Run one test. Return True, or False after printing the error."""
    gc.collect()
    try:
        action()
    except Exception as trouble:
        print("FAILED", name)
        sys.print_exception(trouble, sys.stdout)
        return False
    return True


def run(path):
    """Run one test module and return (passed, failed). A module without tests counts as a failure."""
    name = module_name(path)
    if not attempt(path, lambda: load(name)):
        return 0, 1
    module = sys.modules[name]
    results = []
    for test in sorted(dir(module)):
        if test.startswith("test_"):
            results.append(attempt(path + " " + test, getattr(module, test)))
    if not results:
        print("FAILED", path, "holds no tests")
        return 0, 1
    return results.count(True), results.count(False)


def main(paths):
    """Run all modules, print how many tests passed and failed, and return the exit code."""
    gc.threshold(COLLECT_EVERY)
    keep = list(sys.modules)
    passed = failed = 0
    for path in paths:
        good, bad = run(path)
        passed += good
        failed += bad
        drop_modules(keep)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
