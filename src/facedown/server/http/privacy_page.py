"""The privacy page: which personal data are stored, for how long, and who sees them.

Every column of the database belongs to one entry of `STORED_DATA`.
"""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from facedown.server import rendering
from facedown.server.http.cookie_check import COOKIE as CHECKED
from facedown.server.http.open_tables import SEEKING_COOKIE
from facedown.server.http.visitors import COOKIE, COOKIE_AGE, Visitor, page_shell_data_of, rooms_of
from facedown.server.i18n import N_, _, n_
from facedown.server.process.server_settings import ServerSettings
from facedown.store import invitations
from facedown.store.retention import DAY, REPORT_DAYS

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class StoredData:
    """One kind of stored data: its database columns, and the text about it on the page."""

    title: str
    columns: str
    """Database columns that hold these data, as ``table.column``, separated by spaces."""
    says: str
    days: str | int = ""
    """Number of days after which these data are deleted, or the name of the setting with it (0: never). Empty if the
    data are deleted together with the table or person that they belong to.
    """


#: All kinds of data in the database, in the order of the page.
STORED_DATA: tuple[StoredData, ...] = (
    StoredData(
        N_("You"),
        "people.id people.name people.token_hash people.created people.seen",
        N_(
            "The name you chose, the time of your first visit and the day of your last one. No address, no email, "
            "no password. Your browser holds a random key; only a hash of it is stored here, and the key can’t be "
            "recovered from the hash."
        ),
        "keep_people_days",
    ),
    StoredData(
        N_("Tables and matches"),
        "matches.id matches.code matches.game matches.rules_version matches.options matches.settings matches.host"
        " matches.status matches.created matches.started matches.finished matches.successor matches.revision"
        " matches.clocks matches.zero matches.due matches.commitment matches.agreements matches.listed"
        " matches.listed_until matches.noticed outcomes.match_id outcomes.winners",
        N_(
            "The code, the game and its house rules, who opened the table and when, when the match started and "
            "finished, the state of the clocks, who asked to take a move back or to end the match, who agreed, who "
            "resigned, who won, the code of the rematch table, and whether the host lists the table for everyone."
        ),
        "keep_finished_days",
    ),
    StoredData(
        N_("The seed"),
        "matches.seed",
        N_(
            "This number determines every card that is dealt. It stays secret until the match ends. It has to be in "
            "the database, so anyone who runs this server or can read its database could work out every hidden card."
        ),
    ),
    StoredData(
        N_("Seats"),
        "seats.match_id seats.seat seats.kind seats.name seats.person seats.level seats.ready seats.key_hash"
        " seats.standin seats.standin_name seats.left_table seats.since seats.bot_name seats.next_person"
        " seats.next_name",
        N_(
            "Who sat where and under which name, which bots played or stood in for someone, who took a bot’s seat "
            "over and when, who was ready or had left, and a hash of each program’s token."
        ),
    ),
    StoredData(
        N_("Removed players"),
        "matches.removed",
        N_(
            "The names and IDs of people whose seats the host gave to someone else. They can’t come back unless the "
            "host lets them in."
        ),
    ),
    StoredData(
        N_("Moves"),
        "moves.match_id moves.ply moves.seat moves.action moves.at moves.token",
        N_("Every move and when it was made, and a token to make sure that a move sent twice counts only once."),
    ),
    StoredData(
        N_("Chat"),
        "chat.id chat.match_id chat.seat chat.name chat.text chat.at",
        N_("What people wrote at a table, under which name and when."),
    ),
    StoredData(
        N_("Spectators"),
        "watchers.match_id watchers.person",
        N_("The tables you have watched."),
    ),
    StoredData(
        N_("Searches for a seat"),
        "seekers.person seekers.kind seekers.games seekers.pace seekers.origin seekers.since seekers.until"
        " seekers.offer seekers.offer_until seekers.misses",
        N_(
            "If you look for a seat: the games and the pace you chose, since when, which seat is kept for you, and a "
            "keyed hash of your network address. This is deleted when the search ends."
        ),
    ),
    StoredData(
        N_("Blocks"),
        "blocks.person blocks.blocked blocks.name blocks.created",
        N_(
            "The people you’ve blocked, under which name and when, until you unblock them on [your page](/you). The "
            "others at a table don’t see this."
        ),
    ),
    StoredData(
        N_("Invitations"),
        "invitations.match_id invitations.person invitations.inviter invitations.name invitations.created",
        N_(
            "Who invited you to which table and when, and whom you invited. You can invite only people you’ve played "
            "with. They don’t see your other tables."
        ),
        round(invitations.LIFETIME / DAY),
    ),
    StoredData(
        N_("Muted invitations"),
        "invite_mutes.person invite_mutes.muted invite_mutes.name invite_mutes.created",
        N_(
            "The people whose invitations you’ve muted, under which name and when, until you unmute them on"
            " [your page](/you). They don’t see this."
        ),
    ),
    StoredData(
        N_("Notices"),
        "push_subscriptions.id push_subscriptions.person push_subscriptions.endpoint push_subscriptions.p256dh"
        " push_subscriptions.auth push_subscriptions.language push_subscriptions.zone push_subscriptions.created"
        " push_subscriptions.failures notices.id notices.subscription notices.match_id notices.kind notices.turn"
        " notices.due notices.until notices.owner notices.lease notices.tries",
        N_(
            "If you want notices: the address at your browser’s push service to which they are sent, the keys with"
            " which they are encrypted, your language and time zone, and for each table the notice that is due or was"
            " sent last. Your browser’s maker runs the push service. It sees when you get a notice, but can’t read it."
            " The address is deleted when you turn notices off. Your browser itself remembers your answer to the"
            " question about notices (local storage, `facedown-notices`)."
        ),
    ),
    StoredData(
        N_("Other browsers"),
        "device_tokens.token_hash device_tokens.person device_tokens.created device_links.token_hash"
        " device_links.person device_links.until",
        N_(
            "If you play in more than one browser: a hash of the key of each, and since when. A link that adds a"
            " browser is stored as a hash, too, and deleted within a day."
        ),
    ),
    StoredData(
        N_("Reports"),
        "reports.id reports.reporter reports.person reports.name reports.kind reports.text reports.said"
        " reports.origin reports.created",
        N_(
            "If a player’s name or words are reported: who reported whom and when, what they wrote about it, up to "
            "five of the player’s last messages at the table, and a keyed hash of the reporter’s network address. "
            "Only the operator of this server sees this."
        ),
        REPORT_DAYS,
    ),
    StoredData(
        N_("Reviews"),
        "reviews.match_id reviews.seat reviews.found reviews.made jobs.id jobs.kind jobs.match_id jobs.seat"
        " jobs.created jobs.owner jobs.until jobs.tries",
        N_("The coach’s figures for the moves of finished matches, and the list of matches waiting for a review."),
    ),
    StoredData(
        N_("Computing time"),
        "matches.origin jobs.origin",
        N_(
            "A keyed hash of the network address from which a table was opened, so that nobody can use up all of "
            "the computing time. The address itself is not stored with the hash."
        ),
    ),
    StoredData(
        N_("Bans"),
        "bans.id bans.kind bans.value bans.reason bans.created bans.until",
        N_(
            "Whoever runs this server can ban someone by their ID or network address. That ID or address is then "
            "stored with the reason until the ban ends."
        ),
    ),
    StoredData(
        N_("The server itself"),
        "processes.id processes.name processes.bus processes.started processes.seen keys.name keys.value pulse.id"
        " pulse.at matches.driver",
        N_(
            "Which server processes are running and when they last reported, which process is in charge of each "
            "table, a random key used to hash network addresses, and the keys that sign notices."
        ),
    ),
)


@router.get("/privacy")
async def privacy(request: Request, person: Visitor) -> Response:
    """Return the privacy page, which lists the personal data that the server stores."""
    guide = rendering.guide_html(privacy_markdown(rooms_of(request).settings))
    return HTMLResponse(
        rendering.guide_page(page_shell_data_of(request, person), game="", title=_("Privacy"), guide=guide)
    )


def _retention_text(kept: StoredData, settings: ServerSettings) -> str:
    if not kept.days:
        return ""
    days: int = getattr(settings, kept.days) if isinstance(kept.days, str) else kept.days
    if not days:
        return _("This is stored until someone deletes it.")
    return n_("This is stored for one day.", "This is stored for {count} days.", days)


def privacy_markdown(settings: ServerSettings) -> str:
    """Return the text of the privacy page as Markdown, in the current language.

    It states how long data are stored according to this server's settings.
    """
    intro = _(
        "You play here without an account. This page lists everything that is stored about you. On [your page](/you)"
        " you can download a copy, or delete your data."
    )
    kept = [
        " ".join(filter(None, (f"**{_(one.title)}.** {_(one.says)}", _retention_text(one, settings))))
        for one in STORED_DATA
    ]
    lists = {_("What is stored"): kept, **_sections_beyond_stored_data()}
    parts = [f"## {title}\n\n" + "".join(f"* {text}\n" for text in texts) for title, texts in lists.items()]
    return "\n".join(["# " + _("Privacy") + "\n", intro + "\n", *parts])


def _sections_beyond_stored_data() -> dict[str, list[str]]:
    days = COOKIE_AGE // DAY
    others = [
        _(
            "Others at your table see your name, the public part of your moves, what you write, and whether you’re "
            "there. They never see a hidden card before the game reveals it."
        ),
        _(
            "Where spectators are welcome, anyone with the code sees what everyone at the table sees and, after the "
            "match, everything: every card, every move and the coach’s review. These pages ask search engines not "
            "to list them."
        ),
        _(
            "A table without spectators stays private to its players: nobody else ever sees its page, replay,"
            " pictures or file."
        ),
        _("Anyone who can see a match may save its file, a picture or a copy of the page. That can’t be undone."),
    ]
    cookies = [
        _(
            "`{name}`: your key. It is kept for {days} days after you last took a seat, watched or played. Scripts "
            "can’t read it.",
            name=COOKIE,
            days=days,
        ),
        _(
            "`{name}`: set for an hour when you send your first form, to check whether your browser accepts cookies.",
            name=CHECKED,
        ),
        _("`{name}`: set while you’re looking for a seat, so that every page can show it.", name=SEEKING_COOKIE),
        _("`facedown-language`, `facedown-theme` and similar: your choices, and how far you’ve got in the lessons."),
        _(
            "Your browser also stores your sound and speed settings, and the guides for reading offline. These stay"
            " on your device."
        ),
        _("None of this is used to track you, so there’s nothing to agree to."),
    ]
    outside = [
        _(
            "Your network address is kept in memory for a few minutes, so that nobody can overload the server. The "
            "log records errors. Whoever runs this server, or a server in front of it, may also log requests with "
            "the addresses they came from."
        ),
        _(
            "A table’s code is part of its page’s address, so it appears in server logs and in your browser’s "
            "history. Keys don’t appear there."
        ),
        _("Nothing is loaded from other sites, and nothing is passed on: no analytics, no ads."),
        _(
            "Backups of the database contain everything it held on the day they were made. They are kept until "
            "whoever runs this server deletes them."
        ),
    ]
    return {_("What others see"): others, _("Cookies"): cookies, _("Addresses, logs and backups"): outside}
