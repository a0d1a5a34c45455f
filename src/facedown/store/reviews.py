"""What the coach found in finished matches, as text: numbers, from which it can be told in any language."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.engine import Engine
from sqlalchemy.exc import IntegrityError

from facedown.store import schema
from facedown.store.turns import reading, writing
from facedown.store.writers import writes


class Reviews:
    """The looks back on a database. Every method is one transaction and may be called from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def found(self, match_id: int, seat: int) -> str | None:
        """What was found from a seat (-1: from all), or None."""
        its = (schema.reviews.c.match_id == match_id) & (schema.reviews.c.seat == seat)
        with reading(self._engine) as connection:
            return connection.scalar(sa.select(schema.reviews.c.found).where(its))

    @writes
    def keep(self, match_id: int, seat: int, found: str, now: float) -> None:
        """Write down what was found, in place of what an earlier program may have found."""
        values = {"match_id": match_id, "seat": seat, "found": found, "made": now}
        try:
            with writing(self._engine) as connection:
                its = (schema.reviews.c.match_id == match_id) & (schema.reviews.c.seat == seat)
                connection.execute(sa.delete(schema.reviews).where(its))
                connection.execute(sa.insert(schema.reviews).values(values))
        except IntegrityError:
            # Another process has written it at the same time, or the match is gone.
            return
