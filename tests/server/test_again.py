"""Play again, by consent: over real sockets, by form and by the API; nobody's page moves unasked."""

from __future__ import annotations

from pathlib import Path

from httpx import Client, Response

from tests.server.programs import Player, to_the_end, two
from tests.server.serving import ONE_HAND, Live, Server, Visitor, begun, lobby, play_on, serving, shared_table


def ended(server: Server, ada: Client, ben: Client) -> str:
    """A hand of Reveal between Ada and Ben that is over; its address."""
    url = shared_table(ada, ben, **ONE_HAND)
    with lobby(server, url, ada, ben) as lines:
        shown = begun(*lines)
        while not shown[0]["over"]:
            shown = play_on(lines, shown)
    return url


OFFERS = ("Not now", "Play again", "Go on without", "To the table", "To the new table", "Watch")


def asks(html: str) -> str:
    """What the card says, and what can be answered."""
    if 'id="again"' not in html:
        return "offered" if "data-again" in html else ""
    card = html.split('id="again"')[1].split("</section>")[0]
    offered = [word for word in OFFERS if f"{word}</" in card or f"{word} B" in card]
    return f"{', '.join(offered)} | {card.split('<h2>')[1].split('</h2>')[0]}"


def shows(live: Live, words: str) -> str:
    """The page once its card says so."""
    return str(live.until(lambda message: asks(message["html"]) == words)["html"])


def until_heard(live: Live, words: str) -> None:
    """Read on until this was said, now or before."""
    while not any(words in message.get("say", ()) for message in live.seen):
        live.get("table")


def test_nobody_is_moved_before_they_agree(server: Server, visitor: Visitor) -> None:
    ada, ben, cleo = visitor(), visitor(), visitor()
    url = ended(server, ada, ben)
    cleo.post(f"{url}/watch")
    with Live(server, ada, url) as hers, Live(server, ben, url) as his, Live(server, cleo, url) as watching:
        assert [asks(live.hello()["html"]) for live in (hers, his, watching)] == ["offered", "offered", ""]
        hers.send(type="again", answer="yes")
        shows(his, "Not now, Play again | Ada wants to play again.")
        until_heard(his, "Ada wants to play again.")
        shows(watching, " | Ada wants to play again.")
        for live in (hers, his, watching):
            live.settle()
            assert "go" not in live.kinds()
        assert "Go on without Ben" in hers.hello()["html"]
        his.send(type="again", answer="yes")
        there = his.get("go")["url"]
        assert hers.get("go")["url"] == there != url
        shows(watching, "Watch | Ada and Ben play again.")
        assert "go" not in watching.kinds()
    for client in (ada, ben):
        assert "Swap a card?" in client.get(there).text
    # The finished page can be looked at afterwards: it moves nobody on.
    with Live(server, ben, url) as later:
        assert asks(later.hello()["html"]) == "To the table | You and Ada play again."
        later.settle()
        assert "go" not in later.kinds()


def test_only_those_who_sat_there_are_asked(server: Server, over: str, ben: Client) -> None:
    assert "You had no seat" in ben.post(f"/t/{over}/again").text
    ben.post(f"/t/{over}/watch")
    with Live(server, ben, f"/t/{over}") as watching:
        watching.hello()
        for answer in ("yes", "maybe"):
            assert watching.refusal(type="again", answer=answer)["code"] == "forbidden"


def test_a_no_opens_the_seat_and_the_asker_decides(server: Server, ada: Client, ben: Client) -> None:
    url = ended(server, ada, ben)
    with Live(server, ada, url) as hers, Live(server, ben, url) as his:
        hers.hello()
        his.hello()
        hers.send(type="again", answer="yes")
        shows(his, "Not now, Play again | Ada wants to play again.")
        his.send(type="again", answer="no")
        html = shows(hers, "Not now, To the new table | You want to play again.")
        until_heard(hers, "Ben: not now.")
        assert "Ben says: not now." in html
        assert "A seat is open: you decide who takes it." in html
        next_url = html.split('href="/t/')[-1].split('"')[0]
    lobby = ada.get(f"/t/{next_url}").text
    assert "One seat is still open." in lobby
    assert "Change the open seat" in lobby, "whoever asked is the host"
    with Live(server, ada, f"/t/{next_url}") as there:
        there.hello(kind="lobby")
        there.send(type="bot", seat=1, level="low")
        assert there.get("table")["yours"] is not None
    assert asks(ben.get(url).text) == "Watch | Ada plays again."


def test_by_form_and_after_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path) as server, server.client() as ada, server.client() as ben:
        url = ended(server, ada, ben)
        assert ada.post(f"{url}/again").headers["location"] == url, "one stays on the finished page"
        cookies = [dict(ada.cookies), dict(ben.cookies)]
    with serving(tmp_path) as server, server.client() as ada, server.client() as ben:
        for client, known in zip((ada, ben), cookies, strict=True):
            client.cookies.update(known)
        assert "Ada wants to play again." in asks(ben.get(url).text)
        with Live(server, ada, url) as hers:
            assert "You want to play again." in asks(hers.hello()["html"])
            there = ben.post(f"{url}/again", data={"answer": "yes"}).headers["location"]
            assert there != url
            assert hers.get("go")["url"] == there
        assert ada.post(f"{url}/again").headers["location"] == there


def test_programs_are_asked_and_answer(ada: Client) -> None:
    hers, his = two(ada, game="reveal", options={"end": "hands(1)"})

    def say(who: Player, answer: str) -> Response:
        return who.ask("POST", "again", {"answer": answer})

    assert say(hers, "yes").status_code == 409
    to_the_end((hers, his))
    assert ada.get(f"{hers.path}/again").json() == {"table": "", "dealt": False, "answers": ["", ""]}
    assert ada.post(f"{hers.path}/again", json={"answer": "yes"}).status_code == 401
    asked = say(hers, "yes").json()
    assert (asked["dealt"], asked["answers"]) == (False, ["yes", ""])
    assert say(his, "no").json()["answers"] == ["yes", "no"]
    assert say(his, "on").status_code == 403
    agreed = say(his, "yes").json()
    assert agreed == {"table": asked["table"], "dealt": True, "answers": ["yes", "yes"]}
    assert ada.get(f"{hers.path}/again").json() == agreed
    assert [Player(ada, asked["table"], who.token).view()["seat"] for who in (hers, his)] == [0, 1]
