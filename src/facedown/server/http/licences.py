"""The page of licences of the third-party parts in the web pages."""

from __future__ import annotations

import json
from functools import lru_cache

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from facedown.server import rendering
from facedown.server.http.visitors import Visitor, shell_of
from facedown.server.i18n import _
from facedown.server.rendering.assets import DIST_DIR

router = APIRouter(include_in_schema=False)
#: The licences as JSON, written by the build into the folder of the JavaScript bundle.
LICENCES_FILE = DIST_DIR / "licences.json"


@lru_cache(1)
def entries() -> tuple[dict[str, str], ...]:
    """Return name, version, licence and licence text of each third-party part; empty if the build has not run yet."""
    return tuple(json.loads(LICENCES_FILE.read_text("utf-8"))) if LICENCES_FILE.exists() else ()


def licences_markdown() -> str:
    """Return the licences as Markdown: headings in the current language, licence texts in the original."""
    title, says = (
        _("Licences"),
        _("This site includes free software and fonts made by others, under the licences below."),
    )
    lines = [f"# {title}", "", says, ""]
    for entry in entries():
        indented = "\n".join(f"    {line}".rstrip() for line in entry["text"].splitlines())
        lines += [f"## {entry['name']} {entry['version']} ({entry['licence']})", "", indented, ""]
    return "\n".join(lines)


@router.get("/licences")
async def licences(request: Request, person: Visitor) -> HTMLResponse:
    """Return the page of licences."""
    guide = rendering.guide_html(licences_markdown())
    return HTMLResponse(rendering.guide_page(shell_of(request, person), game="", title=_("Licences"), guide=guide))
