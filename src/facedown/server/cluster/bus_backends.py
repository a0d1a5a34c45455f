"""Message buses between processes on different machines: Redis or Valkey, or the PostgreSQL database itself."""

from __future__ import annotations

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

from facedown.server.cluster.bus import Bus, Message, TablePresence, parse_message
from facedown.server.process import logs

log = logs.logger()

#: Name of the channel on which all messages are published, in Redis and in PostgreSQL.
CHANNEL = "facedown"
#: Maximum number of characters of all entries in a message (changed tables, connected players and so on). More entries
#: are split into several messages. PostgreSQL's NOTIFY allows just under 8000 bytes; the difference leaves room for the
#: other fields of a message.
MAX_ENTRIES_LENGTH = 7_500
#: Seconds for which messages are collected before they are sent as one.
BATCH_DELAY = 0.002
#: Seconds to wait before each attempt to reconnect; the last value repeats.
WAITS = (0.1, 0.25, 0.5, 1.0, 2.0)
#: Seconds without any message, not even this process's own, after which the connection counts as lost.
SILENCE_TIMEOUT = 12.0
#: Maximum seconds between two messages of a process. If a process has nothing to send, it sends an empty message. A
#: process also receives its own messages, so silence for `SILENCE_TIMEOUT` shows that its connection is broken.
BEAT = 4.0


class RemoteBus(Bus, ABC):
    """Base class of buses over a network connection, which can fail."""

    connection_errors: tuple[type[Exception], ...] = (OSError, TimeoutError, EOFError, RuntimeError)
    """Types of the exceptions that the transport raises when its connection is down."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting = Message(sender=0)
        self._bell = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._hears: asyncio.Timeout
        """Timeout that ends listening if nothing is received for too long."""
        self.is_down = True

    @property
    def has_other_processes(self) -> bool:
        """Whether other processes may be listening. Always true, because this cannot be known over a network."""
        return True

    # --- transport ------------------------------------------------------------------------------------------------

    @abstractmethod
    async def listen(self, up: Callable[[], None]) -> None:
        """Connect, and pass each message that arrives to `self.receive`, until the connection fails.

        Call `up` as soon as messages can arrive. When the connection fails, either return, or raise an exception of one
        of the types in `connection_errors`.
        """

    @abstractmethod
    async def send(self, text: str) -> None:
        """Send a message, given as JSON.

        If the connection is down, raise an exception of one of the types in `connection_errors`.
        """

    @abstractmethod
    async def disconnect(self) -> None:
        """Close all open connections to the server that carries the messages (Redis, Valkey or PostgreSQL).

        If that fails, raise an exception of one of the types in `connection_errors`.
        """

    # --- connection -----------------------------------------------------------------------------------------------

    async def start(self, sender: int) -> None:
        """Start connecting in the background, with retries until the connection is open.

        `sender` is the id under which this process is registered in the database. It is sent with every message.
        """
        self._waiting.sender = sender
        self._tasks = [asyncio.ensure_future(task) for task in (self._keep_listening(), self._keep_sending())]

    async def stop(self) -> None:
        """Send pending messages, then disconnect."""
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
        """Queue a message for all other processes. Messages that are queued in quick succession are sent as one.

        If several of them concern the same table, only the table's highest revision is sent, and only the latest list
        of the table's players and spectators who are connected to this process.
        """
        for number, revision in message.news.items():
            self._waiting.news[number] = max(revision, self._waiting.news.get(number, 0))
        self._waiting.here = [old for old in self._waiting.here if old.number not in {h.number for h in message.here}]
        self._waiting.here += message.here
        self._waiting.dismissed += message.dismissed
        self._waiting.leaves |= message.leaves
        self._bell.set()

    def receive(self, text: str | bytes) -> None:
        """Deliver a received message to the listeners of this process, unless this process sent it."""
        self._hears.reschedule(asyncio.get_running_loop().time() + SILENCE_TIMEOUT)
        message = parse_message(text)
        if message is None:
            log.warning("bus_message_malformed")
        elif message.sender != self._waiting.sender:
            self._deliver(message)

    def _split_pending(self) -> Iterator[Message]:
        """Empty the queue and yield its entries (changed tables, connected players and so on) as one or more messages.

        Together, the entries of one message have at most `MAX_ENTRIES_LENGTH` characters as JSON. If the queue was
        empty, yield one empty message. If a table has too many spectators for one message, leave out the last ones.
        """
        waiting, self._waiting = self._waiting, Message(sender=self._waiting.sender)
        part, room = Message(sender=waiting.sender, leaves=waiting.leaves), MAX_ENTRIES_LENGTH
        # 30 characters are enough for each spectator's id, so a shortened entry fits into one message.
        here = [one._replace(watching=one.watching[: MAX_ENTRIES_LENGTH // 30]) for one in waiting.here]
        for one in (*waiting.dismissed, *waiting.news.items(), *here):
            # The entry needs at most this many characters in JSON: the `repr` of the entry is never shorter than its
            # JSON text, and a comma separates it from the next entry.
            size = len(repr(one)) + 1
            if size > room:
                yield part
                part, room = Message(sender=waiting.sender), MAX_ENTRIES_LENGTH
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
                    # Log only the first failure, as a warning. Other processes still see all changes, but later: they
                    # compare their tables with the database while the bus is down.
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
                raise ConnectionError("the connection ended")
            except self.connection_errors as wrong:
                if not tries:
                    log.warning("bus_is_down", why=type(wrong).__name__)
                # No message arrives while the connection is down, so the listeners must compare their tables with the
                # database.
                self._notify_messages_lost()
            finally:
                self.is_down = True
            await asyncio.sleep(WAITS[min(tries, len(WAITS) - 1)])
            tries += 1


class RedisBus(RemoteBus):
    """Bus over Redis or Valkey publish/subscribe."""

    name = "redis"

    def __init__(self, url: str) -> None:
        super().__init__()
        from redis.asyncio import Redis
        from redis.exceptions import RedisError

        self.connection_errors = (*self.connection_errors, RedisError)
        self._client: Any = Redis.from_url(
            url,
            socket_connect_timeout=BEAT,
            # With a socket timeout the Redis client sends through `asyncio.wait_for`, which on Python 3.11 can swallow
            # a cancellation, so that the server would never stop. `RemoteBus` has its own timeouts for sending and
            # listening.
            socket_timeout=None,
            socket_keepalive=True,
            health_check_interval=int(BEAT),
        )

    async def listen(self, up: Callable[[], None]) -> None:
        """Subscribe to the channel, call `up`, then pass each message to `self.receive` until the connection fails."""
        async with self._client.pubsub(ignore_subscribe_messages=True) as heard:
            await heard.subscribe(CHANNEL)
            up()
            async for message in heard.listen():
                self.receive(message["data"])

    async def send(self, text: str) -> None:
        """Publish a message, given as JSON, on the channel."""
        await self._client.publish(CHANNEL, text)

    async def disconnect(self) -> None:
        """Close all connections to Redis or Valkey."""
        await self._client.aclose()


class PostgresBus(RemoteBus):
    """Bus over PostgreSQL's LISTEN and NOTIFY.

    A notification is not sent in the transaction that saves a change but afterwards. Otherwise all transactions that
    write would wait for each other.
    """

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
        """Open a connection only for receiving. Pass each notification to `self.receive` until the connection fails.

        Call `up` as soon as the connection is listening on the channel. Messages are sent over another connection.
        """
        async with await self._connect() as connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            up()
            async for notice in connection.notifies():
                self.receive(notice.payload)

    async def send(self, text: str) -> None:
        """Send a notification with the message `text` (JSON) on the sending connection, which is opened if needed."""
        if self._sending is None or self._sending.broken or self._sending.closed:
            self._sending = await self._connect()
        await self._sending.execute("SELECT pg_notify(%s, %s)", (CHANNEL, text))

    async def disconnect(self) -> None:
        """Close the connection for sending. `listen` itself closes the connection for receiving when it ends."""
        if self._sending is not None:
            await self._sending.close()


def bus_of(address: str, database: str) -> Bus:
    """Return the message bus that the settings ask for.

    `address` is the setting ``bus``: the URL of a Redis or Valkey server, or empty. `database` is the database URL.

    * If there is an `address`, the bus runs over that server.
    * Without `address`, and with a PostgreSQL database, the bus runs over the database.
    * Otherwise the bus works within this process only.
    """
    if address:
        return RedisBus(address)
    if database.startswith("postgresql"):
        import sqlalchemy as sa

        where = sa.engine.make_url(database).set(drivername="postgresql")
        return PostgresBus(where.render_as_string(hide_password=False))
    return Bus()
