"""Files that hold secrets, readable by their owner only: whoever reads a running match's seed sees every card."""

from __future__ import annotations

import logging
import os
import stat
from pathlib import Path

log = logging.getLogger("facedown.store")

#: What everybody may do with a file or a folder.
EVERYBODY = stat.S_IRWXO
OWNER_ONLY = 0o600
#: The files that SQLite puts beside a database.
BESIDE = ("", "-wal", "-shm")


def private_folder(path: Path) -> None:
    """Make a folder, if there is none, that only its owner may look into; one that there is stays as it was chosen."""
    if not path.is_dir():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(mode=0o700, exist_ok=True)


def private_file(path: Path) -> None:
    """See to it that a file, which may not be there yet, is not for everybody.

    One that everybody may read came so by an older program's carelessness: it becomes its owner's. One that only a
    group may read was made so by somebody who wanted it, and is left alone.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, OWNER_ONLY))
    except PermissionError:
        # Whoever may only read it is told so by the database.
        return
    close_to_everybody(path)


def close_to_everybody(path: Path) -> None:
    """Take a file that everybody may touch back to its owner; what cannot be changed is warned about."""
    if os.name != "posix" or not path.exists() or not path.stat().st_mode & EVERYBODY:
        return
    try:
        path.chmod(OWNER_ONLY)
    except OSError as wrong:
        log.warning("everybody may read %s, and it holds secrets: %s", path, wrong.strerror)
    else:
        log.warning("everybody could read %s, which holds secrets: now only its owner can", path)


def private_database(path: Path) -> None:
    """The same for a database's file, which is made if it is not there, and for those beside it."""
    private_folder(path.parent)
    private_file(path)
    for ending in BESIDE[1:]:
        close_to_everybody(path.with_name(path.name + ending))
