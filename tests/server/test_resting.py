"""A table at which nobody looks keeps only what could not be worked out again, and is as it was when somebody comes."""

from __future__ import annotations

from pathlib import Path
from queue import SimpleQueue

from tests.server.serving import Live, Server, begun, open_table, serving
from tests.wait import PATIENCE, run_ready_tasks, wait_until


def counted_sweeps(server: Server) -> SimpleQueue[None]:
    """Something for each sweep that a server has ended, from now on."""
    ended: SimpleQueue[None] = SimpleQueue()
    sweep = server.rooms.sweep

    async def swept() -> None:
        await sweep()
        ended.put(None)

    server.rooms.sweep = swept  # type: ignore[method-assign]
    return ended


def test_a_table_rests_while_nobody_looks(tmp_path: Path) -> None:
    with serving(tmp_path, rests=60.0, sweep=30.0) as server, server.client() as ada, server.client() as ben:
        sweeps = counted_sweeps(server)
        url = open_table(ada, "open")
        ben.post(f"{url}/sit", data={"name": "Ben"})
        with Live(server, ada, url) as one, Live(server, ben, url) as other:
            shown = begun(one, other)[0]
            before = one.play(shown) if shown["yours"] else shown
            (room,) = server.rooms.all_in_memory()
            assert room.session._viewer_logs
            for _ in range(4):
                server.advance(31)
                sweeps.get(timeout=PATIENCE)
                # It waits for the next one.
                server.within(run_ready_tasks())
            # Somebody looks: nothing is put away.
            assert room.session._viewer_logs
        presence = room.session.presence
        wait_until(lambda: not presence.connected(0) and not presence.connected(1))
        server.advance(61)
        wait_until(lambda: not room.session._viewer_logs and not room.pages and not room.session._tables)
        with Live(server, ada, url) as one, Live(server, ben, url) as other:
            again = [line.hello() for line in (one, other)]
            assert server.rooms.all_in_memory() == [room]
            assert again[0]["version"] == before["version"]
            whose = one if again[0]["yours"] else other
            assert whose.play(again[0] if whose is one else again[1])["version"] > before["version"]
