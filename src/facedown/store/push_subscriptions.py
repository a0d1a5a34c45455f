"""Browsers of persons that get notices by Web Push, as their push services have registered them."""

from __future__ import annotations

from dataclasses import dataclass, fields

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from facedown.store import schema
from facedown.store.engine import execute, mark_as_writer, write_transaction

#: Maximum number of browsers of one person. A further one replaces the oldest.
MAX_SUBSCRIPTIONS = 5
#: Number of notices in a row that could not be delivered after which a subscription is deleted.
MAX_FAILURES = 10
_subscriptions = schema.push_subscriptions.c


@dataclass(frozen=True, slots=True)
class BrowserKeys:
    """What a browser's push service needs for a message: its address and the keys for which it is encrypted."""

    endpoint: str
    """URL of the push service to which messages for this browser are posted. It is secret: anyone who knows it could
    use up the messages that the push service allows."""
    p256dh: str
    """Public key of the browser, base64url."""
    auth: str
    """Secret of the browser, base64url."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """A browser of a person that gets notices."""

    id: int
    person: int
    endpoint: str
    p256dh: str
    auth: str
    language: str
    zone: str
    """Name of the time zone, such as "Europe/Berlin"."""

    @property
    def keys(self) -> BrowserKeys:
        """Address and keys of the browser."""
        return BrowserKeys(self.endpoint, self.p256dh, self.auth)


#: Columns of the table of subscriptions, in the order of the fields of `Subscription`.
SUBSCRIPTION = [_subscriptions[field.name] for field in fields(Subscription)]


@mark_as_writer
def store_subscription(
    engine: Engine, person: int, keys: BrowserKeys, language: str, zone: str, now: float, replaces: str = ""
) -> None:
    """Store a browser of a person that gets notices from now on, or update its keys, language and time zone.

    * A browser that was another person's becomes this person's, and the notices for the other person are deleted.
    * The person's browser with the address `replaces` is deleted: its push service has given it a new address.
    * If the person has more than `MAX_SUBSCRIPTIONS` browsers, the oldest are deleted.
    """
    this = _subscriptions.endpoint == keys.endpoint
    values = {"p256dh": keys.p256dh, "auth": keys.auth, "language": language, "zone": zone}
    with write_transaction(engine) as connection:
        # Lock the person, so that two requests cannot store too many browsers.
        connection.execute(sa.select(schema.people.c.id).where(schema.people.c.id == person).with_for_update())
        others = this & (_subscriptions.person != person)
        old = (_subscriptions.endpoint == replaces) & (_subscriptions.person == person) & ~this
        connection.execute(sa.delete(schema.push_subscriptions).where(others | old))
        known = sa.update(schema.push_subscriptions).where(this).values(values)
        if not connection.execute(known).rowcount:
            new = values | {"endpoint": keys.endpoint, "person": person, "created": now}
            connection.execute(sa.insert(schema.push_subscriptions).values(new))
        theirs = sa.select(_subscriptions.id).where(_subscriptions.person == person)
        kept = theirs.order_by(_subscriptions.created.desc(), _subscriptions.id.desc()).limit(MAX_SUBSCRIPTIONS)
        surplus = (_subscriptions.person == person) & _subscriptions.id.not_in(list(connection.scalars(kept)))
        connection.execute(sa.delete(schema.push_subscriptions).where(surplus))
        _plan_notices_again(connection, person)


def _plan_notices_again(connection: Connection, person: int) -> None:
    """Let the notices of all turns at this person's running tables be planned again, for a browser that is new."""
    seats, matches = schema.seats.c, schema.matches.c
    theirs = sa.select(seats.match_id).where(seats.person == person)
    running = matches.id.in_(theirs) & (matches.status == "running")
    connection.execute(sa.update(schema.matches).where(running).values(noticed=-1))


@mark_as_writer
def delete_subscription(engine: Engine, person: int, endpoint: str) -> None:
    """Delete a browser of a person, with all notices for it, if it is stored."""
    this = (_subscriptions.endpoint == endpoint) & (_subscriptions.person == person)
    execute(engine, sa.delete(schema.push_subscriptions).where(this))
