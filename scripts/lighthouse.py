"""Measure pages with Lighthouse in the system's Chromium: ``python scripts/lighthouse.py``.

It starts a table of its own and prints a line for each page and window: the scores, the layout shift, and how much
came over the line. ``npm`` installs Lighthouse into ``tools/lighthouse`` the first time. Scores of performance depend
on what else the machine does: measure on an idle one.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from hatch_build import node_and_npm  # noqa: E402
from tests.browser.people import Person, Server, chromium  # noqa: E402

from facedown.check.chromium import find_chromium  # noqa: E402

TOOL = ROOT / "tools" / "lighthouse"
CATEGORIES = ("performance", "accessibility", "best-practices")
FLAGS = "--headless=new --no-sandbox --disable-gpu"


def install() -> tuple[str, Path]:
    """Node and Lighthouse's program, installed as its lock file says."""
    node, npm = node_and_npm()
    program = TOOL / "node_modules" / "lighthouse" / "cli" / "index.js"
    if not program.exists():
        path = os.pathsep.join([str(Path(node).parent), os.environ.get("PATH", "")])
        subprocess.run(
            [*npm, "ci", "--ignore-scripts", "--silent"], cwd=TOOL, check=True, env={**os.environ, "PATH": path}
        )
    return node, program


def measure(node: str, program: Path, url: str, desktop: bool, cookie: str) -> dict[str, float]:
    """Scores of a page from 0 to 100, its layout shift, its weight in kB."""
    with tempfile.TemporaryDirectory() as folder:
        report, headers = Path(folder) / "report.json", Path(folder) / "headers.json"
        headers.write_text(json.dumps({"Cookie": cookie} if cookie else {}))
        command = [node, str(program), url, "--quiet", "--output=json", f"--output-path={report}"]
        command += [f"--only-categories={','.join(CATEGORIES)}", f"--chrome-flags={FLAGS}"]
        command += [f"--extra-headers={headers}", *(["--preset=desktop"] if desktop else [])]
        path = shutil.which("chromium") or find_chromium()  # a whole browser, as people have it
        assert path is not None, "Chromium is not installed"
        subprocess.run(command, check=True, env={**os.environ, "CHROME_PATH": path})
        found = json.loads(report.read_text())
    wrong = [
        audit["id"] + ": " + audit["title"]
        for category in CATEGORIES[1:]
        for ref in found["categories"][category]["auditRefs"]
        if (audit := found["audits"][ref["id"]]).get("score") is not None and audit["score"] < 1 and ref["weight"]
    ]
    for line in wrong:
        print(f"  {line}", flush=True)
    scores = {name: round(100 * found["categories"][name]["score"]) for name in CATEGORIES}
    return scores | {
        "shift": round(found["audits"]["cumulative-layout-shift"]["numericValue"], 4),
        "kB": round(found["audits"]["total-byte-weight"]["numericValue"] / 1000),
    }


def main() -> None:
    """Measure home, the new-table sheet, a guide and a live table, on a phone and on a desktop."""
    node, program = install()
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        server = Server(Path(folder)).start()
        try:
            person = Person(browser, server, 1)
            pages = {"home": "/", "new table": "/new/detect", "guide": "/guide/scout"}
            urls = {name: server.origin + path for name, path in pages.items()}
            for game, bots in (("detect", 3), ("reveal", 1), ("scout", 3)):
                urls[f"table of {game}"] = person.new_table(game, *["casual"] * bots)
                person.ready()
                person.page.wait_for_selector("#board")
            cookies = person.context.cookies()
            cookie = "; ".join(f"{c['name']}={c['value']}" for c in cookies)
            for name, url in urls.items():
                for desktop in (False, True):
                    found = measure(node, program, url, desktop, cookie)
                    told = ", ".join(f"{what} {value}" for what, value in found.items())
                    print(f"{name}, {'desktop' if desktop else 'phone'}: {told}", flush=True)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
