"""Folder of the compile cache, which holds the machine code of compiled functions of games and bots."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """Return the folder of the compile cache.

    * If the environment variable ``FACEDOWN_CACHE`` is set, its value is the path of the folder.
    * Otherwise, if ``NUMBA_CACHE_DIR`` is set, its value is the path of the parent folder. The cache folder is the
      subfolder ``facedown``.
    * Otherwise, the folder is ``facedown`` in the user's cache folder, such as ``~/.cache/facedown`` on Linux.

    The folder need not exist yet.
    """
    chosen = os.environ.get("FACEDOWN_CACHE")
    if chosen:
        return Path(chosen)
    numbas = os.environ.get("NUMBA_CACHE_DIR")
    if numbas:
        return Path(numbas) / "facedown"
    import platformdirs

    return Path(platformdirs.user_cache_dir("facedown"))
