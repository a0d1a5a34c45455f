"""Chat at a table: ready-made phrases and free text, with a rate limit. In some games players may not chat while they
play.
"""

from __future__ import annotations

from facedown.play.i18n import N_, _
from facedown.play.records import ChatMessage, require
from facedown.play.session import Session
from facedown.play.user_input import clean_chat, clean_name, unique_name

#: Ready-made phrases, sent with one tap. They are sent and stored in English; `translate_if_ready_made_phrase`
#: translates them for each reader.
PHRASES = (
    N_("Hello"),
    N_("Well played"),
    N_("Thank you"),
    N_("One moment"),
    N_("Oh no"),
    N_("That was close"),
    N_("Have fun"),
    N_("Again?"),
)
#: The phrases that may be sent even during a game that is played in silence.
SILENT_GAME_PHRASES = ("Hello", "One moment")
#: Maximum number of chat messages per person and minute.
MESSAGES_PER_MINUTE = 5
MINUTE = 60.0


def silence_reason(session: Session) -> str:
    """Return why players may not chat freely at this table now; an empty string if chat is open.

    Chat is closed while a match of a game that is played in silence is running.
    """
    match = session.match
    if not session.game.info.silent or match is None or match.over:
        return ""
    # The title of the game may end in an exclamation mark, so it must not be the end of the sentence.
    return _("{game} is played in silence. You can chat after the match.", game=session.game.info.title)


def translate_if_ready_made_phrase(text: str) -> str:
    """Return a chat message for a reader: a ready-made phrase in the active language, any other text unchanged.

    >>> translate_if_ready_made_phrase("Hello"), translate_if_ready_made_phrase("Hello, you two")
    ('Hello', 'Hello, you two')
    """
    return _(text) if text in PHRASES else text


def validate_message(session: Session, person: int, text: str, now: float, name: str = "") -> ChatMessage:
    """Check and clean a chat message of the person with the id `person`, and return it. Raise `Refusal` if they may not
    send it now.

    `name` is the name of a spectator; for a player the name of the seat is used. `now` is the Unix time.
    """
    seat = session.seat_of(person)
    may_talk = seat is not None or session.record.settings.watchers_talk
    require(may_talk, "forbidden", _("Spectators can’t chat at this table."))
    there = [place.name for place in session.record.seats]
    # If a player has the same name as the spectator, a number is appended to the spectator's name.
    called = there[seat] if seat is not None else unique_name(clean_name(name), there)
    said = ChatMessage(called, clean_chat(text), now, seat)
    quiet = silence_reason(session)
    require(not quiet or said.text in SILENT_GAME_PHRASES, "forbidden", quiet)
    lately = [old for old in session.chat if (old.seat, old.name) == (seat, said.name) and 0 <= now - old.at < MINUTE]
    require(len(lately) < MESSAGES_PER_MINUTE, "too-fast", _("Just a moment, please."))
    return said
