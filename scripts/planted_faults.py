"""Plant each fault of ``tests/planted`` in a copy of the sources and report which tests catch it.

``.venv/bin/python scripts/planted_faults.py [WORD ...]``: with words, only faults whose file name contains one of them.
The header of a patch names its tests and their environment variables. Tests of `check.py` run first; slower ones run
only if no test has caught the fault yet. A test that catches a fault must pass without it. The exit status is 1 if a
fault is not caught.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: Marker expressions of the tests that each kind of run adds.
TIERS = {
    "check.py": "not (slow or nightly or alone)",
    ".ci/run": "slow and not nightly",
    ".ci/nightly": "nightly or alone",
}
#: Generated files, ignored by Git, that the tests need.
GENERATED = ("src/facedown/**/locale/**/*.mo", "src/facedown/server/static/dist/*")


def plant(patch: Path, copy: Path) -> None:
    """Copy the working tree and apply a patch; rebuild the browser bundle if the patch changes one of its files."""
    listed = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, text=True)
    for path in [*map(ROOT.joinpath, listed.split("\0")[:-1]), *(p for one in GENERATED for p in ROOT.glob(one))]:
        if path.is_file():
            (copy / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, copy / path.relative_to(ROOT))
    subprocess.run(["git", "apply", str(patch)], cwd=copy, check=True)
    if "\n+++ b/web/" in patch.read_text("utf-8"):
        sys.path.insert(0, str(ROOT))
        from hatch_build import node_and_npm

        node, npm = node_and_npm()
        shutil.copytree(ROOT / "web" / "node_modules", copy / "web" / "node_modules", symlinks=True)
        found = os.environ | {"PATH": os.pathsep.join([str(Path(node).parent), os.environ["PATH"]])}
        subprocess.run([*npm, "run", "build"], cwd=copy / "web", env=found, check=True, capture_output=True)


def failures(folder: Path, tests: list[str], tier: str, variables: dict[str, str]) -> list[str]:
    """Run the tests of a tier and return the names of at most three failures; `RuntimeError` if they cannot run."""
    environment = os.environ | {"PYTHONPATH": str(folder / "src"), "CI": "true"} | variables
    command = [sys.executable, "-m", "pytest", "-q", "-rfE", "--maxfail=3", "-m", TIERS[tier], *tests]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 5) or re.search(r"^ERROR ", done.stdout, re.MULTILINE):
        raise RuntimeError(f"the tests cannot run: {(done.stdout + done.stderr).strip().splitlines()[-1]}")
    return list(dict.fromkeys(re.findall(r"^FAILED ([^\[\s]+)", done.stdout, re.MULTILINE)))


def catching_tests(patch: Path) -> str:
    """Return the tier and the tests that catch a fault; empty if no test does."""
    header = dict(re.findall(r"^(\w+): (.+)$", patch.read_text("utf-8").split("\n--- ")[0], re.MULTILINE))
    variables = dict(pair.split("=", 1) for pair in header.get("Environment", "").split())
    with tempfile.TemporaryDirectory(prefix="facedown-planted-") as copy:
        plant(patch, Path(copy))
        for tier in TIERS:
            found = failures(Path(copy), header["Tests"].split(), tier, variables)
            if found and not failures(ROOT, found, tier, variables):
                return f"{tier}, {', '.join(found)}"
    return ""


if __name__ == "__main__":
    missed = False
    for patch in sorted((ROOT / "tests" / "planted").glob("*.patch")):
        if any(word in patch.stem for word in sys.argv[1:] or [""]):
            begun = time.monotonic()
            try:
                found = catching_tests(patch)
            except (RuntimeError, subprocess.CalledProcessError) as wrong:
                found, missed = f"BROKEN, {wrong}", True
            missed |= not found
            print(f"{patch.stem} ({time.monotonic() - begun:.0f} s): {found or 'NOT CAUGHT'}", flush=True)
    sys.exit(missed)
