"""Third-party games, installed like any package, but into a folder of the test."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "kuhn"


@dataclass(frozen=True)
class InstalledGame:
    """A folder with an installed game, and the environment of programs that use it."""

    site: Path
    data: Path

    @property
    def environment(self) -> dict[str, str]:
        """Return environment variables. The game comes first on the path, then this repository."""
        paths = (self.site, ROOT / "src", ROOT)
        return {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, paths)),
            "FACEDOWN_DATA": str(self.data),
        }

    def run(self, *command: str, typed: str = "", cwd: Path = ROOT, **more: str) -> subprocess.CompletedProcess[str]:
        """Run a module with Python in this environment."""
        return subprocess.run(
            [sys.executable, "-m", *command],
            cwd=cwd,
            env={**self.environment, **more},
            input=typed,
            capture_output=True,
            text=True,
            timeout=500,
            check=False,
        )


def install(project: Path, folder: Path) -> InstalledGame:
    """Install a project into a folder without the network. Its build tools are already here."""
    site, data = folder / "site", folder / "data"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    done = subprocess.run(
        [*pip, "--disable-pip-version-check", "--target", str(site), str(project)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return InstalledGame(site, data)
