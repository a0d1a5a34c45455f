"""Migration 2: clocks of the seats, the time when the next one expires, and the time when a server was last alive."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns `clocks` and `zero` to the table `matches`, and create the table `pulse`.

    * `clocks`: the clocks of the seats, as a JSON array. Matches that exist already get no clocks.
    * `zero`: the Unix time at which the next clock of the match expires; NULL if no clock runs.
    * `pulse`: a single row with the Unix time at which a server was last alive.
    """
    op.add_column("matches", sa.Column("clocks", sa.Text(), nullable=False, server_default="[]"))
    op.add_column("matches", sa.Column("zero", sa.Float()))
    op.create_index("ix_matches_zero", "matches", ["zero"])
    op.create_table(
        "pulse",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_pulse"),
    )
