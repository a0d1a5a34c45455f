"""Settings files, variables, command lines and saved matches of the frozen commit have the same meaning."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.corpus import archive, configuration, program

LOADED = archive.read_json("settings/loaded.json")


def check_settings(frozen: dict[str, Any], settings: Any) -> None:
    """Compare all frozen settings; new settings are allowed."""
    current = configuration.loaded(settings)
    wrong = archive.first_difference(frozen, {name: current[name] for name in frozen if name in current})
    assert not wrong, wrong


def test_settings_file_of_an_earlier_version_loads_the_same_values(tmp_path: Path) -> None:
    file = tmp_path / "facedown.toml"
    file.write_bytes(archive.read_bytes(configuration.TOML))
    for found in (
        program.load_settings(file=file, variables={}),
        program.load_settings(variables={"FACEDOWN_CONFIG": str(file)}),
    ):
        check_settings(LOADED, found.settings)


def test_environment_variables_of_an_earlier_version_load_the_same_values() -> None:
    check_settings(LOADED, program.load_settings(variables=archive.read_json("settings/environment.json")).settings)


def test_every_setting_has_the_same_default_as_in_a_recorded_earlier_version() -> None:
    defaults = archive.read_json("interface/defaults.json")
    check_settings(defaults, program.load_settings(variables={}).settings)
    assert set(defaults) == set(LOADED) - {"database"}
    assert [name for name, value in defaults.items() if LOADED[name] == value] == []


def test_every_command_of_a_recorded_earlier_version_still_accepts_its_options() -> None:
    frozen, current = archive.read_json("interface/commands.json"), dict(configuration.commands())
    assert set(current) >= set(frozen)
    missing = [f"{path}: {one}" for path, taken in frozen.items() for one in taken if one not in current[path]]
    assert not missing


@pytest.mark.parametrize(("variable", "value"), [("FACEDOWN_LANG", "de"), ("LANG", "de_AT.UTF-8"), ("LANG", "C")])
def test_language_environment_variables_still_choose_the_language(variable: str, value: str) -> None:
    assert program.chosen_language(["games"], {variable: value}) == ("de" if value[:2] == "de" else "en", ["games"])


def test_environment_variable_facedown_cache_still_sets_the_cache_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FACEDOWN_CACHE", str(tmp_path / "rules"))
    assert program.cache_folder() == tmp_path / "rules"


def test_saved_matches_of_an_earlier_version_are_listed_and_can_be_resumed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configuration.unpack_saves(tmp_path, monkeypatch)
    assert program.command_line(["matches"]) == 0
    listed = capsys.readouterr().out
    assert "reveal-1" in listed
    found = program.load_saved(program.saved_path("last"))
    assert program.saved_path("last").name == "reveal-1.match"
    assert found.match.ply == configuration.SAVED
    assert (found.names, found.bots) == (("Ada", "Robin"), {1: "greedy"})
    assert not found.match.over
    assert program.load_saved(program.saved_path("reveal-2")).match.over
    for name in ("reveal-1", "reveal-2"):
        text = (tmp_path / "matches" / f"{name}.match").read_text("utf-8")
        file = program.load_saved(program.saved_path(name))
        assert program.write_match_file(file.match, file.names, file.bots, file.date, file.note) == text
        assert program.command_line(["verify", str(program.saved_path(name))]) == 0
