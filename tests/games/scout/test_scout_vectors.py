"""The worked cases of SCOUT: a table of them (`worked_cases.toml`), and those that deal or count."""

from __future__ import annotations

from typing import Any

import pytest

from facedown.core.match import IllegalMove, Match, tell
from facedown.core.slots import known_view, shown_view
from facedown.core.state import UNKNOWN, copy
from facedown.core.table import Sitter
from facedown.games.scout.cards import HAND_OF, PAIRS, card_kind
from facedown.games.scout.offers import Act
from facedown.games.scout.score import score
from facedown.games.scout.state import NOT_HELD, Phase
from facedown.games.scout.view import is_set, strength

from .posing import active_words, hand_words, legal_words, pose, read_cases, say, shows

CASES = read_cases("worked_cases.toml")


def check(m: Match, fact: str, wanted: Any) -> None:
    """What must be so."""
    match fact:
        case "hands":
            assert [hand_words(m, seat) for seat in range(len(wanted))] == wanted
        case "active":
            assert active_words(m) == wanted
        case "shows":
            assert shows(m) == set(wanted.split())
        case "scouts":
            assert len([text for text in legal_words(m, "scout") if "show" not in text]) == wanted
        case "refused":
            for move in wanted:
                with pytest.raises(IllegalMove):
                    m.play(m.acting[0], m.game.words.parse(move))
        case "acting":
            assert m.acting == wanted
        case "phase":
            assert Phase(int(m.state.phase)).name == wanted
        case "help":
            assert wanted in m.table(0, SITTERS[: m.seats]).step.help
        case _:
            field = getattr(m.state, fact)
            assert (field[: len(wanted)].tolist() if isinstance(wanted, list) else int(field)) == wanted


@pytest.mark.parametrize("name", CASES)
def test_worked(name: str) -> None:
    m = pose(**CASES[name]["pose"])
    for step in CASES[name]["steps"]:
        for field, value in step.get("set", {}).items():
            if isinstance(value, list):
                getattr(m.state, field)[: len(value)] = value
            else:
                setattr(m.state, field, value)
        say(m, *step.get("say", ()))
        for fact in step.keys() - {"set", "say"}:
            check(m, fact, step[fact])


SITTERS = [Sitter(name) for name in ("A", "B", "C", "D", "E")]
EXAMPLE = "7/2 7/4 1/3 2/6 4/3 9/2 5/2 8/4 5/9"


def flipped(choice: int, **options: str) -> Match:
    """A table for five, the first hand as in the example."""
    m = Match("scout", 5, options, seed=bytes(32), deal=[card_kind(w) for w in EXAMPLE.split()], first=0)
    for seat in range(5):
        m.play(seat, int(choice if seat == 0 else Act.KEEP))
    return m


def test_flip() -> None:
    before, after = flipped(Act.KEEP), flipped(Act.FLIP)
    assert hand_words(before, 0) == "7 7 1 2 4 9 5 8 5"
    assert hand_words(after, 0) == "2 4 3 6 3 2 2 4 9"
    singles = {str(i) for i in range(1, 10)}
    assert shows(before) == singles | {"1-2", "3-4"}
    assert shows(after) == singles | {"2-3", "5-6", "6-7"}
    assert hand_words(flipped(Act.FLIP, flip_order="reverse"), 0) == "9 4 2 2 3 6 3 4 2"


@pytest.mark.parametrize(("seats", "cards", "total"), [(2, 44, 476), (3, 36, 360), (4, 44, 476), (5, 45, 495)])
def test_sc_02_decks(seats: int, cards: int, total: int) -> None:
    m = Match("scout", seats, seed=bytes(32))
    counts = m.game.deck(seats, m.options)
    assert int(counts.sum()) == cards
    assert sum(sum(pair) for pair, n in zip(PAIRS, counts, strict=True) if n) == total
    assert list(m.state.hand[:seats]) == [HAND_OF[seats]] * seats
    assert HAND_OF[2:] == (11, 12, 11, 9)
    assert m.state.aside == (22 if seats == 2 else 0)


@pytest.mark.parametrize(
    ("mine", "theirs", "beats"),
    [
        ("2 3 4", "8 8", True),
        ("1", "8 8", False),
        ("2 2", "4 5", True),
        ("4 5", "2 2", False),
        ("5 6", "4 5", True),
        ("6 5", "4 5", True),
        ("5 4", "4 5", False),
        ("3 4", "4 5", False),
        ("10", "9", True),
        ("9", "9", False),
        ("10 10", "1 2 3", False),
        ("1 1 1", "8 9 10", True),
        ("1 2 3 4", "10 10 10", True),
    ],
)
def test_sc_04_strength(mine: str, theirs: str, beats: bool) -> None:
    numbers = [int(n) for n in mine.split()]
    others = [int(n) for n in theirs.split()]
    assert is_set(numbers)
    assert is_set(others)
    assert (strength(numbers) > strength(others)) == beats
    # The same by the legal actions of a hand that holds nothing else.
    free = [f"{a}/{b}" for a in range(1, 11) for b in range(1, 11) if a != b]

    def cards(wanted: list[int], used: set[frozenset[str]]) -> list[str]:
        out: list[str] = []
        for n in wanted:
            out.append(next(w for w in free if w.startswith(f"{n}/") and frozenset(w.split("/")) not in used))
            used.add(frozenset(out[-1].split("/")))
        return out

    used: set[frozenset[str]] = set()
    hand, active = cards(numbers, used), cards(others, used)
    rest = [f"{a}/{b}" for a, b in PAIRS if frozenset((str(a), str(b))) not in used]
    m = pose([" ".join(hand), *rest[:4]], " ".join(active), owner=1)
    whole = "1" if len(hand) == 1 else f"1-{len(hand)}"
    assert (whole in shows(m)) == beats


def test_sc_12_scoring() -> None:
    def points(cards: int, coins: int, hand: int, ender: bool) -> int:
        data = {"piles": [cards, 0, 0], "coins": [coins, 0, 0], "hands": [hand, 1, 1], "ender": 0 if ender else 1}
        return int(score(data)["players"][0]["points"])

    assert points(2, 1, 5, False) == -2
    assert points(3, 2, 0, True) == 5
    assert points(2, 5, 4, True) == 7


def test_sc_13_first_turn() -> None:
    m = flipped(Act.KEEP)
    assert not legal_words(m, "scout")
    assert legal_words(m, "show")
    for move in ("scout left kept at 0", "scout left kept at 0 and show"):
        with pytest.raises(IllegalMove):
            m.play(0, m.game.words.parse(move))


def test_sc_16_two_players_use_the_publishers_variant() -> None:
    """By the letter 45 cards would not deal evenly, and the first scout would end the round: so chips are used."""
    m = Match("scout", 2, seed=bytes(32), first=0)
    assert list(m.state.hand[:2]) == [11, 11]
    say(m, "keep", "keep", "show 1")
    assert m.acting == [1]
    say(m, "scout left kept at 0")
    assert m.state.phase != Phase.SCORING
    assert m.acting == [1]
    assert list(m.state.coins[:2]) == [3, 2]


def test_sc_17_views() -> None:
    m = pose(["9/1 9/2", "5/3 7/3 8/3 3/1 3/2 9/4", "8/1", "8/2"], "3/10 4/8 5/6", owner=0, turn=1)
    before = copy(m.state)
    say(m, "scout left kept at 5")
    view = shown_view(m.state, 2)
    assert view.hand[1] == 7
    assert list(view.card[2:9]) == [UNKNOWN] * 7
    assert not any(view.flip[2:9])
    (line,) = tell(m.game, before, m.state, m.moves[-1], 2, SITTERS[:4])
    assert line.text == "**B** scouted the **3/10** from the left of A’s set."
    (mine,) = tell(m.game, before, m.state, m.moves[-1], 1, SITTERS[:4])
    assert mine.text == "**You** scouted the **3/10** from the left of A’s set, as it lay, to place 6 of 7."
    # What all remember: that B holds it; a person's view keeps no such list.
    kind = PAIRS.index((3, 10))
    assert known_view(m.state, 2).held[kind] == 1
    assert view.held[kind] == NOT_HELD


def test_sc_18_game_end_three_players() -> None:
    m = Match("scout", 3, seed=bytes(32), first=1)
    starters = []
    for turn in range(3):
        starters.append(m.state.starter)
        say(m, "keep", "keep", "keep")
        assert m.acting == [starters[-1]]
        # Shown singles that all scout away: two scouts in a row end the round.
        m.state.turns = 399
        say(m, "show 1")
        assert m.state.phase == Phase.SCORING
        assert m.state.ender == -1
        if turn < 2:
            say(m, "continue", "continue", "continue")
    assert starters == [1, 2, 0]
    assert m.over
    for seat, total in enumerate((4, 4, -3)):
        m.state.total[seat] = total
    assert m.game.returns(m.state) == [4.0, 4.0, -3.0]
    table = m.table(0, SITTERS[:3])
    assert table.result == "You and B share the win with 4."
    assert [row.winner for row in table.scores] == [True, True, False]
