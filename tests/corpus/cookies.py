"""The cookies of a browser: as written at the frozen commit, and as the current program reads them."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookies import SimpleCookie
from operator import itemgetter
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from tests.corpus import archive, database, program, web

#: The frozen cookies, as they were written.
WRITTEN: list[dict[str, Any]] = archive.read_json("cookies/written.json")
NAME = itemgetter("name")
#: A table whose game has a switch of its own, and the game of a lesson.
TABLE, LESSON = f"/t/{database.code('reveal', 'plain')}", "detect"
#: A phone, which has a switch for vibration.
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
#: Buttons that write a cookie.
BUTTONS = ('[data-theme-set="dark"]', '[data-pace-set="quick"]', '[data-toggle="sound"]', '[data-toggle="vibration"]')
#: Returns the settings that the page's script reads from cookies.
SHOWN = """() => ({
  pace: document.documentElement.dataset.pace,
  pressed: [...document.querySelectorAll('[data-pace-set], [data-toggle], [data-theme-set], [data-switch]')]
    .map((e) => Object.values(e.dataset)[0] + ': ' + e.getAttribute('aria-pressed')),
})"""


def honoured_files() -> dict[str, bytes]:
    """Return how the server and the page interpret the frozen cookies."""
    with serve() as server, program.chromium() as browser:
        return server_file(server) | page_file(browser, server)


def server_file(server: program.Server) -> dict[str, bytes]:
    """Return how the server interprets no frozen cookie ("") and each one alone."""
    found = {name: pages(server, [one for one in WRITTEN if one["name"] == name]) for name in ["", *map(NAME, WRITTEN)]}
    return {"honoured/server.json": archive.to_json(found, 1)}


def page_file(browser: Browser, server: program.Server) -> dict[str, bytes]:
    """Return how the page's script interprets Ada's cookie alone, and all cookies."""
    found = {}
    for name, given in (("none", [one for one in WRITTEN if one["name"] == database.GUEST_COOKIE]), ("all", WRITTEN)):
        with browser.new_context(**PHONE) as context:
            give(context, server, given)
            page = context.new_page()
            page.goto(f"{server.origin}{TABLE}")
            page.wait_for_function("() => document.documentElement.dataset.pace")
            found[name] = page.evaluate(SHOWN)
    return {"honoured/page.json": archive.to_json(found, 1)}


@contextmanager
def serve() -> Iterator[program.Server]:
    """Serve the frozen database to browsers, which find the server at its own address."""
    with tempfile.TemporaryDirectory() as name, web.serve_frozen(Path(name), public_url="") as server:
        yield server


def of_the_server(server: program.Server) -> list[dict[str, Any]]:
    """Return the cookies that the server sets for a new visitor and for a language; a new person gets Ada's token."""
    form = {"game": "detect", "name": "New", "seat-0": "you", "seat-1": "open", "clock": "0"}
    found = []
    with server.client() as client:
        for answer in (client.post("/tables", data=form), client.post("/language", data={"language": "de"})):
            for text in answer.headers.get_list("set-cookie"):
                for name, morsel in SimpleCookie(text).items():
                    value = database.token("Ada") if len(morsel.value) > 20 else morsel.value
                    rest = {key: str(morsel[key]) for key in ("path", "samesite", "httponly", "max-age")}
                    found.append({"name": name, "value": value} | rest)
    return found


def of_the_page(browser: Browser, server: program.Server) -> list[dict[str, Any]]:
    """Return the cookies that the page's script writes: by its menu, by a game's switch, and in a lesson."""
    with browser.new_context(**PHONE) as context:
        give(context, server, [{"name": database.GUEST_COOKIE, "value": database.token("Ada")}])
        page = context.new_page()
        page.goto(f"{server.origin}/learn/{LESSON}/3")
        page.wait_for_function("() => document.cookie.includes('lesson')")
        page.goto(f"{server.origin}{TABLE}")
        page.wait_for_function("() => document.documentElement.dataset.pace")
        for button in (*BUTTONS, "[data-switch]"):
            page.evaluate("(button) => document.querySelector(button).click()", button)
        found = [dict(cookie) for cookie in context.cookies() if cookie["name"] != database.GUEST_COOKIE]
    # In a URL with a number, a lesson counts its steps from 0.
    return [
        {"name": one["name"], "value": one["value"], "path": one["path"], "samesite": one["sameSite"]}
        for one in sorted(found, key=NAME)
    ]


def give(context: Any, server: program.Server, cookies: list[dict[str, Any]]) -> None:
    context.add_cookies([{"name": one["name"], "value": one["value"], "url": server.origin} for one in cookies])


def pages(server: program.Server, cookies: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what some pages show for these cookies: the person, the appearance, and the unfinished lessons."""
    with server.client() as client:
        for one in cookies:
            client.cookies.set(one["name"], one["value"])
        stored = client.get("/you/data")
        return {
            "html": re.findall(r"<html[^>]*>", client.get("/").text)[0],
            "you": [stored.status_code, stored.json().get("name") if stored.status_code == 200 else None],
            "lessons": re.findall(r'href="(/learn/[^"]+)"', client.get("/learn").text),
        }
