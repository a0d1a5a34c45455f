"""What findings say, in words: the answer before any number, how it was measured, and every figure as it is written.

A claim is made only where an interval leaves nought out (of one rule set: what would be even).
"""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from collections.abc import Sequence

from facedown.core.game import catalogue
from facedown.core.language import decimal, formats, listed
from facedown.core.voice import in_words
from facedown.simulate.confidence import Estimate
from facedown.simulate.findings import (
    ANSWERS,
    COUNT,
    LENGTHS,
    LUCK,
    NO_LUCK,
    RULES,
    SCORES,
    SHARE,
    Figure,
    Findings,
    Option,
    Row,
    Seat,
    Side,
)
from facedown.simulate.texts import N_, _, n_

#: The seats, as they are spoken of.
SEAT_WORDS = (
    N_("first"),
    N_("second"),
    N_("third"),
    N_("fourth"),
    N_("fifth"),
    N_("sixth"),
    N_("seventh"),
    N_("eighth"),
)
#: More figures than this are not named in an answer.
NAMED = 2
MOST_PLACES = 4


def seat_word(seat: int) -> str:
    """A seat, as it is spoken of."""
    return _(SEAT_WORDS[seat]) if seat < len(SEAT_WORDS) else f"{seat + 1}."


# --- numbers ----------------------------------------------------------------------------------------------------------


def scaled(unit: str, value: float) -> float:
    """A value as it is written: shares per cent."""
    return 100 * value if unit == SHARE else value


def places(unit: str, found: Estimate) -> int:
    """So many places behind the point say what the interval lets one know."""
    half = scaled(unit, (found.high - found.low) / 2)
    if not math.isfinite(half) or half <= 0:
        return 1 if unit == SHARE else 2
    behind = max(0, min(MOST_PLACES, -math.floor(math.log10(half / 2))))
    nearest = min((scaled(unit, end) for end in (found.low, found.high)), key=abs)
    # An interval that leaves nought out must not look as if it ended there.
    while found.decides(0.0) and round(nearest, behind) == 0 and behind < MOST_PLACES:
        behind += 1
    return behind


def number(value: float, behind: int) -> str:
    """A number as the language writes it, without a minus before nought."""
    return "–" if not math.isfinite(value) else decimal(round(value, behind) + 0.0, behind)


def signed(value: float, behind: int) -> str:
    """The same with its sign; nought has none."""
    return ("+" if round(value, behind) > 0 else "") + number(value, behind)


def amount(unit: str, found: Estimate, behind: int | None = None) -> str:
    """The mean of an estimate, with so many places behind the point as are known, unless `behind` says otherwise."""
    text = number(scaled(unit, found.mean), places(unit, found) if behind is None else behind)
    return _("{share} %", share=text) if unit == SHARE and math.isfinite(found.mean) else text


def change(unit: str, found: Estimate) -> str:
    """The mean of a difference, with its sign; of shares in points of a hundred."""
    return signed(scaled(unit, found.mean), places(unit, found))


def span(unit: str, found: Estimate, *, sign: bool = False) -> str:
    """The interval of an estimate; nothing where there is none."""
    if not (math.isfinite(found.low) and math.isfinite(found.high)):
        return ""
    behind, write = places(unit, found), signed if sign else number
    return _(
        "{low} to {high}", low=write(scaled(unit, found.low), behind), high=write(scaled(unit, found.high), behind)
    )


# --- which figures ----------------------------------------------------------------------------------------------------


def main_rows(findings: Findings) -> list[Row]:
    """The figures that the first table has; seats and luck have their own, and all stand at the end."""
    several = len(set(findings.bots)) > 1
    paired = findings.b is not None

    def wanted(figure: Figure) -> bool:
        if figure.group in (LENGTHS, RULES, ANSWERS) or figure.key == "shared":
            return True
        if figure.group == SCORES and figure.key.startswith("bot."):
            return several or findings.together
        return paired and figure.key in ("seat.0.first", "luck.deal")

    return [row for row in findings.rows() if wanted(row.a)]


# --- the answer -------------------------------------------------------------------------------------------------------


def answer(findings: Findings) -> tuple[str, str]:
    """What was found, in a sentence without a number; and what may be said beside it, which may be nothing."""
    told, more = _compared(findings) if findings.b is not None else _alone(findings)
    if findings.running:
        told = _("So far: {told}", told=told)
    return told, more


def _compared(findings: Findings) -> tuple[str, str]:
    told = [row for row in findings.rows() if row.difference is not None and row.told and not _of_a_seat(row)]
    told.sort(key=lambda row: -_strength(row.difference))
    gains = _seats_that_gain(findings)
    if not told:
        return _("These deals cannot tell."), gains
    # The clearest change, and one that everybody at the table feels.
    named = told[:1] + ([row for row in told[1:] if row.a.group == LENGTHS] + told[1:])[: NAMED - 1]
    lower, higher = (
        [row.a.label for row in named if row.difference is not None and (row.difference.mean > 0) == up]
        for up in (False, True)
    )
    less, more = (listed([_("“{name}”", name=name) for name in names]) for names in (lower, higher))
    if less and more:
        return _("B lowers {less} and raises {more}.", less=less, more=more), gains
    return (_("B lowers {less}.", less=less) if less else _("B raises {more}.", more=more)), gains


def _of_a_seat(row: Row) -> bool:
    """Seats have a sentence of their own."""
    return row.a.key.startswith("seat.")


def _strength(found: Estimate | None) -> float:
    """How far from nought, in halves of the interval."""
    if found is None or found.high <= found.low:
        return 0.0
    return abs(found.mean) / (found.high - found.low)


def _seats_that_gain(findings: Findings) -> str:
    """What B does to the seats."""
    rows = [row for row in findings.rows() if row.a.key.startswith("seat.") and row.a.key.endswith(".first")]
    gaining = [row for row in rows if row.told and row.difference is not None and row.difference.mean > 0]
    if not rows:
        return ""
    if not gaining:
        return _("No seat is seen to gain by it.")
    seats = listed([seat_word(int(row.a.key.split(".")[1])) for row in gaining])
    return n_("The {seats} seat wins more often.", "The {seats} seats win more often.", len(gaining), seats=seats)


def _alone(findings: Findings) -> tuple[str, str]:
    side = findings.a
    more = _luck(side)
    if findings.together:
        won = side.bots[0].first
        name = side.bots[0].name
        if won.low > 0.5:
            return _("{team} wins more games than it loses.", team=name), more
        if won.high < 0.5:
            return _("{team} loses more games than it wins.", team=name), more
        return _("These deals cannot tell whether {team} wins more games than it loses.", team=name), more
    if len(side.bots) > 1:
        best = max(side.bots, key=lambda bot: bot.first.mean)
        if best.first.decides(best.fair):
            return _("{bot} comes in first more often than its share.", bot=best.name), more
        return _("These deals cannot tell which bot is better."), more
    told = [seat for seat in side.seats if seat.first.decides(seat.fair)]
    best_seat = max(told, key=lambda seat: seat.first.mean, default=None)
    if best_seat is None:
        return _("These deals cannot tell whether the seat matters."), more
    return _seat(best_seat), more


def _seat(seat: Seat) -> str:
    if seat.first.mean > seat.fair:
        return _("The {seat} seat comes in first more often than its share.", seat=seat_word(seat.seat))
    return _("The {seat} seat comes in first less often than its share.", seat=seat_word(seat.seat))


def _luck(side: Side) -> str:
    if not side.luck:
        return ""
    most = max(side.luck, key=lambda part: part.share.mean)
    if most.share.low > 0.5:
        return _("Most of what happens comes from this: {part}.", part=most.label)
    return _("The largest share of what happens comes from this: {part}.", part=most.label)


def no_luck(findings: Findings) -> str:
    """Why luck is not told, though deals were repeated; empty where it is, or nobody asked."""
    sides = [side for side in (findings.a, findings.b) if side is not None]
    found = [
        f"{letter}: {side.texts[NO_LUCK]}" for letter, side in zip("AB", sides, strict=False) if NO_LUCK in side.texts
    ]
    return sides[0].texts[NO_LUCK] if len(found) == len(sides) else "".join(found)


# --- remarks ----------------------------------------------------------------------------------------------------------


def remark(row: Row) -> str:
    """At most eight words on a figure; nothing where there is nothing to say."""
    found = row.difference
    if found is None:
        if row.a.even is None:
            return ""
        if not row.told:
            return _("Even, as far as these deals show.")
        return _("More than an even share.") if row.a.value.mean > row.a.even else _("Less than an even share.")
    if found.low == found.high == 0:
        return _("The same under both.")
    if not row.told:
        return _("No difference that these deals can show.")
    up = found.mean > 0
    if row.a.group == LENGTHS:
        return _("Longer under B.") if up else _("Shorter under B.")
    if row.a.group == LUCK:
        return _("More luck under B.") if up else _("Less luck under B.")
    if row.a.unit == SHARE:
        return _("More often under B.") if up else _("Less often under B.")
    if row.a.unit == COUNT:
        return _("More under B.") if up else _("Less under B.")
    return _("Higher under B.") if up else _("Lower under B.")


# --- how it was measured ----------------------------------------------------------------------------------------------


def measured(findings: Findings) -> list[str]:
    """How the figures came about, in short phrases."""
    sides = [side for side in (findings.a, findings.b) if side is not None]
    count = decimal(findings.deals)
    if findings.running:
        deals = _("{count} of {asked} deals", count=count, asked=decimal(findings.asked))
    else:
        deals = n_("{deals} deal", "{deals} deals", findings.deals, deals=count)
    found = [_("{deals}, the same under both rule sets", deals=deals) if findings.b is not None else deals]
    results = sum(side.matches for side in sides)
    told = n_(
        "{number} result, one a {unit}",
        "{number} results, one a {unit}",
        results,
        number=decimal(results),
        unit=findings.unit,
    )
    found.append(told)
    found.append(_("bots: {bots}", bots=_bots(findings.bots, findings.places, findings.together)))
    found.append(_("intervals of 95 %"))
    found.append(_("seed {seed}", seed=findings.seed))
    if findings.made:
        found.append(_("run on {day}", day=day(findings.made)))
    abandoned = sum(side.abandoned for side in sides)
    if abandoned:
        found.append(_("given up as endless: {count}", count=decimal(abandoned)))
    return found


def _bots(names: Sequence[str], places: int, together: bool) -> str:
    if len(set(names)) == 1:
        return _("{name} on all seats", name=names[0])
    if together:
        return listed(list(names))
    counts = Counter([*names, *[names[-1]] * (places - len(names))])
    return listed([name if count == 1 else f"{count} × {name}" for name, count in counts.items()])


def day(made: str) -> str:
    """A day (ISO 8601) as the language writes it; as it stands if it is none."""
    from babel.dates import format_date

    try:
        return str(format_date(dt.date.fromisoformat(made[:10]), "long", locale=formats()))
    except ValueError:
        return made


# --- rule sets --------------------------------------------------------------------------------------------------------


def options_of(side: Side) -> list[Option]:
    """The options that a rule set is known by."""
    return [option for option in side.options if option.name in side.named]


def as_it_is(findings: Findings, side: Side) -> bool:
    """Is this the game as it is usually played?"""
    about = catalogue().get(findings.game)
    if about is None:
        return not side.named
    usual = about.complete(findings.places, {})
    return all(usual.get(option.name) == option.value for option in options_of(side))


def side_title(findings: Findings, side: Side, letter: str) -> str:
    """What a rule set is called: "A · as it is", "B · doubled"."""
    options = options_of(side)
    if as_it_is(findings, side):
        return _("{letter} · as it is", letter=letter)
    if len(options) == 1:
        return f"{letter} · {options[0].value}"
    return letter


def question(findings: Findings) -> str:
    """The title: what was asked, or what it comes to."""
    if findings.question:
        return findings.question
    if findings.b is not None:
        names = listed(list(dict.fromkeys([*findings.a.named, *findings.b.named])))
        return _("What does {option} change?", option=names)
    if len(set(findings.bots)) > 1 and not findings.together:
        return _("Who plays {game} better?", game=findings.title)
    if findings.rounds == 1:
        return _("How a round of {game} goes", game=findings.title)
    return _("How a match of {game} goes", game=findings.title)


def where(findings: Findings) -> str:
    """The line above the title."""
    seats = in_words(findings.places)
    return n_("{game}, {seats} seat", "{game}, {seats} seats", findings.places, game=findings.title, seats=seats)
