"""People whom the host of a table has removed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add them; nobody has been removed so far."""
    op.add_column("matches", sa.Column("removed", sa.Text(), nullable=False, server_default="[]"))
