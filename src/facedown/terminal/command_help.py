"""Help, error messages and language of the command line.

The help lists commands in groups. The texts that the library Click inserts are translated. The language is taken from
``--lang``, ``FACEDOWN_LANG`` or the system.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from typer.core import TyperGroup

from facedown.core.translation import SOURCE_LANGUAGE, UnknownLanguage, language, languages
from facedown.terminal.i18n import N_, _

#: Headings of the groups of commands, in the order of the help.
PLAY, STUDY, HOST, RESEARCH = N_("Play"), N_("Study"), N_("Host"), N_("Research")
TABLES, PEOPLE = N_("Tables"), N_("People")
GROUPS = (PLAY, STUDY, HOST, RESEARCH, TABLES, PEOPLE)

#: Texts that the library Click inserts into the help. A translation must not be much longer than the text that it
#: replaces, because Click has already wrapped the lines.
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
#: Error messages of Click and Pydantic, with names for their variable parts. If several fit a message, the first is
#: used.
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


#: Environment variables that set the language; the first one that is not empty is used.
LANGUAGE_VARIABLES = ("FACEDOWN_LANG", "LC_ALL", "LC_MESSAGES", "LANG")


class Commands(TyperGroup):
    """Typer command group whose help lists commands under headings and does not shorten their summaries. Without a
    command it prints the help.
    """

    def invoke(self, ctx: Any) -> Any:
        """Run the chosen command; without one, print the help."""
        code = super().invoke(ctx)
        if ctx.invoked_subcommand is None:
            print(ctx.get_help())
        return code

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands into the help, one section for each group of commands."""
        commands: list[Any] = list(self.commands.values())
        for group in GROUPS:
            rows = [(each.name, each.get_short_help_str(1000)) for each in commands if each.rich_help_panel == group]
            if rows:
                with formatter.section(_(group)):
                    formatter.write_dl(rows)


def translate_help(text: str) -> str:
    """Translate the texts that Click has inserted into a command's help, and return the whole help.

    The translation is into the current language.
    """
    for words in HELP_WORDS:
        text = text.replace(words, _(words))
    return text


def translate_error(text: str) -> str:
    """Return an error message of Click or Pydantic in the current language; an unknown message is returned unchanged.

    >>> translate_error("No such command 'whist'.")
    "No such command 'whist'."
    """
    for words in ERRORS:
        pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(words))
        if found := re.fullmatch(pattern, text):
            parts = found.groupdict()
            return _(words, **{name: translate_error(part) if name == "why" else part for name, part in parts.items()})
    return text


# --- language ---------------------------------------------------------------------------------------------------------


def split_language(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> tuple[str, list[str]]:
    """Return the language code to use, and the arguments without ``--lang``.

    Raises `UnknownLanguage`, with the list of languages, if ``--lang`` names an unknown one. An unknown language in an
    environment variable is ignored, and the default is used.

    >>> split_language(["rules", "whist", "--lang", "de"], {}), split_language(["games"], {"LANG": "de_AT.UTF-8"})
    (('de', ['rules', 'whist']), ('de', ['games']))
    """
    rest: list[str] = []
    asked: str | None = None
    words = iter(arguments)
    for word in words:
        if word == "--lang" or word.startswith("--lang="):
            asked = word.partition("=")[2] or next(words, "")
        else:
            rest.append(word)
    if asked is None:
        said = next((environment[name] for name in LANGUAGE_VARIABLES if environment.get(name)), "")
        code = re.split(r"[._]", said)[0].lower()
        return (code if code in languages() else SOURCE_LANGUAGE), rest
    if asked not in languages():
        known = ", ".join(languages())
        raise UnknownLanguage(_("unknown language {given}; must be one of {known}", given=asked or "—", known=known))
    return asked, rest


def _documented_items(command: Any) -> Iterator[Any]:
    """Yield a command and its parameters, then each subcommand and its parameters, and so on.

    Commands and parameters without a help text are left out.
    """
    yield from (each for each in (command, *command.params) if getattr(each, "help", None))
    for below in getattr(command, "commands", {}).values():
        yield from _documented_items(below)


def help_texts(command: Any) -> Iterator[str]:
    """Return the help texts of a command, of its parameters, and of all its subcommands."""
    return (each.help for each in _documented_items(command))


def translate_command_help(command: Any) -> None:
    """Translate the help of a command and its subcommands into the current language, in place."""
    if language() == SOURCE_LANGUAGE:
        return
    for each in _documented_items(command):
        each.help = _(each.help)
        if hasattr(each, "get_help"):
            each.get_help = partial(_translated_help, each.get_help)


def _translated_help(written: Callable[[Any], str], context: Any) -> str:
    return translate_help(written(context))
