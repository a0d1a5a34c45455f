"""The protocol of a live table: messages that clients send, and the fields of all messages."""

from __future__ import annotations

from typing import Any, get_args

from tests.corpus import archive, program

#: Frozen messages of clients: every type with all its fields and with few, and some that are refused.
TEXTS: list[str] = [text for text, _read in archive.read_json("protocol/received.json")]


def files() -> dict[str, bytes]:
    """Return how the program reads the messages of clients, and the fields of all messages."""
    return {
        "protocol/received.json": archive.to_json([[text, received(text)] for text in TEXTS], 1),
        "protocol/fields.json": archive.to_json(fields(), 1),
    }


def received(text: str) -> dict[str, Any]:
    """Return how the program reads a message: its fields, or the code and reason of a refusal."""
    try:
        return program.parse_message(text).model_dump()
    except program.Refusal as refusal:
        return {"refused": refusal.code, "reason": refusal.reason}


def fields() -> dict[str, dict[str, list[str]]]:
    """Return the fields of every message by its type, for received and for sent messages."""
    return {
        way: {kind: list(model.model_fields) for kind, model in program.message_models(union).items()}
        for way, union in (("received", program.Received), ("sent", program.AnySent))
    } | {"codes": {"error": list(get_args(program.RefusalCode))}}
