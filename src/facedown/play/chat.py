"""Talk at a table: eight phrases, lines of one's own, and when either rests."""

from __future__ import annotations

from facedown.play.i18n import N_, _
from facedown.play.records import ChatMessage, need
from facedown.play.session import Session
from facedown.play.user_input import clean_chat, clean_name, unique_name

#: What one touch says. It is sent and kept as it stands here; each reader is shown it in their own language
#: (`translate_phrase`).
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
#: What may be said at a game that is played in silence, too.
SILENT_GAME_PHRASES = ("Hello", "One moment")
#: So many lines a minute may one person say.
MESSAGES_PER_MINUTE = 5
MINUTE = 60.0


def silence_reason(session: Session) -> str:
    """Why nobody talks now, in a sentence; empty where people may."""
    match = session.match
    if not session.game.info.silent or match is None or match.over:
        return ""
    # No sentence ends twice: the game's name may end in an exclamation mark.
    return _("{game} is played in silence. You may talk once the cards are open.", game=session.game.info.title)


def translate_phrase(text: str) -> str:
    """What somebody said, as a reader is shown it: a phrase in the language that is spoken, all else as it was typed.

    >>> translate_phrase("Hello"), translate_phrase("Hello, you two")
    ('Hello', 'Hello, you two')
    """
    return _(text) if text in PHRASES else text


def validate_message(session: Session, person: int, text: str, now: float, name: str = "") -> ChatMessage:
    """What a person says, made clean; `Refusal` while talk rests for them. Spectators give their name."""
    seat = session.seat_of(person)
    may_talk = seat is not None or session.record.settings.watchers_talk
    need(may_talk, "forbidden", _("Spectators cannot chat at this table."))
    there = [place.name for place in session.record.seats]
    # Whoever watches is not taken for somebody who plays.
    called = there[seat] if seat is not None else unique_name(clean_name(name), there)
    said = ChatMessage(called, clean_chat(text), now, seat)
    quiet = silence_reason(session)
    need(not quiet or said.text in SILENT_GAME_PHRASES, "forbidden", quiet)
    lately = [old for old in session.chat if (old.seat, old.name) == (seat, said.name) and 0 <= now - old.at < MINUTE]
    need(len(lately) < MESSAGES_PER_MINUTE, "too-fast", _("A moment, please."))
    return said
