"""The messages of a live table: their page is up to date, their examples are what they say, and pages have fillers."""

from __future__ import annotations

import json

import pytest
from tools import protocol

from facedown.play import Refusal
from facedown.server.connection import messages
from facedown.server.connection.messages import RECEIVED, SENT, AnySent, Received
from tests.server.cases import cases

IN, OUT = messages.models(Received), messages.models(AnySent)


def test_the_protocol_page_is_up_to_date() -> None:
    assert protocol.PAGE.read_text("utf-8") == protocol.page(), "run python tools/protocol.py"


@pytest.mark.parametrize("name", IN)
def test_what_the_page_says_a_client_sends_is_understood(name: str) -> None:
    shown = protocol.example(IN[name])
    found = messages.parse(json.dumps(shown))
    assert type(found) is IN[name]
    assert json.loads(RECEIVED.dump_json(found, exclude_unset=True)) == shown


@pytest.mark.parametrize("name", OUT)
def test_what_the_page_says_the_server_sends_goes_over_the_wire(name: str) -> None:
    shown = protocol.example(OUT[name])
    built = OUT[name](**{key: value for key, value in shown.items() if key != "type"})
    sent = json.loads(built.wire())  # type: ignore[attr-defined]
    assert next(iter(sent)) == "type"
    assert {key: value for key, value in sent.items() if key != "filler"} == shown
    assert ("filler" in sent) is issubclass(OUT[name], messages.Page)
    assert type(SENT.validate_python(sent)) is OUT[name]


@pytest.mark.parametrize("model", [*IN.values(), *OUT.values(), messages.HintedMove])
def test_every_field_of_a_message_says_what_it_is(model: type[messages.Message]) -> None:
    assert model.__doc__
    silent = [name for name, field in model.model_fields.items() if name != "type" and not field.description]
    assert silent == []


def test_nothing_is_sent_that_the_page_does_not_name() -> None:
    with pytest.raises(ValueError, match="Extra inputs"):
        messages.Go(url="/", html="<p>")  # type: ignore[call-arg]


@cases("messages that cannot be read")
def test_what_is_wrong_with_a_message_is_named(text: str, reason: str) -> None:
    with pytest.raises(Refusal, match=reason) as caught:
        messages.parse(text)
    assert caught.value.code == "malformed"


def test_values_that_name_nothing_are_left_to_whoever_knows_the_names() -> None:
    bot = messages.parse('{"type": "bot", "seat": 1, "level": 7}')
    assert isinstance(bot, messages.SeatBot)
    assert bot.level == "7"
    for level in ("null", '""', "0"):
        standin = messages.parse(f'{{"type": "standin", "seat": 1, "level": {level}}}')
        assert isinstance(standin, messages.StandIn)
        assert standin.level == ""
    hello = messages.parse('{"type": "hello", "version": 3, "sections": 1}')
    assert isinstance(hello, messages.Hello)
    assert not hello.sections


def test_half_a_character_is_left_out() -> None:
    """It could not be sent back in a sentence that says what is wrong."""
    half, whole = r"\uD83C", r"\ud83c\udca1"
    said = messages.parse(f'{{"type": "chat", "text": "hi {half}{whole}{half}"}}')
    assert isinstance(said, messages.Say)
    assert said.text == "hi 🂡"
    with pytest.raises(Refusal) as caught:
        messages.parse(f'{{"type": "{half}x"}}')
    assert caught.value.reason.startswith("There is no message 'x'")
