"""The table's menu: its rows for each kind of match, its sections on the page, and the house rule about take-backs."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from httpx import Client
from tests.play.table import ADA, BEN, dealt, grant
from tests.server.http_server import open_table
from tests.server.rendering.test_page_sections import table_after

from facedown.core.match_actions import AGREED_END
from facedown.core.state import SPECTATOR
from facedown.play import Session, agreements
from facedown.play.records import Settings
from facedown.server import rendering
from facedown.server.connection import viewer_page_data
from facedown.server.connection.table_menu import proposal_panel, table_menu
from facedown.server.rendering.table_html import render_section


def rows_of(session: Session, viewer: int = 0) -> rendering.TableMenu:
    """Return the menu of a player, who must have one."""
    menu = table_menu(session, viewer)
    assert menu is not None
    return menu


@pytest.mark.parametrize(
    ("seats", "game", "agree", "resigns"),
    [
        ("me open", "detect", "Ben must agree.", "Ben wins the match."),
        ("me open open", "detect", "Ben and Cleo must agree.", "A bot plays on for you to the end of the match."),
        ("me open low", "detect", "Ben must agree.", "A bot plays on for you to the end of the match."),
        ("me open", "uncovered", "Ben must agree.", "The game is lost for both of you."),
    ],
)
def test_menu_names_the_players_who_must_agree_and_what_resigning_means(
    seats: str, game: str, agree: str, resigns: str
) -> None:
    rows = rows_of(dealt(seats, game=game))
    assert rows.end == rendering.MenuRow(
        "Offer to end the match", f"There’s no score yet, so there’s no result. {agree}"
    )
    assert (rows.resign.line, rows.resign.reason, rows.resign.question) == (resigns, "", "Resign this match?")
    assert rows.take_back.reason == "You have no move to take back."


def test_match_against_bots_only_is_ended_after_a_question() -> None:
    end = rows_of(dealt("me low")).end
    assert (end.title, end.question) == ("End the match", "End this match?")
    assert "agree" not in end.line


def test_spectators_and_finished_matches_have_no_menu_and_an_open_proposal_makes_all_rows_grey() -> None:
    session = dealt()
    assert table_menu(session, SPECTATOR) is None
    grant(session, agreements.propose(session, ADA, AGREED_END, 20.0))
    for viewer in (0, 1):
        menu = rows_of(session, viewer)
        assert {row.reason for row in menu} == {"The players have to answer a question first."}
    assert [proposal_panel(session, viewer) for viewer in (0, 1, SPECTATOR)] == [
        rendering.ProposalPanel(1, decline="Withdraw"),
        rendering.ProposalPanel(1, "End the match", "Play on"),
        rendering.ProposalPanel(1),
    ]
    proposal = session.record.agreements.proposal
    assert proposal is not None
    grant(session, agreements.answer(session, BEN, proposal.number, True, 21.0))
    assert session.dealt_match.over
    assert table_menu(session, 0) is None
    assert proposal_panel(session, 1) is None


def test_menu_sections_are_outside_the_frame_and_are_sent_only_if_the_rows_change() -> None:
    rows, table = rows_of(dealt()), table_after(4)
    context = rendering.TableContext(code="K7QM", menu=rows)
    first = rendering.TablePage(table, context)
    assert not re.search("menu-(game|questions)", first.html)
    assert rendering.TablePage(table, context).page_update_message(first.sections, version=1)["sections"] == {}
    other = rows._replace(take_back=rows.take_back._replace(reason=""))
    sent = rendering.TablePage(table, context._replace(menu=other)).page_update_message(first.sections, version=1)
    assert list(sent["sections"]) == ["menu-take-back"]
    assert 'name="request"' in sent["sections"]["menu-take-back"]
    html = {name: str(render_section(section)) for name, section in first.sections.items()}
    assert 'aria-disabled="true"' in html["menu-take-back"]
    assert 'name="request"' in html["menu-end"]
    assert 'data-open="ask-resign"' in html["menu-resign"]
    assert re.findall('<dialog id="([^"]*)"', html["menu-questions"]) == ["ask-resign"]
    over = replace(table, over=True, step=table.step._replace(choices=()), result="Ada wins.")
    sent = rendering.TablePage(over, rendering.TableContext(code="K7QM")).page_update_message(first.sections, version=2)
    assert "hidden" in sent["sections"]["menu-game"]
    assert "button" not in sent["sections"]["menu-game"] + sent["sections"]["menu-questions"]


def test_players_who_are_asked_can_answer_and_the_player_who_asks_can_withdraw() -> None:
    table = table_after(4)
    table = replace(table, step=table.step._replace(choices=()))
    asked = rendering.ProposalPanel(24, "Agree", "Let it stand")
    asks = rendering.ProposalPanel(24, decline="Withdraw")
    for proposal, answers in ((asked, 2), (asks, 1), (rendering.ProposalPanel(24), 0), (None, 0)):
        page = rendering.TablePage(table, rendering.TableContext(code="K7QM", proposal=proposal))
        assert page.html.count('name="request"') == answers
        assert ('class="lamp lit"' in page.html) == (proposal is asked)
        if proposal is asked:
            assert page.html.index("Let it stand") < page.html.index("Agree<")


def test_house_rule_about_take_backs_is_in_the_form_and_listed_only_if_it_is_not_the_default(ada: Client) -> None:
    def checked(url: str) -> list[str]:
        return re.findall(r'name="take-backs" value="(\w+)" checked', ada.get(url).text)

    assert checked("/new/detect") == ["slow"]
    for value, listed in (("slow", False), ("always", True)):
        url = open_table(ada, "open", **{"take-backs": value})
        assert checked(f"{url}/rules") == [value]
        assert ("Taking moves back" in ada.get(url).text) == listed
    record = replace(dealt().record, settings=Settings(take_backs="never"))
    assert ("Taking moves back", "never") in viewer_page_data.house_rules(record)
