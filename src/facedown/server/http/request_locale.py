"""Language of a request: from the URL, else from the cookie of the language menu, else from `Accept-Language`."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, Request, cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from facedown.core.translation import best_language as best
from facedown.core.translation import languages, use_language
from facedown.play import Refusal
from facedown.server.i18n import _
from facedown.server.rendering.base_path import cookie_path, strip_root

#: Cookie that holds the language chosen in the menu.
COOKIE = "facedown-language"
YEAR = 365 * 24 * 3600
#: Query parameter that selects a language for one request.
LANGUAGE_PARAMETER = "lang"
#: Value of the `Vary` header: caches must tell apart responses in different languages.
VARY = "Accept-Language, Cookie"
#: Last parts of URLs that accept only POST requests. A redirect to such a URL would fail, so after a change of language
#: the visitor is redirected to the table or the home page instead.
_POSTED = ("sit", "watch", "leave", "again")
_POSTED_AT_ROOT = ("/tables", "/quick", "/language")


class LocaleMiddleware:
    """Middleware that sets the current language while a request is handled, and the `Content-Language` header."""

    def __init__(self, app: ASGIApp, usual: str) -> None:
        self.app = app
        self.usual = usual

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Set the current language to that of a request, pass the request on, and add the `Content-Language` header."""
        if scope["path"].startswith("/static/"):
            await self.app(scope, receive, send)
            return
        code = language_of(scope, self.usual)

        async def send_named(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).setdefault("content-language", code)
            await send(message)

        with use_language(code):
            await self.app(scope, receive, send_named)


def language_of(scope: Scope, usual: str) -> str:
    """Return the language code for a request, taken from its query parameter, cookie or `Accept-Language` header.

    The first of these that names an available language counts. If none does, return `usual`.
    """
    headers, there = Headers(scope=scope), languages()
    chosen = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
    for code in (_language_parameter(scope), chosen):
        if code in there:
            return code
    return _best_accepted_language(headers.get("accept-language", ""), usual)


def _best_accepted_language(accepted: str, usual: str) -> str:
    """Return the best available language for an `Accept-Language` header; `usual` if none of its languages is
    available.

    >>> _best_accepted_language("fr, de;q=0.5", "en"), _best_accepted_language("fr", "de")
    ('de', 'de')
    >>> _best_accepted_language("en, de;q=0.1", "de")
    'en'
    """
    # Append the default language with the lowest priority, because `best` falls back to English if no language of the
    # header is available. (`best` ignores the wildcard "*", which may be in the header, so it still finds the default.)
    return best(f"{accepted}, {usual};q=0.0001" if accepted.strip() else usual)


def _language_parameter(scope: Scope) -> str:
    query = scope.get("query_string", b"")
    found = parse_qs(query.decode("latin-1")).get(LANGUAGE_PARAMETER, ()) if b"lang=" in query else ()
    return found[0] if found else ""


def validate_language(code: str) -> str:
    """Return the language code. If that language is not available, raise `Refusal` with a list of those that are."""
    there = languages()
    if code not in there:
        names = ", ".join(f"{name} ({one})" for one, name in there.items())
        raise Refusal(
            "malformed",
            _("The language “{given}” is not available. Choose one of these: {names}.", given=code, names=names),
        )
    return code


def require_known_language_parameter(connection: HTTPConnection) -> None:
    """Raise `Refusal` if the query parameter of an HTTP request asks for an unavailable language."""
    if connection.scope["type"] == "http" and (asked := _language_parameter(connection.scope)):
        validate_language(asked)


def switch_language(request: Request, code: str) -> Response:
    """Save the chosen language in a cookie and redirect to the page on which it was chosen.

    Raise `Refusal` for an unknown language code.
    """
    return with_cookie(
        request, RedirectResponse(_path_to_return_to(request), 303), COOKIE, validate_language(code), YEAR
    )


def with_cookie(
    request: Request, answer: Response, name: str, value: str, seconds: int, *, scripts: bool = False
) -> Response:
    """Add a cookie to the response `answer`, and return the response. `seconds` is the lifetime of the cookie.

    Only with `scripts`, scripts of the pages can read the cookie. When a page of another site sends a request, the
    browser leaves the cookie out, except when the visitor follows a link (SameSite=Lax).
    """
    secure = request.url.scheme == "https"
    answer.set_cookie(name, value, seconds, path=cookie_path(), secure=secure, httponly=not scripts, samesite="lax")
    return answer


def _path_to_return_to(request: Request) -> str:
    """Return the URL path of the page on which the language was chosen, without its language parameter.

    If the page was the response to a form, return the path of its table, or "/" if it has no table. For a page of
    another site, return "/".
    """
    came = urlsplit(request.headers.get("referer", ""))
    there = strip_root(came.path)
    if came.netloc != request.url.netloc or there in _POSTED_AT_ROOT or not there:
        return "/"
    head, _slash, last = there.rpartition("/")
    path = head if last in _POSTED and head.startswith("/t/") else there
    kept = {name: values for name, values in parse_qs(came.query).items() if name != LANGUAGE_PARAMETER}
    # A URL that begins with two slashes would lead to another host.
    return "/" + path.lstrip("/\\") + (f"?{urlencode(kept, doseq=True)}" if kept else "")
