"""Migration 1: persons, matches, seats, moves, chat and spectators."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables `people`, `matches`, `seats`, `moves`, `chat` and `watchers` (spectators), with indexes."""
    op.create_table(
        "people",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("token_hash", sa.String(64)),
        sa.Column("created", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_people"),
        sa.UniqueConstraint("token_hash", name="uq_people_token_hash"),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(16), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("seed", sa.LargeBinary(32), nullable=False),
        sa.Column("commitment", sa.String(80), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("host", sa.Integer()),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("started", sa.Float(), nullable=False),
        sa.Column("finished", sa.Float(), nullable=False),
        sa.Column("due", sa.Float()),
        sa.Column("successor", sa.String(16), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        sa.UniqueConstraint("code", name="uq_matches_code"),
        sa.ForeignKeyConstraint(["host"], ["people.id"], name="fk_matches_host_people"),
        sa.CheckConstraint("status IN ('lobby', 'running', 'finished')", name="ck_matches_status"),
    )
    op.create_index("ix_matches_due", "matches", ["due"])
    op.create_table(
        "seats",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("person", sa.Integer()),
        sa.Column("level", sa.String(32), nullable=False),
        sa.Column("ready", sa.Boolean(), nullable=False),
        sa.Column("key_hash", sa.String(64)),
        sa.Column("standin", sa.String(32), nullable=False),
        sa.Column("standin_name", sa.String(40), nullable=False),
        sa.Column("left_table", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_seats"),
        sa.UniqueConstraint("key_hash", name="uq_seats_key_hash"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_seats_match_id_matches", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_seats_person_people"),
        sa.CheckConstraint("kind IN ('person', 'bot', 'open')", name="ck_seats_kind"),
    )
    op.create_index("ix_seats_person", "seats", ["person"])
    op.create_table(
        "moves",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("action", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("token", sa.String(80), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "ply", name="pk_moves"),
        sa.UniqueConstraint("match_id", "seat", "token", name="uq_moves_token"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_moves_match_id_matches", ondelete="CASCADE"),
    )
    op.create_table(
        "chat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer()),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("text", sa.String(300), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_chat"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_chat_match_id_matches", ondelete="CASCADE"),
    )
    op.create_index("ix_chat_match_id", "chat", ["match_id"])
    op.create_table(
        "watchers",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "person", name="pk_watchers"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_watchers_match_id_matches", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_watchers_person_people"),
    )
