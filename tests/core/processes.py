"""Run Python programs in separate processes, with the compile cache in a folder of the test."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import facedown

#: The folder that holds the package under test.
SOURCES = str(Path(facedown.__file__).resolve().parents[1])


def run_python(program: str, folder: Path, *arguments: str, **environment: str) -> str:
    """Run a program that can import from `folder`; return its standard output followed by its error output.

    Warnings are errors. The compile cache is the folder ``cache`` below `folder`, unless `environment` sets another
    one.
    """
    inherited = {k: v for k, v in os.environ.items() if k not in ("NUMBA_CACHE_DIR", "FACEDOWN_CACHE")}
    if "NUMBA_CACHE_DIR" not in environment:
        environment = {"FACEDOWN_CACHE": str(folder / "cache"), **environment}
    paths = [SOURCES, str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    file = folder / "program.py"
    file.write_text(program)
    done = subprocess.run(
        [sys.executable, "-W", "error", str(file), *arguments],
        env={**inherited, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return (done.stdout + done.stderr).strip()
