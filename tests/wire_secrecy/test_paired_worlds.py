"""Paired worlds: what a viewer is sent is the same, byte for byte, in two worlds that they cannot tell apart.

Two running servers have the same table, except for what is hidden from this viewer. The same moves are made at both;
private moves of other players may differ. The test compares:

* pages, headers and sizes;
* live messages with their number and order;
* the API's JSON, refusals, pictures, hints and chat;
* questions to take a move back or to end the match, while they are open and when they are answered;
* after the end, the replay from this viewer's seat and the replay that all can see.

The file of a finished match and its JSON have the seed by design.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from facedown.check.random_matches import GAMES, match_with_random_options
from facedown.core.match import Match
from facedown.core.match_actions import TAKE_BACK
from facedown.core.state import SPECTATOR
from facedown.core.table import Table, TouchStep
from facedown.play import Refusal, Session, Settings, TableRecord, agreements, new_code
from facedown.play import session as play_session
from facedown.server import rendering
from facedown.server.connection import messages, program_view, viewer_page_data
from facedown.server.connection.commands import PROPOSALS
from facedown.server.http import api
from facedown.server.rendering.page_sections import Section
from facedown.server.table.room import Room
from tests.conftest import SERVER_TIMES
from tests.nightly_selection import mostly
from tests.server.http_server import Server
from tests.wire_secrecy.twin_servers import Clock, Side, TableUse, differences, twin_servers
from tests.wire_secrecy.world_pairs import Pair, find_pair, with_take_backs

Servers = tuple[list[Server], Clock]
#: Number of seats of each game, and options that make a match short.
USUAL: dict[str, tuple[int, dict[str, str]]] = {
    "reveal": (2, {"end": "hands(1)"}),
    "detect": (3, {}),
    "reveille": (2, {}),
    "uncovered": (3, {}),
    "scout": (3, {}),
}
EVERYDAY_PLIES = 10
LONG_PLIES = 60
#: Number of random tables of each game in the long run. Each is compared for every viewer.
TABLES = 2 * SERVER_TIMES
MOST_PLIES = 600
#: Chance that a move is taken back and made again, and that everything is requested while a question is open.
TAKE_BACKS, LOOKS_AT_QUESTIONS = 0.15, 0.3
#: Games in which nothing can be taken back in the first moves.
NO_EARLY_TAKE_BACKS = ("reveille",)
NOWHERE = 10**6


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    with twin_servers(tmp_path_factory.mktemp("twins")) as found:
        yield found


class Comparison:
    """One viewer at both tables, from the lobby to the end of the pair."""

    def __init__(self, servers: Servers, pair: Pair, way: TableUse, rnd: random.Random) -> None:
        self.pair, self.way, self.rnd = pair, way, rnd
        self.clock = servers[1]
        self.code = new_code()[:6]
        self.asked: Counter[str] = Counter()
        """Number of questions that had to be answered, by their kind."""
        self.sides = [
            Side(server, self.clock, pair, number, way, self.code) for number, server in enumerate(servers[0])
        ]

    def each(self, do: Any) -> None:
        """Do the same at both tables."""
        for side in self.sides:
            do(side)

    def play(self) -> list[str]:
        """Play the pair and return the differences."""
        try:
            self._play()
            return differences(*self.sides)
        except (AssertionError, TimeoutError) as wrong:
            # The differences so far say more than the error.
            found = differences(*self.sides)
            if not found:
                raise
            return [*found, str(wrong), f"{[name for name, _ in self.sides[1].sent[-9:]]}"]
        finally:
            self.each(Side.close)

    def _play(self) -> None:
        self.each(self._lobby)
        moves = self.pair.twins[0].moves
        looks = set(self.rnd.sample(range(len(moves)), min(3, len(moves))))
        for number, (seat, action) in enumerate(moves):
            self.clock.now += self.rnd.choice((0.0, 0.4, 3.0))
            if number in looks:
                self.each(self._request_all)
                luck = self.rnd.getrandbits(64)
                self.each(lambda side, luck=luck: self._request_refusals(side, random.Random(luck)))
                self.each(self._chat)
                self.each(self._request_hint)
            if action == TAKE_BACK:
                self._ask(seat, "take-back", agree=True)
                continue
            if number == min(looks):
                self._ask(self.rnd.randrange(self.pair.seats), "end", agree=False)
            for side in self.sides:
                side.play(number)
                side.hear(side.way.page)
        if not self.pair.over:
            self.each(Side.expect_silence)
            self.each(self._request_all)
        else:
            self.each(self._over)

    def _ask(self, seat: int, what: str, agree: bool) -> None:
        """Propose something, look while the question is open, and let the others answer."""

        def act(do: Callable[[Side], None]) -> None:
            for side in self.sides:
                do(side)
                side.hear(side.way.page)

        act(lambda side: side.propose(seat, what))
        proposals = [side.session.record.agreements.proposal for side in self.sides]
        assert proposals[0] == proposals[1]
        if proposals[0] is None:
            return
        self.asked[what] += 1
        self.clock.now += self.rnd.choice((0.0, 3.0))
        if self.rnd.random() < LOOKS_AT_QUESTIONS:
            self.each(self._request_all)
        for asked in proposals[0].asked if agree else proposals[0].asked[:1]:
            act(lambda side, asked=asked: side.answer(asked, agree))

    def _lobby(self, side: Side) -> None:
        side.get("/t/CODE")
        side.open()
        side.hear("lobby")
        side.deal()
        side.hear(side.way.page)
        side.expect_silence()

    def _request_all(self, side: Side) -> None:
        """Request everything that can be requested during a match."""
        side.get("/t/CODE")
        side.get("/")
        side.get("/t/CODE/preview.png")
        side.get("/api/v1/tables/CODE/view", program=True)
        for path in ("/api/v1/tables/CODE", "/api/v1/tables/CODE/again", "/api/v1/tables/CODE/view?beyond=0&wait=0"):
            side.get(path, program=True)
        if self.pair.viewer != SPECTATOR:
            side.get("/api/v1/tables/CODE/known", program=True)
        if not self.pair.over:
            # During the match, the addresses of finished matches give nothing away.
            for path in ("/m/CODE", "/m/CODE.facedown", "/m/CODE/moment?ply=1", "/m/CODE/preview.png"):
                side.get(path)
            for path in ("/api/v1/matches/CODE", "/api/v1/matches/CODE/review"):
                side.get(path, program=True)
        # Like a viewer who reconnects and has missed everything.
        side.hello()
        side.hear(side.way.page)
        side.expect_silence()

    def _request_refusals(self, side: Side, rnd: random.Random) -> None:
        """Make requests that are refused. The texts of the refusals must be the same."""
        viewer, session = self.pair.viewer, side.session
        if viewer == SPECTATOR:
            side.say(type="move", action=0, version=session.version(viewer))
            self.answered(side)
            return
        version, legal = session.version(viewer), session.legal(viewer)
        actions = side.pair.match(0).game.actions
        illegal = [one for one in range(actions) if one not in legal]
        tries = [(rnd.choice(illegal), version), (NOWHERE, version), (-1, version), (0, version + 1), (0, -1)]
        tries += [(rnd.randrange(actions), rnd.randrange(version))] if version else []
        for action, at in tries:
            if action in legal and session.has_same_legal_actions_since(viewer, at if 0 <= at <= version else version):
                continue
            body = {"action": action, "version": at}
            side.get("/api/v1/tables/CODE/moves", "POST", program=True, json=body)
            side.say(type="move", **body)
            self.answered(side)
        for what, action in PROPOSALS.items():
            if agreements.why_not_propose(session, viewer, action):
                side.get("/api/v1/tables/CODE/proposals", "POST", program=True, json={"what": what})
                side.say(type="propose", what=what)
                self.answered(side)
        side.say(type="answer", proposal=NOWHERE, agree=True)
        self.answered(side)
        side.say(type="move", action="1")
        side.hear("error")
        side.expect_silence()

    def _chat(self, side: Side) -> None:
        side.talk("Hello")
        side.hear("chat")

    def _request_hint(self, side: Side) -> None:
        session, viewer = side.session, self.pair.viewer
        asked = viewer != SPECTATOR and session.record.settings.hints and session.legal(viewer)
        side.say(type="hint")
        first = self.answered(side)
        assert bool(asked) == (first["type"] == "hint") or first.get("code") == "conflict"

    def answered(self, side: Side) -> dict[str, Any]:
        """Return the first answer to a request.

        Some refusals are followed by the table. An accepted move is answered by the table.
        """
        first: dict[str, Any] = json.loads(side.hear_any())
        if first["type"] == "error" and first["code"] in ("stale", "conflict", "not-your-turn"):
            side.hear(side.way.page)
        return first

    def _over(self, side: Side) -> None:
        """Request what is shown of a finished match from this viewer's seat, and what all can see.

        A spectator is shown the winner's review, and so what the winner saw. By design this is not compared.
        """
        viewer, moves = self.pair.viewer, len(self.pair.twins[0].moves)
        if viewer != SPECTATOR:
            self.review(side, viewer)
            self._request_all(side)
        own = rendering.SPECTATOR_PARAM if viewer == SPECTATOR else str(viewer)
        for eyes in sorted({own, rendering.SPECTATOR_PARAM}):
            for ply in sorted({0, moves, *self.some_plies(moves)}):
                side.get(f"/m/CODE/moment?ply={ply}&eyes={eyes}")
                side.get(f"/m/CODE?ply={ply}&eyes={eyes}")
            side.get(f"/m/CODE/preview.png?ply={moves // 2}&eyes={eyes}")
        side.get("/m/CODE/preview.png")
        for path in ("/api/v1/matches/CODE", "/m/CODE.facedown"):
            # The players of the match may always download the file.
            answer = side.http.get(path.replace("CODE", self.code), headers=side.credentials)
            assert answer.status_code == 200
            assert self.pair.seed.hex() in answer.text.lower()

    def some_plies(self, moves: int) -> list[int]:
        """Return some plies of the match, the same ones at both tables."""
        return random.Random(f"{self.code} {moves}").sample(range(moves + 1), min(6, moves))

    def review(self, side: Side, seat: int) -> None:
        """Wait for the coach's review of a seat and request it."""
        path = f"/api/v1/matches/{self.code}/review?seat={seat}"
        while not side.http.get(f"{path}&wait=20", headers=side.credentials).json()["ready"]:
            pass
        side.get(path, program=True)


def random_table_use(rnd: random.Random, viewer: int) -> TableUse:
    """Return random settings of a table and of the viewer's access to it."""
    settings = Settings(
        clock=rnd.choice((0, 60, 3600)),
        memory=rnd.random() < 0.5,
        hints=rnd.random() < 0.5,
        watchers_talk=True,
        take_backs="always",
    )
    knows = viewer != SPECTATOR and rnd.random() < 0.3
    return TableUse(settings, rnd.random() < 0.5, rnd.random() < 0.3, rnd.choice(("en", "de")), knows)


def compare_all_viewers(
    servers: Servers, name: str, seats: int, options: dict[str, str], rnd: random.Random, plies: int
) -> Counter[str]:
    """Compare a table for every seat and a spectator.

    Returns the number of pairs, of plies that differ, and of questions to take a move back ("take-back") or to end the
    match ("end").
    """
    found: Counter[str] = Counter()
    for viewer in (*range(seats), SPECTATOR):
        pair = find_pair(name, seats, options, viewer, rnd, plies)
        if pair is None:
            continue
        pair = with_take_backs(pair, rnd, TAKE_BACKS)
        way = random_table_use(rnd, viewer)
        comparison = Comparison(servers, pair, way, rnd)
        wrong = comparison.play()
        assert not wrong, f"{name} {options}, viewer {viewer} of {seats}, {way}: {wrong[:5]}"
        found += Counter({"pairs": 1, "plies": pair.differing}) + comparison.asked
    return found


@pytest.mark.parametrize("game", mostly(GAMES, ("detect",)))
def test_sent_data_is_equal_for_two_deals_that_differ_only_in_what_is_hidden_from_the_viewer(
    servers: Servers, seed: int, game: str
) -> None:
    rnd = random.Random(seed)
    found: Counter[str] = Counter()
    # In rare tables of some games the worlds differ too little, so that another table is compared.
    for _ in range(6):
        found += compare_all_viewers(servers, game, *USUAL[game], rnd, EVERYDAY_PLIES)
        if found["pairs"] >= 2 and found["plies"] >= 8 and (found["take-back"] or game in NO_EARLY_TAKE_BACKS):
            break
    assert found["pairs"] >= 2
    assert found["plies"] >= 8
    assert found["end"] >= 1
    assert found["take-back"] or game in NO_EARLY_TAKE_BACKS


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("game", mostly(GAMES, (), ("reveal",)))
def test_sent_data_does_not_depend_on_cards_hidden_from_the_viewer_under_random_game_options(
    servers: Servers, seed: int, game: str
) -> None:
    rnd = random.Random(seed)
    found: Counter[str] = Counter()
    for _ in range(TABLES):
        match = match_with_random_options(game, rnd)
        found += compare_all_viewers(servers, game, match.seats, match.options, rnd, LONG_PLIES)
    assert found["pairs"] >= TABLES
    assert found["take-back"]


def find_finished_pair(game: str, viewer: int, rnd: random.Random) -> Pair | None:
    """Return two matches that look the same to this viewer to their end, or None."""
    seats, options = USUAL[game]
    return find_pair(game, seats, options, viewer, rnd, MOST_PLIES, to_the_end=True, tried=20)


@pytest.mark.parametrize("game", mostly(("reveal", "detect", "reveille"), (), ("detect",)))
def test_replay_from_ones_own_view_does_not_depend_on_cards_hidden_until_the_end_of_the_match(
    servers: Servers, seed: int, game: str
) -> None:
    """In the other games nothing stays hidden to the end."""
    rnd = random.Random(seed)
    for viewer in (0, SPECTATOR):
        pair = next(found for _ in range(5000) if (found := find_finished_pair(game, viewer, rnd)) is not None)
        found = Comparison(servers, pair, random_table_use(rnd, viewer), rnd).play()
        assert not found, f"{game}, viewer {viewer}: {found[:3]}"


def hidden_bit(session: Session) -> int:
    """Return a bit that depends on hidden cards."""
    return sum(map(int, session.dealt_match.state.card[::3])) % 2


def patch_result(patch: pytest.MonkeyPatch, owner: Any, name: str, change: Callable[..., Any]) -> None:
    """Patch a function so that it returns what `change` makes of its result and its arguments."""
    honest = getattr(owner, name)
    patch.setattr(owner, name, lambda *given, **named: change(honest(*given, **named), *given))


def with_where(found: rendering.TablePage, text: str) -> rendering.TablePage:
    found.sections = {**found.sections, "where": Section("where", (text,))}
    return found


def leaky_page(patch: pytest.MonkeyPatch) -> None:
    def shown(found: rendering.TablePage, room: Room, *_: Any) -> rendering.TablePage:
        return with_where(found, str(room.session.dealt_match.state.card.tolist()))

    patch_result(patch, viewer_page_data, "page", shown)


class Unequal(str):
    """A text that equals no text, not even itself. Whatever is drawn from it is sent again."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return False

    def __ne__(self, other: object) -> bool:
        return True


def leaky_sections(patch: pytest.MonkeyPatch) -> None:
    """Send an unchanged section again, depending on hidden cards."""

    def shown(found: rendering.TablePage, room: Room, *_: Any) -> rendering.TablePage:
        return with_where(found, Unequal(found.table.subtitle)) if hidden_bit(room.session) else found

    patch_result(patch, viewer_page_data, "page", shown)


def leaky_json(patch: pytest.MonkeyPatch) -> None:
    def shown(found: Any, session: Session, *_: Any) -> Any:
        return found.model_copy(update={"version": found.version + hidden_bit(session)})

    patch_result(patch, api, "view_of", shown)


def leaky_record(patch: pytest.MonkeyPatch) -> None:
    def shown(found: Any, session: Session, *_: Any) -> Any:
        return found | {"view": found["view"] | {"turn": hidden_bit(session)}}

    for module in (program_view, api):
        patch_result(patch, module, "known_fields", shown)


def leaky_number_of_messages(patch: pytest.MonkeyPatch) -> None:
    honest = Room._publish_change

    def after(room: Room, change: Any, *more: Any) -> None:
        honest(room, change, *more)
        if room.session.match is not None and change.move is not None and hidden_bit(room.session):
            for watcher in room.subscribers:
                watcher._queue_message(messages.Pong())  # type: ignore[attr-defined]

    patch.setattr(Room, "_publish_change", after)


def leaky_refusal(patch: pytest.MonkeyPatch) -> None:
    honest = Session.move

    def move(session: Session, *given: Any, **named: Any) -> Any:
        try:
            return honest(session, *given, **named)
        except Refusal as wrong:
            raise Refusal(wrong.code, wrong.reason + " " * hidden_bit(session)) from None

    patch.setattr(Session, "move", move)


def leaky_refusal_of_a_question(patch: pytest.MonkeyPatch) -> None:
    def why(found: str, session: Session, *_: Any) -> str:
        return found and found + " " * hidden_bit(session)

    patch_result(patch, agreements, "why_not_propose", why)


def leaky_question(patch: pytest.MonkeyPatch) -> None:
    """Show what is hidden while a question is open."""

    def shown(found: Table, table: Table, record: TableRecord, match: Match) -> Table:
        return replace(found, step=TouchStep(str(match.state.card))) if record.agreements.proposal else found

    patch_result(patch, play_session, "with_agreements", shown)


@pytest.mark.slow
@pytest.mark.parametrize(
    "leak",
    [
        *(leaky_page, leaky_sections, leaky_json, leaky_record, leaky_number_of_messages, leaky_refusal),
        *(leaky_refusal_of_a_question, leaky_question),
    ],
)
def test_comparison_of_the_data_sent_for_two_deals_reports_each_planted_leak(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, leak: Any
) -> None:
    leak(monkeypatch)
    rnd = random.Random(7)
    pairs = (find_pair("scout", 3, {}, 0, rnd, 8) for _ in range(6))
    assert any(
        Comparison(servers, pair, TableUse(sections=leak is leaky_sections), rnd).play()
        for pair in pairs
        if pair is not None
    )
