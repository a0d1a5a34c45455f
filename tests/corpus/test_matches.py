"""The frozen match files load, replay to their results, and are written back to the same bytes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.corpus import archive, program

FROZEN = archive.match_files()


@pytest.mark.parametrize("name", FROZEN)
def test_match_file_of_an_earlier_version_is_written_back_byte_for_byte(name: str) -> None:
    found = program.read_match_file(FROZEN[name])
    written = program.write_match_file(found.match, found.names, found.bots, found.date, found.note)
    archive.check({f"matches/{name}.match": written.encode()})


@pytest.mark.parametrize("name", FROZEN)
def test_match_file_of_an_earlier_version_replays_to_the_result_written_in_it(name: str) -> None:
    """The test reads the result from the file's text, without the program."""
    result = next(line for line in FROZEN[name].splitlines() if line.startswith("Result: "))
    match = program.read_match_file(FROZEN[name]).match
    assert match.over
    scores = ", ".join(f"P{seat} {score:g}" for seat, score in enumerate(match.returns))
    assert result == f"Result: {'abandoned' if match.abandoned else scores}"


def test_recorded_match_files_cover_every_game_with_fewest_and_most_players() -> None:
    assert {name.partition("-")[0] for name in FROZEN} == set(program.catalogue())
    for game, info in program.catalogue().items():
        sizes = {name for name in FROZEN if name.startswith(f"{game}-default-")}
        assert sizes == {f"{game}-default-{seats}" for seats in info.seats}


def test_only_the_module_program_py_of_these_tests_imports_the_package_facedown() -> None:
    """A rename then changes that module only, and no expectation."""
    here = Path(__file__).parent
    sources = {path.name: path.read_text("utf-8") for path in here.glob("*.py")}
    importing = [name for name, text in sources.items() if re.search(r"(?m)^\s*(from|import) facedown", text)]
    assert importing == ["program.py"]
