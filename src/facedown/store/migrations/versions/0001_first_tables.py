"""People, matches, seats, moves, chat and watchers.

Databases that were made before `engine.migrate` made new ones from `schema.metadata` begin here.
"""

from __future__ import annotations

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Do nothing: a new database is made at the newest revision and never comes from before this one."""
