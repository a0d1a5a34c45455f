"""Sends the notices that are due: claims them in the database, seals them, and posts them to the push services.

Every process does this, and the leases in the database divide the notices among them.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from prometheus_client import Counter

from facedown.core import game_registry as registry
from facedown.server.notices.notice_texts import notice_text, topic_of
from facedown.server.notices.outgoing_client import OutgoingClient, RequestFailed
from facedown.server.notices.push_message import VAPID_KEY_NAME, Sealer, is_installed
from facedown.server.process import logs
from facedown.server.process.server_settings import ServerSettings
from facedown.server.process.store_threads import StoreThreads
from facedown.store.notices import Notice

log = logs.logger()

#: Maximum number of notices that a process sends at the same time. Push services that do not answer keep their places
#: for `outgoing_client.TIMEOUT` seconds.
MAX_CONCURRENT = 50
#: Status codes with which a push service says that a browser no longer gets messages at this address (RFC 8030).
GONE = (404, 410)


class Notices:
    """Background service of this process that sends notices. It does nothing unless notices are set up.

    They are set up if the optional dependency ``facedown[push]`` is installed and the setting `public_url` is given,
    because notices contain links. Tests replace `client`.
    """

    def __init__(
        self, settings: ServerSettings, store: StoreThreads, now: Callable[[], float], counter: Counter
    ) -> None:
        self._settings = settings
        self._store = store
        self._now = now
        self._counter = counter
        self.client = OutgoingClient()
        self._sealer: Sealer | None = None
        self._bell = asyncio.Event()
        self._loop: asyncio.Task[None] | None = None
        self._stopping = False
        self._sending: set[asyncio.Task[None]] = set()

    @property
    def public_key(self) -> str:
        """Key that browsers need to subscribe, base64url; empty if notices are not set up."""
        return "" if self._sealer is None else self._sealer.public_key

    async def start(self) -> None:
        """Start sending notices, if they are set up. At the first start on a database, the signing key is created."""
        if self._settings.public_url and is_installed():
            secret = await self._store.run(self._store.repository.shared_secret_key, VAPID_KEY_NAME)
            self._sealer = Sealer(secret, self._settings.public_url)
            self._loop = asyncio.get_running_loop().create_task(self._send_forever())

    async def stop(self) -> None:
        """Claim no more notices, and wait until those under way are sent, which takes a few seconds at most."""
        self._stopping = True
        self._bell.set()
        if self._loop is not None:
            await self._loop
        await asyncio.gather(*self._sending)
        self.client.close()

    async def _send_forever(self) -> None:
        """Look for notices every `jobs_every` seconds (a setting) until `stop` is called. Errors are logged."""
        while not self._stopping:
            self._bell.clear()
            try:
                await self.send_due()
            except Exception:
                log.exception("notices_not_sent")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._settings.jobs_every):
                    await self._bell.wait()

    async def send_due(self) -> None:
        """Plan the notices that are missing, and begin to send those that are due, as many as there are free places."""
        queue, me = self._store.repository.notices, self._store.repository.processes.id
        await self._store.run(queue.plan, self._now())
        free = MAX_CONCURRENT - len(self._sending)
        for notice in await self._store.run(queue.claim, me, self._now(), free):
            task = asyncio.get_running_loop().create_task(self._send(notice, me))
            self._sending.add(task)
            task.add_done_callback(self._end)

    def _end(self, task: asyncio.Task[None]) -> None:
        self._sending.discard(task)
        # Others may be waiting for the place.
        self._bell.set()

    async def _send(self, notice: Notice, me: int) -> None:
        """Send one notice and record the result. Errors are logged; then the lease ends and a process tries again."""
        queue = self._store.repository.notices
        try:
            result = await self._post(notice)
            self._counter.labels(result).inc()
            if result == "sent":
                await self._store.run(queue.mark_sent, notice, me)
            elif result == "gone":
                await self._store.run(queue.delete_gone, notice)
            else:
                await self._store.run(queue.mark_failed, notice, me, self._now())
        except Exception:
            log.exception("notice_failed", kind=notice.kind)

    async def _post(self, notice: Notice) -> str:
        """Post a notice to the push service of its browser. Return "sent", "gone" or "failed"."""
        sealer = self._sealer
        if sealer is None or notice.record.game not in registry.catalogue():
            return "failed"
        now = self._now()
        text = notice_text(notice, self._settings.public_url, now)
        urgent = notice.kind in ("last", "seat")
        keys, topic = notice.subscription.keys, topic_of(notice)
        headers, body = await asyncio.to_thread(sealer.seal, text, keys, topic, notice.until, now, urgent=urgent)
        try:
            status = await self.client.post(keys.endpoint, headers, body)
        except RequestFailed as wrong:
            log.info("notice_refused", why=str(wrong))
            return "failed"
        if status in GONE:
            return "gone"
        if 200 <= status < 300:
            return "sent"
        log.info("notice_refused", why=f"status {status}")
        return "failed"
