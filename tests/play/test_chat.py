"""Talk: what may be said, by whom, how often, and when a game is played in silence."""

from __future__ import annotations

import pytest

from facedown.core.game_registry import catalogue
from facedown.play import Refusal, Session, Settings, chat, new_table
from tests.play.table import ADA, BEN, LowBots, dealt, grant, lobby, play

WREN = 9


def say(session: Session, person: int, text: str, now: float, name: str = "") -> None:
    grant(session, session.say(chat.validate_message(session, person, text, now, name)))


def refused(session: Session, person: int, text: str, now: float, name: str = "") -> Refusal:
    with pytest.raises(Refusal) as caught:
        chat.validate_message(session, person, text, now, name)
    return caught.value


def test_what_is_said_stays_within_bounds() -> None:
    session = lobby()
    say(session, ADA, "  hello   there ", 1.0)
    assert (session.chat[-1].text, session.chat[-1].name, session.chat[-1].seat) == ("hello there", "Ada", 0)
    say(session, ADA, "x" * 300, 1.0)
    assert "300" in refused(session, ADA, "x" * 301, 1.0).reason
    assert "is empty" in refused(session, ADA, " \n ", 1.0).reason
    for number in range(150):
        say(session, ADA, str(number), 100.0 + 12 * number)
    assert len(session.chat) == 100


def test_five_a_minute() -> None:
    session = dealt("me open")
    for number in range(5):
        say(session, ADA, f"line {number}", 10.0 + number)
    tired = refused(session, ADA, "one more", 20.0)
    assert (tired.code, tired.reason) == ("too-fast", "A moment, please.")
    say(session, BEN, "mine do not count for you", 20.0)
    say(session, ADA, "a minute after the first", 70.0)
    refused(session, ADA, "but not two", 70.5)


def test_those_who_watch_talk_only_where_the_house_says_so() -> None:
    quiet = dealt("me open")
    assert "cannot chat" in refused(quiet, WREN, "who leads?", 1.0, "Wren").reason
    loud = dealt("me open", settings=Settings(watchers_talk=True))
    say(loud, WREN, "who leads?", 1.0, "Wren")
    assert (loud.chat[-1].name, loud.chat[-1].seat) == ("Wren", None)


def test_a_game_of_silence_rests_talk_until_it_is_over() -> None:
    assert [info.name for info in catalogue().values() if info.silent] == ["uncovered"]
    record = new_table("uncovered", ["me", "high"], LowBots(), 1.0, host=ADA, host_name="Ada")
    session = Session(record, now=1.0)
    say(session, ADA, "have fun", 2.0)
    grant(session, session.ready(ADA, True, 3.0))
    assert refused(session, ADA, "my second is a 3", 10.0).reason == (
        "Uncovered! is played in silence. You can chat after the match."
    )
    for phrase in chat.SILENT_GAME_PHRASES:
        say(session, ADA, phrase, 11.0)
    while not session.dealt_match.over:
        seat = session.dealt_match.acting[0]
        grant(session, session.move(seat, session.legal(seat)[-1], session.version(seat), now=20.0))
    say(session, ADA, "well, that was close", 100.0)


def test_the_phrases() -> None:
    assert len(chat.PHRASES) == len(set(chat.PHRASES)) == 8
    assert set(chat.SILENT_GAME_PHRASES) < set(chat.PHRASES)
    session = dealt("me open")
    play(session, 1)
    for number, phrase in enumerate(chat.PHRASES):
        say(session, ADA, phrase, 100.0 + 20 * number)
