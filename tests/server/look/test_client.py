"""The client module: its own tests, and the bundle that the pages load."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from facedown.server import look

ROOT = Path(__file__).parents[3]


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node here to run the client's own tests")
def test_the_client_passes_its_own_tests() -> None:
    told = subprocess.run(
        ["node", "--test", *map(str, sorted((ROOT / "web" / "test").glob("*.js")))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout + told.stderr


def test_pages_load_what_is_served() -> None:
    html = look.home_page(look.Shell(), [])
    found = re.findall(r"(?:href|src)=\"/static/([^\"?]+)(\?[0-9a-f]{10})?\"", html)
    assert {Path(name).suffix for name, _ in found} == {".css", ".js", ".svg", ".woff2"}
    for name, mark in found:
        assert (look.STATIC / name).is_file()
        assert mark or name.endswith(".woff2"), f"{name} is not marked by its contents"


def test_the_client_knows_no_game() -> None:
    source = "".join(path.read_text("utf-8") for path in (ROOT / "web" / "src").glob("*.js")).lower()
    for game in ("reveal", "detect", "reveille", "uncovered", "scout"):
        assert game not in source, game
