"""Full positions of every phase of a game, and pages that show them."""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass

from playwright.sync_api import Browser, Page

from facedown.check.random_matches import play_randomly
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.core.table import Table, TouchStep
from tests.browser.offline_pages import Drawn, sitters
from tests.browser.players import Window

#: A desktop window as narrow as a phone.
UPRIGHT: Window = {"viewport": {"width": 390, "height": 844}}
#: Number of random matches, plies per match, and candidates per kind of position, of which the fullest is taken.
MATCHES, MOVES, WEIGHED = 2, 1200, 3


@dataclass(frozen=True, slots=True)
class Moment:
    """A position as one viewer sees it: seat 0 or a spectator."""

    name: str
    match: Match
    viewer: int
    table: Table


@functools.cache
def moments(game: str, players: int, turn: int | None = None) -> tuple[Moment, ...]:
    """Return the fullest position found for each phase and role: a player to act, a player who waits, a spectator.

    With `turn`, the players have awkward names, starting at that one (`offline_pages.sitters`).
    """
    found: dict[tuple[str, str], tuple[int, Moment]] = {}
    for number in range(MATCHES):
        match, chance = Match(game, players, {}, seed=bytes([number]) * 32), random.Random(number)
        kinds: dict[tuple[int, bool], list[int]] = {}
        while not match.over and match.ply < MOVES:
            kinds.setdefault((int(match.state.phase), 0 in match.acting), []).append(match.ply)
            play_randomly(match, chance, 1)
        plies = {all_of[i * (len(all_of) - 1) // (WEIGHED - 1)] for all_of in kinds.values() for i in range(WEIGHED)}
        for ply, viewer in itertools.product(sorted(plies), (0, SPECTATOR)):
            there = match.at(ply)
            table = there.table(viewer, sitters(players, turn))
            role = "watches" if viewer == SPECTATOR else "is asked" if table.step.choices else "waits"
            weight = _weight(table)
            if weight > found.get((table.phase, role), (-1,))[0]:
                name = f"{table.phase}, move {ply} of match {number}, seat 0 {role}"
                found[table.phase, role] = weight, Moment(name, there, viewer, table)
    return tuple(moment for _, moment in found.values())


def _weight(table: Table) -> int:
    """Return how much a table shows. A card counts as much as 20 letters."""
    pieces = sum(piece.kind not in ("gap", "gone") for zone in table.zones for piece in zone.pieces)
    words = [*(f"{seat.line}{seat.state}" for seat in table.seats), *(zone.label for zone in table.zones)]
    return 20 * pieces + sum(map(len, words)) + _longest(table.step)


def _longest(step: TouchStep) -> int:
    """Return the length of the longest prompt that these touches may lead to."""
    then = [_longest(choice.then) for choice in step.choices if choice.then]
    return max([len(step.prompt) + len(step.help), *then])


def moment_pages(
    browser: Browser, game: str, players: int, turn: int | None = None, large: bool = False, window: Window = UPRIGHT
) -> Iterator[tuple[Moment, Page]]:
    """Yield each of a game's moments with the page that shows it. If `large`, letters have twice their usual size."""
    drawn = Drawn(browser, **window)
    if large:
        session = drawn.context.new_cdp_session(drawn.page)
        session.send("Page.enable")
        session.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    for moment in moments(game, players, turn):
        yield moment, drawn.table(moment.match, moment.viewer, turn=turn, hints=True)
