"""Along the frozen matches everybody sees what they saw when the corpus was frozen, and reads the same log."""

from __future__ import annotations

from typing import Any

import pytest

from tests.corpus import archive, matches, positions, program

FROZEN = list(matches.frozen())


def hashes(line: str) -> tuple[tuple[str, str, str], dict[str, str]]:
    """Split a line of a file of hashes into its position (match, ply, viewer) and the hash of each aspect."""
    name, ply, viewer, *found = line.split(" ")
    return (name, ply, viewer), dict(each.split("=") for each in found)


def frozen_hashes(game: str) -> dict[tuple[str, str, str], dict[str, str]]:
    """Return the frozen hashes of a game, by position."""
    return dict(map(hashes, archive.read_text(f"positions/{game}.txt").splitlines()))


def in_full(at: tuple[str, str, str], aspect: str) -> Any:
    """Return the frozen value of an aspect of a position, or None where only its hash is kept."""
    name, ply, viewer = at
    stored = archive.read_json(f"positions/{name.partition('-')[0]}-full.json.gz")
    return stored.get(f"{name} {ply}", {}).get(viewer, {}).get(aspect)


@pytest.mark.parametrize("name", FROZEN)
def test_everybody_sees_the_frozen_views_and_tables(name: str) -> None:
    frozen = {at: found for at, found in frozen_hashes(name.partition("-")[0]).items() if at[0] == name}
    current = {
        (name, str(ply), viewer): found
        for ply, by_viewer in positions.recorded(name).items()
        for viewer, found in by_viewer.items()
    }
    assert list(current) == list(frozen)
    wrong = []
    for at, expected in frozen.items():
        assert list(current[at]) == list(expected)
        for aspect, value in current[at].items():
            if archive.digest(value) != expected[aspect]:
                stored = in_full(at, aspect)
                where = "only its hash is kept" if stored is None else archive.first_difference(stored, value, aspect)
                wrong.append(f"ply {at[1]}, {at[2]}: {aspect} differs ({where})")
    assert not wrong, "\n".join([name, *wrong[:20], f"({len(wrong)} differences)"])


@pytest.mark.parametrize("game", program.catalogue())
def test_the_values_kept_in_full_have_the_kept_hashes(game: str) -> None:
    """Whatever a test shows as the frozen value is the one that was hashed."""
    kept = frozen_hashes(game)
    stored = archive.read_json(f"positions/{game}-full.json.gz")
    assert len(stored) == len(positions.FULL)
    for position, by_viewer in stored.items():
        name, ply = position.split(" ")
        for viewer, found in by_viewer.items():
            expected = kept[name, ply, viewer]
            assert {aspect: archive.digest(value) for aspect, value in found.items()} == expected


@pytest.mark.parametrize("language", positions.LANGUAGES)
@pytest.mark.parametrize("game", program.catalogue())
def test_everybody_reads_the_frozen_log(game: str, language: str) -> None:
    frozen = archive.read_text(f"positions/{game}-log-{language}.txt.gz").splitlines()
    current = positions.log_text(game, language).splitlines()
    pairs = zip(frozen, current, strict=False)
    at = next((at for at, (one, two) in enumerate(pairs) if one != two), None)
    assert at is None, f"in {_match_at(frozen, at)}, line {at + 1}:\n  frozen  {frozen[at]}\n  current {current[at]}"
    assert len(frozen) == len(current)


def _match_at(lines: list[str], at: int) -> str:
    """Return the name of the match that a line of a log file belongs to."""
    return next(line for line in reversed(lines[: at + 1]) if line.startswith("# ")).removeprefix("# ")
