"""Replays of finished matches from one seat's view; matches without spectators are open to their players only."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import pytest
from fastapi.routing import APIRoute, APIWebSocketRoute
from httpx import Client, Response

from facedown.check.random_matches import play_randomly
from facedown.core.game_registry import catalogue, info
from facedown.core.match import Match
from facedown.core.match_actions import RESIGN, TAKE_BACK
from facedown.core.move_with_views import Step
from facedown.core.rule import INTERPRETED
from facedown.core.seeds import seed_from_text
from facedown.core.state import SPECTATOR
from facedown.core.table import Sitter
from facedown.server import rendering
from facedown.server.http import websocket_entry
from facedown.server.http.api_docs import _example
from facedown.server.rendering.replay import MAX_LISTED_MOVES, Replay
from facedown.study.review import round_index_by_ply
from tests.nightly_selection import mostly
from tests.server.api_players import API, bearer, new_player, play_to_end, problem, two_players
from tests.server.http_server import PATIENCE, Live, Server, code_of, finished, missing, open_table, token_of
from tests.taken_back import detect_with_take_backs, push_all, uncovered_with_take_backs

GAMES = tuple(catalogue())
#: Number of positions of a long match that are checked.
CHECKED_POSITIONS = 40


def random_match(game: str, seed: int, **options: str) -> Match:
    """Play a whole match of random moves."""
    match = Match(game, info(game).seats[0], options, seed_from_text(f"replay {seed}"))
    play_randomly(match, random.Random(seed), 10_000)
    assert match.over
    return match


def sitters(match: Match) -> list[Sitter]:
    return [Sitter(name, bot=name == "Ben") for name in ("Ada", "Ben", "Cleo", "Dan")[: match.seats]]


@pytest.mark.skipif(INTERPRETED, reason="whole matches")
@pytest.mark.parametrize("game", mostly(GAMES, ("detect", "uncovered")))
def test_replay_position_shows_only_what_the_viewer_saw(game: str, seed: int) -> None:
    match = random_match(game, seed)
    for eyes in (*range(match.seats), SPECTATOR):
        replay = Replay(match, sitters(match), eyes)
        assert replay.last_ply == match.ply
        for ply in sorted({0, match.ply, *random.Random(seed).choices(range(match.ply + 1), k=CHECKED_POSITIONS)}):
            then = match.at(ply).table(eyes, sitters(match))
            now = replay.static_table_after(ply)
            assert now.zones == then.zones
            assert now.scores == then.scores
            assert not now.step.choices
            assert not any(panel.acting for panel in now.seats)
            html = rendering.replay_message(now, replay.moment_at(ply, "K7QM"))["html"]
            faces = [piece.name for zone in then.zones for piece in zone.pieces if piece.kind == "face"]
            # No more card faces are drawn than the viewer has seen.
            assert html.count('data-kind="face"') <= len(faces) + sum("span" in z.marks for z in then.zones)


@pytest.mark.skipif(INTERPRETED, reason="whole matches")
@pytest.mark.parametrize("game", GAMES)
def test_replay_move_list_equals_the_log_of_the_viewer(game: str, seed: int) -> None:
    match = random_match(game, seed)
    for eyes in (0, SPECTATOR):
        replay = Replay(match, sitters(match), eyes)
        told = [line.text for line in match.log(eyes, sitters(match))]
        heard: list[str] = []
        for ply in range(1, match.ply + 1):
            shown = replay.moment_at(ply, "K7QM")
            assert shown.heading
            assert len({move.ply for move in shown.moves}) <= MAX_LISTED_MOVES
            states = [move.state for move in shown.moves]
            assert states == sorted(states, key=["", "now", "to-come"].index)
            now = [move.text for move in shown.moves if move.state == "now"]
            assert not now or shown.heading == " ".join(now)
            heard += now
        assert heard == told


@pytest.mark.parametrize(
    "match", [uncovered_with_take_backs(), detect_with_take_backs("P1 resign")], ids=lambda match: str(match.game.name)
)
def test_replay_of_a_take_back_says_so_and_shows_the_restored_position(match: Match) -> None:
    named = sitters(match)
    for eyes in (*range(match.seats), SPECTATOR):
        replay = Replay(match, named, eyes)
        for ply, move in enumerate(match.moves, 1):
            shown = replay.moment_at(ply, "K7QM")
            assert [one.text for one in shown.moves if one.state == "now"] == [
                line.text for line in list(match.steps())[ply].lines(eyes, named)
            ]
            if move.action == TAKE_BACK:
                mover = "You" if move.seat == eyes else named[move.seat].name
                assert shown.heading.startswith(f"**{mover}** took back ")
                before = max(at for at in range(ply) if match.at(at).state == match.at(ply).state)
                assert replay.static_table_after(ply).zones == replay.static_table_after(before).zones


def test_replay_does_not_show_a_take_back_to_a_viewer_who_could_not_see_the_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As in a game in which some moves change nothing that others see."""
    monkeypatch.setattr(Step, "_changes_knowledge_of", lambda _step, _viewer: False)
    match = uncovered_with_take_backs()
    headings = [Replay(match, sitters(match), eyes).moment_at(2, "K7QM").heading for eyes in (1, 0, SPECTATOR)]
    assert headings == ["**You** took back your last move.", "This choice was secret.", "This choice was secret."]


def test_replay_of_a_match_that_ended_early_ends_with_its_result() -> None:
    match = detect_with_take_backs("P1 resign")
    headings = [Replay(match, sitters(match), eyes).moment_at(match.ply, "K7QM").heading for eyes in (0, 1, SPECTATOR)]
    assert headings == ["Ben resigned. You win.", "You resigned. Ada wins.", "Ben resigned. Ada wins."]
    match = uncovered_with_take_backs("P0 agreed end")
    heading = Replay(match, sitters(match), 0).moment_at(match.ply, "K7QM").heading
    assert heading == "The players agreed to end the match without a result."


def test_moves_that_were_taken_back_belong_to_the_round_in_which_the_match_continued() -> None:
    """A take-back may lead back into an earlier round if a game deals no new cards between rounds."""
    match = detect_with_take_backs()
    assert [ply for ply, move in enumerate(match.moves, 1) if move.action == TAKE_BACK] == [2, 6, 9]
    shown = [3, 3, 3, 3, 3, 4, 3, 4, 4, 4, 5]
    assert round_index_by_ply(match, shown.__getitem__) == [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2]


def detect_in_round_two(*last: str) -> Match:
    """Return a match of Detect in its second round, in which random moves were played, and then the moves `last`."""
    match, lot = Match("detect", 2, {}, seed_from_text("round two")), random.Random(0)
    play_randomly(match, lot, 56)
    assert match.table(SPECTATOR).round == 2
    return push_all(match, *last)


def test_score_sheet_of_a_match_that_ended_early_has_only_the_rounds_with_scores() -> None:
    match = detect_in_round_two("P0 agreed end")
    replay = Replay(match, sitters(match), SPECTATOR)
    totals = [int(total) for total in match.state.total[:2]]
    assert replay.round_count == 2
    assert [row.total for row in replay.round_scores] == [str(total) for total in totals]
    best = [total == min(totals) for total in totals]
    assert [row.rounds for row in replay.round_scores] == [((str(t), b),) for t, b in zip(totals, best, strict=True)]
    assert match.result is not None
    assert match.result.winners == tuple(seat for seat, won in enumerate(best) if won)
    # Without a score there is no sheet.
    assert Replay(detect_with_take_backs("P0 agreed end"), sitters(match), SPECTATOR).round_scores == ()


def test_score_sheet_marks_the_best_score_of_each_round_also_if_the_totals_are_equal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In Detect the lowest score is best."""
    match = detect_in_round_two("P0 agreed end")
    replay = Replay(match, sitters(match), SPECTATOR)
    one, other = replay._score_curve[1][1]
    equal = [(0.0, [0.0, 0.0]), (0.5, [one, other]), (1.0, [one + other, one + other])]
    monkeypatch.setitem(vars(replay), "_score_curve", equal)
    first, second = ([best for _points, best in row.rounds] for row in replay.round_scores)
    assert first == [one < other, one > other]
    assert second == [one > other, one < other]


def test_replay_raises_value_error_for_a_running_match_unknown_seat_or_unknown_move() -> None:
    match = Match("uncovered", 2, {}, seed_from_text("running"))
    with pytest.raises(ValueError, match="running"):
        Replay(match, sitters(match), 0)
    match.play(match.acting[0], match.game.words.parse("uncover"))
    with pytest.raises(ValueError, match="no seat 7"):
        Replay(match, sitters(match), 7)
    with pytest.raises(ValueError, match="moves 0 to"):
        Replay(match, sitters(match), 0).moment_at(match.ply + 1, "K7QM")


@pytest.mark.parametrize(
    "asked", ["", "/moment", "/moment?ply=0&eyes=1", "?eyes=all", "/preview.png", "/preview.png?ply=1&eyes=0"]
)
def test_replay_of_a_running_match_gets_409(ada: Client, ben: Client, asked: str) -> None:
    code = code_of(open_table(ada, "low"))
    for visitor in (ada, ben):
        answer = visitor.get(f"/m/{code}{asked}")
        assert answer.status_code == 409
        assert "preview" in asked or "over yet" in answer.text
    assert retry_from(ben, code, 0, 0).status_code == 409


def test_players_and_strangers_can_replay_a_finished_match(server: Server, ada: Client, ben: Client) -> None:
    url = finished(server, ada)
    replay = f"/m/{code_of(url)}"
    assert f'href="{replay}"' in ada.get(url).text
    for visitor, query, *words in (
        (ada, "", "as you saw it", "The cards are dealt."),
        (ben, "", "as everyone saw it"),
        (ben, "?eyes=0", "as Ada saw it (“you” means Ada)"),
    ):
        assert missing(visitor.get(replay + query).text, *words) == []
    moment: dict[str, Any] = ada.get(f"{replay}/moment", params={"ply": 3, "eyes": "1"}).json()
    assert (moment["ply"], moment["eyes"]) == (3, 1)
    assert moment["html"] in ada.get(f"{replay}?ply=3&eyes=1").text
    last = ada.get(f"{replay}/moment", params={"ply": moment["last"]}).json()
    assert last["ply"] == last["last"]


def test_replay_request_for_an_unknown_move_or_viewer_gets_422_with_reason(ada: Client, finished_code: str) -> None:
    wrong = [(f"?ply={ply}", "does not exist: expected 0 to") for ply in ("99999", "-1", "½")]
    wrong += [(f"?eyes={eyes}", "does not exist: expected 0 to") for eyes in ("2", "me", "9" * 5000)]
    for asked, reason in wrong:
        page = ada.get(f"/m/{finished_code}{asked}")
        assert page.status_code == 422
        assert reason in page.text
        assert reason in problem(ada.get(f"/m/{finished_code}/moment{asked}"), 422, "malformed")
    assert ada.get("/m/ZZZZ").status_code == 404
    problem(ada.get("/m/ZZZZ/moment"), 404, "unknown")
    for ply, seat in (("x", 0), (-1, 0), (10**5, 0), (1, 7), (1, ""), ("", 0)):
        assert retry_from(ada, finished_code, ply, seat).status_code == 422


def test_pages_and_pictures_of_a_match_with_a_take_back_that_ended_by_resigning(server: Server, ada: Client) -> None:
    hers, his = two_players(ada)
    for answer in (
        hers.move(action=3, version=0),
        hers.propose("take-back"),
        his.answer(1, True),
        hers.move(action=4, version=2),
        his.play(),
        his.resign(),
    ):
        assert answer.status_code == 200, answer.text
    assert [move.action for move in server.session(hers.code).moves] == [3, TAKE_BACK, 4, 0, RESIGN]
    for eyes in ("0", "1", "all"):
        shown = [ada.get(f"/m/{hers.code}/moment", params={"ply": ply, "eyes": eyes}).json() for ply in range(6)]
        assert [message["last"] for message in shown] == [5] * 6
        assert shown[5]["say"][0].startswith("Move 5 of 5: ")
    assert "Ada took back their last move." in ada.get(f"/m/{hers.code}?ply=2&eyes=all").text
    assert "Ben resigned. Ada wins." in ada.get(f"/m/{hers.code}?ply=5&eyes=all").text
    assert "Ben resigned. Ada wins." in said_about(ada.get(f"/t/{hers.code}").text)
    for asked in ("", "?ply=2&eyes=0", "?ply=5&eyes=all"):
        picture = ada.get(f"/m/{hers.code}/preview.png{asked}")
        assert (picture.status_code, picture.headers["content-type"]) == (200, "image/png")
    assert "2. P0 take back\n" in ada.get(f"/m/{hers.code}.facedown").text


def said_about(page: str) -> str:
    """Return the description of a page for link previews."""
    found = re.search(r'<meta property="og:description" content="([^"]*)">', page)
    assert found
    return found[1]


# --- playing on from a position of a replay, against bots -------------------------------------------------------------


def retry_from(visitor: Client, code: str, ply: int | str, seat: int | str) -> Response:
    return visitor.post(f"/m/{code}/from", data={"ply": str(ply), "seat": str(seat)})


@pytest.mark.parametrize("seat", [0, 1])
def test_retry_from_a_replay_starts_at_the_same_position_against_bots(
    server: Server, finished_code: str, ada: Client, ben: Client, seat: int
) -> None:
    old, answer = server.session(finished_code), retry_from(ben, finished_code, 2, seat)
    assert answer.status_code == 303, answer.text
    url = answer.headers["location"]
    new = server.session(url)
    assert (new.code != old.code, new.record.seed) == (True, old.record.seed)
    assert new.dealt_match.moves[:2] == old.dealt_match.moves[:2]
    assert new.seat_of(new.record.host) == seat
    assert {place.kind for place in new.record.seats} == {"person", "bot"}
    with Live(server, ben, url) as live:
        assert live.until_yours(live.hello())["step"]["prompt"]
    assert old.record.status == "finished"
    assert ada.get(url).status_code == 403, "nothing of it is shown to others"


#: Requests that are open to strangers because their response says nothing.
HARMLESS = {("POST", "/t/{code}/leave"): 303, ("POST", "/t/{code}/invitation"): 422}
#: Statuses for former players: the match is over.
REFUSED_AFTER_THE_END = {409, 422}


class PrivateMatch(NamedTuple):
    """A finished match without spectators, and visitors who request its pages."""

    code: str
    secrets: tuple[str, ...]
    """Texts for players only: a name, the seed, the result."""
    people: dict[str, Client]
    elsewhere: str
    """A token for a seat at another table."""


@pytest.fixture(scope="module")
def private_match(server: Server) -> PrivateMatch:
    player, stranger, watcher, nobody = server.guests(4)
    code = code_of(finished(server, player, name="Evangeline", spectators=""))
    # Wanda is a registered spectator, although no form allows it.
    watcher.post("/quick", data={"name": "Wanda"})
    wanda = server.rooms.repository.person_by_browser_token(token_of(watcher))
    assert wanda is not None
    server.rooms.repository.add_spectator(code, wanda.id)
    secrets = ("Evangeline", server.session(code).record.seed.hex(), "wins,")
    people = {"player": player, "stranger": stranger, "watcher": watcher, "nobody": nobody, "token": stranger}
    return PrivateMatch(code, secrets, people, new_player(stranger, "me", "low").token)


def all_routes(found: Iterable[Any]) -> Iterator[Any]:
    """Yield all routes, including those of routers."""
    for route in found:
        router = getattr(route, "original_router", None)
        yield from [route] if router is None else all_routes(router.routes)


def table_routes(server: Server) -> list[tuple[str, str]]:
    """Return method and path of every route about one table."""
    return [
        (method, route.path)
        for route in all_routes(server.app.routes)
        if isinstance(route, APIRoute) and "{code}" in route.path
        for method in sorted(route.methods - {"HEAD"})
    ]


def body_of(server: Server, method: str, path: str) -> dict[str, Any]:
    """Return the request body: an example of the description, or a form with every field."""
    if not path.startswith("/api/"):
        form = {"name": "Sly", "ply": "1", "seat": "0", "answer": "yes", "language": "en"}
        return {"data": form} if method == "POST" else {"params": {"ply": "1", "eyes": "0"}}
    spec = server.app.openapi()
    schemas = spec["components"]["schemas"]
    told = spec["paths"][path][method.lower()].get("requestBody", {})
    schema = told.get("content", {}).get("application/json", {}).get("schema")
    return {"json": _example(schema, schemas)} if schema else {}


def request_as(server: Server, closed: PrivateMatch, who: str, method: str, path: str) -> Response:
    address = path.replace("{code}", closed.code).replace("{seat}", "0")
    headers = bearer(closed.elsewhere) if who == "token" else None
    return closed.people[who].request(method, address, headers=headers, **body_of(server, method, path))


def test_every_route_about_a_table_is_covered_by_the_access_tests(server: Server) -> None:
    found = {path for _method, path in table_routes(server)}
    described = {path for path in server.app.openapi()["paths"] if "{code}" in path}
    assert described <= found
    assert websocket_entry.PATH == "/t/{code}/live"
    assert not [r for r in all_routes(server.app.routes) if isinstance(r, APIWebSocketRoute)], (
        "live lines are let in there"
    )
    assert len(found) >= 20
    # A route that does not name its parameter {code} would be missed.
    every_path = [getattr(route, "path", "") for route in all_routes(server.app.routes)]
    about_tables = re.compile(r"/(t|m|api/v1/(tables|matches))/")
    assert not [path for path in every_path if about_tables.match(path) and "{code}" not in path]


@pytest.mark.parametrize("who", ["stranger", "watcher", "nobody", "token"])
def test_strangers_learn_nothing_of_a_match_that_excludes_spectators(
    server: Server, private_match: PrivateMatch, who: str
) -> None:
    for method, path in table_routes(server):
        answer = request_as(server, private_match, who, method, path)
        unknown = path.startswith("/api/") and who != "token"
        allowed = {HARMLESS.get((method, path), 403), 401 if unknown else 403}
        assert answer.status_code in allowed, (method, path, answer.status_code, answer.text[-300:])
        assert not [secret for secret in private_match.secrets if secret in answer.text], (method, path)
        if answer.status_code == 403 and "json" in answer.headers["content-type"]:
            assert answer.json()["reason"].endswith(".")
    with Live(server, private_match.people[who], f"/t/{private_match.code}") as live:
        refused = json.loads(live.socket.recv(timeout=PATIENCE))
        assert (refused["type"], refused["code"]) == ("error", "closed")
        live.until_closed()


def test_former_player_may_open_every_page_of_a_match_that_excludes_spectators(
    server: Server, private_match: PrivateMatch
) -> None:
    for method, path in table_routes(server):
        if path.startswith("/api/") or path.endswith("/watch"):
            continue
        answer = request_as(server, private_match, "player", method, path)
        assert answer.status_code in {200, 303} | REFUSED_AFTER_THE_END, (method, path, answer.text[-300:])
    for path in (f"/t/{private_match.code}/preview.png", f"/m/{private_match.code}/preview.png"):
        assert private_match.people["player"].get(path).headers["cache-control"] == "no-store"


def test_any_token_of_a_former_player_even_of_another_table_gives_api_access_to_the_match(ada: Client) -> None:
    """Any token counts, also one for a seat at another table."""
    hers, his = two_players(ada, game="reveal", spectators=False, options={"end": "hands(1)"})
    play_to_end((hers, his))
    body = {"game": "detect", "name": "Ada", "seats": ["me", "low"]}
    other = ada.post(f"{API}/tables", json=body, headers=hers.headers).json()["token"]
    match = f"{API}/matches/{hers.code}"
    for token in (hers.token, other):
        for path in (match, f"{match}/review", hers.path, f"{hers.path}/again"):
            answer = ada.get(path, headers=bearer(token))
            assert answer.status_code == 200, (path, answer.text)
