"""The file of a finished match. A running one is nobody's to see."""

from __future__ import annotations

from datetime import UTC, datetime

from facedown.core.notation import write
from facedown.play import Refusal, Session


def text_of(session: Session) -> str:
    """The match in its notation, seed included; `Refusal` while it is running."""
    match, record = session.match, session.record
    if match is None or not match.over:
        raise Refusal("conflict", "This match is not over: its file holds the seed, and is given out when it ends.")
    return write(
        match,
        [seat.name for seat in record.seats],
        {index: seat.level for index, seat in enumerate(record.seats) if seat.kind == "bot"},
        datetime.fromtimestamp(record.started, UTC).date().isoformat(),
        f"Table {record.code}.",
    )
