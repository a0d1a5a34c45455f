"""What can go wrong at a seat, each under one name."""

from __future__ import annotations


class ClientError(Exception):
    """Something went wrong between a program and the table it sits at."""


class NoAnswer(ClientError):
    """The server cannot be reached, or has not come back within the patience of whoever asked."""


class BadAnswer(ClientError):
    """What came is not what the protocol says: another program answers there, or another version of this one."""


class OtherRules(ClientError):
    """The table is played by rules that are not installed here: another game, or another version of one."""


#: The refusals of docs/protocol.md by their codes.
BY_CODE: dict[str, type[Refused]] = {}


class Refused(ClientError):
    """The server refused a request, which changed nothing. The text is its sentence for a person."""

    def __init_subclass__(cls, code: str) -> None:
        BY_CODE[code] = cls

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        """Which rule it was, as in docs/protocol.md."""
        self.reason = reason


class Stale(Refused, code="stale"):
    """The move came too late: what the seat may do has changed since. Look at the newest view and choose again."""


class Illegal(Refused, code="illegal"):
    """The rules do not allow this move now."""


class NotYourTurn(Refused, code="not-your-turn"):
    """Somebody else is to choose, or the time was up."""


class Malformed(Refused, code="malformed"):
    """The server cannot read the request: a name without letters, say, or words that are no move."""


class TooFast(Refused, code="too-fast"):
    """More was asked for than one address or person may ask for in a short time."""


class Forbidden(Refused, code="forbidden"):
    """That is not for this seat, or not for strangers: a full table without spectators, say."""


class NoSuchTable(Refused, code="unknown"):
    """There is no table of this code."""


class TableFull(Refused, code="full"):
    """Every seat at the table is taken."""


class TableClosed(Refused, code="closed"):
    """The table is not played any more: it was closed, or deleted, or the server has other rules now."""


class Conflict(Refused, code="conflict"):
    """The table is in another state: the deal has not begun, or has begun already."""


class UnknownToken(Refused, code="unauthorized"):
    """Nobody has this seat token: it was made up, or exchanged for another."""


def error_for_code(code: str, reason: str) -> Refused:
    """The exception of a refusal.

    >>> error_for_code("full", "Every seat at this table is taken.")
    TableFull('Every seat at this table is taken.')
    """
    return BY_CODE.get(code, Refused)(code, reason)
