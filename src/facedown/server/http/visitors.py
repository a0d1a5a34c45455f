"""Visitors who send requests: lookup by cookie or seat token, new guests, page preferences, limits on new tables."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal, cast

from fastapi import Depends
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from facedown.core import game_registry as registry
from facedown.play import Refusal, clean_name
from facedown.play.user_input import clean_code, format_code, is_ascii_letters_and_digits
from facedown.server import rendering
from facedown.server.http.ban_list import ban_list_of
from facedown.server.http.client_address import client_ip, network_of
from facedown.server.http.per_client_limits import build_and_count_rate_limit_refusal, limits_of
from facedown.server.http.refusal_response import API
from facedown.server.http.request_locale import with_cookie
from facedown.server.i18n import _
from facedown.server.process.query_batching import Batcher
from facedown.server.table.room import Room
from facedown.server.table.room_registry import Rooms
from facedown.store import Person, new_token
from facedown.store.retention import DAY, mark_people_seen

COOKIE = "facedown-guest"
COOKIE_AGE = 400 * 24 * 3600
#: Name of a guest who plays without having chosen a name.
NAMELESS = "Guest"

#: HTTP status of each refusal code.
STATUS = {
    "stale": 409,
    "illegal": 422,
    "not-your-turn": 409,
    "malformed": 422,
    "too-fast": 429,
    "forbidden": 403,
    "closed": 410,
    "full": 409,
    "unknown": 404,
    "conflict": 409,
}


def rooms_of(request: HTTPConnection) -> Rooms:
    """Return the registry of live tables of the application that handles this request."""
    return cast(Rooms, request.app.state.rooms)


async def room_of(request: HTTPConnection, code: str) -> Room:
    """Return the table with a code. Case and spacing of the code don't matter. Raise `Refusal` if no table has it.

    After too many wrong codes from the client's address, also raise `Refusal` if the client is neither a player nor a
    spectator of the table. This prevents the guessing of codes.
    """
    meant, guesses, address = clean_code(code), limits_of(request).wrong_codes, client_limit_key_of(request)
    if guesses.seconds_until_token(address) and not await _is_at_table(request, meant):
        wrong = _("Too many wrong codes from your IP address. Wait a minute, then try again.")
        raise build_and_count_rate_limit_refusal("wrong-codes", wrong)
    try:
        if not is_ascii_letters_and_digits(meant):
            # Don't look up a text that cannot be a code. It may contain characters that the database cannot handle.
            raise Refusal("unknown", _("Table {code} does not exist.", code=format_code(meant)))
        room = await rooms_of(request).room(meant)
        await room.refresh_if_database_is_newer()
    except Refusal as refusal:
        if refusal.code == "unknown":
            guesses.take_token(address)
        raise
    room.record_view_and_resume_bots()
    return room


async def _is_at_table(request: HTTPConnection, code: str) -> bool:
    """Return whether the visitor has a seat at the table or watches it.

    The same database queries run whether or not a table with this code exists, so that the response time does not
    disclose which codes exist.
    """
    rooms = rooms_of(request)
    token = seat_token_of(request)
    if request.url.path.startswith(API) or (request.scope["type"] == "websocket" and token):
        person = await person_of_seat_token(request, token) if token else None
    else:
        person = await person_of_cookie(request)
    return person is not None and await rooms.store.run(rooms.repository.is_player_or_spectator, code, person.id)


def seat_token_of(request: HTTPConnection) -> str:
    """Return the seat token in the `Authorization` header of a request; "" without a token."""
    kind, _blank, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


async def person_of_seat_token(request: HTTPConnection, token: str) -> Person | None:
    """Return the person with this seat token; None if the token is unknown.

    Raise `Refusal` after too many wrong tokens from the client's address.
    """
    rooms = rooms_of(request)
    return await _look_up_credential(request, token, partial(rooms.store.run, rooms.repository.person_by_seat_token))


async def _look_up_credential(
    request: HTTPConnection, token: str, look_up: Callable[[str], Awaitable[Person | None]]
) -> Person | None:
    limits, address = limits_of(request), client_limit_key_of(request)
    limits.require_sign_in_allowed(token, address)
    person = await look_up(token)
    limits.record_sign_in(token, address, person is not None)
    return person


def info_of(game: str) -> registry.Info:
    """Return the description of a game. Raise `Refusal` if there is no game of this name."""
    try:
        return registry.info(game)
    except registry.UnknownGame as wrong:
        raise Refusal("unknown", f"{str(wrong).capitalize()}.") from None


def cookie_token_of(request: HTTPConnection) -> str:
    """Return the token in the cookie that identifies the visitor; "" if it is missing or its length is wrong."""
    token = request.cookies.get(COOKIE, "")
    return token if 20 <= len(token) <= 100 else ""


class LastSeenRecorder:
    """Recorder of each person's last visit: it saves the time once a day per person, in batches.

    No request waits for the write.
    """

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._day = 0
        self._people: set[int] = set()
        """Ids of the persons whose visit on the day `_day` is recorded."""
        self._unsaved: Batcher[int, None] = Batcher(self._save)

    def record_visit(self, person: int) -> None:
        """Record that the person with this id visits the server today. Repeated calls on the same day do nothing."""
        day = int(self._rooms.now() // DAY)
        if day != self._day:
            self._day, self._people = day, set()
        if person not in self._people:
            self._people.add(person)
            self._rooms.errand(self._unsaved.submit(person))

    async def _save(self, people: Sequence[int]) -> list[None]:
        # Saving is not repeated today if it fails. Nothing is lost: the person's next visit on a later day saves the
        # time of that visit instead.
        with contextlib.suppress(SQLAlchemyError):
            await self._rooms.store.run(mark_people_seen, self._rooms.repository.engine, people, self._rooms.now())
        return [None] * len(people)


async def person_of_cookie(request: HTTPConnection) -> Person | None:
    """Return the person whose cookie came with a request; None if there is no cookie or it is unknown.

    Raise `Refusal` if the person is banned, or after too many wrong cookies from the client's address.
    """
    if not (token := cookie_token_of(request)):
        return None
    person = await _look_up_credential(request, token, rooms_of(request).people.submit)
    check_person_ban_and_record_visit(request, person)
    return person


def check_person_ban_and_record_visit(request: HTTPConnection, person: Person | None) -> None:
    """Raise `Refusal` if the person is banned; otherwise record that they visited the server.

    Visits are recorded at most once a day for each person. Do nothing if `person` is None.
    """
    if person is not None:
        ban_list_of(request).refuse_banned_person(person)
        cast(LastSeenRecorder, request.app.state.seen_today).record_visit(person.id)


#: Parameter types of route handlers: the table whose code is in the path, and the person who sent the request.
AtTable = Annotated[Room, Depends(room_of)]
Visitor = Annotated[Person | None, Depends(person_of_cookie)]


def page_shell_data_of(request: HTTPConnection, person: Person | None) -> rendering.Shell:
    """Return the data that every page needs: the visitor's name, colour theme and preferences, and the page's URL."""
    theme = request.cookies.get("facedown-theme", "auto")
    chosen = cast(Literal["auto", "light", "dark"], theme if theme in ("light", "dark") else "auto")
    name = person.name if person and person.name != NAMELESS else ""
    return rendering.Shell(
        name=name,
        theme=chosen,
        switches=rendering.enabled_switches(request.cookies),
        push_key=rooms_of(request).notices.public_key if person else "",
        root=base_url_of(request),
        path=request.url.path,
        asked=request.query_params.get("lang", ""),
    )


def base_url_of(request: HTTPConnection) -> str:
    """Return the URL of this server's home page without a trailing slash: from the settings, else from the request."""
    settings = request.app.state.settings
    if settings.public_url:
        return str(settings.public_url)
    scheme = {"ws": "http", "wss": "https"}.get(request.url.scheme, request.url.scheme)
    return f"{scheme}://{request.url.netloc}{settings.root}"


def table_link_of(request: HTTPConnection, code: str) -> str:
    """Return the full URL of the table with this code, for sharing."""
    return f"{base_url_of(request)}/t/{code}"


def client_limit_key_of(request: HTTPConnection) -> str:
    """Return the key by which limits distinguish visitors: the IPv4 address, or the /64 network of an IPv6 address."""
    return network_of(client_ip(request.scope))


def origin_hash_of(request: HTTPConnection) -> str:
    """Return the visitor's origin: a keyed hash of the IPv4 address, or of the /64 network of an IPv6 address.

    The scheduler divides computing time equally among origins.
    """
    return rooms_of(request).origins.hash_address(client_limit_key_of(request))


async def refuse_if_too_many_bot_only_matches(request: HTTPConnection) -> None:
    """Raise `Refusal` if the client's address has started too many bots-only matches that are still running."""
    rooms = rooms_of(request)
    if (
        await rooms.store.run(rooms.repository.count_running_bot_only_matches, origin_hash_of(request))
        >= rooms.settings.bots_alone
    ):
        wrong = _(
            "Too many bots-only matches started from your IP address are still running. Wait until one of them is over."
        )
        raise build_and_count_rate_limit_refusal("bots-alone", wrong)


def count_creation_and_check_limit(request: HTTPConnection) -> None:
    """Count a new table, seat or guest. Raise `Refusal` if too many came from the client's address in a short time."""
    if not limits_of(request).new_things.take_token(client_limit_key_of(request)):
        wrong = _("Not so fast: too many new tables or seats from your IP address. Wait a minute.")
        raise build_and_count_rate_limit_refusal("new-things", wrong)


def parse_bounded_number(text: str, most: int, digits: int = 6) -> int | None:
    """Parse a number of at most `digits` ASCII digits. Return None for any other text and for a number above `most`.

    >>> parse_bounded_number("3", 3), parse_bounded_number("4", 3), parse_bounded_number("-1", 3)
    (3, None, None)
    >>> parse_bounded_number("9" * 9999, 3) is None
    True
    """
    known = text.isascii() and text.isdigit() and len(text) <= digits and int(text) <= most
    return int(text) if known else None


@dataclass(frozen=True, slots=True)
class Guest:
    """The person who sent a form.

    The cookie of the request identifies the person. If the cookie is missing or unknown, the person is new, and `token`
    is the value of the cookie that the response sets.
    """

    person: Person
    token: str | None = None
    """Value of the cookie for a new person; None if the person's browser has the cookie already."""

    def add_cookie_if_new(self, request: Request, response: Response) -> Response:
        """If the person is new, add the cookie that identifies them to the response. Return the response."""
        return response if self.token is None else with_cookie(request, response, COOKIE, self.token, COOKIE_AGE)


async def get_or_create_guest(request: Request, name: str | None) -> Guest:
    """Return the person who sent a form. If the request has no known cookie, create and store a new person.

    `name` is the name that the person entered in the form:

    * A name: a known person is renamed, and a new person gets this name.
    * None or blank: a known person keeps the present name, and a new person gets the name `NAMELESS`.
    """
    rooms = rooms_of(request)
    person = await person_of_cookie(request)
    clean = clean_name(name) if name and name.strip() else None
    if person is None:
        token = new_token()
        return Guest(
            await rooms.store.run(rooms.repository.store_new_person, clean or NAMELESS, token, rooms.now()), token
        )
    if clean and clean != person.name:
        await rooms.store.run(rooms.repository.rename, person.id, clean)
        person = Person(person.id, clean)
    return Guest(person)
