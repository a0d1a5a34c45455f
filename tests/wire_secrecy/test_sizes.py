"""How long a message is on the wire tells nobody what it holds: also not beside what others write, and compressed.

All messages of a live line are compressed together. Somebody at the table who could watch another's line may say
guesses aloud: a right one repeats what that page said, and is shorter by some bytes. So what carries others' words has
a filler of a random length, which is many times as long.
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

#: So many guesses of each kind.
GUESSES = 60
#: Letters of a guess.
LETTERS = 40


server = module_server(messages_a_second=1e6)


class Counted(socket.socket):
    """A socket that counts what comes in."""

    taken = 0

    def recv(self, *given: Any) -> bytes:
        """Take what has come, and count it."""
        data = super().recv(*given)
        self.taken += len(data)
        return data


class Guessing:
    """Ada guesses what Ben is shown, and watches his line."""

    def __init__(self, server: Server, stack: ExitStack, rnd: random.Random) -> None:
        self.server, self.rnd = server, rnd
        ada, ben = (stack.enter_context(server.client()) for _ in range(2))
        url = open_table(ada, "open", hints="on")
        assert ben.post(f"{url}/sit", data={"name": "Ben"}).status_code == 303
        # Both stay: four seconds after one had gone, the table would say so in the middle of a measurement.
        start_match(*(stack.enter_context(Live(server, person, url)) for person in (ada, ben)))
        self.counted = Counted(socket.AF_INET, socket.SOCK_STREAM)
        self.counted.connect(("127.0.0.1", server.port))
        self.live = stack.enter_context(Live(server, ben, url, sock=self.counted))
        self.room = server.within(server.rooms.room(url.rsplit("/", 1)[-1]))
        self.page = str(self.live.hello()["html"])

    def size(self, text: str) -> int:
        """How long a message with these words is on Ben's line, right after his page."""
        self.live.hello()
        self.live.send(type="ping")
        self.live.get("pong")
        before = self.counted.taken
        said = ChatMessage("Ada", text, 0.0, 0)
        self.server.within(self.room.request(lambda session: session.say(said)))
        self.live.get("chat")
        return self.counted.taken - before

    def guesses(self) -> Iterator[tuple[str, str]]:
        """Something that Ben's page says near its end, and the same letters in another order."""
        for _ in range(GUESSES):
            at = self.rnd.randrange(len(self.page) - 2000, len(self.page) - LETTERS - 400)
            right = self.page[at : at + LETTERS]
            yield right, "".join(self.rnd.sample(right, LETTERS))


def test_a_right_guess_is_shorter_by_less_than_the_filler_hides(server: Server, seed: int) -> None:
    """Without the filler the difference is there to be seen; the filler is longer than it, and never twice the same."""
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        guessing = Guessing(server, stack, random.Random(seed))
        guesses = list(guessing.guesses())
        patch.setattr(messages, "random_padding", lambda: "f" * 50)
        bare = [(guessing.size(right), guessing.size(wrong)) for right, wrong in guesses[:12]]
        shorter = sum(wrong - right for right, wrong in bare) / len(bare)
        assert 2 < shorter < MOST_FILLER / 2, "compression is seen, and it is less than what hides it"
        patch.undo()
        right, wrong = zip(*((guessing.size(one), guessing.size(two)) for one, two in guesses), strict=True)
        assert len({*right}) > GUESSES / 3
        # Whoever sees one length cannot tell: most lengths of right guesses are those of wrong ones, too.
        inside = sum(min(wrong) <= size <= max(wrong) for size in right)
        assert inside > GUESSES / 3
        assert max(right) - min(right) > shorter


def test_whatever_carries_others_words_has_a_filler(seed: int) -> None:
    fields = {name for name, model in messages.models(messages.AnySent).items() if "filler" in model.model_fields}
    assert fields == {"table", "known", "lobby", "chat", "hint", "review"}
    lengths = {len(random_padding()) for _ in range(3000)}
    assert lengths == set(range(1, MOST_FILLER + 1))
