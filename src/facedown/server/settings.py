"""What can be set of the web table."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field, SkipValidation

from facedown.core.language import SOURCE
from facedown.play import Bot, Bots, Level


class BotCatalogue:
    """The levels of `facedown.bots`, loaded at first use: the pages start without them."""

    @property
    def levels(self) -> Sequence[Level]:
        """The levels, weakest first."""
        from facedown.bots import LEVELS

        return LEVELS

    def bot(self, level: str) -> Bot:
        """The bot of a level; `KeyError` if there is none."""
        from facedown.bots import bot

        return bot(level)


class ServerSettings(BaseModel):
    """Settings of the web table; times in seconds, sizes in bytes."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", arbitrary_types_allowed=True, use_attribute_docstrings=True, validate_default=True
    )

    database: str
    """The database's address (`facedown.store.url_of`)."""
    bots: SkipValidation[Bots] = Field(default_factory=BotCatalogue, exclude=True, repr=False)
    language: str = SOURCE
    """The language for whoever has chosen none, and whose browser names none that is spoken here."""
    bot_delay: float = 1.1
    """How long a bot pauses before it acts: people want to see what it does."""
    zero_delay: float = 2.5
    """How long it stands on the table that somebody's time was up, before a bot plays this one move."""
    origins: tuple[str, ...] = ()
    """Further origins ("https://cards.example") whose pages may post and open live tables; our own always may."""
    body_limit: int = 64 * 1024
    message_limit: int = 8 * 1024
    send_timeout: float = 10.0
    """A client that does not take a message for so long is dropped; it comes back and is given the whole table."""
    silence: float = 75.0
    """A client that says nothing for so long is taken to be gone (it pings every 20 s)."""
    waiting_messages: int = 32
    """How many small messages may wait for one client."""
    messages_a_second: float = 8.0
    messages_at_once: int = 40
    new_things_a_minute: float = 60.0
    """New tables, seats and guests from one address."""
    pictures_a_minute: float = 60.0
    """Preview pictures that one address may ask for."""
    hint_tries: int = 2000
    """How often moves are tried in imagined worlds for one hint."""
    review_tries: int = 300
    """The same for each move of a finished match."""
    reviews_kept: int = 256
    """How many looks back at a match from one seat are kept in memory."""
    reviews_waiting: int = 32
    """How many of them may wait for the coach."""
    warm_up: bool = False
    """Load and compile the rules of every game at the start, on the side."""
    sweep: float = 20.0
    """How often tables are looked for whose bots nobody drives."""
    pulse: float = 5.0
    """How often the server writes down that it is alive, so that clocks rest while it is not."""
    idle: float = 900.0
    """A table that nobody uses is put out of memory after so long."""
    bus: str = ""
    """The address of a Redis or Valkey by which several processes on one PostgreSQL database hear of each other's
    changes; without one they hear of them by the database itself."""
    look_every: float = Field(default=10.0, gt=0)
    """How often tables in memory are compared with the database, in case that some news was not heard."""
