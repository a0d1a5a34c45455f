"""The replay of a finished match: every moment as one seat could see it, and none of a running match."""

from __future__ import annotations

import random
from typing import Any

import pytest
from httpx import Client, Response

from facedown.core.game import catalogue, info
from facedown.core.match import Match
from facedown.core.rule import INTERPRETED
from facedown.core.seeds import seed_from_text
from facedown.core.state import SPECTATOR
from facedown.core.table import Sitter
from facedown.server import look
from facedown.server.look.replay import LISTED, Replay
from tests.selection import mostly
from tests.server.programs import problem
from tests.server.serving import Live, Server, code_of, finished, missing, open_table

GAMES = tuple(catalogue())
#: Of a long match so many moments are looked at.
MOMENTS = 40


def played(game: str, seed: int, **options: str) -> Match:
    """A whole match of random moves."""
    match = Match(game, info(game).seats[0], options, seed_from_text(f"replay {seed}"))
    chance = random.Random(seed)
    while not match.over:
        seat = chance.choice(match.acting)
        match.play(seat, chance.choice(match.legal(seat)))
    return match


def sitters(match: Match) -> list[Sitter]:
    return [Sitter(name, bot=name == "Ben") for name in ("Ada", "Ben", "Cleo", "Dan")[: match.seats]]


@pytest.mark.skipif(INTERPRETED, reason="whole matches")
@pytest.mark.parametrize("game", mostly(GAMES, ("detect", "uncovered")))
def test_a_moment_shows_what_its_eyes_could_look_at(game: str, seed: int) -> None:
    match = played(game, seed)
    for eyes in (*range(match.seats), SPECTATOR):
        replay = Replay(match, sitters(match), eyes)
        assert replay.last == match.ply
        for ply in sorted({0, match.ply, *random.Random(seed).choices(range(match.ply + 1), k=MOMENTS)}):
            then = match.at(ply).table(eyes, sitters(match))
            now = replay.table(ply)
            assert now.zones == then.zones
            assert now.scores == then.scores
            assert not now.step.choices
            assert not any(panel.acting for panel in now.seats)
            html = look.replay_message(now, replay.shown(ply, "K7QM"))["html"]
            faces = [piece.name for zone in then.zones for piece in zone.pieces if piece.kind == "face"]
            # Nothing is drawn as a card that was not one for these eyes.
            assert html.count('data-kind="face"') <= len(faces) + sum("span" in z.marks for z in then.zones)


@pytest.mark.skipif(INTERPRETED, reason="whole matches")
@pytest.mark.parametrize("game", GAMES)
def test_the_moves_are_told_as_these_eyes_saw_them(game: str, seed: int) -> None:
    match = played(game, seed)
    for eyes in (0, SPECTATOR):
        replay = Replay(match, sitters(match), eyes)
        told = [line.text for line in match.log(eyes, sitters(match))]
        heard: list[str] = []
        for ply in range(1, match.ply + 1):
            shown = replay.shown(ply, "K7QM")
            assert shown.heading
            assert len({move.ply for move in shown.moves}) <= LISTED
            states = [move.state for move in shown.moves]
            assert states == sorted(states, key=["", "now", "to-come"].index)
            now = [move.text for move in shown.moves if move.state == "now"]
            assert not now or shown.heading == " ".join(now)
            heard += now
        assert heard == told


def test_what_cannot_be_replayed() -> None:
    match = Match("uncovered", 2, {}, seed_from_text("running"))
    with pytest.raises(ValueError, match="running"):
        Replay(match, sitters(match), 0)
    match.play(match.acting[0], match.game.words.parse("uncover"))
    with pytest.raises(ValueError, match="no seat 7"):
        Replay(match, sitters(match), 7)
    with pytest.raises(ValueError, match="moves 0 to"):
        Replay(match, sitters(match), 0).shown(match.ply + 1, "K7QM")


@pytest.mark.parametrize(
    "asked", ["", "/moment", "/moment?ply=0&eyes=1", "?eyes=all", "/preview.png", "/preview.png?ply=1&eyes=0"]
)
def test_a_running_match_is_nobodys_to_replay(ada: Client, ben: Client, asked: str) -> None:
    code = code_of(open_table(ada, "low"))
    for visitor in (ada, ben):
        answer = visitor.get(f"/m/{code}{asked}")
        assert answer.status_code == 409
        assert "preview" in asked or "not over" in answer.text
    assert retried(ben, code, 0, 0).status_code == 409


def test_a_finished_match_is_replayed_by_its_people_and_by_strangers(server: Server, ada: Client, ben: Client) -> None:
    url = finished(server, ada)
    replay = f"/m/{code_of(url)}"
    assert f'href="{replay}"' in ada.get(url).text
    for visitor, query, *words in (
        (ada, "", "as you saw it", "The cards are dealt."),
        (ben, "", "as all could see it"),
        (ben, "?eyes=0", "as Ada saw it: “you” is Ada"),
    ):
        assert missing(visitor.get(replay + query).text, *words) == []
    moment: dict[str, Any] = ada.get(f"{replay}/moment", params={"ply": 3, "eyes": "1"}).json()
    assert (moment["ply"], moment["eyes"]) == (3, 1)
    assert moment["html"] in ada.get(f"{replay}?ply=3&eyes=1").text
    last = ada.get(f"{replay}/moment", params={"ply": moment["last"]}).json()
    assert last["ply"] == last["last"]


@pytest.mark.parametrize(
    ("asked", "reason"),
    [(f"?ply={ply}", "This match has moves 0 to") for ply in ("99999", "-1", "½")]
    + [(f"?eyes={eyes}", "There is no view") for eyes in ("2", "me", "9" * 5000)],
)
def test_what_a_match_has_not_got_is_named(ada: Client, over: str, asked: str, reason: str) -> None:
    page = ada.get(f"/m/{over}{asked}")
    assert page.status_code == 422
    assert reason in page.text
    assert reason in problem(ada.get(f"/m/{over}/moment{asked}"), 422, "malformed")
    assert ada.get("/m/ZZZZ").status_code == 404
    problem(ada.get("/m/ZZZZ/moment"), 404, "unknown")


# --- tried again from one of its moments against bots -----------------------------------------------------------------


def retried(visitor: Client, code: str, ply: int | str, seat: int | str) -> Response:
    return visitor.post(f"/m/{code}/from", data={"ply": str(ply), "seat": str(seat)})


@pytest.mark.parametrize("seat", [0, 1])
def test_it_stands_where_the_match_stood(server: Server, over: str, ada: Client, ben: Client, seat: int) -> None:
    old, answer = server.session(over), retried(ben, over, 2, seat)
    assert answer.status_code == 303, answer.text
    url = answer.headers["location"]
    new = server.session(url)
    assert (new.code != old.code, new.record.seed) == (True, old.record.seed)
    assert new.running.moves[:2] == old.running.moves[:2]
    assert new.seat_of(new.record.host) == seat
    assert {place.kind for place in new.record.seats} == {"person", "bot"}
    with Live(server, ben, url) as live:
        assert live.until_yours(live.hello())["step"]["prompt"]
    assert old.record.status == "finished"
    assert ada.get(url).status_code == 403, "nothing of it is shown to others"


@pytest.mark.parametrize(("ply", "seat"), [("x", 0), (-1, 0), (10**5, 0), (1, 7), (1, ""), ("", 0)])
def test_what_cannot_be_is_refused(over: str, ben: Client, ply: str, seat: str) -> None:
    assert retried(ben, over, ply, seat).status_code == 422
