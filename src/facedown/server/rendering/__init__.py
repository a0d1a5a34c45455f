"""The look of the web table: plain data in, HTML out. No HTTP here, no storage, no state of a game.

What the server calls:

* whole pages: `home_page`, `new_table_page`, `join_page`, `table_page`, `guide_page`, `error_page`.
  Each takes a `Shell` (who looks, which theme) and plain data, and returns the HTML of a whole document.
* live messages: `TablePage.message` and `lobby_message` return the dictionary that goes through the WebSocket as JSON,
  the HTML to be morphed into the page included. They are what `table_page` puts into the page at first, so that the
  client starts where the page stands.
* `render_table` and `render_lobby`: that inner HTML alone.
* `STATIC`: the folder to be served at ``/static`` (`facedown.js` in its ``dist`` comes from the bundle).
* `made_here`: what is served there although it does not lie in that folder; `media_type`: of either.

The addresses that the pages link to, the forms they post and the messages of the socket are listed in
``docs/protocol.md``.
"""

from __future__ import annotations

from facedown.server.rendering.assets import STATIC, made_here, media_type
from facedown.server.rendering.guide_html import Guide, figure_html, guide_html, guide_page, played_html
from facedown.server.rendering.home import Home, ResultLink, home_page, new_table_page, stopped_row
from facedown.server.rendering.lessons import END as LESSON_END
from facedown.server.rendering.lessons import (
    LessonCard,
    LessonRow,
    learn_page,
    lesson_card,
    lesson_message,
    lesson_page,
    lesson_url,
    moment_of,
    plain_card,
    where_of,
)
from facedown.server.rendering.page_model import (
    Again,
    AgainPerson,
    Clock,
    CoachMoment,
    CoachPanel,
    Eye,
    Hint,
    HintRow,
    Join,
    Lobby,
    NewTable,
    Place,
    ReplayMoment,
    ReplayMove,
    ScoreSheet,
    SeatStatus,
    SheetRow,
    Shell,
    TableContext,
    TableLink,
    Talk,
)
from facedown.server.rendering.page_sections import Sections
from facedown.server.rendering.pages import (
    coach_message,
    error_page,
    fields_of_options,
    join_page,
    lobby_message,
    offline_page,
    options_from_form,
    position_html,
    render_lobby,
    replay_page,
    score_index_page,
    score_page,
    switches_on,
    table_page,
)
from facedown.server.rendering.preview_images import Preview, preview_png
from facedown.server.rendering.review_graph import Graph, bars, curve, strip_of
from facedown.server.rendering.table_html import TablePage, render_table, replay_message
from facedown.server.rendering.table_layout import plain, step_json
from facedown.server.rendering.template_helpers import ALL_EYES, inside, join_words, moment_url
from facedown.server.rendering.templates import render
