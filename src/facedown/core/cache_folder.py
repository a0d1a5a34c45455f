"""Folder of the compile cache."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """Return the folder of the compile cache.

    It is ``FACEDOWN_CACHE`` if that is set, else ``facedown`` in ``NUMBA_CACHE_DIR`` if that is set, else the user's
    cache folder.
    """
    chosen = os.environ.get("FACEDOWN_CACHE")
    if chosen:
        return Path(chosen)
    numbas = os.environ.get("NUMBA_CACHE_DIR")
    if numbas:
        return Path(numbas) / "facedown"
    import platformdirs

    return Path(platformdirs.user_cache_dir("facedown"))
