"""Static files of the pages: folders, addresses with a content hash, and the stylesheets of each kind of page."""

from __future__ import annotations

import hashlib
import io
import json
from functools import lru_cache
from pathlib import Path

from markupsafe import Markup

from facedown.core.game_registry import art, catalogue
from facedown.core.translation import SOURCE_LANGUAGE, language, languages, parse_catalogue
from facedown.server.rendering.base_path import root
from facedown.server.rendering.piece_svg import game_css_of

SERVER = Path(__file__).parents[1]
#: Folder that is served at ``/static``.
STATIC = SERVER / "static"
#: Folder of the built scripts, stylesheets and fonts.
DIST_DIR = STATIC / "dist"
#: Kinds of pages; each has a stylesheet of its own.
PAGE_KINDS = ("page", "home", "table", "lesson", "replay", "guide")
#: Folder of the web sources. It exists in a clone of the repository only, not in an installed package.
WEB_SOURCE_DIR = SERVER.parents[2] / "web"
#: File name pattern of the headings' font. Pages preload it, because the stylesheet that refers to it arrives later.
PRELOAD_FONT_PATTERN = "crimson-pro-latin-600-normal-*.woff2"
#: Media types of static files by file name extension.
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
#: Name of the stylesheet with the styles of all registered games. Pages link to it only during development, when CSS
#: sources have been edited since the last build. Otherwise its content is part of each built stylesheet.
GAMES_CSS = "games.css"


def hashed_url_without_base_path(name: str, content: bytes) -> str:
    """Return the address of the static file `name` below the application's root, such as "/static/games.css?0a1b".

    The query is a hash of `content`, the file's contents, so that browsers may cache the file forever. Callers add the
    application's base path (`base_path.root`) when they write the address into a page.
    """
    return f"/static/{name}?{hashlib.sha256(content).hexdigest()[:10]}"


@lru_cache(maxsize=64)
def asset_url(name: str) -> str:
    """Return the address of a file in `STATIC`, without the application's base path.

    The address ends with a hash of the file's contents or, if the file does not exist, with "?none".
    """
    path = STATIC / name
    return hashed_url_without_base_path(name, path.read_bytes()) if path.exists() else f"/static/{name}?none"


def media_type(name: str) -> str:
    """Return the media type of a static file, regardless of the operating system's settings."""
    return MEDIA_TYPES[name.rpartition(".")[2]]


@lru_cache(maxsize=16)
def generated_file(name: str) -> bytes | None:
    """Return the contents of a static file that is generated when it is requested; None if `name` is no such file.

    The generated files are:

    * `GAMES_CSS`: the styles of all registered games.
    * ``texts/CODE.js``: the client's translations into the language with this code.
    * ``dist/KIND.css``: all styles for pages of the kind KIND (one of `PAGE_KINDS`). They are the styles of all
      registered games, followed by the stylesheet that the front-end build has made. The build cannot include the
      games' styles, because a game may be installed later.
    """
    kind = name.removeprefix("dist/").removesuffix(".css")
    built = DIST_DIR / f"{kind}.css"
    games = "".join(f"{game_css_of(art(game))}\n" for game in catalogue()).encode()
    if name == GAMES_CSS:
        return games
    code = name.removeprefix("texts/").removesuffix(".js")
    if name == f"texts/{code}.js" and code != SOURCE_LANGUAGE and code in languages():
        return f"globalThis.facedownTexts={json.dumps(script_translations(code), ensure_ascii=False)};\n".encode()
    if name == f"dist/{kind}.css" and kind in PAGE_KINDS and built.exists():
        return games + built.read_bytes()
    return None


def script_translations(code: str) -> dict[str, str | dict[str, str]]:
    """Return the client's translations into the language `code`, by English text.

    A translation is a string or, for a text with a count, a dictionary of strings by CLDR plural category.
    """
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
    """Return the script element that loads the client's translations for the current language; empty for English."""
    name = f"texts/{language()}.js"
    made = generated_file(name) if language() != SOURCE_LANGUAGE else None
    if made is None:
        return Markup("")
    url = hashed_url_without_base_path(name, made)
    return Markup('<script type="module" src="{}"></script>\n').format(root() + url)


@lru_cache(maxsize=8)
def stylesheet_urls(kind: str) -> tuple[str, ...]:
    """Return the addresses of the stylesheets for pages of the kind `kind` (one of `PAGE_KINDS`), in loading order.

    Normally this is only one address, that of a stylesheet with all styles for these pages (`generated_file`).

    The addresses of three stylesheets are returned instead if there is no built stylesheet, or if CSS sources have been
    edited since the last build. The three stylesheets are the fonts, the styles of the games, and the CSS source for
    this kind of page. So developers see an edit after a restart of the server, without a build.

    The addresses lack the application's base path (`base_path.root`).
    """
    name = f"dist/{kind}.css"
    built = generated_file(name)
    if built is not None and not (WEB_SOURCE_DIR.is_dir() and _has_newer_sources(DIST_DIR / f"{kind}.css")):
        return (hashed_url_without_base_path(name, built),)
    games = generated_file(GAMES_CSS) or b""
    return (
        asset_url("dist/fonts.css"),
        hashed_url_without_base_path(GAMES_CSS, games),
        asset_url(f"sheets/{kind}.css"),
    )


def _has_newer_sources(built: Path) -> bool:
    made = built.stat().st_mtime
    return any(source.stat().st_mtime > made for source in STATIC.glob("**/*.css") if source.parent != DIST_DIR)


@lru_cache(maxsize=1)
def preload_font_url() -> str:
    """Return the address of the headings' font file, without the application's base path.

    Return "" if the static files have not been built.
    """
    found = sorted(DIST_DIR.glob(PRELOAD_FONT_PATTERN))
    return f"/static/dist/{found[0].name}" if found else ""


def stylesheet_links(kind: str) -> Markup:
    """Return the ``<link>`` elements of the stylesheets for pages of the kind `kind` (one of `PAGE_KINDS`)."""
    return Markup("\n").join(
        Markup('<link rel="stylesheet" href="{}">').format(root() + url) for url in stylesheet_urls(kind)
    )
