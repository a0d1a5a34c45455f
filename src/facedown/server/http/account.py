"""The page "Your data", on which visitors download or delete their data, sign out, or replace the key in their cookie.

A visitor's browser keeps a random key in a cookie. The key identifies the visitor, who has no other account.
"""

from __future__ import annotations

import json

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from facedown.core import game_registry as registry
from facedown.play import Refusal
from facedown.play.user_input import format_code
from facedown.server.http.page_and_form_handlers import form_fields
from facedown.server.http.visitors import (
    COOKIE,
    Guest,
    Visitor,
    cookie_token_of,
    count_creation_and_check_limit,
    page_shell_data_of,
    parse_bounded_number,
    rooms_of,
)
from facedown.server.i18n import _
from facedown.server.rendering.base_path import cookie_path
from facedown.server.rendering.templates import render
from facedown.server.table import access_revocation
from facedown.store import Person, blocks, invitations
from facedown.store.devices import delete_device_token
from facedown.store.personal_data import data_for_person, rotate_browser_key, sign_out

router = APIRouter(include_in_schema=False)

#: Value that a form sends for a ticked checkbox.
CHECKBOX_ON = "on"


@router.get("/you")
async def account_page(request: Request, person: Visitor, done: str = "") -> Response:
    """Return the page "Your data", which lists the visitor's tables.

    The page has buttons to download all data stored about the visitor, to delete these data, to unblock and unmute
    persons, to sign out, and to replace the key in the visitor's cookie. If the browser sent no valid cookie, the page
    only says that nothing is stored about the visitor.

    `done` is the action that the page reports as completed: "out" (signed out), "key" (key replaced), "unblocked" (a
    person unblocked), "unmuted" (a person unmuted), "gone" (data deleted) or "" (none).
    """
    return HTMLResponse(await _page(request, person, done=done))


async def _page(request: Request, person: Person | None, done: str = "", error: str = "") -> str:
    rooms, tables, blocked, muted = rooms_of(request), [], {}, {}
    if person is not None:
        for one in await rooms.store.run(rooms.repository.tables_of, person.id):
            if one.record.game in registry.catalogue():
                title = registry.info(one.record.game).title
                words = _("{game}, table {code}", game=title, code=format_code(one.record.code))
                tables.append((f"/t/{one.record.code}", words))
        blocked = await rooms.store.run(blocks.blocked_by, rooms.repository.engine, person.id)
        muted = await rooms.store.run(invitations.muted_by, rooms.repository.engine, person.id)
    said = {
        "out": _("You’re signed out in this browser."),
        "key": _("You have a new key. All your other browsers are signed out."),
        "unblocked": _("You can be seated together again."),
        "unmuted": _("You’ll get invitations from this person again."),
        "gone": _("Your data has been deleted. Your name no longer appears anywhere here."),
    }.get(done, "")
    shell = page_shell_data_of(request, person)
    return render(
        "you.html",
        shell=shell,
        known=person is not None,
        tables=tables,
        blocked=blocked,
        muted=muted,
        new_key=done == "key",
        said=said,
        error=error,
    )


def require_person(person: Person | None) -> Person:
    """Return `person`. Raise `Refusal` if it is None, that is, if the browser sent no valid cookie."""
    if person is None:
        raise Refusal("forbidden", _("This server doesn’t recognise this browser, so nothing about you is stored."))
    return person


def _redirect_deleting_cookie(where: str) -> Response:
    answer = RedirectResponse(where, 303)
    answer.delete_cookie(COOKIE, path=cookie_path(), httponly=True, samesite="lax")
    return answer


@router.post("/you/out")
async def sign_out_browser(request: Request, person: Visitor) -> Response:
    """Sign out in this browser. If the browser was added by a link, its key becomes invalid.

    If the form field `everywhere` is ticked, the key in the person's cookie becomes invalid, which signs the person out
    in all browsers.
    """
    everywhere, rooms = (await form_fields(request, 10)).get("everywhere") == CHECKBOX_ON, rooms_of(request)
    if person is not None:
        engine = rooms.repository.engine
        if everywhere:
            await rooms.store.run(sign_out, engine, person.id)
        if everywhere or await rooms.store.run(delete_device_token, engine, cookie_token_of(request)):
            access_revocation.close_connections(rooms, person.id)
    return _redirect_deleting_cookie("/you?done=out")


@router.post("/you/unblock")
async def unblock_person(request: Request, person: Visitor) -> Response:
    """Delete the visitor's block of the person with the id in the form field `blocked`."""
    known, rooms = require_person(person), rooms_of(request)
    blocked = parse_bounded_number((await form_fields(request, 10)).get("blocked", ""), 2**31 - 1, 10)
    if blocked is not None:
        await rooms.store.run(blocks.unblock, rooms.repository.engine, known.id, blocked)
    return RedirectResponse("/you?done=unblocked", 303)


@router.post("/you/unmute")
async def unmute_person(request: Request, person: Visitor) -> Response:
    """Show the visitor invitations again by the person with the id in the form field `muted`."""
    known, rooms = require_person(person), rooms_of(request)
    muted = parse_bounded_number((await form_fields(request, 10)).get("muted", ""), 2**31 - 1, 10)
    if muted is not None:
        await rooms.store.run(invitations.unmute_inviter, rooms.repository.engine, known.id, muted)
    return RedirectResponse("/you?done=unmuted", 303)


@router.post("/you/key")
async def replace_key(request: Request, person: Visitor) -> Response:
    """Replace the key in the person's cookie. This browser gets the new key; all other browsers are signed out."""
    known = require_person(person)
    count_creation_and_check_limit(request)
    rooms = rooms_of(request)
    token = await rooms.store.run(rotate_browser_key, rooms.repository.engine, known.id)
    access_revocation.close_connections(rooms, known.id)
    return Guest(known, token).add_cookie_if_new(request, RedirectResponse("/you?done=key", 303))


@router.get("/you/data")
async def download_data(request: Request, person: Visitor) -> Response:
    """Return all stored data of the person as a JSON file."""
    known = require_person(person)
    count_creation_and_check_limit(request)
    rooms = rooms_of(request)
    found = await rooms.store.run(data_for_person, rooms.repository.engine, known.id)
    named = {"content-disposition": 'attachment; filename="facedown-your-data.json"'}
    return Response(json.dumps(found, ensure_ascii=False, indent=1), media_type="application/json", headers=named)


@router.post("/you/forget")
async def forget_visitor(request: Request, person: Visitor) -> Response:
    """Delete the person's data if the form's checkbox is ticked; otherwise return the page with an error."""
    known = require_person(person)
    if (await form_fields(request, 10)).get("sure") != CHECKBOX_ON:
        wrong = _("Please tick the box to confirm. This cannot be undone.")
        return HTMLResponse(await _page(request, known, error=wrong), 422)
    await access_revocation.erase_person_and_disconnect(rooms_of(request), known.id)
    return _redirect_deleting_cookie("/you?done=gone")
