"""The privacy page accounts for everything that the database holds."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from facedown.core.language import languages, speaking
from facedown.server.http.privacy import KEPT, privacy_markdown
from facedown.server.http.visitors import COOKIE
from facedown.server.process.settings import ServerSettings
from facedown.store import schema


def test_every_column_is_said_once() -> None:
    """A new column is a new thing that is kept: it has to be told, in every language."""
    columns = {f"{table.name}.{column.name}" for table in schema.metadata.tables.values() for column in table.c}
    told = [column for kept in KEPT for column in kept.columns.split()]
    assert sorted(told) == sorted(set(told)), "told twice"
    assert columns - set(told) == set(), "kept, and not told"
    assert set(told) - columns == set(), "told, and not kept"


@pytest.mark.parametrize("code", languages())
def test_the_page_says_all_of_it(ada: httpx.Client, code: str) -> None:
    page = ada.get("/privacy", params={"lang": code})
    assert page.status_code == 200
    with speaking(code):
        text = privacy_markdown(ServerSettings(database="sqlite://"))
    assert len(re.findall(r"^\* \*\*", text, re.M)) == len(KEPT)
    assert COOKIE in page.text
    assert 'href="/you"' in page.text
    assert COOKIE not in ada.cookies


def test_it_says_for_how_long(ada: httpx.Client) -> None:
    settings: Any = SimpleNamespace(keep_people_days=400, keep_finished_days=1)
    text = privacy_markdown(settings)
    assert "kept for 400 days" in text
    assert "kept for one day" in text
    assert "until somebody deletes it" in privacy_markdown(SimpleNamespace())  # type: ignore[arg-type]


def test_home_and_menu_lead_there(ada: httpx.Client) -> None:
    home = ada.get("/").text
    assert 'href="/privacy"' in home
    assert 'href="/you"' in home


def test_no_page_loads_anything_from_elsewhere(ada: httpx.Client) -> None:
    for path in ("/", "/privacy", "/you"):
        answer = ada.get(path)
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert not re.findall(r'(?:src|href)="(?:https?:)?//(?!127\.0\.0\.1)', answer.text), path
