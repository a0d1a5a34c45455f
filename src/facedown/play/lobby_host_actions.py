"""Actions of a table's host before the deal: seat bots, remove players, add and remove seats, change the rules.

An action does not modify the session. It returns a `Change`, which the caller saves and then applies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from facedown.core.grammar import PlayerPhrase
from facedown.play.bot_interface import Bots, unused_bot_name
from facedown.play.i18n import _, translatable_text
from facedown.play.new_tables import check_level, complete_options
from facedown.play.presence import SEAT_FREE_AFTER
from facedown.play.records import Change, Refusal, Seat, Settings, TableRecord, require
from facedown.play.seat_announcements import SEAT_FREE
from facedown.play.seat_clocks import check_settings
from facedown.play.session import Session

#: Maximum number of removed persons that a table's record lists. Beyond it, the earliest are dropped.
MOST_REMOVED = 50


def remove_player(session: Session, person: int | None, index: int) -> Change:
    """Return the change that removes the player in the seat at `index`, who cannot sit down again until readmitted.

    Raise `Refusal` if the requesting `person` is not the host. Also raise it if the seat is empty, or if a bot or the
    host has it.
    """
    session.require_host_in_lobby(person)
    seat = session.seat_at(index)
    if seat.kind != "person" or seat.person is None:
        raise Refusal("conflict", _("There’s no player in that seat to remove."))
    require(seat.person != person, "forbidden", _("You can’t remove yourself. Leave the table instead."))
    removed = (*session.record.removed, (seat.person, seat.name))[-MOST_REMOVED:]
    return session.new_change(replace(session.record.with_seat(index, Seat()), removed=removed))


def readmit_player(session: Session, person: int | None, name: str) -> Change:
    """Return the change that allows all removed persons with this name to sit down again.

    Raise `Refusal` if the requesting `person` is not the host, or if no removed person has the name.
    """
    session.require_host_in_lobby(person)
    left = tuple(one for one in session.record.removed if one[1] != name)
    require(
        left != session.record.removed, "conflict", _("{name} is not on the list of removed players.", name=name[:40])
    )
    return session.new_change(replace(session.record, removed=left))


def swap_players(session: Session, person: int | None, index: int, other: int) -> Change:
    """Return the change that swaps the players in the seats `index` and `other`, and so changes the turn order.

    Raise `Refusal` if the requesting `person` is not the host, or if a seat does not exist.
    """
    session.require_host_in_lobby(person)
    one, two = session.seat_at(index), session.seat_at(other)
    require(index != other, "malformed", _("Choose two different seats."))
    return session.new_change(session.record.with_seat(index, two).with_seat(other, one))


def seat_bot(session: Session, person: int | None, index: int, level: str, bots: Bots, now: float) -> Change:
    """Return the change that gives an open seat to a bot, or changes the level of the bot that has the seat.

    Raise `Refusal` if the requesting `person` is not the host, or if a person has the seat.
    """
    session.require_host_in_lobby(person)
    check_level(bots, level)
    old = session.seat_at(index)
    require(old.kind != "person", "conflict", _("That seat is taken by {name}.", name=old.name))
    name = old.name or unused_bot_name([seat.name for seat in session.record.seats])
    return session.new_lobby_change(session.record.with_seat(index, Seat("bot", name, level=level, ready=True)), now)


def open_seat(session: Session, person: int | None, index: int, now: float = 0.0) -> Change:
    """Return the change that frees a seat for a new player: a bot's seat, or that of a guest away for too long.

    A guest is a player other than the host. Raise `Refusal` in three cases:

    * `person`, who makes the request, is not the host.
    * The seat at `index` is the host's own seat.
    * The seat belongs to a guest who has not been away for at least `SEAT_FREE_AFTER` seconds.
    """
    session.require_host_in_lobby(person)
    old = session.seat_at(index)
    may_open = old.kind != "person" or may_open_absent_seat(session, index, now)
    require(may_open, "forbidden", _("This seat belongs to {name}. Only {name} can give it up.", name=old.name))
    return session.new_change(session.record.with_seat(index, Seat()))


def remove_seat(session: Session, person: int | None, index: int, now: float) -> Change:
    """Return the change that removes the seat at `index`. If all remaining seats are ready, it includes the deal.

    Raise `Refusal` if the requesting `person` is not the host, or if a person has the seat.
    """
    session.require_host_in_lobby(person)
    seat, seats = session.seat_at(index), session.record.seats
    taken = _("This seat belongs to {name}. Only {name} can give it up.", name=seat.name)
    require(seat.kind != "person", "forbidden", taken)
    return session.new_lobby_change(_record_with_seats(session, (*seats[:index], *seats[index + 1 :])), now)


def add_seat(session: Session, person: int | None) -> Change:
    """Return the change that adds an open seat.

    Raise `Refusal` if the requesting `person` is not the host, or if the game allows no more seats.
    """
    session.require_host_in_lobby(person)
    return session.new_change(_record_with_seats(session, (*session.record.seats, Seat())))


def _record_with_seats(session: Session, seats: tuple[Seat, ...]) -> TableRecord:
    """Return the table's record with `seats` in place of the present seats, and with options for the new seat count.

    Raise `Refusal` if the game cannot be played with that many seats.
    """
    return replace(session.record, seats=seats, options=options_for_seat_count(session, len(seats)))


def options_for_seat_count(session: Session, seats: int) -> Mapping[str, str]:
    """Return the options that the table gets if its number of seats changes to `seats`.

    Some defaults depend on the number of seats. An option that has the default for the old number gets the default for
    the new number. All other options keep their values.
    """
    record = session.record
    usual = session.game.info.complete(len(record.seats), {})
    chosen = {name: text for name, text in record.options.items() if text != usual.get(name)}
    return complete_options(record.game, seats, chosen)


def change_rules(session: Session, person: int | None, options: Mapping[str, str], settings: Settings) -> Change | None:
    """Return the change that replaces the options and settings of the table. Return None if they stay the same.

    All persons but the host must confirm again that they are ready. Players that are programs (API clients) stay ready.
    Raise `Refusal` if the requesting `person` is not the host.
    """
    session.require_host_in_lobby(person)
    check_settings(settings)
    record = session.record
    complete = complete_options(record.game, len(record.seats), options)
    if complete == dict(record.options) and settings == record.settings:
        return None
    asked = (seat.kind == "person" and seat.person != person and not seat.key_hash for seat in record.seats)
    seats = tuple(replace(seat, ready=seat.ready and not ask) for seat, ask in zip(record.seats, asked, strict=True))
    return session.new_change(replace(record, seats=seats, options=complete, settings=settings))


def may_open_absent_seat(session: Session, index: int, now: float) -> bool:
    """Return whether the host may take the seat at `index` from its absent player and free it for a new player.

    This is allowed only before the deal, and only if the player is a guest (a person who is not the host) who has been
    away for at least `SEAT_FREE_AFTER` seconds.
    """
    seat = session.record.seats[index]
    guest = seat.kind == "person" and seat.person != session.record.host and session.record.status == "lobby"
    return guest and session.presence.away_for(index, now) >= SEAT_FREE_AFTER


def open_long_absent_seats(session: Session, now: float) -> Change | None:
    """Return the change that frees the seats of all guests who have been away for at least `SEAT_FREE_AFTER` seconds.

    A guest is a person at the table who is not the host. Guests who lose their seats may sit down again. Return None if
    no guest has been away for that long, if the cards have been dealt, or if the table's settings keep the seats of
    absent players.
    """
    record = session.record
    gone = [i for i in range(len(record.seats)) if record.settings.free_away and may_open_absent_seat(session, i, now)]
    for index in gone:
        record = record.with_seat(index, Seat())
    tells = tuple(translatable_text(SEAT_FREE, who=PlayerPhrase((session.record.seats[index].name,))) for index in gone)
    return session.new_change(record, tells=tells) if gone else None
