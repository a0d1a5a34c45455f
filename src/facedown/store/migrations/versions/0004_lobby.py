"""Migration 4: adds a column with the persons whom the host removed from a table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column `removed` (persons whom the host removed) to the table `matches`. It is empty in existing rows."""
    op.add_column("matches", sa.Column("removed", sa.Text(), nullable=False, server_default="[]"))
