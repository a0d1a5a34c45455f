"""What others made of what is in our pages, and the licences that travel with it."""

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
#: Written by the build beside the bundle.
LICENCES_FILE = DIST_DIR / "licences.json"


@lru_cache(1)
def entries() -> tuple[dict[str, str], ...]:
    """Name, version, licence and its text of each part of the bundle; nothing in a clone that was never built."""
    return tuple(json.loads(LICENCES_FILE.read_text("utf-8"))) if LICENCES_FILE.exists() else ()


def licences_markdown() -> str:
    """The licences as Markdown, in the language that is spoken; the texts themselves as they were given."""
    title, says = _("Licences"), _("Parts of these pages were made by others and are free for everybody to use.")
    lines = [f"# {title}", "", says, ""]
    for entry in entries():
        indented = "\n".join(f"    {line}".rstrip() for line in entry["text"].splitlines())
        lines += [f"## {entry['name']} {entry['version']} ({entry['licence']})", "", indented, ""]
    return "\n".join(lines)


@router.get("/licences")
async def licences(request: Request, person: Visitor) -> HTMLResponse:
    """The page of licences."""
    guide = rendering.guide_html(licences_markdown())
    return HTMLResponse(rendering.guide_page(shell_of(request, person), game="", title=_("Licences"), guide=guide))
