"""One table in memory, from the lobby to the end of its match.

A request (`sit`, `move`, `say`, …) returns a `Change` and modifies nothing. The caller saves the change and then passes
it to `apply`, which carries it out. A request that is not allowed raises `Refusal` with a sentence to show to the
person.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from facedown.core import game_registry as registry
from facedown.core.grammar import capital
from facedown.core.match import IllegalMove, Match
from facedown.core.match_actions import TAKE_BACK, is_game_action
from facedown.core.move_with_views import Step, Views
from facedown.core.state import RUNNING, State
from facedown.core.table import Sitter, Table
from facedown.core.translation import language
from facedown.play import seat_announcements as announce
from facedown.play import seat_clocks as clocks
from facedown.play.agreement_texts import blocked_by_agreements, with_agreements
from facedown.play.bot_interface import Bots, BotTask, bot_seed, with_standin
from facedown.play.i18n import N_, TranslatableText, _, not_your_turn_message, translatable_text
from facedown.play.new_tables import check_level
from facedown.play.presence import Presence
from facedown.play.records import (
    DELAY_BY_ROUND,
    Agreements,
    Change,
    ChatMessage,
    Refusal,
    Seat,
    SeatClock,
    StoredMove,
    TableRecord,
    removed_player_message,
    require,
)
from facedown.play.seat_takeover import with_coming_persons_seated
from facedown.play.timeout_messages import CLOSED, blocked_reason_and_step, timeout_message, with_timeout_messages
from facedown.play.user_input import clean_name, unique_name, validate_token
from facedown.play.viewer_log import ViewerLog

#: Number of latest chat messages kept in memory.
CHAT_KEPT = 100
#: A viewer (a seat or `SPECTATOR`) and the code of the viewer's language.
Reader = tuple[int, str]


class Session:
    """State of one table in memory: its stored record, match, moves, chat, and which players are present.

    For each viewer, the rendered playing area (`Table`) and the log are cached.
    """

    def __init__(
        self,
        record: TableRecord,
        moves: Sequence[StoredMove] = (),
        chat: Sequence[ChatMessage] = (),
        *,
        now: float = 0.0,
    ) -> None:
        self.record = record
        self.game = registry.game(record.game)
        if record.rules_version != self.game.info.version:
            wrong = N_("This table uses version {played} of the {game} rules; this program uses version {here}.")
            info = self.game.info
            raise Refusal(
                "closed", translatable_text(wrong, played=record.rules_version, game=info.title, here=info.version)
            )
        self.chat = list(chat)[-CHAT_KEPT:]
        self.chat_count = len(chat)
        """Number of chat messages sent in total; `chat` holds only the latest."""
        self.presence = Presence(now)
        self.match: Match | None = None
        self.moves: list[StoredMove] = []
        self.last_scoring_ply = 0
        """Number of moves after which the scores of a round were last shown; 0 if they were not, or if spectators don't
        have to wait for them (`DELAY_BY_ROUND`)."""
        self._viewer_logs: dict[Reader, ViewerLog] = {}
        self._tables: dict[Reader, tuple[Views, TableRecord, Table]] = {}
        """Cached playing areas (`Table`) by reader, each with the views and the record that it was made from."""
        self._since: list[int] = []
        """For each seat, the number of moves played when its legal actions last changed or it last moved itself."""
        if record.status != "lobby":
            self._deal()
        for move in moves:
            self._play(move)

    # --- queries --------------------------------------------------------------------------------------------------

    @property
    def code(self) -> str:
        """Code of the table: a short random text in the table's address. Anyone who has the code can find the table."""
        return self.record.code

    @property
    def dealt_match(self) -> Match:
        """The match. Raises `Refusal` before the deal."""
        if self.match is None:
            raise Refusal(
                "conflict", _("The cards haven’t been dealt yet: a seat is still open, or a player isn’t ready.")
            )
        return self.match

    def require_ended_match(self, otherwise: str) -> Match:
        """Return the match if it is over; otherwise raise `Refusal` with the reason `otherwise`."""
        if self.match is None or not self.match.over:
            raise Refusal("conflict", otherwise)
        return self.match

    @property
    def closed(self) -> bool:
        """Whether an operator closed this table before its match was over."""
        return self.record.status == "finished" and (self.match is None or not self.match.over)

    @property
    def ply(self) -> int:
        """Number of actions played. Viewers get `version` instead: they must not know the number of hidden actions."""
        return len(self.moves)

    @property
    def sitters(self) -> tuple[Sitter, ...]:
        """For each seat, the player's name and whether the player is a bot. The name is empty for an open seat."""
        return tuple(Sitter(seat.name, seat.kind == "bot") for seat in self.record.seats)

    def seat_of(self, person: int | None) -> int | None:
        """Return the seat of the person with this id, or None if the person has no seat."""
        taken = [seat.person if seat.kind == "person" else None for seat in self.record.seats]
        return None if person is None or person not in taken else taken.index(person)

    def viewer_log(self, viewer: int) -> ViewerLog:
        """Return the log of a viewer (a seat or `SPECTATOR`) in the active language."""
        reader = viewer, language()
        if reader not in self._viewer_logs:
            memory, seats = self.record.settings.memory, self.record.seats
            self._viewer_logs[reader] = ViewerLog(viewer, memory, seats, self.dealt_match)
        return self._viewer_logs[reader]

    def version(self, viewer: int) -> int:
        """Return how many actions so far have changed something visible to a viewer (a seat or `SPECTATOR`).

        This number is the viewer's version of the match. It includes all actions of the viewer. It also includes
        actions whose results have not yet been sent to the viewer.
        """
        return self.viewer_log(viewer).version

    def has_same_legal_actions_since(self, seat: int, version: int) -> bool:
        """Return whether a seat's legal actions are still the same as when its version was `version`.

        The version of a seat is the number of actions so far that changed something visible to the seat. The result is
        False if the seat has itself acted since. Raise `ValueError` if the seat has not reached this version yet.
        """
        return self.viewer_log(seat).ply_of(version) >= self._since[seat]

    def table(self, viewer: int) -> Table:
        """Return the playing area and log (`Table`) as a viewer, a seat or `SPECTATOR`, sees them.

        The texts are in the active language. The result is the same object until something changes. Raise `Refusal`
        before the deal.
        """
        reader, views, record = (viewer, language()), self.dealt_match.views, self.record
        found = self._tables.get(reader)
        if found is not None and found[0] is views and found[1] is record:
            return found[2]
        bare = views.table(viewer, self.sitters, record.settings.memory)
        viewer_log = self.viewer_log(viewer)
        table = with_timeout_messages(
            bare.with_log(viewer_log.lines), record, self.dealt_match.acting, self.moves, viewer_log
        )
        table = with_agreements(table, record, self.dealt_match)
        self._tables[reader] = views, record, table
        return table

    def legal(self, seat: int) -> list[int]:
        """Return the legal actions of a seat, derived from the seat's own view; empty if the seat may not act."""
        if self.match is None or self.match.over or self.blocked_reason(seat):
            return []
        return self.game.legal(self.match.known(seat), seat)

    # --- before the deal ------------------------------------------------------------------------------------------

    def sit(self, person: int, name: str, *, key_hash: str = "", ready: bool = False, now: float) -> Change:
        """Return the change that seats a person in the first open seat, as host if the table has none. If the person is
        a program (an API client), `key_hash` is the hash of the program's token.
        """
        require(self.seat_of(person) is None, "conflict", _("You already have a seat at this table."))
        self._require_lobby()
        require(not self.record.has_removed(person), "forbidden", removed_player_message())
        name = unique_name(clean_name(name), [seat.name for seat in self.record.seats])
        index = next((index for index, seat in enumerate(self.record.seats) if not seat.taken), None)
        if index is None:
            raise Refusal("full", _("Every seat at this table is taken."))
        record = self.record.with_seat(index, Seat("person", name, person, ready=ready, key_hash=key_hash))
        if record.host is None:
            record = replace(record, host=person)
        return self.new_lobby_change(record, now)

    def leave(self, person: int) -> Change:
        """Return the change by which a person leaves the table. Raise `Refusal` if the person has no seat.

        Before the deal, the seat becomes open. If the host leaves, the next person around the table becomes host. After
        the deal, the person keeps the seat and may come back. The other players decide whether a bot plays meanwhile.
        """
        index = self.require_seat_of(person)
        seat, waits = self.record.seats[index], self.record.status == "lobby"
        record = self.record.with_seat(index, Seat() if waits else replace(seat, left=True))
        if waits and record.host == person:
            heir = record.next_person_seat(index)
            record = replace(record, host=heir.person if heir else None)
        return self.new_change(record)

    def ready(self, person: int, ready: bool, now: float) -> Change:
        """Return the change that sets whether a person is ready.

        If every seat is then taken and ready, the change also includes the deal.
        """
        self._require_lobby()
        index = self.require_seat_of(person)
        return self.new_lobby_change(self.record.with_seat(index, replace(self.record.seats[index], ready=ready)), now)

    def begin_match_of_bots_only(self, now: float) -> Change:
        """Return the change that starts a match in which all seats have bots."""
        self._require_lobby()
        require(self.record.is_ready, "conflict", _("A seat is still open, or a player isn’t ready."))
        return self.new_lobby_change(self.record, now, (translatable_text(N_("The bots take their seats.")),))

    def set_program_token_hash(self, person: int, key_hash: str) -> Change:
        """Return the change that stores `key_hash`, the hash of a new token for the seat of `person`.

        With this token, a program plays the seat as `person`, through the API. The old token of the seat becomes
        invalid. Raise `Refusal` if `person` has no seat.
        """
        index = self.require_seat_of(person)
        return self.new_change(self.record.with_seat(index, replace(self.record.seats[index], key_hash=key_hash)))

    # --- playing --------------------------------------------------------------------------------------------------

    def move(self, seat: int, action: int, version: int, *, token: str = "", now: float) -> Change | None:
        """Check an action of a seat, and return the `Change` by which `apply` will play it. Nothing is modified yet.

        Return None if the same request was accepted before. `token` is a text from the client that identifies the
        request. Without a token, requests with the same action and version count as the same request.

        `version` is the seat's version of the match when the player chose the action: how many actions had changed
        something visible to the seat. Raise `Refusal` if the seat's legal actions have changed since then, or if the
        seat may not play the action.
        """
        match = self.dealt_match
        require(is_game_action(action), "malformed", _("A move must be an action of the game."))
        token = "key:" + validate_token(token) if token else f"at:{version}:{action}"
        before = next((played for played in self.moves if (played.seat, played.token) == (seat, token)), None)
        if before is not None:
            require(before.action == action, "conflict", _("You’ve already used this token for another move."))
            return None
        try:
            seen = self.viewer_log(seat).ply_of(version)
        except ValueError:
            here = self.version(seat)
            wrong = _(
                "Version {version} of this table does not exist; the current version is {here}.",
                version=version,
                here=here,
            )
            raise Refusal("stale", wrong) from None
        if seen < self._since[seat]:
            has_played = any(move.seat == seat for move in self.moves[seen:])
            require(not has_played, "stale", _("That move came too late: you had already played."))
            raise Refusal("stale", _("That move came too late: the table has changed since."))
        require(not self.closed, "closed", _(CLOSED))
        reason = self.blocked_reason(seat)
        require(not reason, "not-your-turn", reason)
        step = self._compute_step(match, seat, action)
        return self._move_change(step, StoredMove(self.ply, seat, action, now, token))

    def bot_task(self) -> BotTask | None:
        """Return the data from which a bot chooses its next action; None if no bot is to act.

        If several bots are to act, the data are for the bot in the lowest seat. The caller passes the chosen action to
        `bot_move`.
        """
        if self.match is None or self.match.over or self.closed or self.record.agreements.proposal is not None:
            return None
        for seat in self.match.acting:
            level = self.record.bot_level_at(seat)
            if level:
                seed = bot_seed(self.record.seed, self._since[seat], seat)
                return BotTask(self.ply, seat, level, self.match.known(seat), seed)
        return None

    def bot_move(self, task: BotTask, action: int, now: float) -> Change | None:
        """Check the action that a bot chose for `task`, and return the `Change` by which `apply` will play it.

        Return None if the task is outdated, because the move has been made meanwhile or a person has taken the seat
        back.
        """
        if self._since[task.seat] > task.ply or self.record.bot_level_at(task.seat) != task.level:
            return None
        if self.record.agreements.proposal is not None:
            return None
        step = self._compute_step(self.dealt_match, task.seat, action)
        word = clocks.TIMEOUT_TAG if self.record.clocks and self.record.clocks[task.seat].up else "bot:"
        return self._move_change(step, StoredMove(self.ply, task.seat, action, now, f"{word}{self.ply}"))

    def stand_in(self, person: int, index: int, level: str, bots: Bots, now: float) -> Change:
        """Return the change by which a bot of this level stands in for the absent player in the seat at `index`.

        `person` is another player, who requests this. Raise `Refusal` if the absent player may not be replaced yet.
        """
        self.require_seat_of(person)
        check_level(bots, level)
        seat = self.seat_at(index)
        require(not self.dealt_match.over, "conflict", _("The match is over."))
        is_other = seat.kind == "person" and seat.person != person
        require(is_other, "forbidden", _("You can only have a bot take over for another player who is away."))
        wrong = _("{bot} is already playing for {name}.", bot=seat.standin_name, name=seat.name)
        require(not seat.standin, "conflict", wrong)
        left = self.seconds_until_stand_in(index, now)
        if left is None:
            raise Refusal("forbidden", _("{name} isn’t away.", name=seat.name))
        time = f"{int(left) // 60}:{int(left) % 60:02}"
        require(left <= 0, "forbidden", _("{name} has {time} left to come back.", name=seat.name, time=time))
        record = with_standin(self.record, index, level)
        proposal = record.agreements.proposal
        if proposal is not None and index in proposal.asked:
            # The absent player cannot answer, so the match would rest until the proposal expires.
            record = replace(record, agreements=record.agreements.with_proposal_declined())
        return self.new_change(self._with_clocks_and_bot_due_time(record, self.dealt_match.state, now))

    def reclaim_seat(self, person: int, now: float) -> Change | None:
        """Return the change that gives a returning person their seat back from a stand-in and resets their timeouts.

        The result is None if there is nothing to change.
        """
        index = self.seat_of(person)
        if index is None:
            return None
        seat = self.record.seats[index]
        clock = self.clock(index)
        missed = clock is not None and clock.ups >= clocks.AWAY_AFTER
        if index in self.record.agreements.resigned:
            return None
        if (clock is not None and clock.lost) or not (seat.standin or seat.left or missed):
            return None
        record = self.record.with_seat(index, replace(seat, standin="", standin_name="", left=False))
        if clock is not None and missed:
            record = record.with_clock(index, replace(clock, ups=0))
        if self.match is not None:
            record = self._with_clocks_and_bot_due_time(record, self.match.state, now)
        return self.new_change(record, tells=(translatable_text(announce.IS_BACK, name=seat.name),))

    def say(self, said: ChatMessage) -> Change:
        """Return the change that adds a chat message, which `play.chat.validate_message` has checked."""
        return self.new_change(self.record, said=said)

    def set_rematch_code(self, code: str) -> Change:
        """Return the change that stores the code of the table at which the rematch is played."""
        return self.new_change(replace(self.record, successor=code))

    # --- clocks ---------------------------------------------------------------------------------------------------

    def clock(self, seat: int) -> SeatClock | None:
        """Return a seat's clock, or None if the table has no clocks."""
        return self.record.clocks[seat] if 0 <= seat < len(self.record.clocks) else None

    @property
    def next_expiry_time(self) -> float | None:
        """Unix time at which the next time limit at the table runs out; None if no time limit is running.

        A time limit is a seat's clock, the time that a player has for reading the scores of a round, or the time for
        answering a proposal. The result may be in the past.
        """
        return clocks.next_deadline(self.record)

    def blocked_reason(self, seat: int) -> str:
        """Return why a seat may not move although it is to act. Return an empty string if it may move.

        The reason may be that its clock expired, that the table was closed, that a proposal is open, or that its player
        has resigned.
        """
        if not self.closed and (reason := blocked_by_agreements(self.record, seat)):
            return reason
        return blocked_reason_and_step(self.record, seat, self.match is not None and self.match.over)[0]

    @property
    def timed_out_seats(self) -> set[int]:
        """The seats whose time ran out in this turn."""
        return {seat for seat, clock in enumerate(self.record.clocks) if clock.up}

    def expire_clocks(self, level: str, now: float) -> Change | None:
        """Return the change that applies the consequences of all time limits that have run out; None if none has.

        `now` is the Unix time. `level` is the level of the bots that then play for the players whose time has run out.
        A proposal whose time has run out counts as declined.
        """
        proposal = self.record.agreements.proposal
        if proposal is not None:
            late = proposal.until <= now
            return self.agreements_change(self.record.agreements.with_proposal_declined(), now) if late else None
        found = clocks.expire_clocks(self.record, level, now) if self.next_expiry_time is not None else None
        if found is None:
            return None
        record, ups = found
        for index in ups:
            if record.clocks[index].lost:
                record = with_standin(record, index, level)
        record = self._with_clocks_and_bot_due_time(record, self.dealt_match.state, now)
        return self.new_change(record, tells=tuple(timeout_message(record, index) for index in ups))

    def seconds_until_stand_in(self, seat: int, now: float) -> float | None:
        """Return the seconds until the other players may let a bot play for the person in `seat`; 0 if they may now.

        Return None if no such time is known. For example, the person is present, or the match is not running. The rules
        for this are in `seat_clocks.seconds_until_stand_in`.
        """
        return clocks.seconds_until_stand_in(self.record, seat, self.presence.away_since(seat), now)

    # --- applying changes -------------------------------------------------------------------------------------------

    def apply(self, change: Change) -> None:
        """Update this session in memory with a change that the caller has saved.

        The change has a new record. It may also have a move or a chat message, which are added to this session. Raise
        `ValueError` if the move does not follow directly after the moves that this session has.
        """
        moves = [] if change.move is None else [change.move]
        self._apply_record(change.record, moves, [] if change.said is None else [change.said], change.step)

    def catch_up(
        self, record: TableRecord, moves: Sequence[StoredMove], said: Sequence[ChatMessage]
    ) -> list[TranslatableText]:
        """Apply the changes that other server processes have saved, and return the announcements of these changes.

        `record` is the newest record of the table. `moves` and `said` are the moves and chat messages that this process
        does not have yet.
        """
        old = self.record
        self._apply_record(record, moves, said)
        return announce.announcements_between(old, record)

    def _apply_record(
        self, record: TableRecord, moves: Sequence[StoredMove], said: Sequence[ChatMessage], step: Step | None = None
    ) -> None:
        """Replace the table's record with `record`, and add the new moves and chat messages.

        If the table was still waiting for its players and the match now begins, deal the cards before the moves. `step`
        is the result of the new move if there is just one and its result has been computed already; else None.
        """
        begins = self.record.status == "lobby" and record.status != "lobby"
        if [seat.name for seat in self.record.seats] != [seat.name for seat in record.seats]:
            # Cached logs and playing areas have the names of the players, and a new player must not see the old log.
            self._viewer_logs.clear()
            self._tables.clear()
        self.record = record
        if begins:
            self._deal()
        for move in moves:
            self._play(move, step)
        self.chat_count += len(said)
        self.chat = [*self.chat, *said][-CHAT_KEPT:]

    def _deal(self) -> None:
        self._since = [0] * len(self.record.seats)
        self.match = self.record.new_match()

    def drop_caches(self) -> None:
        """Drop all cached views, playing areas (`Table`) and logs. This saves memory while no viewer is connected."""
        self._viewer_logs.clear()
        self._tables.clear()
        if self.match is not None:
            self.match.forget_views()

    def _play(self, move: StoredMove, step: Step | None = None) -> None:
        """Apply a stored move to the match. `step` is its result if that has been computed already for the current
        position.
        """
        match = self.dealt_match
        if move.ply != self.ply:
            raise ValueError(f"move {move.ply} cannot follow {self.ply} moves at table {self.code}")
        if step is None or step.before is not match.views:
            step = match.compute_step(move.seat, move.action)
        before, after = match.views, step.views
        match.apply_step(step)
        self.moves.append(move)
        by_round = self.record.settings.spectator_delay == DELAY_BY_ROUND
        if by_round and clocks.turn_state(self.game, step.after).is_scoring:
            self.last_scoring_ply = self.ply
        for seat in range(len(self.record.seats)):
            if seat == move.seat or before.legal(seat) != after.legal(seat):
                self._since[seat] = self.ply
        for viewer_log in self._viewer_logs.values():
            viewer_log.record_step(step)

    # --- helpers ----------------------------------------------------------------------------------------------------

    def match_action_change(self, record: TableRecord, seat: int, action: int, now: float, token: str) -> Change:
        """Return the change that plays an action of `core.match_actions` for a seat, with `record` as the new record.

        Raise `Refusal` if the action is not allowed.
        """
        step = self._compute_step(self.dealt_match, seat, action)
        if action == TAKE_BACK:
            undone = self.dealt_match.standing.since_last_move_of(seat)
            record = replace(record, clocks=clocks.without_increments_of(self.game, record, undone))
        return self._move_change(step, StoredMove(self.ply, seat, action, now, token), record)

    def agreements_change(self, agreements: Agreements, now: float, record: TableRecord | None = None) -> Change:
        """Return the change that replaces the agreements in `record` (by default the present record)."""
        changed = replace(record or self.record, agreements=agreements)
        return self.new_change(self._with_clocks_and_bot_due_time(changed, self.dealt_match.state, now))

    def _move_change(self, step: Step, move: StoredMove, record: TableRecord | None = None) -> Change:
        """Return the change that adds a move whose result is `step`, with `record` (by default the present one)."""
        record = record or self.record
        record = replace(record, agreements=replace(record.agreements, declined=()))
        mover = move.seat if is_game_action(move.action) else None
        seats = record.seats
        if record.coming_persons:
            record = with_coming_persons_seated(record, step)
        record = self._with_clocks_and_bot_due_time(record, step.after, move.at, mover)
        if int(step.after.over) != RUNNING:
            record = replace(record, status="finished", finished=move.at)
        return replace(self.new_change(record, move=move), step=step, changes_seats=record.seats != seats)

    def _with_clocks_and_bot_due_time(
        self, record: TableRecord, state: State, now: float, mover: int | None = None
    ) -> TableRecord:
        """Return the record with clocks and `due` updated for the match's new `state`.

        `due` is set to `now` if a bot is to act, else to None. `mover` is the seat whose move led to `state`, if any.
        """
        before = None if self.match is None else self.match.state
        return clocks.with_clocks_and_bot_due_time(self.game, record, before, state, now, mover)

    def new_lobby_change(
        self, record: TableRecord, now: float, tells: tuple[TranslatableText, ...] | None = None
    ) -> Change:
        """Return the change that replaces the table's record with `record`. The cards must not have been dealt yet.

        If all seats in `record` are taken and ready, the change also starts the match. `tells` are the sentences that
        announce the change to all viewers of the table. By default they are derived from the difference between the old
        and the new record.
        """
        if record.is_ready:
            dealt = record.new_match().state
            record = self._with_clocks_and_bot_due_time(replace(record, status="running", started=now), dealt, now)
        return self.new_change(record, tells=tells)

    def new_change(
        self,
        record: TableRecord,
        move: StoredMove | None = None,
        said: ChatMessage | None = None,
        tells: tuple[TranslatableText, ...] | None = None,
    ) -> Change:
        """Return the change that replaces the current record with `record`, and adds 1 to the revision.

        The change also adds the move `move` and the chat message `said`, if given. `tells` are the sentences that
        announce the change to all viewers. By default they are derived from the difference between the two records.
        """
        if tells is None:
            tells = tuple(announce.announcements_between(self.record, record))
        return Change(replace(record, revision=self.record.revision + 1), move, said, tells)

    def _compute_step(self, match: Match, seat: int, action: int) -> Step:
        """Compute the result of an action, without applying it. Raise `Refusal` if the action is illegal or out of
        turn.
        """
        if is_game_action(action) and not match.over and 0 <= seat < match.seats and seat not in match.acting:
            raise Refusal(
                "not-your-turn", not_your_turn_message([self.record.seats[other].name for other in match.acting])
            )
        try:
            return match.compute_step(seat, action)
        except IllegalMove as wrong:
            raise Refusal("illegal", f"{capital(str(wrong)).removesuffix('.')}.") from None

    def _require_lobby(self) -> None:
        require(not self.closed, "closed", _(CLOSED))
        require(self.record.status == "lobby", "conflict", _("The match has already begun."))

    def require_host_in_lobby(self, person: int | None) -> None:
        """Raise `Refusal` if the deal has begun or this person is not the host."""
        self._require_lobby()
        is_host = person is not None and person == self.record.host
        require(is_host, "forbidden", _("Only the host of this table can do that."))

    def require_seat_of(self, person: int) -> int:
        """Return the seat of a person. Raise `Refusal` if the person has no seat."""
        index = self.seat_of(person)
        if index is None:
            raise Refusal("forbidden", _("You have no seat at this table."))
        return index

    def seat_at(self, index: int) -> Seat:
        """Return the seat at this index. Raise `Refusal` if the table has no such seat."""
        last = len(self.record.seats) - 1
        wrong = _("Seat {seat} does not exist: seats are numbered 0 to {last}.", seat=index, last=last)
        require(0 <= index <= last, "malformed", wrong)
        return self.record.seats[index]
