#!/usr/bin/env python3
"""Set up and run all tests: ``python3 check.py``.

``--slow`` adds the tests that take long. Anything else is handed to pytest: ``python3 check.py tests/core``.
Style, types and the floors of the house are tests, too (``tests/house``).
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tools import clone

#: More browsers at a time than this only get in each other's way.
MOST_WORKERS = 4
#: A test with a browser waits as often as it computes: two more than there are cores keep them busy.
WAITING = 2

if __name__ == "__main__":
    interpreter = clone.ready("checks")
    # The tests start hundreds of processes: what Python translates is kept, whatever the environment says.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    named = any(Path(argument.split("::")[0]).exists() for argument in sys.argv[1:])
    if not named:
        # Compiled once beforehand, the rules keep no test waiting; the tests, too, are translated once for all workers.
        clone.say("Compiling the rules …")
        reading = [str(interpreter), "-m", "pytest", "--collect-only", "--quiet"]
        with subprocess.Popen(reading, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
            warm = [str(interpreter), "-m", "facedown", "warm", "--lab"]
            clone.run(warm, "The rules could not be compiled; see above.")
    wanted = [argument for argument in sys.argv[1:] if argument != "--slow"]
    if not any(argument.startswith("-m") for argument in wanted):
        # What looks at every frame needs a machine that does nothing else: `python3 check.py -m quiet`.
        left_out = "not quiet and not alone"
        wanted = ["-m", left_out if "--slow" in sys.argv[1:] else f"not slow and {left_out}", *wanted]
    if not named:
        # All of them, on every core; whoever is done early takes over from the others.
        wanted = ["-n", str(min(MOST_WORKERS, (os.cpu_count() or 1) + WAITING)), "--dist", "worksteal", *wanted]
    clone.become([str(interpreter), "-m", "pytest", *wanted])
