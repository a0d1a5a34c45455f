"""Data that operators and players keep on disk and in scripts: settings, variables, commands, saved matches."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.corpus import archive, program

TOML = "settings/facedown.toml"
#: Moves in the saved match that is not finished.
SAVED = 12


def interface_files() -> dict[str, bytes]:
    """Return the default of every setting, and the parameters of every command."""
    return {
        "interface/defaults.json": archive.to_json(defaults(), 1),
        "interface/commands.json": archive.to_json(dict(commands()), 1),
    }


def defaults() -> dict[str, Any]:
    """Return the default of every setting, except the database path, which depends on the machine."""
    found = loaded(program.load_settings(variables={}).settings)
    del found["database"]
    return found


def loaded(settings: Any) -> dict[str, Any]:
    """Return all settings as plain values, secrets included."""
    found = {}
    for name in program.setting_fields():
        value = getattr(settings, name)
        found[name] = value.get_secret_value() if hasattr(value, "get_secret_value") else value
    return dict(json.loads(archive.to_json(found)))


def commands() -> Iterator[tuple[str, list[str]]]:
    """Yield every command with its options and arguments, in order."""

    def below(command: Any, path: str) -> Iterator[tuple[str, list[str]]]:
        yield path, [" ".join([*one.opts, *one.secondary_opts]) for one in command.params]
        for name, inner in getattr(command, "commands", {}).items():
            yield from below(inner, f"{path} {name}")

    yield from below(program.click_command(), "facedown")


def unpack_saves(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Write the saved matches into a folder and set ``FACEDOWN_DATA`` to it; the finished match is the latest one."""
    patch.setenv("FACEDOWN_DATA", str(folder))
    for at, name in enumerate(archive.names("settings/saves/**/*.match")):
        path = folder / name.removeprefix("settings/saves/")
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(archive.read_bytes(name))
        os.utime(path, (at, at))
