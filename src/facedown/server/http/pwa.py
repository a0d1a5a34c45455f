"""Progressive web app: manifest, icons, service worker, and the page that is shown offline.

All URLs are relative, so the app works under any path prefix.

The service worker is a script that the browser runs in the background to cache pages. It caches only the guides, the
offline page, and the files that these pages load (``web/src/cache_policy.js``). It requests these pages and files
without cookies, so they contain nothing personal. It never caches tables, replays, API responses, or anything else.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from facedown import __version__
from facedown.core import game_registry as registry
from facedown.core.translation import language
from facedown.play import Refusal
from facedown.server import rendering
from facedown.server.http.request_locale import VARY
from facedown.server.http.visitors import parse_bounded_number
from facedown.server.i18n import _
from facedown.server.rendering.app_icons import SIZES, icon_png
from facedown.server.rendering.assets import DIST_DIR, asset_url, preload_font_url, stylesheet_urls
from facedown.server.rendering.design_token_reader import colour

router = APIRouter(include_in_schema=False)

#: Cache header of icons and manifest, which change only with a new version of the program.
A_DAY = "public, max-age=86400"
WORKER = DIST_DIR / "worker.js"
#: Path of the page that the service worker shows while the browser is offline.
OFFLINE = "offline"


@router.get("/manifest.webmanifest")
async def manifest() -> Response:
    """Return the web app manifest, the JSON file that a browser needs to install the app."""
    text = json.dumps(web_app_manifest(), ensure_ascii=False)
    headers = {"cache-control": A_DAY, "vary": VARY}
    return Response(text, media_type="application/manifest+json", headers=headers)


def web_app_manifest() -> dict[str, object]:
    """Return the web app manifest in the current language."""
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
        "description": _("Games of hidden information: invite friends with a link, or take on bots that play to win."),
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
    """Return the app's icon as PNG. `name` is its width in pixels ("192" or "512").

    With the suffix "-maskable", the icon has a margin, so that the system can crop it to any shape.
    """
    size = parse_bounded_number(name.removesuffix("-maskable"), max(SIZES))
    if size not in SIZES:
        raise Refusal("unknown", _("That icon does not exist."))
    png = icon_png(size, name.endswith("-maskable"))
    return Response(png, media_type="image/png", headers={"cache-control": A_DAY})


@router.get("/sw.js")
async def service_worker_script() -> Response:
    """Return the service worker's script, preceded by the list of what it caches in this version and language."""
    if not WORKER.exists():
        raise Refusal("unknown", _("There is nothing at this address."))
    text = f"self.KEPT={json.dumps(precache_manifest(language()))};\n{WORKER.read_text('utf-8')}"
    return Response(text, media_type="text/javascript", headers={"cache-control": "no-cache", "vary": VARY})


def games_with_guides() -> list[str]:
    """Return the names of the installed games that have a guide, in the current language or at least in English.

    The service worker caches these guides, and the offline page links to them.
    """
    return [name for name in registry.catalogue() if registry.guide(name) is not None]


@lru_cache(maxsize=8)
def precache_manifest(spoken: str) -> dict[str, object]:
    """Return the lists of files and pages that the service worker caches, for the language code `spoken`.

    The result also has a version, which differs whenever the program, the files or the guides have changed.
    """
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
    """Return the page that is shown while the browser is offline. It is the same for all visitors."""
    known = registry.catalogue()
    links = tuple((f"/guide/{game}", known[game].title, game) for game in games_with_guides())
    return HTMLResponse(rendering.offline_page(links))
