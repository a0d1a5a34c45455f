"""Texts about the findings of an experiment: headline, method, remarks, and formatted numbers.

A text claims a difference only if the 95 % confidence interval supports the claim:

* With two rule sets (A and B), the interval of the difference must exclude zero.
* With a single rule set, the interval must exclude the neutral value of the statistic (`Figure.even`). This is the
  value that the statistic would have if all seats and bots were equally good.
"""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from collections.abc import Sequence

from facedown.core.game_registry import catalogue
from facedown.core.grammar import in_words
from facedown.core.translation import decimal, formatting_locale, join_names
from facedown.simulate.confidence_intervals import Estimate
from facedown.simulate.findings import (
    ANSWERS,
    COUNT,
    LENGTHS,
    LUCK,
    POINTS,
    RULES,
    SCORES,
    SHARE,
    Figure,
    Findings,
    Option,
    Row,
    Side,
)
from facedown.simulate.i18n import N_, _, n_

#: Ordinal numbers of the seats as words, from the first seat on.
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
#: Largest number of statistics that a headline names.
MAX_NAMED_FIGURES = 2
#: Largest number of decimal places of a displayed number.
MOST_PLACES = 4
#: Remarks on a significant difference, as pairs: the text if the statistic is lower under rule set B, and the text if
#: it is higher. The key is the statistic's group or, for groups that are not listed, its unit.
_REMARKS = {
    LENGTHS: (N_("Shorter under B."), N_("Longer under B.")),
    LUCK: (N_("Less luck under B."), N_("More luck under B.")),
    SHARE: (N_("Less often under B."), N_("More often under B.")),
    COUNT: (N_("Less under B."), N_("More under B.")),
    POINTS: (N_("Lower under B."), N_("Higher under B.")),
}


def seat_ordinal_word(seat: int) -> str:
    """Return the ordinal number of a seat as a word: "first" for seat 0."""
    return _(SEAT_WORDS[seat]) if seat < len(SEAT_WORDS) else f"{seat + 1}."


# --- numbers ----------------------------------------------------------------------------------------------------------


def display_value(unit: str, value: float) -> float:
    """Return a value in the unit in which it is displayed: a share (0 to 1) in per cent, any other value unchanged."""
    return 100 * value if unit == SHARE else value


def decimal_places(unit: str, found: Estimate) -> int:
    """Return the number of decimal places to show for an estimate: the wider its interval, the fewer.

    `unit` is the unit of the statistic (`Figure.unit`). The number is for the mean and for both ends of the interval.
    """
    half = display_value(unit, (found.high - found.low) / 2)
    if not math.isfinite(half) or half <= 0:
        return 1 if unit == SHARE else 2
    behind = max(0, min(MOST_PLACES, -math.floor(math.log10(half / 2))))
    nearest = min((display_value(unit, end) for end in (found.low, found.high)), key=abs)
    # If the interval excludes zero, its nearer end must not be rounded to zero.
    while found.excludes(0.0) and round(nearest, behind) == 0 and behind < MOST_PLACES:
        behind += 1
    return behind


def format_number(value: float, behind: int) -> str:
    """Format a number for the current language, with `behind` digits after the decimal point.

    "–" stands for NaN and infinities. Zero has no minus sign.
    """
    return "–" if not math.isfinite(value) else decimal(round(value, behind) + 0.0, behind)


def format_signed_number(value: float, behind: int) -> str:
    """Format a number with a plus or minus sign and `behind` digits after the decimal point.

    Zero has no sign. Everything else is as in `format_number`.
    """
    return ("+" if round(value, behind) > 0 else "") + format_number(value, behind)


def format_mean_without_interval(unit: str, found: Estimate, behind: int | None = None) -> str:
    """Format the mean of an estimate, without its confidence interval. NaN and infinities are shown as "–".

    `unit` is the unit of the statistic (`Figure.unit`). If it is `SHARE`, the mean is a number from 0 to 1, which is
    shown as a percentage: "33.3 %".

    `behind` is the number of digits after the decimal point. If it is None, `decimal_places` chooses this number: the
    wider the interval, the fewer digits.
    """
    text = format_number(display_value(unit, found.mean), decimal_places(unit, found) if behind is None else behind)
    return _("{share} %", share=text) if unit == SHARE and math.isfinite(found.mean) else text


def format_difference_without_interval(unit: str, found: Estimate) -> str:
    """Format the mean of an estimated difference, with its sign and without its confidence interval.

    If `unit` is `SHARE`, the difference is shown in percentage points.
    """
    return format_signed_number(display_value(unit, found.mean), decimal_places(unit, found))


def format_interval(unit: str, found: Estimate, *, sign: bool = False) -> str:
    """Format the confidence interval of an estimate as "LOW to HIGH". If an end is infinite, return an empty string.

    If `unit` is `SHARE`, both numbers are in per cent, but have no per cent sign. `sign` adds a plus or minus sign to
    both.
    """
    if not (math.isfinite(found.low) and math.isfinite(found.high)):
        return ""
    behind, write = decimal_places(unit, found), format_signed_number if sign else format_number
    return _(
        "{low} to {high}",
        low=write(display_value(unit, found.low), behind),
        high=write(display_value(unit, found.high), behind),
    )


# --- selection of rows ------------------------------------------------------------------------------------------------


def main_rows(findings: Findings) -> list[Row]:
    """Return the rows of the report's first table.

    The table has these statistics:

    * the lengths of the matches (group `LENGTHS`);
    * how often certain events of the game happen, such as special cases of the rules (group `RULES`);
    * answers to research questions that apply to this game only (group `ANSWERS`);
    * how often first place is shared by several seats;
    * scores and first places of each bot, if different bots play or the game is cooperative;
    * only with two rule sets: how often the first seat in the order of play wins;
    * only with two rule sets: how much of the variance of results the deal explains.

    A later table of the report has all statistics.
    """
    several = findings.together or len(set(findings.bots)) > 1

    def wanted(figure: Figure) -> bool:
        if figure.group in (LENGTHS, RULES, ANSWERS) or figure.key == "shared":
            return True
        if figure.group == SCORES and figure.key.startswith("bot."):
            return several
        return findings.b is not None and figure.key in ("seat.0.first", "luck.deal")

    return [row for row in findings.rows() if wanted(row.a)]


# --- headline ---------------------------------------------------------------------------------------------------------


def headline_and_note(findings: Findings) -> tuple[str, str]:
    """Return the headline and a note, each one sentence in the current language.

    * The headline is the main finding, without numbers. It begins with "So far" while the experiment runs.
    * With two rule sets (A and B), the note says which seats win more often under B than under A. It is empty for a
      cooperative game.
    * With one rule set, the note says which cause explains most of the variance of results. It is empty if that was not
      measured.
    """
    if findings.b is None:
        told, more = _single_side_sentence(findings), _luck_sentence(findings.a)
    else:
        told, more = _comparison_sentence(findings), _gaining_seats_sentence(findings)
    return _("So far: {told}", told=told) if findings.running else told, more


def _comparison_sentence(findings: Findings) -> str:
    changed = [(row.a, row.difference) for row in findings.rows() if row.is_significant and row.difference is not None]
    # Changes of the statistics on seats are described in a separate sentence.
    told = sorted(
        (one for one in changed if not one[0].key.startswith("seat.")),
        key=lambda one: -_mean_per_interval_width(one[1]),
    )
    if not told:
        return _("No clear difference in these deals.")
    # Name the most significant change first. As the second one prefer a change of the match length, which every player
    # notices.
    named = told[:1] + ([one for one in told[1:] if one[0].group == LENGTHS] + told[1:])[: MAX_NAMED_FIGURES - 1]
    less, more = (
        join_names([_("“{name}”", name=figure.label) for figure, found in named if (found.mean > 0) == up])
        for up in (False, True)
    )
    if less and more:
        return _("B lowers {less} and raises {more}.", less=less, more=more)
    return _("B lowers {less}.", less=less) if less else _("B raises {more}.", more=more)


def _mean_per_interval_width(found: Estimate) -> float:
    """Return how significant an estimated difference is: its absolute mean divided by the width of its interval.

    Return 0 if the interval has zero width.
    """
    return abs(found.mean) / (found.high - found.low) if found.high > found.low else 0.0


def _gaining_seats_sentence(findings: Findings) -> str:
    """Return a sentence that names the seats that win significantly more often under rule set B than under A.

    Significantly means: the 95 % interval of the difference excludes zero. If there is no such seat, the sentence says
    so. For a cooperative game, return an empty string.
    """
    rows = [row for row in findings.rows() if row.a.key.startswith("seat.") and row.a.key.endswith(".first")]
    changed = [
        (row.a.seat_or_bot_number, row.difference.mean)
        for row in rows
        if row.is_significant and row.difference is not None
    ]
    gaining = [seat for seat, change in changed if change > 0]
    if not rows:
        return ""
    if not gaining:
        return _("No seat clearly gains under B.")
    seats = join_names([seat_ordinal_word(seat) for seat in gaining])
    return n_(
        "The {seats} seat wins more often under B.",
        "The {seats} seats win more often under B.",
        len(gaining),
        seats=seats,
    )


def _single_side_sentence(findings: Findings) -> str:
    side, names = findings.a, list(dict.fromkeys(findings.bots))
    bots = side.select_by_key("bot.", ".first")
    if findings.together:
        won, team = bots[0].value, names[0]
        if won.low > 0.5:
            return _("{team} wins more games than it loses.", team=team)
        if won.high < 0.5:
            return _("{team} loses more games than it wins.", team=team)
        return _("These deals don’t show whether {team} wins more games than it loses.", team=team)
    if bots:
        best = max(bots, key=_mean)
        if best.is_significant:
            return _("{bot} wins more than its fair share.", bot=names[best.seat_or_bot_number])
        return _("These deals don’t show which bot is better.")
    seat = max((seat for seat in side.select_by_key("seat.", ".first") if seat.is_significant), key=_mean, default=None)
    if seat is None or seat.even is None:
        return _("These deals don’t show whether the seat matters.")
    if seat.value.mean > seat.even:
        said = N_("The {seat} seat wins more than its fair share.")
    else:
        said = N_("The {seat} seat wins less than its fair share.")
    return _(said, seat=seat_ordinal_word(seat.seat_or_bot_number))


def _mean(figure: Figure) -> float:
    return figure.value.mean


def _luck_sentence(side: Side) -> str:
    most = max(side.select_by_key("luck."), key=_mean, default=None)
    if most is None:
        return ""
    if most.value.low > 0.5:
        return _("More than half of the outcome comes down to {part}.", part=most.label)
    return _("The largest part of the outcome comes down to {part}.", part=most.label)


def missing_variance_shares_reason(findings: Findings) -> str:
    """Return why the variance shares (how much of the variance of results each cause explains) were not measured.

    Return an empty string if they were measured. Return an empty string, too, if the experiment played each deal only
    once. Such an experiment is not meant to measure these shares, so no reason is needed.

    If only one of two rule sets has a reason, the text begins with "A: " or "B: ".
    """
    reasons = [side.no_luck for side in findings.sides]
    if all(reasons):
        return reasons[0]
    return "".join(f"{letter}: {reason}" for letter, reason in zip("AB", reasons, strict=False) if reason)


def format_even_share(findings: Findings) -> str:
    """Format, in per cent, the share of first places that each seat would have if all seats were equally good.

    This share is 100 % divided by the number of seats: "33.3 %" for three seats.
    """
    fair = 100 / findings.places
    return _("{share} %", share=format_number(fair, 0 if fair.is_integer() else 1))


def variance_shares_text(parts: Sequence[Figure]) -> str:
    """Return one line with the variance shares (how much of the variance of results each cause explains).

    The line is the text alternative of the chart that shows them as a stacked bar.
    """
    return "; ".join(
        _("{name} {share} %", name=part.label, share=format_number(100 * part.value.mean, 0)) for part in parts
    )


# --- remarks ----------------------------------------------------------------------------------------------------------


def row_remark(row: Row) -> str:
    """Return a remark on a row of the report's table: in which direction the statistic of this row differs.

    The remark has at most eight words:

    * With two rule sets (A and B), it compares B with A: "Longer under B.".
    * With one rule set, it compares the value with the neutral value (`Figure.even`), the value if all seats and bots
      were equally good: "More than an even share.". The remark is empty if the statistic has no neutral value.

    If the difference is not significant, the remark says that there is no clear difference.
    """
    found = row.difference
    if found is None:
        if row.a.even is None:
            return ""
        if not row.is_significant:
            return _("No clear difference from an even share.")
        return _("More than an even share.") if row.a.value.mean > row.a.even else _("Less than an even share.")
    if found.low == found.high == 0:
        return _("The same under both.")
    if not row.is_significant:
        return _("No clear difference.")
    less, more = _REMARKS.get(row.a.group) or _REMARKS[row.a.unit]
    return _(more if found.mean > 0 else less)


# --- method -----------------------------------------------------------------------------------------------------------


def method_phrases(findings: Findings) -> list[str]:
    """Return phrases on how the statistics were measured, such as "50 deals", "50 results, one per match", "seed 7"."""
    count = decimal(findings.deals)
    if findings.running:
        deals = _("{count} of {asked} deals", count=count, asked=decimal(findings.asked))
    else:
        deals = n_("{deals} deal", "{deals} deals", findings.deals, deals=count)
    found = [_("{deals}, the same for both rule sets", deals=deals) if findings.b is not None else deals]
    results = sum(side.matches for side in findings.sides)
    told = n_(
        "{number} result, one per {unit}",
        "{number} results, one per {unit}",
        results,
        number=decimal(results),
        unit=findings.unit,
    )
    found.append(told)
    found.append(_("bots: {bots}", bots=_bots_phrase(findings.bots, findings.places, findings.together)))
    found.append(_("95 % confidence intervals"))
    found.append(_("seed {seed}", seed=findings.seed))
    if findings.made:
        found.append(_("run on {day}", day=format_iso_date(findings.made)))
    abandoned = sum(side.abandoned for side in findings.sides)
    if abandoned:
        found.append(_("endless matches stopped: {count}", count=decimal(abandoned)))
    return found


def _bots_phrase(names: Sequence[str], places: int, together: bool) -> str:
    if len(set(names)) == 1:
        return _("{name} in every seat", name=names[0])
    if together:
        return join_names(list(names))
    counts = Counter([*names, *[names[-1]] * (places - len(names))])
    return join_names([name if count == 1 else f"{count} × {name}" for name, count in counts.items()])


def format_iso_date(made: str) -> str:
    """Format an ISO 8601 date for the current language; other text is returned unchanged."""
    from babel.dates import format_date

    try:
        return str(format_date(dt.date.fromisoformat(made[:10]), "long", locale=formatting_locale()))
    except ValueError:
        return made


# --- rule sets --------------------------------------------------------------------------------------------------------


def studied_options(side: Side) -> list[Option]:
    """Return the options of a rule set that are under study: those that the experiment names (`Side.named`)."""
    return [option for option in side.options if option.name in side.named]


def studied_options_are_default(findings: Findings, side: Side) -> bool:
    """Return whether all options under study (`studied_options`) have their default values in this rule set."""
    about = catalogue().get(findings.game)
    if about is None:
        return not side.named
    usual = about.complete(findings.places, {})
    return all(usual.get(option.name) == option.value for option in studied_options(side))


def rule_set_title(findings: Findings, side: Side, letter: str) -> str:
    """Return the title of a rule set. It depends only on the options that the experiment studies (`studied_options`).

    If the experiment has a single rule set, the title is one of these:

    * "Standard rules", if all studied options have their default values;
    * "Rules", if at least one of them has another value.

    If the experiment compares two rule sets, the title begins with `letter`, which is "A" or "B":

    * "B · standard rules", if all studied options have their default values in this rule set;
    * "B · no", if a single option is studied and does not have its default value. Its value ("no") is shown.
    * "B", if several options are studied and at least one does not have its default value.
    """
    options = studied_options(side)
    if findings.b is None:
        return _("Standard rules") if studied_options_are_default(findings, side) else _("Rules")
    if studied_options_are_default(findings, side):
        return _("{letter} · standard rules", letter=letter)
    if len(options) == 1:
        return f"{letter} · {options[0].value}"
    return letter


def report_title(findings: Findings) -> str:
    """Return the title of the report: the question that the experiment was given, or else a title made from its
    settings.
    """
    if findings.question:
        return findings.question
    if findings.b is not None:
        names = join_names(list(dict.fromkeys([*findings.a.named, *findings.b.named])))
        return _("What does {option} change?", option=names)
    if len(set(findings.bots)) > 1 and not findings.together:
        return _("Which bot plays {game} better?", game=findings.title)
    if findings.rounds == 1:
        return _("How a round of {game} plays out", game=findings.title)
    return _("How a match of {game} plays out", game=findings.title)


def game_and_seats(findings: Findings) -> str:
    """Return the line above the report's title: the game and its number of seats."""
    seats = in_words(findings.places)
    return n_("{game}, {seats} seat", "{game}, {seats} seats", findings.places, game=findings.title, seats=seats)
