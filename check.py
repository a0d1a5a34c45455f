#!/usr/bin/env python3
"""Set up and run the tests: ``python3 check.py``.

``--slow`` adds the tests of a landing, and nightly ones of which a source changed; ``--nightly`` runs all there are.
Anything else is handed to pytest: ``python3 check.py tests/core``. Style, types and the imports between packages are
tests, too (``tests/project``).
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

from tools import nightly_sources, virtual_environment

#: Which tests each kind of run selects: a marker expression of pytest.
TIERS = {"everyday": "not slow and not nightly", "landing": "not nightly or due", "nightly": ""}
#: Which tests then have the machine for themselves. Those in a browser take twenty minutes: at night only.
ALONE = {"landing": "alone and due and not browser", "nightly": "alone"}
#: Worker processes: one more than there are cores, because tests with a browser or a server also wait.
MORE_WORKERS = 1
MOST_WORKERS = 4
#: Exit code of pytest if no test was selected.
NONE_SELECTED = 5
#: Factor by which `--nightly` multiplies the random cases of long tests.
NIGHTLY_TIMES = 20


def wanted_tier(arguments: list[str]) -> str:
    """Take the options that name a tier out of the arguments; the tier."""
    tier = "nightly" if "--nightly" in arguments else "landing" if "--slow" in arguments else "everyday"
    arguments[:] = [argument for argument in arguments if argument not in ("--slow", "--nightly")]
    return tier


def main(arguments: list[str]) -> int:
    """Run the tests; the exit code of pytest."""
    tier = wanted_tier(arguments)
    interpreter = virtual_environment.ensure_environment("checks")
    # Tests start hundreds of processes, which would compile the same modules again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    pytest = [str(interpreter), "-m", "pytest", "--tier", tier]
    due = nightly_sources.due_tests(nightly_sources.changed_files() or []) if tier == "landing" else []
    for tests in due:
        pytest += ["--due", tests]
    if due:
        pytest += ["--due-seed", nightly_sources.commit()]
    if tier == "nightly":
        os.environ.setdefault("FACEDOWN_TEST_SEED", str(random.SystemRandom().getrandbits(48)))
        os.environ.setdefault("FACEDOWN_TEST_TIMES", str(NIGHTLY_TIMES))
        pytest += ["--hypothesis-seed", os.environ["FACEDOWN_TEST_SEED"]]
    selected = TIERS[tier]
    named = any(Path(argument.split("::")[0]).exists() for argument in arguments)
    if any(argument.startswith("-m") for argument in arguments):
        selection = []
    else:
        selection = ["-m", f"({selected}) and not alone" if selected else "not alone"]
    if named:
        return subprocess.call([*pytest, *selection, *arguments])
    virtual_environment.print_line("Compiling the rules …")
    virtual_environment.run(
        [str(interpreter), "-m", "facedown", "warm", "--lab"], "The rules could not be compiled; see above."
    )
    workers = min(MOST_WORKERS, (os.cpu_count() or 1) + MORE_WORKERS)
    code = subprocess.call([*pytest, *selection, "-n", str(workers), "--dist", "worksteal", *arguments])
    places = ["tests"] if tier == "nightly" else due
    if code == 0 and places and selection:
        virtual_environment.print_line("Running the tests that need the machine for themselves …")
        code = subprocess.call([*pytest, "-m", ALONE[tier], *places])
        code = 0 if code == NONE_SELECTED else code
    return code


if __name__ == "__main__":
    with virtual_environment.exit_on_interrupt():
        sys.exit(main(sys.argv[1:]))
