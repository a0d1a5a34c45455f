#!/usr/bin/env python3
"""Set up and start the table: ``python3 table.py``.

Everything goes into ``.venv`` inside this folder, the matches into the user's data folder. What follows the command is
handed to ``facedown serve``: ``python3 table.py --port 8000 --no-browser``.
"""

from __future__ import annotations

import sys

from tools import virtual_environment

if __name__ == "__main__":
    with virtual_environment.exit_on_interrupt():
        interpreter = virtual_environment.ensure_environment("table")
        virtual_environment.replace_process([str(interpreter), "-m", "facedown", "serve", *sys.argv[1:]])
