"""Visitor of a request: person by cookie or seat token, guests, theme, and limits on what a visitor creates."""

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
from facedown.play.user_input import clean_code, is_code, shown_code
from facedown.server import rendering
from facedown.server.http.ban_list import ban_list_of
from facedown.server.http.client_address import client_ip, network_of
from facedown.server.http.refusal_response import API
from facedown.server.http.request_limits import limits_of, too_fast
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
    """Return the live tables of the application."""
    return cast(Rooms, request.app.state.rooms)


async def room_of(request: HTTPConnection, code: str) -> Room:
    """Return the table with a code; case and spacing of the code don't matter. Raise `Refusal` if it does not exist.

    After too many wrong codes from an address, a table can be opened from there only by its players and spectators.
    """
    meant, guesses, address = clean_code(code), limits_of(request).wrong_codes, client_network_of(request)
    if guesses.seconds_until_token(address) and not await _is_at_table(request, meant):
        wrong = _("Too many wrong codes from your IP address. Wait a minute, then try again.")
        raise too_fast("wrong-codes", wrong)
    try:
        if not is_code(meant):
            # A text that is no valid code is not looked up: the database could not even store some characters.
            raise Refusal("unknown", _("Table {code} does not exist.", code=shown_code(meant)))
        room = await rooms_of(request).room(meant)
        await room.refresh_if_stale()
    except Refusal as refusal:
        if refusal.code == "unknown":
            guesses.take(address)
        raise
    room.mark_viewed()
    return room


async def _is_at_table(request: HTTPConnection, code: str) -> bool:
    """Return whether the visitor has a seat at the table or watches it. The lookups are the same for every code."""
    rooms = rooms_of(request)
    token = bearer_of(request)
    if request.url.path.startswith(API) or (request.scope["type"] == "websocket" and token):
        person = await person_of_seat_token(request, token) if token else None
    else:
        person = await person_of(request)
    return person is not None and await rooms.store.run(rooms.repository.is_player_or_spectator, code, person.id)


def bearer_of(request: HTTPConnection) -> str:
    """Return the seat token in the `Authorization` header of a request, or ""."""
    kind, _blank, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


async def person_of_seat_token(request: HTTPConnection, token: str) -> Person | None:
    """Return the person with this seat token, or None.

    Raise `Refusal` after too many wrong tokens from this address.
    """
    rooms = rooms_of(request)
    return await _look_up_credential(request, token, partial(rooms.store.run, rooms.repository.person_by_seat_token))


async def _look_up_credential(
    request: HTTPConnection, token: str, look_up: Callable[[str], Awaitable[Person | None]]
) -> Person | None:
    limits, address = limits_of(request), client_network_of(request)
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


def cookie_of(request: HTTPConnection) -> str:
    """Return the guest token in the cookie of a request, or "" if it is missing or its length is wrong."""
    token = request.cookies.get(COOKIE, "")
    return token if 20 <= len(token) <= 100 else ""


class LastSeenRecorder:
    """Saves the day on which each person was last here, once a day and in batches. No request waits for the write."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._day = 0
        self._people: set[int] = set()
        """Ids of the persons recorded on this day."""
        self._unsaved: Batcher[int, None] = Batcher(self._save)

    def note(self, person: int) -> None:
        """Record that a person is here today, unless that is recorded already."""
        day = int(self._rooms.now() // DAY)
        if day != self._day:
            self._day, self._people = day, set()
        if person not in self._people:
            self._people.add(person)
            self._rooms.errand(self._unsaved.submit(person))

    async def _save(self, people: Sequence[int]) -> list[None]:
        # If saving fails, the person's next visit on another day saves a newer time.
        with contextlib.suppress(SQLAlchemyError):
            await self._rooms.store.run(mark_people_seen, self._rooms.repository.engine, people, self._rooms.now())
        return [None] * len(people)


async def person_of(request: HTTPConnection) -> Person | None:
    """Return the person whose cookie came with a request, or None.

    Raise `Refusal` if the person is banned, or after too many wrong cookies from this address.
    """
    if not (token := cookie_of(request)):
        return None
    person = await _look_up_credential(request, token, rooms_of(request).people.submit)
    check_ban_and_record_visit(request, person)
    return person


def check_ban_and_record_visit(request: HTTPConnection, person: Person | None) -> None:
    """Raise `Refusal` if the person is banned; else record that they were here today. None is accepted."""
    if person is not None:
        ban_list_of(request).refuse_banned_person(person)
        cast(LastSeenRecorder, request.app.state.seen_today).note(person.id)


#: Parameter types of route handlers: the table whose code is in the path, and the person who sent the request.
AtTable = Annotated[Room, Depends(room_of)]
Visitor = Annotated[Person | None, Depends(person_of)]


def shell_of(request: HTTPConnection, person: Person | None) -> rendering.Shell:
    """Return the visitor's data for the frame of every page: name, theme, switches, URL."""
    theme = request.cookies.get("facedown-theme", "auto")
    chosen = cast(Literal["auto", "light", "dark"], theme if theme in ("light", "dark") else "auto")
    name = person.name if person and person.name != NAMELESS else ""
    return rendering.Shell(
        name=name,
        theme=chosen,
        switches=rendering.enabled_switches(request.cookies),
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


def link_of(request: HTTPConnection, code: str) -> str:
    """Return the full URL of a table, for sharing."""
    return f"{base_url_of(request)}/t/{code}"


def client_network_of(request: HTTPConnection) -> str:
    """Return the address or network by which the visitor is counted (`network_of`)."""
    return network_of(client_ip(request.scope))


def origin_hash_of(request: HTTPConnection) -> str:
    """Return the keyed hash of the visitor's network. Computing time is divided equally among these hashes."""
    return rooms_of(request).origins.of(client_network_of(request))


async def limit_bot_only_tables(request: HTTPConnection) -> None:
    """Raise `Refusal` if too many matches between bots, opened from this address, are running."""
    rooms = rooms_of(request)
    if await rooms.store.run(rooms.repository.count_bot_matches, origin_hash_of(request)) >= rooms.settings.bots_alone:
        wrong = _("Too many bots-only matches are running from your IP address. Wait until one of them is over.")
        raise too_fast("bots-alone", wrong)


def limit_creations(request: HTTPConnection) -> None:
    """Count a new table, seat or guest. Raise `Refusal` if too many came from this address in a short time."""
    if not limits_of(request).new_things.take(client_network_of(request)):
        wrong = _("Not so fast: too many new tables or seats from your IP address. Wait a minute.")
        raise too_fast("new-things", wrong)


def parse_bounded_number(text: str, most: int, digits: int = 6) -> int | None:
    """Return the number that `text` writes in at most `digits` ASCII digits; None for other texts and above `most`.

    >>> parse_bounded_number("3", 3), parse_bounded_number("4", 3), parse_bounded_number("-1", 3)
    (3, None, None)
    >>> parse_bounded_number("9" * 9999, 3) is None
    True
    """
    known = text.isascii() and text.isdigit() and len(text) <= digits and int(text) <= most
    return int(text) if known else None


@dataclass(frozen=True, slots=True)
class Guest:
    """The person who sent a form, and the new cookie if they had none."""

    person: Person
    token: str | None = None
    """Token for the cookie of a new person; None if the person has a cookie."""

    def set_cookie(self, request: Request, response: Response) -> Response:
        """Return the response, with the cookie added for a new person."""
        return response if self.token is None else with_cookie(request, response, COOKIE, self.token, COOKIE_AGE)


async def guest_of(request: Request, name: str | None) -> Guest:
    """Return the visitor as a guest. A new visitor is stored as a person; `name` renames an existing one (None: no
    change).
    """
    rooms = rooms_of(request)
    person = await person_of(request)
    clean = clean_name(name) if name and name.strip() else None
    if person is None:
        token = new_token()
        return Guest(await rooms.store.run(rooms.repository.new_person, clean or NAMELESS, token, rooms.now()), token)
    if clean and clean != person.name:
        await rooms.store.run(rooms.repository.rename, person.id, clean)
        person = Person(person.id, clean)
    return Guest(person)
