"""Pages of the worked examples in ``docs/examples``: the docstring of each script, then its source."""

from __future__ import annotations

import ast
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "examples"


def pages() -> dict[str, str]:
    """Return a page for each script, by its path on the site."""
    scripts = sorted(FOLDER.glob("*.py"))
    return {f"examples/{file.stem}.md": page(file.read_text("utf-8"), file.name) for file in scripts}


def page(source: str, name: str) -> str:
    """Return a script as a page: the first line of its docstring is the title, the rest the text."""
    tree = ast.parse(source)
    title, _, text = (ast.get_docstring(tree) or name).partition("\n")
    code = "\n".join(source.splitlines()[tree.body[0].end_lineno or 0 :]).strip("\n")
    shown = f'```python title="{name}"\n{code}\n```'
    run = f"```console\n$ python docs/examples/{name}\n```"
    return f"# {title.rstrip('.')}\n\n{text.strip()}\n\n{run}\n\n{shown}\n"
