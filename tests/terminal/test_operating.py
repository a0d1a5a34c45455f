"""The commands for whoever runs a server: settings, tables and people, backups."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from facedown.core.seeds import new_seed
from facedown.core.state import SPECTATOR
from facedown.play import Change, NewSeat, Session, new_table
from facedown.store import Person, Repository, new_token, url_of
from facedown.store.admin import close_table
from tests.play.table import LowBots
from tests.selection import mostly
from tests.terminal.running import said


@pytest.fixture(autouse=True)
def plain_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of whoever runs the tests, and a database of the test's own."""
    monkeypatch.delenv("FACEDOWN_CONFIG", raising=False)
    monkeypatch.setenv("FACEDOWN_DATABASE_URL", str(tmp_path / "data"))


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    opened = Repository(url_of(tmp_path / "data"))
    yield opened
    opened.close()


def do(repository: Repository, session: Session, change: Change | None) -> None:
    assert change is not None
    repository.write(change)
    session.apply(change)


def begun(
    repository: Repository, host: Person, game: str = "detect", seed: bytes | None = None, code: str = ""
) -> Session:
    """A running table of somebody and a bot."""
    seats = [NewSeat("me"), NewSeat("bot", "low")]
    record = new_table(game, seats, LowBots(), 1.0, host=host.id, host_name=host.name, seed=seed)
    record = replace(record, code=code or record.code)
    repository.create(record)
    session = Session(record)
    do(repository, session, session.ready(host.id, True, 2.0))
    return session


# --- settings ---------------------------------------------------------------------------------------------------------


def test_config_shows_what_holds_and_whence(
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


def test_config_checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "config", "--check") == (0, "All settings are valid.\n", "")
    monkeypatch.setenv("FACEDOWN_PRT", "8000")
    wrong = "there is no variable FACEDOWN_PRT: did you mean FACEDOWN_PORT?\n"
    assert said(capsys, "config", "--check") == (2, "", wrong)
    assert said(capsys, "admin", "list") == (2, "", wrong)
    assert said(capsys, "serve", "--no-browser")[0] == 2


def test_config_prints_an_example(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _err = said(capsys, "config", "--example")
    assert code == 0
    (tmp_path / "it.toml").write_text(out)
    assert said(capsys, "config", "--check", "--config", str(tmp_path / "it.toml"))[0] == 0


# --- tables -----------------------------------------------------------------------------------------------------------


def test_without_a_database_every_command_says_so_and_makes_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in (
        ("list",), ("show", "ABCD"), ("close", "ABCD"), ("purge",), ("ban", "7"), ("unban", "7"), ("bans",),
        ("find", "Ada"), ("forget", "Ada"),
    ):  # fmt: skip
        code, out, err = said(capsys, "admin", *command)
        assert (code, out) == (1, ""), command
        assert err == f"there is no database at {tmp_path / 'data' / 'facedown.sqlite3'}\n"
    assert said(capsys, "backup", str(tmp_path / "x.bak"))[0] == 1
    assert list(tmp_path.iterdir()) == []


def test_list_and_close(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    session = begun(repository, repository.new_person("Ada", new_token(), 1.0))
    code, out, _err = said(capsys, "admin", "list")
    head, row = out.splitlines()
    assert code == 0
    assert head.split() == ["code", "game", "status", "seats", "people", "bots", "opened", "last", "move"]
    assert row.split() == [session.code, "detect", "running", "2", "1", "1", "1970-01-01", "00:00", "-"]
    assert said(capsys, "admin", "list", "--status", "lobby") == (0, "No tables.\n", "")
    assert said(capsys, "admin", "list", "--status", "open")[0] == 2
    assert said(capsys, "admin", "close", session.code.lower())[0] == 0
    assert said(capsys, "admin", "close", session.code) == (1, "", f"table {session.code} is over already\n")
    assert "closed before its end" in said(capsys, "admin", "show", session.code)[1]


@pytest.mark.parametrize("game", mostly(["detect", "reveal", "scout", "reveille"], ("detect",)))
def test_what_is_shown_is_the_same_whatever_is_hidden(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two deals that look alike to a spectator: all that the commands print is the same."""
    printed = {}
    for _try in range(400):
        seed, folder = new_seed(), tmp_path / secrets.token_hex(8)
        repository = Repository(url_of(folder))
        session = begun(repository, repository.new_person("Ada", "t" * 40, 1.0), game, seed, "ABCD")
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


# --- people -----------------------------------------------------------------------------------------------------------


def test_ban_and_unban(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    ada = repository.new_person("Ada", new_token(), 1.0)
    assert said(capsys, "admin", "bans") == (0, "Nobody is banned.\n", "")
    before = time.time()
    assert said(capsys, "admin", "ban", "203.0.113.7", "--reason", "a flood", "--for", "2d")[0] == 0
    # It may be midnight while the command runs.
    days = [time.strftime("%Y-%m-%d", time.gmtime(at + 2 * 86400)) for at in (before, time.time())]
    assert said(capsys, "admin", "ban", str(ada.id))[0] == 0
    listed = said(capsys, "admin", "bans")[1]
    assert "203.0.113.7/32" in listed
    assert any(day in listed for day in days)
    assert "a flood" in listed
    assert f"person {ada.id}" in listed
    assert said(capsys, "admin", "unban", "203.0.113.7")[0] == 0
    assert said(capsys, "admin", "unban", "203.0.113.7") == (1, "", "203.0.113.7/32 is not banned\n")
    for wrong in (("ban", "somewhere"), ("ban", "10.0.0.1/8"), ("ban", "10.0.0.1", "--for", "long")):
        code, out, err = said(capsys, "admin", *wrong)
        assert (code, out, err.count("\n")) == (2, "", 1)
    assert said(capsys, "admin", "ban", "999") == (1, "", "there is no person 999\n")


def test_find_and_forget(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    token = new_token()
    ada = repository.new_person("Ada", token, 1.0)
    begun(repository, ada)
    code, out, _err = said(capsys, "admin", "find", token)
    assert code == 0
    assert [one["name"] for one in json.loads(out)] == ["Ada"]
    assert said(capsys, "admin", "find", "Nobody") == (1, "[]\n", "")
    asked = said(capsys, "admin", "forget", "ada")
    assert asked == (0, f"Person {ada.id}, “Ada” (seats: 1).\nNothing was deleted: --yes does it.\n", "")
    assert repository.person(token) == ada
    other = repository.new_person("Ada", None, 1.0)
    assert said(capsys, "admin", "forget", "Ada", "--yes")[2] == (
        f"there are several, name the number: {ada.id}, {other.id}\n"
    )
    assert said(capsys, "admin", "forget", str(ada.id), "--yes")[0] == 0
    assert repository.person(token) is None
    assert said(capsys, "admin", "forget", str(ada.id), "--yes")[0] == 1


def test_purge_says_first_and_deletes_when_told(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    session = begun(repository, repository.new_person("Ada", new_token(), 1.0))
    close_table(repository.engine, session.code, 100.0)
    counted = "finished matches: 1\ntables where no match started: 0\npeople not seen: 0\n"
    nothing = said(capsys, "admin", "purge")
    assert nothing[1].startswith("finished matches: 0\n")
    asked = said(capsys, "admin", "purge", "--finished-days", "30")
    assert asked == (0, counted + "Nothing was deleted: --yes does it.\n", "")
    assert repository.load(session.code) is not None
    assert said(capsys, "admin", "purge", "--finished-days", "30", "--yes") == (0, counted + "They are deleted.\n", "")
    assert repository.load(session.code) is None


# --- backups ----------------------------------------------------------------------------------------------------------


def test_backup_and_restore(tmp_path: Path, repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    token, file = new_token(), tmp_path / "monday.bak"
    repository.new_person("Ada", token, 1.0)
    assert said(capsys, "backup", str(file))[0] == 0
    assert said(capsys, "backup", str(file)) == (1, "", f"{file} is there already\n")
    assert said(capsys, "backup", str(file), "--force")[0] == 0
    repository.close()
    code, out, _err = said(capsys, "restore", str(file))
    assert code == 0
    assert "What was there before is in " in out
    back = Repository(url_of(tmp_path / "data"))
    assert back.person(token) is not None
    back.close()
    assert said(capsys, "restore", str(tmp_path / "none.bak"))[0] == 1
