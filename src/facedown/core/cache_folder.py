"""The folder of compiled rules."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """Where compiled rules are kept: ``FACEDOWN_CACHE``, or below ``NUMBA_CACHE_DIR``, or the user's cache folder."""
    chosen = os.environ.get("FACEDOWN_CACHE")
    if chosen:
        return Path(chosen)
    numbas = os.environ.get("NUMBA_CACHE_DIR")
    if numbas:
        return Path(numbas) / "facedown"
    import platformdirs

    return Path(platformdirs.user_cache_dir("facedown"))
