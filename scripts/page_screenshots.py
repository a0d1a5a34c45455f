"""Take screenshots of tables from golden playthroughs, and of other pages, in a real browser.

    python scripts/page_screenshots.py OUT [NAME …] [--sizes phone,desktop,small] [--dark]

A NAME is (a prefix of) a name in ``tests/server/rendering/sample_tables.py``, or home, new, lobby, join or error;
``replay-detect`` and the like are replays in the middle of a match.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "server" / "look")]

from playwright.sync_api import Page, Route, sync_playwright  # noqa: E402

from facedown.core.game_registry import catalogue  # noqa: E402
from facedown.core.table import Sitter  # noqa: E402
from facedown.play import ChatMessage, default_level, offered_levels  # noqa: E402
from facedown.server import rendering  # noqa: E402
from facedown.server.process.server_settings import BotCatalogue  # noqa: E402
from facedown.server.rendering import page_model  # noqa: E402

SIZES = {
    "phone": (390, 844),
    "desktop": (1440, 900),
    "small": (320, 640),
    "tablet": (768, 1024),
    "side": (1024, 768),
    "laptop": (1280, 800),
}
CHROMIUM = {
    "executable_path": "/usr/bin/chromium",
    "args": [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
    ],
}
LINK = "https://facedown.example/t/K7QM"


def pages(theme: page_model.Theme) -> dict[str, str]:
    """Return the HTML of all pages by name."""
    import fixtures

    shell = rendering.Shell("You", theme)
    games = list(catalogue().values())
    tables = (
        rendering.TableLink("reveal", "Reveal with Mara", "Place your row.", "/t/AAAA", yours=True),
        rendering.TableLink("uncovered", "Uncovered! for six", "Turn 9, Wren to act.", "/t/BBBB", state="waiting"),
    )
    bots = BotCatalogue()
    levels = tuple((level.key, level.label, level.says) for level in offered_levels(bots))
    sheet = rendering.NewTableForm(levels, default_level(bots))
    lobby = rendering.Lobby(
        "scout",
        "SCOUT",
        "K7QM",
        LINK,
        (
            rendering.LobbySeat(0, "You", you=True, host=True),
            rendering.LobbySeat(1, "Noor", ready=True),
            rendering.LobbySeat(2),
            rendering.LobbySeat(3, "Juniper", bot=True, level="Casual", ready=True),
        ),
        viewer=0,
        host=True,
        rules=(
            ("Seats", "4, four rounds"),
            ("Clock", "a day a turn"),
            ("Memory aid", "off"),
            ("Spectators", "public cards only"),
        ),
    )
    found: dict[str, str] = {
        "home": rendering.home_page(shell, games, rendering.Home(tables)),
        "new": rendering.new_table_page(shell, catalogue()["detect"], sheet, games=games),
        "lobby": rendering.table_page(shell, rendering.lobby_message(lobby, version=1), game="scout", code="K7QM"),
        "join": rendering.join_page(
            rendering.Shell(), rendering.Invitation("detect", "Detect", "K7QM", "Mara", 2, True)
        ),
        "error": rendering.error_page(
            shell,
            status=404,
            title="No table has that code",
            says="Codes have four letters or digits. Ask your friend again, or open a table.",
        ),
    }
    context = rendering.TableContext(
        code="K7QM",
        fairness="The deal was fair: the seed matches the hash published before the first hand.",
        summary="Five rounds with Ilse, Juniper and Ravi, 24 minutes.",
        chat=(ChatMessage("Ilse", "good luck", 0.0),),
    )
    for table_name, table in (one for game in catalogue() for one in fixtures.gallery(game).items()):
        message = rendering.TablePage(table, context).whole_page_message(version=3)
        found[table_name] = rendering.table_page(shell, message, game=table.game, code="K7QM")
    return found


def replay_pages(theme: page_model.Theme, games: list[str]) -> dict[str, str]:
    """Return the replay page of a match between greedy bots for each game, in the middle of the match."""
    from facedown.bots.simple_bots import GreedyBot
    from facedown.core.match import Match
    from facedown.core.seeds import seed_from_text
    from facedown.server.rendering.replay import Replay

    found: dict[str, str] = {}
    for name in games:
        low, high = catalogue()[name].seats
        match = Match(name, max(low, min(high, 4)), {}, seed_from_text("gallery 2"))
        sitters = [Sitter(n, bot=n == "Juniper") for n in ("Ada", "Juniper", "Ravi", "Ilse")[: match.seats]]
        bot = GreedyBot()
        while not match.over:
            seat = match.acting[0]
            match.play(seat, bot.choose(match.game, match.known(seat), seat, match.ply))
        replay = Replay(match, sitters, 0)
        ply = int(0.55 * replay.last_ply)
        message = rendering.replay_message(replay.static_table_after(ply), replay.moment_at(ply, "K7QM", 0))
        found[f"replay-{name}"] = rendering.replay_page(rendering.Shell("Ada", theme), message, game=name, code="K7QM")
    return found


def take_screenshot(page: Page, html: str, out: Path) -> None:
    """Load a page, report overflow and script errors, and save a screenshot."""

    def serve(route: Route) -> None:
        path = route.request.url.split("facedown.example", 1)[1].split("?")[0]
        if path == "/":
            route.fulfill(body=html, content_type="text/html; charset=utf-8")
        elif path.startswith("/static/"):
            name = path.removeprefix("/static/")
            body = rendering.generated_file(name) or (rendering.STATIC / name).read_bytes()
            route.fulfill(body=body, content_type=rendering.media_type(name))
        else:
            route.abort()

    page.unroute_all()
    page.route("**/*", serve)
    errors: list[str] = []
    page.on("pageerror", lambda e: errors.append(str(e)))
    page.goto("http://facedown.example/")
    page.add_style_tag(content="*{animation:none!important;transition:none!important}")
    page.wait_for_timeout(120)
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement?.blur()")
    page.screenshot(path=out)
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    tall = page.evaluate("document.documentElement.scrollHeight - innerHeight")
    note = f"  sideways {wide}" if wide > 0 else ""
    print(f"{out.name}{note}{f'  taller by {tall}' if tall > 0 else ''}{'  ' + json.dumps(errors) if errors else ''}")


def main() -> None:
    """Parse the command line and take the screenshots."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--sizes", default="phone,desktop")
    parser.add_argument("--dark", action="store_true")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    drawn = pages("dark" if given.dark else "light")
    again = sorted({n.split("-")[1] for n in given.names if n.startswith("replay-")})
    if again:
        drawn |= replay_pages("dark" if given.dark else "light", again)
    chosen = {n: p for n, p in drawn.items() if not given.names or any(n.startswith(w) for w in given.names)}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**CHROMIUM)  # type: ignore[arg-type]
        for size in given.sizes.split(","):
            width, height = SIZES[size]
            page = browser.new_page(
                viewport={"width": width, "height": height}, device_scale_factor=1.5 if size != "desktop" else 1
            )
            page.route_web_socket("**/*", lambda _: None)  # An open WebSocket without messages.
            for name, html in chosen.items():
                take_screenshot(page, html, given.out / f"{name}-{size}{'-dark' if given.dark else ''}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
