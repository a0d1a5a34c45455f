"""Page sections: the changed ones suffice to update the previous page."""

from __future__ import annotations

import random
import statistics
import zlib
from dataclasses import replace
from functools import partial

import pytest
from tests.assembled_page import ShownPage
from tests.nightly_selection import mostly

from facedown.check import golden_playthroughs
from facedown.check.random_matches import GAMES, SITTERS
from facedown.core.game_registry import info
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.core.state import SPECTATOR
from facedown.core.table import LogLine, Table
from facedown.server import rendering
from facedown.server.connection import messages
from facedown.server.http.connection_limits import COMPRESSION

#: Compression settings of WebSocket messages.
COMPRESSION_SETTINGS: dict[str, int] = dict(COMPRESSION.compress_settings or {})
page_of = partial(rendering.TablePage, context=rendering.TableContext(code="K7QM"))
TITLES = {title: name for name in GAMES for title in golden_playthroughs.golden_matches(name)}


@pytest.mark.parametrize("title", mostly(TITLES, [title for title in TITLES if title.endswith("options")]))
def test_page_built_from_changed_sections_equals_the_whole_page_in_every_position(title: str) -> None:
    match = golden_playthroughs.golden_matches(TITLES[title])[title]
    luck, sitters = random.Random(match.game.name), SITTERS[: match.seats]
    viewers = {*range(min(3, match.seats)), match.seats - 1, SPECTATOR}
    shown: dict[int, tuple[rendering.Sections, ShownPage]] = {viewer: ({}, ShownPage()) for viewer in viewers}
    sent = whole = 0
    for _ in range(golden_playthroughs.PLIES):
        for viewer, (before, browser) in shown.items():
            page = page_of(match.table(viewer, sitters).with_log(match.log(viewer, sitters)))
            message = page.page_update_message(before, version=match.ply)
            browser.take(message)
            assert browser.html == page.html == rendering.render_table_or_result(page.table, page.context)
            if before:
                sent += sum(map(len, message["sections"].values()))
                whole += len(page.html)
            shown[viewer] = page.sections, browser
        if match.over:
            break
        seat = luck.choice(match.acting)
        match.play(seat, luck.choice(match.legal(seat)))
    assert sent < whole, "a move changes a part of a page"


def table_after(plies: int) -> Table:
    """Return a table of Detect after a number of moves."""
    match = Match("detect", 2, seed=bytes(32))
    for _ in range(plies):
        seat = match.acting[0]
        match.play(seat, match.legal(seat)[0])
    return match.table(0, SITTERS[:2]).with_log(match.log(0, SITTERS[:2]))


def test_page_message_holds_only_changed_sections_and_new_log_lines() -> None:
    first, second = page_of(table_after(0)), page_of(table_after(0))
    message = second.page_update_message(first.sections, version=3, say=["**Ben** is here."])
    assert (message["sections"], message["log"], message["say"]) == ({}, [], ["Ben is here."])
    assert "html" not in message
    table = table_after(8)
    before = page_of(replace(table, log=table.log[:-1]))
    message = page_of(table).page_update_message(before.sections, version=1)
    assert message["sections"] == {}
    assert len(message["log"]) == 1
    renamed = replace(table, log=(LogLine(table.log[0].number, "Ada drew."), *table.log[1:]))
    for other in (renamed, replace(table, log=table.log[:2])):
        message = page_of(other).page_update_message(page_of(table).sections, version=1)
        assert list(message["sections"]) == ["log"]
        assert message["log"] == []


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_median_compressed_table_message_is_at_most_2_kib(game: str) -> None:
    """Compress each message by itself, with its filler, as the WebSocket does."""
    sizes = []
    for deal in range(3):
        match = Match(game, info(game).seats[0], seed=seed_from_text(f"{game} {deal}"))
        luck, sitters = random.Random(deal), SITTERS[: match.seats]
        shown: dict[int, rendering.Sections] = {}
        while match.ply < golden_playthroughs.PLIES and not match.over:
            for viewer in (0, 1):
                page = page_of(match.table(viewer, sitters).with_log(match.log(viewer, sitters)))
                if viewer in shown:
                    fields = page.page_update_message(shown[viewer], version=match.ply, say=["Ada moved."])
                    text = messages.Table.model_construct(**fields).wire().encode()
                    packed = zlib.compressobj(
                        level=COMPRESSION_SETTINGS["level"], wbits=-15, memLevel=COMPRESSION_SETTINGS["memLevel"]
                    )
                    sizes.append(len(packed.compress(text) + packed.flush()))
                shown[viewer] = page.sections
            seat = luck.choice(match.acting)
            match.play(seat, luck.choice(match.legal(seat)))
    print(f"{game}: {statistics.median(sizes):.0f} bytes a message")
    assert statistics.median(sizes) <= 2048
