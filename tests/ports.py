"""A port for a program that a test starts: nobody else is given it, however late the program listens, or how often."""

from __future__ import annotations

import socket


class Port:
    """A port of 127.0.0.1, held until it is closed.

    A socket that is bound to it and never listens keeps the system from drawing it for anybody who asks for any port.
    Whoever names it may listen there as long as they say SO_REUSEADDR, as servers do; and where nobody listens, whoever
    comes is refused.
    """

    def __init__(self, number: int = 0) -> None:
        """Any that is free, or one that was had before."""
        self._held = socket.socket()
        self._held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._held.bind(("127.0.0.1", number))
        self.number: int = self._held.getsockname()[1]

    def close(self) -> None:
        self._held.close()
