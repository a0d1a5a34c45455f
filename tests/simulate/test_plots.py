"""Plot files: all are written, equal findings give equal files, and one line says that Matplotlib is missing."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from facedown.simulate import plots
from facedown.simulate.plot_geometry import stacked_bar_parts
from tests.simulate.sample_findings import alone, changed, compared, made


def test_every_plot_is_written_as_png_and_as_svg(tmp_path: Path) -> None:
    written = plots.save_plots(compared(), tmp_path / "new")
    assert sorted({path.stem for path in written}) == ["figures", "length-decisions", "length-rounds", "luck", "seats"]
    assert sorted(tmp_path.glob("new/*")) == sorted(written)
    for path in written:
        start = path.read_bytes()[:200]
        assert start.startswith(b"\x89PNG") if path.suffix == ".png" else b"<?xml" in start
    drawing = (tmp_path / "new" / "figures.svg").read_text(encoding="utf-8")
    # Words stay text, and significant figures have the game's accent colour.
    assert "Penalties" in drawing
    assert "#1c5c68" in drawing


@pytest.mark.slow
def test_plots_highlight_nothing_without_significant_results_and_are_identical_when_repeated(tmp_path: Path) -> None:
    """Without a significant figure, no accent colour is used. Equal files suit version control."""
    plots.save_plots(made("unclear"), tmp_path)
    assert "#1c5c68" not in (tmp_path / "figures.svg").read_text(encoding="utf-8")
    assert {path.stem for path in plots.save_plots(alone(), tmp_path / "a")} >= {"figures", "seats", "luck"}
    assert {path.stem for path in plots.save_plots(made("together"), tmp_path / "b")} >= {"figures", "length-decisions"}
    for path in plots.save_plots(alone(), tmp_path / "again"):
        assert path.read_bytes() == (tmp_path / "a" / path.name).read_bytes(), path.name


def test_legend_of_the_variance_shares_names_the_parts_of_the_bar_in_their_colours() -> None:
    """A part of 0 has no place in the bar, so the legend leaves it out."""
    from matplotlib.figure import Figure

    side = alone().sides[0]
    first, *others = side.select_by_key("luck.")
    none = changed(side, **{first.key: replace(first.value, mean=0.0)})
    for sides, named in (([none], others), ([none, side], [*others, first])):
        figure = Figure()
        plots._draw_variance_shares(figure, sides, "#1c5c68")
        (axes,) = figure.axes
        handles, labels = axes.get_legend_handles_labels()
        assert labels == [part.label for part in named]
        drawn = [bar[0] for bar in handles]
        assert [bar.get_width() for bar in drawn[: len(others)]] == [
            pytest.approx(wide) for _key, _left, wide, _words in stacked_bar_parts(none.select_by_key("luck."))
        ]


def test_missing_matplotlib_raises_an_error_that_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(plots.NoPlots, match=r'pip install "facedown\[lab\]"'):
        plots.save_plots(compared(), tmp_path / "new")
    assert not (tmp_path / "new").exists()
