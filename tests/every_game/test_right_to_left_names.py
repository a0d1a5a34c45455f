"""Right-to-left names: among other words they are enclosed in Unicode isolates, so that the text keeps its order."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest

from facedown.check.random_matches import GAMES, iterate_random_play
from facedown.core.game_registry import info
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.core.state import SPECTATOR
from facedown.core.table import Sitter, possessive
from facedown.core.translation import FSI, PDI, join_names, use_language
from facedown.play.records import ChatMessage
from facedown.server import rendering
from facedown.server.rendering.page_model import ChatPanel
from facedown.terminal.card_drawing import Pen
from facedown.terminal.screen_layout import table_screen_above_input
from facedown.terminal.screen_reader import table_sentences
from tests.awkward_names import RIGHT_TO_LEFT
from tests.every_game.test_verb_agreement import texts_of

#: Enough names for every game.
NAMES = tuple(f"{name}{'ד' * again}" for again in range(4) for name in RIGHT_TO_LEFT)
SITTERS = tuple(Sitter(name) for name in NAMES)
BARE = re.compile(f"[^{FSI}*](?:\\*\\*)?(?:{'|'.join(RIGHT_TO_LEFT)})|(?:{'|'.join(RIGHT_TO_LEFT)})ד*(?![{PDI}*ד])")


def has_bare_name(text: str) -> bool:
    """Return whether a right-to-left name is among other words without isolates."""
    return text not in NAMES and bool(BARE.search(f" {text} "))


class PageTexts(HTMLParser):
    """Collects what a page shows or reads aloud, and whether the element has its own text direction."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, bool]] = []
        self.auto = False
        self.skips = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.auto = given.get("dir") == "auto"
        self.skips = tag == "script"
        self.found += [(str(given[name]), True) for name in ("aria-label", "placeholder", "content") if given.get(name)]

    def handle_endtag(self, tag: str) -> None:
        self.auto = self.skips = False

    def handle_data(self, data: str) -> None:
        if data.strip() and not self.skips:
            self.found.append((data.strip(), self.auto))


def sample_positions(game: str, code: str) -> Iterator[tuple[Match, int]]:
    """Yield positions of a random match, each for a player to act and for a spectator."""
    match = Match(game, info(game).seats[1], seed=seed_from_text(f"isolated {game} {code}"))
    for _ in iterate_random_play(match, random.Random(f"{game} {code}"), 120):
        for viewer in (*match.acting[:1], SPECTATOR):
            yield match, viewer


@pytest.mark.parametrize("code", ["en", "de"])
@pytest.mark.parametrize("game", GAMES)
def test_right_to_left_names_are_isolated_in_every_sentence(game: str, code: str) -> None:
    with use_language(code):
        for match, viewer in list(sample_positions(game, code))[::5]:
            table = match.table(viewer, SITTERS[: match.seats]).with_log(match.log(viewer, SITTERS[: match.seats])[-6:])
            told = [*texts_of(table.to_json()), *table_sentences(table)]
            assert not [text for text in told if has_bare_name(text)]
            drawn = table_screen_above_input(table, table.step, Pen(colours=False), [], 120, 40)
            assert not [line.plain for line in drawn if has_bare_name(line.plain)]


@pytest.mark.parametrize("game", GAMES)
def test_right_to_left_names_are_isolated_on_the_page(game: str) -> None:
    said = tuple(ChatMessage(name, NAMES[1], 0.0, seat) for seat, name in ((0, NAMES[0]), (None, NAMES[2])))
    for match, viewer in list(sample_positions(game, "page"))[::24]:
        table = match.table(viewer, SITTERS[: match.seats])
        talk = ChatPanel(may=True, people=((1, NAMES[1]),), watching=NAMES[2:4])
        context = rendering.TableContext(code="K7QM", chat=said, talk=talk)
        page = rendering.table_page(
            rendering.Shell("Ada"),
            rendering.TablePage(table, context).whole_page_message(version=1),
            game=game,
            code="K7QM",
        )
        for text, apart in PageTexts(page).found:
            assert not has_bare_name(text), text
            assert apart or len(text) < 2 or text not in NAMES, f"{text} alone, in no element of its own direction"


def test_possessives_and_name_lists_isolate_right_to_left_names() -> None:
    hebrew, arabic = RIGHT_TO_LEFT
    assert possessive(arabic) == f"{FSI}{arabic}{PDI}’s"
    assert join_names([hebrew, "Ann 2", arabic]) == f"{FSI}{hebrew}{PDI}, Ann 2 and {FSI}{arabic}{PDI}"
    assert possessive("Ann 2") == "Ann 2’s"
