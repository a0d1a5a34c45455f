"""Exceptions of the client library, one for each kind of failure."""

from __future__ import annotations


class ClientError(Exception):
    """Base class of all exceptions of the client library."""


class NoAnswer(ClientError):
    """The server cannot be reached, or did not answer within the caller's `patience`."""


class BadAnswer(ClientError):
    """A response violates the protocol: the server is not a Facedown server, or another version of it."""


class OtherRules(ClientError):
    """The game of the table, or the version of the rules that the server uses, is not installed on this machine."""


#: Exception classes by the error codes of docs/protocol.md.
BY_CODE: dict[str, type[Refused]] = {}


class Refused(ClientError):
    """Refusal of a request by the server; nothing was changed. The exception's text is a sentence for a person."""

    def __init_subclass__(cls, code: str) -> None:
        BY_CODE[code] = cls

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        """Error code as in docs/protocol.md."""
        self.reason = reason


class Stale(Refused, code="stale"):
    """The move was sent too late: the seat's legal actions have changed. Choose again from the newest view."""


class Illegal(Refused, code="illegal"):
    """The rules do not allow this move now."""


class NotYourTurn(Refused, code="not-your-turn"):
    """It is another player's turn, or this seat's time ran out."""


class Malformed(Refused, code="malformed"):
    """The server cannot parse the request, for example a name without letters or an invalid move text."""


class TooFast(Refused, code="too-fast"):
    """The address or the person has sent too many requests in a short time."""


class Forbidden(Refused, code="forbidden"):
    """The request is not allowed for this seat or for strangers, for example at a full table without spectators."""


class NoSuchTable(Refused, code="unknown"):
    """No table has this code."""


class TableFull(Refused, code="full"):
    """All seats at the table are taken."""


class TableClosed(Refused, code="closed"):
    """The table cannot be played any more: it was closed or deleted, or the server now has other rules."""


class Conflict(Refused, code="conflict"):
    """The request is only allowed before the deal, or only after it, and the table is in the other phase."""


class UnknownToken(Refused, code="unauthorized"):
    """The server does not know the seat token: it never existed, or it was replaced by a new one."""


def error_for_code(code: str, reason: str) -> Refused:
    """Return the exception for an error code.

    >>> error_for_code("full", "Every seat at this table is taken.")
    TableFull('Every seat at this table is taken.')
    """
    return BY_CODE.get(code, Refused)(code, reason)
