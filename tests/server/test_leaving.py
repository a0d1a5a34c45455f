"""A server that is told to stop: whoever waits is answered, pages are sent elsewhere, bots are anybody's."""

from __future__ import annotations

import asyncio
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from facedown.server.table.room import Room
from facedown.store import Repository, url_of
from tests.server.serving import PATIENCE, serving
from tests.server.test_restart import Process
from tests.wait import wait_until

#: The service restarts (the registry of close codes at IANA).
RESTARTS = 1012
NEW = {"game": "detect", "name": "Ada", "seats": ["me", "low"]}


def test_whoever_waits_for_news_is_answered_when_the_server_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    news = Room.news

    async def patient(room: Room, seconds: float) -> None:
        """As if they were ready to wait for so long that nobody waits for that here."""
        await news(room, 3600.0)

    monkeypatch.setattr(Room, "news", patient)
    with serving(tmp_path) as server, server.client() as client:
        made = client.post("/api/v1/tables", json=NEW).json()
        path, headers = f"/api/v1/tables/{made['table']['code']}", {"Authorization": f"Bearer {made['token']}"}
        answers: list[int] = []

        def wait() -> None:
            view = client.get(f"{path}/view", headers=headers, params={"beyond": 10**6, "wait": 25})
            answers.append(view.status_code)

        thread = threading.Thread(target=wait)
        thread.start()
        # A bot that thinks waits for news as well.
        wait_until(lambda: server.app.state.limits.polls_of_address.inside("127.0.0.1"))

        async def leave() -> None:
            server.rooms.take_leave()

        server.within(leave())
        # Much sooner than it was ready to wait: it is told how things stand.
        thread.join(PATIENCE)
        assert answers == [200]


@pytest.mark.slow
def test_pages_are_sent_elsewhere_and_the_process_takes_its_leave(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    server = Process(tmp_path)
    made = server.client.post("/api/v1/tables", json=NEW | {"seats": ["me", "open"]}).json()
    code, origin = made["table"]["code"], str(server.client.base_url).rstrip("/")
    watched = server.client.post(f"/t/{code}/watch", headers={"Origin": origin})
    assert watched.status_code == 303
    with connect(
        f"ws{origin.removeprefix('http')}/t/{code}/live",
        additional_headers={"Cookie": f"facedown-guest={watched.cookies['facedown-guest']}"},
        origin=origin,  # type: ignore[arg-type]
        open_timeout=PATIENCE,
    ) as line:
        line.send('{"type": "hello", "version": 0}')
        line.recv(timeout=PATIENCE)
        server.process.send_signal(signal.SIGTERM)

        def read_on() -> None:
            """On a busy machine the host, who is not there, begins to be shown as away before it has ended."""
            while True:
                line.recv(timeout=PATIENCE)

        with pytest.raises(ConnectionClosed) as closed:
            read_on()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == RESTARTS
    server.process.wait(PATIENCE)
    server.client.close()
    assert server.process.stdout is not None
    server.process.stdout.close()
    assert "Traceback" not in capfd.readouterr().err
    left = Repository(url_of(tmp_path))
    assert left.processes.others() == [], "it has taken its leave"
    left.close()


def test_who_is_not_answered_in_time_is_told_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(tmp_path) as server, server.client() as client:
        made = client.post("/api/v1/tables", json=NEW | {"seats": ["me", "open"]}).json()
        code, headers = made["table"]["code"], {"Authorization": f"Bearer {made['token']}"}

        async def forget() -> None:
            for room in server.rooms.all_in_memory():
                server.rooms.forget(room)

        server.within(forget())
        opening = threading.Semaphore(0)

        async def never(*_: object) -> None:
            opening.release()
            await asyncio.Event().wait()

        # As on a machine that is so busy that a table takes longer to be read than a server has for its farewell.
        monkeypatch.setattr(server.rooms, "read", never)
        with ThreadPoolExecutor() as people:
            answers = [
                people.submit(client.get, f"/api/v1/tables/{code}/view", headers=headers),
                people.submit(client.get, f"/t/{code}"),
                people.submit(client.post, f"/t/{code}/sit", data={"name": "Ben"}, headers={"Accept-Language": "de"}),
            ]
            line = people.submit(connect, f"ws{server.origin[4:]}/t/{code}/live", origin=server.origin)
            assert opening.acquire(timeout=PATIENCE)
            wait_until(lambda: len(server.server.server_state.tasks) > len(answers))
            server.server.should_exit = True
            api, page, form = (answer.result(PATIENCE) for answer in answers)
            with pytest.raises(InvalidStatus) as refused:
                line.result(PATIENCE)
    reason = "The server stopped before it could answer. Try again as soon as it is back."
    assert (api.status_code, api.json()) == (503, {"code": "unavailable", "reason": reason})
    assert (page.status_code, page.text) == (503, reason)
    assert (form.status_code, form.headers["content-language"]) == (503, "de")
    assert form.text != reason
    assert all(answer.headers["retry-after"] for answer in (api, page, form))
    assert refused.value.response.status_code == 503
    assert not [line for line in caplog.records if line.exc_info], "nothing broke"
