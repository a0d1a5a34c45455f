"""Commands for operators that are not in the transcript admin.txt."""

from __future__ import annotations

import secrets
from pathlib import Path

import pytest

from facedown.core.seeds import new_seed
from facedown.core.state import SPECTATOR
from facedown.store import Repository, url_of
from tests.nightly_selection import mostly
from tests.terminal.command_runner import said
from tests.terminal.transcripts import open_table


@pytest.fixture(autouse=True)
def plain_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the tester's configuration, and use a database of the test."""
    monkeypatch.delenv("FACEDOWN_CONFIG", raising=False)
    monkeypatch.setenv("FACEDOWN_DATABASE_URL", str(tmp_path / "data"))


# --- settings ---------------------------------------------------------------------------------------------------------


def test_config_command_shows_each_setting_with_the_source_of_its_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "facedown.toml"
    file.write_text("silence = 50\n")
    monkeypatch.setenv("FACEDOWN_PORT", "8000")
    code, out, err = said(capsys, "config", "--config", str(file), "--database", "postgresql://a:hidden@b/c")
    assert (code, err) == (0, "")
    lines = dict(line.rsplit("  # ", 1) for line in out.splitlines())
    lines = {left.strip(): right for left, right in lines.items()}
    assert lines["silence = 50.0"] == "file"
    assert lines["port = 8000"] == "environment: FACEDOWN_PORT"
    assert lines['database = "postgresql+psycopg://a:***@b/c"'] == "option"
    assert lines["bot_delay = 1.1"] == "default"


def test_config_check_reports_unknown_environment_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(capsys, "config", "--check") == (0, "All settings are valid.\n", "")
    monkeypatch.setenv("FACEDOWN_PRT", "8000")
    wrong = "unknown environment variable FACEDOWN_PRT: did you mean FACEDOWN_PORT?\n"
    assert said(capsys, "config", "--check") == (2, "", wrong)
    assert said(capsys, "admin", "list") == (2, "", wrong)
    assert said(capsys, "serve", "--no-browser")[0] == 2


def test_config_example_option_prints_a_valid_configuration_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, out, _err = said(capsys, "config", "--example")
    assert code == 0
    (tmp_path / "it.toml").write_text(out)
    assert said(capsys, "config", "--check", "--config", str(tmp_path / "it.toml"))[0] == 0


# --- tables -----------------------------------------------------------------------------------------------------------


def test_admin_commands_without_a_database_fail_and_create_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in (
        ("list",), ("show", "ABCD"), ("close", "ABCD"), ("purge",), ("ban", "7"), ("unban", "7"), ("bans",),
        ("reports",), ("find", "Ada"), ("forget", "Ada"),
    ):  # fmt: skip
        code, out, err = said(capsys, "admin", *command)
        assert (code, out) == (1, ""), command
        assert err == f"no database found at {tmp_path / 'data' / 'facedown.sqlite3'}\n"
    assert said(capsys, "backup", str(tmp_path / "x.bak"))[0] == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("game", mostly(["detect", "reveal", "scout", "reveille"], ("detect",)))
def test_output_of_admin_commands_does_not_depend_on_hidden_cards(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """For two deals that look alike to a spectator, the commands print the same."""
    printed = {}
    for _try in range(400):
        seed, folder = new_seed(), tmp_path / secrets.token_hex(8)
        repository = Repository(url_of(folder))
        session = open_table(repository, repository.store_new_person("Ada", "t" * 40, 1.0), game, seed, "ABCD")
        seen = repr(session.table(SPECTATOR).zones) + repr(session.table(SPECTATOR).seats)
        repository.close()
        if seen in printed and printed[seen][0] != seed:
            shown = []
            for place in (printed[seen][1], folder):
                monkeypatch.setenv("FACEDOWN_DATABASE_URL", str(place))
                shown.append([said(capsys, "admin", *words) for words in (("show", "ABCD"), ("list",))])
            assert shown[0] == shown[1]
            assert shown[0][0][0] == 0
            for secret in (seed.hex(), session.record.commitment):
                assert secret not in str(shown)
            return
        printed[seen] = seed, folder
    pytest.fail("no two deals looked alike")
