"""The look of the web table: plain data in, HTML out. No HTTP here, no storage, no state of a game.

What the server calls:

* whole pages: `home_page`, `new_table_page`, `join_page`, `table_page`, `guide_page`, `error_page`.
  Each takes a `Shell` (who looks, which theme) and plain data, and returns the HTML of a whole document.
* live messages: `TablePage.message` and `lobby_message` return the dictionary that goes through the WebSocket as JSON,
  the HTML to be morphed into the page included. They are what `table_page` puts into the page at first, so that the
  client starts where the page stands.
* `render_table` and `render_lobby`: that inner HTML alone.
* `STATIC`: the folder to be served at ``/static`` (`facedown.js` in its ``dist`` comes from the bundle).
* `generated_file`: what is served there although it does not lie in that folder; `media_type`: of either.

The addresses that the pages link to, the forms they post and the messages of the socket are listed in
``docs/protocol.md``.
"""

from __future__ import annotations

from facedown.server.rendering.assets import STATIC, generated_file, media_type
from facedown.server.rendering.guide_html import Guide, figure_html, guide_html, guide_page, playable_figure_html
from facedown.server.rendering.home import Home, ResultLink, home_page, new_table_page, unfinished_lesson_link
from facedown.server.rendering.lessons import END as LESSON_END
from facedown.server.rendering.lessons import (
    LessonCard,
    LessonRow,
    basic_lesson_card,
    learn_page,
    lesson_card,
    lesson_message,
    lesson_page,
    lesson_progress_text,
    lesson_url,
    moment_of,
)
from facedown.server.rendering.page_model import (
    ChatPanel,
    Clock,
    CoachMoment,
    CoachPanel,
    Hint,
    HintRow,
    Invitation,
    Lobby,
    LobbySeat,
    NewTableForm,
    RematchPanel,
    RematchPerson,
    ReplayMoment,
    ReplayMove,
    ScoreSheet,
    SeatRoundScores,
    SeatStatus,
    Shell,
    TableContext,
    TableLink,
    Viewpoint,
)
from facedown.server.rendering.page_sections import Sections
from facedown.server.rendering.pages import (
    coach_message,
    enabled_switches,
    error_page,
    join_page,
    lobby_message,
    offline_page,
    options_from_form,
    options_to_form,
    position_html,
    render_lobby,
    replay_page,
    score_index_page,
    score_page,
    table_page,
)
from facedown.server.rendering.preview_images import Preview, preview_png
from facedown.server.rendering.review_graph import Graph, bars, curve, score_strip
from facedown.server.rendering.table_html import TablePage, render_table, replay_message
from facedown.server.rendering.table_layout import step_json, strip_bold_marks
from facedown.server.rendering.template_helpers import (
    SPECTATOR_PARAM,
    invitation_heading_and_text,
    mid_sentence_label,
    moment_url,
)
from facedown.server.rendering.templates import render
