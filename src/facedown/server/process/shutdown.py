"""Stopping without letting anybody wait."""

from __future__ import annotations

import socket

import uvicorn
from fastapi import FastAPI


class Leaving(uvicorn.Server):
    """A server which, when it is told to stop, first answers those who wait for news: they would hold it up.

    Live lines are closed with code 1012 (the service restarts): their pages look for another server, or for this one
    when it is there again.
    """

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take leave, then close."""
        rooms = getattr(self._app.state, "rooms", None)
        if rooms is not None:
            rooms.take_leave()
        await super().shutdown(sockets)
