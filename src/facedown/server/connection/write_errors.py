"""What somebody is told whose request could not be written down."""

from __future__ import annotations

from facedown.server.texts import _
from facedown.store.errors import Unsettled


def unwritten(wrong: Exception) -> str:
    """Why that does not count, or that nobody knows yet."""
    if isinstance(wrong, Unsettled):
        return _("The connection to the database was just lost. You will see whether it counted once it is back.")
    return _("That could not be saved, so it does not count. Try again.")
