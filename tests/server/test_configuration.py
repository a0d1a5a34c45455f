"""Server settings and server start: sources of settings, and error messages for invalid ones."""

from __future__ import annotations

import asyncio
import json
import socket
import tomllib
from pathlib import Path
from unittest.mock import MagicMock

import pytest
import uvicorn

from facedown.server import main, run
from facedown.server.main import ListenError, lan_urls, open_listening_socket, server_url
from facedown.server.process import configuration, logs
from facedown.server.process.configuration import (
    OTHER_VARIABLES,
    BadSettings,
    configurable_fields,
    environment_variable_name,
    example_configuration,
    load_configuration,
    settings_lines,
)
from facedown.server.process.server_settings import ServerSettings
from facedown.store import url_of
from tests.server.live_tables import with_manual_clock
from tests.server.request_cases import cases
from tests.store.test_sqlite_files import served_elsewhere
from tests.waiting import wait_until_async


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "facedown.toml"


def test_setting_is_taken_from_option_then_environment_then_file_then_default(file: Path) -> None:
    # A configuration file that is named but missing is an error.
    assert "facedown.toml: No such file" in wrong(variables={"FACEDOWN_CONFIG": str(file)})
    file.write_text('bot_delay = 1.5\nsilence = 60\nport = 8001\norigins = ["https://a.example"]\n')
    said = {"FACEDOWN_BOT_DELAY": "2.5", "FACEDOWN_PORT": "8002", "FACEDOWN_CONFIG": str(file), "HOME": "/root"}
    found = load_configuration({"port": 8003, "host": None}, variables=said)
    settings = found.settings
    assert (settings.silence, settings.bot_delay, settings.port) == (60, 2.5, 8003)
    assert (settings.origins, settings.host) == (("https://a.example",), "127.0.0.1")
    origins = [found.origins[name] for name in ("silence", "bot_delay", "port", "host")]
    assert origins == ["file", "environment", "option", "default"]


def test_server_settings_constructor_ignores_environment_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FACEDOWN_BOT_DELAY", "7")
    assert ServerSettings(database="").bot_delay == 1.1
    assert load_configuration().settings.bot_delay == 7


def test_environment_variables_set_url_and_list_settings(tmp_path: Path) -> None:
    found = load_configuration(
        variables={
            "FACEDOWN_DATABASE_URL": "postgresql://cards:secret@db/cards",
            "FACEDOWN_ORIGINS": "https://a.example, https://b.example,",
            "FACEDOWN_PROXIES": "127.0.0.1,10.0.0.0/8",
            "FACEDOWN_PUBLIC_URL": "https://cards.example/table",
            "FACEDOWN_BUS_URL": "redis://:secret@bus:6379/0",
            "FACEDOWN_METRICS_TOKEN": "secret",
            "FACEDOWN_HOST": "",
        }
    )
    assert found.settings.database == "postgresql+psycopg://cards:secret@db/cards"
    assert found.settings.origins == ("https://a.example", "https://b.example")
    assert (found.settings.proxies, found.settings.root) == (("127.0.0.1", "10.0.0.0/8"), "/table")
    assert found.settings.bus == "redis://:secret@bus:6379/0"
    assert found.settings.metrics_token.get_secret_value() == "secret"
    assert "secret" not in "\n".join(settings_lines(found))
    assert found.origins["host"] == "default", "an empty variable says nothing"
    assert load_configuration({"database": tmp_path}, variables={}).settings.database == url_of(tmp_path)


def wrong(file: Path | None = None, variables: dict[str, str] | None = None) -> str:
    """Return the error message for invalid settings: one line without secrets."""
    with pytest.raises(BadSettings) as caught:
        load_configuration(file=file, variables=variables or {})
    line = str(caught.value)
    assert "\n" not in line
    assert "secret" not in line
    return line


@cases("wrong environments")
def test_invalid_environment_variable_gives_a_one_line_error(said: dict[str, str], line: str) -> None:
    assert line in wrong(variables=said)


@cases("wrong configuration files")
def test_invalid_configuration_file_gives_an_error_with_the_file_name(file: Path, text: str, line: str) -> None:
    file.write_text(text)
    assert wrong(file).startswith(f"{file}: {line}")


def test_every_setting_has_a_description_and_a_unique_variable() -> None:
    taken = [environment_variable_name(name) for name in configurable_fields()]
    assert not OTHER_VARIABLES & set(taken)
    assert len(set(taken)) == len(taken)
    assert [name for name, field in configurable_fields().items() if not (field.description or "").strip()] == []


def test_example_configuration_file_holds_the_defaults(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(configuration, "load_configuration", lambda variables: load_configuration(variables={}))
    file.write_text(example_configuration())
    read, usual = load_configuration(file=file, variables={}).settings, load_configuration(variables={}).settings
    assert read.model_dump() == usual.model_dump()
    assert set(tomllib.loads(example_configuration())) == set(configurable_fields())


def test_shown_settings_hide_passwords_and_name_their_origin() -> None:
    said = {"FACEDOWN_DATABASE_URL": "postgresql://cards:se%40cret@db/cards?sslpassword=alsosecret"}
    shown = "\n".join(settings_lines(load_configuration({"bot_delay": 3.0}, variables=said)))
    assert "cret" not in shown
    assert 'database = "postgresql+psycopg://cards:***@db/cards?sslpassword=***"' in shown
    assert "# environment: FACEDOWN_DATABASE_URL" in shown
    assert shown.count("\n") == len(configurable_fields()) - 1
    line = next(line for line in shown.splitlines() if line.startswith("bot_delay = 3.0 "))
    assert line.endswith("# option")


@cases("wrong addresses and networks")
def test_invalid_addresses_and_networks_in_settings_are_refused(name: str, value: str, line: str) -> None:
    assert wrong(variables={f"FACEDOWN_{name}": value}) == line


# --- starting from the command line -----------------------------------------------------------------------------------


def test_failed_server_start_prints_the_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run(port=port, data=tmp_path, open_browser=False) == 1
    error = capsys.readouterr().err
    told = f"port {port} is already in use: choose another with --port, or leave out --port to get a free one"
    assert error == f"facedown: {told}\n"
    assert not list(tmp_path.iterdir())
    with pytest.raises(ListenError, match=r"cannot listen on 192\.0\.2\.1"):
        open_listening_socket("192.0.2.1", None)
    file = tmp_path / "cards.db"
    file.write_text("no database at all\n" * 200)
    assert run(data=file, open_browser=False) == 1
    told = capsys.readouterr().err.splitlines()
    assert told[-1].startswith("facedown: the database ")
    # A second line may warn that the file was world-readable.
    assert len(told) <= 2
    with served_elsewhere(url_of(tmp_path)) as holder:
        assert run(data=tmp_path, open_browser=False) == 1
    assert capsys.readouterr().err == f"facedown: another Facedown server uses this database (process {holder.pid})\n"


def test_server_without_a_configured_port_listens_on_a_free_one() -> None:
    with open_listening_socket("127.0.0.1", None) as one, open_listening_socket("127.0.0.1", None) as other:
        assert one.getsockname()[1] != other.getsockname()[1]


@with_manual_clock
async def test_accepted_connections_have_tcp_nodelay_set() -> None:
    """This includes asyncio's own loop. With Nagle's algorithm, each further response would take 40 ms."""
    delayed: list[bool] = []

    class Guest(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            delayed.append(transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 0)

    with open_listening_socket("127.0.0.1", None) as listening:
        server = await asyncio.get_running_loop().create_server(Guest, sock=listening)
        with socket.create_connection(listening.getsockname()):
            await wait_until_async(lambda: delayed)
        server.close()
    assert delayed == [False]


def test_lan_addresses_are_listed_for_a_wildcard_host_and_none_for_a_local_host(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def asked(family: int, kind: int) -> MagicMock:
        """Return a datagram socket of a machine with these addresses."""
        found = MagicMock()
        address = "192.168.7.20" if family == socket.AF_INET else "fd00::20"
        found.__enter__.return_value.getsockname.return_value = (address, 40000)
        return found

    known = [(socket.AF_INET, 0, 0, "", (address, 0)) for address in ("127.0.1.1", "10.1.2.3")]
    monkeypatch.setattr(main.socket, "socket", asked)
    monkeypatch.setattr(main.socket, "getaddrinfo", lambda *about, **more: known)
    assert lan_urls("0.0.0.0", 8000) == ["http://192.168.7.20:8000/", "http://10.1.2.3:8000/"]
    assert lan_urls("::", 8000)[:2] == ["http://192.168.7.20:8000/", "http://[fd00::20]:8000/"]
    assert lan_urls("127.0.0.1", 8000) == []
    own = [server_url(host, 80) for host in ("127.0.0.1", "::1", "cards")]
    assert own == ["http://127.0.0.1:80/", "http://[::1]:80/", "http://cards:80/"]


def test_start_on_all_interfaces_prints_the_network_address_and_logs_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a terminal, the log format is JSON."""

    def runs(server: uvicorn.Server, sockets: list[socket.socket]) -> None:
        logs.logger().warning("it_runs")
        sockets[0].close()

    monkeypatch.setattr(uvicorn.Server, "run", runs)
    monkeypatch.setattr(main, "lan_urls", lambda host, port: [f"http://192.168.7.20:{port}/"])
    # Leave the garbage collection of the test process as it is.
    monkeypatch.setattr(main, "start_collector_thread", lambda: None)
    run("0.0.0.0", None, tmp_path, open_browser=False)
    told, logged = capsys.readouterr()
    first, second = told.splitlines()
    assert first.startswith("Facedown is running at http://127.0.0.1:")
    port = first.rsplit(":", 1)[1]
    assert second == f"Others on your network can reach this server at http://192.168.7.20:{port}"
    (line,) = [json.loads(line) for line in logged.splitlines() if "it_runs" in line]
    assert line["level"] == "warning"
    run("127.0.0.1", None, tmp_path, open_browser=False)
    assert capsys.readouterr().out.count("\n") == 1
