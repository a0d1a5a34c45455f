"""The name of a game as people type it: in any case, by its title, and with a hint where it is nearly one."""

from __future__ import annotations

import difflib

from facedown.terminal.problems import Problem


def game_named(text: str) -> str:
    """The name of the game that is meant; `Problem` names the nearest one where there is none."""
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
