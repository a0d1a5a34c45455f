"""Texts of the coach: reviews of finished matches, and hints."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

from facedown.bots.rollout_search import _expected_world_count
from facedown.check.random_matches import GAMES, SITTERS, random_situations
from facedown.core.action_phrases import ActionPhrase
from facedown.core.hidden_cards import known_view
from facedown.core.match import Match
from facedown.core.rule import INTERPRETED
from facedown.core.seeds import seed_from_text
from facedown.core.state import SPECTATOR
from facedown.core.table import Choice, Sitter, Table, TouchStep
from facedown.server import rendering
from facedown.server.connection import coach_panel, hint_message
from facedown.study.hint_texts import shortest_touches_to
from facedown.study.move_comments import better_move_gain_text, played_move_text
from facedown.study.review import DecisionSnapshot, ReaderPhrases, ReviewedMove, ReviewProgress, costliest_decisions
from tests.every_game.test_action_phrases import NOTATION
from tests.every_game.test_verb_agreement import grammar_error
from tests.reviews import look_back
from tests.server.http_server import (
    ONE_HAND,
    Live,
    Server,
    lobby,
    module_server,
    open_table,
    serving_endless_hints,
    sit,
    start_match,
)

compiled = pytest.mark.skipif(INTERPRETED, reason="many rounds are played out")
#: One or two sentences: a capital first, a full stop last, no leftover of a list.
SENTENCES = re.compile(r"[A-Z][^;“”_]*\.$")


def reviewed_move(played: ReaderPhrases, best: ReaderPhrases | None, **more: object) -> ReviewedMove:
    fields: dict[str, object] = {
        "ply": 7, "seat": 0, "where": "Hand 2, final round", "at": 0.4, "played": played, "better": best, "why": "",
        "verdict": "costly", "chance": 0.4, "cost": 0.11, "error": 0.02, "exact": False, "worlds": 100, "beaten": 74,
        "beats": 9, "best": -1, "lost": 0, "reasoned": False, "wasted": None, "open_best": -1,
    }  # fmt: skip
    return ReviewedMove(**{**fields, **more})  # type: ignore[arg-type]


def for_every_reader(said: ActionPhrase) -> ReaderPhrases:
    return dict.fromkeys((0, 1, SPECTATOR), said)


RIGHT = for_every_reader(ActionPhrase("Choose the right column", "chose the right column", "choosing the right column"))
MIDDLE = for_every_reader(
    ActionPhrase("Choose the middle column", "chose the middle column", "choosing the middle column")
)


def test_review_comment_names_the_move_the_better_move_and_the_difference() -> None:
    one = reviewed_move(RIGHT, MIDDLE)
    assert played_move_text(one, "You", 0) == "You chose the right column."
    chance, often = "raised the chance of winning by", "better in 74 of 100 deals"
    for more, said in (
        ({}, f"{chance} **11 percentage points**: {often}, worse in 9."),
        ({"cost": 0.0051, "beats": 0}, f"{chance} **1 percentage point**: {often}."),
        ({"exact": True, "beaten": 0}, f"{chance} **11 percentage points** (exact)."),
        (
            {"chance": None, "cost": 0.62, "wasted": 0},
            (
                f"saved **0.6 turns** on average: {often}, worse in 9. "
                "In hindsight, with all the cards face up, this move didn’t waste a turn."
            ),
        ),
    ):
        text = f"Choosing the middle column would have {said}"
        assert better_move_gain_text(reviewed_move(RIGHT, MIDDLE, **more), 0) == text
    assert better_move_gain_text(reviewed_move(RIGHT, None), 0) == ""
    risky = reviewed_move(RIGHT, MIDDLE, chance=None, cost=120.0, lost=60)
    assert better_move_gain_text(risky, 0) == (
        "That **loses the game** in 60 of 100 deals that were still possible. "
        "Choosing the middle column would have been better."
    )
    wasted = reviewed_move(RIGHT, MIDDLE, chance=None, cost=2.0, exact=True)
    none = "Choosing the middle column would have wasted none."
    assert better_move_gain_text(wasted, 0) == f"That wasted **two turns**. {none}"
    rows = [coach_panel._row(wasted, ["Ada", "Ben"], reader, True)[0] for reader in (0, 1)]
    assert rows == ["Hand 2, final round, you", "Hand 2, final round, Ada"], "nobody is told of by their own name"
    # Only the player who moved reads the reason.
    reasoned = reviewed_move(RIGHT, MIDDLE, why="you hold two reds")
    assert better_move_gain_text(reasoned, 0).endswith("You hold two reds.")
    assert "you hold" not in better_move_gain_text(reasoned, 1).lower()


def test_review_shows_consecutive_costly_decisions_of_one_auction_as_a_single_entry() -> None:
    auction = [0.1, 0.2, 0.3]
    chain = [
        reviewed_move(RIGHT, MIDDLE, ply=ply, cost=cost, where="Hand 1, auction") for ply, cost in enumerate(auction, 1)
    ]
    later = reviewed_move(RIGHT, MIDDLE, ply=9, at=0.9, cost=0.02, where="Hand 1, trick 1")
    assert [move.ply for move in costliest_decisions([*chain, later])] == [3, 9]


def test_position_drawn_in_a_review_labels_the_reader_as_you_and_others_by_name() -> None:
    names = [sitter.name for sitter in SITTERS[:2]]
    table = Match("uncovered", 2, {}, seed=bytes(32)).table(1, SITTERS[:2])
    theirs = next(zone.pieces[0].place for zone in table.zones if zone.seat == 0)
    position = DecisionSnapshot(table, (theirs,), ())
    for viewer, wanted in ((0, {"You", names[1]}), (1, {names[0], "You"}), (SPECTATOR, set(names))):
        drawn = coach_panel._position_html(position, names, viewer)
        assert set(re.findall(r'<b(?: dir="auto")?>([A-Z]\w+)</b>', drawn)) == wanted, viewer


@pytest.mark.parametrize("name", GAMES)
def test_review_comments_on_any_two_moves_are_grammatical_sentences(name: str) -> None:
    for situation in random_situations(name, 21, 25):
        game = situation.match.game
        for seat in situation.match.acting[:1]:
            view = situation.match.known(seat)
            legal = situation.match.legal(seat)
            readers = (seat, SPECTATOR, (seat + 1) % situation.match.seats)
            told = []
            for action in (legal[0], legal[-1], legal[len(legal) // 2]):
                told.append({reader: game.action_phrase(view, action, SITTERS, reader) for reader in readers})
                assert not set(";()_:") & set(told[-1][seat].imperative), told[-1][seat].imperative
            for played in told:
                for reader in readers:
                    one = reviewed_move(played, told[0], seat=seat, chance=None if name == "uncovered" else 0.4)
                    name_now = "You" if reader == seat else SITTERS[seat].name
                    for text in (
                        played_move_text(one, name_now, reader),
                        better_move_gain_text(one, reader).replace("**", ""),
                    ):
                        assert SENTENCES.fullmatch(text), text
                        assert not NOTATION.search(text), text
                        assert not grammar_error(text), grammar_error(text)
                        assert reader != SPECTATOR or "your" not in text.lower(), text
                        other = SITTERS[reader].name if reader != SPECTATOR else "nobody"
                        assert not re.search(rf"\b{other}\b", text), f"to {other}: {text}"


@compiled
def test_review_highlights_only_costly_decisions_of_the_reviewed_seat_and_no_random_deals() -> None:
    """A deal is no decision, however much it changed the chances."""
    match = Match("reveal", 2, {"end": "hands(2)"}, seed_from_text("moments"))
    while not match.over:
        seat = match.acting[0]
        match.play(seat, match.legal(seat)[match.ply % len(match.legal(seat))])
    heard: list[ReviewProgress] = []
    found = look_back(match, 0, SITTERS[:2], 60, heard.append)
    assert found.moments, "somebody who plays so badly has costly moments"
    # Progress messages show growing parts of the final line.
    assert [sofar.done for sofar in heard] == [move.ply - 1 for move in found.judged]
    assert all(sofar.line == found.line[: len(sofar.line)] and sofar.rounds == found.rounds for sofar in heard)
    assert len(heard[len(heard) // 2].line) > 5
    states = [step.after for step in match.steps()]
    for moment, position in zip(found.moments, found.positions, strict=True):
        # As the seat knew the table then, with the played and the better places on it.
        known = known_view(states[moment.ply - 1], 0)
        assert position.table == match.game.tables.table(known, SITTERS[:2])
        things = {piece.place for zone in position.table.zones for piece in zone.pieces}
        assert {*position.played, *position.better} <= things
        assert moment in found.judged
        assert (moment.verdict, moment.seat) == ("costly", 0)
        assert match.moves[moment.ply - 1].seat == 0
        text = f"{played_move_text(moment, 'You', 0)} {better_move_gain_text(moment, 0)}".replace("**", "")
        assert SENTENCES.fullmatch(text), text
        assert "dealt" not in text
        print(text)


# --- hint requests and their display ----------------------------------------------------------------------------------


#: A server whose coach thinks until it is stopped.
endless_server = module_server(serving_endless_hints)


@compiled
def test_hint_search_runs_until_stopped_by_a_message_a_move_or_a_disconnect(endless_server: Server) -> None:
    (ada,) = endless_server.guests(1)
    url = open_table(ada, "low", hints="on", **ONE_HAND)
    with Live(endless_server, ada, url) as live:
        message = live.until_yours(live.hello())
        live.send(type="hint")
        first, second = live.get("thinking"), live.get("thinking")
        assert 0 < first["done"] < second["done"] <= second["of"], "it is told how far the search has come"
        assert live.refusal(type="hint")["code"] == "too-fast", "one question at a time"
        assert live.get("thinking")["done"] > 0, "the first goes on"
        live.send(type="hint", stop=True)
        assert live.get("thinking", over=True)
        live.send(type="hint")
        live.get("thinking")
        # A move stops the search, too, so its threads are free for a bot and the next hint.
        live.move(message)
        assert live.get("thinking", over=True)
        live.until_yours(live.beyond(message["version"]))
        live.send(type="hint")
        live.get("thinking")
        assert live.kinds().count("error") == 1
        assert "hint" not in live.kinds()
    # Closing the page stops it, too.
    with Live(endless_server, ada, url) as live:
        live.hello()
        live.send(type="hint")
        assert live.get("thinking")["done"] > 0


@compiled
def test_hint_search_stops_when_another_player_makes_a_proposal(endless_server: Server) -> None:
    ada, ben = endless_server.guests(2)
    url = open_table(ada, "open", hints="on", **ONE_HAND)
    sit(ben, url)
    with lobby(endless_server, url, ada, ben) as (one, other):
        start_match(one, other)
        one.send(type="hint")
        one.get("thinking")
        other.send(type="propose", what="end")
        other.settle()
        one.settle()
        assert any(message.get("over") for message in one.seen if message["type"] == "thinking")
        assert "hint" not in one.kinds()


@pytest.mark.parametrize(
    ("met", "moves", "look_at", "left", "worlds"), [(1, 4, 8, 400, 101), (8, 2, 16, 100, 58), (5, 1, 8, 100, 5)]
)
def test_number_of_deals_a_search_will_sample_is_estimated_by_halving_the_moves_per_elimination(
    met: int, moves: int, look_at: int, left: int, worlds: int
) -> None:
    assert _expected_world_count(met, moves, look_at, left) == worlds


def move(action: int, value: float, error: float = 0.0, **more: Any) -> Any:
    """Return a move as the coach judges it."""
    usual = {"mistake": True, "unit": "chance", "exact": False, "worlds": 64, "why": "", "words": ""}
    return SimpleNamespace(action=action, value=value, error=error, **usual | {"behind": 0.0, "lost": 0} | more)


def shown(*moves: Any) -> rendering.Hint:
    return hint_message.hint_of([(f"Move {move.action}", move) for move in moves])


def test_bars_of_a_hint_share_one_scale_with_error_whiskers_and_ties_are_stated_in_words() -> None:
    hint = shown(move(1, 0.46, mistake=False), move(2, 0.43, 0.005), move(3, 0.30, 0.01))
    assert [row.number for row in hint.rows] == ["46 %", "43 %", "30 %"]
    # The scale reaches from 12 points below the best to 3 above it.
    assert [row.bar for row in hint.rows] == [80.0, 60.0, 2.0]
    assert [row.whisker for row in hint.rows[:2]] == [None, (53.3, 66.7)]
    assert hint.marked
    assert not hint.level
    # Turns are counted and exact.
    turns = {"unit": "turns", "exact": True}
    hint = shown(move(1, 0.0, mistake=False, worlds=0, **turns), move(2, 2.0, **turns))
    assert [(row.bar, row.number) for row in hint.rows] == [(100.0, "0"), (60.0, "2")]
    assert (hint.counts, hint.sure) == ("Turns wasted", "exact")
    html = rendering.render("hint.html", hint=hint)
    assert "exact" in html
    assert "style=" not in html, "the pages allow no styles in the HTML"

    def level(*mistakes: bool, exact: bool = False) -> str:
        found = (move(i, 0.5 - i / 1000, 0.01, mistake=mistake, exact=exact) for i, mistake in enumerate(mistakes))
        return shown(*found).level

    assert level(False, False, False) == "These three moves are too close to call"
    assert level(False, False, True) == "The first two moves are too close to call"
    assert level(False, False, True, exact=True) == "The first two moves are equally good"
    assert level(False, False) == "These two moves are too close to call"
    assert level(False, True, True) == level(False) == ""


def test_hint_lists_moves_with_the_same_description_in_a_single_row() -> None:
    def message(*words: str) -> Any:
        found = [move(number, 0.5 - number / 100) for number in range(len(words))]
        return hint_message.hint_message(table, found, 3, lambda action: words[action])

    choices = tuple(Choice(f"t{number}", action=number) for number in range(4))
    table = Table("detect", "Detect", (), 0, "play", (), (), TouchStep("Which?", choices=choices))
    found = message("Swap a red", "Swap a red", "Swap the yellow", "Keep all three")
    assert [row["words"] for row in found["moves"]] == ["Swap a red", "Swap the yellow", "Keep all three"]
    assert found["moves"][0]["touches"] == ["t0"]


def test_every_legal_action_has_a_sequence_of_touches_and_an_illegal_one_has_none() -> None:
    match = Match("detect", 2, {}, seed_from_text("words"))
    table = match.game.tables.table(match.shown(0), [Sitter("Ada"), Sitter("Ben")])
    for action in match.legal(0):
        assert shortest_touches_to(table, action)[-1].action == action
    assert shortest_touches_to(table, -1) == ()
