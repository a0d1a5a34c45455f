"""The settings of a server: where they come from, and what is said of those that cannot hold."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from pydantic import Field, SecretStr

from facedown.server.process import configuration
from facedown.server.process.configuration import (
    OTHERS,
    BadSettings,
    Configuration,
    example,
    fields,
    lines,
    load,
    variable_of,
)
from facedown.server.process.settings import ServerSettings
from facedown.store import url_of
from tests.server.cases import cases


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "facedown.toml"


def test_option_beats_environment_beats_file_beats_default(file: Path) -> None:
    file.write_text('bot_delay = 1.5\nsilence = 60\nport = 8001\norigins = ["https://a.example"]\n')
    said = {"FACEDOWN_BOT_DELAY": "2.5", "FACEDOWN_PORT": "8002", "FACEDOWN_CONFIG": str(file), "HOME": "/root"}
    found = load({"port": 8003, "host": None}, variables=said)
    settings = found.settings
    assert (settings.silence, settings.bot_delay, settings.port) == (60, 2.5, 8003)
    assert (settings.origins, settings.host) == (("https://a.example",), "127.0.0.1")
    assert [found.origins[name] for name in ("silence", "bot_delay", "port", "host")] == [
        "file",
        "environment",
        "option",
        "default",
    ]


def test_settings_made_by_keywords_read_no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FACEDOWN_BOT_DELAY", "7")
    assert ServerSettings(database="").bot_delay == 1.1
    assert load().settings.bot_delay == 7


def test_addresses_have_variables_that_say_so(tmp_path: Path) -> None:
    found = load(variables={"FACEDOWN_DATABASE_URL": "postgresql://cards:secret@db/cards"})
    assert found.settings.database == "postgresql+psycopg://cards:secret@db/cards"
    assert load({"database": tmp_path}, variables={}).settings.database == url_of(tmp_path)


def test_a_list_is_separated_by_commas_and_an_empty_variable_says_nothing() -> None:
    said = {"FACEDOWN_ORIGINS": "https://a.example, https://b.example,", "FACEDOWN_HOST": ""}
    found = load(variables=said)
    assert found.settings.origins == ("https://a.example", "https://b.example")
    assert found.origins["host"] == "default"


@cases("wrong environments")
def test_what_the_environment_says_wrongly_is_named_in_one_line(said: dict[str, str], line: str) -> None:
    with pytest.raises(BadSettings) as wrong:
        load(variables=said)
    assert line in str(wrong.value)
    assert "\n" not in str(wrong.value)
    assert "secret" not in str(wrong.value)


@cases("wrong configuration files")
def test_what_the_file_says_wrongly_is_named_with_the_file(file: Path, text: str, line: str) -> None:
    file.write_text(text)
    with pytest.raises(BadSettings) as wrong:
        load(file=file, variables={})
    assert str(wrong.value).startswith(f"{file}: {line}")
    assert "\n" not in str(wrong.value)


def test_a_file_that_is_named_and_missing_is_no_default(file: Path) -> None:
    with pytest.raises(BadSettings, match=r"facedown\.toml: cannot be read: No such file"):
        load(variables={"FACEDOWN_CONFIG": str(file)})


def test_no_setting_takes_a_variable_that_means_something_else() -> None:
    taken = [variable_of(name) for name in fields()]
    assert not OTHERS & set(taken)
    assert len(set(taken)) == len(taken)


def test_the_example_says_the_defaults(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(configuration, "load", lambda variables: load(variables={}))
    file.write_text(example())
    read, usual = load(file=file, variables={}).settings, load(variables={}).settings
    assert read.model_dump() == usual.model_dump()
    assert set(tomllib.loads(example())) == set(fields())


def test_every_setting_is_described() -> None:
    assert [name for name, field in fields().items() if not (field.description or "").strip()] == []


def test_what_is_shown_holds_no_secret() -> None:
    said = {"FACEDOWN_DATABASE_URL": "postgresql://cards:se%40cret@db/cards?sslpassword=alsosecret"}
    shown = "\n".join(lines(load({"bot_delay": 3.0}, variables=said)))
    assert "cret" not in shown
    assert 'database = "postgresql+psycopg://cards:***@db/cards?sslpassword=***"' in shown
    assert "# environment: FACEDOWN_DATABASE_URL" in shown
    assert shown.count("\n") == len(fields()) - 1
    line = next(line for line in shown.splitlines() if line.startswith("bot_delay = 3.0 "))
    assert line.endswith("# option")


class Grown(ServerSettings):
    """The settings with some of kinds that may come."""

    key: SecretStr = SecretStr("")
    """A secret."""
    rate: float = Field(default=1.0, gt=0)
    """A rate."""


def grown(said: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Configuration:
    monkeypatch.setattr(configuration, "ServerSettings", Grown)
    return load(variables=said)


def test_settings_of_any_kind_can_be_added(monkeypatch: pytest.MonkeyPatch) -> None:
    said = {
        "FACEDOWN_BUS_URL": "redis://:secret@bus:6379/0",
        "FACEDOWN_PROXIES": "127.0.0.1,10.0.0.0/8",
        "FACEDOWN_KEY": "secret",
        "FACEDOWN_PUBLIC_URL": "https://cards.example/table",
    }
    found = grown(said, monkeypatch)
    settings: Any = found.settings
    assert (settings.proxies, settings.bus) == (("127.0.0.1", "10.0.0.0/8"), "redis://:secret@bus:6379/0")
    assert settings.key.get_secret_value() == "secret"
    assert "secret" not in "\n".join(lines(found))


@cases("wrong addresses and networks")
def test_addresses_and_networks_are_looked_at(
    name: str, value: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadSettings) as wrong:
        grown({f"FACEDOWN_{name}": value}, monkeypatch)
    assert str(wrong.value) == line
