"""The privacy page: which personal data are stored, for how long, and who sees them.

Every column of the database belongs to one entry of `STORED_DATA`.
"""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from facedown.server import rendering
from facedown.server.http.cookie_check import COOKIE as CHECKED
from facedown.server.http.visitors import COOKIE, COOKIE_AGE, Visitor, rooms_of, shell_of
from facedown.server.i18n import N_, _, n_
from facedown.server.process.settings import ServerSettings
from facedown.store.retention import DAY

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class StoredData:
    """One kind of stored data: its database columns, and the text about it on the page."""

    title: str
    columns: str
    """Database columns of this kind, as ``table.column``, separated by blanks."""
    says: str
    days: str = ""
    """Setting with the days that it is kept (0: until deleted). Empty if it is deleted with the row that it belongs to.
    """


#: All kinds of data in the database, in the order of the page.
STORED_DATA: tuple[StoredData, ...] = (
    StoredData(
        N_("You"),
        "people.id people.name people.token_hash people.created people.seen",
        N_(
            "The name you chose, when you first came and the day you were last here. No address, no mail, no password."
            " Your browser holds a random key; here only a hash of it is kept, from which nobody gets the key."
        ),
        "keep_people_days",
    ),
    StoredData(
        N_("Tables and matches"),
        "matches.id matches.code matches.game matches.rules_version matches.options matches.settings matches.host"
        " matches.status matches.created matches.started matches.finished matches.successor matches.revision"
        " matches.clocks matches.zero matches.due matches.commitment",
        N_(
            "The code, the game and its house rules, who opened the table, when it was opened, begun and finished, how"
            " the clocks stand, and where the same people played on."
        ),
        "keep_finished_days",
    ),
    StoredData(
        N_("The deal"),
        "matches.seed",
        N_(
            "The seed from which all cards are dealt. It is secret until the match ends. It has to be in the database:"
            " so whoever runs this server, or reads its database, could know every hidden card."
        ),
    ),
    StoredData(
        N_("Seats"),
        "seats.match_id seats.seat seats.kind seats.name seats.person seats.level seats.ready seats.key_hash"
        " seats.standin seats.standin_name seats.left_table",
        N_(
            "Who sat where under which name, which bots played or stood in, whether somebody was ready or has left, and"
            " a hash of the token of a program that plays."
        ),
    ),
    StoredData(
        N_("Who was removed"),
        "matches.removed",
        N_("The names and numbers of people whose seat a host gave to somebody else: they are not let in again."),
    ),
    StoredData(
        N_("Moves"),
        "moves.match_id moves.ply moves.seat moves.action moves.at moves.token",
        N_("Every move with its time, and the mark by which a move that is sent twice counts once."),
    ),
    StoredData(
        N_("What was said"),
        "chat.id chat.match_id chat.seat chat.name chat.text chat.at",
        N_("What people said at a table, under which name and when."),
    ),
    StoredData(
        N_("Who watches"),
        "watchers.match_id watchers.person",
        N_("At which tables you sat down to watch."),
    ),
    StoredData(
        N_("What the coach found"),
        "reviews.match_id reviews.seat reviews.found reviews.made jobs.id jobs.kind jobs.match_id jobs.seat"
        " jobs.created jobs.owner jobs.until jobs.tries",
        N_("Figures about the moves of finished matches, and the list of matches that wait to be looked at."),
    ),
    StoredData(
        N_("Fair shares"),
        "matches.origin jobs.origin",
        N_(
            "A keyed hash of the address from which a table was opened, or nothing: so nobody can take all the bots’"
            " time. The address itself is not kept with it."
        ),
    ),
    StoredData(
        N_("Who may not come in"),
        "bans.id bans.kind bans.value bans.reason bans.created bans.until",
        N_(
            "Whoever runs this server may shut somebody out: by their number here, or by a network address. Then that"
            " number or address is kept with the reason, until the ban ends."
        ),
    ),
    StoredData(
        N_("The server itself"),
        "processes.id processes.name processes.bus processes.started processes.seen keys.name keys.value pulse.id"
        " pulse.at matches.driver",
        N_(
            "Which server processes run and when they were last alive, which of them sees to a table, and a random key"
            " by which addresses are made unknowable."
        ),
    ),
)


@router.get("/privacy")
async def privacy(request: Request, person: Visitor) -> Response:
    """Return the privacy page."""
    guide = rendering.guide_html(privacy_markdown(rooms_of(request).settings))
    return HTMLResponse(rendering.guide_page(shell_of(request, person), game="", title=_("Privacy"), guide=guide))


def _how_long(kept: StoredData, settings: ServerSettings) -> str:
    if not kept.days:
        return ""
    days: int = getattr(settings, kept.days)
    if not days:
        return _("It is kept until somebody deletes it.")
    return n_("It is kept for one day.", "It is kept for {count} days.", days)


def privacy_markdown(settings: ServerSettings) -> str:
    """Return the text of the privacy page as Markdown, in the current language, with the times of this server's
    settings.
    """
    intro = _(
        "You play here without an account. This page says all that is kept of you. A copy of it, and a button to be"
        " forgotten, are on [your page](/you)."
    )
    kept = [
        " ".join(filter(None, (f"**{_(one.title)}.** {_(one.says)}", _how_long(one, settings)))) for one in STORED_DATA
    ]
    lists = {_("What is kept"): kept, **_other_sections()}
    parts = [f"## {title}\n\n" + "".join(f"* {text}\n" for text in texts) for title, texts in lists.items()]
    return "\n".join(["# " + _("Privacy") + "\n", intro + "\n", *parts])


def _other_sections() -> dict[str, list[str]]:
    days = COOKIE_AGE // DAY
    others = [
        _(
            "At your table: your name, your moves as one sees them at a table, what you say, and whether you are there."
            " No hidden card, until the rules turn it up."
        ),
        _(
            "Where spectators are welcome, whoever has the code sees what everybody at the table sees, and when the"
            " match is over all of it: every card, every move, the coach’s words. These pages ask search engines not to"
            " list them."
        ),
        _(
            "A table without spectators belongs to its players for ever: nobody else sees its page, replay, pictures or"
            " file."
        ),
        _("Whoever keeps a match file, a picture or a copy of a page has it: that cannot be taken back."),
    ]
    cookies = [
        _(
            "`{name}`: your key, set when you sit down, watch or play, for {days} days. Scripts cannot read it.",
            name=COOKIE,
            days=days,
        ),
        _(
            "`{name}`: set with your first form, for an hour, to see whether your browser keeps cookies.",
            name=CHECKED,
        ),
        _("`facedown-language`, `facedown-theme` and the like: what you chose, and how far your lessons came."),
        _("The browser also keeps sound, pace and the guides for reading without a connection, on your device."),
        _("None of them is there to follow you, so nobody asks you to agree to them."),
    ]
    outside = [
        _(
            "Your network address is used in memory for a few minutes, to see that nobody asks for too much. The log"
            " says what went wrong; whoever runs this server, or the one in front of it, may keep a log of requests"
            " with addresses of their own."
        ),
        _("A code is in a page’s address, and so in such a log and in your browser’s history. Keys are not."),
        _("Nothing is loaded from elsewhere, and nothing is passed on: no counting, no advertisements."),
        _("Copies of the database hold what it held that day, until whoever runs this server deletes them."),
    ]
    return {_("What others see"): others, _("Cookies"): cookies, _("Addresses, logs, others"): outside}
