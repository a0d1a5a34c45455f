"""Update the translation catalogues of all languages: ``python tools/translations.py``; ``--check`` only checks them.

Each package has its own catalogue, ``locale/de.po`` in its folder; the browser's script has
``server/locale/web/de.po``. New texts are added without a translation, obsolete texts are removed, and missing
translations are listed. To add a language, add its ``.po`` file to ``src/facedown/core/locale``.
"""

from __future__ import annotations

import importlib
import io
import string
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import typer
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from facedown.core.game_registry import Info

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "facedown"
#: Functions by which translatable texts are recognised, in Python and templates and in the browser's scripts.
KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None,
    "N_": None,
    "n_": (1, 2),
    "c_": ((1, "c"), 2),
}
SCRIPT_KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {"t": None, "tn": (1, 2)}
#: Keys of a lesson's file whose values are texts for players.
LESSON_WORDS = ("title", "aim", "name", "says", "why", "wrong", "learnt", "lines", "touches", "then")


@dataclass(frozen=True)
class Domain:
    """The sources of one package that contain translatable texts, and the folder of its catalogues."""

    name: str
    folder: Path
    catalogues: Path
    package: str = ""


def domains() -> list[Domain]:
    """Return all packages with translatable texts."""
    shared = [Domain(name, SOURCE / name, SOURCE / name / "locale") for name in sorted(_packages(SOURCE))]
    games = [
        Domain(f"games.{name}", SOURCE / "games" / name, SOURCE / "games" / name / "locale", f"facedown.games.{name}")
        for name in sorted(_packages(SOURCE / "games"))
    ]
    example = ROOT / "examples" / "kuhn"
    sys.path.append(str(example))
    kuhn = [Domain("kuhn", example / name, example / name / "locale", name) for name in sorted(_packages(example))]
    web = Domain("web", ROOT / "web" / "src", SOURCE / "server" / "locale" / "web")
    return [*shared, *games, *kuhn, web]


def _packages(folder: Path) -> Iterator[str]:
    """Yield the names of the packages in a folder that have translatable texts (a module ``i18n``)."""
    return (item.name for item in folder.iterdir() if (item / "i18n.py").exists())


def extract_texts(domain: Domain) -> Catalog:
    """Return a catalogue of all texts in a domain's sources."""
    found = Catalog(charset="utf-8")
    if domain.name == "web":
        methods, keywords = [("**.js", "javascript")], SCRIPT_KEYWORDS
    else:
        methods, keywords = [("**.py", "python"), ("**/templates/**.html", "jinja2")], KEYWORDS
    options = {
        "**/templates/**.html": {"trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"},
        "**.js": {"parse_template_string": "true"},
    }
    texts = extract_from_dir(str(domain.folder), methods, options, keywords, ("Translators:",), strip_comment_tags=True)
    for file, _line, message, comments, context in texts:
        found.add(message, locations=[(file, 1)], auto_comments=comments, context=context)
    if domain.package:
        info: Info = importlib.import_module(f"{domain.package}.info").INFO
        for text in _info_texts(info):
            found.add(text, locations=[("info.py", 1)])
    if domain.name == "terminal":
        from facedown.terminal.cli import app
        from facedown.terminal.command_help import help_texts

        for text in help_texts(typer.main.get_command(app)):
            found.add(text, locations=[("cli.py", 1)])
    if domain.package:
        lesson = domain.folder / "lesson.toml"
        if lesson.exists():
            for text in _lesson_texts(tomllib.loads(lesson.read_text(encoding="utf-8"))):
                found.add(text, locations=[("lesson.toml", 1)])
    return found


def _info_texts(info: Info) -> Iterator[str]:
    """Yield the texts in a game's description and its options."""
    yield info.tagline
    for option in info.options.options:
        said = [option.label, option.says]
        for value in option.values:
            said += [value.says, value.form, value.tells, *(argument.label for argument in value.arguments)]
        yield from (text for text in said if text)


def _lesson_texts(part: object, key: str = "") -> Iterator[str]:
    """Yield the texts of a lesson."""
    if isinstance(part, dict):
        for name, inner in part.items():
            yield from _lesson_texts(inner, key if key == "touches" else str(name))
    elif isinstance(part, list):
        for inner in part:
            yield from _lesson_texts(inner, key)
    elif isinstance(part, str) and key in LESSON_WORDS:
        yield part


def languages() -> list[str]:
    """Return the codes of all supported languages other than English."""
    return sorted(path.stem for path in (SOURCE / "core" / "locale").glob("*.po"))


def update_catalogue(domain: Domain, code: str) -> tuple[str, list[str]]:
    """Return the updated catalogue as text, and a list of problems with its translations."""
    path = domain.catalogues / f"{code}.po"
    have = read_po(io.BytesIO(path.read_bytes()), locale=code) if path.exists() else Catalog(locale=code)
    new = Catalog(locale=code, charset="utf-8")
    wrong: list[str] = []
    for message in extract_texts(domain):
        if not message.id:
            continue
        old = have.get(message.id if isinstance(message.id, str) else message.id[0], message.context)
        kept = old is not None and isinstance(old.string, tuple) == isinstance(message.id, tuple)
        said = old.string if old is not None and kept else None
        new.add(
            message.id, said, locations=message.locations, auto_comments=message.auto_comments, context=message.context
        )
        wrong += [f"{path.relative_to(ROOT)}: {message.id!r} {reason}" for reason in _faults(message, said)]
    out = io.BytesIO()
    write_po(out, new, width=120, omit_header=True, include_lineno=False, sort_by_file=True)
    return out.getvalue().decode("utf-8"), wrong


def _faults(message: Message, said: object) -> Iterator[str]:
    """Yield descriptions of the problems of a translation, such as an unknown placeholder."""
    forms = list(said) if isinstance(said, tuple) else [said]
    ids = list(message.id) if isinstance(message.id, tuple) else [message.id]
    wanted = set().union(*(_names(text) for text in ids))
    for form in forms:
        if not isinstance(form, str) or not form:
            yield "is not translated"
            return
        try:
            strange = _names(form) - wanted - {"who"}
        except ValueError as wrong:
            yield f"cannot be filled in: {form!r} ({wrong})"
            return
        if strange:
            yield f"has no value {min(strange)}: {form!r}"


def _names(text: str) -> set[str]:
    """Return the names of the placeholders in a text, including those of verbs that `core.grammar` inflects."""
    return {name.split("|")[0] for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def main() -> int:
    """Update all catalogues, or only check them; return the exit code."""
    check = "--check" in sys.argv[1:]
    wanted = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    wrong: list[str] = []
    for domain in domains():
        if wanted and domain.name not in wanted:
            continue
        for code in languages():
            text, faults = update_catalogue(domain, code)
            wrong += faults
            path = domain.catalogues / f"{code}.po"
            have = path.read_text(encoding="utf-8") if path.exists() else ""
            if text != have and text.strip():
                if check:
                    wrong.append(f"{path.relative_to(ROOT)} is not up to date: python tools/translations.py")
                else:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(text, encoding="utf-8")
    print("\n".join(wrong) or "all texts are translated")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
