"""A table at which nobody looks keeps only what could not be worked out again, and is as it was when somebody comes."""

from __future__ import annotations

import time
from pathlib import Path

from tests.server.raw import until
from tests.server.serving import Live, begun, open_table, serving


def test_a_table_rests_while_nobody_looks(tmp_path: Path) -> None:
    with serving(tmp_path, rests=0.0, sweep=0.1) as server, server.client() as ada, server.client() as ben:
        url = open_table(ada, "open")
        ben.post(f"{url}/sit", data={"name": "Ben"})
        with Live(server, ada, url) as one, Live(server, ben, url) as other:
            shown = begun(one, other)[0]
            before = one.play(shown) if shown["yours"] else shown
            (room,) = server.rooms.all_in_memory()
            assert room.session._viewer_logs
            time.sleep(0.5)
            # Somebody looks: nothing is put away.
            assert room.session._viewer_logs
        until(lambda: not room.session._viewer_logs and not room._pages and not room.session._tables)
        with Live(server, ada, url) as one, Live(server, ben, url) as other:
            again = [line.hello() for line in (one, other)]
            assert server.rooms.all_in_memory() == [room]
            assert again[0]["version"] == before["version"]
            whose = one if again[0]["yours"] else other
            assert whose.play(again[0] if whose is one else again[1])["version"] > before["version"]
