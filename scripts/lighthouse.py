"""Measure pages with Lighthouse in the system's Chromium: ``python scripts/lighthouse.py``.

It starts a server and prints one line per page and window size: the scores, the layout shift, and the transferred size.
``npm`` installs Lighthouse into ``tools/lighthouse`` on first use. Performance scores depend on the load of the
machine, so run it on an idle one.
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
from tests.browser.players import Person, Server, chromium  # noqa: E402

from facedown.check.launch_chromium import find_chromium  # noqa: E402

TOOL = ROOT / "tools" / "lighthouse"
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
#: Combinations (desktop window, language, theme), chosen so that each pair of values occurs once.
VARIANTS = ((False, "en", "light"), (True, "en", "dark"), (False, "de", "dark"), (True, "de", "light"))
TRIES = 3
FLAGS = "--headless=new --no-sandbox --disable-gpu"


def install() -> tuple[str, Path]:
    """Return the paths of Node and of Lighthouse's script, installed from its lock file if necessary."""
    node, npm = node_and_npm()
    program = TOOL / "node_modules" / "lighthouse" / "cli" / "index.js"
    if not program.exists():
        path = os.pathsep.join([str(Path(node).parent), os.environ.get("PATH", "")])
        subprocess.run(
            [*npm, "ci", "--ignore-scripts", "--silent"], cwd=TOOL, check=True, env={**os.environ, "PATH": path}
        )
    return node, program


def measure(node: str, program: Path, url: str, desktop: bool, cookie: str, public: bool) -> dict[str, float]:
    """Return a page's scores from 0 to 100, its layout shift, and its size in kB. Private pages have no SEO score."""
    categories = CATEGORIES if public else CATEGORIES[:-1]
    with tempfile.TemporaryDirectory() as folder:
        report, headers = Path(folder) / "report.json", Path(folder) / "headers.json"
        headers.write_text(json.dumps({"Cookie": cookie} if cookie else {}))
        command = [node, str(program), url, "--quiet", "--output=json", f"--output-path={report}"]
        command += [f"--only-categories={','.join(categories)}", f"--chrome-flags={FLAGS}"]
        command += [f"--extra-headers={headers}", *(["--preset=desktop"] if desktop else [])]
        path = shutil.which("chromium") or find_chromium()  # a complete browser, as users have it
        assert path is not None, "Chromium is not installed"
        # Lighthouse occasionally loses the beginning of its own trace, so try again.
        for left in reversed(range(TRIES)):
            if not subprocess.run(command, check=not left, env={**os.environ, "CHROME_PATH": path}).returncode:
                break
        found = json.loads(report.read_text())
    wrong = [
        audit["id"] + ": " + audit["title"]
        for category in categories[1:]
        for ref in found["categories"][category]["auditRefs"]
        if (audit := found["audits"][ref["id"]]).get("score") is not None and audit["score"] < 1 and ref["weight"]
    ]
    for line in wrong:
        print(f"  {line}", flush=True)
    scores = {name: round(100 * found["categories"][name]["score"]) for name in categories}
    return scores | {
        "shift": round(found["audits"]["cumulative-layout-shift"]["numericValue"], 4),
        "kB": round(found["audits"]["total-byte-weight"]["numericValue"] / 1000),
    }


#: Paths of the public pages, which search engines may index.
PUBLIC = {
    "home, first visit": "/",
    "learn": "/learn",
    "lesson": "/learn/detect",
    "end of a lesson": "/learn/detect/end",
    "guide": "/guide/scout",
    "rules": "/rules/reveille",
    "scorekeeper": "/score",
    "score sheet": "/score/detect",
}


def main() -> None:
    """Measure all kinds of pages, or those whose name contains one of the given words."""
    node, program = install()
    wanted = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        server = Server(Path(folder)).start()
        try:
            person = Person(browser, server, 1)
            own = {"home, back": "/", "new table": "/new/detect"}
            urls = {name: server.origin + path for name, path in own.items()}
            urls["lobby"] = person.new_table("detect", "open", "casual")
            for game, bots in (("detect", 3), ("reveal", 1), ("reveille", 1), ("uncovered", 3), ("scout", 3)):
                urls[f"table of {game}"] = person.new_table(game, *["casual"] * bots)
                person.ready()
                person.page.wait_for_selector("#board")
            urls["finished match"] = person.new_table("uncovered", "casual")
            person.ready()
            person.play_until(lambda seen: bool(seen["over"]))
            person.page.wait_for_selector("#coach:not(:has([aria-busy=true]))")
            urls["replay"] = server.origin + "/m/" + urls["finished match"].rsplit("/", 1)[1]
            cookie = "; ".join(f"{c['name']}={c['value']}" for c in person.context.cookies())
            pages = [(name, server.origin + path, "", True) for name, path in PUBLIC.items()]
            pages += [(name, url, cookie, False) for name, url in urls.items()]
            pages.append(("joining", urls["lobby"], "", False))
            for name, url, known, public in pages:
                if wanted and not any(word in name for word in wanted):
                    continue
                for desktop, code, theme in VARIANTS:
                    chosen = f"facedown-theme={theme}; facedown-language={code}"
                    found = measure(node, program, url, desktop, "; ".join(filter(None, (known, chosen))), public)
                    told = ", ".join(f"{what} {value}" for what, value in found.items())
                    print(f"{name}, {'desktop' if desktop else 'phone'}, {code}, {theme}: {told}", flush=True)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
