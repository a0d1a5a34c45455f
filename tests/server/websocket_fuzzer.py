"""Random WebSocket frames: corrupted messages, random JSON, random bytes, invalid frames."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import zlib
from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.server.raw_websocket import frame, upgrade_request
from tests.server.request_cases import STRANGE

#: Every message that a page may send, except those that would end a match against a bot at once.
VALID: list[dict[str, Any]] = STRANGE["messages"]
NUMBERS = (0, -1, 1, 15, 16, 255, 2**31, -(2**31), 2**31 - 1, 2**53, 2**63, 2**64, 10**40, 1.5, 1e308, -0.0)
STRANGE_TEXTS = (*STRANGE["texts"], "a" * 2000)
#: Number of frames that are sent in one write.
BATCH = 16
#: Seconds without a pong after which the ping counts as swallowed by an unfinished frame.
SWALLOWED = 2.0
DEFLATE = "Sec-WebSocket-Extensions: permessage-deflate\r\n"


class Frames:
    """Generator of frames from one seed."""

    def __init__(self, luck: random.Random, deflate: bool) -> None:
        self.luck = luck
        self.deflate = deflate

    def any(self) -> bytes:
        chance = self.luck.random()
        if chance < 0.55:
            return self._whole(self.mutated())
        if chance < 0.75:
            return self._whole(json.dumps(self.json(4)).encode())
        if chance < 0.82:
            return self._whole(self._printable())
        if chance < 0.93:
            return self._fragments()
        if chance < 0.993:
            return frame(self.luck.choice((9, 10, 2)), self.luck.randbytes(self.luck.randrange(126)))
        return self._broken()

    def mutated(self) -> bytes:
        """Return a valid message with up to three random changes."""
        luck, message = self.luck, dict(self.luck.choice(VALID))
        for _ in range(luck.choice((0, 1, 1, 1, 2, 3))):
            key = luck.choice([*message, luck.choice(STRANGE_TEXTS)])
            if luck.random() < 0.2:
                message.pop(key, None)
            else:
                message[key] = self.json(2)
        text = json.dumps(message).encode()
        if luck.random() < 0.15:
            at = luck.randrange(len(text))
            text = text[:at] + bytes([luck.randrange(32, 127)]) + text[at + luck.randrange(2) :]
        return text

    def json(self, depth: int) -> Any:
        luck = self.luck
        kind = luck.randrange(7 if depth else 5)
        if kind == 0:
            return luck.choice((None, True, False))
        if kind in (1, 2):
            return luck.choice((*NUMBERS, luck.randrange(-9, 99)))
        if kind in (3, 4):
            return luck.choice((*STRANGE_TEXTS, luck.choice(VALID)["type"]))
        if kind == 5:
            return [self.json(depth - 1) for _ in range(luck.randrange(4))]
        return {str(luck.choice(STRANGE_TEXTS)): self.json(depth - 1) for _ in range(luck.randrange(4))}

    def _printable(self) -> bytes:
        """Return text that is no JSON, or unusual JSON."""
        luck = self.luck
        text = "".join(chr(luck.randrange(1, 0xD7FF)) for _ in range(luck.randrange(40)))
        return luck.choice((text.encode(), b"[" * luck.randrange(3000), b"1" * luck.randrange(9000), b'{"type":' * 20))

    def _whole(self, data: bytes) -> bytes:
        if self.deflate and self.luck.random() < 0.5:
            made = zlib.compressobj(wbits=-9)
            return frame(1, (made.compress(data) + made.flush(zlib.Z_SYNC_FLUSH))[:-4], reserved=4)
        return frame(1, data)

    def _fragments(self) -> bytes:
        """Return a message in fragments, with pings in between."""
        data, luck = self.mutated(), self.luck
        cuts = sorted(luck.randrange(len(data) + 1) for _ in range(luck.randrange(4)))
        parts = [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
        made = b""
        for at, part in enumerate(parts):
            made += frame(1 if at == 0 else 0, part, fin=at == len(parts) - 1)
            made += frame(9, b"!") if luck.random() < 0.3 and at < len(parts) - 1 else b""
        return made

    def _broken(self) -> bytes:
        """Return bytes that are no valid frame. The server closes the connection after them."""
        luck = self.luck
        data = luck.randbytes(luck.randrange(300))
        return luck.choice(
            (
                data,
                frame(luck.randrange(16), data, fin=luck.random() < 0.5, reserved=luck.randrange(8)),
                frame(1, data, masked=False),
                bytes([0x81, 0xFF]) + luck.randbytes(8) + data,
                frame(8, luck.randbytes(luck.randrange(5))),
                frame(1, data),
                frame(1, b"x" * 40_000),
                frame(1, b"\xff" + data)[: luck.randrange(1, 60)],
            )
        )


async def fuzz(
    port: int, places: list[tuple[str, str]], frames: int, seed: int, told: Callable[[int], object] = lambda sent: None
) -> Counter[str]:
    """Send frames over one connection for each place (a table's path and a cookie) and reconnect when one is closed.

    Only frames that are followed by a pong count, because the server does not read frames after it closed a connection.
    """
    counted: Counter[str] = Counter()

    async def one(path: str, cookie: str, luck: random.Random) -> None:
        while counted["frames"] < frames:
            deflate = luck.random() < 0.5
            made = Frames(luck, deflate)
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(upgrade_request(path, port, cookie, DEFLATE if deflate else ""))
            answer = await reader.readuntil(b"\r\n\r\n")
            assert answer.startswith(b"HTTP/1.1 101"), answer
            counted["lines"] += 1
            with contextlib.suppress(ConnectionError):
                while counted["frames"] < frames:
                    mark = luck.randbytes(16)
                    writer.write(b"".join(made.any() for _ in range(BATCH)) + frame(9, mark))
                    if not await _read_pong(reader, mark, counted):
                        break
                    counted["frames"] += BATCH
                    told(counted["frames"])
            writer.close()
            await asyncio.gather(writer.wait_closed(), return_exceptions=True)

    rng = random.Random(seed)
    await asyncio.gather(*(one(*place, random.Random(rng.random())) for place in places))
    return counted


async def _read_pong(reader: asyncio.StreamReader, mark: bytes, counted: Counter[str]) -> bool:
    """Read until the pong to a ping. Return False if the connection was closed or the ping was swallowed."""
    before = b""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(SWALLOWED):
            while part := await reader.read(1 << 16):
                counted["bytes"] += len(part)
                if mark in before + part:
                    return True
                before = part[-len(mark) :]
            counted["closed"] += 1
            return False
    counted["swallowed"] += 1
    return False
