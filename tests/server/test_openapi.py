"""The OpenAPI description: responses to allowed, invalid and malformed requests are as described."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import hypothesis
import hypothesis.strategies as st
import pytest
from httpx import Client, Response
from hypothesis import HealthCheck

from facedown.server.http.api import LONGEST_WAIT
from tests.conftest import SERVER_TIMES, seed_for
from tests.nightly_selection import mostly
from tests.server.api_players import new_player
from tests.server.http_server import PATIENCE, Server
from tests.server.request_cases import INTERNALS, NASTY, SEGMENTS, STRANGE, bad_security_headers, logged_errors

if TYPE_CHECKING:
    from schemathesis import Case

EXAMPLES = 12
FEW_EXAMPLES = hypothesis.settings(
    max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)


def seat_at_running_table(server: Server) -> tuple[str, str]:
    """Return the code of a running table and the token of a seat."""
    with server.client() as client:
        player = new_player(client, "me", "low")
    return player.code, player.token


def allowed_wait(value: object) -> bool:
    """Return whether a view request may wait for this time."""
    try:
        return 0 <= float(value) <= LONGEST_WAIT  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False


CASES = [(mode, seated) for mode in ("positive", "negative") for seated in (False, True)]
#: Cases for every landing; the others run nightly.
LANDING = (("positive", False), ("negative", True))


@pytest.mark.parametrize(("mode", "seated"), mostly(CASES, (), LANDING))
def test_api_responses_match_the_openapi_description(server: Server, mode: str, seated: bool, seed: int) -> None:
    # Importing it takes seconds, and every worker process imports every test file.
    import schemathesis
    from schemathesis import GenerationMode
    from schemathesis.specs.openapi.checks import ignored_auth, negative_data_rejection, positive_data_acceptance

    code, token = seat_at_running_table(server)
    schema = schemathesis.openapi.from_url(f"{server.origin}/openapi.json", timeout=PATIENCE)
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) >= 11
    asked = 0
    for operation in operations:
        label = f"{operation.method.upper()} {operation.path}"
        print(label)

        @hypothesis.seed(seed ^ seed_for(label))
        @hypothesis.settings(FEW_EXAMPLES, phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate])
        @hypothesis.given(case=operation.as_strategy(generation_mode=GenerationMode(mode)))
        def check(case: Case) -> None:
            nonlocal asked, token
            query = case.query or {}
            if case.path.endswith(("/view", "/known")) and ("wait" not in query or allowed_wait(query["wait"])):
                # No player moves here, so waiting would only take time.
                case.query = {**query, "wait": 0}
            if seated:
                case.headers = {**(case.headers or {}), "Authorization": f"Bearer {token}"}
                if "code" in (case.path_parameters or {}):
                    case.path_parameters["code"] = code
            asked += 1
            # A game's rules forbid more than a schema can express: a valid request may be refused, with a reason.
            excluded = [positive_data_acceptance]
            if seated:
                # Token and code are valid here, which checks for invalid credentials or data do not expect.
                excluded += [ignored_auth, negative_data_rejection]
            # The first table of a game waits for the compilation of its rules.
            answer = case.call_and_validate(excluded_checks=excluded, timeout=PATIENCE)
            if seated and answer.status_code == 201 and case.path.endswith("/seats/me/token"):
                token = answer.json()["token"]

        try:
            check()
        except hypothesis.errors.Unsatisfiable:
            # An operation without parameters has no invalid requests.
            assert mode == "negative"
    assert asked >= 5 * EXAMPLES


# --- malformed bodies, headers and addresses --------------------------------------------------------------------------


EVERYDAY = 25
LONG = 200 * SERVER_TIMES
#: A valid body for every operation with a body.
VALID_BODIES: dict[str, dict[str, Any]] = {
    "post /tables": {"game": "detect", "name": "Ada", "seats": ["me", "low"], "options": {}},
    "post /tables/{code}/seats": {"name": "Ben"},
    "put /tables/{code}/seats/me/ready": {"ready": True},
    "put /tables/{code}/seats/{seat}/bot": {"bot": "low"},
    "post /tables/{code}/again": {"answer": "yes"},
    "post /tables/{code}/moves": {"action": 0, "version": 0},
    "post /tables/{code}/proposals": {"what": "take-back"},
    "post /tables/{code}/answers": {"proposal": 1, "agree": True},
    "post /score/{game}": {},
}
METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "PROPFIND", "get", "X" * 40)
CREDENTIALS = st.sampled_from([*STRANGE["credentials"], "Bearer " + "x" * 2000])
KINDS = st.sampled_from(STRANGE["content types"])
BODIES = [body.encode("latin-1") for body in STRANGE["bodies"]]
BODIES += [b"[" * 30_000, b'{"a":' * 10_000, b'{"action": ' + b"9" * 5000 + b', "version": 0}', b"x" * 70_000]


@st.composite
def bodies(draw: st.DrawFn, right: dict[str, Any] | None) -> bytes:
    """Draw a body: nearly valid, with wrong types, or no JSON at all."""
    body = dict(right or {})
    how = draw(st.integers(0, 3))
    if how == 0:
        return draw(st.sampled_from(BODIES))
    if how == 1 and body:
        body[draw(st.sampled_from(sorted(body)))] = draw(NASTY)
    elif how == 2:
        body[str(draw(st.sampled_from(["extra", "action", "token", "name", "\x00", "seats", "options"])))] = draw(NASTY)
    text = json.dumps(body).encode()
    return text[: draw(st.integers(0, len(text)))] if draw(st.integers(0, 9)) == 0 else text


def differences(spec: dict[str, Any], operation: dict[str, Any], answer: Response) -> Iterator[str]:
    """Yield the differences between a response and its description."""
    said = operation["responses"].get(str(answer.status_code))
    if said is None:
        yield f"{answer.status_code} is not described: {answer.text[:200]}"
        return
    if answer.headers.get("content-type") != "application/json":
        yield f"{answer.headers.get('content-type')} is no JSON"
        return
    # Import `jsonschema` only here: the import takes a second, by which it would delay the collection of tests.
    import jsonschema

    named = {**said["content"]["application/json"]["schema"], "components": spec["components"]}
    yield from (wrong.message for wrong in jsonschema.Draft202012Validator(named).iter_errors(answer.json()))
    yield from (f"without {name}" for name in said.get("headers", {}) if name.lower() not in answer.headers)


def malformed_request(
    case: Any, server: Server, code: str, token: str, path: str
) -> tuple[str, list[tuple[bytes, bytes]]]:
    """Draw the address and the headers of a malformed request."""
    address = path.replace("{code}", code if case.draw(st.booleans()) else case.draw(SEGMENTS))
    for name in ("{seat}", "{game}"):
        address = address.replace(name, case.draw(st.sampled_from(["0", "1", "15", "scout"]) | SEGMENTS))
    names = st.sampled_from(["wait", "beyond", "seat", "lang", "x"])
    values = (NASTY | st.sampled_from(["-1", "nan", "inf", "1e400", "99999999999", "de", "xx"])).map(
        lambda value: str(value)[:300]
    )
    query = case.draw(st.lists(st.tuples(names, values), max_size=3))
    # No player moves here, so waiting would only take time.
    waits = path.endswith(("/view", "/known")) and not any(name == "wait" for name, _ in query)
    asked = [("wait", "0"), *query] if waits else query
    asked = [(name, "0" if name == "wait" and value in ("1", "1.5") else value) for name, value in asked]
    text = "&".join(f"{name}={quote(value.encode('utf-8', 'surrogatepass'))}" for name, value in asked)
    credential = case.draw(CREDENTIALS).replace("right", f"Bearer {token}")
    headers = [(b"authorization", credential.encode("latin-1"))] if credential else []
    if case.draw(st.integers(0, 9)) == 0:
        headers *= 2
    if kind := case.draw(KINDS):
        headers.append((b"content-type", kind.encode("latin-1")))
    if case.draw(st.integers(0, 9)) == 0:
        headers.append((b"content-encoding", b"gzip"))
    return f"{server.origin}{address}{f'?{text}' if text else ''}", headers


@pytest.mark.parametrize("most", mostly([EVERYDAY, LONG], (), [EVERYDAY]))
@pytest.mark.timeout(1800)
def test_malformed_api_requests_get_responses_that_the_openapi_description_lists(
    server: Server, seed: int, caplog: pytest.LogCaptureFixture, most: int
) -> None:
    """Send malformed requests to every operation."""
    code, token = seat_at_running_table(server)
    asked = 0
    with server.client() as client:
        spec = client.get("/openapi.json").json()

        def ask(method: str, path: str, operation: dict[str, Any]) -> None:
            label = f"{method} {path.removeprefix('/api/v1')}"

            @hypothesis.seed(seed ^ seed_for(label))
            @hypothesis.settings(FEW_EXAMPLES, max_examples=most)
            @hypothesis.given(case=st.data())
            def check(case: Any) -> None:
                nonlocal asked
                url, headers = malformed_request(case, server, code, token, path)
                content = case.draw(bodies(VALID_BODIES.get(label))) if "requestBody" in operation else b""
                answer = client.request(method.upper(), url, headers=headers, content=content)
                asked += 1
                if answer.status_code in (404, 405) and "{" in path and answer.json()["code"] == "malformed":
                    # The malformed segment made it a different address.
                    return
                assert [*differences(spec, operation, answer)] == [], f"{label} {url} {content[:300]!r}"
                assert bad_security_headers(dict(answer.headers)) == []
                assert not [word for word in INTERNALS if word in answer.text], answer.text
                assert logged_errors(caplog.records) == []

            check()

        for path, ways in spec["paths"].items():
            for method, operation in ways.items():
                ask(method, path, operation)
    print(f"{asked} strange requests")
    assert asked >= (14 if most == EVERYDAY else 10) * most


def test_undescribed_http_methods_get_405_with_the_allowed_methods(
    ada: Client, caplog: pytest.LogCaptureFixture
) -> None:
    """Send every method to every described address."""
    refused = 0
    for path, ways in ada.get("/openapi.json").json()["paths"].items():
        address = path.replace("{code}", "AAAA").replace("{seat}", "0").replace("{game}", "scout")
        for method in METHODS:
            if method.lower() in ways:
                continue
            answer = ada.request(method, address)
            assert answer.status_code < 500, f"{method} {path}"
            if answer.status_code == 405:
                refused += 1
                assert method == "HEAD" or answer.json()["code"] == "malformed"
                assert {one.strip().lower() for one in answer.headers["allow"].split(",")} <= {*ways, "head"}
    assert refused > 80
    assert logged_errors(caplog.records) == []


def test_method_override_headers_are_ignored(ada: Client) -> None:
    player = new_player(ada, "me", "low")
    for override in ("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", "_method"):
        headers = {**player.headers, override: "DELETE"}
        assert ada.post(f"{player.path}/seats/me?{override}=DELETE", headers=headers).status_code == 405
        assert ada.get(player.path, headers=headers).json()["seats"][0]["kind"] == "person"
