"""Packaging: source archive, wheel, long description, changelog and citation file."""

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
from tests.project.test_lock_files_and_links import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
#: The pages that readers see first.
FIRST_PAGES = ("README.md", "docs/README.md")
#: The groups of changes in a version, by Keep a Changelog.
GROUPS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
#: Largest size of the source archive, in bytes.
MAX_ARCHIVE_SIZE = 3_600_000
#: The keys required by the Citation File Format 1.2.0, and the optional keys in use.
REQUIRED_KEYS = {"cff-version", "message", "title", "authors"}
ALLOWED_KEYS = REQUIRED_KEYS | {
    "abstract",
    "date-released",
    "doi",
    "keywords",
    "license",
    "repository-code",
    "type",
    "url",
    "version",
}


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The unpacked source archive; the folder has the archive's name."""
    folder = tmp_path_factory.mktemp("sdist")
    build("sdist", ROOT, folder)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    yield folder / archive.name.removesuffix(".tar.gz")
    shutil.rmtree(folder)


def build(target: str, root: Path, into: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(into)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def link_targets(markdown: str) -> list[str]:
    """Return the targets of all links and pictures outside of code."""
    prose = re.sub(r"^```.*?^```$", "", markdown, flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"\]\(([^)\s]+)\)", prose)


@pytest.mark.slow
def test_the_source_archive_is_small_and_complete(unpacked: Path) -> None:
    assert unpacked.parent.joinpath(f"{unpacked.name}.tar.gz").stat().st_size < MAX_ARCHIVE_SIZE
    needed = [*hatch_build.sources(), *map(ROOT.joinpath, ("LICENSE", "README.md", "mkdocs.yml", "CITATION.cff"))]
    needed += [*ROOT.glob("tests/**/*.py"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/examples/*.py")]
    assert [str(file) for file in needed if not (unpacked / file.relative_to(ROOT)).is_file()] == []
    # The pages in it have no links to omitted files.
    for page in [*unpacked.glob("*.md"), *unpacked.glob("docs/**/*.md")]:
        for target in link_targets(page.read_text("utf-8")):
            here = page.parent / target.partition("#")[0]
            assert re.match(r"\w+:|#", target) or here.exists(), f"{page.name} points at {target}"


def test_a_wheel_built_from_the_source_archive_has_the_expected_files_and_metadata(
    unpacked: Path, tmp_path: Path
) -> None:
    # The bundle built here is copied, because the archive holds only its sources and a test may download nothing.
    dist = hatch_build.DIST.relative_to(ROOT)
    shutil.copytree(ROOT / dist, unpacked / dist)
    build("wheel", unpacked, tmp_path)
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
    """Return the README as a package index shows it."""
    return hatch_build.standalone((ROOT / "README.md").read_text("utf-8"))


def test_the_long_description_for_the_package_index_has_absolute_links_only() -> None:
    text = long_description()
    found = [target for target in link_targets(text) if not target.startswith("#")]
    assert found
    assert all(re.match(r"https?://", target) for target in found)
    # The texts of links stay.
    words = re.findall(r"(?<!!)\[([^]]+)\]\((?!https?:)[^)]+\)", (ROOT / "README.md").read_text("utf-8"))
    assert len(words) >= 10
    assert all(word in text for word in words)


def test_code_blocks_do_not_change_when_links_in_the_long_description_are_replaced() -> None:
    assert hatch_build.standalone("```python\na[0](b)\n```\n[a](b)") == "```python\na[0](b)\n```\na"


def test_project_metadata_has_no_urls() -> None:
    assert "urls" not in PROJECT
    assert not re.search(r"https?://", (ROOT / "CITATION.cff").read_text("utf-8"))


def test_readme_and_docs_have_the_same_install_commands() -> None:
    (one, same) = (
        re.findall(r"```console\n.*?```", (ROOT / page).read_text("utf-8"), re.DOTALL) for page in FIRST_PAGES
    )
    assert one[0] == same[0]
    assert "python3 table.py" in one[0]
    assert "pip install facedown-*.whl" in one[0]


def test_the_changelog_follows_keep_a_changelog() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    heads = re.findall(r"^## (.*)$", text, re.MULTILINE)
    released = [head for head in heads if head != "Unreleased"]
    assert heads in (released, ["Unreleased", *released])
    assert all(re.fullmatch(r"\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d", head) for head in released)
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert released[0] == f"{facedown.__version__} - {cited['date-released']}"
    # Every entry is in a group, and each version has each group at most once.
    for part in re.split(r"^## .*$", text, flags=re.MULTILINE)[1:]:
        groups = re.findall(r"^### (.*)$", part, re.MULTILINE)
        assert groups == [group for group in GROUPS if group in groups]
        assert not re.search(r"^\* ", part.partition("###")[0], re.MULTILINE)


def test_the_citation_file_is_valid_and_has_the_current_version() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert set(cited) >= REQUIRED_KEYS
    assert set(cited) <= ALLOWED_KEYS
    assert cited["cff-version"] == "1.2.0"
    assert cited["version"] == facedown.__version__
    # The project's own licence; the wheel also carries parts under other licences.
    assert cited["license"] == PROJECT["license"].partition(" AND ")[0]
    assert cited["type"] == "software"
    assert [author["name"] for author in cited["authors"]] == [author["name"] for author in PROJECT["authors"]]
    assert all(isinstance(word, str) for word in (cited["title"], cited["message"], *cited["keywords"]))
    assert len(set(cited["keywords"])) == len(cited["keywords"])


def test_the_bench_extra_includes_all_packages_that_the_benchmarks_need() -> None:
    """With ``.[bench]``: the project's PettingZoo and Gymnasium environments, and the packages that PettingZoo's own
    games need.
    """
    extras = PROJECT["optional-dependencies"]
    wanted = " ".join([*extras["bench"], *extras["gym"], *extras["openspiel"]])
    assert "facedown[gym,openspiel]" in extras["bench"]
    for package in ("gymnasium", "pettingzoo", "pygame-ce", "pgx", "rlcard", "open-spiel"):
        assert package in wanted
    for page in ("README.md", "docs/research.md"):
        assert "[bench]" in (ROOT / page).read_text("utf-8")
