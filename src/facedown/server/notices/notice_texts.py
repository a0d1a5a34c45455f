"""What notices say: the game, the persons and until when. Never a card, a number on one, a score or a move.

Everything is computed from the table's record (seats and clocks), which all players and spectators may know.
"""

from __future__ import annotations

import base64
import hashlib
from datetime import datetime, timedelta

from facedown.core import game_registry as registry
from facedown.core.translation import formatting_locale, isolate_right_to_left, join_names, language, use_language
from facedown.play.notice_times import time_zone
from facedown.server.i18n import _
from facedown.server.notices.push_message import NoticeText
from facedown.store.notices import Notice


def notice_text(notice: Notice, public_url: str, now: float) -> NoticeText:
    """Return what a notice shows to its person, in the person's language. `public_url` is the URL of this server."""
    subscription, record = notice.subscription, notice.record
    with use_language(subscription.language):
        game = registry.info(record.game).title
        table = f"{public_url}/t/{record.code}"
        if notice.kind == "seat":
            body = _("It’s kept for you for a short time.")
            url = f"{public_url}/open"
            return NoticeText(_("A seat is free in {game}", game=game), body, language(), url, f"seat-{record.code}")
        if notice.kind == "invite":
            name = isolate_right_to_left(notice.inviter)
            title = _("{name} invites you to {game}", name=name, game=game)
            return NoticeText(title, _("A seat is free for you."), language(), table, f"invite-{record.code}")
        until = until_text(notice.until, now, subscription.zone)
        others = [seat.name for index, seat in enumerate(record.seats) if index != notice.seat and seat.name]
        body = _("With {names}. You have until {time}.", names=join_names(others), time=until)
        title = _("It’s your turn in {game}", game=game)
        if notice.kind == "last":
            title = _("Your time is running out in {game}", game=game)
        return NoticeText(title, body, language(), table, f"turn-{record.code}")


def until_text(until: float, now: float, zone: str) -> str:
    """Return a Unix time as text, as a person in a time zone says it at the Unix time `now`.

    >>> hour = 3600.0
    >>> until_text(18 * hour, 9 * hour, "UTC"), until_text(33 * hour, 9 * hour, "UTC")
    ('18:00', '09:00 tomorrow')
    >>> until_text(57 * hour, 9 * hour, "UTC")
    '09:00 on Saturday'
    """
    from babel.dates import format_datetime

    then, today = (datetime.fromtimestamp(time, time_zone(zone)) for time in (until, now))
    time = format_datetime(then, "HH:mm", locale=formatting_locale())
    if then.date() == today.date():
        return time
    if then.date() == today.date() + timedelta(days=1):
        return _("{time} tomorrow", time=time)
    if then.date() < today.date() + timedelta(days=7):
        return _("{time} on {day}", time=time, day=format_datetime(then, "EEEE", locale=formatting_locale()))
    return _("{time} on {day}", time=time, day=format_datetime(then, "d MMMM", locale=formatting_locale()))


def topic_of(notice: Notice) -> str:
    """Return the topic of a notice: for push services, equal for the notices that replace each other.

    It is a hash, so that a push service does not learn the code of the table.
    """
    kind = "turn" if notice.kind == "last" else notice.kind
    mark = hashlib.sha256(f"{kind} {notice.record.code} {notice.subscription.auth}".encode()).digest()
    return base64.urlsafe_b64encode(mark[:24]).decode()
