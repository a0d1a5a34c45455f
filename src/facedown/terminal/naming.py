"""What several commands ask for: a game by its name as people type it, its options, a match file."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Annotated

import typer

from facedown.terminal.problems import Problem


def game_named(text: str) -> str:
    """The game that is meant, by name or title, in any case; `Problem` names the nearest one where there is none."""
    from facedown.core.game import catalogue, info

    known = catalogue()
    meant = {said.casefold().rstrip("!"): name for name, about in known.items() for said in (name, about.title)}
    word = text.strip().casefold().rstrip("!")
    if word in meant:
        return meant[word]
    near = difflib.get_close_matches(word, meant, 1, 0.6)
    if near:
        raise Problem(f"unknown game {text}: did you mean {meant[near[0]]}?")
    return info(text).name


GameName = Annotated[
    str, typer.Argument(metavar="GAME", parser=game_named, help="A game's name: see “facedown games”.")
]
MatchPath = Annotated[Path, typer.Argument(metavar="FILE", help="A match file.")]
OptionList = Annotated[
    list[str] | None,
    typer.Option("--options", "--option", metavar="NAME=VALUE", help="An option; may be given several times."),
]
