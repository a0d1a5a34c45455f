"""The software bill of materials: every shipped package under an allowed licence, with the texts of bundled parts."""

from __future__ import annotations

import importlib.metadata
import json
import re

import hatch_build
import pytest
from scripts import sbom

LOCKED = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", sbom.LOCKED.read_text("utf-8"), re.MULTILINE)


def test_the_sbom_lists_every_locked_package() -> None:
    listed = [(part.name, part.version) for part in sbom.python_parts()]
    assert listed == LOCKED
    assert all(part.hashes for part in sbom.python_parts())


def test_the_sbom_lists_every_bundled_web_package_with_its_licence() -> None:
    maps = (json.loads(made.read_text()) for made in hatch_build.DIST.glob("*.js.map"))
    sources = [source.rpartition("node_modules/") for found in maps for source in found["sources"]]
    inside = {path.split("/dist/")[0] for _before, modules, path in sources if modules}
    letters = {"@fontsource/crimson-pro", "@expo-google-fonts/inter", "@expo-google-fonts/crimson-pro"}
    parts = {part.name: part for part in sbom.bundled_parts()}
    assert set(parts) == inside | letters
    for part in parts.values():
        assert len(part.text) > 400, part.name
        assert "SIL OPEN FONT LICENSE" in part.text.upper() or "Permission to use, copy, modify" in part.text


def test_the_sbom_has_only_allowed_licences() -> None:
    assert sbom.disallowed_licences([*sbom.python_parts(), *sbom.bundled_parts()]) == []
    assert sbom.disallowed_licences([sbom.Part("x", "1", "GPL-3.0-only", "pypi")]) == ["x: GPL-3.0-only"]
    assert sbom.disallowed_licences([sbom.Part("x", "1", "MIT AND AGPL-3.0-only", "pypi")]) != []


def test_licences_in_the_sbom_equal_the_package_metadata() -> None:
    compared = 0
    for part in sbom.python_parts():
        try:
            own = importlib.metadata.distribution(part.name)
        except importlib.metadata.PackageNotFoundError:
            continue
        said = own.metadata.get("License-Expression")
        if own.version == part.version and said:
            assert part.licence == said, part.name
            compared += 1
    assert compared > 10


@pytest.mark.slow
def test_the_sbom_is_valid_cyclonedx() -> None:
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    told = sbom.description([*sbom.bundled_parts(), *sbom.python_parts()], "1")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(json.dumps(told)) is None


def test_the_licence_page_is_up_to_date() -> None:
    assert sbom.PAGE.read_text("utf-8") == sbom.page(), "run: python scripts/sbom.py --page"
