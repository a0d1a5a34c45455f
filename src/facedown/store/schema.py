"""The tables of the database, as the newest migration leaves them."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

#: People without an account. A browser's credential is a random token, of which only a hash is kept.
people = Table(
    "people",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(24), nullable=False),
    Column("token_hash", String(64), unique=True),
    Column("created", Float, nullable=False),
    # When they were last here, to the day: who was not for long is forgotten.
    Column("seen", Float, nullable=False, server_default="0", index=True),
)

matches = Table(
    "matches",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("code", String(16), nullable=False, unique=True),
    Column("game", String(32), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("options", Text, nullable=False),  # JSON
    Column("seed", LargeBinary(32), nullable=False),
    Column("commitment", String(80), nullable=False),
    Column("settings", Text, nullable=False),  # JSON
    Column("host", Integer, ForeignKey("people.id")),
    Column("status", String(16), nullable=False),
    Column("created", Float, nullable=False),
    Column("started", Float, nullable=False),
    Column("finished", Float, nullable=False),
    Column("due", Float),
    Column("successor", String(16), nullable=False),
    Column("revision", Integer, nullable=False),
    Column("clocks", Text, nullable=False, server_default="[]"),  # JSON
    Column("zero", Float),
    # Which process sees to its bots and clocks (`processes.id`); 0: none, the first that finds it takes it.
    Column("driver", Integer, nullable=False, server_default="0"),
    # Whose it is where thinking is shared out: a keyed hash of the address at which it was made, or nothing.
    Column("origin", String(24), nullable=False, server_default=""),
    # People whom the host has removed: [[number, name], ...]
    Column("removed", Text, nullable=False, server_default="[]"),  # JSON
    CheckConstraint("status IN ('lobby', 'running', 'finished')", name="status"),
    Index("ix_matches_due", "due"),
    Index("ix_matches_zero", "zero"),
    Index("ix_matches_finished", "status", "finished"),
)

seats = Table(
    "seats",
    metadata,
    Column("match_id", Integer, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("name", String(40), nullable=False),
    Column("person", Integer, ForeignKey("people.id"), index=True),
    Column("level", String(32), nullable=False),
    Column("ready", Boolean, nullable=False),
    Column("key_hash", String(64), unique=True),
    Column("standin", String(32), nullable=False),
    Column("standin_name", String(40), nullable=False),
    Column("left_table", Boolean, nullable=False),
    CheckConstraint("kind IN ('person', 'bot', 'open')", name="kind"),
)

#: Append-only: the primary key lets one action stand at each ply, whoever writes it.
moves = Table(
    "moves",
    metadata,
    Column("match_id", Integer, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("action", Integer, nullable=False),
    Column("at", Float, nullable=False),
    Column("token", String(80), nullable=False),
    UniqueConstraint("match_id", "seat", "token", name="uq_moves_token"),
)

chat = Table(
    "chat",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("match_id", Integer, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("seat", Integer),
    Column("name", String(40), nullable=False),
    Column("text", String(300), nullable=False),
    Column("at", Float, nullable=False),
)

#: Spectators who sat down to watch.
watchers = Table(
    "watchers",
    metadata,
    Column("match_id", Integer, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("person", Integer, ForeignKey("people.id"), primary_key=True),
)

#: When a server was last alive, in one row: clocks rest while there is none.
pulse = Table("pulse", metadata, Column("id", Integer, primary_key=True), Column("at", Float, nullable=False))

#: Every server and every thinking process on this database. One that was not seen for a while is dead, and what it
#: had taken is anybody's again.
processes = Table(
    "processes",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(80), nullable=False),
    # How it hears of changes that others make.
    Column("bus", String(16), nullable=False),
    Column("started", Float, nullable=False),
    Column("seen", Float, nullable=False),
    sqlite_autoincrement=True,
)

#: Work that anybody may take: looks back at finished matches. Done work is deleted; its fruit stands elsewhere.
jobs = Table(
    "jobs",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("match_id", Integer, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False, index=True),
    # From which seat; -1: from all.
    Column("seat", Integer, nullable=False),
    # Whose share of the thinking it comes out of.
    Column("origin", String(24), nullable=False, server_default=""),
    Column("created", Float, nullable=False),
    # The process that has taken it, until when; 0: nobody has.
    Column("owner", Integer, nullable=False, server_default="0"),
    Column("until", Float, nullable=False, server_default="0"),
    Column("tries", Integer, nullable=False, server_default="0"),
    UniqueConstraint("kind", "match_id", "seat", name="uq_jobs_kind"),
    Index("ix_jobs_until", "kind", "until"),
)

#: What the coach found in finished matches: numbers, from which it can be told in any language.
reviews = Table(
    "reviews",
    metadata,
    Column("match_id", Integer, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("found", Text, nullable=False),  # JSON
    Column("made", Float, nullable=False),
)

#: Keys that the processes on this database share.
keys = Table(
    "keys",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("value", String(64), nullable=False),
)

#: Who may not come in: a person by number, an address or a network as text.
bans = Table(
    "bans",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("value", String(64), nullable=False),
    Column("reason", String(200), nullable=False),
    Column("created", Float, nullable=False),
    # Until when; nothing: for good.
    Column("until", Float),
    CheckConstraint("kind IN ('person', 'address')", name="kind"),
    UniqueConstraint("kind", "value", name="uq_bans_kind"),
)
