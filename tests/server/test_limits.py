"""How much one person and one address may ask for: guesses of codes and tokens, requests, news that is awaited."""

from __future__ import annotations

import asyncio
import math
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from facedown.server.http.limits import Limits
from facedown.server.http.visitors import COOKIE
from facedown.server.process.rate_limit import CROWD, Bucket, Buckets, Turnstile
from facedown.server.process.settings import ServerSettings
from facedown.server.table.room import Room
from tests.clock import ManualClock
from tests.server.programs import API, Player, bearer, problem, seated, two
from tests.server.serving import WIDE, Live, Serve, Server, missing, open_table, refusals
from tests.wait import wait_until


def test_codes_cannot_be_guessed(served: Serve) -> None:
    """Beyond so many, a right code is answered as a wrong one; but who sits at a table finds it."""
    small = served(wrong_codes_at_once=20, wrong_codes_a_minute=0.001)
    ada, eve, cleo = small.guests(3)
    url, program = open_table(ada, "low"), seated(ada, "me", "low")
    cleo.post(f"{url}/watch")
    before = refusals("wrong-codes")
    kinds = ("/t/ZZ{}", "/join?code=YY{}", f"{API}/tables/XX{{}}", "/m/WW{}")
    guesses = [kind.format(number) for number in range(22, 27) for kind in kinds]
    assert [eve.get(path, follow_redirects=True).status_code for path in guesses] == [404] * 20
    for answer in (eve.get("/t/ZZ99"), eve.get(url)):
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "60")
        assert "Too many wrong codes" in answer.text
    assert eve.get(program.path).json()["code"] == "too-fast"
    # A cookie of somebody who has no seat there is no way in either.
    eve.post("/quick", data={"game": "detect"})
    assert eve.get(url).status_code == 429
    assert "facedown" not in eve.get(f"{url}/preview.png").headers["content-type"]
    with Live(small, eve, url) as live:
        assert live.get("error")["code"] == "too-fast"
        live.until_closed()
    assert refusals("wrong-codes") > before
    # They play on: by the page, by the live line, by a token, and who watches as well.
    assert [client.get(url).status_code for client in (ada, cleo)] == [200, 200]
    with Live(small, ada, url) as live:
        live.until_yours(live.hello())
    assert program.view()
    assert eve.get(f"{program.path}/view", headers=bearer("x")).status_code in (401, 429)


def test_tokens_cannot_be_guessed(served: Serve) -> None:
    ada, eve, stranger = served(wrong_tokens_at_once=10, wrong_tokens_a_minute=0.001).guests(3)
    url, program = open_table(ada, "low"), seated(ada, "me", "low")
    path = f"{program.path}/view"
    assert ada.get(url).status_code == 200
    assert program.view()
    before = refusals("wrong-tokens")
    for number in range(5):
        assert eve.get(path, headers=bearer(f"guess{number}")).status_code == 401
        assert eve.get("/", headers={"Cookie": f"{COOKIE}={number:032}"}).status_code == 200
    reason = "Too many wrong sign-ins came from your address. Wait a minute, then try again."
    assert problem(eve.get(path, headers=bearer("guess")), 429, "too-fast") == reason
    assert eve.get("/", headers={"Cookie": f"{COOKIE}={'x' * 32}"}).status_code == 429
    assert refusals("wrong-tokens") == before + 2
    # Who shares the address and was known before goes on; who has no cookie at all is a stranger, as always.
    assert ada.get(url).status_code == 200
    assert program.view()
    assert stranger.get("/").status_code == 200


def test_what_was_good_once_is_looked_up_all_the_same(server: Server) -> None:
    # Between the last wrong one and the next there may be time enough for one more.
    limits = Limits(server.app.state.settings, ManualClock(1000.0))
    limits.shown("secret", "192.0.2.1", True)
    assert b"secret" not in b"".join(limits._good)
    limits.shown("secret", "192.0.2.1", False)
    while not limits.wrong_tokens.wait("192.0.2.1"):
        limits.wrong_tokens.take("192.0.2.1")
    with pytest.raises(Exception, match="wrong sign-ins"):
        limits.may_show("secret", "192.0.2.1")


def test_one_address_has_so_many_requests(served: Serve) -> None:
    small = served(requests_at_once=5, requests_a_second=0.05)
    (ada,) = small.guests(1)
    with small.clock.stopped():
        before = refusals("requests")
        assert [ada.get("/robots.txt").status_code for _ in range(5)] == [200] * 5
        page, answer = ada.get("/", headers={"Accept-Language": "de"}), ada.get(f"{API}/games")
        assert page.text.startswith("Nicht so schnell")
        assert (page.status_code, page.headers["retry-after"]) == (429, "20")
        assert problem(answer, 429, "too-fast")
        assert refusals("requests") == before + 2
        # Whoever looks whether the server is well is told so.
        assert ada.get("/health").status_code == 200


def test_only_so_many_wait_for_news(served: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    let_go, news = asyncio.Event(), Room.news

    async def held(room: Room, seconds: float) -> None:
        """On a busy machine the next request may come later than any of them would be ready to wait."""
        await let_go.wait()
        await news(room, seconds)

    monkeypatch.setattr(Room, "news", held)
    small = served(polls_of_person=2, polls_of_address=3)
    (ada,) = small.guests(1)
    (first, _), (other, _) = two(ada), two(ada)
    version, polls = first.view()["version"], small.app.state.limits.polls_of_address

    def wait(player: Player) -> int:
        return player.ask("GET", "view", beyond=version + 1000, wait=0.5).status_code

    with ThreadPoolExecutor() as people:
        waiting = [people.submit(wait, first) for _ in range(2)]
        wait_until(lambda: polls.inside("127.0.0.1") == 2)
        before = refusals("polls")
        assert wait(first) == 429
        # Somebody else at the same address may, but not for all that come.
        waiting.append(people.submit(wait, other))
        wait_until(lambda: polls.inside("127.0.0.1") == 3)
        assert wait(other) == 429
        assert refusals("polls") == before + 2
        small.call(let_go.set)
        assert [one.result() for one in waiting] == [200] * 3
    assert wait(first) == 200
    assert len(polls) == 0


def test_every_refusal_says_when_to_come_back(served: Serve) -> None:
    small = served(new_things_a_minute=3, pictures_a_minute=1)
    (ada,) = small.guests(1)
    with small.clock.stopped():
        url, *_ = (open_table(ada, "low") for _ in range(3))
        for answer in (
            ada.post("/quick", data={"game": "detect"}),
            ada.post("/tables", data={"game": "detect", "name": "A", "seat-0": "you", "seat-1": "low"}),
            ada.post(f"{url}/watch"),
            ada.post(f"{API}/tables", json={"game": "detect", "name": "A", "seats": ["me", "low"]}),
            [ada.get("/preview.png") for _ in range(2)][-1],
        ):
            assert (answer.status_code, answer.headers["retry-after"]) == (429, "60")
            assert missing(answer.text, "Not so fast", "Wait a minute") == []


def test_the_page_of_limits_is_true() -> None:
    """Every setting that it names has that default, and it leaves none out that bounds what is sent."""
    page = (Path(__file__).parents[2] / "docs/limits.md").read_text(encoding="utf-8")
    named = dict(re.findall(r"^\| `(\w+)` \| [^|]* \| ([\d.]+) \|", page, re.MULTILINE))
    fields = ServerSettings.model_fields
    assert {name: float(value) for name, value in named.items()} == {name: fields[name].default for name in named}
    after = list(fields)[list(fields).index("connections") : list(fields).index("polls_of_address") + 1]
    assert set(after) <= set(named)
    assert set(WIDE) <= set(named)


# --- how often somebody may do something ------------------------------------------------------------------------------


def test_buckets_fill_again() -> None:
    clock = ManualClock(0.0)
    bucket = Bucket(2, 0.5, clock)
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    assert bucket.wait() == 2.0
    clock.advance(2)
    assert bucket.wait() == 0.0
    assert [bucket.take() for _ in range(2)] == [True, False]
    clock.advance(1e6)
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    assert Bucket(0, 0.0, clock).wait() == math.inf


def test_only_a_full_bucket_is_forgotten() -> None:
    """Whoever was refused is not let in again because thousands of others came."""
    clock = ManualClock(0.0)
    buckets = Buckets(2, 1 / 60, kept=100, clock=clock)
    for crowd in (1000, 100):
        assert [buckets.take("eve") for _ in range(3)] == [True, True, False]
        for number in range(crowd):
            buckets.take(f"address {number} of {crowd}")
        assert crowd == 100 or not buckets.take("eve")
        assert len(buckets) <= 100
        clock.advance(121)
    # Those that are full again take no room.
    for number in range(400):
        buckets.take(f"later {number}")
        clock.advance(61)
    assert len(buckets) < 10


def test_a_crowd_that_cannot_be_told_apart_shares_one_bucket() -> None:
    buckets = Buckets(1, 0.0, kept=10, clock=ManualClock(0.0))
    taken = sum(buckets.take(f"address {number}") for number in range(1000))
    assert taken == 10 + CROWD
    assert buckets.wait("somebody new") == math.inf


def test_so_many_at_the_same_time() -> None:
    turnstile = Turnstile(2)
    assert [turnstile.enter("ada") for _ in range(3)] == [True, True, False]
    assert turnstile.enter("ben")
    turnstile.leave("ada")
    with turnstile.through("ada") as may, turnstile.through("ada") as again:
        assert (may, again) == (True, False)
    assert turnstile.inside("ada") == 1
    for name in ("ada", "ben"):
        turnstile.leave(name)
    assert len(turnstile) == 0
