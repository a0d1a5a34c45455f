"""HTML of the web pages: functions from plain data to HTML, without HTTP, storage or game state.

The server calls:

* whole pages: `home_page`, `new_table_page`, `join_page`, `table_page`, `guide_page`, `error_page`.
  Each takes a `Shell` (the visitor's name, theme and language) and plain data, and returns a whole HTML document.
* WebSocket messages: `TablePage.whole_page_message` and `lobby_message` return a dictionary to be sent as JSON. Its
  field ``html``
  is the new content of the page. `table_page` also embeds the first message in the page as data for the client.
* `render_table_or_result` and `render_lobby` return only the HTML in such a message.
* `STATIC` is the folder to be served at ``/static``. The build writes `facedown.js` into its subfolder ``dist``.
* `generated_file` returns a static file that is generated on request instead of read from `STATIC`.
  `media_type` returns the media type of a static file.

The addresses of links and forms and the WebSocket messages are listed in ``docs/protocol.md``.
"""

from __future__ import annotations

from facedown.server.rendering.assets import STATIC, generated_file, media_type
from facedown.server.rendering.guide_html import Guide, figure_html, guide_html, guide_page, playable_figure_html
from facedown.server.rendering.home import (
    Home,
    InvitationRow,
    ResultLink,
    home_page,
    new_table_page,
    unfinished_lesson_link,
    with_time_left,
)
from facedown.server.rendering.lessons import END as LESSON_END
from facedown.server.rendering.lessons import (
    LessonCard,
    LessonRow,
    lesson_card,
    lesson_card_without_picture,
    lesson_list_page,
    lesson_moment,
    lesson_page,
    lesson_progress_text,
    lesson_step_message,
    lesson_url,
)
from facedown.server.rendering.lobby_model import Invitation, Lobby, LobbySeat
from facedown.server.rendering.new_table_form import NewTableForm
from facedown.server.rendering.open_tables import OpenTableRow, open_tables_list, open_tables_page, seat_offer
from facedown.server.rendering.page_model import (
    ChatPanel,
    Clock,
    CoachMoment,
    CoachPanel,
    Hint,
    HintRow,
    MenuRow,
    ProposalPanel,
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
    TableMenu,
    Viewpoint,
)
from facedown.server.rendering.page_sections import Sections
from facedown.server.rendering.pages import (
    coach_message,
    enabled_switches,
    error_page,
    join_page,
    lobby_message,
    marked_position_html,
    offline_page,
    options_from_form,
    options_to_form,
    render_lobby,
    replay_page,
    scorekeeper_index_page,
    scorekeeper_page,
    table_page,
)
from facedown.server.rendering.preview_images import Preview, preview_png
from facedown.server.rendering.review_graph import Graph, score_strip, wasted_turns_chart, win_probability_graph
from facedown.server.rendering.table_html import TablePage, render_table_or_result, replay_message
from facedown.server.rendering.table_layout import step_json, strip_bold_marks
from facedown.server.rendering.template_helpers import (
    SPECTATOR_PARAM,
    invitation_heading_and_text,
    mid_sentence_label,
    moment_url,
)
from facedown.server.rendering.templates import render
