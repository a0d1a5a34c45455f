"""Jinja environment of the web pages, with the functions and constants that the templates use."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

import segno
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from facedown.core.art import Switch
from facedown.core.game_registry import art as art_of
from facedown.core.game_registry import package_of
from facedown.core.grammar import digits, in_words
from facedown.core.state import SPECTATOR
from facedown.core.table import Panel, Zone, initial
from facedown.core.translation import Texts, formatting_locale, isolate_right_to_left, join_names, language, languages
from facedown.play import chat
from facedown.play.bot_interface import BOT_NAMES
from facedown.play.i18n import join_with_and
from facedown.play.user_input import format_code
from facedown.server.i18n import _, c_, n_
from facedown.server.rendering import icons, piece_html, piece_svg, table_layout, template_helpers
from facedown.server.rendering.assets import (
    SERVER,
    asset_url,
    preload_font_url,
    script_translations_tag,
    stylesheet_links,
)
from facedown.server.rendering.base_path import root
from facedown.server.rendering.design_token_reader import tokens
from facedown.server.rendering.new_table_form import (
    CLOCK_CHOICES,
    SPECTATOR_DELAY_CHOICES,
    TAKE_BACK_CHOICES,
    TIMEOUT_CHOICES,
)

#: Functions that the templates call under their Python names.
TEMPLATE_FUNCTIONS: tuple[Any, ...] = (
    *(piece_svg.drawing, piece_svg.has_face, piece_svg.sprite, piece_svg.emblem),
    *(icons.icon, icons.brand, icons.coin, icons.pennant, icons.small_card_back),
    *(
        table_layout.visible_pile_edge_count,
        table_layout.first_row_card_count,
        table_layout.piece_count_of,
        table_layout.split_into_pairs,
        table_layout.pieces_in_panel,
        table_layout.button_choices,
        table_layout.number_choices,
    ),
    *(table_layout.card_face_choices, table_layout.piece_aria_label, table_layout.zone_aria_label),
    *(initial, digits, in_words, format_code, language, languages, join_names, join_with_and),
    *(
        template_helpers.player_count_text,
        template_helpers.duration_and_complexity_texts,
        template_helpers.group_cards_by_place,
        template_helpers.invitation_heading_and_text,
        template_helpers.mid_sentence_label,
    ),
    *(
        template_helpers.last_round_scoring_title,
        template_helpers.moment_url,
        template_helpers.perspective_param,
        template_helpers.has_lesson,
        template_helpers.game_tagline,
    ),
    *(root, asset_url, stylesheet_links, script_translations_tag, preload_font_url),
)


@cache
def environment() -> Environment:
    """Return the Jinja environment in which all templates are rendered; it is created at the first call."""
    made = Environment(
        loader=FileSystemLoader(SERVER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # Templates change only with the program, so they need not be checked for changes.
        auto_reload=False,
    )
    made.filters.update(
        bold=table_layout.bold_marks_to_html, plain=table_layout.strip_bold_marks, isolated=isolate_right_to_left
    )
    made.tests["panel"] = lambda thing: isinstance(thing, Panel)
    made.tests["lane"] = lambda thing: isinstance(thing, table_layout.ZoneGroup)
    made.tests["zone"] = lambda thing: isinstance(thing, Zone)
    for function in (*TEMPLATE_FUNCTIONS, qr, switches, script_json, piece_html.piece, piece_html.zone_pieces_html):
        made.globals[function.__name__] = function
    made.globals.update(
        locale=lambda: (
            formatting_locale()
            if "_" in formatting_locale()
            else f"{formatting_locale()}_{formatting_locale().upper()}"
        ),
        theme_colours=lambda: (tokens("light")["bg"], tokens("dark")["bg"]),
        SPECTATOR=SPECTATOR,
        CLOCKS=CLOCK_CHOICES,
        AT_ZERO=TIMEOUT_CHOICES,
        TAKE_BACKS=TAKE_BACK_CHOICES,
        SPECTATOR_DELAYS=SPECTATOR_DELAY_CHOICES,
        BOT_NAMES=BOT_NAMES,
        phrase=chat.translate_if_ready_made_phrase,
        _=_,
        n_=n_,
        c_=c_,
    )
    return made


def render(template: str, **data: Any) -> str:
    """Return the HTML of a template; `data` are the template's variables."""
    return environment().get_template(template).render(**data)


@cache
def macro(template: str, name: str) -> Callable[..., Markup]:
    """Return the macro `name` of a template as a function that returns HTML."""
    found: Callable[..., Markup] = getattr(environment().get_template(template).module, name)
    return found


def switches(game: str) -> tuple[Switch, ...]:
    """Return the switches (display options) that a game defines, with texts in the current language."""
    found = art_of(game).switches
    return found and tuple(replace(switch, says=Texts(package_of(game))(switch.says)) for switch in found)


@lru_cache(256)
def qr(link: str) -> Markup:
    """Return the QR code of an address as an SVG element with a single path."""
    out = io.BytesIO()
    code = segno.make(link, error="m", micro=False)
    ink: dict[str, Any] = {"dark": "#251D16", "light": None, "svgclass": "qr", "lineclass": None}
    code.save(out, kind="svg", border=1, xmldecl=False, svgns=True, omitsize=True, **ink)
    return Markup(out.getvalue().decode("utf-8").strip())


def script_json(value: Any) -> Markup:
    """Return a value as JSON that can be inserted into a ``<script>`` element.

    The characters "<", ">", "&", U+2028 and U+2029 are written as JSON escapes (a backslash, "u" and four hexadecimal
    digits). So no text in the value can end the element.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.translate({ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}))
