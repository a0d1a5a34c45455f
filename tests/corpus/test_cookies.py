"""Cookies of a browser from the frozen commit: they are understood, and written under the same names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.corpus import archive, cookies, program

HONOURED: dict[str, Any] = archive.read_json("honoured/server.json")


@pytest.fixture(scope="module")
def server() -> Iterator[program.Server]:
    with cookies.serve() as running:
        yield running


def test_server_interprets_cookies_of_an_earlier_version_as_before(server: program.Server) -> None:
    archive.check(cookies.server_file(server))


def test_server_sets_the_same_cookies_as_a_recorded_earlier_version(server: program.Server) -> None:
    found = cookies.of_the_server(server)
    assert found
    assert found == [one for one in cookies.WRITTEN if "max-age" in one]


def test_every_recorded_cookie_that_the_server_reads_has_an_effect() -> None:
    """Otherwise a cookie that is no longer read would pass."""
    differs = {name for name, found in HONOURED.items() if found != HONOURED[""]}
    only_in_the_page = {one["name"] for one in cookies.WRITTEN} - differs
    assert only_in_the_page == {"facedown-pace", "facedown-sound", "facedown-vibration"}


@pytest.mark.slow
@pytest.mark.browser
def test_page_script_reads_and_writes_the_cookies_of_an_earlier_version_as_before(
    server: program.Server, chromium_once: Browser
) -> None:
    frozen = archive.read_json("honoured/page.json")
    assert frozen["all"] != frozen["none"]
    archive.check(cookies.page_file(chromium_once, server))
    written = [one for one in cookies.WRITTEN if "max-age" not in one]
    wrong = archive.first_difference(written, cookies.of_the_page(chromium_once, server))
    assert not wrong, wrong
