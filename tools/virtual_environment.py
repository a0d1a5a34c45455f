"""Set-up of a checkout of the repository: creates a virtual environment in it and installs the locked packages and
Facedown.

`table.py` and `check.py` in the root folder use this module. It needs no packages. It can be run by old Python
versions, and then says which version is needed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
OLDEST = (3, 11)
#: File with a hash of all inputs of the installation, written after a successful installation.
STAMP = ENVIRONMENT / "facedown-ready.txt"
#: Files that are read when the package is built. Python sources are not among them, because an editable installation
#: uses them directly.
BUILD_INPUTS = (
    "pyproject.toml",
    "hatch_build.py",
    "package.json",
    "package-lock.json",
    "requirements",
    "web",
    "src/facedown/server/static",
    "tools/virtual_environment.py",
)


def print_line(text: str) -> None:
    """Print a line and flush it, so that it appears at once even if the output is a pipe."""
    print(text, flush=True)


def exit_with_error(text: str, code: int = 1) -> None:
    """Print a one-line error message and exit."""
    print(text, file=sys.stderr, flush=True)
    sys.exit(code)


@contextmanager
def exit_on_interrupt() -> Iterator[None]:
    """Exit with a one-line message if Ctrl-C interrupts the ``with`` block, with the exit code that shells expect."""
    try:
        yield
    except KeyboardInterrupt:
        exit_with_error("Stopped.", 130)


def python() -> Path:
    """Return the path of Python in the virtual environment."""
    return ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def digest(packages: str) -> str:
    """Return a hash of all inputs of the installation. `packages` is the list to install: "table" or "checks"."""
    found = hashlib.sha256(f"{packages} {sys.version} {ROOT}".encode())
    for name in BUILD_INPUTS:
        path = ROOT / name
        files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
        for file in files:
            if file.is_file() and not {"node_modules", "dist"} & set(file.parts):
                found.update(str(file.relative_to(ROOT)).encode())
                found.update(file.read_bytes())
    return found.hexdigest()


def run(command: list[str], failed: str) -> None:
    """Run a command; if it fails, print an error message and exit."""
    if subprocess.run(command, cwd=str(ROOT), check=False).returncode != 0:
        exit_with_error(failed)


def make_environment(uv: str | None) -> None:
    """Create the virtual environment, unless it exists and works with a suitable Python version. `uv` is the path of
    uv, if it is installed.
    """
    if python().exists():
        there = subprocess.run(
            [str(python()), "-c", "import sys; print(sys.version_info >= (3, 11))"],
            check=False,
            stdout=subprocess.PIPE,
        )
        if there.returncode == 0 and there.stdout.strip() == b"True":
            return
        print_line("The environment in .venv no longer works and will be created again.")
        shutil.rmtree(str(ENVIRONMENT))
    print_line("Creating an environment in .venv …")
    if uv:
        run(
            [uv, "venv", "--quiet", "--seed", "--python", sys.executable, str(ENVIRONMENT)],
            "uv could not create an environment.",
        )
        return
    run(
        [sys.executable, "-m", "venv", str(ENVIRONMENT)],
        "This Python cannot create environments. On Debian and Ubuntu: sudo apt install python3-venv",
    )


def install_packages_and_facedown(packages: str, uv: str | None) -> None:
    """Install the locked packages and Facedown itself."""
    listed = str(ROOT / "requirements" / f"{packages}.txt")
    print_line("Installing the packages (a few minutes the first time) …")
    if uv:
        pip = [uv, "pip", "install", "--quiet", "--python", str(python())]
    else:
        # An environment created by uv contains no pip.
        have = subprocess.run([str(python()), "-m", "pip", "--version"], check=False, capture_output=True)
        if have.returncode != 0:
            run([str(python()), "-m", "ensurepip"], "pip is missing in .venv; delete the folder and try again.")
        pip = [str(python()), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    missing = "The packages could not be installed; see the messages above. Are you connected to the Internet?"
    run([*pip, "--require-hashes", "--no-deps", "-r", listed], missing)
    print_line("Installing Facedown …")
    # Build isolation is switched off, because the packages that the build needs are in the locked list.
    run(
        [*pip, "--no-build-isolation", "--no-deps", "-e", str(ROOT)],
        "Facedown could not be installed; see the messages above.",
    )


def ensure_environment(packages: str) -> Path:
    """Create or install what is missing, and return the path of the environment's Python. This is fast if nothing is
    missing.

    The list "checks" contains all of "table", so a checkout set up for checks can also run the server.
    """
    if sys.version_info < OLDEST:
        here = ".".join(str(n) for n in sys.version_info[:3])
        exit_with_error(f"Facedown needs Python 3.11 or newer; this is {here}. Try: python3.11 {sys.argv[0]}")
    done = STAMP.read_text().split() if STAMP.exists() and python().exists() else []
    if digest("checks") in done or digest(packages) in done:
        return python()
    uv = shutil.which("uv")
    make_environment(uv)
    install_packages_and_facedown(packages, uv)
    STAMP.write_text(digest(packages) + "\n")
    return python()


def replace_process(command: list[str]) -> None:
    """Replace this process by another program. On Windows, run the program and exit with its exit code."""
    if os.name == "nt":
        sys.exit(subprocess.run(command, check=False).returncode)
    os.execv(command[0], command)
