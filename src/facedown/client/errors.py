"""Exceptions of the client library, one for each kind of failure."""

from __future__ import annotations


class ClientError(Exception):
    """Base class of all exceptions of the client library."""


class NoAnswer(ClientError):
    """The server cannot be reached, or did not answer in time.

    Failed requests are retried for `patience` seconds, an argument of `sit`, `open_table` and `Seat`.
    """


class BadAnswer(ClientError):
    """A response violates the protocol: the server is not a Facedown server, or uses another protocol version."""


class OtherRules(ClientError):
    """The game of the table is not installed on this machine, or the server uses another version of its rules."""


#: Maps each error code of docs/protocol.md to its exception class.
BY_CODE: dict[str, type[Refused]] = {}


class Refused(ClientError):
    """The server refused a request, and nothing was changed.

    The exception's text is the server's reason: a sentence that can be shown to a user. Most error codes have a
    subclass of their own.
    """

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
    """This client exceeded a rate limit: the server limits the requests of each player and of each IP address."""


class Forbidden(Refused, code="forbidden"):
    """This client may not make the request.

    For example, only the host of the table may make it, or the table admits no spectators and the client has no seat.
    """


class NoSuchTable(Refused, code="unknown"):
    """The server has no table with this code."""


class TableFull(Refused, code="full"):
    """All seats at the table are taken."""


class TableClosed(Refused, code="closed"):
    """Play at this table is over for this program.

    For example, the table was closed or deleted, the server now has other rules, or the seat's token became invalid.
    """


class Conflict(Refused, code="conflict"):
    """The state of the table does not allow the request, or the server could not save the change.

    For example, the match has already begun, or the cards have not been dealt yet.
    """


class UnknownToken(Refused, code="unauthorized"):
    """The server does not know the seat's token. The token never existed, or it was replaced by a new one."""


def error_for_code(code: str, reason: str) -> Refused:
    """Return the exception for an error code of docs/protocol.md, with the server's `reason`; `Refused` for unknown
    codes.

    >>> error_for_code("full", "Every seat at this table is taken.")
    TableFull('Every seat at this table is taken.')
    """
    return BY_CODE.get(code, Refused)(code, reason)
