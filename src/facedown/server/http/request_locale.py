"""Whose language a request is answered in: asked for in the address, chosen with the switch, or the browser's own."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, Request, cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from facedown.core.language import best_language as best
from facedown.core.language import languages, use_language
from facedown.play import Refusal
from facedown.server.i18n import _
from facedown.server.rendering.base_path import cookie_path, strip_root

#: Keeps which language somebody has chosen.
COOKIE = "facedown-language"
YEAR = 365 * 24 * 3600
#: Names a language in an address.
LANGUAGE_PARAMETER = "lang"
#: On what the language of an answer depends, for those who keep it for others.
VARY = "Accept-Language, Cookie"
#: What is only posted to: whoever changes the language on an answer to that goes on from the table, or from home.
_POSTED = ("sit", "watch", "leave", "again")
_POSTED_AT_ROOT = ("/tables", "/quick", "/language")


class LocaleMiddleware:
    """Speaks the language of each request while it is answered."""

    def __init__(self, app: ASGIApp, usual: str) -> None:
        self.app = app
        self.usual = usual

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
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
    """The language that a request is answered in; what it asks for in its address goes before everything else."""
    headers, there = Headers(scope=scope), languages()
    chosen = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
    for code in (_requested_language(scope), chosen):
        if code in there:
            return code
    return _best_accepted_language(headers.get("accept-language", ""), usual)


def _best_accepted_language(accepted: str, usual: str) -> str:
    """The language that a browser accepts; the usual one for a browser that names none that is spoken here.

    >>> _best_accepted_language("fr, de;q=0.5", "en"), _best_accepted_language("fr", "de"), _best_accepted_language("en,
    de;q=0.1", "de") ('de', 'de', 'en')
    """
    # Last of all it accepts what is usual here; the tag that says "any" is no language.
    return best(f"{accepted}, {usual};q=0.0001" if accepted.strip() else usual)


def _requested_language(scope: Scope) -> str:
    query = scope.get("query_string", b"")
    found = parse_qs(query.decode("latin-1")).get(LANGUAGE_PARAMETER, ()) if b"lang=" in query else ()
    return found[0] if found else ""


def validate_language(code: str) -> str:
    """A language that is spoken; `Refusal` names those there are."""
    there = languages()
    if code not in there:
        names = ", ".join(f"{name} ({one})" for one, name in there.items())
        raise Refusal(
            "malformed", _("There is no language “{given}” here: there are {names}.", given=code, names=names)
        )
    return code


def require_known_language(connection: HTTPConnection) -> None:
    """`Refusal` for a request whose address asks for a language that is not spoken."""
    if connection.scope["type"] == "http" and (asked := _requested_language(connection.scope)):
        validate_language(asked)


def switch_language(request: Request, code: str) -> Response:
    """The answer to the switch: back to where it was turned, in the language that was chosen; `Refusal` if unknown."""
    return with_cookie(request, RedirectResponse(_return_path(request), 303), COOKIE, validate_language(code), YEAR)


def with_cookie(request: Request, answer: Response, name: str, value: str, seconds: int) -> Response:
    """An answer that gives a cookie, which no script and no page of another site can use."""
    secure = request.url.scheme == "https"
    answer.set_cookie(name, value, seconds, path=cookie_path(), secure=secure, httponly=True, samesite="lax")
    return answer


def _return_path(request: Request) -> str:
    """The page where the switch was turned, without the language that its address named; home if it is not ours."""
    came = urlsplit(request.headers.get("referer", ""))
    there = strip_root(came.path)
    if came.netloc != request.url.netloc or there in _POSTED_AT_ROOT or not there:
        return "/"
    head, _slash, last = there.rpartition("/")
    path = head if last in _POSTED and head.startswith("/t/") else there
    kept = {name: values for name, values in parse_qs(came.query).items() if name != LANGUAGE_PARAMETER}
    # Two slashes in front would name another host.
    return "/" + path.lstrip("/\\") + (f"?{urlencode(kept, doseq=True)}" if kept else "")
