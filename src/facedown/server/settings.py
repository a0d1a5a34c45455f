"""What can be set of the web table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, SkipValidation, model_validator

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

    # What a host sees of what goes on.
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """From which level on events are logged."""
    log_form: Literal["auto", "text", "json"] = "auto"
    """How: as JSON lines, as text, or as text on a terminal and as JSON elsewhere."""
    log_requests: bool = False
    """Note every request down, by its route (never by its address, which may hold a table's code)."""
    log_addresses: Literal["none", "hash", "network"] = "hash"
    """What is noted of who sent it: nothing, a hash under a key that is new at every start, or the network (/24, /48)
    of the address."""
    metrics: Literal["local", "token", "off"] = "local"
    """Who may read `/metrics`: programs on this machine that ask for it directly, not through a proxy, and whoever
    has the token; only who has the token; nobody."""
    metrics_token: SecretStr = SecretStr("")
    """What is sent as `Authorization: Bearer …` to read `/metrics` from elsewhere; empty: nobody does."""

    write_patience: float = Field(default=8.0, gt=0)
    """Who waits so long for a database that hangs is told that nobody knows yet whether that counts."""

    @model_validator(mode="after")
    def _token_is_there(self) -> Self:
        if self.metrics == "token" and not self.metrics_token.get_secret_value():
            raise ValueError("metrics is token, but metrics_token is empty")
        return self
