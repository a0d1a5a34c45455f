"""The scorekeeper on pages and in the JSON API: the games' own scores, and reasons for invalid input."""

from __future__ import annotations

import copy
import importlib
import operator
import random
import re
from functools import reduce
from html.parser import HTMLParser
from itertools import chain
from typing import Any, cast

import pytest
from httpx import Client

from facedown.core.game_registry import catalogue
from facedown.core.grammar import digits
from facedown.core.score_sheet_questions import (
    Field,
    Group,
    Sheet,
    SheetError,
    data_from_answers,
    next_round_answers,
    player_name_questions,
)
from facedown.server.http.scorekeeper import MAX_ANSWERS, MAX_PARTS, empty_sheet_for, games_with_score_sheets
from tests.server.api_players import problem
from tests.server.http_server import missing
from tests.server.request_cases import cases

GAMES = tuple(catalogue())


def example(game: str) -> dict[str, Any]:
    """Return the example input of the game's scorekeeper."""
    found: dict[str, Any] = importlib.import_module(f"facedown.games.{game}.scorekeeper").EXAMPLE
    return found


def score(game: str, data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = importlib.import_module(f"facedown.games.{game}.scorekeeper").score(data)
    return found


def answers_for(game: str, data: dict[str, Any]) -> dict[str, str]:
    """Return the form answers that correspond to `data`."""
    answers = {"seats": str(len(data["players"])), "parts": str(len(data.get("hands", [])) or 1)}
    for question in empty_sheet_for(game, answers).fields:
        answer = answer_to(question, data)
        if answer:
            answers[question.name] = answer
    return answers


def answer_to(question: Field, data: dict[str, Any]) -> str:
    try:
        value = reduce(operator.getitem, question.path, cast("Any", data))
    except (KeyError, IndexError):
        return ""
    for word, _, meant in question.choices:
        if meant == value and type(meant) is type(value):
            return word
    if isinstance(value, list):
        return str(len(value))
    return ("on" if value else "") if isinstance(value, bool) else str(value)


class Form(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.words: list[str] = []
        self.checked: dict[str, str] = {}
        self._select = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {key: value or "" for key, value in attrs}
        if tag in ("input", "select") and "name" in named:
            self.names.add(named["name"])
        if tag == "select":
            self._select = named["name"]
        elif (tag == "option" and "selected" in named) or (tag == "input" and "checked" in named):
            self.checked[named.get("name", self._select)] = named.get("value", "on")
        elif tag == "input" and named.get("type") not in ("radio", "checkbox") and named.get("value"):
            self.checked[named["name"]] = named["value"]

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


@pytest.mark.parametrize("game", GAMES)
def test_scorekeeper_page_and_api_give_the_same_score_as_the_game(game: str, ada: Client) -> None:
    data = example(game)
    answers = answers_for(game, data)
    options = {"options": data["options"]} if "options" in data else {}
    expected = score(game, data)
    assert score(game, data_from_answers(empty_sheet_for(game, answers), answers) | options) == expected
    assert ada.post(f"/api/v1/score/{game}", json=data).json() == expected
    page = ada.post(f"/score/{game}", data=answers)
    assert page.status_code == 200, page.text
    shown = Form(page.text)
    rows = expected.get("players", [])
    told = [(row["player"], row.get("why", ""), digits(row.get("points", row.get("marks")))) for row in rows]
    hands = expected.get("hands", [])
    told += [(hand["why"],) for hand in hands] if isinstance(hands, list) else []
    assert missing(shown.text, expected.get("why", ""), *chain.from_iterable(told)) == []
    for name, answer in answers.items():
        if name in shown.names and name not in ("parts", "seats"):
            assert shown.checked[name] == answer, f"{name} is still filled in"


@pytest.mark.parametrize("game", GAMES)
def test_empty_score_sheet_has_every_field_and_names_the_first_missing_answer_when_submitted(
    game: str, ada: Client
) -> None:
    page = ada.get(f"/score/{game}")
    assert page.status_code == 200
    answers = {"seats": str(catalogue()[game].seats[0])}
    assert {question.name for question in empty_sheet_for(game, answers).fields} <= Form(page.text).names
    empty = ada.post(f"/score/{game}", data={})
    assert empty.status_code == 422
    assert re.search(r'class="form-error" role="alert">[^<]{10,}\.<', empty.text)


def test_score_sheet_keeps_entered_answers_when_players_or_hands_are_added(ada: Client) -> None:
    said = {"players.0": "Ilse <b>", "grids.0.0.0": "-1"}
    page = ada.post("/score/detect", data={"do": "seats-4", **said})
    form = Form(page.text)
    assert page.status_code == 200
    assert ("grids.3.2.3" in form.names, "grids.4.0.0" in form.names) == (True, False)
    assert said.items() <= form.checked.items()
    assert "Ilse <b>" not in page.text
    for parts, bid, last in (("2", {"hands.1.bid": "30"}, 2), ("999", {}, MAX_PARTS - 1)):
        form = Form(ada.post("/score/reveille", data={"do": "more", "parts": parts, **bid}).text)
        assert [f"hands.{part}.bid" in form.names for part in (last, last + 1)] == [True, False]
        assert bid.items() <= form.checked.items()


def test_score_sheet_translates_colour_names_and_accepts_the_largest_number_of_hands(ada: Client) -> None:
    for code, name in (("en", "red"), ("de", "rot")):
        page = ada.get("/score/reveal", headers={"Accept-Language": code}).text
        assert f'value="red" aria-label="{name}"' in page
    hands = answers_for("reveille", {"players": ["Yara", "Theo"], "hands": [{"thrown_in": True}] * MAX_PARTS})
    every = {question.name: "" for question in empty_sheet_for("reveille", {"parts": str(MAX_PARTS)}).fields}
    every = {name: text for name, text in every.items() if not name.endswith((".claim", ".thrown_in"))}
    assert len(every) < MAX_ANSWERS - 20
    assert ada.post("/score/reveille", data=every | hands).status_code == 200


def test_score_sheet_of_the_next_round_starts_from_the_new_totals_and_options_change_the_score(ada: Client) -> None:
    answers = answers_for("reveal", example("reveal"))
    kept = Form(ada.post("/score/reveal", data=answers | {"do": "again"}).text).checked
    assert {"players.0": "Ilse", "totals.0": "13", "totals.1": "13", "hand": "3"}.items() <= kept.items()
    assert "finals.0" not in kept
    answers = answers_for("uncovered", example("uncovered"))
    assert "4 − 2 = 2" in Form(ada.post("/score/uncovered", data=answers).text).text
    plain = Form(ada.post("/score/uncovered", data=answers | {"option-score": "raw_turns"}).text)
    assert "Won on turn 4. Score: 4." in plain.text
    assert plain.checked["option-score"] == "raw_turns"


@cases("score sheets")
def test_invalid_score_sheet_answer_gets_422_with_reason(
    game: str, name: str, answer: str, reason: str, ada: Client
) -> None:
    # A name that ends with a dot means four fields.
    wrong = {f"{name}{place}": answer for place in range(4)} if name.endswith(".") else {name: answer}
    page = ada.post(f"/score/{game}", data=answers_for(game, example(game)) | wrong)
    assert page.status_code == (422 if reason else 200)
    assert reason in Form(page.text).text


def test_scorekeeper_lists_all_games_and_unknown_ones_get_404(ada: Client) -> None:
    for answer in (ada.get("/score/whist"), ada.post("/score/whist", data={})):
        assert answer.status_code == 404
    problem(ada.post("/api/v1/score/whist", json={}), 404, "unknown")
    assert 'href="/score"' in ada.get("/").text
    assert games_with_score_sheets() == list(GAMES)
    assert missing(ada.get("/score").text, *(f'href="/score/{game}"' for game in GAMES)) == []


@pytest.mark.parametrize("game", GAMES)
def test_score_api_answers_corrupted_data_with_a_score_or_with_422_and_a_reason(
    game: str, ada: Client, seed: int
) -> None:
    lot = random.Random(seed)
    strange: list[Any] = [None, -1, 10**30, 1.5, "x", "", [], {}, True, [[[]]], {"a": 1}, "é" * 50]
    refused = 0
    for _ in range(60):
        data, touched = corrupted(example(game), lot, strange)
        answer = ada.post(f"/api/v1/score/{game}", json=data)
        print(touched, answer.status_code)
        assert answer.status_code in (200, 422)
        if answer.status_code == 422:
            refused += 1
            assert answer.json()["code"] == "malformed"
            assert len(answer.json()["reason"]) > 5
    assert refused > 10


def corrupted(data: Any, lot: random.Random, strange: list[Any]) -> tuple[Any, str]:
    """Replace one random part of the data by a strange value. Return the data and the change."""
    whole = copy.deepcopy(data)
    node: Any = whole
    path = ""
    while True:
        key = lot.choice(list(node) if isinstance(node, dict) else list(range(len(node))))
        path += f".{key}"
        inner = node[key]
        if not inner or not isinstance(inner, (dict, list)) or lot.random() < 0.25:
            node[key] = lot.choice(strange)
            return whole, f"{path} = {node[key]!r}"
        node = inner


def test_openapi_example_of_the_score_api_is_accepted(ada: Client) -> None:
    described = ada.get("/openapi.json").json()["paths"]["/api/v1/score/{game}"]["post"]
    example = described["requestBody"]["content"]["application/json"]["schema"]["examples"][0]
    name = described["parameters"][0]["schema"].get("examples", described["parameters"][0].get("examples"))[0]
    answer = ada.post(f"/api/v1/score/{name}", json=example)
    assert answer.status_code == 200
    assert answer.json()["score"] == 2


def test_score_sheet_uses_default_player_names_refuses_gaps_and_carries_totals_to_the_next_round() -> None:
    sheet = Sheet((player_name_questions(2),))
    assert data_from_answers(sheet, {"players.1": " Ravi "}) == {"players": ["Player 1", "Ravi"]}
    sheet = Sheet((Group("Left", (Field(("left", 0), "first"), Field(("left", 1), "second")), optional=True),))
    assert data_from_answers(sheet, {}) == {}
    with pytest.raises(SheetError, match="Left: second is missing"):
        data_from_answers(sheet, {"left.0": "4"})
    fields = (Field(("totals", 0), "A", keep="total"), Field(("hand",), "Hand", keep="next"), Field(("x",), "X"))
    sheet = Sheet((Group("All", fields),))
    assert next_round_answers(sheet, {"hand": "2", "x": "5"}, {"players": [{"total": 31}]}) == {
        "totals.0": "31",
        "hand": "3",
    }
