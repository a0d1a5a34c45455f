"""Migration 6: open tables, with seats taken over from bots, searches for a seat, blocks and reports."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns and tables for open tables. In existing rows no table is listed, and no seat was taken over."""
    op.add_column("matches", sa.Column("listed", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("matches", sa.Column("listed_until", sa.Float(), nullable=False, server_default="0"))
    op.create_index("ix_matches_listed_until", "matches", ["listed_until"])
    op.add_column("seats", sa.Column("since", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("seats", sa.Column("bot_name", sa.String(40), nullable=False, server_default=""))
    op.add_column("seats", sa.Column("next_person", sa.Integer()))
    op.add_column("seats", sa.Column("next_name", sa.String(40), nullable=False, server_default=""))
    op.create_index("ix_seats_next_person", "seats", ["next_person"])
    op.create_table(
        "seekers",
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("games", sa.Text(), nullable=False),
        sa.Column("pace", sa.String(8), nullable=False),
        sa.Column("origin", sa.String(24), nullable=False),
        sa.Column("since", sa.Float(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.Column("offer", sa.Integer()),
        sa.Column("offer_until", sa.Float()),
        sa.Column("misses", sa.Integer(), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("person", "kind", name="pk_seekers"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_seekers_person_people", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["offer"], ["matches.id"], name="fk_seekers_offer_matches", ondelete="SET NULL"),
        sa.CheckConstraint("kind IN ('seat', 'notice')", name="ck_seekers_kind"),
        sa.CheckConstraint("pace IN ('minute', 'day', 'any')", name="ck_seekers_pace"),
    )
    op.create_index("ix_seekers_until", "seekers", ["until"])
    op.create_index("ix_seekers_offer", "seekers", ["offer"])
    op.create_table(
        "blocks",
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("blocked", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("person", "blocked", name="pk_blocks"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_blocks_person_people", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["blocked"], ["people.id"], name="fk_blocks_blocked_people", ondelete="CASCADE"),
    )
    op.create_index("ix_blocks_blocked", "blocks", ["blocked"])
    op.create_table(
        "reports",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reporter", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("text", sa.String(300), nullable=False),
        sa.Column("said", sa.Text(), nullable=False),
        sa.Column("origin", sa.String(24), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_reports"),
        sa.ForeignKeyConstraint(["reporter"], ["people.id"], name="fk_reports_reporter_people", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_reports_person_people", ondelete="CASCADE"),
        sa.CheckConstraint("kind IN ('name', 'words')", name="ck_reports_kind"),
    )
    op.create_index("ix_reports_reporter", "reports", ["reporter"])
    op.create_index("ix_reports_person", "reports", ["person"])
    op.create_index("ix_reports_origin", "reports", ["origin"])
    op.create_index("ix_reports_created", "reports", ["created"])
