"""Help and errors of the command line: commands in groups, and Click's own words in the language that is spoken."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from typer.core import TyperGroup

from facedown.terminal.texts import N_, _

#: The groups of commands, in the order of the help.
PLAY, STUDY, HOST, RESEARCH = N_("Play"), N_("Study"), N_("Host"), N_("Research")
TABLES, PEOPLE = N_("Tables"), N_("People")
GROUPS = (PLAY, STUDY, HOST, RESEARCH, TABLES, PEOPLE)

#: Words of Click in the help of a command. No translation may be much longer: the lines are broken already.
HELP_WORDS = (
    N_("Usage:"),
    N_("[OPTIONS]"),
    N_("COMMAND [ARGS]..."),
    N_("Arguments:"),
    N_("Options:"),
    N_("Show this message and exit."),
    N_("[default:"),
    N_("required]"),
)
#: Errors of Click and Pydantic; of two that fit a text, the first counts.
ERRORS = (
    N_("No such command {name}. Did you mean {meant}?"),
    N_("No such command {name}."),
    N_("No such option: {name} (Possible options: {meant})"),
    N_("No such option: {name}"),
    N_("Missing argument {name}."),
    N_("Missing option {name}."),
    N_("Got unexpected extra argument(s) ({given})"),
    N_("Option {name} requires an argument."),
    N_("Option {name} does not take a value."),
    N_("Invalid value for {name}: {why}"),
    N_("Input should be a valid integer, {rest}"),
    N_("Input should be a valid number, {rest}"),
    N_("Input should be a finite number"),
    N_("Unable to parse input string as an integer, exceeded maximum size"),
    N_("Input should be greater than or equal to {limit}"),
    N_("Input should be less than or equal to {limit}"),
)


class Commands(TyperGroup):
    """A group of commands whose help lists them by their own groups, each with its whole summary."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the lists of commands."""
        commands: Mapping[str, Any] = self.commands
        for group in GROUPS:
            rows = [
                (name, one.get_short_help_str(1000)) for name, one in commands.items() if one.rich_help_panel == group
            ]
            if rows:
                with formatter.section(_(group)):
                    formatter.write_dl(rows)


def help_text(text: str) -> str:
    """The help of a command with the words that Click writes itself in the language that is spoken."""
    for words in HELP_WORDS:
        text = text.replace(words, _(words))
    return text


def error_text(text: str) -> str:
    """An error of Click or Pydantic in the language that is spoken; one that is not known stays as it is.

    >>> error_text("No such command 'whist'.")
    "No such command 'whist'."
    """
    for words in ERRORS:
        pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(words))
        if found := re.fullmatch(pattern, text):
            parts = found.groupdict()
            return _(words, **{name: error_text(part) if name == "why" else part for name, part in parts.items()})
    return text
