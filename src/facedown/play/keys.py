"""A new key for a seat that a program plays: the old one is worth nothing from then on."""

from __future__ import annotations

import secrets
from dataclasses import replace

from facedown.play.records import Change, Refusal
from facedown.play.session import Session
from facedown.play.texts import _


def nobodys_key() -> str:
    """The hash of a key that nobody has: the seat is a program's, which comes by another seat's key."""
    return secrets.token_hex(32)


def rekeyed(session: Session, person: int, key_hash: str) -> Change:
    """The change that gives a person's seat another key; `Refusal` for somebody without a seat here."""
    index = session.seat_of(person)
    if index is None:
        raise Refusal("forbidden", _("You have no seat at this table."))
    record = session.record.with_seat(index, replace(session.record.seats[index], key_hash=key_hash))
    return Change(replace(record, revision=record.revision + 1))
