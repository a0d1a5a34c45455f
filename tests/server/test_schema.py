"""Whatever the OpenAPI description allows, and much that it forbids, is answered as it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import hypothesis
import pytest
from hypothesis import HealthCheck

from facedown.server.http.api import LONGEST_WAIT
from tests.conftest import seed_for
from tests.selection import mostly
from tests.server.serving import PATIENCE, Server

if TYPE_CHECKING:
    from schemathesis import Case

EXAMPLES = 12


def a_seat(server: Server) -> tuple[str, str]:
    """A running table, and the token of a seat at it."""
    with server.client() as client:
        body = {"game": "detect", "name": "Ada", "seats": ["me", "low"]}
        made = client.post("/api/v1/tables", json=body).json()
    return made["table"]["code"], made["token"]


def allowed_wait(value: object) -> bool:
    """Is this a time that a view may be waited for?"""
    try:
        return 0 <= float(value) <= LONGEST_WAIT  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False


CASES = [(mode, seated) for mode in ("positive", "negative") for seated in (False, True)]
#: At every landing; the others at night.
LANDING = (("positive", False), ("negative", True))


@pytest.mark.parametrize(("mode", "seated"), mostly(CASES, (), LANDING))
def test_answers_are_as_described(server: Server, mode: str, seated: bool, seed: int) -> None:
    # Loading it takes seconds, and every worker reads every test.
    import schemathesis
    from schemathesis import GenerationMode
    from schemathesis.specs.openapi.checks import ignored_auth, negative_data_rejection, positive_data_acceptance

    code, token = a_seat(server)
    schema = schemathesis.openapi.from_url(f"{server.origin}/openapi.json", timeout=PATIENCE)
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) >= 11
    asked = 0
    for operation in operations:
        label = f"{operation.method.upper()} {operation.path}"
        print(label)

        @hypothesis.seed(seed ^ seed_for(label))
        @hypothesis.settings(
            max_examples=EXAMPLES,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
        )
        @hypothesis.given(case=operation.as_strategy(generation_mode=GenerationMode(mode)))
        def check(case: Case) -> None:
            nonlocal asked, token
            query = case.query or {}
            if case.path.endswith(("/view", "/known")) and ("wait" not in query or allowed_wait(query["wait"])):
                # Nobody plays here: waiting for news would only take time.
                case.query = {**query, "wait": 0}
            if seated:
                case.headers = {**(case.headers or {}), "Authorization": f"Bearer {token}"}
                if "code" in (case.path_parameters or {}):
                    case.path_parameters["code"] = code
            asked += 1
            # The rules of a game forbid more than a schema can say: what it allows may still be refused, with a reason.
            excluded = [positive_data_acceptance]
            if seated:
                # Token and code are real ones: the checks that take them for made up, or for wrong, do not know that.
                excluded += [ignored_auth, negative_data_rejection]
            # The first table of a game waits until its rules are compiled.
            answer = case.call_and_validate(excluded_checks=excluded, timeout=PATIENCE)
            if seated and answer.status_code == 201 and case.path.endswith("/seats/me/token"):
                token = answer.json()["token"]

        try:
            check()
        except hypothesis.errors.Unsatisfiable:
            # An operation without parameters cannot be asked wrongly.
            assert mode == "negative"
    assert asked >= 5 * EXAMPLES
