"""Messages about expired seat clocks and about tables that an operator closed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from facedown.core.grammar import PlayerPhrase
from facedown.core.match_actions import TAKE_BACK
from facedown.core.table import Table, TouchStep
from facedown.core.translation import SOURCE_LANGUAGE, LazyText, language
from facedown.play.i18n import N_, _
from facedown.play.records import StoredMove, TableRecord
from facedown.play.seat_clocks import AWAY_AFTER, TIMEOUT_TAG
from facedown.play.viewer_log import ViewerLog

#: Matches "You" at the start of an English log line, bold or not. There it is the subject of the sentence, and
#: `missed_turn_message` replaces it by "a bot". Elsewhere in a line the word need not be the subject.
_YOU = re.compile(r"^(\*\*)?You(\*\*)? ")

#: Message for all viewers of a table that an operator closed before its match was over.
CLOSED = N_("The operator of this server has closed this table. The match ends here, without a result.")


@dataclass(frozen=True)
class TimeoutMessage(LazyText):
    """Message that the clock of `seat` expired, worded for all viewers except the player at `seat`.

    For that player, the server replaces the message by a text with "you" (`server.connection.clock_text`).
    """

    seat: int = -1


def timeout_message(record: TableRecord, seat: int) -> TimeoutMessage:
    """Return the announcement that says that a seat's clock expired and what happens next.

    What happens next is one of these: a bot plays this move, a bot plays until the match ends, or the player counts as
    away. In all other cases, the announcement says only that the clock expired.
    """
    name, clock, bot = record.seats[seat].name, record.clocks[seat], record.seats[seat].standin_name
    if clock.lost:
        said = N_("{who:'Your} time ran out. {bot} will play until the match ends.")
    elif clock.ups >= AWAY_AFTER:
        said = N_(
            "{who:'Your} time ran out {count} times in a row. {name} is away, so the others can have a bot take over."
        )
    elif clock.bot:
        said = N_("{who:'Your} time ran out. A bot will play this move; {name} can play again next turn.")
    else:
        said = N_("{who:'Your} time ran out.")
    return TimeoutMessage(_, said, {"who": PlayerPhrase((name,)), "name": name, "bot": bot, "count": clock.ups}, seat)


def _timeout_step(record: TableRecord, seat: int) -> TouchStep:
    """Return the prompt that says that a seat's clock expired.

    The help text of the prompt says what happens next. It is empty if the timeout has no consequences.
    """
    name, clock = record.seats[seat].name, record.clocks[seat]
    head = _("{who:'Your} time ran out.", who=PlayerPhrase((name,)))
    if clock.ups >= AWAY_AFTER and not clock.lost:
        said = N_("{count} timeouts in a row: {name} is away, so the others can have a bot take over.")
        return TouchStep(head, _(said, count=clock.ups, name=name))
    return TouchStep(head, str(timeout_message(record, seat)).removeprefix(head).strip())


def blocked_reason_and_step(record: TableRecord, seat: int, over: bool) -> tuple[str, TouchStep]:
    """Return the reason why a seat may not act now, as (sentence for the player, prompt for the table).

    There are two reasons:

    * An operator closed the table before the match was over.
    * A bot plays for the seat, because the seat's clock or the player's time for reading the scores expired.

    If neither reason applies, both values are empty. They are also empty if the match is over (`over` is True).
    """
    if record.status == "finished" and not over:
        return _(CLOSED), TouchStep(_(CLOSED))
    clock = record.clocks[seat] if 0 <= seat < len(record.clocks) else None
    if clock is None or over or not (clock.bot or clock.lost):
        return "", TouchStep("")
    if clock.lost:
        bot = record.seats[seat].standin_name
        said = _("Your time ran out. {bot} will play for you until the match ends.", bot=bot)
        return said, TouchStep(_("Your time ran out."), _("{bot} will play for you until the match ends.", bot=bot))
    if clock.up:
        said = _("Your time ran out. A bot will play this move for you.")
        return said, TouchStep(_("Your time ran out."), _("A bot will play this move for you."))
    said = _("The match continues automatically.")
    return said, TouchStep(said)


def with_timeout_messages(
    table: Table, record: TableRecord, acting: Sequence[int], moves: Sequence[StoredMove], viewer_log: ViewerLog
) -> Table:
    """Return the viewer's table, with a message in its prompt if a clock has expired or the table was closed.

    While a bot plays for the viewer, the table offers no actions. `acting` are the seats that are to act. `moves` are
    all moves of the match so far.
    """
    if table.over or not (record.clocks or record.status == "finished"):
        return table
    viewer, step = table.viewer, table.step
    reason, instead = blocked_reason_and_step(record, viewer, over=False)
    if reason:
        return replace(table, step=instead)
    if step.choices:
        return table
    for seat in acting:
        if record.clocks[seat].up:
            return replace(table, step=_timeout_step(record, seat))
    back = missed_turn_message(record, viewer, moves, viewer_log)
    return replace(table, step=step._replace(help=back)) if back else table


def missed_turn_message(record: TableRecord, viewer: int, moves: Sequence[StoredMove], viewer_log: ViewerLog) -> str:
    """Return a message if a bot made the viewer's last move after a timeout, else an empty string.

    The message is also empty if a move was taken back since, because the bot's move may have been undone with it.
    """
    last = next((move for move in reversed(moves) if move.seat == viewer), None)
    if last is None or not last.token.startswith(TIMEOUT_TAG):
        return ""
    if record.clocks[viewer].ups >= AWAY_AFTER:
        return _("Your time ran out several times in a row. Until you move, the others can have a bot play for you.")
    if any(move.action == TAKE_BACK for move in moves[last.ply + 1 :]):
        return ""
    lines = viewer_log.lines_of(last.ply + 1)
    if lines and language() == SOURCE_LANGUAGE and (you := _YOU.match(lines[-1].text)):
        did = lines[-1].text[you.end() :].rstrip(".")
        return f"Your time ran out, so a bot {did}. You can play again next turn."
    if lines and language() != SOURCE_LANGUAGE:
        line = lines[-1].text
        return _("Your time ran out, so a bot played for you: {line} You can play again next turn.", line=line)
    return _("Your time ran out, so a bot played for you. You can play again next turn.")
