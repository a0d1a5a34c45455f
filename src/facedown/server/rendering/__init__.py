"""HTML of the web pages: functions from plain data to HTML, without HTTP, storage or game state.

The server calls:

* whole pages: `home_page`, `new_table_page`, `join_page`, `table_page`, `guide_page`, `error_page`.
  Each takes a `Shell` (the visitor's name, theme and language) and plain data, and returns a whole HTML document.
* WebSocket messages: `TablePage.message` and `lobby_message` return a dictionary to be sent as JSON. Its field ``html``
  is the new content of the page. `table_page` also embeds the first message in the page as data for the client.
* `render_table` and `render_lobby` return only the HTML in such a message.
* `STATIC` is the folder to be served at ``/static``. The build writes `facedown.js` into its subfolder ``dist``.
* `generated_file` returns a static file that is generated on request instead of read from `STATIC`.
  `media_type` returns the media type of a static file.

The addresses of links and forms and the WebSocket messages are listed in ``docs/protocol.md``.
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
    lesson_view,
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
