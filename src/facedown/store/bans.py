"""Bans of persons (by id), IP addresses and networks."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from facedown.store import schema
from facedown.store.engine import execute, fetch_all, upsert, write_transaction

BanKind = Literal["person", "address"]


@dataclass(frozen=True, slots=True)
class Ban:
    """Ban of a person, or of an IP address or network, by the operator of the server.

    There is at most one ban for each person or network. After its end (`until`) a ban has no effect, but stays stored.
    """

    kind: BanKind
    value: str
    """The person's id if `kind` is "person". Otherwise the network in CIDR notation; a single address is written as
    "203.0.113.9/32"."""
    reason: str
    """Reason in the operator's words; may be empty."""
    created: float
    """Unix time at which the ban was issued or last replaced."""
    until: float | None
    """Unix time at which the ban expires; None for a permanent ban."""


def parse_ban_target(text: str) -> tuple[BanKind, str]:
    """Parse a person's id ("7"), an IP address or a network, and return the fields (`kind`, `value`) of a `Ban`.

    Raise `ValueError` for any other text.

    >>> parse_ban_target("7"), parse_ban_target("203.0.113.9"), parse_ban_target("2001:db8::/64")
    (('person', '7'), ('address', '203.0.113.9/32'), ('address', '2001:db8::/64'))
    """
    word = text.strip()
    if word.isascii() and word.isdigit() and len(word) < 19:
        return "person", str(int(word))
    return "address", str(ipaddress.ip_network(word))


def add_or_replace_ban(
    engine: Engine, kind: BanKind, value: str, reason: str, now: float, until: float | None = None
) -> None:
    """Add a ban of a person or network, or replace the existing ban of the same target.

    `until` is the Unix time at which the ban expires; None means never.
    """
    values = {"reason": reason, "created": now, "until": until}
    with write_transaction(engine) as connection:
        upsert(connection, schema.bans, {"kind": kind, "value": value}, values)


def remove_ban(engine: Engine, kind: BanKind, value: str) -> bool:
    """Remove a ban. Return whether the ban existed. `kind` and `value` are as in `Ban`."""
    return bool(execute(engine, sa.delete(schema.bans).where(schema.bans.c.kind == kind, schema.bans.c.value == value)))


def bans_in_force(engine: Engine, now: float) -> Sequence[Ban]:
    """Return all bans in force at Unix time `now`, oldest first."""
    table = schema.bans.c
    holds = sa.or_(table.until.is_(None), table.until > now)
    found = sa.select(table.kind, table.value, table.reason, table.created, table.until)
    return [Ban(*row) for row in fetch_all(engine, found.where(holds).order_by(table.id))]
