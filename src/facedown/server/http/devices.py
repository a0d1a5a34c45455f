"""Pages on which a visitor makes a link that lets another browser be used as the same person, and uses such a link.

A link works once and for ten minutes. Opening it changes nothing, because apps that preview links open them, too: the
page has a button. The address of a link contains a credential, so these pages have no link preview.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from facedown.play import Refusal
from facedown.server.http.account import require_person
from facedown.server.http.ban_list import ban_list_of
from facedown.server.http.cookie_check import COOKIES_NEEDED
from facedown.server.http.per_client_limits import limits_of
from facedown.server.http.visitors import (
    NAMELESS,
    Guest,
    Visitor,
    base_url_of,
    client_limit_key_of,
    cookie_token_of,
    count_creation_and_check_limit,
    page_shell_data_of,
    rooms_of,
)
from facedown.server.i18n import _
from facedown.server.rendering.templates import render
from facedown.store import Person, devices

router = APIRouter(include_in_schema=False)


@router.get("/you/device")
async def device_page(request: Request, person: Visitor) -> Response:
    """Return the page that explains links for another device, with a button that makes one."""
    shell = page_shell_data_of(request, require_person(person))
    return HTMLResponse(render("device.html", shell=shell, link=""))


@router.post("/you/device")
async def create_link(request: Request, person: Visitor) -> Response:
    """Make a link for another device, and return the page that shows it as text and as a QR code."""
    known, rooms = require_person(person), rooms_of(request)
    count_creation_and_check_limit(request)
    browser = cookie_token_of(request)
    token = await rooms.store.run(devices.create_device_link, rooms.repository.engine, known.id, browser, rooms.now())
    # The browser may have been signed out since the visitor was looked up.
    require_person(None if token is None else known)
    link = f"{base_url_of(request)}/device/{token}"
    return HTMLResponse(render("device.html", shell=page_shell_data_of(request, known), link=link))


def _unknown_link() -> Refusal:
    wrong = _("This link doesn’t work: each link works once and for ten minutes. Make a new one on your other device.")
    return Refusal("unknown", wrong)


async def owner_of_link(request: Request, token: str) -> Person:
    """Return the person whose link for another device has this token.

    Raise `Refusal` if there is no such link, if the person is banned, or after too many wrong tokens from the client's
    address.
    """
    rooms, limits, address = rooms_of(request), limits_of(request), client_limit_key_of(request)
    limits.require_sign_in_allowed(token, address)
    owner = None
    if token.isascii() and len(token) <= 100:
        owner = await rooms.store.run(devices.person_of_device_link, rooms.repository.engine, token, rooms.now())
    limits.record_sign_in(token, address, owner is not None)
    if owner is None:
        raise _unknown_link()
    ban_list_of(request).refuse_banned_person(owner)
    return owner


LinkOwner = Annotated[Person, Depends(owner_of_link)]
"""The person whose link for another device has the token in the path."""


@router.get("/device/{token}")
async def link_page(request: Request, token: str, owner: LinkOwner, person: Visitor) -> Response:
    """Return the page that asks whether this browser shall be used as the person who made the link."""
    name = "" if owner.name == NAMELESS else owner.name
    shell, same = page_shell_data_of(request, person), person is not None and person.id == owner.id
    return HTMLResponse(render("device_link.html", shell=shell, token=token, name=name, known=person, same=same))


@router.post("/device/{token}", dependencies=COOKIES_NEEDED)
async def use_link(request: Request, token: str, owner: LinkOwner, person: Visitor) -> Response:
    """Use up a link: this browser gets a key of its own for the person who made the link.

    If the browser was used as another person, it forgets the key of that person. If it is already used as the person
    who made the link, the link stays unused.
    """
    rooms, home = rooms_of(request), RedirectResponse("/", 303)
    if person is not None and person.id == owner.id:
        return home
    engine = rooms.repository.engine
    fresh = await rooms.store.run(devices.use_device_link, engine, token, rooms.now())
    if fresh is None:
        # Another browser used the link at the same time.
        raise _unknown_link()
    await rooms.store.run(devices.delete_device_token, engine, cookie_token_of(request))
    return Guest(owner, fresh).add_cookie_if_new(request, home)
