"""Attacks that the web table must refuse, with the number of tries of each kind (docs/notes/attacks.md)."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from urllib.parse import quote, urlsplit

import httpx
import hypothesis
import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck
from websockets.exceptions import InvalidStatus

from tests.conftest import SERVER_TIMES
from tests.nightly_selection import mostly
from tests.server.api_players import API
from tests.server.http_server import (
    PATIENCE,
    Live,
    Server,
    code_of,
    finished,
    lobby,
    module_server,
    open_table,
    sit,
    token_of,
)
from tests.server.raw_websocket import read_all, tcp_connection
from tests.server.request_cases import (
    FORM_TYPES,
    INTERNALS,
    NASTY,
    SEGMENTS,
    STRANGE,
    bad_security_headers,
    logged_errors,
)

FORMS = (
    *("/tables", "/quick", "/learn/detect/play", "/language", "/score/scout", "/you/out", "/you/key", "/you/forget"),
    *("/t/CODE/sit", "/t/CODE/watch", "/t/CODE/leave", "/t/CODE/again", "/t/CODE/request", "/m/CODE/from"),
    *("/t/CODE/people/0/block", "/t/CODE/people/0/report", "/you/unblock"),
    *("/you/unmute", "/you/device", "/device/TOKEN", "/t/CODE/invite", "/t/CODE/invitation"),
    *("/push/subscription", "/push/unsubscribe"),
)
PAGES = (
    *("/", "/new/detect", "/t/CODE", "/m/CODE", "/m/CODE/moment", "/learn", "/learn/scout", "/guide/scout", "/score"),
    *("/score/detect", "/docs", "/join", "/guide/scout/figure/1", "/robots.txt", "/sitemap.xml", "/nowhere", "/about"),
    *("/you", "/privacy", "/t/CODE/people/0", "/t/CODE/invite", "/record", "/you/device"),
)
#: Unescaped scripts that no page may contain. The product 7919*7907 is long enough not to occur in a time.
UNESCAPED_SCRIPT = re.compile(
    r"<script>alert|onerror=alert\(1\)>|<svg/onload|<i onclick|<img src=x|62615533|href=\"javascript:", re.I
)
server = module_server(review_tries=1)


@pytest.fixture(autouse=True)
def no_logged_errors(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield
    assert logged_errors(caplog.get_records("call")) == []


def report_tries(kind: str, tries: int, least: int) -> None:
    """Print and check the number of refused tries of a kind."""
    print(f"{kind}: {tries} tries, all refused")
    assert tries >= least


def strange_origins(server: Server) -> list[str]:
    """Return origins that differ from the server's, some of them only slightly."""
    return [origin.replace("ORIGIN", server.origin) for origin in STRANGE["origins"]]


def test_forms_posted_from_other_origins_get_403_and_change_nothing(server: Server, ada: httpx.Client) -> None:
    """Post every form from every foreign origin and with every fetch header."""
    code = code_of(open_table(ada, "open"))
    cookies = {"Cookie": "; ".join(f"{name}={value}" for name, value in ada.cookies.items())}
    strange = [{"Origin": origin} for origin in strange_origins(server)]
    strange += [{"Sec-Fetch-Site": site} for site in ("cross-site", "same-site", "", "NONE", "same-origin, none")]
    strange += [{}, {"Referer": server.origin}, {"X-Requested-With": "XMLHttpRequest"}]
    kinds = ({}, {"Content-Type": "text/plain"}, {"Content-Type": "application/json"})
    cases = list(itertools.product(FORMS, strange, kinds))
    with httpx.Client(base_url=server.origin, timeout=PATIENCE) as plain:
        before = plain.get(f"{API}/tables/{code}").json()
        for form, headers, kind in cases:
            content = b"name=Eve&sure=on&everywhere=on&request=%7B%22type%22%3A%22resign%22%7D"
            answer = plain.post(form.replace("CODE", code), headers={**headers, **kind, **cookies}, content=content)
            assert answer.status_code == 403, (form, headers)
            assert "set-cookie" not in answer.headers
        assert plain.get(f"{API}/tables/{code}").json() == before
    assert "You’re known as Ada here" in ada.get("/you").text
    report_tries("forms of other sites", len(cases), 500)


def test_api_refuses_requests_with_only_a_browser_cookie(server: Server, ada: httpx.Client) -> None:
    """A cookie, which another site's page could send along, has no effect in the API."""
    code = code_of(open_table(ada, "low"))
    wishes = [
        ("POST", "moves", {"action": 0, "version": 0}),
        ("DELETE", "seats/me", None),
        ("POST", "again", {"answer": "yes"}),
        ("PUT", "seats/me/ready", {"ready": True}),
        ("PUT", "seats/1/bot", {"bot": "low"}),
        ("POST", "proposals", {"what": "end"}),
        ("POST", "answers", {"proposal": 1, "agree": True}),
        ("POST", "resignation", None),
    ]
    cases = list(itertools.product(wishes, [*strange_origins(server), server.origin]))
    for (method, path, body), origin in cases:
        answer = ada.request(method, f"{API}/tables/{code}/{path}", headers={"Origin": origin}, json=body)
        assert answer.status_code == 401
        assert "access-control-allow-origin" not in answer.headers
    report_tries("the API with a cookie", len(cases), 70)


def test_websockets_opened_from_other_origins_get_403(server: Server, ada: httpx.Client) -> None:
    url, origins = open_table(ada, "low"), list(filter(None, strange_origins(server)))
    for origin in origins:
        with pytest.raises(InvalidStatus) as refused, Live(server, ada, url, origin):
            pass
        assert refused.value.response.status_code == 403
    report_tries("live lines of other sites", len(origins), 12)


@pytest.mark.slow
def test_scripts_in_names_chat_forms_and_urls_are_escaped_in_pages(
    server: Server, ada: httpx.Client, ben: httpx.Client
) -> None:
    """No script in a name, chat message, option, address or query becomes part of a page."""
    tries = 0
    over = code_of(finished(server, ada))
    for script in STRANGE["scripts"]:
        url = open_table(ada, "open", name=script[:24], hints="on")
        sit(ben, url, script[-24:])
        with lobby(server, url, ada) as (live,):
            live.send(type="chat", text=script)
            live.send(type="chat", text=f"x {script}")
            live.send(type="ready", ready=True)
            live.settle()
            assert not UNESCAPED_SCRIPT.search(live.hello(kind="lobby")["html"])
        quoted = quote(script)
        texts = []
        queries = ("", f"?lang={quoted}", f"?ply={quoted}&eyes={quoted}&code={quoted}&seat-0={quoted}&x={quoted}")
        for path in (*PAGES, "/t/CODE/preview.png"):
            addresses = (path.replace("CODE", code_of(url)), path.replace("CODE", over), f"{path}/{quoted}")
            for where, query in itertools.product(addresses, queries):
                answer = ada.get(f"{where}{query}", follow_redirects=True)
                assert answer.status_code < 500
                assert bad_security_headers(dict(answer.headers)) == []
                texts.append(answer.text if answer.headers["content-type"].startswith("text/html") else "")
        data = dict.fromkeys(("name", "game", "language", "answer", "ply", "option-x"), script)
        texts += [ada.post(form.replace("CODE", over), data=data).text for form in FORMS]
        found = [UNESCAPED_SCRIPT.search(text) for text in texts]
        assert not any(found), next(match for match in found if match)
        tries += len(texts) + 4
    report_tries("scripts in names, talk, addresses and forms", tries, 1000)


@pytest.mark.slow
def test_path_traversal_in_urls_serves_no_file_outside_static(server: Server, ada: httpx.Client) -> None:
    """Only static files and match files are served."""
    steps = ("../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..%5c", "....//", "..;/", "%252e%252e%252f", "..%c0%af", ".%00./")
    aims = ("etc/passwd", "app.py", "settings.py", "pyproject.toml", "__init__.py", "http/guard.py", "facedown.db")
    roots = ("/static/", "/static/dist/", "/static/sheets/", "/m/", "/t/", "/guide/", "/preview/", "//", "/static//")
    cases = list(itertools.product(roots, steps, aims, (1, 3, 8)))
    with httpx.Client(timeout=PATIENCE) as raw:
        for root, step, aim, deep in cases:
            address = httpx.URL(server.origin).copy_with(raw_path=f"{root}{step * deep}{aim}".encode())
            answer = raw.get(address)
            assert answer.status_code in (303, 307, 400, 404, 405), address
            assert "root:" not in answer.text
            assert "import " not in answer.text
    report_tries("ways out of the folder", len(cases), 1500)


def test_line_breaks_in_input_never_start_a_response_header(server: Server, ada: httpx.Client) -> None:
    """Line breaks come in names, codes, languages and redirect targets."""
    breaks = ("%0d%0a", "%0a", "%0d", "%E5%98%8A%E5%98%8D", "\r\n", "\n", "\u2028")
    code, answers = code_of(finished(server, ada)), list[httpx.Response]()
    for cut in breaks:
        evil = f"x{cut}Set-Cookie: evil=1{cut}X-Evil: 1"
        quoted, data = evil if "%" in cut else quote(evil), dict.fromkeys(("name", "language", "game"), evil)
        answers += [ada.post(form.replace("CODE", code), data=data) for form in FORMS]
        answers += [ada.get(f"{page}?lang={quoted}") for page in ("/", "/join", "/docs")]
        answers += [ada.get("/join", params={"code": evil}), ada.get(f"/m/{quoted}.facedown")]
        answers += [ada.get(f"/rules/{quoted}")]
    for answer in answers:
        assert "x-evil" not in answer.headers
        assert "evil" not in "".join(answer.headers.get_list("set-cookie"))
        assert "\n" not in answer.headers.get("location", "")
    report_tries("lines put into headers", len(answers), 100)


def test_redirects_and_links_never_lead_to_other_sites(server: Server, ada: httpx.Client) -> None:
    aims = ("https://evil.example/", "//evil.example", "/\\evil.example", "\\\\evil.example", "https:evil.example")
    aims += ("javascript:alert(1)", "/%2f%2fevil.example", "///evil.example/..", "http://127.0.0.1@evil.example/")
    aims += (f"{server.origin}//evil.example", f"{server.origin}/\\evil.example", f"{server.origin}.evil.example/")
    names = ("next", "back", "url", "to", "redirect", "return", "lang", "code")
    tries = 0
    for aim in aims:
        referer = {"Referer": aim}
        answers = [ada.post("/language", data={"language": "de", "next": aim}, headers=referer)]
        answers += [ada.post(f"/t/AAAA/{way}", data={"next": aim}, headers=referer) for way in ("leave", "sit")]
        answers += [ada.get("/join", params={name: aim}) for name in names]
        answers += [ada.get(f"/guide/scout?{name}={quote(aim)}", headers=referer) for name in names]
        answers += [ada.get(path + quote(aim, safe="")) for path in ("/rules/", "/t/", "/m/", "/")]
        for answer in answers:
            where = answer.headers.get("location", "/")
            assert urlsplit(where)[:2] in (("", ""), ("http", urlsplit(server.origin).netloc)), aim
            hrefs = [where, *re.findall(r'(?:href|action)="([^"]*)"', answer.text)]
            foreign = ("//", "/\\", "javascript:", "https://evil", "http://evil")
            assert not [href for href in hrefs if href.startswith(foreign)]
        tries += len(answers)
    report_tries("ways to other sites", tries, 200)


@pytest.mark.slow
def test_tampered_cookies_give_no_access_to_a_table(server: Server, ada: httpx.Client) -> None:
    """A cookie that differs in any character belongs to no person."""
    url = open_table(ada, "low", spectators="")
    token = token_of(ada)
    forged = [token[:-1], token + "A", token.swapcase(), token[::-1], "", "A" * 43, "A" * 4000, "\xff" * 30, token[1:]]
    forged += [token[:at] + ("A" if token[at] != "A" else "B") + token[at + 1 :] for at in range(len(token))]
    forged += [f'"{token[:-1]}"', f"{token}%00", f"s:{token}", "' OR 1=1 --" + "x" * 20, "../" * 10]
    forged += ["1", "null", "admin"]
    for one in forged:
        with httpx.Client(base_url=server.origin, timeout=PATIENCE) as eve:
            answer = eve.get(url, headers={"Cookie": f"facedown-guest={one}".encode("latin-1")})
        assert answer.status_code in (200, 400, 403, 429, 431)
        assert 'id="table"' not in answer.text
        assert not re.search(r"data-(live|seat)=", answer.text), "a stranger's page has no live line"
    names = ("facedown-language", "facedown-theme", "facedown-motion", "x" * 3000)
    broken = list(itertools.product(names, ("xx", "\xff", "a" * 3000, "<script>", "de; de", '"', "=")))
    for name, value in broken:
        answer = ada.get("/", headers={"Cookie": f"{name}={value}".encode("latin-1")})
        assert answer.status_code == 200
        assert "<script>" not in answer.text
    report_tries("forged and broken cookies", len(forged) + len(broken), 80)


@pytest.mark.slow
def test_personal_pages_are_never_cached_or_framed(server: Server, ada: httpx.Client) -> None:
    """Pages of one person are not stored in caches, and no page may be framed."""
    code, over = code_of(open_table(ada, "low")), code_of(finished(server, ada))
    strange = ({}, {"X-Forwarded-Host": "evil.example"}, {"X-Original-URL": "/docs"}, {"X-Rewrite-URL": "/"})
    strange += ({"X-Forwarded-Proto": "https"}, {"Forwarded": "host=evil.example"}, {"X-Forwarded-Prefix": "/evil"})
    paths = [path.replace("CODE", one) for path in PAGES for one in (code, over)]
    paths += [f"{API}/tables/{code}", f"{API}/tables/{code}/view", f"/t/{code}/x.css", f"/t/{code}%2fx.png"]
    cases = list(itertools.product(paths, strange))
    for path, headers in cases:
        answer = ada.get(path, headers=headers)
        assert answer.headers["cache-control"] == "no-store", path
        assert bad_security_headers(dict(answer.headers)) == []
        assert "evil" not in answer.text
    report_tries("poisoned caches and frames", len(cases), 200)


def test_request_smuggling_attempts_get_a_single_4xx_response(server: Server, ada: httpx.Client) -> None:
    """A request that two servers could parse differently is refused."""
    inner = b"GET /docs HTTP/1.1\r\nHost: x\r\n\r\n"
    start = b"POST /language HTTP/1.1\r\nHost: cards\r\nOrigin: http://cards\r\n"
    form = b"Content-Type: application/x-www-form-urlencoded\r\n"
    for head in STRANGE["request heads"]:
        sent = start + form + head.encode("latin-1") + b"Connection: close\r\n\r\n" + b"0\r\n\r\n" + inner
        with tcp_connection(server.port) as raw:
            raw.sendall(sent)
            answer = read_all(raw)
        assert answer.startswith(b"HTTP/1.1 4"), (head, answer[:100])
        assert answer.count(b"HTTP/1.1 ") == 1, head
    report_tries("requests in requests", len(STRANGE["request heads"]), 20)


# --- random requests to pages and forms -------------------------------------------------------------------------------


FIELDS = (
    *("lang", "ply", "eyes", "code", "moves", "name", "game", "seat-0", "seat-1", "seat-99", "clock", "memory", "\x00"),
    *("option-end", "option-end-hands-0", "language", "answer", "seat", "spectators", "increment", "at-zero"),
    *("take-backs", "request"),
)
BODIES = (
    b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\n\xff\r\n--x--\r\n',
    *(b"--x\r\n", b"\xff\x00=%zz&%=&&==", b"a" * 70_000, b"&".join([b"a=b"] * 300)),
    *(b"\xff\xfe=%00&sure=%ff", b"{", b"a=" + b"x" * 5000, b"sure=on&" * 300, b"\0"),
)


def test_malformed_codes_and_bodies_never_cause_a_5xx_response(server: Server, ada: httpx.Client) -> None:
    files = ("/m/CODE.facedown", "/t/CODE/preview.png", "/api/v1/tables/CODE", "/join?code=CODE")
    for method, pages in (("GET", (*PAGES, *files)), ("POST", FORMS)):
        for path, code in itertools.product([page for page in pages if "CODE" in page], STRANGE["segments"]):
            answer = ada.request(method, path.replace("CODE", code))
            assert 300 <= answer.status_code < 500, (path, code)
    for path, body, kind in itertools.product((*FORMS, "/you", "/privacy"), BODIES, (*FORM_TYPES, "text/x")):
        assert ada.post(path, content=body, headers={"Content-Type": kind}).status_code < 500, (path, kind)


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, str, dict[str, str], bytes]:
    """Draw a method, an address, headers and a body for a page or a form."""
    form = draw(st.booleans())
    path = draw(st.sampled_from(FORMS if form else (*PAGES, *FORMS, "/static/base.css", "/preview/scout.png")))
    parts = [draw(SEGMENTS) if part and draw(st.integers(0, 3)) == 0 else part for part in path.split("/")]
    names = st.sampled_from(FIELDS)
    values = (NASTY | st.text(max_size=30)).map(lambda value: str(value)[:300])
    fields = draw(st.lists(st.tuples(names, values), max_size=6))
    text = "&".join(f"{quote(n)}={quote(v.encode('utf-8', 'surrogatepass'))}" for n, v in fields)
    headers = {
        "Content-Type": draw(st.sampled_from([*FORM_TYPES, "text/plain"])),
        "Accept-Language": draw(st.sampled_from(["de", "xx", "*", "," * 90])),
    }
    body = draw(st.sampled_from([text.encode()] * 2 + list(BODIES))) if form else b""
    query = "" if form and draw(st.booleans()) else f"?{text}"
    method = "POST" if form else draw(st.sampled_from(["GET", "HEAD", "POST", "PUT", "DELETE"]))
    return method, "/".join(parts) + query, headers, body


@pytest.mark.parametrize("most", mostly([150, 2000 * SERVER_TIMES], (), [150]))
@pytest.mark.timeout(1800)
def test_pages_and_forms_return_no_5xx_to_random_requests(
    server: Server, ada: httpx.Client, seed: int, most: int
) -> None:
    """Responses have security headers and contain no internals."""
    running, over = code_of(open_table(ada, "open")), code_of(finished(server, ada))
    token, asked = token_of(ada), 0

    @hypothesis.seed(seed)
    @hypothesis.settings(max_examples=most, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @hypothesis.given(wish=requests(), first=st.booleans())
    def check(wish: tuple[str, str, dict[str, str], bytes], first: bool) -> None:
        nonlocal asked
        method, address, headers, body = wish
        address = address.replace("CODE", running if first else over)
        answer = ada.request(method, address, headers=headers, content=body)
        asked += 1
        assert answer.status_code < 500, f"{method} {address} {body[:200]!r}"
        assert bad_security_headers(dict(answer.headers)) == [], f"{method} {address}"
        text = answer.text if answer.headers.get("content-type", "").startswith(("text", "application")) else ""
        shown = json.dumps(text)
        assert answer.status_code < 400 or not [word for word in (*INTERNALS, token) if word in shown], shown

    check()
    report_tries("strange pages and forms", asked, most // 2)
