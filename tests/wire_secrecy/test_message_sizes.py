"""Message sizes: the length of a message on the wire tells nothing about its content, even when compressed.

All messages of a live connection are compressed together. A player who could watch the connection of another player may
guess its contents in the chat. A right guess repeats what that page said, so its compressed message is some bytes
shorter. Messages with words of other people therefore have a filler of random length, which is many times longer than
this difference.
"""

from __future__ import annotations

import random
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from facedown.play import ChatMessage
from facedown.server.connection import messages
from facedown.server.process.breach_padding import MOST_FILLER, random_padding
from tests.server.http_server import Live, Server, module_server, open_table, start_match

#: Number of guesses of each kind.
GUESSES = 60
#: Length of a guess, in letters.
LETTERS = 40


server = module_server(messages_a_second=1e6)


class CountingSocket(socket.socket):
    """A socket that counts the bytes that it receives."""

    taken = 0

    def recv(self, *given: Any) -> bytes:
        """Receive data and count it."""
        data = super().recv(*given)
        self.taken += len(data)
        return data


class GuessAttack:
    """Ada guesses what Ben's page shows, and watches his connection."""

    def __init__(self, server: Server, stack: ExitStack, rnd: random.Random) -> None:
        self.server, self.rnd = server, rnd
        ada, ben = (stack.enter_context(server.client()) for _ in range(2))
        url = open_table(ada, "open", hints="on")
        assert ben.post(f"{url}/sit", data={"name": "Ben"}).status_code == 303
        # Both stay connected. After four seconds the table would announce a missing player and disturb the measurement.
        start_match(*(stack.enter_context(Live(server, person, url)) for person in (ada, ben)))
        self.counted = CountingSocket(socket.AF_INET, socket.SOCK_STREAM)
        self.counted.connect(("127.0.0.1", server.port))
        self.live = stack.enter_context(Live(server, ben, url, sock=self.counted))
        self.room = server.within(server.rooms.room(url.rsplit("/", 1)[-1]))
        self.page = str(self.live.hello()["html"])

    def size(self, text: str) -> int:
        """Return the length of a chat message with these words on Ben's connection, sent right after his page."""
        self.live.hello()
        self.live.send(type="ping")
        self.live.get("pong")
        before = self.counted.taken
        said = ChatMessage("Ada", text, 0.0, 0)
        self.server.within(self.room.request_change(lambda session: session.say(said)))
        self.live.get("chat")
        return self.counted.taken - before

    def guesses(self) -> Iterator[tuple[str, str]]:
        """Yield texts near the end of Ben's page, each with the same letters in another order."""
        for _ in range(GUESSES):
            at = self.rnd.randrange(len(self.page) - 2000, len(self.page) - LETTERS - 400)
            right = self.page[at : at + LETTERS]
            yield right, "".join(self.rnd.sample(right, LETTERS))


def test_random_padding_hides_whether_a_chat_message_repeats_text_of_another_players_page(
    server: Server, seed: int
) -> None:
    """Without the filler the difference can be measured. The length of the filler varies."""
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        guessing = GuessAttack(server, stack, random.Random(seed))
        guesses = list(guessing.guesses())
        patch.setattr(messages, "random_padding", lambda: "f" * 50)
        bare = [(guessing.size(right), guessing.size(wrong)) for right, wrong in guesses[:12]]
        shorter = sum(wrong - right for right, wrong in bare) / len(bare)
        assert 2 < shorter < MOST_FILLER / 2, "compression is seen, and it is less than what hides it"
        patch.undo()
        right, wrong = zip(*((guessing.size(one), guessing.size(two)) for one, two in guesses), strict=True)
        assert len({*right}) > GUESSES / 3
        # One length does not tell: most lengths of right guesses also occur among wrong ones.
        inside = sum(min(wrong) <= size <= max(wrong) for size in right)
        assert inside > GUESSES / 3
        assert max(right) - min(right) > shorter


def test_every_message_type_that_contains_texts_by_other_persons_has_random_padding(seed: int) -> None:
    fields = {
        name for name, model in messages.models_by_type(messages.AnySent).items() if "filler" in model.model_fields
    }
    assert fields == {"table", "known", "lobby", "chat", "hint", "review"}
    lengths = {len(random_padding()) for _ in range(3000)}
    assert lengths == set(range(1, MOST_FILLER + 1))
