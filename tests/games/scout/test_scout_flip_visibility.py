"""Visibility of flips in SCOUT: secret until all have chosen, then public or not (SCT-18)."""

from __future__ import annotations

import re

import pytest

from facedown.core.game_registry import info
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.server.http.guides import guide_text
from facedown.server.rendering import render_table_or_result
from facedown.terminal.rulebook import options_text, rules_text
from facedown.terminal.screen_reader import table_sentences
from facedown.terminal.text_blocks import remove_bold_marks
from tests.games.scout.positions import SITTERS, play_turns

TOLD = "Once everyone has chosen, you’ll all see who flipped."
NEVER = "Nobody will know whether you flipped."


def match_at_flip(public: str, order: str = "keep") -> Match:
    return Match("scout", 3, {"flip_public": public, "flip_order": order}, seed=bytes(32), first=0)


@pytest.mark.parametrize("order", ["keep", "reverse"])
@pytest.mark.parametrize(("public", "said", "not_said"), [("yes", TOLD, NEVER), ("no", NEVER, TOLD)])
def test_the_prompt_to_flip_the_hand_says_whether_others_will_learn_who_flipped(
    public: str, said: str, not_said: str, order: str
) -> None:
    step = match_at_flip(public, order).table(0, SITTERS[:3]).step
    for one in (step, *(choice.then for choice in step.choices if choice.then)):
        assert said in one.help
        assert not_said not in one.help
        assert "cannot see" not in one.help
    page = re.sub(r"<[^>]+>", " ", render_table_or_result(match_at_flip(public, order).table(0, SITTERS[:3])))
    assert said in page
    assert not_said not in page


@pytest.mark.parametrize("public", ["yes", "no"])
def test_page_and_log_do_not_show_who_flipped_the_hand_before_all_players_have_chosen(public: str) -> None:
    """For all other players, page and terminal are the same after a flip and after a keep."""
    for viewer in (1, 2, SPECTATOR):
        seen = set()
        for choice in ("flip", "keep"):
            match = match_at_flip(public)
            play_turns(match, choice)
            table = match.table(viewer, SITTERS[:3])
            lines = tuple(line.text for line in match.log(viewer, SITTERS[:3]))
            seen.add((match.known(viewer).tobytes(), render_table_or_result(table), *table_sentences(table), *lines))
        assert len(seen) == 1


@pytest.mark.parametrize("public", ["yes", "no"])
def test_the_log_names_others_who_flipped_their_hand_only_if_the_rules_make_it_public(public: str) -> None:
    for viewer in (0, 1, 2, SPECTATOR):
        match = match_at_flip(public)
        play_turns(match, "flip", "keep", "flip")
        assert list(match.known(viewer).flipped[:3]) == ([1, 0, 1] if public == "yes" else [-1, -1, -1])
        told = " ".join(remove_bold_marks(line.text) for line in match.log(viewer, SITTERS[:3]))
        others = [SITTERS[seat].name for seat in (0, 2) if seat != viewer]
        for name in others:
            assert bool(re.search(rf"\b{name}\b.*flipped", told)) == (public == "yes"), told
        if viewer in (0, 2):
            assert re.search(r"\b[Yy]ou\b[^.]*flipped", told), told
        table = match.table(viewer, SITTERS[:3])
        after = " ".join((render_table_or_result(table), *table_sentences(table)))
        assert "flipped" not in after.lower().replace("play flipped", ""), "the table itself keeps no record of it"


def test_guide_and_option_texts_say_whether_others_learn_who_flipped_their_hand() -> None:
    guide = guide_text("scout")
    assert guide is not None
    flip = guide.split("{#flip}")[1].split("```")[0]
    assert "Your choice is secret until everyone has chosen; then you see **who flipped**" in flip
    house = next(line for line in guide.split("\n") if "SCT-18" in line)
    assert "once everyone has chosen" in house
    assert "nobody ever does" in house
    assert "cannot see" not in guide
    for text in (rules_text("scout"), options_text("scout", {"flip_public": "no"})):
        assert "cannot see" not in text
    yes, no = (value.says for value in info("scout").options.by_name("flip_public").values)
    assert (yes, no) == ("yes, once everyone has chosen", "no, never")
