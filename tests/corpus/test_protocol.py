"""Messages of clients are still accepted, and every message has its fields."""

from __future__ import annotations

from tests.corpus import archive, protocol


def test_client_messages_are_parsed_as_recorded_and_all_messages_have_the_recorded_fields() -> None:
    archive.check(protocol.files())
    assert {read["type"] for read in map(protocol.received, protocol.TEXTS) if "refused" not in read} == set(
        protocol.fields()["received"]
    )
