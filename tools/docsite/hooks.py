"""MkDocs hooks, which add generated pages and assets to the site, resolve links, and insert pictures."""

from __future__ import annotations

import functools
import os
import re
import sys
from html import unescape
from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
for folder in (ROOT, ROOT / "src"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
# Few positions are drawn, so it is faster to interpret the rules than to compile them first.
os.environ.setdefault("FACEDOWN_INTERPRETED", "1")

from tools.docsite import api_pages, example_pages, figures, http_api_page, navigation, signature_wrapping, site_assets  # noqa: E402
from tools.docsite.name_links import link_names  # noqa: E402

#: Pages in the root folder of the repository that belong to the site.
ROOT_PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "THIRD_PARTY.md")
_LINK = re.compile(r"(?<=\]\()(?!\w+:|#|/)([^)#\s]+)(?=[)#])")
_PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\.webp\)")
#: Temporary target of a link to a file that is not on the site. Such a link is then replaced by its text.
NOWHERE = "not-on-the-site"
_UNLINKED = re.compile(rf"\[([^\]]*)\]\({NOWHERE}(?:#[^)]*)?\)")

_CODE = re.compile(r'<div class="[^"]*highlight[^"]*">(.*?)</div>', re.DOTALL)
#: Largest number of lines, and of characters per line, of an example that is shown next to the text.
LINES, SIGNS = 24, 60


@functools.cache
def generated_pages() -> dict[str, str]:
    """Return the pages that are not files in ``docs``: their text by path."""
    found = {page.uri: page.markdown for page in api_pages.pages()}
    found |= {name: (ROOT / name).read_text("utf-8") for name in ROOT_PAGES}
    found[http_api_page.URI] = http_api_page.page()
    return found | example_pages.pages() | figures.guides()


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Set the navigation of the site."""
    # This script makes search work in a site that is opened as local files. The plugin for offline use would load it
    # from the internet.
    config.extra["polyfills"] = ["assets/iframe-worker.js"]
    folder = Path(config.docs_dir)
    files = {str(PurePosixPath(path.relative_to(folder))) for path in folder.rglob("*.md")}
    config.nav = navigation.navigation(files | set(generated_pages()))
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add all generated pages and assets. They replace the written reference pages with the same path."""
    for file in list(files.documentation_pages()):
        if _of_docstrings(file.src_uri):
            files.remove(file)
    for uri, text in generated_pages().items():
        files.append(File.generated(config, uri, content=text))
    for uri, content in site_assets.assets().items():
        files.append(File.generated(config, uri, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Convert the links of a page to links of the site, remove links to files that are not on the site, and draw
    positions.
    """
    uri = page.file.src_uri
    if uri == "README.md":
        page.meta["template"] = "home.html"
        page.meta["hide"] = ["navigation"]
    if not _of_docstrings(uri):
        markdown = link_names(markdown, _address)
    # Remove the second word after the opening of a code block. It is only for the tests that run the code.
    markdown = re.sub(r"^(```\w+) +\w+$", r"\1", markdown, flags=re.MULTILINE)
    beside = uri in ROOT_PAGES
    markdown = _LINK.sub(lambda found: _target(found[1], uri, beside, config, files), markdown)
    markdown = _UNLINKED.sub(r"\1", markdown)
    markdown = _PICTURE.sub(lambda found: _picture_per_theme(found, page, files), markdown)

    return figures.draw_positions(markdown, uri)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Wrap long signatures in the HTML of a page, mark long examples, and insert the paths of pictures."""

    def marked(found: re.Match[str]) -> str:
        return found[0].replace('class="', 'class="long ', 1) if _is_long(found[1]) else found[0]

    html = _CODE.sub(marked, signature_wrapping.fold_signatures(html))
    # Mark sections that have examples. In the layout they start below the examples of the previous section; other
    # sections may start next to these.
    parts = re.split(r"(?=<h2 id=)", html)
    html = "".join(part.replace("<h2 ", '<h2 class="begins" ', 1) if "highlight" in part else part for part in parts)
    # Replace the empty corner cell of a table: it must not be marked up as a heading.
    html = re.sub(r"<th([^>]*)></th>", r"<td\1></td>", html)
    # Remove links from names without a dot, such as `set`, because they would lead to an unrelated heading of the same
    # name.
    html = re.sub(r'<autoref [^>]*identifier="[^".]+"[^>]*>(.*?)</autoref>', r"\1", html)
    return html.replace(figures.PLACE, "../" * page.file.dest_uri.count("/") + figures.FOLDER)


def _is_long(code: str) -> bool:
    lines = re.sub(r"<[^>]*>", "", code).strip().splitlines()
    return len(lines) > LINES or sum(len(unescape(line)) > SIGNS for line in lines) > len(lines) / 3


def _of_docstrings(uri: str) -> bool:
    """Return whether mkdocstrings generates the page with this path. It generates all reference pages except the index,
    the options and the commands.
    """
    return uri.startswith("reference/") and uri not in ("reference/README.md", *navigation.ALONE)


def _address(name: str) -> str | None:
    """Return the full name of a module or object that a page names, relative to ``facedown``; None if the site has no
    page for it.
    """
    full = name if name.startswith("facedown.") else f"facedown.{name}"
    return (
        full if any(full == page.name or full.startswith(f"{page.name}.") for page in api_pages.pages()[1:]) else None
    )


def _target(target: str, uri: str, beside: bool, config: MkDocsConfig, files: Files) -> str:
    """Return the target that a link has on the site, or `NOWHERE` if it leads to an existing file that is not on the
    site.
    """
    base = ROOT if beside else (Path(config.docs_dir) / uri).parent
    path = Path(os.path.normpath(base / target))
    if path.parent == example_pages.FOLDER and path.suffix == ".py":  # Worked examples have a page.
        return str(PurePosixPath(target).with_suffix(".md"))
    for name in ROOT_PAGES:
        if path == ROOT / name:
            return "../" * uri.count("/") + name
    docs = Path(config.docs_dir)
    if path.is_relative_to(docs):
        inside = path.relative_to(docs).as_posix()
        if files.get_file_from_path(inside) is not None or not path.exists():
            return "../" * uri.count("/") + inside if beside else target
    if not path.exists():
        return target
    return NOWHERE


def _picture_per_theme(found: re.Match[str], page: Page, files: Files) -> str:
    """Return the Markdown of a picture. If a dark variant of it exists, both are included, one for each theme."""
    words, name = found[1], found[2]
    dark = os.path.normpath(PurePosixPath(page.file.src_uri).parent / f"{name}-dark.webp")
    if files.get_file_from_path(dark.replace(os.sep, "/")) is None or name.endswith("-dark"):
        return found[0]
    return f"![{words}]({name}.webp#only-light)![{words}]({name}-dark.webp#only-dark)"


def on_env(env: Any, config: MkDocsConfig, files: Files) -> Any:
    """Set the variables of the page templates, and add the files of all pictures that the pages show."""
    for name, svg in figures.pictures.items():
        files.append(File.generated(config, f"{figures.FOLDER}{name}.svg", content=svg))
    env.globals["facedown"] = site_assets.template_variables()
    return env
