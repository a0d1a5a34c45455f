"""Further browsers of a person: links that add a browser, and the tokens by which these browsers are recognised.

Only hashes of the tokens are stored. Each function that changes something locks the person's row first. So a link that
is made or used while the person signs out everywhere is either deleted by the sign-out or refused.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from facedown.store import schema
from facedown.store.engine import execute, fetch_all, mark_as_writer, write_transaction
from facedown.store.repository import Person, hash_token, new_token

#: Seconds for which a link for another browser works.
LINK_SECONDS = 600.0
_people, _links, _tokens = schema.people.c, schema.device_links.c, schema.device_tokens.c


@mark_as_writer
def create_device_link(engine: Engine, person: int, browser_token: str, now: float) -> str | None:
    """Store a link that lets another browser be used as this person, and return its token.

    The link replaces an older one of the person. `browser_token` is the token of the browser that asks for the link.
    Return None if it is no longer a token of the person.
    """
    token, links = new_token(), schema.device_links
    with write_transaction(engine) as connection:
        first = connection.scalar(sa.select(_people.token_hash).where(_people.id == person).with_for_update())
        hashed = hash_token(browser_token)
        others = sa.select(_tokens.person).where(_tokens.token_hash == hashed, _tokens.person == person)
        if first != hashed and connection.scalar(others) is None:
            return None
        connection.execute(sa.delete(links).where(_links.person == person))
        made = {"token_hash": hash_token(token), "person": person, "until": now + LINK_SECONDS}
        connection.execute(sa.insert(links).values(made))
    return token


def person_of_device_link(engine: Engine, token: str, now: float) -> Person | None:
    """Return the person whose link has this token; None if the link is unknown, used or expired."""
    return next((Person(*row) for row in fetch_all(engine, _owner_of_link(token, now))), None)


def _owner_of_link(token: str, now: float) -> sa.Select[tuple[int, str]]:
    working = sa.select(_links.person).where(_links.token_hash == hash_token(token), _links.until > now)
    return sa.select(_people.id, _people.name).where(_people.id == working.scalar_subquery())


@mark_as_writer
def use_device_link(engine: Engine, token: str, now: float) -> str | None:
    """Delete the link with this token, and return a new token for the browser that used it.

    Return None if the link is unknown, used or expired. If two browsers use a link at the same time, one gets None.
    """
    fresh = new_token()
    with write_transaction(engine) as connection:
        owner = connection.execute(_owner_of_link(token, now).with_for_update()).one_or_none()
        if owner is None or not _delete_link(connection, token):
            return None
        made = {"token_hash": hash_token(fresh), "person": owner.id, "created": now}
        connection.execute(sa.insert(schema.device_tokens).values(made))
    return fresh


def _delete_link(connection: Connection, token: str) -> bool:
    gone = sa.delete(schema.device_links).where(_links.token_hash == hash_token(token))
    return bool(connection.execute(gone).rowcount)


@mark_as_writer
def delete_device_token(engine: Engine, token: str) -> bool:
    """Delete the token of a further browser, so that the browser is signed out. Return whether it was one.

    The token of a person's first browser is not changed.
    """
    return bool(execute(engine, sa.delete(schema.device_tokens).where(_tokens.token_hash == hash_token(token))))
