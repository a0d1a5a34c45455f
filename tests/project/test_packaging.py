"""What leaves the house: the source archive, the wheel that can be made of it, what an index shows, how to cite it."""

from __future__ import annotations

import email
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import hatch_build
import pytest
import yaml
from scripts import sbom

import facedown
from tests.project.test_files import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
#: The pages that are read first.
FIRST_PAGES = ("README.md", "docs/README.md")
#: The groups of changes in a version, as Keep a Changelog has them.
GROUPS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
#: The most that the source archive may weigh, in bytes.
MOST = 3_000_000
#: What the Citation File Format 1.2.0 asks for, and the further keys that are used here.
ASKED = {"cff-version", "message", "title", "authors"}
KNOWN = ASKED | {"abstract", "date-released", "doi", "keywords", "license", "repository-code", "type", "url", "version"}


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The source archive, unpacked; its name is that of the folder."""
    folder = tmp_path_factory.mktemp("sdist")
    hatchling("sdist", ROOT, folder)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    yield folder / archive.name.removesuffix(".tar.gz")
    shutil.rmtree(folder)


def hatchling(target: str, root: Path, into: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(into)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def links(markdown: str) -> list[str]:
    """The targets of all links and pictures outside of code."""
    prose = re.sub(r"^```.*?^```$", "", markdown, flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"\]\(([^)\s]+)\)", prose)


@pytest.mark.slow
def test_the_source_archive_is_small_and_whole(unpacked: Path) -> None:
    assert unpacked.parent.joinpath(f"{unpacked.name}.tar.gz").stat().st_size < MOST
    needed = [*hatch_build.sources(), *map(ROOT.joinpath, ("LICENSE", "README.md", "mkdocs.yml", "CITATION.cff"))]
    needed += [*ROOT.glob("tests/**/*.py"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/examples/*.py")]
    assert [str(file) for file in needed if not (unpacked / file.relative_to(ROOT)).is_file()] == []
    # The pages in it point at nothing that was left out.
    for page in [*unpacked.glob("*.md"), *unpacked.glob("docs/**/*.md")]:
        for target in links(page.read_text("utf-8")):
            here = page.parent / target.partition("#")[0]
            assert re.match(r"\w+:|#", target) or here.exists(), f"{page.name} points at {target}"


def test_a_wheel_is_built_from_the_source_archive(unpacked: Path, tmp_path: Path) -> None:
    # The bundle as it was built here: the archive holds what it is made of, and a test may fetch nothing.
    dist = hatch_build.DIST.relative_to(ROOT)
    shutil.copytree(ROOT / dist, unpacked / dist)
    hatchling("wheel", unpacked, tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
        told = email.message_from_bytes(packed.read(f"facedown-{facedown.__version__}.dist-info/METADATA"))
    assert {"facedown/server/static/dist/facedown.js", "facedown/py.typed"} <= names
    assert any(name.endswith(".mo") for name in names)
    payload = told.get_payload(decode=True)
    assert isinstance(payload, bytes)
    assert told["Version"] == facedown.__version__
    carried = {part.licence for part in sbom.bundled_parts()}
    assert told["License-Expression"].split(" AND ") == ["MIT", *sorted(carried)]
    listed = re.findall(r"^\|[^|]+\|[^|]+\| ([^|]+) \|$", sbom.page().partition("## Python")[0], re.MULTILINE)
    assert carried == set(listed) - {"licence", "---"} == {"0BSD", "OFL-1.1"}
    files = told.get_all("License-File") or ()
    assert set(files) == {"LICENSE", "THIRD_PARTY.md"}
    assert {f"facedown-{facedown.__version__}.dist-info/licenses/{file}" for file in files} <= names
    assert "facedown/server/static/dist/licences.json" in names
    assert told["Description-Content-Type"] == "text/markdown"
    assert payload.decode().strip() == long_description().strip()


def long_description() -> str:
    """The README as an index shows it."""
    return hatch_build.standalone((ROOT / "README.md").read_text("utf-8"))


def test_an_index_shows_the_readme_with_links_that_lead_somewhere() -> None:
    text = long_description()
    found = [target for target in links(text) if not target.startswith("#")]
    assert found
    assert all(re.match(r"https?://", target) for target in found)
    # The words of a link stay.
    words = re.findall(r"(?<!!)\[([^]]+)\]\((?!https?:)[^)]+\)", (ROOT / "README.md").read_text("utf-8"))
    assert len(words) >= 10
    assert all(word in text for word in words)


def test_code_in_the_readme_is_left_as_it_is() -> None:
    assert hatch_build.standalone("```python\na[0](b)\n```\n[a](b)") == "```python\na[0](b)\n```\na"


def test_no_address_is_named_that_is_not_ours() -> None:
    assert "urls" not in PROJECT
    assert not re.search(r"https?://", (ROOT / "CITATION.cff").read_text("utf-8"))


def test_the_first_pages_say_alike_how_to_get_it() -> None:
    (one, same) = (
        re.findall(r"```console\n.*?```", (ROOT / page).read_text("utf-8"), re.DOTALL) for page in FIRST_PAGES
    )
    assert one[0] == same[0]
    assert "python3 table.py" in one[0]
    assert "pip install facedown-*.whl" in one[0]


def test_the_changelog_has_its_form() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    heads = re.findall(r"^## (.*)$", text, re.MULTILINE)
    released = [head for head in heads if head != "Unreleased"]
    assert heads in (released, ["Unreleased", *released])
    assert all(re.fullmatch(r"\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d", head) for head in released)
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert released[0] == f"{facedown.__version__} - {cited['date-released']}"
    # Every entry is in a group, and each version has each group once.
    for part in re.split(r"^## .*$", text, flags=re.MULTILINE)[1:]:
        groups = re.findall(r"^### (.*)$", part, re.MULTILINE)
        assert groups == [group for group in GROUPS if group in groups]
        assert not re.search(r"^\* ", part.partition("###")[0], re.MULTILINE)


def test_the_citation_is_one_and_of_this_version() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert set(cited) >= ASKED
    assert set(cited) <= KNOWN
    assert cited["cff-version"] == "1.2.0"
    assert cited["version"] == facedown.__version__
    # What is ours; the wheel carries parts of others beside it.
    assert cited["license"] == PROJECT["license"].partition(" AND ")[0]
    assert cited["type"] == "software"
    assert [author["name"] for author in cited["authors"]] == [author["name"] for author in PROJECT["authors"]]
    assert all(isinstance(word, str) for word in (cited["title"], cited["message"], *cited["keywords"]))
    assert len(set(cited["keywords"])) == len(cited["keywords"])


def test_the_documented_install_has_all_that_the_benchmarks_import() -> None:
    """With ``.[bench]``: ours for PettingZoo and Gymnasium, and what PettingZoo's own games need."""
    extras = PROJECT["optional-dependencies"]
    wanted = " ".join([*extras["bench"], *extras["gym"], *extras["openspiel"]])
    assert "facedown[gym,openspiel]" in extras["bench"]
    for package in ("gymnasium", "pettingzoo", "pygame-ce", "pgx", "rlcard", "open-spiel"):
        assert package in wanted
    for page in ("README.md", "docs/research.md"):
        assert "[bench]" in (ROOT / page).read_text("utf-8")
