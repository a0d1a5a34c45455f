"""Sources of the site, without building it, and the worked examples on it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from tools import reference
from tools.docsite import api_pages, example_pages, figures, navigation
from tools.docsite.docstrings import _EXAMPLE

from facedown.core.game_registry import catalogue
from tests.docs.conftest import ROOT


def test_every_page_of_the_docs_is_in_the_navigation() -> None:
    written = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    uris = written | {page.uri for page in api_pages.pages()}
    named = set(_leaves(navigation.navigation(uris)))
    assert {uri for uri in written if not uri.startswith("reference/")} <= named
    assert {page.uri for page in api_pages.pages()} | {"reference/README.md", *navigation.ALONE} <= named


def _leaves(tree: object) -> list[str]:
    match tree:
        case str():
            return [tree]
        case dict():
            return [uri for part in tree.values() for uri in _leaves(part)]
        case list():
            return [uri for part in tree for uri in _leaves(part)]
    raise TypeError(tree)


def test_page_without_a_fixed_place_in_the_navigation_is_put_in_the_design_section() -> None:
    tree = navigation.navigation(["README.md", "research.md", "environments.md", "never-heard-of.md"])
    readers = {name: part for entry in tree for name, part in entry.items()}
    assert _leaves(readers["Research"]) == ["research.md", "environments.md"]
    assert _leaves(readers["Design"]) == ["never-heard-of.md"]


def test_every_public_module_has_exactly_one_reference_page() -> None:
    modules = {module.name for package in ("", *reference.PACKAGES) for module in reference.modules(package)}
    names = [page.name for page in api_pages.pages()]
    assert modules | {f"facedown.games.{game}.rules" for game in catalogue()} <= set(names)
    assert len(names) == len(set(names)) == len({page.uri for page in api_pages.pages()})
    assert not [name for name in names if re.search(r"\._|\.(server|terminal|check|migrations)\b", name)]


def test_new_public_module_is_added_to_the_api_reference_automatically(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "facedown" / "research"
    package.mkdir(parents=True)
    for file in (package.parent / "__init__.py", package / "__init__.py", package / "plots.py", package / "_own.py"):
        file.write_text('"""Something."""\n')
    monkeypatch.setattr(reference, "SOURCE", tmp_path)
    assert api_pages.public_modules() == ["facedown", "facedown.research", "facedown.research.plots"]


def test_docstring_example_gets_a_picture_only_if_it_ends_with_an_unfinished_match() -> None:
    made = 'One.\n\n>>> match = Match("detect", 2)\n'
    drawn = figures.docstring_figure(made, "facedown.core.match")
    assert 'data-game="detect"' in drawn
    assert figures.docstring_figure(made + ">>> while not match.over: ...\n", "facedown.core.match") == ""
    assert figures.docstring_figure("Nothing.", "facedown.core.match") == ""
    fenced = reference.docstring_to_markdown(made)
    assert _EXAMPLE.search(fenced)


def test_picture_of_a_position_in_the_docs_shows_only_what_its_seat_sees() -> None:
    """Before the first choice in Detect no player knows a card, so that two deals give the same picture."""
    page = ">>> from facedown import Match, seed_from_text\n"
    page += '>>> match = Match("detect", 2, {{"initial_discard": "empty"}}, seed_from_text("{seed}"))\n\n'
    page += "<!-- drawn: match, seat 0: A deal -->\n"
    figure_a, figure_b = (
        figures.draw_positions(page.format(seed=seed), "a.md").partition("<figure")[2] for seed in "ab"
    )
    assert figure_a == figure_b != ""


def test_picture_in_a_game_guide_has_a_marker_for_each_annotation_in_its_source() -> None:
    text = figures.guides()["guides/scout.md"]
    page = figures.draw_positions(text, "guides/scout.md")
    name = re.findall(r"@drawn/([\w-]+)\.svg", page)[0]
    first = re.findall(r"```figure\n(.*?)\n```", text, re.DOTALL)[0]
    pins = json.loads(first)["pins"]
    assert len(pins) == 3
    assert figures.pictures[name].count('fill="#1C1917" stroke="#FFFDF8"') == len(pins)


def test_docs_use_no_markdown_extensions_of_the_site_builder() -> None:
    """Pages can therefore also be read as source files."""
    for path in (ROOT / "docs").rglob("*.md"):
        text = re.sub(r"^(```|~~~~?).*?^\1", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
        assert not re.search(r"^(?:!!!|\?\?\?|:::|---$)", text, re.MULTILINE), path.name


def test_site_settings_name_no_remote_font_and_no_repository_address() -> None:
    settings = (ROOT / "mkdocs.yml").read_text("utf-8")
    loaded = yaml.safe_load(settings)
    assert loaded["theme"]["font"] is False
    assert Path(loaded["site_dir"]).parts[0] == "build"
    assert "repo_url" not in loaded, "the theme would ask the forge for its stars"


def test_example_script_becomes_a_page_with_its_title_command_and_code() -> None:
    page = example_pages.page('"""A title.\n\nText.\n"""\n\nimport os\n', "a.py")
    assert page.startswith("# A title\n\nText.\n\n```console\n$ python docs/examples/a.py\n```\n")
    assert page.endswith('```python title="a.py"\nimport os\n```\n')


EXAMPLES = ROOT / "docs" / "examples"
SAYS = {
    "a_rule_change": (300, r"300 matches cannot tell: between [+-]\d+\.\d\d |A seat has [+-]\d+\.\d\d .* 300 "),
    "a_bot": (4, r"Longest won [0-4] of 4 matches against three bots that play at random\.\n"),
}


def test_every_example_of_the_docs_has_an_expected_output() -> None:
    assert {file.stem for file in EXAMPLES.glob("*.py")} == set(SAYS)


@pytest.mark.parametrize("name", SAYS)
def test_example_of_the_docs_prints_its_expected_output(name: str) -> None:
    matches, said = SAYS[name]
    script = f"import runpy; print(runpy.run_path({str(EXAMPLES / name)!r} + '.py')['main']({matches}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert re.match(said, done.stdout), done.stdout


def test_example_bot_of_the_docs_beats_random_play() -> None:
    """Plays twelve matches of four seats. Chance would win three of them."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        import a_bot  # type: ignore[import-not-found]
    finally:
        sys.path.remove(str(EXAMPLES))
    scores = [a_bot.play(seed) for seed in range(12)]
    assert sum(ours > max(others) for ours, *others in scores) >= 8
