"""Helpers of the HTML templates: texts (invitations, numbers of players, headings) and addresses of replays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from facedown.core.game_registry import Info, catalogue
from facedown.core.state import SPECTATOR
from facedown.core.translation import SOURCE_LANGUAGE, decimal, join_names, language
from facedown.play import lessons
from facedown.play.user_input import format_code
from facedown.server.i18n import N_, _, n_
from facedown.server.rendering.lobby_model import Invitation

#: Value of the URL parameter ``eyes`` (whose view a replay shows) for the view of spectators.
SPECTATOR_PARAM = "all"


def game_tagline(game: str) -> str:
    """Return a game's tagline: a description in one sentence. Raise `KeyError` if there is no such game."""
    return catalogue()[game].tagline


def perspective_param(seat: int) -> str:
    """Return the value of the URL parameter ``eyes`` (whose view a replay shows) for a seat or `SPECTATOR`.

    >>> perspective_param(2), perspective_param(SPECTATOR)
    ('2', 'all')
    """
    return SPECTATOR_PARAM if seat == SPECTATOR else str(seat)


def moment_url(code: str, ply: int, seat: int) -> str:
    """Return the address of a replay after `ply` moves, viewed from a seat or as a spectator.

    >>> moment_url("K7QM", 25, 1)
    '/m/K7QM?ply=25&eyes=1'
    """
    return f"/m/{code}?ply={ply}&eyes={perspective_param(seat)}"


def invitation_heading_and_text(join: Invitation) -> tuple[str, str]:
    """Return the heading and the text of an invitation, for its page and its link preview.

    >>> invitation_heading_and_text(Invitation("whist", "Whist", "K7QM", "Ada", 0, True, status="finished",
    ...                             players=("Ada", "Mara"), result="Mara wins, 38 to 35."))
    ('Ada and Mara played Whist', 'The match is finished. Mara wins, 38 to 35.')
    """
    who, game = join_names(join.players), join.title
    if join.status == "finished":
        return _("{players} played {game}", players=who, game=game), _join_nonempty(
            _("The match is finished."), join.result
        )
    may = _("You can watch: you’ll see what everyone sees.") if join.watch else ""
    if join.status == "running":
        says = _("The match has started, and all seats are taken.")
        if join.open_seats:
            says = _("The match has started. You can take over the seat of a bot in the next round.")
        return _("{players} are playing {game}", players=who, game=game), _join_nonempty(says, may)
    if not join.open_seats:
        says = _("All seats at table {code} are taken.", code=format_code(join.code))
        return _("{players} will play {game}", players=who, game=game), _join_nonempty(says, may)
    open_now = n_(
        "One seat is open at table {code}. No account needed, just a name.",
        "{count} seats are open at table {code}. No account needed, just a name.",
        join.open_seats,
        code=format_code(join.code),
    )
    return _("{host} invites you to play {game}", host=join.host, game=game), open_now


def _join_nonempty(*sentences: str) -> str:
    """Return the sentences that are not empty, joined by spaces."""
    return " ".join(filter(None, sentences))


def mid_sentence_label(label: str) -> str:
    """Return a label for use within a sentence: in lower case in English, unchanged in other languages.

    >>> mid_sentence_label("Memory aid")
    'memory aid'
    """
    return label.lower() if language() == SOURCE_LANGUAGE else label


def text_for_unit(unit: str, texts: Mapping[str, str]) -> str:
    """Return the text that fits `unit`, a game's word for a round ("hand").

    `texts` maps such words to texts. It must contain the word "round". If it does not contain `unit`, return the text
    for "round" with the word "round" replaced by `unit`.

    >>> text_for_unit("hand", {"round": "last round", "hand": "last hand"})
    'last hand'
    >>> text_for_unit("deal", {"round": "last round"})
    'last deal'
    """
    return texts[unit] if unit in texts else texts["round"].replace("round", unit)


def last_round_scoring_title(unit: str) -> str:
    """Return the heading above the scoring of a finished match's last round; `unit` is the game's word for a round."""
    return _(text_for_unit(unit or "round", _LAST_ROUND_TITLES))


_LAST_ROUND_TITLES = {
    "round": N_("How the last round was scored"),
    "hand": N_("How the last hand was scored"),
    "game": N_("How the last game was scored"),
}


def group_cards_by_place(cards: Sequence[Mapping[str, Any]]) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """Return (text, cards) for each run of neighbouring cards with the same text under the key "from".

    `cards` are the cards that were scored for one player. The text says where a card was when it was scored.

    >>> group_cards_by_place([{"card": "7", "from": "table"}, {"card": "9", "from": "table"}])[0][0]
    'table'
    """
    return [(words, list(part)) for words, part in groupby(cards, key=lambda card: str(card.get("from", "")))]


def player_count_text(info: Info) -> str:
    """Return the possible numbers of players of a game as text ("2 players", "2–6, co-op")."""
    low, high = info.seats
    if low == high:
        return n_("{count} player", "{count} players", low)
    if info.together:
        return _("{low}–{high}, co-op", low=low, high=high)
    return _("{low}–{high} players", low=low, high=high)


def duration_and_complexity_texts(info: Info) -> list[str]:
    """Return texts for a game's duration and complexity ("about 15 minutes", "complexity 1.35 out of 5").

    A text is left out if the duration or the complexity is unknown.
    """
    minutes = [n_("about {count} minute", "about {count} minutes", info.minutes)] if info.minutes else []
    complexity = [_("complexity {number} out of 5", number=decimal(info.complexity))] if info.complexity else []
    return minutes + complexity


def has_lesson(game: str) -> bool:
    """Return whether a game's package contains a lesson file. Neither the lesson nor the game's rules are loaded.

    So the result may be True even if the lesson file is faulty and cannot be played. Raise `UnknownGame` if there is no
    such game.
    """
    return lessons.has_lesson(game)
