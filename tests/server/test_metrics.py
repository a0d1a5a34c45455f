"""Metrics: what they count, who may read them, and labels without user input."""

from __future__ import annotations

import socket

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from tools import metrics_page as listing

from facedown.core import game_registry as registry
from facedown.server.http.health import LOCAL_HOST_NAMES
from facedown.server.process.metrics import END_REASONS, NOTICE_RESULTS, OTHER, Metrics, mover_kind
from facedown.server.process.server_settings import ServerSettings
from facedown.store.errors import WORDS
from tests.server.api_players import bearer
from tests.server.http_server import PATIENCE, Live, Serve, Server, finished, open_table
from tests.server.request_cases import cases
from tests.waiting import wait_until

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]
#: All possible values of our labels.
LABELS: dict[str, set[str]] = {
    "game": {*registry.catalogue(), OTHER},
    "level": {"low", "high", "random", OTHER},
    "lane": {"quick", "slow"},
    "why": {*END_REASONS, *WORDS, OTHER},
    "kind": {"person", "bot", "clock", "page", "api", "file", "read", "write"},
    "result": set(NOTICE_RESULTS),
    "status": {"lobby", "running", "finished", "1xx", "2xx", "3xx", "4xx", "5xx"},
}


def samples(text: str) -> Samples:
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def read_metrics(server: Server) -> Samples:
    return samples(httpx.get(f"{server.origin}/metrics", timeout=PATIENCE).text)


def metric(found: Samples, name: str, **labels: str) -> float:
    return found.get((f"facedown_{name}", frozenset(labels.items())), 0.0)


def read_metrics_after(server: Server, before: Samples, lines: int) -> Samples:
    """Return the metrics after the server has noticed this number of closed WebSockets."""
    ended = lines + metric(before, "lines_ended_total", why="left")
    wait_until(lambda: metric(read_metrics(server), "lines_ended_total", why="left") >= ended)
    return read_metrics(server)


def test_metrics_count_moves_connections_and_requests(server: Server, ada: httpx.Client) -> None:
    before = read_metrics(server)
    finished(server, ada)
    url = open_table(ada, "low")
    with Live(server, ada, url) as live:
        table = live.hello()
        live.move(table)
        table = live.beyond(table["version"])
        # Until both have opened two cards and it is her turn, the bot may be about to save its move.
        while table["version"] < 2 or not table["yours"]:
            table = live.get("table")
        during = read_metrics(server)
    assert [metric(during, name) - metric(before, name) for name in ("lines", "people")] == [1, 1]
    read_metrics_after(server, before, 2)
    with Live(server, ada, url) as live:
        live.hello()
    after = read_metrics_after(server, before, 3)

    def more(name: str, **labels: str) -> float:
        return metric(after, name, **labels) - metric(before, name, **labels)

    assert more("tables", status="finished") == more("tables", status="running") == 1
    persons, bots = (more("moves_total", game="reveal", kind=kind) for kind in ("person", "bot"))
    moves = persons + bots + sum(more("moves_total", game="detect", kind=kind) for kind in ("person", "bot"))
    exactly = {"move_written_seconds_count": moves, "lines_opened_total": 3, "lines_resumed_total": 1}
    at_least = {
        "write_batch_size_sum": moves,
        "drawing_seconds_count": persons + 1,
        "move_shown_seconds_count": 2,
        "messages_received_total": persons + 3,
        "messages_sent_total": persons,
        "sent_bytes_total": 1001,
        "received_bytes_total": 11,
    }
    assert {name: more(name) for name in exactly} == exactly
    assert {name: more(name) for name, least in at_least.items() if more(name) < least} == {}
    assert min(persons, bots) > 2
    assert more("move_shown_seconds_count") <= moves
    assert more("bot_thinking_seconds_count", level="low") >= bots
    assert more("write_batch_seconds_count") == more("write_batch_size_count")
    assert more("lines_ended_total", why="left") == 3
    assert more("requests_total", kind="page", status="3xx") >= 2
    # The process may be about to save its pulse.
    wait_until(lambda: metric(read_metrics(server), "store_waiting", kind="write") == 0)
    assert {name for name, _labels in after} >= {"facedown_loop_lag_seconds_count", "process_resident_memory_bytes"}


def test_no_metric_label_contains_user_input(ada: httpx.Client) -> None:
    open_table(ada, "low", name="Zqlabel")
    ada.get("/Zqlabel")
    ada.request("ZQLABEL", "/")
    ada.post("/api/v1/tables", json={"game": "Zqlabel", "name": "Zqlabel", "seats": ["Zqlabel"]})
    ada.post("/tables", data={"game": "Zqlabel"})
    text = ada.get("/metrics").text
    assert "zqlabel" not in text.lower()
    for name, labels in samples(text):
        for label, found in labels:
            if name.startswith("facedown_") and label != "le" and not name.startswith("facedown_refusals"):
                assert found in LABELS[label], (name, label, found)


def test_each_application_counts_its_own_metrics_and_unknown_games_share_one_label() -> None:
    metrics = Metrics()
    metrics.count_and_time_saved_move("no-game-of-ours", "person", 0.0)
    assert metric(samples(metrics.prometheus_text().decode()), "moves_total", game=OTHER, kind="person") == 1
    one, other = Metrics(), Metrics()
    one.count_received_message(10)
    assert samples(one.prometheus_text().decode())["facedown_messages_received_total", frozenset()] == 1
    assert samples(other.prometheus_text().decode())["facedown_messages_received_total", frozenset()] == 0
    kinds = {"at:3:4": "person", "key:bot:1": "person", "bot:7": "bot", "time:9": "clock", "": "person"}
    assert {token: mover_kind(token) for token in kinds} == kinds


@cases("headers of proxies")
def test_metrics_page_is_404_for_proxied_requests(server: Server, header: dict[str, str]) -> None:
    answer = httpx.get(f"{server.origin}/metrics", headers=header, timeout=PATIENCE)
    assert answer.status_code == 404
    assert "facedown_" not in answer.text


def test_metrics_page_is_open_under_every_name_of_the_local_host(server: Server, ada: httpx.Client) -> None:
    for name in LOCAL_HOST_NAMES:
        for host in (f"{name}:{server.port}", name):
            assert ada.get("/metrics", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(("setting", "right"), [("token", 200), ("off", 404)])
def test_metrics_token_gives_access_only_if_the_metrics_setting_is_token(
    start_server: Serve, setting: str, right: int
) -> None:
    (client,) = start_server(metrics=setting, metrics_token="opensesame").guests(1)
    assert client.get("/metrics").status_code == 404
    for shown, status in ({}, 404), (bearer("opensesami"), 404), (bearer("opensesame"), right):
        answer = client.get("/metrics", headers={"X-Forwarded-For": "192.0.2.1", **shown})
        assert answer.status_code == status


def test_metrics_documentation_is_up_to_date_and_token_access_without_a_set_token_is_an_error() -> None:
    text = listing.PAGE.read_text(encoding="utf-8")
    assert text == listing.page(text), "run tools/metrics_page.py"
    assert text.count("| `facedown_") >= 25
    with pytest.raises(ValueError, match="metrics_token is empty"):
        ServerSettings(database="", metrics="token")
    assert "opensesame" not in repr(ServerSettings(database="", metrics_token="opensesame"))  # type: ignore[arg-type]


def test_metrics_page_is_404_for_http_1_0_and_remote_clients(server: Server) -> None:
    """Without configuration nginx sends its own host name and HTTP/1.0."""
    with socket.create_connection(("127.0.0.1", server.port)) as asked:
        asked.sendall(f"GET /metrics HTTP/1.0\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
        assert asked.recv(100).split(b"\r\n")[0].split()[1] == b"404"
    transport = httpx.ASGITransport(server.app, client=("testclient", 1))

    async def asked() -> int:
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=PATIENCE) as client:
            return (await client.get("/metrics")).status_code

    assert server.within(asked()) == 404
