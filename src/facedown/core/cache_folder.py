"""Folder of the compile cache, which holds the machine code of compiled functions of games and bots."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """Return the folder of the compile cache.

    Two environment variables can set it: ``FACEDOWN_CACHE`` to the folder itself, or ``NUMBA_CACHE_DIR`` to a folder
    that contains it as ``facedown``. Otherwise it is Facedown's folder among the user's cache folders.
    """
    chosen = os.environ.get("FACEDOWN_CACHE")
    if chosen:
        return Path(chosen)
    numbas = os.environ.get("NUMBA_CACHE_DIR")
    if numbas:
        return Path(numbas) / "facedown"
    import platformdirs

    return Path(platformdirs.user_cache_dir("facedown"))
