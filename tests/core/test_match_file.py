"""Match files: written files read back equal, and errors name their line."""

from __future__ import annotations

import random
from functools import cache

import pytest

from facedown.check.random_matches import GAMES
from facedown.core.game_registry import game
from facedown.core.match import Match
from facedown.core.match_file import NotationError, read, result_text, split_matches, verify, write
from facedown.core.options import OptionError
from facedown.core.seeds import commitment_of, seed_from_text
from facedown.core.state import to_bytes

SEED = seed_from_text("a seed for match files")


def play_randomly(match: Match, choose: random.Random, moves: int = 100_000) -> Match:
    """Play random legal moves until the match is over or has `moves` moves."""
    while match.acting and match.ply < moves:
        seat = match.acting[0]
        match.play(seat, choose.choice(match.legal(seat)))
    return match


@cache
def finished_match() -> Match:
    return play_randomly(Match("detect", 2, {"set_optional": "yes"}, SEED), random.Random(7))


@pytest.mark.parametrize("seats", range(2, 9))
def test_a_written_match_file_reads_back_equal(seats: int, seed: int) -> None:
    choose = random.Random(seed)
    names = [f"Player {n}: one of {seats}" for n in range(seats)]
    match = play_randomly(Match("detect", seats, {"tie": "extra_round"}), choose, choose.randrange(400))
    text = write(match, names, {1: "greedy"}, date="2031-05-04", note="on a train")
    file = read(text)
    assert file.match.moves == match.moves
    assert to_bytes(file.match.state) == to_bytes(match.state)
    assert file.match.options == match.options
    assert (file.names, file.bots, file.date, file.note) == (tuple(names), {1: "greedy"}, "2031-05-04", "on a train")
    assert write(file.match, file.names, file.bots, file.date, file.note) == text


@pytest.mark.parametrize("name", GAMES)
def test_every_option_value_written_to_a_match_file_is_read_back(name: str) -> None:
    info, others = game(name).info, 0
    for option in info.options:
        for text in (value.default_notation for value in option.values):
            try:
                match = Match(name, info.seats[0], {option.name: text}, SEED)
            except OptionError:
                continue
            others += match.options[option.name] != option.normalize(option.default_text)
            assert read(write(match)).match.options == match.options
    assert others >= 5


def test_a_match_file_has_headers_followed_by_numbered_moves() -> None:
    match = Match("detect", 2, seed=SEED, deal=(11, 12, 13), first=1)
    match.play(0, match.game.words.parse("open a1 c3"))
    match.play(1, match.game.words.parse("open b2 d1"))
    lines = write(match, ["Mara", "Ilse"]).splitlines()
    assert lines[:6] == ["# Facedown match", "Game: detect", "Rules: 1", "Players: 2", "Seat 0: Mara", "Seat 1: Ilse"]
    assert "Option set_optional: no" in lines
    assert f"Seed: {SEED.hex()}" in lines
    assert f"Commitment: {commitment_of(SEED)}" in lines
    assert lines[-6:] == ["Deal: 1 2 3", "First: P1", "Result: unfinished", "", "1. P0 open a1 c3", "2. P1 open b2 d1"]


def test_a_match_file_that_lists_the_dealt_cards_needs_no_seed() -> None:
    text = "Game: detect\nPlayers: 2\nFirst: P1\nDeal: 5 5 5 4, 4 4\n\n1. P0 open a1 a2   # both fives\n"
    match = read(text).match
    assert match.first == 1
    # Whole grids, starting left of the dealer: seat 0 has the first cards, column by column.
    assert [match.game.words.card_word(int(kind)) for kind in match.state.card[:6]] == ["5", "5", "5", "4", "4", "4"]
    assert to_bytes(read(text).match.state) == to_bytes(match.state)


def test_the_seed_in_a_match_file_may_be_any_text_and_is_required_unless_the_deal_is_listed() -> None:
    assert read("Game: detect\nPlayers: 3\nSeed: a seed for match files\n").match.seed == SEED
    with pytest.raises(NotationError, match="line 2: a Seed or Deal header is required"):
        read("Game: detect\nPlayers: 2\n")


def test_comments_and_empty_lines_in_a_match_file_are_ignored() -> None:
    text = write(finished_match())
    spaced = "\ufeff" + "\r\n# said in between\r\n\r\n".join(text.splitlines())
    assert read(spaced).match.moves == read(text).match.moves


@pytest.mark.parametrize("space", ["\u00a0", "\u2009", "\u202f", "\u3000", " \u200b", "\t"])
def test_a_match_file_with_unusual_space_characters_from_a_web_page_is_read(space: str) -> None:
    match = play_randomly(Match("detect", 2, seed=SEED, deal=(11, 12, 13), first=1), random.Random(3), 40)
    text = write(match, ["Mara Two", "Ilse"], {1: "greedy"})
    copied = "\ufeff" + text.replace(" ", space).replace("\n", f"{space}\r\n{space}")
    assert read(copied).match.moves == match.moves
    assert read(copied).names == ("Mara Two", "Ilse")
    assert read(copied).bots == {1: "greedy"}
    assert to_bytes(read(copied).match.state) == to_bytes(match.state)


def test_a_file_with_several_matches_is_split_and_errors_keep_its_line_numbers() -> None:
    matches = [
        finished_match(),
        Match("scout", 3, seed=SEED),
        play_randomly(Match("reveal", 2, seed=SEED), random.Random(1)),
    ]
    texts = split_matches("\n".join(map(write, matches)))
    assert [read(text).match.moves for text in texts] == [match.moves for match in matches]
    assert [read(text).match.game.name for text in texts] == ["detect", "scout", "reveal"]
    assert split_matches("") == [""]
    # Line numbers count from the start of the whole file.
    whole = "\n".join(map(write, matches)).replace("Game: reveal", "Game: chess")
    with pytest.raises(NotationError) as caught:
        read(split_matches(whole)[2])
    assert whole.splitlines()[caught.value.line - 1] == "Game: chess"
    with pytest.raises(NotationError, match="a second match begins here"):
        read(whole)


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("Game: detect", "Game: chess", 2, "unknown game chess; available: "),
        ("Game: detect\n", "", None, "the Game header is missing"),
        (
            "Rules: 1",
            "Rules: 7",
            3,
            "this match was played with version 7 of the Detect rules; this program uses version 1",
        ),
        ("Rules: 1", "Rules: new", 3, "Rules must be a number from 0 to 999999999, not new"),
        ("Players: 2", "Players: 9", 4, "Players must be a number from 1 to 8, not 9"),
        ("Players: 2", "Players: 1", 4, "Detect is for 2 to 8 players, not 1"),
        ("Players: 2", "Players: 2\nPlayers: 3", 5, "Players already appears on line 4"),
        ("Players: 2", "Players: 2\nColour: red", 5, "expected a header (Game, Rules,"),
        ("Players: 2", "Players: 2\nSeat 5: Ilse", 5, "seat 5 does not exist; seats are numbered 0 to 1"),
        ("Players: 2", "Players: 2\nFirst: P2", 5, "the First header must name a seat from P0 to P1, not P2"),
        ("Players: 2", "Players: 2\nDeal: 3 14", 5, None),
        ("Players: 2", "Players: 2\nDeal: x", 5, "x is not a number from -10 to 19"),
        ("Option tie: share", "Option tie: toss", 13, "tie must be share | extra_round, not toss"),
        ("Option tie: share", "Option ties: share", 13, "unknown option ties; available: deck,"),
        ("Commitment: sha256:", "Commitment: sha256:0", 15, "the commitment does not match the seed"),
        ("Result: P0", "Result: P0 1, P0", 16, "the result is P0 "),
        ("1. P0", "2. P0", 18, "expected move number 1, not 2"),
        ("1. P0", f"{'1' * 5000}. P0", 18, "expected a header"),
        ("1. P0", f"1. P{'1' * 5000}", 18, "expected a header"),
        ("Players: 2", f"Players: {'1' * 5000}", 4, "Players must be a number from 1 to 8"),
        ("1. P0", "1. P5", 18, "seat 5 does not exist: the table has 2 seats"),
        ("1. P0 open", "1. P0 close", 18, "'close "),
        ("1. P0 open", "1 P0 open", 18, "expected a header"),
    ],
)
def test_an_invalid_match_file_raises_an_error_with_the_line_and_the_reason(
    old: str, new: str, line: int | None, says: str | None
) -> None:
    text = write(finished_match())
    assert old in text
    with pytest.raises(NotationError) as caught:
        read(text.replace(old, new, 1))
    assert says is None or says in caught.value.reason
    assert line is None or caught.value.line == line
    assert str(caught.value) == f"line {caught.value.line}: {caught.value.reason}"


def test_an_illegal_move_in_a_match_file_is_reported_with_its_line() -> None:
    lines = write(finished_match()).splitlines()
    at = next(i for i, line in enumerate(lines) if line.endswith(" draw"))
    lines[at] = lines[at].replace("draw", "continue")
    with pytest.raises(NotationError, match=f"line {at + 1}: 'continue' is not allowed now"):
        read("\n".join(lines))
    seat = int(lines[at].split()[1][1])
    lines[at] = f"{at - 16}. P{1 - seat} draw"
    with pytest.raises(NotationError, match=f"line {at + 1}: seat {1 - seat} cannot move now"):
        read("\n".join(lines))


def test_a_truncated_match_file_is_refused_because_its_moves_do_not_lead_to_its_result() -> None:
    text = write(finished_match())
    with pytest.raises(NotationError, match=r"line 16: after move \d+ the result is unfinished, not P0 "):
        read(text[: text.rindex("\n", 0, -1)])


def test_verify_function_lists_which_facts_of_a_match_file_are_confirmed_and_which_are_not() -> None:
    match = finished_match()
    verdict = verify(write(match))
    assert verdict.found == (
        "The seed matches the commitment in the file.",
        f"All {match.ply} moves are legal.",
        f"The result matches the moves: {result_text(match)}.",
    )
    assert verdict.open == ()
    verdict = verify("Game: detect\nPlayers: 2\nDeal: 1 2\n")
    assert len(verdict.open) == 3
    assert "no seed" in verdict.open[0]
    assert "come from the file" in verdict.open[1]
    assert verdict.open[2] == "The match is not over."
    assert any("no commitment" in said for said in verify("Game: detect\nPlayers: 2\nSeed: x\n").open)


def test_line_breaks_in_player_names_cannot_add_headers_to_a_match_file() -> None:
    match = Match("detect", 2, seed=SEED)
    file = read(write(match, ["Mara\nSeed: 42", "Ilse"]))
    assert file.names == ("Mara Seed: 42", "Ilse")
    assert file.match.seed == SEED


def test_verify_refuses_a_match_file_whose_seed_differs_from_the_published_commitment() -> None:
    match = Match("detect", 2, seed=bytes(32))
    text = write(match)
    assert "The seed matches the published commitment." in verify(text, match.commitment).found
    # A file written from another seed is consistent, but does not fit the published commitment.
    other = write(Match("detect", 2, seed=bytes([1]) * 32))
    assert verify(other).found
    with pytest.raises(NotationError, match="does not match the published commitment"):
        verify(other, match.commitment)


def test_verify_reports_whether_the_starting_player_was_chosen_by_the_seed() -> None:
    verdicts = [verify(write(Match("detect", 2, seed=bytes(32), first=first))) for first in (0, 1)]
    said = [{line.partition(" goes first")[2] for line in verdict.found} - {""} for verdict in verdicts]
    assert sorted(map(tuple, said)) == [(), (", according to the seed.",)]
    assert sum("because the file says so" in line for verdict in verdicts for line in verdict.open) == 1


def test_verify_says_nothing_about_the_starting_player_if_the_game_ignores_who_is_to_go_first() -> None:
    """In Reveal no seat goes first."""
    for first in (0, 1):
        verdict = verify(write(Match("reveal", 2, seed=bytes(32), first=first)))
        assert not any("goes first" in line for line in (*verdict.found, *verdict.open))
