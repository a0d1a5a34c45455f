"""Invitations over the pages: who may invite whom, and that the inviter does not notice how they are answered."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
import sqlalchemy as sa
from httpx import Client, Response

from facedown.store import invitations, schema
from tests.not_none import given
from tests.server.http_server import (
    Server,
    Visitor,
    code_of,
    lobby,
    missing,
    module_server,
    open_table,
    refusals,
    shared_table,
    sit,
    start_match,
)
from tests.server.test_blocks_and_reports import block, person_of

server = module_server()


@pytest.fixture(autouse=True)
def forget_invitations(server: Server) -> Iterator[None]:
    """Delete the invitations of each test, because all tests have the same address."""
    yield
    with server.rooms.repository.engine.begin() as connection:
        connection.execute(sa.delete(schema.invitations))


@pytest.fixture
def played(server: Server, ada: Client, ben: Client) -> str:
    """Return the address of a table at which Ada and Ben play."""
    url = shared_table(ada, ben)
    with lobby(server, url, ada, ben) as lives:
        start_match(*lives)
    return url


def invite(client: Client, url: str, played: str, seat: int = 1) -> Response:
    return client.post(f"{url}/invite", data={"table": code_of(played), "seat": str(seat)})


def answer(client: Client, url: str, answer: str) -> None:
    reply = client.post(f"{url}/invitation", data={"answer": answer})
    assert (reply.status_code, reply.headers["location"]) == (303, "/")


def plain(answer: Response, *codes: str) -> str:
    """Return a page without random texts and without the codes of tables."""
    text = re.sub(r'data-filler="[^"]*"|<!--.*?-->', "", answer.text)
    for code in codes:
        text = text.replace(code, "CODE")
    return text


INVITED = "Ada invites you to Detect"


def test_invited_person_sees_the_table_on_home_and_sits_down_there(
    server: Server, ada: Client, ben: Client, played: str
) -> None:
    url = open_table(ada, "open", "low", clock="60")
    assert f'href="{url}/invite"' in ada.get(url).text
    page = ada.get(f"{url}/invite").text
    assert missing(page, "Invite Ben", '<b dir="auto">Ben</b><small>Detect · ', code_of(played)) == []
    assert INVITED not in ben.get("/").text
    reply = invite(ada, url, played)
    assert (reply.status_code, reply.headers["location"]) == (303, f"{url}/invite")
    assert missing(ada.get(f"{url}/invite").text, ">Invited<") == []
    assert "Invite Ben" not in ada.get(f"{url}/invite").text
    home = ben.get("/").text
    assert missing(home, INVITED, "one seat free · a minute per turn", f'action="{url}/sit"', "Ada won’t know") == []
    assert home.index(INVITED) < home.index("Your tables")
    assert INVITED not in ada.get("/").text
    sit(ben, url)
    assert [seat.name for seat in server.session(url).record.seats][:2] == ["Ada", "Ben"]
    assert INVITED not in ben.get("/").text
    assert "/invite" not in ada.get(url).text, "all seats are taken"


def test_invitations_are_translated(ada: Client, ben: Client, played: str) -> None:
    url = open_table(ada, "open")
    assert "Ben einladen" in ada.get(f"{url}/invite?lang=de").text
    assert " · vor " in ada.get(f"{url}/invite?lang=de").text
    invite(ada, url, played)
    assert "Ada lädt dich zu Detect ein" in ben.get("/?lang=de").text


def test_only_the_host_invites_before_the_deal_and_only_into_a_free_seat(
    server: Server, visitor: Visitor, ada: Client, ben: Client, played: str
) -> None:
    cleo, url = visitor(), open_table(ada, "open", "open")
    sit(cleo, url, "Cleo")
    for client in (cleo, ben, visitor()):
        assert f"{url}/invite" not in client.get(url).text
        assert [client.get(f"{url}/invite").status_code, invite(client, url, played, 0).status_code] == [403, 403]
    assert [ada.get(f"{played}/invite").status_code, invite(ada, played, played).status_code] == [409, 409]
    sit(visitor(), url, "Dora")
    assert [ada.get(f"{url}/invite").status_code, invite(ada, url, played).status_code] == [409, 409]
    assert invitations.shown_invitations(server.rooms.repository.engine, person_of(server, ben).id, 0, ["detect"]) == []


def test_only_persons_of_a_match_of_the_host_can_be_invited(
    server: Server, visitor: Visitor, ada: Client, ben: Client, played: str
) -> None:
    cleo, url = visitor(), open_table(ada, "open", "open")
    waiting, strange = shared_table(ada, cleo), shared_table(ben, cleo)
    with lobby(server, strange, ben, cleo) as lives:
        start_match(*lives)
    for table, seat in ((waiting, 1), (strange, 1), (played, 0), (played, 2), (url, 0), ("/t/nothing", 1)):
        assert invite(ada, url, table, seat).status_code == 404
    for fields in ({}, {"table": "\0", "seat": "1"}, {"table": code_of(played), "seat": "x"}):
        assert ada.post(f"{url}/invite", data=fields).status_code == 404
    assert INVITED not in ben.get("/").text + cleo.get("/").text


def test_seated_removed_and_blocked_persons_are_not_offered_and_get_no_invitation(
    server: Server, ada: Client, ben: Client, played: str
) -> None:
    url = open_table(ada, "open", "open")
    sit(ben, url)
    assert ["Invite Ben" in ada.get(f"{url}/invite").text, invite(ada, url, played).status_code] == [False, 303]
    with lobby(server, url, ada) as (live,):
        live.hello(kind="lobby")
        live.send(type="remove", seat=1)
        live.until_shown("Let Ben back in")
    assert ["Invite Ben" in ada.get(f"{url}/invite").text, invite(ada, url, played).status_code] == [False, 303]
    assert INVITED not in ben.get("/").text
    other = open_table(ada, "open")
    assert invite(ada, other, played).status_code == 303
    assert INVITED in ben.get("/").text
    block(ben, played, 0, "Ada")
    assert INVITED not in ben.get("/").text
    assert ">Ben<" not in ada.get(f"{other}/invite").text
    third = open_table(ada, "open")
    assert invite(ada, third, played).headers["location"] == f"{third}/invite", "as if there were no block"
    assert INVITED not in ben.get("/").text


def test_inviter_sees_the_same_whether_an_invitation_is_shown_declined_or_muted(
    ada: Client, ben: Client, played: str
) -> None:
    worlds = []
    for said in ("", "no", "mute", "before"):
        url = open_table(ada, "open")
        reply = invite(ada, url, played)
        assert (f"invited-{code_of(url)}" in ben.get("/").text) == (said != "before")
        lobby_before = plain(ada.get(url))
        if said in ("no", "mute"):
            answer(ben, url, said)
            assert f"invited-{code_of(url)}" not in ben.get("/").text
        # A repeated invitation changes nothing.
        again = invite(ada, url, played)
        page = plain(ada.get(f"{url}/invite"), code_of(url))
        worlds.append([reply.status_code, again.status_code, reply.headers["location"].replace(code_of(url), ""), page])
        assert plain(ada.get(url)) == lobby_before
        exported = ada.get("/you/data").json()
        assert [set(one) for one in exported["invited"]] == [{"code", "created"}] * len(worlds)
        assert exported["muted"] == exported["invitations"] == []
        assert f"invited-{code_of(url)}" not in ben.get("/").text or said == ""
    assert worlds == [worlds[0]] * 4


def test_muted_inviter_is_listed_on_your_data_until_unmuted(
    server: Server, ada: Client, ben: Client, played: str
) -> None:
    url = open_table(ada, "open")
    invite(ada, url, played)
    assert ben.post(f"{url}/invitation", data={"answer": "maybe"}).status_code == 422
    answer(ada, url, "mute")
    assert "Unmute" not in ada.get("/you").text + ben.get("/you").text
    answer(ben, url, "mute")
    page = ben.get("/you").text
    assert missing(page, "Unmute Ada", "You get no invitations from these people") == []
    assert [one["name"] for one in ben.get("/you/data").json()["muted"]] == ["Ada"]
    number = str(person_of(server, ada).id)
    assert f'name="muted" value="{number}"' in page
    assert ada.post("/you/unmute", data={"muted": number}).status_code == 303
    assert ben.post("/you/unmute", data={"muted": "all"}).status_code == 303
    assert "Unmute Ada" in ben.get("/you").text
    assert ben.post("/you/unmute", data={"muted": number}).headers["location"] == "/you?done=unmuted"
    assert "Unmute" not in ben.get("/you").text
    assert INVITED in ben.get("/").text


def test_twenty_first_invitation_of_a_day_is_refused_and_counted(
    server: Server, ada: Client, ben: Client, played: str
) -> None:
    host, other = (person_of(server, client).id for client in (ada, ben))
    with server.rooms.repository.engine.begin() as connection:
        known = connection.scalars(sa.select(schema.matches.c.id).where(schema.matches.c.code == code_of(played))).one()
        row = {"match_id": known, "inviter": host, "name": "Ada", "created": server.rooms.now()}
        others = [connection.execute(sa.insert(schema.people).values(name="P", created=1.0)) for _each in range(20)]
        rows = [row | {"person": given(made.inserted_primary_key)[0]} for made in others]
        connection.execute(sa.insert(schema.invitations), rows)
    before, url = refusals("invitations"), open_table(ada, "open")
    reply = invite(ada, url, played)
    assert (reply.status_code, "enough invitations for one day" in reply.text, "Invite Ben" in reply.text) == (
        429,
        True,
        True,
    )
    assert refusals("invitations") == before + 1
    with server.rooms.repository.engine.connect() as connection:
        theirs = sa.select(schema.invitations).where(schema.invitations.c.person == other)
        assert connection.execute(theirs).all() == []


def test_erasing_either_person_deletes_the_invitation(ada: Client, ben: Client, played: str, server: Server) -> None:
    url = open_table(ada, "open")
    invite(ada, url, played)
    assert ben.post("/you/forget", data={"sure": "on"}).status_code == 303
    assert "Invite Ben" not in ada.get(f"{url}/invite").text
    assert invite(ada, url, played).status_code == 404
    with server.rooms.repository.engine.connect() as connection:
        assert connection.execute(sa.select(schema.invitations)).all() == []
