"""Files that pages load: where they stand, under which address they may be kept, which stylesheet a page needs."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from markupsafe import Markup

SERVER = Path(__file__).parents[1]
#: The folder that is served at ``/static``.
STATIC = SERVER / "static"
#: What the build has made of scripts, styles and letters.
BUILT = STATIC / "dist"
#: In a clone the sources lie beside what was built from them.
CLONE = SERVER.parents[2] / "web"
#: The letters that every page shows at once: asked for before the stylesheet that names them has come.
FIRST_LETTERS = "crimson-pro-latin-600-normal-*.woff2"


@lru_cache(maxsize=64)
def asset(name: str) -> str:
    """The address of a static file, with a mark of its contents, so that it may be cached for good."""
    path = STATIC / name
    mark = hashlib.sha256(path.read_bytes()).hexdigest()[:10] if path.exists() else "none"
    return f"/static/{name}?{mark}"


@lru_cache(maxsize=8)
def stylesheets(kind: str) -> tuple[str, ...]:
    """The addresses of the stylesheets of one kind of page (``"page"``, ``"table"``, ``"replay"``, ``"guide"``), in
    their order.

    It is one small file that the build has made. In a clone where a style was edited since, it is the sources, so that
    an edit shows without a build.
    """
    built = BUILT / f"{kind}.css"
    if built.exists() and not (CLONE.is_dir() and _edited_since(built)):
        return (asset(f"dist/{kind}.css"),)
    return tuple(asset(name) for name in ("dist/fonts.css", f"sheets/{kind}.css"))


def _edited_since(built: Path) -> bool:
    made = built.stat().st_mtime
    return any(source.stat().st_mtime > made for source in STATIC.glob("**/*.css") if source.parent != BUILT)


@lru_cache(maxsize=1)
def first_letters() -> str:
    """The address of the serif's letters, empty where nothing was built."""
    found = sorted(BUILT.glob(FIRST_LETTERS))
    return f"/static/dist/{found[0].name}" if found else ""


def styles(kind: str) -> Markup:
    """The links to the stylesheets of one kind of page."""
    return Markup("\n").join(Markup('<link rel="stylesheet" href="{}">').format(url) for url in stylesheets(kind))
