"""Personal data of one person: export and erasure of the data, sign-out, and a new credential for the browser."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine, RowMapping

from facedown.play.user_input import unique_name
from facedown.store import schema
from facedown.store.engine import fetch_all, read_transaction, write_transaction
from facedown.store.errors import StoreError
from facedown.store.repository import hash_token, new_token

#: Name shown in place of a person whose data was erased.
FORGOTTEN = "Guest"

_people, _matches, _seats, _chat = schema.people, schema.matches, schema.seats, schema.chat
#: Columns of a seat and of its match that an export of personal data contains.
_SEAT_COLUMNS = (
    *(_matches.c[name] for name in ("code", "game", "status", "started", "finished")),
    *(_seats.c[name] for name in ("seat", "name")),
)


#: Columns with the ids of persons, by database table, for all tables whose rows are deleted with a person's data.
#: Notices are deleted with their subscriptions.
_COLUMNS_OF_PERSON: tuple[tuple[sa.Column[Any], ...], ...] = (
    (schema.watchers.c.person,),
    (schema.seekers.c.person,),
    (schema.blocks.c.person, schema.blocks.c.blocked),
    (schema.reports.c.reporter, schema.reports.c.person),
    (schema.push_subscriptions.c.person,),
    (schema.device_tokens.c.person,),
    (schema.device_links.c.person,),
    (schema.invitations.c.person, schema.invitations.c.inviter),
    (schema.invite_mutes.c.person, schema.invite_mutes.c.muted),
)


def rotate_browser_key(engine: Engine, person: int) -> str:
    """Give a person a new browser key and return the key. The old key and those of further browsers become invalid.

    The browser key is the token in a cookie by which the server recognises the person. Links that add a browser are
    deleted, and the addresses for notices; the browser that gets the new key sends its address again. Raise
    `StoreError` if the person does not exist.
    """
    token = new_token()
    _set_key(engine, person, hash_token(token))
    return token


def sign_out(engine: Engine, person: int) -> None:
    """Invalidate all browser keys of a person, which signs the person out in every browser.

    A browser key is the token in a cookie by which the server recognises the person. Links that add a browser are
    deleted, and the addresses for notices. Tokens of seats, which programs use, stay valid. Raise `StoreError` if the
    person does not exist.
    """
    _set_key(engine, person, None)


def _set_key(engine: Engine, person: int, hashed: str | None) -> None:
    with write_transaction(engine) as connection:
        # This also locks the person's row, so that no link is made or used at the same time.
        known = connection.execute(sa.update(_people).where(_people.c.id == person).values(token_hash=hashed)).rowcount
        if not known:
            raise StoreError(f"person {person} does not exist")
        for table in (schema.device_links, schema.device_tokens, schema.push_subscriptions):
            connection.execute(sa.delete(table).where(table.c.person == person))


def find_person_ids(engine: Engine, word: str) -> list[int]:
    """Return the ids of the persons whose id, name (ignoring case) or token is `word`."""
    people, seats = _people.c, _seats.c
    hashed = hash_token(word.strip())
    keyed = sa.select(seats.person).where(seats.key_hash == hashed)
    devices = sa.select(schema.device_tokens.c.person).where(schema.device_tokens.c.token_hash == hashed)
    same = [sa.func.lower(people.name) == word.strip().lower(), people.token_hash == hashed]
    same += [people.id.in_(keyed), people.id.in_(devices)]
    if word.isascii() and word.isdigit() and int(word) < 2**31:
        same.append(people.id == int(word))
    return [row.id for row in fetch_all(engine, sa.select(people.id).where(sa.or_(*same)).order_by(people.id))]


def _person_and_tables(connection: Connection, person: int) -> tuple[RowMapping, dict[str, list[Any]]]:
    """Return a person's row, and a dictionary of lists that both exports of personal data contain.

    * "watched", "opened", "next_seats": the codes of the game tables that the person watches as a spectator, that the
      person opened, and at which the person takes a bot's seat over when the next round is dealt.
    * "bans", "searches", "blocked", "reported": the person's bans, searches for a seat, blocks of others, and reports
      of others without the chat messages of these. Blocks and reports of the person by others are not contained.
    * "browsers_with_notices", "notices": the browsers that get notices, without their addresses and keys, and the
      notices to send or sent last.
    * "other_browsers", "links_to_add_browsers": the person's other browsers, and links that add one.
    * "invited", "invitations", "muted": invitations by the person and of the person, and whom the person has muted.
      What happened to an invitation, and mutes of the person by others, are not contained.

    Raise `StoreError` if the person does not exist.
    """
    who = connection.execute(sa.select(_people).where(_people.c.id == person)).mappings().one_or_none()
    if who is None:
        raise StoreError(f"person {person} does not exist")
    watched = sa.select(_matches.c.code).join(schema.watchers).where(schema.watchers.c.person == person)
    opened = sa.select(_matches.c.code).where(_matches.c.host == person).order_by(_matches.c.id)
    ban = schema.bans.c
    bans = sa.select(ban.reason, ban.created, ban.until).where(ban.kind == "person", ban.value == str(person))
    coming = sa.select(_matches.c.code).join(_seats).where(_seats.c.next_person == person).order_by(_matches.c.id)
    block, report, seeker = schema.blocks.c, schema.reports.c, schema.seekers.c
    rows = {
        "bans": bans,
        "searches": sa.select(seeker.kind, seeker.games, seeker.pace, seeker.since).where(seeker.person == person),
        "blocked": sa.select(block.name, block.created).where(block.person == person).order_by(block.created),
        "reported": sa.select(report.name, report.kind, report.text, report.created)
        .where(report.reporter == person)
        .order_by(report.id),
        **_newest_data(person),
    }
    codes = {"watched": watched, "opened": opened, "next_seats": coming}
    return who, {
        **{key: list(connection.scalars(found)) for key, found in codes.items()},
        **{key: _rows(connection, found) for key, found in rows.items()},
    }


def _newest_data(person: int) -> dict[str, sa.Select[Any]]:
    """Return the queries for notices, browsers, invitations and mutes of a person, by name in the exports."""
    browser, notice, device, link = (
        table.c for table in (schema.push_subscriptions, schema.notices, schema.device_tokens, schema.device_links)
    )
    invitation, mute, code = schema.invitations.c, schema.invite_mutes.c, _matches.c.code
    notices = sa.select(code, notice.kind, notice.until).join_from(schema.notices, _matches)
    invited = sa.select(code, invitation.created).join_from(schema.invitations, _matches).order_by(invitation.created)
    # The number of a notice's turn is left out: it would show when other players made secret choices.
    return {
        "browsers_with_notices": sa.select(browser.language, browser.zone, browser.created)
        .where(browser.person == person)
        .order_by(browser.id),
        "notices": notices.join(schema.push_subscriptions).where(browser.person == person).order_by(notice.id),
        "other_browsers": sa.select(device.created).where(device.person == person).order_by(device.created),
        "links_to_add_browsers": sa.select(link.until).where(link.person == person).order_by(link.until),
        "invited": invited.where(invitation.inviter == person),
        "invitations": invited.add_columns(invitation.name).where(invitation.person == person),
        "muted": sa.select(mute.name, mute.created).where(mute.person == person).order_by(mute.created),
    }


def data_for_operator(engine: Engine, person: int) -> dict[str, Any]:
    """Return all stored data about a person, for the operator, as a dictionary that can be written as JSON.

    The secret keys of the person's browser and seats are left out; the data only show whether each key exists. Moves
    are only counted. Raise `StoreError` if the person does not exist.
    """
    at, moves = _seats.c, schema.moves.c
    own = moves.match_id == at.match_id, moves.seat == at.seat, moves.ply >= at.since
    played = sa.select(sa.func.count()).where(*own).scalar_subquery()
    seats = sa.select(*_SEAT_COLUMNS, at.key_hash.is_not(None).label("seat_key"), played.label("moves")).join_from(
        _seats, _matches
    )
    said = sa.select(_matches.c.code, _chat.c.name, _chat.c.text, _chat.c.at).join_from(_chat, _matches)
    with read_transaction(engine) as connection:
        who, more = _person_and_tables(connection, person)
        return {
            "person": who["id"],
            "name": who["name"],
            "created": who["created"],
            "seen": who["seen"],
            "browser_key": who["token_hash"] is not None,
            "seats": _rows(connection, seats.where(at.person == person).order_by(_matches.c.id)),
            "said": _rows(connection, said.where(_chat_by_person(person, who["name"])).order_by(_chat.c.id)),
            **more,
        }


def _chat_by_person(person: int, name: str) -> sa.ColumnElement[bool]:
    """Return an SQL condition that selects the chat messages of a person, written from a seat or as a spectator.

    A message from a seat counts as the person's if the person has that seat now. A spectator's message is recognised by
    `name`, the person's name, because the database does not store who wrote it.
    """
    seat = sa.exists().where(
        _seats.c.match_id == _chat.c.match_id,
        _seats.c.seat == _chat.c.seat,
        _seats.c.person == person,
        _seats.c.kind == "person",
    )
    return seat | _chat_as_spectator(person, name)


def _chat_as_spectator(person: int, name: str) -> sa.ColumnElement[bool]:
    """Return an SQL condition that selects the chat messages that a person wrote as a spectator.

    Such a message is recognised by `name`, the person's name, because the database does not store who wrote it.
    """
    there = sa.select(schema.watchers.c.match_id).where(schema.watchers.c.person == person)
    return _chat.c.match_id.in_(there) & _chat.c.seat.is_(None) & (_chat.c.name == name)


def data_for_person(engine: Engine, person: int) -> dict[str, Any]:
    """Return all stored data about a person, for that person, as a dictionary that can be written as JSON.

    The secret keys of the person's browser and seats are left out; the data only show whether each key exists. Moves
    are listed in order but without their numbers in the match, because gaps in these numbers would show when other
    players made secret choices.

    Raise `StoreError` if the person does not exist.
    """
    watching = sa.select(_matches.c.code, _chat.c.text, _chat.c.at).join(_matches).order_by(_chat.c.id)
    with read_transaction(engine) as connection:
        who, more = _person_and_tables(connection, person)
        return {
            "name": who["name"],
            "created": who["created"],
            "seen": who["seen"],
            "has_browser_key": who["token_hash"] is not None,
            "seats": _seats_with_moves_and_chat_of(connection, person),
            "said_while_watching": _rows(connection, watching.where(_chat_as_spectator(person, who["name"]))),
            "removed_from": [match.code for match in _tables_that_removed_person(connection, person)],
            **more,
        }


def _seats_with_moves_and_chat_of(connection: Connection, person: int) -> list[dict[str, Any]]:
    at = _seats.c
    # Earlier moves of a seat that the person took over are those of a bot.
    sat = sa.select(
        *_SEAT_COLUMNS, at.since, _matches.c.id, _matches.c.created, at.key_hash.is_not(None).label("has_key")
    )
    moves = sa.select(schema.moves.c.action, schema.moves.c.at).order_by(schema.moves.c.ply)
    said = sa.select(_chat.c.text, _chat.c.at).where(_chat.c.seat.is_not(None)).order_by(_chat.c.id)
    found = _rows(connection, sat.join(_seats).where(at.person == person).order_by(_matches.c.id))
    for row in found:
        number, since = row.pop("id"), row.pop("since")
        here = schema.moves.c.match_id == number, schema.moves.c.seat == row["seat"], schema.moves.c.ply >= since
        row["moves"] = _rows(connection, moves.where(*here))
        row["said"] = _rows(connection, said.where(_chat.c.match_id == number, _chat.c.name == row["name"]))
    return found


def _rows(connection: Connection, found: sa.Select[Any]) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.execute(found).mappings()]


def erase_personal_data(engine: Engine, person: int) -> list[tuple[str, int]]:
    """Erase a person's name, chat messages and credentials, and their searches, blocks, reports and invitations.

    Blocks, reports, invitations and mutes of this person by others are erased, too, and all notices for the person. All
    matches are kept. If a match has not begun, the person's seat becomes open. Otherwise the seat gets a name such as
    "Guest", and the person counts as having left the table. The person's row in the database is kept without content,
    so that its id is never used again.

    Return (code, new revision) for each game table that was changed. A game table is a table at which people play. The
    revision of a table is the number of its changes.

    Raise `StoreError` if the person does not exist.
    """
    with write_transaction(engine) as connection:
        who = connection.execute(sa.select(_people).where(_people.c.id == person)).one_or_none()
        if who is None or not who.created:
            # A creation time of 0 marks a person who was erased before.
            raise StoreError(f"person {person} does not exist")
        name = who.name
        mine = sa.select(_seats.c.match_id).where((_seats.c.person == person) | (_seats.c.next_person == person))
        removed = [match.id for match in _tables_that_removed_person(connection, person)]
        theirs = sa.or_(_matches.c.id.in_(mine), _matches.c.id.in_(removed), _matches.c.host == person)
        # First increase the revision numbers of these game tables. Other writers that know the old revision then fail
        # and reload the table. Each update locks a row. All writers update game tables in the order of their codes, so
        # they cannot deadlock.
        columns = _matches.c.id, _matches.c.code, _matches.c.status, _matches.c.revision
        touched = connection.execute(sa.select(*columns).where(theirs).order_by(_matches.c.code)).all()
        for match in touched:
            newer = sa.update(_matches).where(_matches.c.id == match.id)
            connection.execute(newer.values(revision=_matches.c.revision + 1))
        connection.execute(sa.update(_matches).where(_matches.c.host == person).values(host=None))
        for table in _tables_that_removed_person(connection, person):
            # If the host removed the person from a table, their chat messages there can be found only by the name that
            # they had at that time.
            names = [str(name) for number, name in json.loads(table.removed) if number == person]
            said = _chat.c.match_id == table.id, _chat.c.seat.is_not(None), _chat.c.name.in_(names)
            connection.execute(sa.delete(_chat).where(*said))
            left = [one for one in json.loads(table.removed) if one[0] != person]
            connection.execute(sa.update(_matches).where(_matches.c.id == table.id).values(removed=json.dumps(left)))
        for match in touched:
            _unseat_and_delete_chat(connection, match.id, person, waits=match.status == "lobby")
        connection.execute(sa.delete(_chat).where(_chat_as_spectator(person, name)))
        coming = sa.update(_seats).where(_seats.c.next_person == person)
        connection.execute(coming.values(next_person=None, next_name=""))
        for one in _COLUMNS_OF_PERSON:
            connection.execute(sa.delete(one[0].table).where(sa.or_(*(column == person for column in one))))
        nobody = {"name": FORGOTTEN, "token_hash": None, "created": 0.0, "seen": 0.0}
        connection.execute(sa.update(_people).where(_people.c.id == person).values(nobody))
        return [(str(match.code), int(match.revision) + 1) for match in touched]


def _tables_that_removed_person(connection: Connection, person: int) -> list[sa.Row[Any]]:
    """Return the rows (id, code, removed) of the tables from which a host has removed this person."""
    there = sa.select(_matches.c.id, _matches.c.code, _matches.c.removed).order_by(_matches.c.id)
    return list(connection.execute(there.where(_matches.c.removed.contains(f"[{person}, "))))


def _unseat_and_delete_chat(connection: Connection, match_id: int, person: int, *, waits: bool) -> None:
    """Remove a person from their seat at one game table, and delete the chat messages that they sent as a player there.

    If `waits` is true, the match has not begun, and the seat becomes open. Otherwise the seat gets a name such as
    "Guest".
    """
    here = _rows(connection, sa.select(_seats).where(_seats.c.match_id == match_id))
    for row in (row for row in here if row["person"] == person):
        # Select the messages by the sender's name and not by seat, because players may have swapped seats since.
        said = _chat.c.match_id == match_id, _chat.c.seat.is_not(None), _chat.c.name == row["name"]
        connection.execute(sa.delete(_chat).where(*said))
        values: dict[str, Any] = {"person": None, "key_hash": None}
        if waits:
            values |= {"kind": "open", "name": "", "ready": False, "left_table": False}
        else:
            others = [str(other["name"]) for other in here if other["seat"] != row["seat"]]
            values |= {"name": unique_name(FORGOTTEN, others), "left_table": True}
        mine = _seats.c.match_id == match_id, _seats.c.seat == row["seat"]
        connection.execute(sa.update(_seats).where(*mine).values(values))
