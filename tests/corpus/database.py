"""A database with tables of all games in every state, written by the program at the frozen commit.

`files` writes it with fixed people, codes, seeds and times. What the program takes from chance or from the clock by
itself (keys, numbers of processes, times of jobs) is replaced by fixed values at the end.
"""

from __future__ import annotations

import base64
import hashlib
import random
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tests.corpus import archive, matches, program
from tests.given import given

FILE = "database/facedown.sqlite3.gz"
#: Unix time at which the first table was opened, and at which the last move was made.
OPENED, LAST = 1795780800.0, 1795784400.0
#: Name of the cookie by which a person is known.
GUEST_COOKIE = "facedown-guest"
#: People with a browser's cookie, in the order of their numbers from 1.
PEOPLE = ("Ada", "Ben", "Cleo", "Dora")
#: Number of moves after which a running match is left.
PLAYED = 9
#: The states in which each game has a table; "plain" and "clocks" are running matches of people.
KINDS = ("lobby", "plain", "clocks", "bots", "stand-in", "closed", "finished", "again")
#: Of these the ones where Dora watches.
WATCHED = ("plain", "clocks", "finished")
#: Worlds that the coach tries for each move of a stored review.
TRIES = 8
LEVELS = ("beginner", "greedy")


def token(name: str) -> str:
    """Return the cookie of a person."""
    return _secret(f"person {name}")


def seat_key(game: str, kind: str) -> str:
    """Return the token of the second seat of a table, with which a program plays it."""
    return _secret(f"seat {game} {kind}")


def _secret(about: str) -> str:
    # A credential has 43 letters of the URL-safe alphabet and begins with no hyphen.
    return "k" + base64.urlsafe_b64encode(hashlib.sha256(f"corpus {about}".encode()).digest()).decode()[1:43]


def code(game: str, kind: str) -> str:
    """Return the public code of a table."""
    rnd = random.Random(f"corpus {game} {kind}")
    return "".join(rnd.choice("ABCDEFGHJKMNPQRSTUVWXYZ23456789") for _ in range(8))


def games() -> list[str]:
    """Return the games that have frozen tables."""
    return sorted({name.partition("-")[0] for name in matches.frozen()})


def unpack(folder: Path) -> Path:
    """Write the frozen database into a folder, as `facedown serve --data FOLDER` expects it; return its path."""
    path = folder / "facedown.sqlite3"
    path.touch(0o600)
    path.write_bytes(archive.read_bytes(FILE))
    return path


def files() -> dict[str, bytes]:
    """Write a database with all tables and return its file."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        repository = program.Repository(program.url_of(folder))
        try:
            _fill(repository)
        finally:
            repository.close()
        with closing(sqlite3.connect(folder / "facedown.sqlite3", isolation_level=None)) as connection:
            _fix(connection)
            connection.execute("PRAGMA journal_mode=DELETE")
            connection.execute("VACUUM INTO ?", (str(folder / "whole"),))
        return {FILE: (folder / "whole").read_bytes()}


def _fix(connection: sqlite3.Connection) -> None:
    """Replace what the program took from chance or from the clock."""
    connection.execute("UPDATE keys SET value = ?", (base64.b64encode(bytes(range(32))).decode(),))
    connection.execute("UPDATE jobs SET created = ?", (LAST,))
    connection.execute("UPDATE reviews SET made = ?", (LAST,))


def _fill(repository: program.Repository) -> None:
    people = [repository.new_person(name, token(name), OPENED) for name in PEOPLE]
    program.mark_seen(repository.engine, [person.id for person in people], LAST)
    for game in games():
        for kind in KINDS:
            _Writer(repository, game, kind).write()
    for origin in ("origins", "reviews"):
        repository.key(origin)
    banned = repository.new_person("Eve", token("Eve"), OPENED)
    program.ban(repository.engine, "person", str(banned.id), "spam", OPENED)
    program.ban(repository.engine, "address", "203.0.113.0/24", "", OPENED, LAST + 10**9)
    repository.beat(LAST)


@dataclass
class _Writer:
    """One table, written down request by request as a server would do it."""

    repository: program.Repository
    game: str
    kind: str

    def __post_init__(self) -> None:
        # A running clock has time left.
        self.now = LAST - 45.0 if self.kind == "clocks" else OPENED
        self.rnd = random.Random(f"corpus database {self.game} {self.kind}")
        self.code = code(self.game, self.kind)

    def write(self) -> None:
        """Open the table, and bring it to the state that its kind names."""
        if self.kind == "again":
            self._again()
            return
        self._open()
        if self.kind == "lobby":
            return
        if self.kind != "bots":
            key_hash = program.hash_token(seat_key(self.game, self.kind))
            self._do(self.session.sit(2, "Ben", key_hash=key_hash, ready=True, now=self.now))
        self._do(self.session.ready(1, True, self.now))
        if self.kind in WATCHED:
            self.repository.watch(self.code, 4)
        if self.kind == "finished":
            while not self.session.running.over:
                self._move()
            self._say(2, "Well played")
            self._review()
            return
        while self.session.ply < PLAYED or not self._is_turn_wanted():
            self._move()
        if self.kind == "clocks":
            self._say(1, "Hello")
        elif self.kind == "stand-in":
            self._do(self.session.leave(2))
            self._do(self.session.stand_in(1, 1, LEVELS[0], program.BotCatalogue(), self.now))
        elif self.kind == "closed":
            program.close_table(self.repository.engine, self.code, self.now)

    def _open(self) -> None:
        seats = [program.NewSeat("me"), program.NewSeat("open")]
        if self.kind == "bots":
            seats[1:] = [program.NewSeat("bot", LEVELS[1])]
        elif self.kind == "lobby" and program.catalogue()[self.game].seats[1] > 2:
            seats.append(program.NewSeat("bot", LEVELS[0]))
        settings = program.Settings()
        if self.kind == "clocks":
            settings = program.Settings(60, True, True, True, 5, "bot", True)
        record = program.new_table(
            self.game, seats, program.BotCatalogue(), OPENED, host=1, host_name="Ada", settings=settings,
            options=self._options(), seed=self.rnd.randbytes(32),
        )  # fmt: skip
        # Bots are named by chance.
        named = [replace(s, name=f"Robin {at}") if s.kind == "bot" else s for at, s in enumerate(record.seats)]
        record = replace(record, code=self.code, seats=tuple(named), origin="0123456789abcdef")
        self.repository.create(record)
        self.session = program.Session(record, now=self.now)
        if self.kind == "lobby":
            self._say(1, "Anybody for a match? ♥")

    def _options(self) -> dict[str, str]:
        """Return options other than the defaults for the kinds that are not about the default match."""
        if self.kind not in ("finished", "clocks"):
            return {}
        found = [name for name in matches.frozen() if name.startswith(f"{self.game}-options-")]
        files = [program.read_match_file(matches.frozen()[name]).match for name in found]
        shown = {option.name for option in program.catalogue()[self.game].options}
        long = {"finished": 0, "clocks": 10 * PLAYED}[self.kind]
        return next((m.options for m in files if m.seats == 2 and m.ply > long and set(m.options) <= shown), {})

    def _again(self) -> None:
        """Ada asks Ben for another match; Ben has not answered."""
        loaded = given(self.repository.load(code(self.game, "finished")))
        record = replace(
            program.rematch(loaded.record, 1, LAST),
            code=self.code,
            seed=bytes(32),
            commitment=program.commit(bytes(32)),
        )
        seats = [
            replace(s, key_hash=program.hash_token(seat_key(self.game, self.kind)) if s.key_hash else "")
            for s in record.seats
        ]
        self.repository.create(replace(record, seats=tuple(seats)))
        old = program.Session(loaded.record, loaded.moves, loaded.chat)
        change = old.follow(self.code)
        self.repository.write(change)
        found = given(self.repository.load(self.code))
        self.session, self.now = program.Session(found.record), LAST
        self._do(self.session.ready(1, True, LAST))

    def _review(self) -> None:
        """Store the coach's numbers, and ask for a review from the first seat."""
        number = given(self.repository.number(self.code))
        analysis = program.Analysis(self.session.running, None, TRIES)
        while not analysis.go_on(60.0):
            pass
        self.repository.reviews.keep(number, -1, program.review_text(analysis.found))
        self.repository.jobs.ask("review", number, 0, "0123456789abcdef")

    def _do(self, change: program.Change | None) -> None:
        assert change is not None
        self.repository.write(change)
        self.session.apply(change)

    def _say(self, person: int, text: str) -> None:
        self._do(self.session.say(program.check_chat(self.session, person, text, self.now)))

    def _move(self) -> None:
        self.now += 3.0
        session = self.session
        seat = self.rnd.choice(session.running.acting)
        actions = self.rnd.sample(legal := session.legal(seat), len(legal))
        if self.kind != "finished":
            # A running match stays one.
            actions = [action for action in actions if not self._ends(seat, action)]
        action = actions[0]
        task = session.bot_task()
        if task is not None and task.seat == seat:
            self._do(session.bot_move(task, action, self.now))
        else:
            # Programs name their moves, so that one that is sent twice counts once; pages do without.
            name = f"move-{session.ply}" if self.kind == "clocks" else ""
            self._do(session.move(seat, action, session.version(seat), token=name, now=self.now))

    def _is_turn_wanted(self) -> bool:
        """Return whether the match may be left now: it is the bot's turn, or Ada's."""
        acting = self.session.running.acting
        return acting == [1] if self.kind == "bots" else acting == [0] if self.kind == "stand-in" else 0 in acting

    def _ends(self, seat: int, action: int) -> bool:
        match = self.session.running.copy()
        match.play(seat, action)
        return match.over


def tables() -> Iterator[tuple[str, str]]:
    """Yield game and kind of every frozen table."""
    for game in games():
        for kind in KINDS:
            yield game, kind


def stored(repository: program.Repository, game: str, kind: str) -> dict[str, Any]:
    """Return what the repository holds about a table, and what its replay comes to."""
    at = code(game, kind)
    loaded = given(repository.load(at))
    record = loaded.record
    session = program.Session(record, loaded.moves, loaded.chat)
    started = session.match is not None
    return {
        "record": asdict(replace(record, options=dict(record.options), seed=b"")) | {"seed": record.seed.hex()},
        "moves": archive.digest([asdict(move) for move in loaded.moves]),
        "count": len(loaded.moves),
        "chat": [asdict(said) for said in loaded.chat],
        "people": [seat.person for seat in record.seats],
        "watched": [person for person in range(1, 6) if repository.watches(at, person)],
        "version": session.version(0) if started else None,
        "acting": session.running.acting if started else None,
        "state": archive.digest(program.to_bytes(session.running.state)) if started else None,
        "returns": session.running.returns if started and session.running.over else None,
        "review": archive.digest(repository.reviews.found(loaded.number, -1) or ""),
        "asked": repository.jobs.there("review", loaded.number, 0),
        "readable": review_is_readable(repository, loaded.number),
    }


def review_is_readable(repository: program.Repository, number: int) -> int | None:
    """Return the number of decisions in the stored review of a match, or None without one."""
    text = repository.reviews.found(number, -1)
    found = None if text is None else program.read_review(text)
    return None if found is None else len(found)


def others(repository: program.Repository) -> dict[str, Any]:
    """Return what the repository holds besides tables: people, bans, keys."""
    tokens = {name: token(name) for name in (*PEOPLE, "Eve")}
    found = repository.people(list(tokens.values()))
    people = {name: found[each].id if each in found else 0 for name, each in tokens.items()}
    programs = {f"{game} {kind}": repository.person_of_key(seat_key(game, kind)) for game in games() for kind in KINDS}
    return {
        "people": people,
        "programs": {name: person and person.id for name, person in programs.items()},
        "bans": [asdict(ban) for ban in program.bans(repository.engine, LAST)],
        "keys": {name: archive.digest(repository.key(name)) for name in ("origins", "reviews")},
        "tables": {name: len(repository.tables_of(person, None)) for name, person in people.items()},
    }


def stored_files() -> dict[str, bytes]:
    """Return what the program of today reads in the frozen database."""
    with tempfile.TemporaryDirectory() as name:
        unpack(Path(name))
        repository = program.Repository(program.url_of(Path(name)))
        try:
            found = {f"{game} {kind}": stored(repository, game, kind) for game, kind in tables()}
            found["others"] = others(repository)
        finally:
            repository.close()
    return {"stored/tables.json": archive.to_json(found, 1), "stored/schema.json": archive.to_json(new_schema(), 1)}


def new_schema() -> dict[str, Any]:
    """Return the schema of a database that the program of today makes."""
    with tempfile.TemporaryDirectory() as name:
        repository = program.Repository(program.url_of(Path(name)))
        try:
            return schema(repository)
        finally:
            repository.close()


def schema(repository: program.Repository) -> dict[str, Any]:
    """Return the columns of every table of an SQLite database (type, may it be empty, default), and its indexes."""
    with closing(repository.engine.raw_connection()) as connection:

        def rows(query: str) -> list[Any]:
            return list(connection.cursor().execute(query).fetchall())

        tables = [name for (name,) in rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        columns = {
            table: {
                name: [kind, not needed, default]
                for _, name, kind, needed, default, _ in rows(f"PRAGMA table_info({table})")
            }
            for table in tables
        }
        return {
            "columns": columns,
            "indexes": [
                list(one) for one in rows("SELECT name, sql FROM sqlite_master WHERE type = 'index' ORDER BY name")
            ],
        }
