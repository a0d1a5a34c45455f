"""Client library that lets a program play at a table of any Facedown server. Needs the extra ``facedown[client]``.

A program takes a seat with the link of a table and a nickname. At each turn it gets a NumPy record with all that its
seat knows (docs/records), and sends a move::

    import facedown
    from facedown.client import sit

    with sit("https://cards.example/t/K7QM4XPN", "Ada") as seat:
        print(seat.play_out(facedown.bot("greedy")))

Every kind of failure has its own exception, a subclass of `ClientError`. If the server refuses a request, the exception
is a subclass of `Refused`.
"""

from facedown.client.errors import BadAnswer as BadAnswer
from facedown.client.errors import ClientError as ClientError
from facedown.client.errors import Conflict as Conflict
from facedown.client.errors import Forbidden as Forbidden
from facedown.client.errors import Illegal as Illegal
from facedown.client.errors import Malformed as Malformed
from facedown.client.errors import NoAnswer as NoAnswer
from facedown.client.errors import NoSuchTable as NoSuchTable
from facedown.client.errors import NotYourTurn as NotYourTurn
from facedown.client.errors import OtherRules as OtherRules
from facedown.client.errors import Refused as Refused
from facedown.client.errors import Stale as Stale
from facedown.client.errors import TableClosed as TableClosed
from facedown.client.errors import TableFull as TableFull
from facedown.client.errors import TooFast as TooFast
from facedown.client.errors import UnknownToken as UnknownToken

try:
    from facedown.client.http_requests import TableAddress as TableAddress
    from facedown.client.http_requests import parse_table_address as parse_table_address
    from facedown.client.open_table_list import open_tables as open_tables
    from facedown.client.seat import Seat as Seat
    from facedown.client.seat import Turn as Turn
    from facedown.client.seat import open_table as open_table
    from facedown.client.seat import sit as sit
except ModuleNotFoundError as missing:
    if missing.name not in ("httpx", "websockets"):
        raise
    raise ModuleNotFoundError(
        f"facedown.client needs {missing.name}: pip install 'facedown[client]'", name=missing.name
    ) from None
