"""Output of ``facedown replay`` and ``facedown coach``: sentences in the table's words."""

from __future__ import annotations

import json
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
from tests.every_game.test_action_phrases import NOTATION
from tests.every_game.test_verb_agreement import grammar_error
from tests.taken_back import UNCOVERED_STANDING, uncovered_with_take_backs

#: One player is called "You", as the terminal calls its own player.
PLAYER_NAMES = ["You", *NAMES[1:]]
#: Matches " move 12 (Hand 1, trick 3 of 7): You bid 28. Passing would have raised the chance to win by 5 points
#: (exact)."
REMARK = re.compile(r"  move \d+ \([^()]+\): [A-Z][^;“”_*]*\.")


def random_match_of(game: str) -> Match:
    """Play a random match to its end, or as far as the coach can review it."""
    match = Match(game, 3 if game in ("detect", "scout") else 2, seed=seed_from_text(f"printed {game}"))
    rnd = random.Random(f"printed {game}")
    play_randomly(match, rnd, 4 if game == "uncovered" else 80)
    if game == "uncovered" and not match.over:
        match.play(match.acting[0], Act.UNCOVER.value)
    return match


def random_mistakes(match: Match, *about: object) -> Iterator[JudgedMove]:
    """Judge every move as a mistake, with a random better move."""
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
def test_replay_and_coach_commands_print_grammatically_correct_sentences(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = random_match_of(game)
    file = tmp_path / "one.match"
    file.write_text(write(match, PLAYER_NAMES[: match.seats], {}), encoding="utf-8")
    monkeypatch.setattr(coach, "judged_moves", random_mistakes)
    monkeypatch.setattr(coach, "reason_if_greedy_move", lambda *about: "you hold it")
    assert run(["coach", str(file), "--top", "100"]) == 0
    told = capsys.readouterr().out.splitlines()
    heads = [line for line in told if not line.startswith("  ")]
    assert [head.split(":")[0] for head in heads] == PLAYER_NAMES[: match.seats]
    remarks = [line for line in told if line.startswith("  ")]
    assert len(remarks) > (15 if game != "uncovered" else 2)
    for remark in remarks:
        assert REMARK.fullmatch(remark), remark
        assert not NOTATION.search(remark.split("): ", 1)[1].replace(" (exact)", "")), remark
        # A reason about what "you" hold is only for that player.
        assert match.game.info.together or ("You hold it." in remark) == ("): You " in remark), remark
    printed = told
    for eyes in ([], ["--seat", "0"], ["--seat", str(match.seats - 1)]):
        for more in ([], ["--plain"], ["--ply", str(match.ply // 2), "--plain"], ["--ply", str(match.ply), "--plain"]):
            assert run(["replay", str(file), *eyes, *more]) == 0
            printed += capsys.readouterr().out.splitlines()
    assert len(printed) > 60
    for line in printed:
        assert not grammar_error(line), f"{grammar_error(line)}: {line}"


@pytest.mark.parametrize(
    ("last", "ends"),
    [
        ((), "All hands match! The game is won in 2 swaps. Fewest possible: 0. Score: 2."),
        (("P0 resign",), "You resigned."),
        (("P1 agreed end",), "The players agreed to end the match."),
    ],
)
def test_replay_and_coach_commands_work_for_matches_with_moves_taken_back_and_early_endings(
    last: tuple[str, ...], ends: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = uncovered_with_take_backs(*last)
    file = tmp_path / "one.match"
    file.write_text(write(match, ["You", "Juniper"], {}), encoding="utf-8")
    assert run(["replay", str(file), "--plain"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told.count("Juniper took back their last move.") == 2
    assert told[-1] == ends
    for ply in range(match.ply + 1):
        assert run(["replay", str(file), "--ply", str(ply), "--plain"]) == 0
        shown = capsys.readouterr().out.splitlines()
        assert "Uncovered! " in shown[0]
    assert ("without a result" in shown[-1], "the game is lost" in shown[-1]) == (
        ends.startswith("The players"),
        ends.startswith("You"),
    )
    assert run(["coach", str(file), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    judged = sorted(move["move"] - 1 for seat in found["seats"] for move in seat["moves"])
    assert judged == [ply for ply in UNCOVERED_STANDING if not last or ply < match.ply - 1]
    assert run(["coach", str(file)]) == 0
    assert "move 3 (Turn 0): Juniper swapped their 4" in capsys.readouterr().out
