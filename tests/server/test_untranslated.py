"""Nothing that people read is written past the catalogues."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from httpx import Client

from facedown.core import game as registry
from facedown.core.language import speaking
from facedown.core.state import SPECTATOR
from facedown.play import NewSeat, Session, Settings, new_table
from facedown.play.bots import BOT_NAMES
from facedown.play.names import shown_code
from facedown.server import look
from facedown.server.connection import clock_text, presenter
from facedown.server.http.guides import guide_of
from facedown.server.look.replay import Replay
from tests.play.table import ADA, LowBots, grant
from tests.selection import mostly
from tests.server.serving import Live, Server, code_of, lobby, open_table, serving, sit
from tests.server.untranslated import MARKED, left_over, marking, untranslated, untranslated_message

NAMES = (
    *("Ada", "Ben", *BOT_NAMES),
    *("Low", "High", "low", "high", "plays the lowest number", "plays the highest number"),
)
TITLES = [info.title for info in registry.catalogue().values()]


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server at which every text comes back marked."""
    with marking(), serving(tmp_path_factory.mktemp("data")) as server:
        yield server


def client(server: Server) -> Client:
    """A visitor who reads the marked language."""
    visitor = server.client()
    visitor.headers["accept-language"] = MARKED
    return visitor


def said_in(live: Live) -> list[str]:
    """What a lobby says next: that somebody has been away for a while is shown as well, without a word."""
    while not (said := live.get("lobby")["say"]):
        pass
    return list(said)


def same(url: str = "") -> list[str]:
    """What is the same in all languages."""
    code = code_of(url)
    return [*NAMES, *TITLES, code, *shown_code(code).split(), "http", "localhost"]


@pytest.mark.parametrize("path", ["/", "/new/detect", "/guide/detect", "/score", "/score/detect"])
def test_a_page_without_a_table(marked: Server, path: str) -> None:
    with client(marked) as ada:
        page = ada.get(path)
        assert page.status_code == 200
        # A guide is written anew for each language, its headings with it.
        guide = guide_of("detect")
        told = [words for _, words in guide.contents] if guide is not None else []
        assert untranslated(page.text, [*same(), *told]) == []


@pytest.mark.parametrize("path", ["/nowhere", "/t/ZZZZ", "/join", "/new/whist", "/score?lang=xx", "/m/ZZZZ"])
def test_what_went_wrong(marked: Server, path: str) -> None:
    with client(marked) as ada:
        page = ada.get(path, follow_redirects=True)
        assert page.status_code >= 400
        assert untranslated(page.text, [*same(), "ZZZZ", "xx", "whist"]) == []


def test_before_the_deal(marked: Server) -> None:
    """Pages, and the server's own part of every announcement: nobody's name is lost, nothing is English."""
    with client(marked) as ada, client(marked) as ben, client(marked) as cleo:
        url = open_table(ada, "open", clock="300+10", **{"watchers-talk": "on", "spectators": "on", "hints": "on"})
        told = same(url)
        assert untranslated(ben.get(url).text, told) == []
        assert ben.post(f"{url}/sit", data={"name": ""}).status_code == 422
        assert untranslated(ben.post(f"{url}/sit", data={"name": "x" * 99}).text, told) == []
        sit(ben, url)
        cleo.post(f"{url}/watch")
        for reader in (ada, ben, cleo):
            page = reader.get(url)
            assert page.status_code == 200
            assert untranslated(page.text, [*told, page.url.host, f"{page.url.host}:{page.url.port}/t"]) == []
        with Live(marked, ben, url) as his:
            first = his.hello(kind="lobby")
            assert untranslated_message(first, [*told, "127"]) == []
            his.send(type="ready", ready=True)
            assert said_in(his) == ["⟦Ben is ready.⟧"]
            his.send(type="chat", text="Hello")
            assert his.get("chat")["text"] == "⟦Hello⟧"
            his.send(type="chat", text="Hello, you two")
            assert his.get("chat")["text"] == "Hello, you two"
            assert his.refusal(type="move", action="x")["reason"].startswith("⟦")
        with lobby(marked, url, ada) as (hers,):
            ben.post(f"{url}/leave")
            assert said_in(hers) == ["⟦Ben left the table.⟧"]


def played(game: str, luck: random.Random, settings: Settings) -> Iterator[Session]:
    """A match of random moves with a bot, at some of its positions, fewer once it repeats itself, and its end."""
    low, high = registry.info(game).seats
    number = luck.randint(max(2, low), min(3, high)) if low < 3 else low
    seats = [NewSeat("me"), *[NewSeat("bot", "low")] * (number - 1)]
    options = {"end": "hands(1)"} if game == "reveal" else {}
    record = new_table(
        game, seats, LowBots(), 10.0, host=ADA, host_name="Ada", options=options, settings=settings,
        seed=luck.randbytes(32),
    )  # fmt: skip
    session = Session(record, now=10.0)
    yield session
    grant(session, session.ready(ADA, True, 12.0))
    for count in range(3000):
        if session.running.over:
            break
        if count % (7 if count < 150 else 29) == 0:
            yield session
        if (task := session.bot_task()) is not None:
            legal = session.game.legal(task.view, task.seat)
            grant(session, session.bot_move(task, luck.choice(legal), 20.0))
        else:
            seat = session.running.acting[0]
            grant(session, session.move(seat, luck.choice(session.legal(seat)), session.version(seat), now=20.0))
    yield session


def drawn_texts(session: Session, viewer: int) -> list[str]:
    """What of a table's page, as it stands, went through no catalogue."""
    told = same()
    if session.match is None:
        lobby = presenter.lobby(session, viewer, ADA, "http://localhost/t/K7QM", LowBots(), 10.0)
        return untranslated_message(
            look.lobby_message(lobby, version=1),
            [*told, session.code, *shown_code(session.code).split(), "K7QM", "localhost/t"],
        )
    drawn = presenter.drawn(session, viewer, 21.0)
    say = [line.text for line in session.viewer_log(viewer).lines]
    message = drawn.message(version=1, say=say)
    page = look.table_page(look.Shell(), message, game=session.record.game, code=session.code)
    found = untranslated_message(message, told) + untranslated(page, [*told, session.code])
    if session.running.over:
        replay = Replay(session.running, session.sitters, viewer)
        for ply in (0, replay.last // 2, replay.last):
            moment = look.replay_message(replay.table(ply), replay.shown(ply, session.code, 0))
            found += untranslated_message(moment, told)
            page = look.replay_page(look.Shell(), moment, game=session.record.game, code=session.code)
            found += untranslated(page, [*told, session.code])
    return found


@pytest.mark.parametrize("game", registry.catalogue())
def test_a_lobby_whose_host_may_close_a_seat(game: str) -> None:
    low, high = registry.info(game).seats
    seats = [NewSeat("me"), *[NewSeat("open")] * min(low, high - 1)]
    with marking() as code, speaking(code):
        record = new_table(game, seats, LowBots(), 10.0, host=ADA, host_name="Ada", options={}, settings=Settings())
        assert drawn_texts(Session(record, now=10.0), 0) == []


@pytest.mark.parametrize("game", mostly(registry.catalogue(), ("uncovered",)))
def test_a_table_of_every_game(game: str, seed: int) -> None:
    luck = random.Random(seed)
    found: set[str] = set()
    with marking() as code, speaking(code):
        for session in played(game, luck, Settings(clock=60, memory=True, hints=True)):
            for viewer in (0, SPECTATOR):
                found.update(drawn_texts(session, viewer))
    assert sorted(found) == []


@pytest.mark.parametrize("game", registry.catalogue())
def test_every_move_of_a_replay(game: str, seed: int) -> None:
    """Also a move of which nothing stands in the log is said in words, not in notation."""
    with marking() as code, speaking(code):
        *_earlier, session = played(game, random.Random(seed), Settings())
        for viewer in (*range(session.running.seats), SPECTATOR):
            replay = Replay(session.running, session.sitters, viewer)
            headings = {replay.shown(ply, session.code, viewer).heading for ply in range(replay.last + 1)}
            assert {left for heading in headings if (left := left_over(heading.replace("**", ""), same()))} == set()


def test_a_table_past_its_catalogue_is_caught() -> None:
    """The check must see what was forgotten: here it is put there."""
    page = (
        '<p>⟦A text⟧ and Ada</p><b aria-label="One more">7</b><i title="⟦Two ⟦three⟧⟧ four"></i><u data-on="on">K</u>'
    )
    assert untranslated(page, ["Ada"]) == ["b[aria-label]: One more", "i[title]: four", "u[data-on]: on"]


def test_the_clocks_words(seed: int) -> None:
    with marking() as code, speaking(code):
        for settings in (Settings(), Settings(clock=60), Settings(clock=300, increment=10), Settings(clock=86_400)):
            for name, words in clock_text.rules(settings):
                assert untranslated(f"<p>{name}: {words}</p>") == []
