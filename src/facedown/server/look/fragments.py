"""Parts of a page that are drawn once for all that they show: a piece, a zone, a person.

From one version of a table to the next almost everything stays as it is. What a part looks like follows from plain
values alone, so a part that was drawn for the same values before is taken as it was drawn then, whoever looks at it.
Each function here stands for the macro ``draw_…`` of ``macros.html`` and hands it only what the part depends on.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache, partial
from typing import Any

from jinja2 import Environment, Template
from jinja2.runtime import Context
from markupsafe import Markup, escape

from facedown.core.language import language
from facedown.core.table import ScoreRow, SeatPanel, SlipRow, Zone
from facedown.server.look import layout
from facedown.server.look.model import Lobby, TableContext
from facedown.server.look.root import root

#: So many parts of each kind are kept; a zone is some 3 kB, everything else a tenth of that.
ZONES = 8192
SMALL = 8192
#: Where a long fan breaks into a second row: an arrow out of the first one and into the next.
ROW_BREAK = (
    '<i class="rowbreak" aria-hidden="true">'
    '<svg class="hook out" viewBox="0 0 20 40" aria-hidden="true">'
    '<path d="M2 6H8a6 6 0 0 1 6 6V36M9 31l5 5 5-5"/></svg>'
    '<svg class="hook in" viewBox="0 0 20 40" aria-hidden="true">'
    '<path d="M4 2V28a6 6 0 0 0 6 6h7M12 29l5 5-5 5"/></svg>'
    "</i>"
)


class PlainContext(Context):
    """Calls what a template names without looking for functions that want to be handed the context: we have none."""

    def call(self, called: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Call a function or a macro."""
        if kwargs:
            kwargs.pop("_loop_vars", None)
            kwargs.pop("_block_vars", None)
        return called(*args, **kwargs)


@lru_cache(SMALL)
def _escaped(text: str) -> str:
    return str(escape(text))


def plainly(value: Any) -> str:
    """What a template puts between two texts, escaped: most are the same few words, or were drawn before.

    The `escape` of MarkupSafe makes a new string each time, also of a zone that is there already.
    """
    if type(value) is Markup:
        return value
    return _escaped(value) if type(value) is str else str(escape(value))


class PlainTemplate(Template):
    """A template that writes with `plainly`."""

    @classmethod
    def from_code(cls, *compiled: Any, **more: Any) -> Template:
        """A template that the environment has compiled."""
        template = super().from_code(*compiled, **more)
        # Its functions find there what they call: the root, blocks and macros.
        template.root_render_func.__globals__["escape"] = plainly
        return template


def in_order(
    piece: Callable[..., Markup], z: Zone, game: str, small: bool, still: bool, touches: frozenset[str]
) -> Markup:
    """What lies in a zone, piece by piece."""
    whole, broken, cards, drawn = z.id in touches and "option" not in z.marks, layout.row_break(z), 0, []
    for at, p in enumerate(z.pieces):
        dead = not (whole or p.place in touches)
        if p.kind == "gap":
            if dead and not still:
                # A gap that takes no card in this turn is nothing.
                continue
        else:
            if broken and cards == broken:
                drawn.append(ROW_BREAK)
            cards += 1
        if z.kind == "trick":
            label = z.label if not at and p.kind != "slot" else z.note or p.where
            named = f'<span class="label">{layout.bold(label)}</span>'
            drawn.append(f'<span class="played">{piece(p, game, small, still, True, dead)}{named}</span>')
        else:
            drawn.append(piece(p, game, small, still, False, dead))
    return Markup("".join(drawn))


def fragments(environment: Environment) -> dict[str, Callable[..., Markup]]:
    """The functions that templates call in place of macros."""

    @cache
    def macro(name: str) -> Callable[..., Markup]:
        found: Callable[..., Markup] = getattr(environment.get_template("macros.html").module, f"draw_{name}")
        return found

    def draw(name: str, *values: Any, **named: Any) -> Markup:
        return macro(name)(*values, **named)

    def kept(name: str, most: int = SMALL) -> Callable[..., Markup]:
        """The macro ``draw_NAME``, called once for the same values in each language and below each root."""
        in_places: dict[tuple[str, str], Callable[..., Markup]] = {}

        def drawn(*values: Any, **named: Any) -> Markup:
            place = language(), root()
            if place not in in_places:
                in_places[place] = lru_cache(most)(partial(draw, name))
            return in_places[place](*values, **named)

        return drawn

    piece = kept("piece")
    drawn_zone, drawn_person, drawn_score, drawn_chat = kept("zone", ZONES), kept("person"), kept("score"), kept("chat")

    def zone(
        z: Zone,
        game: str,
        small: bool = False,
        theirs: bool = False,
        still: bool = False,
        touches: frozenset[str] = frozenset(),
        sums: tuple[SlipRow, ...] = (),
    ) -> Markup:
        """A zone; of all that may be touched, only what lies in it makes a difference."""
        here = touches.intersection((z.id, *(p.place for p in z.pieces))) if touches else touches
        return drawn_zone(z, game, small, theirs, still, here, sums)

    def person(p: SeatPanel, context: TableContext, badged: bool = True, slip: Any = None) -> Markup:
        """A person at the table, with whether they are there, and their clock."""
        return drawn_person(p, context.presence.get(p.seat), context.clocks.get(p.seat), badged, slip)

    def score(row: ScoreRow, p: SeatPanel, context: TableContext) -> Markup:
        """A line of the score sheet."""
        return drawn_score(row, p, context.presence.get(p.seat), context.clocks.get(p.seat))

    def chat(context: TableContext | Lobby, to: str = "", seated: bool = False) -> Markup:
        """What was said, and what may be said to somebody: to all, where nobody is named."""
        return drawn_chat(context.chat, context.talk, to, seated)

    return {
        "pieces_of": partial(in_order, piece),
        "kept_piece": piece,
        "kept_zone": zone,
        "kept_person": person,
        "kept_score": score,
        "kept_chat": chat,
        "kept_bar": kept("bar"),
        "kept_state": kept("state"),
        "kept_pages": kept("pages"),
    }
