"""Migration 3: several server processes on one database, with jobs, stored reviews, shared secret keys and bans."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns and tables for several processes on one database.

    A match that is running when this migration is done has no driver (process that runs its bots and clocks) until a
    server process takes the match over.
    """
    op.add_column("people", sa.Column("seen", sa.Float(), nullable=False, server_default="0"))
    op.execute(sa.text("UPDATE people SET seen = created"))
    op.create_index("ix_people_seen", "people", ["seen"])
    op.add_column("matches", sa.Column("driver", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("matches", sa.Column("origin", sa.String(24), nullable=False, server_default=""))
    op.create_index("ix_matches_finished", "matches", ["status", "finished"])
    op.create_table(
        "processes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("bus", sa.String(16), nullable=False),
        sa.Column("started", sa.Float(), nullable=False),
        sa.Column("seen", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_processes"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "jobs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("origin", sa.String(24), nullable=False, server_default=""),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("owner", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("until", sa.Float(), nullable=False, server_default="0"),
        sa.Column("tries", sa.Integer(), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("id", name="pk_jobs"),
        sa.UniqueConstraint("kind", "match_id", "seat", name="uq_jobs_kind"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_jobs_match_id_matches", ondelete="CASCADE"),
    )
    op.create_index("ix_jobs_match_id", "jobs", ["match_id"])
    op.create_index("ix_jobs_until", "jobs", ["kind", "until"])
    op.create_table(
        "reviews",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("found", sa.Text(), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_reviews"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_reviews_match_id_matches", ondelete="CASCADE"),
    )
    op.create_table(
        "keys",
        sa.Column("name", sa.String(16), nullable=False),
        sa.Column("value", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_keys"),
    )
    op.create_table(
        "bans",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("value", sa.String(64), nullable=False),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("until", sa.Float()),
        sa.PrimaryKeyConstraint("id", name="pk_bans"),
        sa.UniqueConstraint("kind", "value", name="uq_bans_kind"),
        sa.CheckConstraint("kind IN ('person', 'address')", name="ck_bans_kind"),
    )
