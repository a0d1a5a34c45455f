"""Make the pictures in ``docs/pictures`` anew: ``python scripts/pictures.py``.

Home, the new-table sheet, a lobby, and Detect in play and at its scoring, at three sizes, light and dark; and one
table of each other game, and a replay. The tables are real positions, drawn by the program's own templates.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "pictures"
DETECT = ("home", "new", "lobby", "real-detect-4-drawn-yours", "real-detect-4-scoring-yours")
OTHERS = (
    "real-reveal-2-place-yours",
    "real-reveal-2-scoring-yours",
    "real-reveille-2-stage_two-yours",
    "real-uncovered-4-playing-yours",
    "real-scout-4-turn-yours",
    "replay-detect",
)


def main() -> None:
    """Draw everything with the gallery."""
    gallery = [sys.executable, str(ROOT / "scripts" / "gallery.py"), str(FOLDER)]
    for theme in ([], ["--dark"]):
        subprocess.run([*gallery, *DETECT, "--sizes", "phone,desktop,small", *theme], check=True, cwd=ROOT)
    subprocess.run([*gallery, *OTHERS, "--sizes", "phone,desktop"], check=True, cwd=ROOT)


if __name__ == "__main__":
    main()
