"""PostgreSQL that restarts, dies or hangs during writes: acknowledged changes are stored."""

from __future__ import annotations

import random
import threading
import time

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from facedown.play import Change, Session, chat
from facedown.store import Conflict, Repository, url_of
from facedown.store.engine import read_transaction
from facedown.store.errors import CommitUnknown, error_class_word
from tests.database_servers import Postgres
from tests.not_none import given
from tests.store.test_repository import running_session
from tests.waiting import wait_until

pytestmark = pytest.mark.postgres
PATIENCE = 60.0


def chat_change(session: Session, number: int) -> Change:
    host = given(session.record.host)
    return session.say(chat.validate_message(session, host, f"line {number}", 1000.0 * number))


class Writer(threading.Thread):
    """Thread that writes chat lines and records which were acknowledged."""

    def __init__(self, repository: Repository) -> None:
        super().__init__(daemon=True)
        self.repository = repository
        self.session = running_session(repository)
        self.acknowledged: list[str] = []
        self.refused: list[str] = []
        self.unsettled: list[str] = []
        self.words: set[str] = set()
        self.enough = threading.Event()

    def run(self) -> None:
        number = 0
        while not self.enough.is_set():
            number += 1
            change = chat_change(self.session, number)
            assert change.said is not None
            try:
                found = self.repository.write_all([change])
                assert found == [None] or isinstance(found[0], Conflict)
            except SQLAlchemyError as wrong:
                (self.unsettled if isinstance(wrong, CommitUnknown) else self.refused).append(change.said.text)
                self.words.add(error_class_word(wrong))
                self._look()
                continue
            if found == [None]:
                self.session.apply(change)
                self.acknowledged.append(change.said.text)
            else:
                self._look()

    def _look(self) -> None:
        """Reload the table, as after a conflict."""

        def looked() -> bool:
            try:
                loaded = self.repository.load(self.session.code)
            except SQLAlchemyError:
                return False
            assert loaded is not None
            self.session = Session(loaded.record, loaded.moves, loaded.chat)
            return True

        wait_until(looked)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_acknowledged_writes_survive_postgres_restarts(own_postgres: Postgres, mode: str, seed: int) -> None:
    luck = random.Random(seed)
    repository = Repository(url_of(own_postgres.url("postgres")))
    writers = [Writer(repository) for _ in range(3)]
    for writer in writers:
        writer.start()
    for _ in range(4):
        time.sleep(luck.uniform(0.05, 0.4))  # Real time: PostgreSQL is to go away at any moment of a transaction.
        own_postgres.stop(mode)
        own_postgres.start()
    counts = [len(writer.acknowledged) for writer in writers]
    # The writers continue without a restart.
    wait_until(lambda: all(len(one.acknowledged) > count for one, count in zip(writers, counts, strict=True)))
    for writer in writers:
        writer.enough.set()
        writer.join(PATIENCE)
    assert repository.health.errors["unreachable"] > 0
    with read_transaction(repository.engine) as connection:
        rows = connection.execute(sa.text("SELECT code, text FROM chat JOIN matches ON matches.id = match_id")).all()
    repository.close()
    for writer in writers:
        stored = [text for code, text in rows if code == writer.session.code]
        assert len(stored) == len(set(stored)), "nothing stands twice"
        assert set(writer.acknowledged) <= set(stored)
        assert writer.words <= {"unreachable", "unsettled"}
        assert not set(writer.refused) & set(stored), "what was said not to count does not"
        assert set(stored) <= {*writer.acknowledged, *writer.unsettled}


def test_cut_postgres_connection_is_replaced_if_idle_and_reported_if_in_use(postgres_url: str) -> None:
    """Idle connections are tested before use. A cut during a request raises an error."""
    repository = Repository(postgres_url)
    session = running_session(repository)
    admin = sa.create_engine(postgres_url, isolation_level="AUTOCOMMIT")
    cut = sa.text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                  " AND datname = current_database()")  # fmt: skip
    with admin.connect() as connection:
        connection.execute(cut)
        change = chat_change(session, 1)
        assert repository.write_all([change]) == [None]
        session.apply(change)
        cutting = True

        @sa.event.listens_for(repository._engine, "before_cursor_execute")
        def in_the_middle(_connection: object, _cursor: object, statement: str, *_: object) -> None:
            if cutting and statement.startswith("INSERT INTO chat"):
                connection.execute(cut)

        with pytest.raises(SQLAlchemyError) as caught:
            repository.write_all([chat_change(session, 2)])
        assert error_class_word(caught.value) == "unreachable"
        cutting = False
        assert repository.write_all([chat_change(session, 2)]) == [None]
    admin.dispose()
    found = repository.load(session.code)
    repository.close()
    assert found is not None
    assert [line.text for line in found.chat] == ["line 1", "line 2"]


def test_write_to_a_row_locked_by_another_program_fails_soon(postgres_url: str) -> None:
    repository = Repository(postgres_url)
    session = running_session(repository)
    other = sa.create_engine(postgres_url)
    with other.connect() as holder:
        holder.execute(sa.text("SELECT * FROM matches FOR UPDATE"))
        with pytest.raises(SQLAlchemyError) as caught:
            repository.write_all([chat_change(session, 1)])
        assert error_class_word(caught.value) == "locked"
        assert repository.load(session.code) is not None
    other.dispose()
    assert repository.write_all([chat_change(session, 1)]) == [None]
    repository.close()
