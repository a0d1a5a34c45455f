"""Reveille's table: touches, prompts, consequences and panels."""

from __future__ import annotations

from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.core.table import Table
from facedown.games.reveille.rules import Act, EndReason
from tests.games.reveille.positions import DEALER, OTHER, SITTERS, auction, play_words, stage_one, stage_two
from tests.games.touch_paths import choice_for_touch, step_after_touches


def table_of(m: Match, viewer: int = OTHER) -> Table:
    return m.table(viewer, SITTERS)


def test_a_chosen_reply_in_stage_one_says_before_it_is_played_whether_it_wins_the_trick() -> None:
    m = stage_one(("42 63 62 61 60 51 40", "66 54 55 30 41 32 20"), leader=DEALER, prize="64")
    play_words(m, "play 42")
    table = table_of(m)
    assert table.step.prompt == "Reply to the 4·2."
    assert table.step.help == "Any bone will do in stage one."
    hand = next(z for z in table.zones if z.id == "hand")
    assert [p.face for p in hand.pieces] == ["66", "55", "54", "41", "32", "30", "20"]
    assert [p.tag for p in hand.pieces] == ["", "10", "", "5", "5", "", ""]
    after = step_after_touches(table.step, "hand-2")
    assert after.help == "Any bone will do in stage one. The 5·4 wins the trick and the 6·4."
    (reply,) = after.choices
    assert (reply.says, reply.button, reply.primary) == ("wins the 6·4", "Play 5·4", True)
    assert step_after_touches(table.step, "hand-6").choices[0].says == "loses the 6·4"
    trick = next(z for z in table.zones if z.id == "trick")
    assert trick.label == "Theo leads **fours**"
    assert [p.kind for p in trick.pieces] == ["face", "slot"]


def test_the_auction_offers_higher_bids_and_lists_earlier_ones() -> None:
    m = auction()
    play_words(m, "bid 23", "bid 24")
    table = table_of(m)
    assert table.step.prompt == "Beat Theo’s bid of 24 or pass?"
    numbers = [c.number for c in table.step.choices if c.number is not None]
    assert numbers == list(range(25, 43))
    assert not any(table_of(m, viewer).step.choices for viewer in (DEALER, SPECTATOR))
    ladder = next(p for p in table.panels if p.kind == "ladder").data["steps"]
    assert ladder == [{"seat": OTHER, "text": "23"}, {"seat": DEALER, "text": "24", "stands": True}]


def test_the_only_legal_bone_is_offered_and_a_claim_with_too_few_points_needs_confirmation() -> None:
    m = stage_two(("53 44 20", "61 50 32"), "6", bid=25, declarer=OTHER, leader=DEALER, points=(1, 23), tricks=(1, 3))
    play_words(m, "play 53")
    step = table_of(m).step
    assert step.prompt == "Follow the 5·3 with your five."
    assert [c.touch for c in step.choices if c.then] == ["hand-1", "claim"]
    then = step_after_touches(step, "hand-1")
    assert then.help == "You can play only the 5·0. Theo wins six points."
    reply = choice_for_touch(then, "reply")
    assert (reply.says, reply.button) == ("loses 6 points", "Play 5·0")
    for asked in (step, then):
        claim = choice_for_touch(asked, "claim")
        assert (claim.button, claim.action, claim.primary, claim.refuses) == ("Claim (2 to go)", None, False, "")
        again = step_after_touches(asked, "claim")
        assert again.prompt == "Claim and give Theo the mark?"
        assert again.help == "You’ve won only 23 of the 25 points you bid. A false claim loses the hand."
        (anyway,) = again.choices
        assert (anyway.touch, anyway.button, anyway.action) == ("claim-anyway", "Claim anyway", Act.CLAIM)
    assert dict(step.refusals) == {
        **dict.fromkeys(("hand-0", "hand-2"), "You have a five, so you must follow suit."),
        "lead": "The 5·3 was led. Reply with one of your own bones.",
        "reply": "First choose a bone to reply with.",
    }


def test_a_hand_can_be_claimed_with_too_few_points_but_only_by_the_declarer() -> None:
    m = stage_two(("53 44 20", "61 50 32"), "6", bid=25, declarer=OTHER, points=(1, 23), tricks=(1, 3))
    assert Act.CLAIM in m.legal(OTHER)
    m.play(OTHER, step_after_touches(table_of(m).step, "claim").choices[0].action or 0)
    assert (int(m.state.ended), int(m.state.mark_to)) == (EndReason.CLAIMED_FALSELY, DEALER)
    m = stage_two(("53 44 20", "61 50 32"), "6", bid=25, declarer=DEALER, points=(1, 23), tricks=(1, 3))
    assert "claim" not in [choice.touch for choice in table_of(m).step.choices], "only the declarer claims"


def test_a_declarer_who_has_made_the_bid_is_offered_to_claim_the_hand() -> None:
    m = stage_two(("53 44 20", "61 50 32"), "6", bid=23, declarer=OTHER, points=(0, 23), tricks=(0, 4))
    step = table_of(m).step
    assert step.prompt == "Claim the hand or play on?"
    assert step.help == "You bid 23 and have won 23. Playing on can’t change who gets the mark."
    claim = choice_for_touch(step, "claim")
    assert (claim.button, claim.action, claim.primary) == ("Claim 23", Act.CLAIM, True)


def test_the_contract_panel_shows_the_bid_trumps_and_how_many_points_can_be_won() -> None:
    m = auction(("66 65 64 63 62 61 60", "54 53 52 51 50 44 43"), burnt="41")
    play_words(m, "pass", "bid 25", "pass", "trump 6")
    strip = next(p for p in table_of(m, DEALER).panels if p.kind == "contract").data
    assert strip["title"] == "You bid 25: sixes are trumps"
    assert strip["note"] == "22 of 42 points can be won: 5·5, 4·1 and 3·2 were burnt."
    assert (strip["points"], strip["bid"], strip["offer"]) == (0, 25, 22)
    assert next(p for p in table_of(m).panels if p.kind == "contract").data["title"] == "Theo bid 25: sixes are trumps"
