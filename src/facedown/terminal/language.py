"""The language of the command line: ``--lang``, ``FACEDOWN_LANG``, or what the system speaks."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from facedown.core.language import SOURCE, UnknownLanguage, language, languages
from facedown.terminal.command_help import help_text
from facedown.terminal.texts import _

#: Where a system says which language it speaks, the first one that says anything counts.
ENVIRONMENT = ("FACEDOWN_LANG", "LC_ALL", "LC_MESSAGES", "LANG")


def chosen(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> tuple[str, list[str]]:
    """The language that is asked for, and the arguments without ``--lang``.

    `UnknownLanguage` names those there are; what the system says counts only where it is one of them.

    >>> chosen(["rules", "whist", "--lang", "de"], {}), chosen(["games"], {"LANG": "de_AT.UTF-8"})
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
    if asked is not None:
        if asked not in languages():
            raise UnknownLanguage(
                _("unknown language {given}: there are {known}", given=asked or "—", known=", ".join(languages()))
            )
        return asked, rest
    said = next((environment[name] for name in ENVIRONMENT if environment.get(name)), "")
    code = said.partition(".")[0].partition("_")[0].lower()
    return (code if code in languages() else SOURCE), rest


def helps(command: Any) -> Iterator[str]:
    """Everything that the help of a command and of those below it says."""
    if command.help:
        yield command.help
    for parameter in command.params:
        if getattr(parameter, "help", None):
            yield parameter.help
    for below in getattr(command, "commands", {}).values():
        yield from helps(below)


def translate(command: Any) -> None:
    """Put the help of a command, and of those below it, into the language that is spoken."""
    if language() == SOURCE:
        return
    command.help = command.help and _(command.help)
    written = command.get_help
    command.get_help = lambda context: help_text(written(context))
    for parameter in command.params:
        if getattr(parameter, "help", None):
            parameter.help = _(parameter.help)
    for below in getattr(command, "commands", {}).values():
        translate(below)
