"""Messages of clients are still accepted, and every message has its fields."""

from __future__ import annotations

from tests.corpus import archive, protocol


def test_client_messages_are_parsed_as_before_and_have_the_frozen_fields() -> None:
    archive.check(protocol.files())
    assert {read["type"] for read in map(protocol.received, protocol.TEXTS) if "refused" not in read} == set(
        protocol.fields()["received"]
    )
