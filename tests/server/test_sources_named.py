"""What the texts say from which the games come: authors, how long, how hard, a theme, a warning."""

from __future__ import annotations

from pathlib import Path

import pytest

from facedown.core.game import catalogue
from facedown.core.language import languages, speaking
from facedown.server.look.phrases import effort_words
from facedown.terminal.cli import run as facedown
from tests.server.cases import cases
from tests.server.serving import serving

AUTHORS = "Andrew & Jody Hawes"


def test_every_game_says_how_long_it_is_and_how_hard_if_its_text_does() -> None:
    assert all(0 < info.minutes < 60 for info in catalogue().values())
    assert {name: info.complexity for name, info in catalogue().items() if info.complexity} == {"scout": 1.35}
    assert catalogue()["scout"].minutes == 15


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", ["about 15 minutes", "complexity 1.35 of 5"]),
        ("de", ["etwa 15 Minuten", "Schwierigkeit 1,35 von 5"]),
    ],
)
def test_a_game_is_chosen_by_minutes_and_complexity(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], code: str, said: list[str]
) -> None:
    with speaking(code):
        assert effort_words(catalogue()["scout"]) == said
    with serving(tmp_path) as server, server.client() as person:
        home = person.get(f"/?lang={code}").text
        for info in catalogue().values():
            assert f"{info.minutes} min" in home.lower()
            page = person.get(f"/new/{info.name}?lang={code}").text
            with speaking(code):
                assert all(words in page for words in effort_words(info))
    assert facedown(["--lang", code, "games"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("scout") and "15 min" in line.lower()]
    assert facedown(["--lang", code, "rules", "scout"]) == 0
    assert ("1.35" if code == "en" else "1,35") in capsys.readouterr().out


@pytest.mark.parametrize("code", list(languages()))
def test_the_authors_of_reveal_are_named_in_its_guide_and_on_its_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], code: str
) -> None:
    with serving(tmp_path) as server, server.client() as person:
        for path in ("/new/reveal", "/guide/reveal"):
            assert AUTHORS.replace("&", "&amp;") in person.get(f"{path}?lang={code}").text, path
        assert "Hawes" not in person.get(f"/new/detect?lang={code}").text
    assert facedown(["--lang", code, "rules", "reveal"]) == 0
    assert " ".join(capsys.readouterr().out.split()).count(AUTHORS) >= 2


@cases("words of the sources")
def test_a_guide_says_what_its_source_says(
    capsys: pytest.CaptureFixture[str], game: str, code: str, words: str
) -> None:
    assert facedown(["--lang", code, "rules", game]) == 0
    assert words in " ".join(capsys.readouterr().out.split())
