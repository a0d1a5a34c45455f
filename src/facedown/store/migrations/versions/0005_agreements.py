"""Migration 5: adds a column with proposals to take a move back or to end the match, and with players who resigned."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column `agreements` to the table `matches`. It is an empty object in existing rows."""
    op.add_column("matches", sa.Column("agreements", sa.Text(), nullable=False, server_default="{}"))
