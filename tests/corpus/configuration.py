"""What operators and players keep on disk and in scripts: settings, variables, commands, saved matches."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_origin

import pytest

from tests.corpus import archive, matches, program

TOML = "settings/facedown.toml"
#: A value other than the default for every setting whose type does not give one.
VALUES: dict[str, Any] = {
    "database": "postgresql+psycopg://cards:secret@db.example/cards",
    "language": "de",
    "bus": "redis://bus.example:6379/2",
    "origins": ["https://cards.example", "https://other.example"],
    "proxies": ["127.0.0.1", "10.0.0.0/8"],
    "hosts": ["cards.example", "*.cards.example"],
    "public_url": "https://cards.example/table",
    "prefix": "/table",
    "host": "0.0.0.0",
    "metrics": "token",
    "metrics_token": "a-token-for-metrics",
}
#: Moves of the saved match that goes on.
SAVED = 12


def files() -> dict[str, bytes]:
    """Return a settings file and variables with every setting, what they come to, and saved matches."""
    values = {name: value_for(name) for name in program.setting_fields()}
    toml = "".join(f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in values.items())
    variables = {program.variable_of(name): spelled(value) for name, value in values.items()}
    found = {
        "settings/environment.json": archive.to_json(variables, 1),
        "settings/loaded.json": archive.to_json(values, 1),
        TOML: toml.encode(),
    }
    return found | saved_matches()


def interface_files() -> dict[str, bytes]:
    """Return what every setting is by itself, and what every command takes."""
    return {
        "interface/defaults.json": archive.to_json(defaults(), 1),
        "interface/commands.json": archive.to_json(dict(commands()), 1),
    }


def value_for(name: str) -> Any:
    """Return a valid value of a setting that is not its default."""
    if name in VALUES:
        return VALUES[name]
    field = program.setting_fields()[name]
    if get_origin(field.annotation) is not None:
        return next(value for value in get_args(field.annotation) if value != field.default)
    if field.annotation is bool:
        return not field.default
    return field.default + (1 if field.annotation is int else 0.5)


def spelled(value: Any) -> str:
    """Return a value as an environment variable spells it."""
    if isinstance(value, list):
        return ", ".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def defaults() -> dict[str, Any]:
    """Return what every setting is without a file; the place of the database depends on the machine."""
    found = loaded(program.load_settings(variables={}).settings)
    del found["database"]
    return found


def loaded(settings: Any) -> dict[str, Any]:
    """Return all settings as plain values, secrets included."""
    found = {}
    for name in program.setting_fields():
        value = getattr(settings, name)
        found[name] = value.get_secret_value() if hasattr(value, "get_secret_value") else value
    return dict(archive.plain(found))


def commands() -> Iterator[tuple[str, list[str]]]:
    """Yield every command with the options and arguments that it takes, in the order in which it takes them."""

    def below(command: Any, path: str) -> Iterator[tuple[str, list[str]]]:
        yield path, [" ".join([*one.opts, *one.secondary_opts]) for one in command.params]
        for name, inner in getattr(command, "commands", {}).items():
            yield from below(inner, f"{path} {name}")

    yield from below(program.click_command(), "facedown")


def saved_matches() -> dict[str, bytes]:
    """Return two match files as the terminal saves them: one that goes on, one that is over."""
    over = matches.frozen()["reveal-default-2"].encode()
    match = program.Match("reveal", 2, {}, random.Random("corpus saved").randbytes(32))
    rnd = random.Random("corpus saved moves")
    while match.ply < SAVED:
        seat = match.acting[0]
        match.play(seat, rnd.choice(match.legal(seat)))
    going_on = program.write_match_file(match, ("Ada", "Robin"), {1: "greedy"}, "2026-11-27")
    folder = "settings/saves/matches"
    return {f"{folder}/reveal-1.match": going_on.encode(), f"{folder}/reveal-2.match": over}


def unpack_saves(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Write the saved matches into a folder that ``FACEDOWN_DATA`` names; the one that is over was played last."""
    patch.setenv("FACEDOWN_DATA", str(folder))
    for at, name in enumerate(archive.names("settings/saves/**/*.match")):
        path = folder / name.removeprefix("settings/saves/")
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(archive.read_bytes(name))
        os.utime(path, (at, at))
