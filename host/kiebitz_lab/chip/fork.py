"""Tries something on a copy of a running rig: the process forks, so the copy costs nothing and the original waits."""

import os
import pickle
import traceback
import warnings
from collections.abc import Callable
from typing import TypeVar

from .rig import Rig

Result = TypeVar("Result")


class BranchFailed(Exception):
    """The function in the copy ended with an error; the message is its traceback."""


def branch(rig: Rig, story: Callable[[Rig], Result]) -> Result:
    """Call story(rig) in a copy of this process. Returns its result, which must be picklable.

    Changes that the story makes to the rig are lost: the next branch starts from the same cycle. An assertion that
    fails in the story fails here. Raises BranchFailed for any other error.
    """
    ours, theirs = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # other threads of a test runner do not matter to the copy
        child = os.fork()
    if not child:
        os.close(ours)
        _tell(theirs, story, rig)
    os.close(theirs)
    with open(ours, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    if not told:
        raise BranchFailed("the copy ended without a word")
    kind, result = pickle.loads(told)
    if kind == "done":
        return result
    raise (AssertionError if kind == "asserted" else BranchFailed)(result)


def _tell(pipe: int, story, rig: Rig) -> None:
    """Run the story in the copy, write its result, and exit without cleaning up what belongs to the original."""
    try:
        try:
            told = pickle.dumps(("done", story(rig)))
        except AssertionError as wrong:
            told = pickle.dumps(("asserted", str(wrong) or traceback.format_exc()))
        except BaseException:  # pytest.fail() raises no Exception
            told = pickle.dumps(("failed", traceback.format_exc()))
        with open(pipe, "wb") as file:
            file.write(told)
    finally:
        os._exit(0)
