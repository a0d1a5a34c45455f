"""Write the pages about the records of the games in ``docs/records``: ``python tools/state_record_pages.py``.

A page explains the numbers in the record (the array of a position) of a game. It is made from the game's declarations:
fields and their meanings, options, slots for cards, kinds (numbers of equal cards), actions and phases.

``python tools/state_record_pages.py GAME`` prints the page of any installed game, including games of other packages.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from facedown.core import field_meanings as m
from facedown.core import game_registry as registry
from facedown.core import state
from facedown.core.game_registry import GameModule
from facedown.core.ruleset import NO_PAUSE
from facedown.core.state import Position, marker_field_name

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "records"
MARK = "<!-- Written by tools/state_record_pages.py from the declarations of {package}: change these. -->"
#: Largest number of actions of one kind of which each is listed. If there are more, only the first and the last are
#: listed.
LISTED = 100
#: Link to the page about the fields that all records share.
COMMON = "[Fields that all records share](README.md)."
#: Remark on a field that is left out when a view is sent to another program.
NOT_SENT = "0 in every view, and left out of views that are sent"

#: Fields that are described by their docstring alone, without the encoding of their numbers.
KNOWN_BY_THEIR_WORDS = ("phase", "over", "seats", "acting", "sealed", "viewer", "card")
#: Ranges that are not written on the page, because they are just the range of the integer type.
WHOLE = {(-(2**bits), 2**bits - 1) for bits in (7, 15, 31)}


# --- docstrings in the sources ----------------------------------------------------------------------------------------


@cache
def docstrings(declaration: type[Any]) -> dict[str, str]:
    """Return the docstrings of the fields or members of a class and its bases, by name, each in one line."""
    found: dict[str, str] = {}
    for one in reversed(declaration.__mro__):
        if one.__module__.partition(".")[0] in ("builtins", "enum", "typing"):
            continue
        (node,) = ast.parse(textwrap.dedent(inspect.getsource(one))).body
        assert isinstance(node, ast.ClassDef)
        found |= dict(_below(node.body))
    return found


def _below(body: Sequence[ast.stmt]) -> Iterator[tuple[str, str]]:
    for first, second in zip(body, [*body[1:], ast.Pass()], strict=True):
        if isinstance(first, ast.If):
            yield from _below(first.body)
        target = first.target if isinstance(first, ast.AnnAssign) else None
        if isinstance(first, ast.Assign):
            (target,) = first.targets
        said = second.value if isinstance(second, ast.Expr) else None
        if isinstance(target, ast.Name) and isinstance(said, ast.Constant):
            yield target.id, " ".join(str(said.value).split())


def find_enum(game: GameModule, name: str) -> type[IntEnum] | None:
    """Return the enumeration with this name from the modules that define a game's rules and record; None if neither has
    it.
    """
    modules = [importlib.import_module(game.rules.module), importlib.import_module(game.rules.record.__module__)]
    there = [one for module in modules for one in vars(module).values() if isinstance(one, type)]
    return next((e for e in there if issubclass(e, IntEnum) and e.__name__ == name), None)


# --- descriptions -----------------------------------------------------------------------------------------------------


def meaning_text(meaning: m.Meaning) -> str:
    """Return a description of a field's values.

    >>> meaning_text(m.BySeat(m.OneOf(3)))
    'by seat: 0 to 2, or −1 for none'
    """
    match meaning:
        case m.Number(low, high):
            return (
                ""
                if (low, high) in WHOLE
                else f"usually {with_typographic_minus(low)} to {with_typographic_minus(high)}"
            )
        case m.OneOf(2, 0):
            return "0 or 1"
        case m.OneOf(count, low):
            return f"{low} to {low + count - 1}, or −1 for none"
        case m.Seat(other):
            return "a seat, or −1 for none" + ("; larger numbers are not seats" if other else "")
        case m.SeatMask():
            return "a set of seats: bit k for seat k, bit 8 for spectators"
        case m.Bits(count):
            return f"a set of {count}: bit k for number k"
        case m.SlotNumber():
            return "a slot, or −1 for none"
        case m.Card():
            return "a kind of card; 126 if there is none, 127 if the viewer does not know it"
        case m.BySeat(of):
            return _each("by seat", of)
        case m.BySlot(of):
            return _each("by slot", of)
        case m.ByKind(of):
            return _each("by kind", of)
    return ""


def _each(how: str, of: m.Meaning) -> str:
    """Return a description of the numbers in an array; empty if there is nothing to say beyond their type."""
    return f"{how}: {more}" if (more := meaning_text(of)) else ""


def with_typographic_minus(value: int) -> str:
    """Return a number with a typographic minus sign."""
    return str(value).replace("-", "−")


def cell(text: str) -> str:
    """Escape text for a cell of a Markdown table."""
    return text.replace("``", "`").replace("|", "\\|").replace("\n", " ")


def row(*cells: object) -> str:
    """Return a row of a Markdown table."""
    return f"| {' | '.join(cell(str(one)) for one in cells)} |"


def table_head(*titles: str) -> list[str]:
    """Return the two lines of the head of a Markdown table."""
    return [row(*titles), row(*["---"] * len(titles))]


def number_range(first: int, last: int) -> str:
    """Return a range of numbers as text, both ends included."""
    return str(first) if first == last else f"{first} to {last}"


# --- sections of a page -----------------------------------------------------------------------------------------------


def fields(game: GameModule) -> Iterator[str]:
    """Yield the section about all fields of the record, in order."""
    yield from ("## Fields", "")
    yield "In the order of the record. All are signed integers (`i1`, `i2`, `i4`: 1, 2 or 4 bytes)."
    yield from ("", *table_head("field", "type", "meaning"))
    kind, said, means = game.dtype, docstrings(game.rules.record), m.meanings(game.rules.record)
    for name in kind.names or ():
        base, shape = kind[name].base, kind[name].shape
        layout = f"`{base.str[1:]}`" + (f" × {' × '.join(map(str, shape))}" if shape else "")
        if name == marker_field_name(game.rules.record):
            yield row(f"`{name}`", layout, f"Marks the record as one of this game; {NOT_SENT}.")
        elif name == "key":
            yield row(f"`{name}`", layout, f"The key of all shuffles; {NOT_SENT}.")
        elif kind[name].names:
            yield row(f"`{name}`", "a record", "The [options](#options).")
        else:
            more = meaning_text(means[name])
            about = "" if name in KNOWN_BY_THEIR_WORDS else more and f"({capital(more)}.)"
            words = append_values_to_constant_names(said.get(name, ""), game)
            yield row(f"`{name}`", layout, " ".join(filter(None, (words, about))))


def append_values_to_constant_names(text: str, game: GameModule) -> str:
    """Return a docstring with the value added after each constant of the game's modules that it names."""
    there = {**vars(importlib.import_module(game.rules.record.__module__)), **vars(state)}
    there |= vars(importlib.import_module(game.rules.module))

    def told(found: re.Match[str]) -> str:
        kind, _dot, member = found[1].rpartition(".")
        value = there.get(found[1]) if not kind else getattr(there.get(kind), member, None)
        return f"{found[0]} ({with_typographic_minus(int(value))})" if isinstance(value, int) else found[0]

    return re.sub(r"`([A-Z]\w*\.[A-Z_]+|[A-Z][A-Z_]+)`", told, text.replace("``", "`"))


def capital(text: str) -> str:
    """Return a text with its first letter capitalised."""
    return text[0].upper() + text[1:]


def options(game: GameModule) -> Iterator[str]:
    """Yield the section about the fields of the options."""
    inside = game.info.options.declaration
    if inside is None:
        return
    yield from ("## Options", "", "The fields of `opt`, constant during a match.", "")
    yield from table_head("field", "type", "meaning")
    there = {option.name: option for option in game.info.options}
    said = docstrings(inside)
    for name in inside.DTYPE.names or ():
        shape = inside.DTYPE[name].shape
        layout = f"`{inside.DTYPE[name].base.str[1:]}`" + (f" × {shape[0]}" if shape else "")
        if name in there:
            option = there[name]
            values = " · ".join(
                f"{at} `{value.notation_with_argument_names}`" for at, value in enumerate(option.values)
            )
            yield row(f"`{name}`", layout, f"{option.says} {values}")
        else:
            about = "number of cards of each kind" if shape else "a number in the value of an option; 0 if it has none"
            yield row(f"`{name}`", layout, said.get(name, "") or f"{capital(about)}.")
    yield ""


def card_slots_section(game: GameModule) -> Iterator[str]:
    """Yield the section about the groups of slots."""
    yield from ("## Slots", "", "Places where cards may lie: indices of `card` and of every other array by slot.", "")
    yield from table_head("slots", "cards there")
    for part in m.slot_groups(game.rules.record):
        yield row(card_slot_numbers_text(part), capital(part.name))
    yield ""


def card_slot_numbers_text(part: m.SlotGroup) -> str:
    """Return the slot numbers of a group of slots, as a formula if each seat has its own slots.

    >>> card_slot_numbers_text(m.SlotGroup("grid", 0, 12, by_seat=12)), card_slot_numbers_text(m.SlotGroup("side", 9, 3,
    by_seat=1, step=2)) ('12 × seat + 0 to 11', 'seat + 9, 11, 13')
    """
    first = part.slots()
    here = ", ".join(map(str, first)) if part.step > 1 else number_range(first[0], first[-1])
    if not part.by_seat:
        return here
    return f"{'seat' if part.by_seat == 1 else f'{part.by_seat} × seat'} + {here}"


def card_kinds_section(game: GameModule) -> Iterator[str]:
    """Yield the section about the kinds of cards (a kind is the number of all equal cards), with their names."""
    yield from (
        "## Kinds of cards",
        "",
        "Number and word; 126 means no card, 127 an unknown card.",
    )
    word = game.words.card_word
    yield from ("", " · ".join(f"{kind} `{word(kind)}`" for kind in range(game.rules.kinds)), "")


def actions(game: GameModule) -> Iterator[str]:
    """Yield the section about all actions, by number, with their notation."""
    yield from ("## Actions", "", "Number and words, as the field `words` of the API takes them.", "")
    acts = game.rules.action_kinds
    groups: Iterable[tuple[str, list[int]]]
    if acts is None:
        groups = [(words.split()[0], [*some]) for words, some in groupby(range(game.actions), game.words.words)]
        said: dict[str, str] = {}
    else:
        groups = [(kind.name, [a for a in range(game.actions) if acts.decode(a)[0] == kind]) for kind in acts]
        said = docstrings(acts)
    yield from table_head("actions", "words", "meaning")
    for name, those in groups:
        shown = those if len(those) <= LISTED else [*those[:3], *those[-2:]]
        words = [f"{action} `{game.words.words(action)}`" for action in shown]
        if len(shown) < len(those):
            words.insert(3, "…")
        about = append_values_to_constant_names(said.get(name, ""), game)
        what = (f"`{name}`: {about}" if about else f"`{name}`.") if acts else ""
        if not what and game.rules.pause in those and game.rules.pause != NO_PAUSE:
            what = "Continues after a round."
        yield row(number_range(those[0], those[-1]), " · ".join(words), what)
    yield ""


def phases(game: GameModule) -> Iterator[str]:
    """Yield the section about the values of the field `phase`."""
    found = find_enum(game, "Phase")
    if found is None:
        return
    said = docstrings(found)
    yield from ("## Phases", "", f"The field `phase`. {' '.join((found.__doc__ or '').split())}", "")
    yield from table_head("phase", "meaning")
    for phase in found:
        more = f": {said[phase.name]}" if said.get(phase.name) else ""
        yield row(phase.value, f"{capital(phase.name.lower().replace('_', ' '))}{more}")
    yield ""


def page(game: GameModule) -> str:
    """Return the whole page of a game."""
    record: type[Position] = game.rules.record
    players, size = number_range(*game.info.seats), f"{game.dtype.itemsize} bytes"
    about = " ".join((record.__doc__ or "").split())
    lines = [
        f"# The record of {game.info.title}",
        "",
        MARK.format(package=record.__module__.rpartition(".")[0]),
        "",
        f"{about} {size}, version {game.info.version} of the rules, {players} players. {COMMON}",
        "",
        *fields(game),
        "",
        *options(game),
        *card_slots_section(game),
        *card_kinds_section(game),
        *actions(game),
        *phases(game),
    ]
    return "\n".join(lines).rstrip() + "\n"


def pages() -> dict[Path, str]:
    """Return the pages of all games of this package, by their files."""
    inside = [name for name in registry.catalogue() if registry.package_of(name).startswith("facedown.")]
    return {PAGES / f"{name}.md": page(registry.game(name)) for name in inside}


if __name__ == "__main__":
    for asked in sys.argv[1:]:
        print(page(registry.game(asked)))
    if not sys.argv[1:]:
        for file, text in pages().items():
            file.write_text(text, encoding="utf-8")
