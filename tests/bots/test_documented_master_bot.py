"""The master level is the better bot of docs/strength.md, for each number of players."""

from __future__ import annotations

import re

import pytest

from facedown.bots.levels import bot, lookahead_bot
from facedown.core.bot import Levels
from facedown.core.game_registry import game, info
from facedown.core.match import Match
from tests.project.test_lock_files_and_links import ROOT

STRENGTH = (ROOT / "docs" / "strength.md").read_text(encoding="utf-8")
#: A row of the table of contests that chose the master level: game, players, bot, rival, deals, the bot's share of
#: first places with a 95 % interval, and the share of a bot of equal strength.
ROW = re.compile(
    r"^\| (\w+) \| (\d) \| ([^|]+) \| ([^|]+) \| \d+ \| [\d.]+ % \(([\d.]+) … ([\d.]+)\) \| ([\d.]+) % \|", re.MULTILINE
)


def described_bot(levels: Levels, seats: int) -> str:
    """Return the table's description of the master level's bot for `seats` players."""
    if any(few <= seats <= many for few, many, _file in levels.networks):
        return f"a turn ahead, {levels.worlds} worlds"
    return f"rollout search, {levels.master:,} simulations"


def test_the_master_level_plays_the_bot_whose_strength_is_measured_in_the_docs() -> None:
    rows = ROW.findall(STRENGTH)
    measured = {(name.lower(), int(seats)) for name, seats, *_rest in rows}
    fewest, most = info("scout").seats
    assert measured >= {("scout", seats) for seats in range(fewest, most + 1)}
    for name, seats, master, _rival, _low, high, fair in rows:
        assert master == described_bot(game(name.lower()).levels, int(seats)), (name, seats)
        assert float(high) >= float(fair), (name, seats)


def test_the_master_level_of_two_player_scout_uses_rollout_search(monkeypatch: pytest.MonkeyPatch) -> None:
    # Without a time limit the choice depends on the number of simulations only.
    monkeypatch.setattr("facedown.bots.levels.MASTER_SECONDS", 0.0)
    match = Match("scout", 2, {}, bytes(32))
    rollouts = lookahead_bot(match.game, match.game.levels.master)
    for ply in range(6):
        seat = match.acting[0]
        view = match.known(seat)
        chosen = bot("master").choose(match.game, view, seat, ply)
        assert chosen == rollouts.choose(match.game, view, seat, ply)
        match.play(seat, chosen)
