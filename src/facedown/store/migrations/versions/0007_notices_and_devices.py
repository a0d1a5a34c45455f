"""Migration 7: notices by Web Push, more browsers of a person, invitations, and results of finished matches."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column and tables for notices, devices, invitations and results. All of them begin empty."""
    op.add_column("matches", sa.Column("noticed", sa.Integer(), nullable=False, server_default="-1"))
    op.create_table(
        "push_subscriptions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("endpoint", sa.String(500), nullable=False),
        sa.Column("p256dh", sa.String(100), nullable=False),
        sa.Column("auth", sa.String(40), nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False, server_default="1"),
        sa.PrimaryKeyConstraint("id", name="pk_push_subscriptions"),
        sa.ForeignKeyConstraint(
            ["person"], ["people.id"], name="fk_push_subscriptions_person_people", ondelete="CASCADE"
        ),
        sa.UniqueConstraint("endpoint", name="uq_push_subscriptions_endpoint"),
    )
    op.create_index("ix_push_subscriptions_person", "push_subscriptions", ["person"])
    op.create_table(
        "notices",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("subscription", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("due", sa.Float()),
        sa.Column("until", sa.Float(), nullable=False),
        sa.Column("owner", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("lease", sa.Float(), nullable=False, server_default="0"),
        sa.Column("tries", sa.Integer(), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("id", name="pk_notices"),
        sa.ForeignKeyConstraint(
            ["subscription"],
            ["push_subscriptions.id"],
            name="fk_notices_subscription_push_subscriptions",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_notices_match_id_matches", ondelete="CASCADE"),
        sa.UniqueConstraint("subscription", "match_id", "kind", name="uq_notices_subscription"),
        sa.CheckConstraint("kind IN ('turn', 'last', 'seat', 'invite')", name="ck_notices_kind"),
    )
    op.create_index("ix_notices_match_id", "notices", ["match_id"])
    op.create_index("ix_notices_due", "notices", ["due"])
    op.create_table(
        "device_tokens",
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_device_tokens"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_device_tokens_person_people", ondelete="CASCADE"),
    )
    op.create_index("ix_device_tokens_person", "device_tokens", ["person"])
    op.create_table(
        "device_links",
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_device_links"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_device_links_person_people", ondelete="CASCADE"),
    )
    op.create_index("ix_device_links_person", "device_links", ["person"])
    op.create_index("ix_device_links_until", "device_links", ["until"])
    op.create_table(
        "invitations",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("inviter", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "person", name="pk_invitations"),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name="fk_invitations_match_id_matches", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_invitations_person_people", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["inviter"], ["people.id"], name="fk_invitations_inviter_people", ondelete="CASCADE"),
    )
    op.create_index("ix_invitations_person", "invitations", ["person"])
    op.create_index("ix_invitations_inviter", "invitations", ["inviter"])
    op.create_table(
        "invite_mutes",
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("muted", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("person", "muted", name="pk_invite_mutes"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_invite_mutes_person_people", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["muted"], ["people.id"], name="fk_invite_mutes_muted_people", ondelete="CASCADE"),
    )
    op.create_index("ix_invite_mutes_muted", "invite_mutes", ["muted"])
    op.create_table(
        "outcomes",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("winners", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", name="pk_outcomes"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_outcomes_match_id_matches", ondelete="CASCADE"),
    )
