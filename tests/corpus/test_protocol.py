"""Every message that a client could send is still read, and every message has its fields."""

from __future__ import annotations

from tests.corpus import archive, protocol


def test_messages_are_read_as_they_were_and_have_the_frozen_fields() -> None:
    archive.check(protocol.files())
    assert {read["type"] for read in map(protocol.received, protocol.TEXTS) if "refused" not in read} == set(
        protocol.fields()["received"]
    )
