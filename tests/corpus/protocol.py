"""The protocol of a live table: messages that clients send, and the fields of all messages."""

from __future__ import annotations

import json
from typing import Any, get_args

from tests.corpus import archive, program

#: Messages of clients: every kind with all its fields and with few, and some that are refused.
SENT = (
    {"type": "hello", "version": 17},
    {"type": "hello", "version": 0, "patches": True, "known": True},
    {"type": "hello", "version": 3, "patches": "yes", "more": 1},
    {"type": "hello"},
    {"type": "move", "action": 42, "version": 17},
    {"type": "move", "action": "42", "version": 17},
    {"type": "move", "action": 42},
    {"type": "move", "action": 2**40, "version": 17},
    {"type": "ready", "ready": True},
    {"type": "ready", "ready": False},
    {"type": "ready", "ready": 1},
    {"type": "bot", "seat": 2, "level": "greedy"},
    {"type": "bot", "seat": 2},
    {"type": "bot", "seat": 2, "level": None},
    {"type": "open", "seat": 2},
    {"type": "remove", "seat": 2},
    {"type": "admit", "name": "Sol"},
    {"type": "admit"},
    {"type": "swap", "seat": 2, "other": 0},
    {"type": "swap", "seat": 2},
    {"type": "close", "seat": 2},
    {"type": "add"},
    {"type": "standin", "seat": 2},
    {"type": "standin", "seat": 2, "level": "beginner"},
    {"type": "standin", "seat": 2, "level": None},
    {"type": "chat", "text": "Good luck! ♥"},
    {"type": "chat", "text": 7},
    {"type": "again"},
    {"type": "again", "answer": "no"},
    {"type": "again", "answer": "on"},
    {"type": "hint"},
    {"type": "hint", "stop": True},
    {"type": "review", "seat": 1},
    {"type": "ping"},
    {"type": "dance"},
    {"version": 3},
    ["hello"],
)


def files() -> dict[str, bytes]:
    """Return what the program makes of the messages of clients, and the fields of all messages."""
    texts = [json.dumps(message, ensure_ascii=False) for message in SENT] + ["{", '{"type": "chat", "text": "\\ud83d"}']
    return {
        "protocol/received.json": archive.to_json([[text, received(text)] for text in texts], 1),
        "protocol/fields.json": archive.to_json(fields(), 1),
    }


def received(text: str) -> dict[str, Any]:
    """Return what the program reads in a message: its fields, or the code and reason of a refusal."""
    try:
        return program.parse_message(text).model_dump()
    except program.Refusal as refusal:
        return {"refused": refusal.code, "reason": refusal.reason}


def fields() -> dict[str, dict[str, list[str]]]:
    """Return the fields of every message by its type, of those that come in and of those that go out."""
    return {
        way: {kind: list(model.model_fields) for kind, model in program.message_models(union).items()}
        for way, union in (("received", program.Received), ("sent", program.AnySent))
    } | {"codes": {"error": list(get_args(program.Reason))}}
