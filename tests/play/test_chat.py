"""Chat: length and rate of messages, spectators, and games played in silence."""

from __future__ import annotations

import pytest

from facedown.core.game_registry import catalogue
from facedown.play import Refusal, Session, Settings, chat, new_table
from tests.play.table import ADA, BEN, LowBots, dealt, grant, lobby, play_moves

WREN = 9


def send(session: Session, person: int, text: str, now: float, name: str = "") -> None:
    grant(session, session.say(chat.validate_message(session, person, text, now, name)))


def refusal_of(session: Session, person: int, text: str, now: float, name: str = "") -> Refusal:
    with pytest.raises(Refusal) as caught:
        chat.validate_message(session, person, text, now, name)
    return caught.value


def test_chat_messages_are_trimmed_and_limited_in_length_and_only_the_last_100_kept() -> None:
    session = lobby()
    send(session, ADA, "  hello   there ", 1.0)
    assert (session.chat[-1].text, session.chat[-1].name, session.chat[-1].seat) == ("hello there", "Ada", 0)
    send(session, ADA, "x" * 300, 1.0)
    assert "300" in refusal_of(session, ADA, "x" * 301, 1.0).reason
    assert "is empty" in refusal_of(session, ADA, " \n ", 1.0).reason
    for number in range(150):
        send(session, ADA, str(number), 100.0 + 12 * number)
    assert len(session.chat) == 100


def test_each_person_may_send_five_chat_messages_a_minute() -> None:
    session = dealt("me open")
    for number in range(5):
        send(session, ADA, f"line {number}", 10.0 + number)
    tired = refusal_of(session, ADA, "one more", 20.0)
    assert (tired.code, tired.reason) == ("too-fast", "Just a moment, please.")
    send(session, BEN, "mine do not count for you", 20.0)
    send(session, ADA, "a minute after the first", 70.0)
    refusal_of(session, ADA, "but not two", 70.5)


def test_spectators_may_chat_only_if_the_table_settings_allow_it() -> None:
    quiet = dealt("me open")
    assert "can’t chat" in refusal_of(quiet, WREN, "who leads?", 1.0, "Wren").reason
    loud = dealt("me open", settings=Settings(watchers_talk=True))
    send(loud, WREN, "who leads?", 1.0, "Wren")
    assert (loud.chat[-1].name, loud.chat[-1].seat) == ("Wren", None)


def test_a_silent_game_allows_only_preset_phrases_until_it_is_over() -> None:
    assert [info.name for info in catalogue().values() if info.silent] == ["uncovered"]
    record = new_table("uncovered", ["me", "high"], LowBots(), 1.0, host=ADA, host_name="Ada")
    session = Session(record, now=1.0)
    send(session, ADA, "have fun", 2.0)
    grant(session, session.ready(ADA, True, 3.0))
    assert refusal_of(session, ADA, "my second is a 3", 10.0).reason == (
        "Uncovered! is played in silence. You can chat after the match."
    )
    for phrase in chat.SILENT_GAME_PHRASES:
        send(session, ADA, phrase, 11.0)
    while not session.dealt_match.over:
        seat = session.dealt_match.acting[0]
        grant(session, session.move(seat, session.legal(seat)[-1], session.version(seat), now=20.0))
    send(session, ADA, "well, that was close", 100.0)


def test_preset_chat_phrases_are_distinct_and_accepted() -> None:
    assert len(chat.PHRASES) == len(set(chat.PHRASES)) == 8
    assert set(chat.SILENT_GAME_PHRASES) < set(chat.PHRASES)
    session = dealt("me open")
    play_moves(session, 1)
    for number, phrase in enumerate(chat.PHRASES):
        send(session, ADA, phrase, 100.0 + 20 * number)
