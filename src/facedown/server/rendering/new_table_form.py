"""The form for a new table, which also edits the house rules: its data, and the choices of settings."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from facedown.server.i18n import N_

#: Choices of a clock in the new-table form: (form value, label, explanation).
CLOCK_CHOICES: tuple[tuple[str, str, str], ...] = (
    ("0", N_("None"), N_("No time limit")),
    ("60", N_("1 min"), N_("One minute per turn")),
    ("180", N_("3 min"), N_("Three minutes per turn")),
    ("300+10", N_("5 min"), N_("Five minutes for the round, plus ten seconds for every turn")),
    ("86400", N_("A day"), N_("A day per turn, so nobody has to stay online")),
)
#: Options of the new-table form that say what happens when a player's clock runs out: (form value, label, explanation).
TIMEOUT_CHOICES: tuple[tuple[str, str, str], ...] = (
    ("bot", N_("One move"), N_("A bot plays just one move for you")),
    ("seat", N_("All moves"), N_("A bot takes your seat for the rest of the match")),
    ("nothing", N_("Nothing"), N_("The others see your time is up and can let a bot play for you")),
)
#: Options of the new-table form for taking moves back: (form value, label, explanation).
TAKE_BACK_CHOICES: tuple[tuple[str, str, str], ...] = (
    ("slow", N_("Usually"), N_("Except with a clock of a minute or less")),
    ("always", N_("Always"), N_("Also with a fast clock")),
    ("never", N_("Never"), N_("Every move stays")),
)


#: Options of the new-table form for the delay of spectators: (form value, label, explanation).
SPECTATOR_DELAY_CHOICES: tuple[tuple[str, str, str], ...] = (
    ("0", N_("None"), N_("Spectators see every move at once")),
    ("60", N_("1 min"), N_("Spectators see every move a minute later")),
    ("180", N_("3 min"), N_("Spectators see every move three minutes later")),
    ("600", N_("10 min"), N_("Spectators see every move ten minutes later")),
    ("round", N_("A round"), N_("Spectators see each round once it’s over")),
)


class NewTableForm(NamedTuple):
    """The form for a new table. If the visitor's input had an error, the form contains that input again."""

    levels: tuple[tuple[str, str, str], ...]
    """Levels of bots: (key, label, description), weakest first; at least one."""
    usual: str
    """Key of the preselected level."""
    chosen: Mapping[str, str] = MappingProxyType({})
    """Posted form fields by name (see docs/protocol.md); empty for a new form."""
    error: str = ""
    error_at: str = ""
    """Name of the form field with the error ("name")."""
    modes: Mapping[int, str] = MappingProxyType({})
    """Preselected game mode by number of seats, for a game with modes."""
    table: str = ""
    """Code of the table whose house rules are edited; "" for a new table."""
