"""Rematches by consent: players ask for a rematch, and answer, on the page of the finished match.

Only players who agree get a seat at the next table. If one of two players has blocked the other, only the first of them
who agrees gets a seat.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from facedown.core.grammar import PlayerPhrase, capital
from facedown.core.state import SPECTATOR
from facedown.core.translation import LazyText, join_names
from facedown.play import Change, Refusal, Session
from facedown.play import rematch as asking
from facedown.play.bot_interface import level_name_and_description
from facedown.play.records import Seat
from facedown.play.seat_search import people_at
from facedown.server import rendering
from facedown.server.i18n import N_, _
from facedown.server.table import blocks
from facedown.server.table.room import Room
from facedown.server.table.room_registry import Rooms
from facedown.store import Person
from facedown.store.blocks import pairs_kept_apart

Answer = Literal["yes", "no", "on"]
ANSWERS: tuple[Answer, ...] = ("yes", "no", "on")


async def handle_rematch_answer(rooms: Rooms, room: Room, person: Person, words: str, level: str = "") -> Room | None:
    """Handle a player's answer to the offer of a rematch. Return the table of the next match.

    Return None if there is no such table: no player has asked for a rematch, or the offer is no longer open.

    `words` is one of:

    * "yes": ask for a rematch, or accept the offer of another player.
    * "no": decline the offer.
    * "on": stop waiting for players who have not answered.

    `level` is the key of the next stronger bot level if the player asks for stronger bots, else "".
    """
    session = room.session
    seat = session.seat_of(person.id)
    if seat is None:
        raise Refusal("forbidden", _("You had no seat at this table."))
    if session.record.status != "finished":
        raise Refusal("conflict", _("This match is not over yet."))
    if words not in ANSWERS:
        raise Refusal("malformed", _("The answer must be one of these: {words}.", words=", ".join(ANSWERS)))
    place = session.record.seats[seat]
    name = place.name
    following = await pending_rematch(room)
    if level and level != (
        found.key if (found := asking.stronger_level_after_win(session, seat, rooms.settings.bots)) else ""
    ):
        raise Refusal("malformed", _("There is no stronger bot for this table."))
    if words == "yes":
        following = following or await _open_rematch(rooms, room, person, name, level)
        before = asking.answers(session.record, following.session.record)[seat]
        apart = await blocks.persons_apart_from(room, person.id)
        change = await following.request_change(lambda new: _agree(new, person, place, apart, rooms.now()))
        host = following.session.record.host
        if change is not None and before != "yes" and host != person.id:
            room.announce(LazyText(_, N_("{name} agrees to play again."), {"name": name}))
    elif following is not None and words == "no":
        if await following.request_change(lambda new: asking.decline(new, person.id)) is not None:
            room.announce(LazyText(_, N_("{name} says “not now”."), {"name": name}))
    elif following is not None:
        await following.request_change(lambda new: asking.open_unanswered_seats(new, person.id))
    room.notify_subscribers()
    return following


def _agree(new: Session, person: Person, place: Seat, apart: frozenset[int], now: float) -> Change | None:
    """Return the change of `asking.agree`. It also opens the seats of persons `apart` who have not agreed.

    `place` is the person's seat at the old table. Raise `Refusal` if one of the persons `apart` has agreed.
    """
    waiting = {seat.person for seat in new.record.seats if seat.person is not None and not seat.ready}
    if new.seat_of(person.id) is None or person.id in waiting:
        blocks.require_not_kept_apart(new, apart - waiting)
    change = asking.agree(new, person.id, place.name, now, asking.placeholder_key_hash(place))
    if change is None or new.match is not None or apart.isdisjoint(waiting):
        return change
    # The cards are not dealt by this change, because the persons who wait are not ready.
    return replace(change, record=blocks.without_seats_of(change.record, apart))


async def pending_rematch(room: Room) -> Room | None:
    """Return the table of the next match while the offer of a rematch is open, else None.

    `room` is the table of the finished match. When a player asks for a rematch, the table of the next match is created.
    From then on, the offer is open for `OFFER_TIMEOUT` seconds (`facedown.play.rematch`). It ends earlier if all
    persons leave the new table before the deal, or if that table is deleted.
    """
    await room.load_successor()
    following = room.successor
    if following is None:
        return None
    with contextlib.suppress(Refusal):
        await following.refresh_if_database_is_newer()
    return (
        following
        if not following.is_deleted and asking.is_rematch_open(following.session.record, room.services.now())
        else None
    )


async def _open_rematch(rooms: Rooms, room: Room, person: Person, name: str, level: str) -> Room:
    """Create and return the table of the next match, because a player asks for a rematch.

    * `room`: the table of the finished match.
    * `person`: the player who asks; `name`: this player's name in the finished match, which is announced.
    * `level`: the key of the level of all bots in the next match; "" keeps their present levels.

    If one of two players has blocked the other, their seats are open; only the player who asks keeps theirs. If two
    players ask at the same time, both calls create a table but return the same one. The other table is not used.
    """
    record = asking.rematch(room.session.record, person.id, rooms.now(), level)
    pairs = await rooms.store.run(pairs_kept_apart, rooms.repository.engine, people_at(record))
    made = await rooms.store_new_table(blocks.without_seats_of(record, frozenset().union(*pairs) - {person.id}))
    old = room.session.record.successor
    change = await room.request_change(
        lambda session: session.set_rematch_code(made.session.code) if session.record.successor == old else None
    )
    await room.load_successor()
    if change is not None:
        room.announce(LazyText(_, N_("{name} wants to play again."), {"name": name}))
    return room.successor or made


def rematch_panel(room: Room, viewer: int) -> rendering.RematchPanel | None:
    """Return the panel about a rematch on the page of a finished match. `viewer` is a seat or `SPECTATOR`.

    Return None for a spectator while no player has asked for a rematch.
    """
    session, now = room.session, room.services.now()
    seated = viewer != SPECTATOR
    following = room.successor.session if room.successor is not None else None
    if following is None or not asking.is_rematch_open(following.record, now):
        return rendering.RematchPanel(may=True, stronger=_stronger_bots_offer(room, viewer)) if seated else None
    return _pending_panel(session, following, viewer)


def _stronger_bots_offer(room: Room, viewer: int) -> tuple[str, str]:
    """Return the offer of stronger bots after a win against bots, as (key of the next level, text of the button).

    Return ("", "") if there is no such offer.
    """
    level = asking.stronger_level_after_win(room.session, viewer, room.services.settings.bots)
    if level is None:
        return "", ""
    others = [seat.name for index, seat in enumerate(room.session.record.seats) if index != viewer]
    label = rendering.mid_sentence_label(level_name_and_description(level)[0])
    if len(others) == 1:
        return level.key, _("Play {bot} ({level})", level=label, bot=others[0])
    return level.key, _("Play {level} bots", level=label)


def _pending_panel(session: Session, following: Session, viewer: int) -> rendering.RematchPanel:
    old, new = session.record, following.record
    says = asking.answers(old, new)
    asker = next((i for i, seat in enumerate(old.seats) if seat.kind == "person" and seat.person == new.host), None)
    name = next((seat.name for seat in new.seats if seat.person == new.host), _("Somebody"))
    silent = [index for index, said in enumerate(says) if not said]
    refused = [index for index, said in enumerate(says) if said == "no"]
    others = [old.seats[index].name for index in silent if index != viewer]
    decides = PlayerPhrase((), True) if asker == viewer else PlayerPhrase((name,))
    begun = new.status != "lobby"
    title = _("You want to play again.") if asker == viewer else _("{name} wants to play again.", name=name)
    missing, foot = [], ""
    if begun:
        agreed = [i for i, said in enumerate(says) if said == "yes" and old.seats[i].kind == "person"]
        together = _seat_names_phrase(session, sorted(agreed, key=lambda i: i != viewer), viewer)
        title = capital(_("{who} {who:are|is} playing again.", who=together))
    else:
        for seats, says_so in (
            (silent, N_("{who} {who:haven’t|hasn’t} answered yet.")),
            (refused, N_("{who} {who:don’t|doesn’t} want to play now.")),
        ):
            if seats:
                who = _seat_names_phrase(session, sorted(seats, key=lambda seat: seat == viewer), viewer)
                missing.append(capital(_(says_so, who=who)))
        if others:
            foot = _(
                "If {other} says no, {who:you} {who:decide|decides} who gets the seat.",
                other=others[0],
                who=decides,
            )
        elif refused:
            foot = _("A seat is open: {who:you} {who:decide|decides} who takes it.", who=decides)
    return rendering.RematchPanel(
        may=viewer != SPECTATOR,
        asked=True,
        title=title,
        people=tuple(
            rendering.RematchPerson(seat.name, seat.kind == "bot", index == viewer, says[index])
            for index, seat in enumerate(old.seats)
        ),
        missing=" ".join(missing),
        mine=says[viewer] if viewer != SPECTATOR else "",
        asker=asker == viewer,
        asker_name=name,
        waiting=join_names(others),
        begun=begun,
        url=f"/t/{new.code}",
        foot=foot,
    )


def _seat_names_phrase(session: Session, seats: Sequence[int], viewer: int) -> PlayerPhrase:
    """Return the names of the players at `seats`, in the order given, as a phrase such as "you and Mara".

    The player at the viewer's seat is called "you".
    """
    if list(seats) == [viewer]:
        return PlayerPhrase((), True)
    return PlayerPhrase(tuple("" if seat == viewer else session.record.seats[seat].name for seat in seats))
