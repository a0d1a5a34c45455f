"""New tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from facedown.core import game_registry as registry
from facedown.core.grammar import capital
from facedown.core.options import OptionError
from facedown.core.seeds import commitment_of, new_seed
from facedown.play.bot_protocol import Bots, bot_name
from facedown.play.i18n import _
from facedown.play.records import Refusal, RefusalCode, Seat, Settings, TableRecord, need
from facedown.play.seat_clocks import check_clock
from facedown.play.user_input import new_code


def check_level(bots: Bots, level: str) -> None:
    """`Refusal` naming the levels there are."""
    keys = [known.key for known in bots.levels]
    if level not in keys:
        given, there = level or _("(nothing)"), ", ".join(keys) or _("none")
        raise Refusal("malformed", _("There is no bot {level}: there are {levels}.", level=given, levels=there))


def new_table(
    game: str,
    seats: Sequence[str],
    bots: Bots,
    now: float,
    *,
    host: int | None,
    host_name: str = "",
    options: Mapping[str, str] | None = None,
    settings: Settings | None = None,
    seed: bytes | None = None,
    key_hash: str = "",
) -> TableRecord:
    """A table that waits for its players. `Refusal` names what is wrong, and what would be right.

    `seats`: each is "me" (its maker's), "open", or the level of a bot.
    """
    settings = settings or Settings()
    check_clock(settings)
    need(list(seats).count("me") < 2, "malformed", _("You can take only one seat."))
    complete = complete_options(game, len(seats), dict(options or {}))
    for seat in seats:
        if seat not in ("me", "open"):
            check_level(bots, seat)
    return new_table_record(game, complete, settings, new_seats(seats, host, host_name, key_hash), host, now, seed)


def new_seats(
    seats: Sequence[str], person: int | None, name: str, key_hash: str = "", ready: bool = False
) -> tuple[Seat, ...]:
    """The seats of a new table, one of them the maker's; bots get names of their own."""
    taken = [name] if name else []
    made: list[Seat] = []
    for seat in seats:
        if seat == "me":
            made.append(Seat("person", name, person, ready=ready, key_hash=key_hash))
        elif seat == "open":
            made.append(Seat())
        else:
            made.append(Seat("bot", bot_name(taken), level=seat, ready=True))
            taken.append(made[-1].name)
    return tuple(made)


def complete_options(game: str, seats: int, options: Mapping[str, str]) -> dict[str, str]:
    """All options of a game for a number of seats; `Refusal` if it cannot be played like that."""
    try:
        # The number of seats is checked without loading the rules.
        registry.info(game).check_seats(seats)
        return registry.game(game).check_options(seats, options)
    except (OptionError, registry.UnknownGame) as wrong:
        why: RefusalCode = "unknown" if isinstance(wrong, KeyError) else "malformed"
        raise Refusal(why, f"{capital(str(wrong)).removesuffix('.')}.", getattr(wrong, "option", "")) from None


def new_table_record(
    game: str,
    options: Mapping[str, str],
    settings: Settings,
    seats: tuple[Seat, ...],
    host: int | None,
    now: float,
    seed: bytes | None = None,
) -> TableRecord:
    """The record of a table that is opened now, to be played by the rules of this program."""
    seed, version = seed or new_seed(), registry.info(game).version
    return TableRecord(
        code=new_code(),
        game=game,
        rules_version=version,
        options=options,
        seed=seed,
        commitment=commitment_of(seed),
        settings=settings,
        seats=seats,
        host=host,
        created=now,
    )
