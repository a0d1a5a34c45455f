"""Reveille's actions as a person says them, from the view of the seat that takes them."""

from __future__ import annotations

from typing import Any

from facedown.core.spoken import Spoken, Teller, spoken
from facedown.games.reveille.bones import NELLO
from facedown.games.reveille.rules import BID, CLAIM, CONTINUE, DRAW, LOWEST_BID, NAME, PASS, PICK, PLAY
from facedown.games.reveille.seen import lead
from facedown.games.reveille.speech import MANY, dotted


def say(view: Any, action: int, teller: Teller) -> Spoken:
    """The action in words: "Lead the 6·4", "Name sixes as trumps"."""
    return spoken(_text(view, action))


def _text(view: Any, action: int) -> str:
    if action < PASS:
        bone = dotted(action - PLAY)
        return f"{{lead}} the {bone}" if lead(view) is None else f"{{reply}} with the {bone}"
    if action == PASS:
        return "{pass}"
    if action < NAME:
        return f"{{bid}} {action - BID + LOWEST_BID}"
    if action < CLAIM:
        contract = action - NAME
        return "{play} nello" if contract == NELLO else f"{{name}} {MANY[contract]} as trumps"
    if action == CLAIM:
        return "{claim} the hand"
    if action == CONTINUE:
        return "{go} on to the next hand"
    verb = "{draw}" if int(view.phase) == DRAW else "{turn} up"
    return f"{verb} the bone at place {action - PICK + 1} of the boneyard"
