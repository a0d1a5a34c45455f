"""Who sits where, on what kind of machine, and whether they can play: what contests and experiments ask alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from facedown.bots import Bot
from facedown.core.game import Info
from facedown.core.match import Match
from facedown.simulate.budgets import KINDS
from facedown.simulate.entrants import BadEntrant, BotFailed, choice, close
from facedown.simulate.texts import _

#: Where deals are played: on this machine, by processes of this program; on a cluster.
HERE, RAY = "here", "ray"


def places_of(info: Info, bots: int, seats: int) -> int:
    """How many sit at the table: the `seats` that are wanted; without any, as many as bots, or as the game needs."""
    low, _high = info.seats
    return seats or (low if info.together else max(low, bots))


def filled(entrants: Sequence[int], places: int) -> tuple[int, ...]:
    """The entrant at each seat, where the last one takes the seats that are left."""
    return (*entrants, *[entrants[-1]] * (places - len(entrants)))


def seatings_of(lineup: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Every way round the table that differs: the entrant at each seat.

    >>> seatings_of([0, 1, 1])
    ((0, 1, 1), (1, 0, 1), (1, 1, 0))
    """
    places = len(lineup)
    turned = (tuple(lineup[(seat - turn) % places] for seat in range(places)) for turn in range(places))
    return tuple(dict.fromkeys(turned))


def wrong_place(on: str, address: str | None) -> str:
    """What is wrong with where deals are to be played, in one line; nothing if all is well."""
    if on not in (HERE, RAY):
        return _("on {place}: there are {places}", place=on, places=f"{HERE}, {RAY}")
    if on == HERE and address is not None:
        return _("an address is for a cluster: say --on ray, too")
    return ""


def try_out(name: str, make: Callable[[], Bot], info: Info, match: Match) -> None:
    """Let the bot of a name choose the first move of a match; `BadEntrant` says in one line why it cannot."""
    if info.together and name.partition("@")[0] in KINDS and "@" in name:
        raise BadEntrant(_("{name}: in {game} no bot counts simulations", name=name, game=info.title))
    player = make()
    try:
        choice(player, match, match.acting[0], 0)
    except BotFailed as problem:
        wrong = _("{name} cannot play {game}: {problem}", name=name, game=info.title, problem=problem)
        raise BadEntrant(wrong) from None
    finally:
        close(player)
