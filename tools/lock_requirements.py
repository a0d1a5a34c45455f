"""Resolve all dependencies and lock them with hashes: ``python tools/lock_requirements.py`` (needs uv).

The lock files are valid for all platforms and Python versions that Facedown supports. They contain no address of a
package registry.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LISTS = {"table": [], "checks": ["--extra", "dev"]}


def main() -> int:
    """Write every lock file; return the exit code."""
    uv = shutil.which("uv")
    if uv is None:
        print("uv is not installed: pip install uv", file=sys.stderr)
        return 2
    for name, extras in LISTS.items():
        command = [uv, "pip", "compile", "--quiet", "--universal", "--python-version", "3.11", "--generate-hashes"]
        command += [
            "--no-emit-index-url",
            "--custom-compile-command",
            "python tools/lock_requirements.py",
            *sys.argv[1:],
            *extras,
        ]
        command += ["pyproject.toml", "requirements/build.in", "-o", f"requirements/{name}.txt"]
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
        if code:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
