"""Bots from anywhere: a program of one's own at a table of any server. Needs the extra ``facedown[client]``.

A bot is written against the records of its game (docs/records) and sits down by a link and a nickname::

    import facedown
    from facedown.client import sit

    with sit("https://cards.example/t/K7QM4XPN", "Ada") as seat:
        print(seat.play_out(facedown.bot("greedy")))

What can go wrong has one exception each, all of them a `ClientError`; what a server refuses is a `Refused`.
"""

from facedown.client.errors import (
    BadAnswer,
    ClientError,
    Conflict,
    Forbidden,
    Illegal,
    Malformed,
    NoAnswer,
    NoSuchTable,
    NotYourTurn,
    OtherRules,
    Refused,
    Stale,
    TableClosed,
    TableFull,
    TooFast,
    UnknownToken,
)

try:
    from facedown.client.asking import Place, place_of
    from facedown.client.seat import Seat, Turn, open_table, sit
except ModuleNotFoundError as missing:
    if missing.name not in ("httpx", "websockets"):
        raise
    raise ModuleNotFoundError(
        f"facedown.client needs {missing.name}: pip install 'facedown[client]'", name=missing.name
    ) from None

__all__ = [
    "BadAnswer",
    "ClientError",
    "Conflict",
    "Forbidden",
    "Illegal",
    "Malformed",
    "NoAnswer",
    "NoSuchTable",
    "NotYourTurn",
    "OtherRules",
    "Place",
    "Refused",
    "Seat",
    "Stale",
    "TableClosed",
    "TableFull",
    "TooFast",
    "Turn",
    "UnknownToken",
    "open_table",
    "place_of",
    "sit",
]
