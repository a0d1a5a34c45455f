"""Presenter: converts a session, as one viewer sees it, to the data classes that `facedown.server.rendering` shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from weakref import WeakKeyDictionary

from facedown.core import game_registry as registry
from facedown.core.grammar import capital, in_words
from facedown.core.match import Match
from facedown.core.seeds import commitment_of
from facedown.core.state import SPECTATOR
from facedown.core.table import Sitter
from facedown.core.translation import language
from facedown.play import Bots, Refusal, Session, TableRecord, chat, default_level, offered_levels
from facedown.play import lobby_host_actions as lobbies
from facedown.play.bot_interface import level_name_and_description
from facedown.play.i18n import join_with_and
from facedown.play.presence import GRACE, RELOAD_TIME, SHOWN_AWAY_AFTER
from facedown.play.records import has_delayed_view
from facedown.server import rendering
from facedown.server.connection import clock_text
from facedown.server.connection.table_menu import listed_for_host, proposal_panel, table_menu, takeover_of
from facedown.server.i18n import N_, _, c_, n_
from facedown.server.rendering.replay import Replay
from facedown.server.rendering.template_helpers import text_for_unit
from facedown.server.table.absence_announcements import ANNOUNCED_SECONDS_LEFT
from facedown.server.table.bot_turns import bot_compile_progress_by_seat
from facedown.server.table.room import Room


def absent_seat_statuses(session: Session, viewer: int, now: float) -> dict[int, rendering.SeatStatus]:
    """Return the status of each seat whose player is away or replaced by a stand-in bot, as {seat: status}.

    The viewer's own seat is left out. `now` is Unix time in seconds.

    For spectators who see the match later than the players, the result depends neither on when exactly the page is made
    nor on the requests of programs, because a move made now may be the reason for either.
    """
    found = {}
    delayed = has_delayed_view(session.record, viewer)
    for seat, place in enumerate(session.record.seats):
        if place.kind != "person" or seat == viewer or (delayed and place.key_hash and not place.left):
            continue
        if place.standin:
            found[seat] = rendering.SeatStatus("bot", by=place.standin_name)
            continue
        left = session.seconds_until_stand_in(seat, now)
        if left is not None and (left <= 0 or session.presence.away_for(seat, now) >= RELOAD_TIME):
            if delayed and left > 0:
                soon = ANNOUNCED_SECONDS_LEFT[0]
                left = soon if left <= soon else GRACE - RELOAD_TIME
            found[seat] = rendering.SeatStatus("away", left=int(left + 0.5), grace=GRACE)
    return found


def chat_panel(session: Session, viewer: int, watching: Sequence[str]) -> rendering.ChatPanel:
    """Return the data of the chat on a viewer's page, except the messages.

    The data are the ready-made phrases, whether the viewer may write, and who else can read the chat.

    * `viewer`: a seat, or `SPECTATOR`.
    * `watching`: the names of the spectators.
    """
    people = [seat for seat, place in enumerate(session.record.seats) if place.kind == "person" and seat != viewer]
    return rendering.ChatPanel(
        heard=bool(people or session.chat or len(watching) > (viewer == SPECTATOR)),
        phrases=chat.PHRASES,
        quiet=chat.SILENT_GAME_PHRASES,
        rests=chat.silence_reason(session),
        may=viewer != SPECTATOR or session.record.settings.watchers_talk,
        people=tuple((seat, session.record.seats[seat].name) for seat in people),
        watching=tuple(watching),
        code=session.code,
    )


def fairness_verdict_text(session: Session) -> str:
    """Return a sentence that says whether the seed of a finished match matches the hash published before the deal."""
    if commitment_of(session.record.seed) == session.record.commitment:
        return _("The deal was fair: the seed matches the hash published before the first hand.")
    return _("The seed does not match the hash published before the first hand.")


#: Texts for the length of a match. Each key is a game's word for its rounds (`Info.unit`).
_LASTED = {
    "round": N_("{many} rounds, {time}."),
    "hand": N_("{many} hands, {time}."),
    "game": N_("{many} games, {time}."),
}
_SHEETS: WeakKeyDictionary[Match, tuple[tuple[rendering.SeatRoundScores, ...], int]] = WeakKeyDictionary()


def score_sheet_and_round_count(session: Session) -> tuple[tuple[rendering.SeatRoundScores, ...], int]:
    """Return each seat's scores by round in a finished match, and the number of rounds. The result is cached."""
    match = session.dealt_match
    if match not in _SHEETS:
        replay = Replay(match, [Sitter(seat.name) for seat in session.record.seats], SPECTATOR)
        _SHEETS[match] = replay.round_scores, replay.round_count
    return _SHEETS[match]


def match_length_text(session: Session) -> str:
    """Return the line that a page shows below the result of a match: number of rounds, and duration."""
    minutes = max(1, round((session.record.finished - session.record.started) / 60))
    hours = round(minutes / 60)
    if minutes < 120:
        took = n_("{count} minute", "{count} minutes", minutes)
    elif hours < 48:
        took = n_("{count} hour", "{count} hours", hours)
    else:
        took = n_("{count} day", "{count} days", round(hours / 24))
    _rows, played = score_sheet_and_round_count(session)
    if played == 1:
        return f"{took}."
    return _(text_for_unit(session.game.info.unit, _LASTED), many=capital(in_words(played)), time=took)


def lobby(
    session: Session,
    viewer: int | None,
    person: int | None,
    link: str,
    bots: Bots,
    now: float,
    watching: Sequence[str] = (),
) -> rendering.Lobby:
    """Return the lobby, a table before the deal, as a viewer sees it.

    * `viewer`: the viewer's seat, None if the viewer has none.
    * `person`: the viewer's person id.
    * `link`: the URL for invitations.
    * `watching`: the spectators' names.
    """
    record = session.record
    labels = bot_level_labels(bots)
    hosts = person is not None and person == record.host
    fewer = len(record.seats) - 1
    places = tuple(
        rendering.LobbySeat(
            index,
            seat.name,
            you=index == viewer,
            bot=seat.kind == "bot",
            level=labels.get(seat.level, seat.level),
            ready=seat.ready,
            away=seat.kind == "person"
            and index != viewer
            and session.presence.away_for(index, now) >= SHOWN_AWAY_AFTER,
            free=lobbies.may_open_absent_seat(session, index, now),
            host=seat.kind == "person" and seat.person == record.host,
            program=bool(seat.key_hash),
        )
        for index, seat in enumerate(record.seats)
    )
    return rendering.Lobby(
        game=record.game,
        title=session.game.info.title,
        code=record.code,
        link=link,
        places=places,
        viewer=-1 if viewer is None else viewer,
        host=hosts,
        levels=tuple((level.key, *level_name_and_description(level)) for level in offered_levels(bots)),
        usual=default_level(bots) if bots.levels else "",
        closes=_close_seat_text(session, fewer) if hosts and fewer >= session.game.info.seats[0] else "",
        adds=hosts and len(record.seats) < session.game.info.seats[1],
        removed=tuple(dict.fromkeys(name for _person, name in record.removed)) if hosts else (),
        listed=record.listed,
        may_list=hosts,
        rules=house_rules(record),
        chat=tuple(session.chat),
        talk=chat_panel(session, SPECTATOR if viewer is None else viewer, watching),
    )


def bot_level_labels(bots: Bots) -> dict[str, str]:
    """Return the displayed name of each bot level, in the current language, as {level key: name}.

    The key is the name by which forms, messages and settings refer to a level ("greedy").
    """
    return {level.key: level_name_and_description(level)[0] for level in bots.levels}


def _close_seat_text(session: Session, seats: int) -> str:
    """Return a text for the host about closing a seat: the number of players left, and the options that would change.

    `seats` is the number of seats left. The text is empty if the game cannot be played with that number.
    """
    try:
        options = lobbies.options_for_seat_count(session, seats)
    except Refusal:
        return ""
    asked = registry.info(session.record.game).options.visible_options(session.record.options)
    changed = [
        f"{one.label}: {one.describe_value(options[one.name])}"
        for one in asked
        if _option_would_change(session, options, one.name)
    ]
    return capital(". ".join([_("{many} players", many=in_words(seats)), *changed])) + "."


def _option_would_change(session: Session, options: Mapping[str, str], name: str) -> bool:
    return options[name] != session.record.options[name]


def house_rules(record: TableRecord) -> tuple[tuple[str, str], ...]:
    """Return the settings of a table, and its game options that differ from their defaults, as (title, text) pairs.

    All games have the same settings, such as the clock and the memory aid. Game options are the rule variants of one
    game. The texts are in the current language.
    """
    watchers = _("welcome to watch and chat") if record.settings.watchers_talk else _("welcome")
    rules = [
        *clock_text.time_rules(record.settings),
        (_("Memory aid"), c_("the memory aid", "on") if record.settings.memory else c_("the memory aid", "off")),
        (_("Spectators"), watchers if record.settings.spectators else _("not allowed")),
        (_("Hints"), _("on request") if record.settings.hints else c_("hints", "off")),
    ]
    if record.settings.spectators and (delay := record.settings.spectator_delay):
        rules.insert(-1, (_("Spectators’ delay"), clock_text.spectator_delay_text(delay)))
    if (kept := record.settings.take_backs) != "slow":
        words = c_("taking moves back", "always") if kept == "always" else c_("taking moves back", "never")
        rules.append((_("Taking moves back"), words))
    if record.settings.free_away and record.status == "lobby":
        rules.append((_("Away"), _("the seat opens up after three minutes")))
    for option in registry.info(record.game).options.visible_options(record.options):
        text = record.options[option.name]
        if text != option.normalize(option.default_text):
            rules.append((option.label, option.describe_value(text)))
    return tuple(rules)


def bots_and_memory_aid_text(record: TableRecord, bots: Bots | None) -> str:
    """Return a line with the levels of a table's bots, and whether the memory aid (seen cards stay shown) is on."""
    labels = {} if bots is None else bot_level_labels(bots)
    seated = [
        (seat.name, rendering.mid_sentence_label(labels.get(seat.level, seat.level)))
        for seat in record.seats
        if seat.kind == "bot" and seat.level
    ]
    levels = list(dict.fromkeys(level for _name, level in seated))
    if len(levels) == 1:
        said = [n_("{level} bot", "{level} bots", len(seated), level=levels[0])]
    else:
        said = [_("{bot}: {level}", bot=name, level=level) for name, level in seated]
    if record.settings.memory:
        said.append(_("memory aid on"))
    return capital(" · ".join(said))


def table_page_context(
    session: Session,
    viewer: int,
    now: float,
    watching: Sequence[str] = (),
    bots: Bots | None = None,
    coming: int | None = None,
) -> rendering.TableContext:
    """Return what a viewer's page shows besides the table: absent players, clocks, chat, and the levels of the bots.

    After the match, the page also shows:

    * the length of the match, and the scores by round
    * the settings of the table, and the game options that differ from their defaults
    * whether the deal was fair: whether its seed matches the hash that was published before the deal
    * links to the replay and to the match file

    The arguments are:

    * `viewer`: a seat, or `SPECTATOR`.
    * `now`: Unix time in seconds.
    * `watching`: the names of the spectators.
    * `bots`: the bot levels with their names. If None, the keys of the levels (such as "greedy") are shown.
    * `coming`: the seat that this spectator will take over, if any.
    """
    says, label = takeover_of(session, viewer, coming)
    beside = rendering.TableContext(
        code=session.code,
        presence=absent_seat_statuses(session, viewer, now),
        clocks=clock_text.seat_clocks(session, viewer, now),
        clock_note=clock_text.clock_note(session, viewer),
        chat=tuple(session.chat),
        talk=chat_panel(session, viewer, watching),
        hints=session.record.settings.hints and viewer != SPECTATOR,
        house=bots_and_memory_aid_text(session.record, bots),
        unit=session.game.info.unit,
        menu=table_menu(session, viewer),
        proposal=proposal_panel(session, viewer),
        listed=listed_for_host(session, viewer),
        takeover=says,
        takeover_request={"type": "takeover", "take": coming is None} if label else None,
        takeover_label=label,
    )
    if not session.dealt_match.over:
        return beside
    return beside._replace(
        fairness=fairness_verdict_text(session),
        replay_url=f"/m/{session.code}",
        record_url=f"/m/{session.code}.facedown",
        summary=match_length_text(session),
        sheet=score_sheet_and_round_count(session)[0],
        rules=house_rules(session.record),
    )


def page(
    room: Room,
    viewer: int,
    coach: rendering.CoachPanel | None = None,
    again: rendering.RematchPanel | None = None,
    *,
    person: int | None = None,
) -> rendering.TablePage:
    """Return the page of a match as a viewer sees it now, shared by all connections with this viewer and language.

    `coach` and `again` are the panels of a finished match: the coach's review and the rematch. A spectator who will
    take over a bot's seat, given by the id `person`, gets a page of their own. If nothing has changed, the same object
    as before is returned, with its rendered HTML.
    """
    services, session = room.services, room.session_seen_by(viewer)
    coming = None if person is None else session.record.coming_persons.get(person)
    reader = viewer, language(), coming
    with services.metrics.drawing.time():
        table = session.table(viewer)
        watching = room.spectator_names_seen_by(viewer)
        now = room.time_for_page_clocks()
        beside = table_page_context(session, viewer, now, watching, services.settings.bots, coming)
        waiting = {
            seat: rendering.SeatStatus("preparing", steps=steps)
            for seat, steps in bot_compile_progress_by_seat(room).items()
        }
        beside = beside._replace(presence={**beside.presence, **waiting}, coach=coach, again=again)
        found: rendering.TablePage | None = room.pages.get(reader)
        if found is not None and session is not room.session and found.table == table:
            # A spectator with a delay gets no message at all if a move changed nothing for spectators.
            table = found.table
        if found is None or found.table is not table or found.context != beside:
            found = room.pages[reader] = rendering.TablePage(table, beside)
    return found


def others_turn_announcement(session: Session, viewer: int) -> list[str]:
    """Return the announcement of whose turn it is, as a list of at most one text.

    The list is empty if no match is running. It is also empty if it is the viewer's own turn, because the viewer's page
    says so already.
    """
    match = session.match
    if match is None or match.over or viewer in match.acting:
        return []
    names = [session.record.seats[seat].name for seat in match.acting]
    if len(names) > 1:
        return [_("{names} are choosing.", names=join_with_and(names))]
    return [_("{name} is choosing.", name=name) for name in names]
