"""URLs of the server start with the base path, so that it works below a path of its host."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "src" / "facedown" / "server" / "templates"
#: Attributes with URLs that a browser fetches or opens.
URL_ATTRIBUTE = re.compile(r'\b(?:href|src|action|formaction|poster|data-live|data-turn|data-share)="([^"]*)')
#: A fragment of the page, or a URL that starts with the base path or with scheme and host.
VALID_URL = re.compile(
    r"#|\{\{ root\(\) \}\}|\{\{ shell\.root \}\}|\{\{ lobby\.link \}\}|\{% if share %\}\{\{ root\(\) \}\}"
)
#: In a script: a path of the server that is neither passed to `appUrl` nor appended to `root`.
WRONG_SCRIPT_URL = re.compile(
    r"""(?<!appUrl\()(?P<quote>["'`])/(?!/)[a-z$]|location\.href = (?!appUrl\()|path=/(?!\$)"""
)
#: In Python: pages are made by templates only, and URLs for the browser carry the base path.
WRONG_PYTHON_URL = re.compile(r"""(?:href|src|action)="(?:/|\{\})""")


def wrong_in_templates(text: str) -> list[str]:
    """Return the URLs that start at the host's root instead of the base path."""
    return [found for found in URL_ATTRIBUTE.findall(text) if found and not VALID_URL.match(found)]


def wrong_in_script(text: str) -> list[str]:
    """Return the lines of a script that use a path of the host."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith(("//", "*", "/**"))]
    return [line.strip() for line in lines if WRONG_SCRIPT_URL.search(line)]


def wrong_in_python(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if WRONG_PYTHON_URL.search(line) and "root() + " not in line]


def errors_in(files: Iterable[Path], wrong: Callable[[str], list[str]]) -> dict[str, list[str]]:
    """Return the errors in some files by file name; there must be some files."""
    texts = {path.name: path.read_text() for path in files}
    assert texts
    return {name: found for name, text in texts.items() if (found := wrong(text))}


def test_every_url_in_templates_scripts_and_python_has_the_base_path() -> None:
    assert errors_in(TEMPLATES.glob("*.html"), wrong_in_templates) == {}
    assert errors_in((ROOT / "web" / "src").glob("*.js"), wrong_in_script) == {}
    assert errors_in((ROOT / "src" / "facedown" / "server").glob("**/*.py"), wrong_in_python) == {}


def test_no_stylesheet_has_a_url_that_starts_at_the_root_of_the_host() -> None:
    styles = [*(ROOT / "src/facedown").glob("server/static/*.css"), *(ROOT / "web" / "styles").glob("*.css")]
    assert styles
    assert [path.name for path in styles if re.search(r"""url\(["']?/""", path.read_text())] == []


def test_check_of_templates_and_scripts_finds_a_url_without_the_base_path() -> None:
    assert wrong_in_templates('<a href="/learn">') == ["/learn"]
    assert wrong_in_templates('<a href="{{ url }}">') == ["{{ url }}"]
    assert wrong_in_templates('<a href="{{ root() }}/learn"><a href="#rules">') == []
    assert wrong_in_script('fetch("/score");\nlocation.href = "/";\nfetch(appUrl("/score"));') == [
        'fetch("/score");',
        'location.href = "/";',
    ]
    assert wrong_in_script("history.pushState(null, '', `/m/${code}`);")
