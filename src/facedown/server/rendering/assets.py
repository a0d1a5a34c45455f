"""Files that pages load: where they stand, under which address they may be kept, which stylesheet a page needs."""

from __future__ import annotations

import hashlib
import io
import json
from functools import lru_cache
from pathlib import Path

from markupsafe import Markup

from facedown.core.game_registry import art, catalogue
from facedown.core.language import SOURCE_LANGUAGE, language, languages, parse_catalogue
from facedown.server.rendering.base_path import root
from facedown.server.rendering.piece_svg import css_of

SERVER = Path(__file__).parents[1]
#: The folder that is served at ``/static``.
STATIC = SERVER / "static"
#: What the build has made of scripts, styles and letters.
DIST_DIR = STATIC / "dist"
#: The kinds of pages that have a stylesheet each.
PAGE_KINDS = ("page", "home", "table", "lesson", "replay", "guide")
#: In a clone the sources lie beside what was built from them.
WEB_SOURCE_DIR = SERVER.parents[2] / "web"
#: The letters that every page shows at once: asked for before the stylesheet that names them has come.
PRELOAD_FONT_PATTERN = "crimson-pro-latin-600-normal-*.woff2"
#: What each kind of static file is, by the ending of its name.
MEDIA_TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "map": "application/json",
    "svg": "image/svg+xml",
    "ttf": "font/ttf",
    "txt": "text/plain; charset=utf-8",
    "woff2": "font/woff2",
}
#: Styles of all registered games, where the build's are not served: a clone whose styles were edited since.
GAMES_CSS = "games.css"


def hashed_url(name: str, content: bytes) -> str:
    """The address of a static file, with a mark of its contents, so that it may be cached for good."""
    return f"/static/{name}?{hashlib.sha256(content).hexdigest()[:10]}"


@lru_cache(maxsize=64)
def asset_url(name: str) -> str:
    """The address of a static file that lies there, marked."""
    path = STATIC / name
    return hashed_url(name, path.read_bytes()) if path.exists() else f"/static/{name}?none"


def media_type(name: str) -> str:
    """The media type of a static file, whatever the registry of this machine calls it."""
    return MEDIA_TYPES[name.rpartition(".")[2]]


@lru_cache(maxsize=16)
def generated_file(name: str) -> bytes | None:
    """A static file that does not lie in the folder as it is served; None for one that does.

    A stylesheet of the build is served with the styles of all registered games before its own: they come from the
    games' art, and games may have been installed since the build.
    """
    kind = name.removeprefix("dist/").removesuffix(".css")
    built = DIST_DIR / f"{kind}.css"
    games = "".join(f"{css_of(art(game))}\n" for game in catalogue()).encode()
    if name == GAMES_CSS:
        return games
    code = name.removeprefix("texts/").removesuffix(".js")
    if name == f"texts/{code}.js" and code != SOURCE_LANGUAGE and code in languages():
        return f"globalThis.facedownTexts={json.dumps(script_translations(code), ensure_ascii=False)};\n".encode()
    if name == f"dist/{kind}.css" and kind in PAGE_KINDS and built.exists():
        return games + built.read_bytes()
    return None


def script_translations(code: str) -> dict[str, str | dict[str, str]]:
    """What the script says in a language: each text, or the forms of a counted one by CLDR's plural categories."""
    from babel import Locale
    from babel.messages.pofile import read_po

    path = SERVER / "locale" / "web" / f"{code}.po"
    if not path.exists():
        return {}
    written, locale = path.read_bytes(), Locale.parse(code)
    said = parse_catalogue(written, code)
    texts: dict[str, str | dict[str, str]] = {}
    for message in read_po(io.BytesIO(written), locale=code):
        if message.id and isinstance(message.id, str):
            texts[message.id] = said.gettext(message.id)
        elif message.id:
            one, many = message.id
            texts[one] = {locale.plural_form(count): said.ngettext(one, many, count) for count in range(200)}
    return texts


def script_translations_tag() -> Markup:
    """The link to what the script says in the language that is spoken; none where it is the script's own."""
    name = f"texts/{language()}.js"
    made = generated_file(name) if language() != SOURCE_LANGUAGE else None
    if made is None:
        return Markup("")
    return Markup('<script type="module" src="{}"></script>\n').format(root() + hashed_url(name, made))


@lru_cache(maxsize=8)
def stylesheet_urls(kind: str) -> tuple[str, ...]:
    """The addresses of the stylesheets of one kind of page (one of `PAGE_KINDS`), in their order.

    It is one small file that the build has made, with the games' styles in it. In a clone where a style was edited
    since, it is the sources, so that an edit shows without a build.
    """
    name = f"dist/{kind}.css"
    built = generated_file(name)
    if built is not None and not (WEB_SOURCE_DIR.is_dir() and _has_newer_sources(DIST_DIR / f"{kind}.css")):
        return (hashed_url(name, built),)
    games = generated_file(GAMES_CSS) or b""
    return (asset_url("dist/fonts.css"), hashed_url(GAMES_CSS, games), asset_url(f"sheets/{kind}.css"))


def _has_newer_sources(built: Path) -> bool:
    made = built.stat().st_mtime
    return any(source.stat().st_mtime > made for source in STATIC.glob("**/*.css") if source.parent != DIST_DIR)


@lru_cache(maxsize=1)
def preload_font_url() -> str:
    """The address of the serif's letters, empty where nothing was built."""
    found = sorted(DIST_DIR.glob(PRELOAD_FONT_PATTERN))
    return f"/static/dist/{found[0].name}" if found else ""


def stylesheet_links(kind: str) -> Markup:
    """The links to the stylesheets of one kind of page."""
    return Markup("\n").join(
        Markup('<link rel="stylesheet" href="{}">').format(root() + url) for url in stylesheet_urls(kind)
    )
