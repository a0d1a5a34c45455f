"""Buses that something carries from process to process: Redis or Valkey, or the PostgreSQL database itself."""

from __future__ import annotations

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

from facedown.server.cluster.bus import Bus, Message, TablePresence, parse
from facedown.server.process import logs

log = logs.logger()

#: The channel by which processes hear of each other, on whatever carries it.
CHANNEL = "facedown"
#: PostgreSQL carries no longer message; news that do not fit go in the next one.
LONGEST = 7_500
#: What comes up within so many seconds goes in one message.
BATCH_DELAY = 0.002
#: A line that broke is tried again after so many seconds, and then less and less often.
WAITS = (0.1, 0.25, 0.5, 1.0, 2.0)
#: Whoever hears not even themselves for so long has lost the line, in seconds.
SILENCE_TIMEOUT = 12.0
#: How often a process sends something, if only to hear itself.
BEAT = 4.0


class RemoteBus(Bus, ABC):
    """A bus over something that carries texts between processes, and that may break."""

    connection_errors: tuple[type[Exception], ...] = (OSError, TimeoutError, EOFError, RuntimeError)
    """What the line raises when it is down."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting = Message(sender=0)
        self._bell = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._hears: asyncio.Timeout
        """Ends listening when nothing is heard for too long."""
        self.is_down = True

    @property
    def has_other_processes(self) -> bool:
        """There may always be others."""
        return True

    # --- what carries it ------------------------------------------------------------------------------------------

    @abstractmethod
    async def listen(self, up: Callable[[], None]) -> None:
        """Hear texts and hand them to `self.carried` until the line breaks; `up` is called when it stands."""

    @abstractmethod
    async def send(self, text: str) -> None:
        """Send a text; raises whatever the line raises when it is down."""

    @abstractmethod
    async def disconnect(self) -> None:
        """Close whatever is open."""

    # --- the line -------------------------------------------------------------------------------------------------

    async def start(self, sender: int) -> None:
        """Open the line; it is tried again and again until it stands."""
        self._waiting.sender = sender
        self._tasks = [asyncio.ensure_future(task) for task in (self._keep_listening(), self._keep_sending())]

    async def stop(self) -> None:
        """Send what waits, then close the line."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(*self.connection_errors):
            async with asyncio.timeout(1):
                for message in self._split_pending():
                    await self.send(message.text())
        with contextlib.suppress(*self.connection_errors):
            await self.disconnect()

    def publish(self, message: Message) -> None:
        """Tell all others, soon."""
        for number, revision in message.news.items():
            self._waiting.news[number] = max(revision, self._waiting.news.get(number, 0))
        self._waiting.here = [old for old in self._waiting.here if old.number not in {h.number for h in message.here}]
        self._waiting.here += message.here
        self._waiting.dismissed += message.dismissed
        self._waiting.leaves |= message.leaves
        self._bell.set()

    def receive(self, text: str | bytes) -> None:
        """A text came over the line."""
        self._hears.reschedule(asyncio.get_running_loop().time() + SILENCE_TIMEOUT)
        message = parse(text)
        if message is None:
            log.warning("bus_message_malformed")
        elif message.sender != self._waiting.sender:
            self._deliver(message)

    def _split_pending(self) -> Iterator[Message]:
        """What waits, in messages that are short enough."""
        waiting, self._waiting = self._waiting, Message(sender=self._waiting.sender)
        part, room = Message(sender=waiting.sender, leaves=waiting.leaves), LONGEST
        here = [one._replace(watching=one.watching[: LONGEST // 30]) for one in waiting.here]
        for one in (*waiting.dismissed, *waiting.news.items(), *here):
            # What Python writes of an object is no shorter than its JSON.
            size = len(repr(one)) + 1
            if size > room:
                yield part
                part, room = Message(sender=waiting.sender), LONGEST
            room -= size
            match one:
                case TablePresence():
                    part.here.append(one)
                case (int(number), int(revision)):
                    part.news[number] = revision
                case int(person):
                    part.dismissed.append(person)
        yield part

    async def _keep_sending(self) -> None:
        tries = 0
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(BEAT):
                    await self._bell.wait()
            self._bell.clear()
            await asyncio.sleep(BATCH_DELAY)
            for part in self._split_pending():
                try:
                    async with asyncio.timeout(BEAT):
                        await self.send(part.text())
                    tries = 0
                except self.connection_errors as wrong:
                    # Nothing is lost by it but time: the others look by themselves when they hear nothing.
                    if not tries:
                        log.warning("bus_takes_no_news", why=type(wrong).__name__)
                    self.publish(part)
                    await asyncio.sleep(WAITS[min(tries, len(WAITS) - 1)])
                    tries += 1

    async def _keep_listening(self) -> None:
        tries = 0

        def up() -> None:
            nonlocal tries
            if tries:
                log.warning("bus_is_back")
                self._notify_messages_lost()
            tries, self.is_down = 0, False

        while True:
            try:
                async with asyncio.timeout(SILENCE_TIMEOUT) as self._hears:
                    await self.listen(up)
                raise ConnectionError("the line ended")
            except self.connection_errors as wrong:
                if not tries:
                    log.warning("bus_is_down", why=type(wrong).__name__)
                # What is told from now on is not heard: look.
                self._notify_messages_lost()
            finally:
                self.is_down = True
            await asyncio.sleep(WAITS[min(tries, len(WAITS) - 1)])
            tries += 1


class RedisBus(RemoteBus):
    """News by publish and subscribe of Redis or Valkey."""

    name = "redis"

    def __init__(self, url: str) -> None:
        super().__init__()
        from redis.asyncio import Redis
        from redis.exceptions import RedisError

        self.connection_errors = (*self.connection_errors, RedisError)
        self._client: Any = Redis.from_url(
            url,
            socket_connect_timeout=BEAT,
            # With a time limit of its own the client sends by `asyncio.wait_for`. On Python 3.11 that may ignore a
            # cancellation, and the server would never stop. Sending and listening have time limits in `RemoteBus`.
            socket_timeout=None,
            socket_keepalive=True,
            health_check_interval=int(BEAT),
        )

    async def listen(self, up: Callable[[], None]) -> None:
        """Subscribe, and hear until the line breaks."""
        async with self._client.pubsub(ignore_subscribe_messages=True) as heard:
            await heard.subscribe(CHANNEL)
            up()
            async for message in heard.listen():
                self.receive(message["data"])

    async def send(self, text: str) -> None:
        """Publish a text."""
        await self._client.publish(CHANNEL, text)

    async def disconnect(self) -> None:
        """Close all connections."""
        await self._client.aclose()


class PostgresBus(RemoteBus):
    """News by LISTEN and NOTIFY of the database itself: after the commit, as within it all writers would wait."""

    name = "postgresql"

    def __init__(self, url: str) -> None:
        super().__init__()
        from psycopg import Error

        self.connection_errors = (*self.connection_errors, Error)
        self._url = url
        self._sending: Any = None

    async def _connect(self) -> Any:
        import psycopg

        return await psycopg.AsyncConnection.connect(self._url, autocommit=True, connect_timeout=int(BEAT))

    async def listen(self, up: Callable[[], None]) -> None:
        """Listen on a connection of its own until it breaks."""
        async with await self._connect() as connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            up()
            async for notice in connection.notifies():
                self.receive(notice.payload)

    async def send(self, text: str) -> None:
        """Notify over a second connection."""
        if self._sending is None or self._sending.broken or self._sending.closed:
            self._sending = await self._connect()
        await self._sending.execute("SELECT pg_notify(%s, %s)", (CHANNEL, text))

    async def disconnect(self) -> None:
        """Close the connection that sends."""
        if self._sending is not None:
            await self._sending.close()


def bus_of(address: str, database: str) -> Bus:
    """The bus for a setting: Redis or Valkey by address; without one the database's own, where it has any."""
    if address:
        return RedisBus(address)
    if database.startswith("postgresql"):
        import sqlalchemy as sa

        where = sa.engine.make_url(database).set(drivername="postgresql")
        return PostgresBus(where.render_as_string(hide_password=False))
    return Bus()
