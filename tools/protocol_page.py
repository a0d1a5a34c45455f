"""Write the WebSocket messages into ``docs/protocol.md`` from their models: ``python tools/protocol_page.py``."""

from __future__ import annotations

import json
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from facedown.server.connection import messages

PAGE = Path(__file__).resolve().parent.parent / "docs" / "protocol.md"
BEGIN = "<!-- Written by tools/protocol_page.py from facedown.server.connection.messages: change that. -->"
END = "<!-- Here the messages end. -->"
#: Names of JSON types on the page, by Python type.
CALLED = {int: "number", float: "number", str: "text", bool: "true or false", dict: "object", type(None): "null"}


def example(model: type[BaseModel]) -> dict[str, Any]:
    """Return an example message, made from the examples of the model's fields."""
    found: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        of = _model_inside(field)
        if name == "type":
            found[name] = get_args(field.annotation)[0]
        elif of is not None and get_origin(field.annotation) is list:
            found[name] = [example(of)]
        elif field.examples:
            found[name] = field.examples[0]
    return found


def _model_inside(field: FieldInfo) -> type[BaseModel] | None:
    """Return the model if the value of a field is a list of models, or a model or null; else None."""
    inside = get_args(field.annotation)
    return inside[0] if inside and isinstance(inside[0], type) and issubclass(inside[0], BaseModel) else None


def type_text(annotation: Any, required: bool = True) -> str:
    """Return the name of a type on the page: "number", "text or null", "list of text".

    >>> type_text(list[str]), type_text(int | None), type_text(int | None, required=False)
    ('list of text', 'number or null', 'number')
    """
    origin, inside = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return type_text(inside[0], required)
    if origin in (Union, types.UnionType):
        kept = [one for one in inside if required or one is not type(None)]
        return " or ".join(type_text(one) for one in kept)
    if origin is Literal:
        return "text"
    if origin is list:
        item = type_text(inside[0])
        return "list of objects" if item == "object" else f"list of {item}"
    if origin is tuple:
        return "pair"
    return CALLED.get(origin or annotation, "object")


def section(name: str, model: type[BaseModel]) -> Iterator[str]:
    """Yield the lines of the page about one kind of message."""
    yield from (f"#### `{name}`", "", "```json", json.dumps(example(model), ensure_ascii=False), "```", "")
    yield from (" ".join((model.__doc__ or "").split()), "")
    yield from _fields(model)
    for field in model.model_fields.values():
        of = _model_inside(field)
        if of is not None:
            yield from (" ".join((of.__doc__ or "").split()), "")
            yield from _fields(of)


def _fields(model: type[BaseModel]) -> Iterator[str]:
    """Yield a table of a model's fields except `type`; nothing if there are no others."""
    rows = []
    for name, field in model.model_fields.items():
        if name != "type":
            absent = "" if field.is_required() else ", may be absent"
            rows.append(
                f"| `{name}` | {type_text(field.annotation, field.is_required())}{absent} | {field.description} |"
            )
    if rows:
        yield from ("| field | type | meaning |", "| --- | --- | --- |", *rows, "")


def messages_text() -> str:
    """Return the part of the page about messages, including its two marker comments."""
    lines = [BEGIN, "", "### From the server", ""]
    for name, model in messages.models_by_type(messages.AnySent).items():
        lines += section(name, model)
    lines += ["### From the client", ""]
    for name, model in messages.models_by_type(messages.Received).items():
        lines += section(name, model)
    return "\n".join([*lines, END])


def page() -> str:
    """Return the whole page with updated messages. Raises `ValueError` if a marker comment is missing."""
    text = PAGE.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{PAGE.name} does not contain the markers {BEGIN} … {END}")
    return before + messages_text() + after


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.exit(0)
