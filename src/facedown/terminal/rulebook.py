"""Conversion of a game's rules from Markdown to text for a terminal."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping

from facedown.core import game_registry as registry
from facedown.core.translation import decimal
from facedown.terminal.i18n import _
from facedown.terminal.text_blocks import remove_bold_marks, wrap_text

#: Largest width of a line of text in columns, because longer lines are hard to read.
WIDEST = 100


def join_paragraph_lines(markdown: str) -> str:
    r"""Join the lines of each paragraph and of each list item in a Markdown text, so that they can be wrapped to any
    width.

    >>> join_paragraph_lines("# One\nA long\nparagraph.\n\n* an\n  item\n| a | table |")
    '# One\nA long paragraph.\n\n* an item\n| a | table |'
    """
    lines: list[str] = []
    for line in markdown.split("\n"):
        begins = not line.strip() or re.match(r"#|\||\s*(?:\*|-|\d+\.) ", line)
        if begins or not lines or not lines[-1].strip() or lines[-1].startswith(("#", "|")):
            lines.append(line)
        else:
            lines[-1] += f" {line.strip()}"
    return "\n".join(lines)


def markdown_to_text(markdown: str) -> str:
    r"""Convert Markdown to plain text; anchors, code blocks and markup are removed.

    >>> markdown_to_text("## Your turn {#turn}\n\nYou **may** draw, or [take](#take).")
    'YOUR TURN\n\nYou may draw, or take.'
    """
    text = join_paragraph_lines(re.sub(r"^```.*?^```\s*$", "", markdown, flags=re.MULTILINE | re.DOTALL))
    text = re.sub(r"\s*\{#[\w-]+\}", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"^#+\s*(.*)$", lambda m: m[1].upper(), text, flags=re.MULTILINE)
    text = re.sub(r"(?<!\w)[*_](?=\S)([^*_\n]+)(?<=\S)[*_](?!\w)", r"\1", remove_bold_marks(text).replace("`", ""))
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def options_text(game: str, chosen: Mapping[str, str] | None = None) -> str:
    """Return text with the options of a game: for each option its value and, below it, all possible values.

    The value is the one in `chosen` (option names to values), or the default if `chosen` does not have the option. None
    is the same as an empty dictionary. Options that are meant only for experiments are left out unless `chosen` has
    them.
    """
    lines = []
    for option in registry.info(game).options.visible_options(chosen or {}):
        usual = option.default_text
        value = (chosen or {}).get(option.name, usual)
        same = option.normalize(value) == option.normalize(usual)
        otherwise = "" if same else "   " + _("(default: {value})", value=usual)
        lines.append(f"{option.name} = {value}   {option.says}{otherwise}")
        lines += [f"    {value.notation_with_argument_names:<16} {value.says}" for value in option.values]
    return "\n".join(lines)


def rules_text(game: str, chosen: Mapping[str, str] | None = None) -> str:
    """Return the rules and the options of a game as text, wrapped to the width of the terminal (at most `WIDEST`).

    `chosen` has the options of a match: names to values. For each option of the game, the text shows the value in
    `chosen`, or the default if `chosen` does not have the option. None is the same as an empty dictionary.
    """
    info = registry.info(game)
    low, high = info.seats
    if low == high:
        head = _("{game}: for {count} players. {aim}", game=info.title, count=low, aim=info.tagline)
    else:
        head = _("{game}: for {low} to {high} players. {aim}", game=info.title, low=low, high=high, aim=info.tagline)
    if info.minutes:
        head += " " + _("About {minutes} minutes.", minutes=info.minutes)
    if info.complexity:
        head += " " + _("Complexity {number} out of 5.", number=decimal(info.complexity))
    if info.authors:
        head += " " + _("By {authors}.", authors=info.authors)
    parts = [
        head,
        markdown_to_text(registry.guide(game) or ""),
        _("OPTIONS"),
        options_text(game, chosen) or _("This game has no options."),
    ]
    width = min(shutil.get_terminal_size().columns, WIDEST)
    return wrap_text("\n\n".join(part for part in parts if part), width)
