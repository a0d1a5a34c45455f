"""Error pages. They link to the table that the failed request was about, to the previous page, and to the home page.

If the table does not exist, or its host removed the visitor, the page also has a field for another table's code.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from facedown.play.records import removed_player_message
from facedown.play.user_input import format_code
from facedown.server import rendering
from facedown.server.i18n import N_, _
from facedown.server.rendering.base_path import strip_root

_TABLE = re.compile(r"/[tm]/([A-Za-z0-9]{1,16})(?=[/.]|$)")
#: Titles of error pages, by HTTP status.
TITLES = {
    403: N_("No access"),
    404: N_("Not found"),
    409: N_("Not now"),
    410: N_("Gone"),
    422: N_("That didn’t work"),
    429: N_("One moment"),
}
#: Statuses that mean the table does not exist or was deleted. The page then offers a field for another code.
_GONE = (404, 410)


def problem_page(request: HTTPConnection, shell: rendering.Shell, status: int, says: str) -> str:
    """Return the error page for a request as HTML.

    `shell` is the data about the visitor that every page needs, such as name and colour theme. `says` is the sentence
    that gives the reason for the error.
    """
    title = _(TITLES[status]) if status in TITLES else _("Something went wrong")
    lost = status in _GONE or request.url.path == "/join"
    if status == 403 and says == removed_player_message():
        title, says, lost = says, _("Join another table with its code, or play against bots."), True
    return rendering.error_page(
        shell, status=status, title=title, says=says, ways=error_page_links(request, status), by_code=lost
    )


def error_page_links(request: HTTPConnection, status: int) -> list[tuple[str, str]]:
    """Return the links of an error page, each as (URL, text), for the HTTP status `status` of the error.

    The list has none, one or both of these links:

    * A link to the table whose code is in the URL of the request. It is left out if there is no such table, or if the
      request was for the page of the table itself.
    * A link back to the page from which the visitor came. It is left out if that page belongs to another site, is the
      home page or the page of the table, or has the same path as the request.
    """
    path = request.url.path
    came = urlsplit(request.headers.get("referer", ""))
    found = []
    at = _TABLE.match(path)
    table = f"/t/{at[1]}" if at else ""
    # Link to the table if the failed request was for another URL of that table ("/t/K7QM/rules") and the table exists.
    if table and path != table and status not in _GONE:
        found.append((table, _("Go to table {code}", code=format_code(at[1].upper())) if at else ""))
    # A URL that begins with two slashes would lead to another host.
    back = "/" + strip_root(came.path).lstrip("/\\")
    if came.netloc == request.url.netloc and came.path and back not in ("/", path, table):
        found.append((back + (f"?{came.query}" if came.query else ""), _("Back")))
    return found
