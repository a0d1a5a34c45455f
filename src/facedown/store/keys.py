"""Keys that every process on a database shares, made when they are first asked for."""

from __future__ import annotations

import base64
import secrets

import sqlalchemy as sa
from sqlalchemy.engine import Engine
from sqlalchemy.exc import IntegrityError

from facedown.store import schema
from facedown.store.turns import reading, writing


def key_of(engine: Engine, name: str) -> bytes:
    """The key of a name: 256 random bits, the same for whoever asks."""
    with reading(engine) as connection:
        kept = connection.scalar(sa.select(schema.keys.c.value).where(schema.keys.c.name == name))
    if kept is None:
        try:
            made = base64.b64encode(secrets.token_bytes(32)).decode()
            with writing(engine) as connection:
                connection.execute(sa.insert(schema.keys).values(name=name, value=made))
            kept = made
        except IntegrityError:
            # Somebody else was quicker.
            return key_of(engine, name)
    return base64.b64decode(kept)
