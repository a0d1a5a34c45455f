"""The ways on from a page that says what went wrong: back, to the table, by a code, home."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from facedown.play.records import removed_player_message
from facedown.play.user_input import shown_code
from facedown.server import rendering
from facedown.server.i18n import N_, _
from facedown.server.rendering.base_path import strip_root

_TABLE = re.compile(r"/[tm]/([A-Za-z0-9]{1,16})(?=[/.]|$)")
#: What a page says above the reason.
TITLES = {
    403: N_("Not for you"),
    404: N_("Nothing here"),
    409: N_("Not now"),
    410: N_("Gone"),
    422: N_("That does not work"),
    429: N_("Wait"),
}
#: Nothing is at these tables any more, or never was: another code may help.
_GONE = (404, 410)


def problem_page(request: HTTPConnection, shell: rendering.Shell, status: int, says: str) -> str:
    """The page for something that went wrong at an address, with the ways on from there."""
    title = _(TITLES[status]) if status in TITLES else _("Something went wrong")
    lost = status in _GONE or request.url.path == "/join"
    if status == 403 and says == removed_player_message():
        title, says, lost = says, _("Join another table by its code, or play against bots."), True
    return rendering.error_page(
        shell, status=status, title=title, says=says, ways=error_page_links(request, status), by_code=lost
    )


def error_page_links(request: HTTPConnection, status: int) -> list[tuple[str, str]]:
    """The ways on beside the way home, as (address, words)."""
    path = request.url.path
    came = urlsplit(request.headers.get("referer", ""))
    found = []
    at = _TABLE.match(path)
    table = f"/t/{at[1]}" if at else ""
    # A request that was refused leads back to its table; a table that is closed to the visitor does not.
    if table and path != table and status not in _GONE:
        found.append((table, _("To table {code}", code=shown_code(at[1].upper())) if at else ""))
    # Two slashes in front would name another host.
    back = "/" + strip_root(came.path).lstrip("/\\")
    if came.netloc == request.url.netloc and came.path and back not in ("/", path, table):
        found.append((back + (f"?{came.query}" if came.query else ""), _("Back")))
    return found
