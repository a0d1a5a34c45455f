"""Cookie check: before a form creates a guest, test that the browser keeps cookies.

A guest is identified by a cookie only. A browser that refuses cookies would become a new guest with each form, and
leave a table and a seat behind each time.

So if a form arrives without any cookie of this server, the response sets a test cookie and makes the browser send the
form again.
"""

from __future__ import annotations

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from facedown.play import Refusal
from facedown.server.http.error_page import problem_page
from facedown.server.http.request_locale import with_cookie
from facedown.server.http.visitors import STATUS, page_shell_data_of
from facedown.server.i18n import _
from facedown.server.process import refusal_counts

COOKIE = "facedown-cookies"
#: Lifetime of the test cookie, in seconds: as long as a visitor may take to fill in a form.
CHECK_COOKIE_AGE = 3600
#: Query parameter that marks a form sent for the second time.
_AGAIN = "cookies"


class NoCookies(Refusal):
    """Error: a form was sent without any cookie of this server."""


def require_cookies(request: Request) -> None:
    """Raise `NoCookies` if the request has no cookie of this server."""
    if not any(name.startswith("facedown-") for name in request.cookies):
        wrong = _(
            "Your browser is blocking cookies. Without a cookie, this server can’t tell who you are. Allow cookies "
            "for this site, then try again."
        )
        raise NoCookies("malformed", wrong)


#: FastAPI dependencies of the routes whose forms may create a guest.
COOKIES_NEEDED = [Depends(require_cookies)]


def set_cookie_and_retry(request: Request, wrong: NoCookies) -> Response:
    """Set the test cookie and make the browser send the form again; return an error page if this was the second try."""
    answer: Response
    if _AGAIN in request.query_params:
        refusal_counts.count_refusals("cookies")
        status = STATUS[wrong.code]
        answer = HTMLResponse(problem_page(request, page_shell_data_of(request, None), status, wrong.reason), status)
    else:
        # Status 307: the browser repeats the request with the same method and fields.
        answer = RedirectResponse(f"{request.url.path}?{_AGAIN}=again", 307)
    return with_cookie(request, answer, COOKIE, "kept", CHECK_COOKIE_AGE)
