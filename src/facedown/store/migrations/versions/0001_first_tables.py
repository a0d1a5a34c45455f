"""People, matches, seats, moves, chat and watchers: where the databases begin that are brought up to date.

A new database is made with the newest schema at once.
"""

from __future__ import annotations

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Do nothing: a database that has this schema has its tables."""
