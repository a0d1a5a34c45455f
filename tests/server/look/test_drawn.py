"""A page in parts: what changed of it is enough to put it together."""

from __future__ import annotations

import gc
import random
from weakref import ref

import pytest

from facedown.core.game import catalogue, info
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.core.state import SPECTATOR
from facedown.core.table import Sitter
from facedown.server import look
from facedown.server.look.drawn import Part


def joined(before: list[str], changes: list[Part]) -> list[str]:
    """A page put together as the client does."""
    parts: list[str] = []
    for part in changes:
        parts += [part] if isinstance(part, str) else before[part[0] : part[0] + part[1]]
    return parts


@pytest.mark.parametrize("name", catalogue())
def test_a_page_is_put_together_from_what_changed(name: str, seed: int) -> None:
    luck = random.Random(seed)

    def begun() -> Match:
        return Match(name, info(name).seats[0], seed=seed_from_text(str(luck.random())))

    match = begun()
    sitters = [Sitter(word) for word in ("Ada", "Ben", "Cleo", "Dora")][: match.seats]
    shown: dict[int, tuple[look.Drawn | None, list[str]]] = {viewer: (None, []) for viewer in (0, 1, SPECTATOR)}
    sent = whole = 0
    for _ in range(40):
        for viewer, (before, parts) in shown.items():
            table = match.table(viewer, sitters).with_log(match.log(viewer, sitters))
            drawn = look.draw_table(table, look.TableContext(code="K7QM"), before)
            assert drawn.html == look.draw_table(table, look.TableContext(code="K7QM")).html, "whatever came before"
            changes = drawn.since(before)
            assert drawn.since(before) is changes or before is None
            now = joined(parts, changes)
            assert "".join(now) == drawn.html == "".join(drawn.parts)
            if before is not None and match.moves:
                sent += sum(len(part) for part in changes if isinstance(part, str))
                whole += len(drawn.html)
            shown[viewer] = drawn, now
        if match.over:
            # Chance may end a match after two moves. What is compared is what a move changes, over many of them.
            match = begun()
        else:
            seat = luck.choice(match.acting)
            match.play(seat, luck.choice(match.legal(seat)))
    assert sent < whole / 2, "a move changes little of a page"


def test_a_page_that_did_not_change_is_no_new_part() -> None:
    match = Match("detect", 2, seed=bytes(32))
    table = match.table(0, [Sitter("Ada"), Sitter("Ben")])
    first, second = (look.draw_table(table, look.TableContext()) for _ in range(2))
    assert second.since(first) == [(0, len(first.parts))]
    message = second.message_since(first, version=3, say=["**Ben** is here."])
    assert (message["parts"], message["version"], message["say"]) == ([(0, len(first.parts))], 3, ["Ben is here."])
    assert "html" not in message


def test_lines_of_the_log_are_taken_from_the_page_before_as_far_as_they_are_the_same() -> None:
    match, sitters = Match("detect", 2, seed=bytes(32)), [Sitter("Ada"), Sitter("Ben")]
    for _ in range(8):
        seat = match.acting[0]
        match.play(seat, match.legal(seat)[0])
    log = match.log(0, sitters)
    context = look.TableContext()
    before = look.draw_table(match.table(0, sitters).with_log(log[:-1]), context)
    after = look.draw_table(match.table(0, sitters).with_log(log), context, before)
    assert all(one is other for one, other in zip(before.lines, after.lines, strict=False))
    assert len(after.lines) == len(log) > 2
    # Another log, as after somebody's name has changed: nothing of the old one stays.
    renamed = match.log(0, [Sitter("Ada"), Sitter("Guest")])
    other = look.draw_table(match.table(0, sitters).with_log(renamed), context, after)
    assert "Ben" not in "".join(other.lines)
    shorter = look.draw_table(match.table(0, sitters).with_log(log[:2]), context, after)
    assert [*shorter.lines] == [*after.lines[:2]]


def test_a_page_does_not_keep_the_pages_before_it() -> None:
    match = Match("detect", 2, seed=bytes(32))
    sitters = [Sitter("Ada"), Sitter("Ben")]
    kept: list[ref[look.Drawn]] = []
    before = None
    for _ in range(6):
        seat = match.acting[0]
        match.play(seat, match.legal(seat)[0])
        page = look.draw_table(match.table(0, sitters), look.TableContext(), before)
        page.since(before)
        kept.append(ref(page))
        before = page
    del page
    gc.collect()
    assert [one() is not None for one in kept] == [False] * 5 + [True]
