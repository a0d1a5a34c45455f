"""Cookie check: before a form makes a guest, see that the browser keeps cookies.

A guest is known by a cookie alone. A browser that refuses it would be a new guest with each form, and leave a table and
a seat behind each time. So a form without any cookie of ours gets one, and is sent once more.
"""

from __future__ import annotations

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from facedown.play import Refusal
from facedown.server.http.error_page import problem_page
from facedown.server.http.request_locale import with_cookie
from facedown.server.http.visitors import STATUS, shell_of
from facedown.server.i18n import _
from facedown.server.process import refusal_counts

COOKIE = "facedown-cookies"
#: How long the cookie of the check is kept, in seconds: for as long as the form that follows may take.
CHECK_COOKIE_AGE = 3600
#: Marks the address of a form that is sent for the second time.
_AGAIN = "cookies"


class NoCookies(Refusal):
    """A form came without a cookie."""


def require_cookies(request: Request) -> None:
    """`NoCookies` for a form that comes without any cookie of ours."""
    if not any(name.startswith("facedown-") for name in request.cookies):
        wrong = _(
            "Your browser refuses cookies, and without one this table cannot tell who you are:"
            " allow them for this page, then try again."
        )
        raise NoCookies("malformed", wrong)


#: For the handlers of forms that may make a guest.
COOKIES_NEEDED = [Depends(require_cookies)]


def set_cookie_and_retry(request: Request, wrong: NoCookies) -> Response:
    """Give a cookie and have the form sent again; say what is wrong if it came again without the cookie."""
    answer: Response
    if _AGAIN in request.query_params:
        refusal_counts.count("cookies")
        status = STATUS[wrong.code]
        answer = HTMLResponse(problem_page(request, shell_of(request, None), status, wrong.reason), status)
    else:
        # 307: the same method and the same fields.
        answer = RedirectResponse(f"{request.url.path}?{_AGAIN}=again", 307)
    return with_cookie(request, answer, COOKIE, "kept", CHECK_COOKIE_AGE)
