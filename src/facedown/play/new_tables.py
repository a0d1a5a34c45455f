"""Creation of the records (stored data) of new tables, with checked options, seats, a random seed and the hash of the
seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from facedown.core import game_registry as registry
from facedown.core.grammar import capital
from facedown.core.options import OptionError
from facedown.core.seeds import commitment_of, new_seed
from facedown.play.bot_interface import Bots, unused_bot_name
from facedown.play.i18n import _
from facedown.play.records import Refusal, RefusalCode, Seat, Settings, TableRecord, require
from facedown.play.seat_clocks import check_settings
from facedown.play.user_input import new_code


def check_level(bots: Bots, level: str) -> None:
    """Raise `Refusal` if there is no bot of this level; the message lists the available levels."""
    keys = [known.key for known in bots.levels]
    if level not in keys:
        given, there = level or _("(empty)"), ", ".join(keys) or _("none")
        raise Refusal("malformed", _("Unknown bot level {level}; available: {levels}.", level=given, levels=there))


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
    """Return the record of a new table before the deal. Raise `Refusal` if an argument is invalid.

    Each item of `seats` is "me" (the seat of the person `host`), "open", or the level of a bot. If the host is a
    program, `key_hash` is the hash of its token. Without `seed`, the seed is random.
    """
    settings = settings or Settings()
    check_settings(settings)
    require(list(seats).count("me") < 2, "malformed", _("You can only take one seat."))
    complete = complete_options(game, len(seats), dict(options or {}))
    for seat in seats:
        if seat not in ("me", "open"):
            check_level(bots, seat)
    return new_table_record(game, complete, settings, new_seats(seats, host, host_name, key_hash), host, now, seed)


def new_seats(
    seats: Sequence[str], person: int | None, name: str, key_hash: str = "", ready: bool = False
) -> tuple[Seat, ...]:
    """Return the seats of a new table. Each item of `seats` is "me", "open" or the level of a bot.

    The seat "me" gets `person` (an id), `name` and `ready`, and if the person is a program, `key_hash`, the hash of its
    token. Every bot gets a different name.
    """
    taken = [name] if name else []
    made: list[Seat] = []
    for seat in seats:
        if seat == "me":
            made.append(Seat("person", name, person, ready=ready, key_hash=key_hash))
        elif seat == "open":
            made.append(Seat())
        else:
            made.append(Seat("bot", unused_bot_name(taken), level=seat, ready=True))
            taken.append(made[-1].name)
    return tuple(made)


def complete_options(game: str, seats: int, options: Mapping[str, str]) -> dict[str, str]:
    """Return all options of a game, with defaults for those missing in `options`.

    Raise `Refusal` if an option or the number of seats is invalid.
    """
    try:
        # Check the number of seats first, because this check does not need the game's rules to be loaded.
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
    """Return the record of a table created at the Unix time `now`, with a new code and the installed version of the
    rules.

    Without `seed`, the seed is random.
    """
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
