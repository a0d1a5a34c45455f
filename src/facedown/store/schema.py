"""Database schema in SQLAlchemy. Migrating a database to the newest version gives the same schema."""

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
    false,
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

#: Persons, who need no account. A browser holds a random token as credential; only the hash of the token is stored.
people = Table(
    "people",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(24), nullable=False),
    Column("token_hash", String(64), unique=True),
    Column("created", Float, nullable=False),
    # Unix time of the person's last visit, updated once a day. A person is deleted after a long absence.
    Column("seen", Float, nullable=False, server_default="0", index=True),
)

matches = Table(
    "matches",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("code", String(16), nullable=False, unique=True),
    Column("game", String(32), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("options", Text, nullable=False),  # JSON object: option names to values
    Column("seed", LargeBinary(32), nullable=False),
    Column("commitment", String(80), nullable=False),
    Column("settings", Text, nullable=False),  # JSON object: the fields of `Settings`
    Column("host", Integer, ForeignKey("people.id")),
    Column("status", String(16), nullable=False),
    Column("created", Float, nullable=False),
    Column("started", Float, nullable=False),
    Column("finished", Float, nullable=False),
    Column("due", Float),
    Column("successor", String(16), nullable=False),
    Column("revision", Integer, nullable=False),
    Column("clocks", Text, nullable=False, server_default="[]"),  # JSON array of `SeatClock` fields
    Column("zero", Float),
    # Id of the process that runs this table's bots and clocks (`processes.id`); 0 for none.
    Column("driver", Integer, nullable=False, server_default="0"),
    # Keyed hash of the IP address that opened the table, for sharing computing time fairly; may be empty.
    Column("origin", String(24), nullable=False, server_default=""),
    # Persons whom the host removed: [[id, name], ...].
    Column("removed", Text, nullable=False, server_default="[]"),
    # JSON object: the fields of `Agreements` (open proposal, declined proposals, players who resigned).
    Column("agreements", Text, nullable=False, server_default="{}"),
    # Whether the host lists the table for everyone, and the Unix time until which it is then shown in the list.
    Column("listed", Boolean, nullable=False, server_default=false()),
    Column("listed_until", Float, nullable=False, server_default="0", index=True),
    # Revision of the table up to which notices of turns are scheduled; −1 for none.
    Column("noticed", Integer, nullable=False, server_default="-1"),
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
    # After a person took the seat over from a bot: number of moves made before, and the name of the bot.
    Column("since", Integer, nullable=False, server_default="0"),
    Column("bot_name", String(40), nullable=False, server_default=""),
    # Person who takes a bot's seat over when the next round is dealt, and the name that this person will have.
    Column("next_person", Integer, index=True),
    Column("next_name", String(40), nullable=False, server_default=""),
    CheckConstraint("kind IN ('person', 'bot', 'open')", name="kind"),
)

#: Moves. Rows are added but never changed. The primary key allows one move per ply (number of earlier moves), so two
#: writers cannot both add a move at the same position.
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

#: Persons who watch a table as spectators.
watchers = Table(
    "watchers",
    metadata,
    Column("match_id", Integer, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("person", Integer, ForeignKey("people.id"), primary_key=True),
)

#: A single row with the time when a server was last alive. When a server starts, it shifts the clocks by the time that
#: has passed since then.
pulse = Table("pulse", metadata, Column("id", Integer, primary_key=True), Column("at", Float, nullable=False))

#: All servers and workers on this database. A process counts as dead if `seen` is too long ago. Other processes can
#: then take over its tables and jobs.
processes = Table(
    "processes",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(80), nullable=False),
    # Name of the bus, the channel over which processes notify each other of changes.
    Column("bus", String(16), nullable=False),
    Column("started", Float, nullable=False),
    Column("seen", Float, nullable=False),
    sqlite_autoincrement=True,
)

#: Jobs for any process, such as reviews of finished matches. A finished job is deleted; its result is stored elsewhere.
jobs = Table(
    "jobs",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("match_id", Integer, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False, index=True),
    # Seat that the job is about; −1 for all seats.
    Column("seat", Integer, nullable=False),
    # Keyed hash of the IP address of the requester, for sharing computing time fairly.
    Column("origin", String(24), nullable=False, server_default=""),
    Column("created", Float, nullable=False),
    # Id of the process that has claimed the job, and the time when its claim expires; 0 if the job is free.
    Column("owner", Integer, nullable=False, server_default="0"),
    Column("until", Float, nullable=False, server_default="0"),
    Column("tries", Integer, nullable=False, server_default="0"),
    UniqueConstraint("kind", "match_id", "seat", name="uq_jobs_kind"),
    Index("ix_jobs_until", "kind", "until"),
)

#: Results of the coach's analyses of finished matches. They are stored as numbers, so that texts about them can be made
#: in any language.
reviews = Table(
    "reviews",
    metadata,
    Column("match_id", Integer, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("found", Text, nullable=False),  # JSON text of the analysis
    Column("made", Float, nullable=False),
)

#: Secret keys shared by all processes on this database.
keys = Table(
    "keys",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("value", String(64), nullable=False),
)

#: Bans of a person (by id), an IP address or a network, stored as text.
bans = Table(
    "bans",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("value", String(64), nullable=False),
    Column("reason", String(200), nullable=False),
    Column("created", Float, nullable=False),
    # Unix time at which the ban expires; NULL for a permanent ban.
    Column("until", Float),
    CheckConstraint("kind IN ('person', 'address')", name="kind"),
    UniqueConstraint("kind", "value", name="uq_bans_kind"),
)

#: Persons who look for a seat at an open table ("seat"), or want to know when one becomes free ("notice").
seekers = Table(
    "seekers",
    metadata,
    Column("person", Integer, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", String(8), primary_key=True),
    Column("games", Text, nullable=False),  # JSON array of names of games
    Column("pace", String(8), nullable=False),
    # Keyed hash of the IP address of the person, for limits.
    Column("origin", String(24), nullable=False),
    # Place in the line: the Unix time since which the person waits.
    Column("since", Float, nullable=False),
    # Unix time at which the search ends unless the person's browser renews it.
    Column("until", Float, nullable=False, index=True),
    # Seat that is kept for this person: the table, and the Unix time until which it is kept; NULL without an offer.
    Column("offer", Integer, ForeignKey("matches.id", ondelete="SET NULL"), index=True),
    Column("offer_until", Float),
    # Number of offers in a row that the person did not answer.
    Column("misses", Integer, nullable=False, server_default="0"),
    CheckConstraint("kind IN ('seat', 'notice')", name="kind"),
    CheckConstraint("pace IN ('minute', 'day', 'any')", name="pace"),
)

#: Blocks: `person` does not want to be seated with `blocked` again. `name` is the name that `blocked` had then.
blocks = Table(
    "blocks",
    metadata,
    Column("person", Integer, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("blocked", Integer, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("name", String(40), nullable=False),
    Column("created", Float, nullable=False),
)

#: Reports of a player's name or words, for the operator of the server.
reports = Table(
    "reports",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("reporter", Integer, ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("person", Integer, ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", String(40), nullable=False),
    Column("kind", String(8), nullable=False),
    # What the reporter wrote, and the last chat messages of the reported player at the table.
    Column("text", String(300), nullable=False),
    Column("said", Text, nullable=False),  # JSON array of texts
    # Keyed hash of the IP address of the reporter, for limits.
    Column("origin", String(24), nullable=False, index=True),
    Column("created", Float, nullable=False, index=True),
    CheckConstraint("kind IN ('name', 'words')", name="kind"),
)

#: Browsers that get notices by Web Push. The endpoint is an address that the browser's push service has given it.
push_subscriptions = Table(
    "push_subscriptions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("person", Integer, ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("endpoint", String(500), nullable=False, unique=True),
    # Public key and secret of the browser, base64url. Notices are encrypted with them.
    Column("p256dh", String(100), nullable=False),
    Column("auth", String(40), nullable=False),
    Column("language", String(8), nullable=False),
    # Name of the time zone, such as "Europe/Berlin".
    Column("zone", String(64), nullable=False),
    Column("created", Float, nullable=False),
    # Number of notices in a row that could not be delivered. 1 for a new subscription, because nothing shows yet that
    # its push service works: those that work come first.
    Column("failures", Integer, nullable=False, server_default="1"),
)

#: Notices to send, and the last one sent for each table and kind. A notice goes to one browser.
notices = Table(
    "notices",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("subscription", Integer, ForeignKey("push_subscriptions.id", ondelete="CASCADE"), nullable=False),
    Column("match_id", Integer, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("kind", String(8), nullable=False),
    # Turn that the notice is about: number of moves before the seat's last own move, plus one; 0 for none.
    Column("turn", Integer, nullable=False, server_default="0"),
    # Unix time at which the notice is sent; NULL after it was sent. After `until` it is not sent any more.
    Column("due", Float, index=True),
    Column("until", Float, nullable=False),
    # Id of the process that has claimed the notice, and the time when its claim expires; 0 if the notice is free.
    Column("owner", Integer, nullable=False, server_default="0"),
    Column("lease", Float, nullable=False, server_default="0"),
    Column("tries", Integer, nullable=False, server_default="0"),
    UniqueConstraint("subscription", "match_id", "kind", name="uq_notices_subscription"),
    CheckConstraint("kind IN ('turn', 'last', 'seat', 'invite')", name="kind"),
)

#: More browsers of a person, beside the first one (`people.token_hash`), and links that add one. Only hashes of the
#: tokens are stored.
device_tokens = Table(
    "device_tokens",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("person", Integer, ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created", Float, nullable=False),
)

device_links = Table(
    "device_links",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("person", Integer, ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("until", Float, nullable=False, index=True),
)

#: Invitations to a table: `person` is invited by `inviter`, who had this name then.
invitations = Table(
    "invitations",
    metadata,
    Column("match_id", Integer, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("person", Integer, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("inviter", Integer, ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", String(40), nullable=False),
    Column("created", Float, nullable=False),
)

#: Persons whose invitations a person does not want to get. `name` is the name that `muted` had then.
invite_mutes = Table(
    "invite_mutes",
    metadata,
    Column("person", Integer, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("muted", Integer, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("name", String(40), nullable=False),
    Column("created", Float, nullable=False),
)

#: Results of finished matches, computed when a player's record is shown for the first time.
outcomes = Table(
    "outcomes",
    metadata,
    Column("match_id", Integer, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("winners", Text, nullable=False),  # JSON array of the seats that won, empty if none did
)
