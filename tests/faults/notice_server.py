"""A server that sends notices to the tests' push service: ``python -m tests.faults.notice_server PORT CERTIFICATE …``.

The further arguments are those of ``facedown``. Notices of turns come at once, and the leases of dead processes end
soon.
"""

from __future__ import annotations

import ssl
import sys
from pathlib import Path

from facedown.play import notice_times
from facedown.server.notices import notice_sender
from facedown.server.notices.outgoing_client import OutgoingClient
from facedown.store import notices
from facedown.terminal.cli import main


def run() -> None:
    port, certificate = int(sys.argv[1]), Path(sys.argv[2]).read_text()
    context = ssl.create_default_context(cadata=certificate)
    client = OutgoingClient(lambda _: [("127.0.0.1", port)], lambda _: True, context)
    notice_sender.OutgoingClient = lambda: client  # type: ignore[misc, assignment]
    notice_times.NOTICE_DELAY = 0.0
    notices.LEASE = 2.0
    notices.RETRY_AFTER = 0.5
    del sys.argv[1:3]
    main()


if __name__ == "__main__":
    run()
