"""``facedown backup`` and ``facedown restore``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from facedown.terminal.configuring import ConfigFile, Database, configuration
from facedown.terminal.shared import FAILED, Problem
from facedown.terminal.texts import _

BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The file of the backup.")]


def backup(
    file: BackupFile,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    database: Database = None,
    config: ConfigFile = None,
) -> None:
    """Copy the database into a file, while a server serves it. The file holds the seeds of running matches."""
    from facedown.store import StoreError
    from facedown.store.backups import backup as copy

    url = configuration(config, database).settings.database
    try:
        copy(url, file, force)
    except StoreError as wrong:
        raise Problem(str(wrong), FAILED) from None
    print(_("Backed up to {file}; the copy passed its integrity check. Keep it as secret as the database.", file=file))


def restore(
    file: BackupFile,
    database: Database = None,
    config: ConfigFile = None,
) -> None:
    """Replace the database with a backup, while no server uses it. The old one is kept aside."""
    from facedown.store import StoreError
    from facedown.store.backups import restore as bring_back

    url = configuration(config, database).settings.database
    try:
        aside = bring_back(url, file)
    except StoreError as wrong:
        raise Problem(str(wrong), FAILED) from None
    print(_("The database is as it was when {file} was made.", file=file))
    if aside is not None:
        print(_("What was there before is in {aside}.", aside=aside))
