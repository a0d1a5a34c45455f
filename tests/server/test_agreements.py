"""Taking a move back, ending a match and resigning: by the API, over WebSocket, by forms, and by the server's clock."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from httpx import Client

from facedown.core.match_actions import AGREED_END, RESIGN, TAKE_BACK
from facedown.play import Refusal, Settings, agreements
from facedown.play.agreements import ANSWER_TIME, CORRESPONDENCE_ANSWER_TIME
from facedown.play.seat_clocks import DEAL_ANIMATION_TIME, LIVE_CLOCK, MOVE_ANIMATION_TIME
from facedown.server.cluster.bus import Bus
from facedown.server.table.room import Room
from facedown.server.table.room_registry import Rooms
from facedown.store.processes import LEASE
from tests.manual_clock import pass_time
from tests.not_none import given
from tests.server.api_players import API, Player, join_table, new_player, problem, two_players
from tests.server.http_server import Live, Serve, Server, Visitor, code_of, shared_table, start_match
from tests.server.live_tables import dealt_room, new_room, running_process, tables_of_process, with_manual_clock
from tests.server.request_cases import cases
from tests.waiting import PATIENCE, run_ready_tasks, wait_until, wait_until_async

QUESTION = "The players have to answer a question first."


def after_first_move(client: Client, **fields: Any) -> tuple[Player, Player]:
    """Return Ada, who has chosen her first cards at a table of Detect, and Ben, who has not."""
    ada, ben = two_players(client, **fields)
    assert ada.move(action=3, version=0, token="first").status_code == 200
    return ada, ben


def proposal_of(player: Player) -> dict[str, Any]:
    """Return the open proposal as a player's program sees it."""
    found: dict[str, Any] = player.view()["proposal"]
    assert found == player.ask("GET", "known").json()["proposal"]
    return found


def stored(server: Server, code: str) -> list[tuple[int, int]]:
    """Return the stored moves of a table as (seat, action)."""
    return [(move.seat, move.action) for move in given(server.rooms.repository.load(code)).moves]


# --- programs ---------------------------------------------------------------------------------------------------------


def test_move_is_taken_back_with_the_other_players_consent(server: Server, ada: Client) -> None:
    hers, his = after_first_move(ada)
    before = hers.view()
    made = hers.propose("take-back")
    assert made.status_code == 200
    proposal = {"number": 1, "what": "take-back", "seat": 0, "asked": [1], "agreed": []}
    assert made.json()["proposal"] == proposal_of(hers) == proposal_of(his) == proposal
    assert ada.get(f"{hers.path}/view").json()["proposal"] == proposal, "for spectators, too"
    assert (hers.view()["legal"], his.view()["legal"]) == ([], [])
    assert problem(his.move(action=5, version=his.view()["version"]), 409, "not-your-turn") == QUESTION
    for refused in (hers.propose("take-back"), hers.propose("end"), his.propose("end"), hers.resign(), his.resign()):
        assert problem(refused, 409, "conflict") == QUESTION
    assert problem(his.answer(2, True), 409, "stale") == "This question is no longer open."
    problem(hers.answer(1, True), 403, "forbidden")
    agreed = his.answer(1, True)
    assert agreed.status_code == 200
    assert agreed.json()["proposal"] is None
    after = hers.view()
    assert after["version"] == before["version"] + 1
    assert (after["legal"], after["acting"]) == (two_players(ada)[0].view()["legal"], [0, 1])
    for player, line in ((hers, "**You** took back your last move."), (his, "**Ada** took back their last move.")):
        assert player.view()["table"]["log"][-1]["text"] == line
    # Sent again, the first move is still that move, and it is not played once more.
    assert hers.move(action=3, version=0, token="first").status_code == 200
    problem(hers.move(action=4, version=0, token="first"), 409, "conflict")
    problem(his.answer(1, True), 409, "stale")
    assert hers.move(action=4, version=after["version"]).status_code == 200
    assert stored(server, hers.code) == [(0, 3), (0, TAKE_BACK), (0, 4)]


def test_declined_proposal_changes_nothing_and_can_be_made_again_after_the_next_move(ada: Client) -> None:
    hers, his = after_first_move(ada)
    version = hers.view()["version"]
    assert hers.propose("take-back").status_code == 200
    assert his.answer(1, False).json()["proposal"] is None
    assert hers.view()["version"] == version
    for what in ("take-back", "end"):
        assert "said no" in problem(hers.propose(what), 409, "conflict")
    # Ben may ask, and his move is the next one.
    assert his.propose("end").json()["proposal"]["number"] == 2
    assert hers.answer(2, False).status_code == 200
    assert his.play().status_code == 200
    assert "hidden" in problem(hers.propose("take-back"), 409, "conflict"), "cards were flipped"
    assert hers.propose("end").json()["proposal"]["number"] == 3


def test_player_withdraws_their_own_proposal(ada: Client) -> None:
    hers, his = after_first_move(ada)
    hers.propose("end")
    problem(hers.answer(1, True), 403, "forbidden")
    assert hers.answer(1, False).json()["proposal"] is None
    problem(his.answer(1, True), 409, "stale")
    assert his.view()["status"] == "running"


def test_match_ends_when_all_players_agree_and_the_last_of_them_decides(server: Server, ada: Client) -> None:
    hers = new_player(ada, "me", "open", "open")
    his, third = join_table(ada, hers.code), join_table(ada, hers.code, "Cleo")
    assert hers.propose("end").json()["proposal"]["asked"] == [1, 2]
    assert his.answer(1, True).json()["proposal"]["agreed"] == [1]
    # The same answer again changes nothing.
    assert his.answer(1, True).json()["proposal"]["agreed"] == [1]
    over = third.answer(1, True).json()
    assert (over["status"], over["legal"], over["proposal"]) == ("finished", [], None)
    assert over["table"]["result"] == "The players agreed to end the match without a result."
    match = ada.get(f"{API}/matches/{hers.code}").json()
    assert [(move["seat"], move["words"]) for move in match["moves"]] == [(0, "agreed end")]
    for refused in (hers.propose("end"), his.propose("take-back"), third.resign()):
        assert problem(refused, 409, "conflict") == "The match is over."
    problem(third.answer(1, True), 409, "stale")
    assert stored(server, hers.code) == [(0, AGREED_END)]


def test_player_resigns_and_the_other_of_two_wins(server: Server, ada: Client) -> None:
    hers, his = after_first_move(ada)
    assert his.resign().json()["status"] == "finished"
    assert hers.view()["table"]["result"] == "Ben resigned. You win."
    assert his.view()["table"]["winners"] == [0]
    assert problem(his.resign(), 409, "conflict") == "The match is over."
    assert stored(server, hers.code) == [(0, 3), (1, RESIGN)]


def test_bot_plays_on_for_a_player_who_resigns_at_a_larger_table(start_server: Serve) -> None:
    server = start_server()
    (client,) = server.guests(1)
    hers = new_player(client, "me", "open", "low")
    his = join_table(client, hers.code)
    assert his.resign().json()["status"] == "running"
    for refused in (his.resign(), his.propose("end")):
        assert problem(refused, 409, "conflict") == "You’ve resigned."
    problem(his.move(action=0, version=his.view()["version"]), 409, "not-your-turn")
    seat = client.get(hers.path, headers=hers.headers).json()["seats"][1]
    assert seat["standin"], "he cannot come back, whatever he requests"
    # A proposal no longer concerns him, so Ada alone decides.
    assert hers.propose("end").json()["status"] == "finished"


def test_bots_are_not_asked_and_agree_at_once(start_server: Serve) -> None:
    server = start_server(bot_delay=60.0)
    (client,) = server.guests(1)
    hers = new_player(client, "me", "low")
    hers.move(action=3, version=0)
    back = hers.propose("take-back").json()
    assert (back["proposal"], back["version"], len(back["legal"])) == (None, 2, 66)
    assert stored(server, hers.code) == [(0, 3), (0, TAKE_BACK)]


def test_number_of_take_backs_in_a_match_is_limited(start_server: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agreements, "MAX_TAKE_BACKS", 2)
    server = start_server(bot_delay=60.0)
    (client,) = server.guests(1)
    hers = new_player(client, "me", "low")
    for version in (0, 2):
        hers.move(action=3, version=version)
        assert hers.propose("take-back").status_code == 200
    hers.move(action=3, version=4)
    assert "more than 2 moves" in problem(hers.propose("take-back"), 409, "conflict")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"take_backs": "never"}, "can’t be taken back"),
        ({"clock": 60}, "can’t be taken back"),
        ({"clock": 60, "take_backs": "always"}, ""),
        ({"clock": 180}, ""),
    ],
)
def test_house_rule_and_fast_clocks_forbid_take_backs(ada: Client, fields: dict[str, Any], reason: str) -> None:
    hers, _his = after_first_move(ada, **fields)
    asked = hers.propose("take-back")
    if reason:
        assert reason in problem(asked, 409, "conflict")
    else:
        assert asked.json()["proposal"]["what"] == "take-back"
    shown = ada.get(hers.path, headers=hers.headers).json()
    assert shown["take_backs"] == fields.get("take_backs", "slow")


def test_requests_about_agreements_are_refused_with_the_right_code(ada: Client) -> None:
    hers, his = two_players(ada)
    for method in (hers.propose, lambda what: hers.ask("POST", "proposals", {"what": what, "extra": 1})):
        problem(method("undo"), 422, "malformed")
    assert "no move" in problem(hers.propose("take-back"), 409, "conflict")
    for body in ({"proposal": 1}, {"agree": True}, {"proposal": "1", "agree": True}, {"proposal": 1, "agree": 1}):
        problem(hers.ask("POST", "answers", body), 422, "malformed")
    problem(hers.answer(1, True), 409, "stale")
    lobby = new_player(ada, "me", "open")
    for asked in (lobby.propose("take-back"), lobby.propose("end"), lobby.resign()):
        assert "haven’t been dealt" in problem(asked, 409, "conflict")
    problem(lobby.answer(1, True), 409, "stale")
    bodies = {"proposals": {"what": "end"}, "answers": {"proposal": 1, "agree": True}, "resignation": None}
    for path, body in bodies.items():
        problem(ada.post(f"{hers.path}/{path}", json=body), 401, "unauthorized")
        problem(ada.post(f"{hers.path}/{path}", json=body, headers=lobby.headers), 403, "forbidden")
        problem(ada.post(f"{API}/tables/ZZZZ/{path}", json=body, headers=hers.headers), 404, "unknown")
    assert his.view()["status"] == "running"


def test_waiting_view_requests_return_when_a_proposal_is_made_or_answered(
    server: Server, ada: Client, ben: Client
) -> None:
    """Neither changes the version of the view."""
    hers, his = after_first_move(ada)
    waiting, version = Player(ben, his.code, his.token), his.view()["version"]
    polls = server.app.state.limits.polls_of_address
    for act in (lambda: hers.propose("take-back"), lambda: his.answer(1, False)):
        with ThreadPoolExecutor(1) as people:
            before = time.monotonic()
            answer = people.submit(waiting.view, beyond=version, wait=25)
            wait_until(lambda: polls.active_count("127.0.0.1"))
            now = act().json()["proposal"]
            assert (answer.result(PATIENCE)["proposal"], version) == (now, waiting.view()["version"])
            assert time.monotonic() - before < 25


# --- pages and forms --------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def two_pages(server: Server, ada: Client, ben: Client, *seats: str, **fields: str) -> Iterator[tuple[Live, Live]]:
    """Connect Ada and Ben to a running table and let Ada make her first move."""
    url = shared_table(ada, ben, *seats, **fields)
    with Live(server, ada, url) as hers, Live(server, ben, url) as his:
        hers.play(start_match(hers, his)[0])
        his.beyond(0)
        yield hers, his


def test_pages_are_told_of_a_proposal_and_of_its_answer(server: Server, ada: Client, ben: Client) -> None:
    with two_pages(server, ada, ben) as (hers, his):
        hers.send(type="propose", what="take-back")
        asked = his.until_said("Ada asks to take back their last move.", "table")
        assert (asked["yours"], asked["version"]) == (asked["yours"], 1)
        his.send(type="answer", proposal=1, agree=True)
        back = hers.until_said("You took back your last move.", "table")
        assert (back["version"], back["yours"]) == (2, True)
        assert his.until_said("Ada took back their last move.", "table")["yours"]
        hers.play(back)
        hers.send(type="propose", what="end")
        his.until_said("Ada offers to end the match.", "table")
        his.send(type="answer", proposal=2, agree=False)
        hers.until_said("The match goes on.", "table")
        his.send(type="resign")
        assert hers.until(lambda message: message["over"])["say"][-1] == "Ben resigned."
    assert stored(server, code_of(hers.url))[-1] == (1, RESIGN)


@cases("agreements that a table refuses")
def test_invalid_message_about_an_agreement_gets_an_error(
    server: Server, ada: Client, ben: Client, message: dict[str, Any], code: str, says: str
) -> None:
    with two_pages(server, ada, ben) as (hers, his):
        hers.send(type="propose", what="take-back")
        his.until_said("Ada asks to take back their last move.", "table")
        revision = server.rooms.repository.revision(code_of(hers.url))
        error = hers.refusal(**message)
        assert error["code"] == code
        assert says in error["reason"]
        assert server.rooms.repository.revision(code_of(hers.url)) == revision


def test_spectators_neither_propose_nor_answer_nor_resign(
    server: Server, ada: Client, ben: Client, visitor: Visitor
) -> None:
    cleo = visitor()
    with two_pages(server, ada, ben) as (hers, _his):
        cleo.post(f"{hers.url}/watch")
        with Live(server, cleo, hers.url) as watching:
            watching.hello()
            hers.send(type="propose", what="take-back")
            watching.until_said("Ada asks to take back their last move.", "table")
            for message in ({"type": "propose", "what": "end"}, {"type": "resign"}):
                assert watching.refusal(**message)["code"] == "forbidden"
            assert watching.refusal(type="answer", proposal=1, agree=False)["code"] == "forbidden"
        form = {"request": '{"type": "resign"}'}
        assert cleo.post(f"{hers.url}/request", data=form).status_code == 403
    assert server.session(hers.url).record.agreements.proposal is not None


def test_program_on_a_live_connection_sees_the_proposal(server: Server, ada: Client, ben: Client) -> None:
    hers, his = after_first_move(ada)
    url = f"/t/{hers.code}"
    with Client(base_url=server.origin, headers=his.headers) as program, Live(server, program, url) as line:
        line.send(type="hello", version=0, known=True)
        assert line.get("known")["proposal"] is None
        hers.propose("take-back")
        known = line.until(lambda message: message["proposal"], "known")
        assert (known["proposal"], known["legal"]) == (proposal_of(hers), [])
        assert known["say"] == ["Ada asks to take back their last move."]
        line.send(type="answer", proposal=1, agree=False)
        known = line.until(lambda message: not message["proposal"], "known")
        assert len(known["legal"]) == 66


def test_browsers_without_scripts_propose_answer_and_resign_by_forms(server: Server, ada: Client, ben: Client) -> None:
    with two_pages(server, ada, ben) as (hers, _his):
        url = hers.url

    def ask(client: Client, **message: Any) -> int:
        return client.post(f"{url}/request", data={"request": json.dumps(message)}).status_code

    assert ask(ada, type="propose", what="undo") == 422
    assert ask(ada, type="answer", proposal=1, agree=True) == 409
    assert ask(ada, type="propose", what="take-back") == 303
    assert ask(ada, type="answer", proposal=1, agree=True) == 403
    assert ask(ben, type="answer", proposal=1, agree=True) == 303
    assert ask(ada, type="resign") == 303
    assert stored(server, code_of(url))[1:] == [(0, TAKE_BACK), (0, RESIGN)]


# --- time -------------------------------------------------------------------------------------------------------------


async def propose(room: Room, person: int, action: int = AGREED_END) -> None:
    await room.request_change(lambda session: agreements.propose(session, person, action, room.services.now()))


@pytest.mark.parametrize("clock", [0, 300, LIVE_CLOCK])
@with_manual_clock
async def test_unanswered_proposal_is_declined_after_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: int
) -> None:
    async with running_process(tmp_path, pulse=1e9) as rooms:
        room, ada = await dealt_room(rooms, settings=Settings(clock=clock))
        await pass_time(DEAL_ANIMATION_TIME + 20)
        said: list[Any] = []
        await propose(room, ada)
        monkeypatch.setattr(room, "announce", said.append)
        wait = CORRESPONDENCE_ANSWER_TIME if clock == LIVE_CLOCK else ANSWER_TIME
        await pass_time(wait - 1)
        assert room.session.record.agreements.proposal is not None
        await pass_time(1.1)
        await wait_until_async(lambda: room.session.record.agreements.proposal is None)
        assert "The match goes on." in list(map(str, said))
        assert room.session.record.agreements.declined == (0,)
        # Clocks rested meanwhile.
        assert [round(one.left) for one in room.session.record.clocks] == ([clock - 20] * 2 if clock else [])
        assert room.session.next_expiry_time == (rooms.now() + clock - 20 + MOVE_ANIMATION_TIME if clock else None)


@with_manual_clock
async def test_bots_wait_while_a_proposal_is_open_and_play_on_when_it_is_declined(tmp_path: Path) -> None:
    async with running_process(tmp_path, bot_delay=10.0, pulse=1e9) as rooms:
        room, ada = await new_room(rooms, "me", "low", "open")
        ben = rooms.repository.store_new_person("Ben", None, 1.0).id
        await room.request_change(lambda session: session.sit(ben, "Ben", ready=True, now=rooms.now()))
        await room.request_change(lambda session: session.ready(ada, True, rooms.now()))
        assert room.session.record.due == rooms.now()
        await run_ready_tasks()
        await pass_time(9)
        await propose(room, ada)
        assert room.session.record.due is None
        # The bot has chosen by now, and its move has to wait.
        await pass_time(5)
        await wait_until_async(lambda: given(room._bots).done())
        assert room.session.ply == 0
        await room.request_change(lambda session: agreements.answer(session, ben, 1, False, rooms.now()))
        assert room.session.record.due == rooms.now()
        await run_ready_tasks()
        await pass_time(10.1)
        await wait_until_async(lambda: [move.seat for move in room.session.moves] == [1])


@with_manual_clock
async def test_bot_answers_anew_after_a_take_back(tmp_path: Path) -> None:
    """Its answer to the move is taken back with it, or dropped while the bot is still choosing."""
    async with running_process(tmp_path, bot_delay=10.0, pulse=1e9) as rooms:
        # The bot begins, and neither of Ada's first two choices reveals anything.
        room, ada = await new_room(rooms, "me", "low", seed=bytes(32))
        await room.request_change(lambda session: session.ready(ada, True, rooms.now()))

        async def play(action: int) -> None:
            version = room.session.version(0)
            await room.request_change(lambda session: session.move(0, action, version, now=rooms.now()))
            await run_ready_tasks()

        async def bot_plays(moves: int) -> None:
            await pass_time(10.1)
            await wait_until_async(lambda: room.session.ply == moves)
            await run_ready_tasks()

        await play(0)
        await bot_plays(2)
        await bot_plays(3)
        await play(66)
        await bot_plays(5)
        await propose(room, ada, TAKE_BACK)
        await play(66)
        await pass_time(6)
        await propose(room, ada, TAKE_BACK)
        await play(67)
        await pass_time(6)
        assert room.session.ply == 9
        assert room.session.dealt_match.acting == [1]
        await pass_time(4.1)
        await wait_until_async(lambda: room.session.ply == 10)
    moves = [(move.seat, move.action) for move in room.session.moves]
    assert moves[3:9] == [(0, 66), (1, 66), (0, TAKE_BACK), (0, 66), (0, TAKE_BACK), (0, 67)]
    assert [move.token for move in room.session.moves if move.seat == 1][-1] == "bot:9"


async def killed(rooms: Rooms) -> None:
    """Kill a process: it neither plays nor shows that it is alive."""
    for task in (rooms._sweeper, rooms._heart):
        given(task).cancel()
    for room in rooms.all_in_memory():
        room.cancel_timer_and_bots()
    await run_ready_tasks()


@with_manual_clock
async def test_other_process_takes_over_the_open_proposal_and_the_bots_of_a_killed_one(tmp_path: Path) -> None:
    bus = Bus()
    async with running_process(tmp_path, bus=bus, sweep=1e9, pulse=1e9) as second:
        first = tables_of_process(tmp_path, bus=bus, sweep=1e9, bot_delay=60.0)
        await first.start()
        room, ada = await new_room(first, "me", "low", "open", settings=Settings(clock=300))
        code, ben = room.session.code, first.repository.store_new_person("Ben", None, 1.0).id
        await room.request_change(lambda session: session.sit(ben, "Ben", ready=True, now=first.now()))
        await room.request_change(lambda session: session.ready(ada, True, first.now()))
        await propose(room, ada)
        until = given(room.session.record.agreements.proposal).until
        await killed(first)
        await second.sweep()
        assert code not in second._rooms, "the first one has not been dead for long enough"
        await pass_time(LEASE + 1)
        await second.peers.renew_lease_or_reregister()
        await second.sweep()
        there = second._rooms[code]
        assert there.is_driver
        assert given(there.session.record.agreements.proposal).until == until
        await pass_time(until - second.now() + 0.1)
        await wait_until_async(lambda: there.session.record.agreements.declined == (0,))
        await wait_until_async(lambda: there.session.ply == 1)
        assert there.session.moves[0].seat == 1
        await first.store.close()
        first.repository.close()


@with_manual_clock
async def test_time_to_answer_does_not_run_while_no_server_is_running(tmp_path: Path) -> None:
    first = tables_of_process(tmp_path, pulse=1e9, sweep=1.0)
    await first.start()
    room, ada = await dealt_room(first)
    code = room.session.code
    await propose(room, ada)
    await pass_time(10)
    first.repository.save_alive_time_if_clocks_run(first.now())
    await killed(first)
    first.repository.close()
    await pass_time(36_000)
    async with running_process(tmp_path, pulse=1e9, sweep=1.0) as second:
        found = given(second.repository.load(code)).record
        assert given(found.agreements.proposal).until == second.now() + ANSWER_TIME - 10
        await pass_time(ANSWER_TIME - 11)
        assert given(second.repository.load(code)).record.agreements.proposal is not None
        await pass_time(1.2)
        # No page is open: the sweep finds the table.
        await wait_until_async(lambda: given(second.repository.load(code)).record.agreements.declined == (0,))


@pytest.mark.parametrize("first", ["answer", "zero"])
@with_manual_clock
async def test_either_the_answer_or_the_end_of_its_time_counts_when_two_processes_race(
    tmp_path: Path, first: str
) -> None:
    one, two = (tables_of_process(tmp_path, pulse=1e9) for _ in range(2))
    here, ada = await dealt_room(one)
    there = await two.room(here.session.code)
    # No timers: the test decides the order.
    for room in (here, there):
        room.cancel_timer_and_bots()
        room.services.closing = True
    await propose(here, ada)
    await there.refresh()
    await pass_time(ANSWER_TIME)
    ben = given(here.session.record.seats[1].person)

    async def agree() -> bool:
        try:
            await here.request_change(lambda session: agreements.answer(session, ben, 1, True, one.now()))
        except Refusal as refusal:
            return refusal.code != "stale"
        return True

    async def expire() -> bool:
        return await there.request_change(lambda session: session.expire_clocks("low", two.now())) is not None

    assert [await act() for act in ((agree, expire) if first == "answer" else (expire, agree))] == [True, False]
    found = given(one.repository.load(here.session.code))
    assert [move.action for move in found.moves] == ([AGREED_END] if first == "answer" else [])
    assert found.record.agreements.declined == (() if first == "answer" else (0,))
    for rooms in (one, two):
        await rooms.store.close()
        rooms.repository.close()
