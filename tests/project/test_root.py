"""No address of ours forgets the root: a table that lives below a path of its host finds everything there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "src" / "facedown" / "server" / "templates"
#: What a browser fetches or opens by itself, or when it is touched.
ATTRIBUTE = re.compile(r'\b(?:href|src|action|formaction|poster|data-live|data-turn|data-share)="([^"]*)')
#: A part of this page, an address with the root before it, or one with its scheme and host.
RIGHT = re.compile(
    r"#|\{\{ root\(\) \}\}|\{\{ shell\.root \}\}|\{\{ lobby\.link \}\}|\{% if share %\}\{\{ root\(\) \}\}"
)
#: In a script: a path of ours that is neither handed to `appUrl` nor put behind `root`.
SCRIPTED = re.compile(r"""(?<!appUrl\()(?P<quote>["'`])/(?!/)[a-z$]|location\.href = (?!appUrl\()|path=/(?!\$)""")
#: In Python: pages are never put together but by templates; what the browser is given there carries the root.
PUT_TOGETHER = re.compile(r"""(?:href|src|action)="(?:/|\{\})""")


def wrong_in_templates(text: str) -> list[str]:
    """The addresses that begin at the host instead of at the table's root."""
    return [found for found in ATTRIBUTE.findall(text) if found and not RIGHT.match(found)]


def wrong_in_script(text: str) -> list[str]:
    """The lines of a script that go to a path of the host."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith(("//", "*", "/**"))]
    return [line.strip() for line in lines if SCRIPTED.search(line)]


def wrong_in_python(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if PUT_TOGETHER.search(line) and "root() + " not in line]


def found_in(files: Iterable[Path], wrong: Callable[[str], list[str]]) -> dict[str, list[str]]:
    """What is wrong in some files, by their names; there must be some."""
    texts = {path.name: path.read_text() for path in files}
    assert texts
    return {name: found for name, text in texts.items() if (found := wrong(text))}


def test_every_address_has_the_root_before_it() -> None:
    assert found_in(TEMPLATES.glob("*.html"), wrong_in_templates) == {}
    assert found_in((ROOT / "web" / "src").glob("*.js"), wrong_in_script) == {}
    assert found_in((ROOT / "src" / "facedown" / "server").glob("**/*.py"), wrong_in_python) == {}


def test_no_style_loads_from_the_root_of_the_host() -> None:
    styles = [*(ROOT / "src/facedown").glob("server/static/*.css"), *(ROOT / "web" / "styles").glob("*.css")]
    assert styles
    assert [path.name for path in styles if re.search(r"""url\(["']?/""", path.read_text())] == []


def test_forgotten_roots_are_found() -> None:
    assert wrong_in_templates('<a href="/learn">') == ["/learn"]
    assert wrong_in_templates('<a href="{{ url }}">') == ["{{ url }}"]
    assert wrong_in_templates('<a href="{{ root() }}/learn"><a href="#rules">') == []
    assert wrong_in_script('fetch("/score");\nlocation.href = "/";\nfetch(appUrl("/score"));') == [
        'fetch("/score");',
        'location.href = "/";',
    ]
    assert wrong_in_script("history.pushState(null, '', `/m/${code}`);")
