"""Page that lists the third-party libraries and fonts which the web pages contain, with their licences."""

from __future__ import annotations

import json
from functools import lru_cache

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from facedown.server import rendering
from facedown.server.http.visitors import Visitor, page_shell_data_of
from facedown.server.i18n import _
from facedown.server.rendering.assets import DIST_DIR

router = APIRouter(include_in_schema=False)
#: The licences as JSON, written by the build into the folder of the JavaScript bundle.
LICENCES_FILE = DIST_DIR / "licences.json"


@lru_cache(1)
def licence_entries() -> tuple[dict[str, str], ...]:
    """Return the name, version, licence and licence text of each third-party library and font in the web pages.

    The result is empty if the build of the web pages has not run yet.
    """
    return tuple(json.loads(LICENCES_FILE.read_text("utf-8"))) if LICENCES_FILE.exists() else ()


def licences_markdown() -> str:
    """Return all licences as one Markdown text: headings in the current language, licence texts in the original."""
    title, says = (
        _("Licences"),
        _("This site includes free software and fonts made by others, under the licences below."),
    )
    lines = [f"# {title}", "", says, ""]
    for entry in licence_entries():
        indented = "\n".join(f"    {line}".rstrip() for line in entry["text"].splitlines())
        lines += [f"## {entry['name']} {entry['version']} ({entry['licence']})", "", indented, ""]
    return "\n".join(lines)


@router.get("/licences")
async def licences(request: Request, person: Visitor) -> HTMLResponse:
    """Return the page that lists the third-party libraries and fonts in the web pages, with their licences."""
    guide = rendering.guide_html(licences_markdown())
    return HTMLResponse(
        rendering.guide_page(page_shell_data_of(request, person), game="", title=_("Licences"), guide=guide)
    )
