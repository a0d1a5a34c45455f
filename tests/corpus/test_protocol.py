"""Every message that a client could send is still read, and every message has its fields."""

from __future__ import annotations

from typing import Any

import pytest

from tests.corpus import archive, protocol

FROZEN: list[tuple[str, dict[str, Any]]] = archive.read_json("protocol/received.json")


@pytest.mark.parametrize(("text", "read"), FROZEN, ids=[text[:60] for text, _ in FROZEN])
def test_a_message_of_a_client_is_read_as_it_was(text: str, read: dict[str, Any]) -> None:
    assert protocol.received(text) == read


def test_every_kind_of_message_is_frozen_and_has_the_frozen_fields() -> None:
    frozen = archive.read_json("protocol/fields.json")
    wrong = archive.first_difference(frozen, protocol.fields())
    assert not wrong, wrong
    assert {read["type"] for _, read in FROZEN if "refused" not in read} == set(frozen["received"])
