#!/usr/bin/env python3
"""Set up and start the table: ``python3 table.py``.

Everything goes into ``.venv`` inside this folder, the matches into the user's data folder. What follows the command is
handed to ``facedown serve``: ``python3 table.py --port 8000 --no-browser``.
"""

from __future__ import annotations

import sys

from tools import clone

if __name__ == "__main__":
    with clone.interruptible():
        interpreter = clone.ready("table")
        clone.become([str(interpreter), "-m", "facedown", "serve", *sys.argv[1:]])
