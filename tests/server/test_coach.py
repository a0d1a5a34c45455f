"""The coach at the web table: reviews of finished matches, and hints for the acting player."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from httpx import Client, Response

from facedown.core.match import Match, Result
from facedown.core.match_actions import AGREED_END
from facedown.core.rule import INTERPRETED
from facedown.core.seeds import seed_from_text
from facedown.core.state import SPECTATOR
from facedown.core.table import Sitter
from facedown.play import Refusal, Settings
from facedown.play.agreements import answer, propose, resign
from facedown.server.connection import coach_panel
from facedown.server.connection.hint_requests import check_hint_allowed_and_get_seat
from facedown.server.rendering import coach_message
from facedown.server.table import review_jobs, review_requests
from facedown.server.table.review_requests import ReviewRequest
from facedown.study.move_comments import better_move_gain_text
from facedown.study.review import FullReview, ReviewProgress
from tests.not_none import given
from tests.play.table import ADA, BEN, after_opening, dealt, grant
from tests.reviews import look_back
from tests.server.api_players import create_table, problem
from tests.server.http_server import (
    ONE_HAND,
    Calls,
    Live,
    Serve,
    Server,
    actions_in,
    code_of,
    finished,
    lobby,
    missing,
    module_server,
    open_table,
    sit,
    start_match,
)
from tests.taken_back import DETECT_STANDING, detect_with_take_backs
from tests.waiting import wait_until

pytestmark = pytest.mark.skipif(INTERPRETED, reason="many rounds are played out")
TRIES = 60
SITTERS = [Sitter("Ada"), Sitter("Ben", True)]
#: A server with a fast coach.
server = module_server(hint_tries=TRIES, review_tries=TRIES)


def reviewed(live: Live) -> dict[str, Any]:
    return live.until(lambda message: message["ready"], "review")


def api_of(client: Client, url: str, **query: Any) -> Response:
    return client.get(f"/api/v1/matches/{code_of(url)}/review", params=query)


def finished_review(client: Client, url: str, **query: Any) -> dict[str, Any]:
    """Return the finished review as JSON. One request waits for at most 25 s."""
    found: dict[str, Any] = {}

    def ready() -> bool:
        found.update(api_of(client, url, wait=25, **query).json())
        return bool(found["ready"])

    wait_until(ready)
    return found


def test_review_of_a_finished_match_is_computed_once_for_api_page_and_websocket(
    server: Server, ada: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Calls()
    asked.count(monkeypatch, review_jobs, "Analysis")
    url = finished(server, ada)
    data = finished_review(ada, url, seat=0)
    assert data["done"] == data["of"] > 0
    costly = sum(move["verdict"] == "costly" for move in data["moves"])
    shown = ("Your chance of winning, hand by hand", 'class="trace"', "<caption>Your chance of winning")
    counts = (f"<b>{len(data['moves'])}</b> decisions", f"<b>{costly}</b> costly")
    assert missing(ada.get(url).text, *shown, *counts) == []
    assert data["unit"] == "chance"
    assert {move["seat"] for move in data["moves"]} == {0}
    at, chances = zip(*data["line"], strict=True)
    assert (at[0], chances[0], at[-1]) == (0.0, 0.5, 1.0)
    assert all(0 <= chance <= 1 for chance in chances)
    assert list(at) == sorted(at)
    assert len(data["moments"]) <= 3
    with Live(server, ada, url) as live:
        assert "costly" in live.hello()["html"]
    assert asked["Analysis"] == 1, "it is worked out once, not for each who looks"


def test_page_of_a_finished_match_loads_at_once_and_its_review_follows_over_websocket(
    server: Server, ada: Client, ben: Client
) -> None:
    url = finished(server, ada)
    with Live(server, ada, url) as live:
        message = live.hello()
        if "The coach is reviewing" in message["html"]:
            assert "You don’t have to wait." in message["html"]
            message = reviewed(live)
            assert message["say"] == ["The coach has reviewed the match."]
        assert "that mattered" in message["html"]
        live.send(type="review", seat=1)
        assert "Juniper’s chance of winning" in reviewed(live)["html"]
        assert live.refusal(type="review", seat=2)["code"] == "malformed"
    # A spectator sees the winner's chance.
    returns = ada.get(f"/api/v1/matches/{code_of(url)}").json()["returns"]
    winner = ["Ada", "Juniper"][returns.index(max(returns))]
    ben.post(f"{url}/watch")
    assert f"{winner}’s chance of winning" in ben.get(url).text


def test_review_graph_shows_the_decisions_analysed_so_far(server: Server, finished_code: str) -> None:
    job = ReviewRequest(0, 40)
    job.sofar = ReviewProgress(20, ("1", "2"), ((0.0, 0.5), (0.4, 0.6)))
    told = coach_panel.build_panel(server.session(finished_code), 0, 0, job)
    assert told.graph.line == "M0 50L400 40"
    assert [band.label for band in told.graph.bands] == ["1", "2"]
    assert (told.done, told.of, told.ready) == (20, 40, False)


def test_review_of_a_running_match_is_refused(server: Server, ada: Client, finished_code: str) -> None:
    url = open_table(ada, "low")
    assert problem(api_of(ada, url), 409, "conflict").startswith("This match is not over")
    assert "coach" not in ada.get(url).text.replace("coach.css", "")
    with Live(server, ada, url) as live:
        live.hello()
        assert live.refusal(type="review", seat=1)["code"] == "conflict"
    assert api_of(ada, "/t/ZZZZ").status_code == 404
    assert api_of(ada, finished_code, seat=2).status_code == 422
    with pytest.raises(ValueError, match="not over"):
        look_back(Match("reveal", 2), 0, SITTERS, TRIES)


def test_failed_review_is_retried_only_on_request(server: Server, ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int | None] = []

    def fails(match: Match, seat: int | None, *rest: Any) -> Any:
        tried.append(seat)
        raise ValueError("a spoiled row")

    monkeypatch.setattr(review_requests, "review_match", fails)
    url = finished(server, ada)
    with Live(server, ada, url) as live:
        message = live.hello()
        while "can’t review" not in message["html"]:
            message = live.get("review")
        assert "Try again" in message["html"]
        # Loading the page requests the review; rendering it again does not.
        before = len(tried)
        with Live(server, ada, url) as second:
            assert "can’t review" in second.hello()["html"]
        assert len(tried) == before <= 2
        live.send(type="review", seat=0)
        live.until_shown("can’t review", "review")
        assert len(tried) == before + 1
    reason = problem(api_of(ada, url, seat=0, wait=25), 409, "conflict")
    assert (reason, len(tried)) == ("The coach can’t review this match right now.", before + 2)
    monkeypatch.undo()
    assert finished_review(ada, url, seat=0)["ready"]


def test_review_of_a_cooperative_match_counts_wasted_turns_and_draws_no_graph_without_decisions(
    server: Server, ada: Client
) -> None:
    url = finished(server, ada, game="uncovered")
    data = finished_review(ada, url)
    assert (data["unit"], data["seat"], data["line"]) == ("turns", None, [])
    assert {move["chance"] for move in data["moves"]} <= {None}
    assert {move["seat"] for move in data["moves"]} <= {0, 1}
    assert "Turns wasted, move by move" in ada.get(url).text
    # Without decisions there is no graph.
    session = server.session(url)
    job = ReviewRequest(None, 0)
    job.found = FullReview("turns", (), (), (), (), ())
    page = coach_message(coach_panel.build_panel(session, 0, 0, job))["html"]
    assert "There were no decisions to make, so there is nothing to review." in page
    assert not any(part in page for part in ("plot", "<ul>", "<table>", "moments", "Exact"))
    # While the review is in progress, there is a placeholder for the moments.
    page = coach_message(coach_panel.build_panel(session, 0, 0, ReviewRequest(None, 7)))["html"]
    assert "plot" in page
    assert "moments" in page


def test_review_of_a_two_decision_match_counts_the_decisions_and_says_which_one_lost_the_game() -> None:
    match = Match("uncovered", 2, {}, seed_from_text("one swap"))
    swap = match.legal(0)[0]
    match.play(match.acting[0], swap)
    while not match.over:
        match.play(match.acting[0], match.game.words.parse("uncover"))
    found = look_back(match, None, SITTERS, TRIES)
    assert coach_panel.labelled_decision_counts(found)[0] == (2, "decisions"), (
        "the swap, and the uncovering that lost the game"
    )
    assert coach_panel.labelled_decision_counts(replace(found, judged=found.judged[:1]))[0] == (1, "decision")
    assert found.judged[-1].verdict == "costly"
    assert "That **loses the game**" in better_move_gain_text(found.judged[-1], found.judged[-1].seat)


def test_review_of_a_match_that_ended_early_ends_with_its_result() -> None:
    match = detect_with_take_backs("P0 resign")
    for seat, chance in ((0, 0.0), (1, 1.0)):
        found = look_back(match, seat, SITTERS, TRIES)
        assert [move.ply for move in found.judged] == [at + 1 for at in DETECT_STANDING if match.moves[at].seat == seat]
        assert (found.line[0], found.line[-1]) == ((0.0, 0.5), (1.0, chance))
        assert len(found.line) == len(found.judged) + 2
        assert [x for x, _chance in found.line] == sorted(x for x, _chance in found.line)
    # Without a result the line ends at the last decision.
    found = look_back(detect_with_take_backs("P0 agreed end"), 0, SITTERS, TRIES)
    assert found.line[-1] == (found.judged[-1].at, found.judged[-1].chance)


def test_spectators_first_see_the_review_of_the_winner_also_if_the_other_player_resigned() -> None:
    session = dealt()
    grant(session, resign(session, ADA, "low", 20.0))
    assert session.dealt_match.result == Result((0.0, 0.0), (1,), False)
    seats = [coach_panel.own_or_winners_seat_to_review(session, viewer) for viewer in (0, 1, SPECTATOR)]
    assert seats == [0, 1, 1]
    session = dealt()
    grant(session, propose(session, ADA, AGREED_END, 20.0))
    grant(session, answer(session, BEN, given(session.record.agreements.proposal).number, True, 21.0))
    assert session.dealt_match.abandoned
    assert coach_panel.own_or_winners_seat_to_review(session, SPECTATOR) == 0


def test_review_request_gets_429_when_too_many_reviews_wait(start_server: Serve) -> None:
    busy = start_server(review_tries=TRIES, reviews_waiting=0)
    (ada,) = busy.guests(1)
    url = finished(busy, ada)
    assert api_of(ada, url).status_code == 429
    assert "can’t review this match right now" in ada.get(url).text


def test_hint_is_sent_only_to_the_player_who_asked(server: Server, ada: Client, ben: Client) -> None:
    url = open_table(ada, "open", hints="on", **ONE_HAND)
    assert "on request" in ada.get(url).text
    sit(ben, url)
    with lobby(server, url, ada, ben) as (one, other):
        assert one.refusal(type="hint")["code"] == "conflict"
        message, _ = start_match(one, other)
        one.send(type="hint")
        hint = one.get("hint")
        assert hint["version"] == message["version"]
        assert 1 <= len(hint["moves"]) <= 3
        assert {move["action"] for move in hint["moves"]} <= set(actions_in(message["step"]))
        best = hint["moves"][0]
        assert best["touches"]
        assert best["words"] in hint["say"][0]
        assert best["words"] in hint["html"]
        assert "deals" in best["worth"]
        other.settle()
        assert "hint" not in other.kinds()


def test_hints_are_refused_at_tables_without_the_hints_option(
    server: Server, ada: Client, ben: Client, live: Live
) -> None:
    reason = "Hints are off at this table."
    assert live.refusal(type="hint") == {"type": "error", "code": "forbidden", "reason": reason}
    url = open_table(ada, "low", hints="on", **ONE_HAND)
    ben.post(f"{url}/watch")
    for client, at, code in ((ben, url, "forbidden"), (ada, finished(server, ada, hints="on"), "not-your-turn")):
        with Live(server, client, at) as page:
            page.hello()
            assert page.refusal(type="hint")["code"] == code
    # Hints are on at quick-play tables, an option of the form and of the API, and cannot be changed afterwards.

    def hints(url: str) -> bool:
        return bool(ada.get(f"/api/v1/tables/{url[3:]}").json()["hints"])

    assert not hints(open_table(ada, "low"))
    assert hints(open_table(ada, "low", hints="on"))
    assert hints(ada.post("/quick", data={"game": "detect"}).headers["location"])
    assert create_table(ada, "me", "low", hints=True)["table"]["hints"]
    assert 'name="hints"' in ada.get("/new/detect").text


def test_hints_are_refused_while_players_answer_a_proposal_and_to_a_player_who_resigned() -> None:
    session = after_opening("me open open", settings=Settings(hints=True))
    (seat,) = session.dealt_match.acting
    person = session.record.seats[seat].person
    assert person is not None
    assert check_hint_allowed_and_get_seat(session, person) == seat
    grant(session, propose(session, person, AGREED_END, 20.0))
    with pytest.raises(Refusal, match="The players have to answer a question first"):
        check_hint_allowed_and_get_seat(session, person)
    other = next(place.person for place in session.record.seats if place.person != person)
    assert other is not None
    grant(session, answer(session, other, given(session.record.agreements.proposal).number, False, 21.0))
    assert check_hint_allowed_and_get_seat(session, person) == seat
    grant(session, resign(session, person, "low", 22.0))
    with pytest.raises(Refusal, match="You’ve resigned"):
        check_hint_allowed_and_get_seat(session, person)
