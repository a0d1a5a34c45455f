"""Requests of browsers to get notices by Web Push, or to get them no more (``/push/…``)."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from facedown.core.translation import language
from facedown.play import Refusal
from facedown.play.notice_times import DEFAULT_ZONE, time_zone
from facedown.server.http.visitors import Visitor, count_creation_and_check_limit, rooms_of
from facedown.server.i18n import _
from facedown.server.notices.outgoing_client import MAX_URL_LENGTH, is_sendable_url
from facedown.server.notices.push_message import are_valid_keys
from facedown.store import Person
from facedown.store.push_subscriptions import BrowserKeys, delete_subscription, store_subscription

router = APIRouter(include_in_schema=False, default_response_class=JSONResponse)

Endpoint = Annotated[str, Field(max_length=MAX_URL_LENGTH)]


class SubscriptionForm(BaseModel):
    """A browser that wants to get notices, as its page sends it.

    `p256dh` and `auth` are the keys of the browser, `zone` is its time zone, and `replaces` the address that its push
    service has replaced by a new one.
    """

    model_config = ConfigDict(extra="forbid")

    endpoint: Endpoint
    p256dh: Annotated[str, Field(max_length=100)]
    auth: Annotated[str, Field(max_length=40)]
    zone: Annotated[str, Field(max_length=64)] = DEFAULT_ZONE
    replaces: Endpoint = ""


class EndpointForm(BaseModel):
    """A browser that wants no more notices."""

    model_config = ConfigDict(extra="forbid")

    endpoint: Endpoint


@router.post("/push/subscription")
async def subscribe(request: Request, person: Visitor, form: SubscriptionForm) -> Response:
    """Store that this browser gets notices, or renew its keys, language and time zone."""
    rooms = rooms_of(request)
    if not rooms.notices.public_key:
        raise Refusal("unknown", _("There is nothing at this address."))
    someone = _known(person)
    keys = BrowserKeys(form.endpoint, form.p256dh, form.auth)
    if not is_sendable_url(keys.endpoint) or not are_valid_keys(keys):
        raise Refusal("malformed", _("This browser’s push service can’t be used."))
    count_creation_and_check_limit(request)
    zone = time_zone(form.zone).key
    await rooms.store.run(
        store_subscription, rooms.repository.engine, someone.id, keys, language(), zone, rooms.now(), form.replaces
    )
    return Response(status_code=204)


@router.post("/push/unsubscribe")
async def unsubscribe(request: Request, person: Visitor, form: EndpointForm) -> Response:
    """Send no more notices to this browser."""
    rooms = rooms_of(request)
    await rooms.store.run(delete_subscription, rooms.repository.engine, _known(person).id, form.endpoint)
    return Response(status_code=204)


def _known(person: Person | None) -> Person:
    """Return the visitor. Raise `Refusal` if the server does not know them."""
    if person is None:
        raise Refusal("forbidden", _("This browser is new here: join a table first."))
    return person
