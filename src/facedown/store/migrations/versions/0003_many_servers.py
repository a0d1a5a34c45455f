"""Several processes on one database: who drives which table, work that anybody may take, what the coach found, bans."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from facedown.store import schema

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add them; what runs goes on, driven by whoever finds it first."""
    op.add_column("people", sa.Column("seen", sa.Float(), nullable=False, server_default="0"))
    op.execute(sa.text("UPDATE people SET seen = created"))
    op.create_index("ix_people_seen", "people", ["seen"])
    op.add_column("matches", sa.Column("driver", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("matches", sa.Column("origin", sa.String(24), nullable=False, server_default=""))
    op.create_index("ix_matches_finished", "matches", ["status", "finished"])
    # No later revision has changed these tables. One that does has to write down here how its table was.
    for table in (schema.processes, schema.jobs, schema.reviews, schema.keys, schema.bans):
        table.create(op.get_bind())
