"""Facedown as an app: its manifest, its icons, its service worker, and the page for a time without a connection.

All addresses in them are relative: they hold below any path that the server is mounted at. What the worker may keep is
an allow-list (``web/src/cache_policy.js``): the guides, the page without a connection and the files that these load,
fetched for nobody in particular. Tables, replays, the API and whatever else is somebody's own is never kept.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from facedown import __version__
from facedown.core import game_registry as registry
from facedown.core.language import language
from facedown.play import Refusal
from facedown.server import rendering
from facedown.server.http.request_locale import VARY
from facedown.server.http.visitors import parse_bounded_number
from facedown.server.i18n import _
from facedown.server.rendering.app_icons import SIZES, icon_png
from facedown.server.rendering.assets import DIST_DIR, asset_url, preload_font_url, stylesheet_urls
from facedown.server.rendering.design_tokens import colour

router = APIRouter(include_in_schema=False)

#: Icons and manifest change with the program alone.
A_DAY = "public, max-age=86400"
WORKER = DIST_DIR / "worker.js"
#: The page that is shown in place of any other when there is no connection.
OFFLINE = "offline"


@router.get("/manifest.webmanifest")
async def manifest() -> Response:
    """What a browser needs to install the app."""
    text = json.dumps(manifest_of(), ensure_ascii=False)
    headers = {"cache-control": A_DAY, "vary": VARY}
    return Response(text, media_type="application/manifest+json", headers=headers)


def manifest_of() -> dict[str, object]:
    """The manifest in the language that is spoken."""
    icons: list[dict[str, str]] = [
        {"src": f"icons/{size}{name}.png", "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for size in SIZES
        for name, purpose in (("", "any"), ("-maskable", "maskable"))
    ]
    icons.append({"src": asset_url("icon.svg").lstrip("/"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"})
    dark = {"theme_color": colour("bg", "dark"), "background_color": colour("bg", "dark")}
    return {
        "id": "./",
        "name": "Facedown",
        "short_name": "Facedown",
        "description": _("Games of what you don’t know: with friends by link, or against bots that play to win."),
        "lang": language(),
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "categories": ["games"],
        "theme_color": colour("bg"),
        "background_color": colour("bg"),
        "user_preferences": {"color_scheme": {"dark": dark}},
        "icons": icons,
    }


@router.get("/icons/{name}.png")
async def app_icon(name: str) -> Response:
    """The app's icon, 192 or 512 pixels wide; ``-maskable`` for one that may be cut to any shape."""
    size = parse_bounded_number(name.removesuffix("-maskable"), max(SIZES))
    if size not in SIZES:
        raise Refusal("unknown", _("There is no such icon."))
    png = icon_png(size, name.endswith("-maskable"))
    return Response(png, media_type="image/png", headers={"cache-control": A_DAY})


@router.get("/sw.js")
async def worker() -> Response:
    """The service worker with what it may keep in this version and language."""
    if not WORKER.exists():
        raise Refusal("unknown", _("There is nothing at this address."))
    text = f"self.KEPT={json.dumps(precache_manifest(language()))};\n{WORKER.read_text('utf-8')}"
    return Response(text, media_type="text/javascript", headers={"cache-control": "no-cache", "vary": VARY})


def games_with_guides() -> list[str]:
    """The games whose guides can be read."""
    return [name for name in registry.catalogue() if registry.guide(name) is not None]


@lru_cache(maxsize=8)
def precache_manifest(spoken: str) -> dict[str, object]:
    """What the worker keeps: the files that guides load, the guides, and a version that changes with any of them."""
    letters = [f"/static/dist/{path.name}" for path in sorted(DIST_DIR.glob("*-latin-[0-9]*.woff2"))]
    styles = [*stylesheet_urls("guide"), *stylesheet_urls("page")]
    shell = [
        asset_url("dist/facedown.js"),
        asset_url("icon.svg"),
        asset_url("icon-turn.svg"),
        preload_font_url(),
        *styles,
        *letters,
    ]
    files = [url.lstrip("/") for url in dict.fromkeys(shell) if url]
    games = games_with_guides()
    mark = hashlib.sha256(repr((__version__, spoken, files)).encode())
    for game in games:
        mark.update((registry.guide(game) or "").encode())
    if WORKER.exists():
        mark.update(WORKER.read_bytes())
    return {
        "version": mark.hexdigest()[:12],
        "language": spoken,
        "files": files,
        "pages": [f"guide/{game}" for game in games],
        "offline": OFFLINE,
    }


@router.get(f"/{OFFLINE}")
async def offline(request: Request) -> HTMLResponse:
    """What is shown in place of a page that cannot be fetched. It knows nobody: it is the same for all."""
    known = registry.catalogue()
    links = tuple((f"/guide/{game}", known[game].title, game) for game in games_with_guides())
    return HTMLResponse(rendering.offline_page(links))
