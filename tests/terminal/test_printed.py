"""What ``facedown replay`` and ``facedown coach`` print of a match: sentences in the table's words."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from facedown.bots import coach
from facedown.check.random_matches import GAMES, NAMES, play_randomly
from facedown.core.advice import CHANCE, TURNS, Advice, JudgedMove
from facedown.core.match import Match
from facedown.core.match_file import write
from facedown.core.seeds import seed_from_text
from facedown.games.uncovered.rules import Act
from facedown.terminal.cli import run
from tests.every_game.test_grammar import wrong
from tests.every_game.test_spoken import NOTATION

#: Somebody is called what the terminal calls who plays in it.
CALLED = ["You", *NAMES[1:]]
#: "  move 12 (Hand 1, trick 3 of 7): You bid 28. Passing would have added 5 points of winning chance, for certain."
REMARK = re.compile(r"  move \d+ \([^()]+\): [A-Z][^;“”_*]*\.")


def played_out(game: str) -> Match:
    """A match of chance to its end, or as far as the coach can look back at it."""
    match = Match(game, 3 if game in ("detect", "scout") else 2, seed=seed_from_text(f"printed {game}"))
    rnd = random.Random(f"printed {game}")
    play_randomly(match, rnd, 4 if game == "uncovered" else 80)
    if game == "uncovered" and not match.over:
        match.play(match.acting[0], Act.UNCOVER.value)
    return match


def judged_by_chance(match: Match, *about: object) -> Iterator[JudgedMove]:
    """Every move is a mistake: what was better is drawn."""
    rnd = random.Random(1)
    for ply, step in enumerate(match.steps(), -1):
        move = step.move
        legal = () if move is None or step.before is None else step.before.legal(move.seat)
        if move is not None and len(legal) > 1:
            other = rnd.choice([action for action in legal if action != move.action])
            unit = TURNS if match.game.info.together else CHANCE
            both = [
                Advice(action, match.game.words.words(action), 0.5, cost, unit, True, 0, 0.0, "you hold it")
                for action, cost in ((move.action, 0.2 if unit == CHANCE else 2.0), (other, 0.0))
            ]
            yield JudgedMove(ply, move.seat, both[0], both[1])


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_what_is_printed_of_a_match_is_sentences(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = played_out(game)
    file = tmp_path / "one.match"
    file.write_text(write(match, CALLED[: match.seats], {}), encoding="utf-8")
    monkeypatch.setattr(coach, "judged_moves", judged_by_chance)
    monkeypatch.setattr(coach, "reason_if_greedy_move", lambda *about: "you hold it")
    assert run(["coach", str(file), "--top", "100"]) == 0
    told = capsys.readouterr().out.splitlines()
    heads = [line for line in told if not line.startswith("  ")]
    assert [head.split(":")[0] for head in heads] == CALLED[: match.seats]
    remarks = [line for line in told if line.startswith("  ")]
    assert len(remarks) > (15 if game != "uncovered" else 2)
    for remark in remarks:
        assert REMARK.fullmatch(remark), remark
        assert not NOTATION.search(remark.split("): ", 1)[1]), remark
        # A reason says what "you" hold: it is for nobody else.
        assert match.game.info.together or ("You hold it." in remark) == ("): You " in remark), remark
    printed = told
    for eyes in ([], ["--seat", "0"], ["--seat", str(match.seats - 1)]):
        for more in ([], ["--plain"], ["--ply", str(match.ply // 2), "--plain"], ["--ply", str(match.ply), "--plain"]):
            assert run(["replay", str(file), *eyes, *more]) == 0
            printed += capsys.readouterr().out.splitlines()
    assert len(printed) > 60
    for line in printed:
        assert not wrong(line), f"{wrong(line)}: {line}"
