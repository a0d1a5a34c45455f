"""What can be set of the web table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SkipValidation

from facedown.core.language import SOURCE, languages
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


def _spoken(code: str) -> str:
    if code not in languages():
        raise ValueError(f"there are {', '.join(languages())}")
    return code


Language = Annotated[str, AfterValidator(_spoken)]


class ServerSettings(BaseModel):
    """Settings of the web table; times in seconds, sizes in bytes."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        arbitrary_types_allowed=True,
        use_attribute_docstrings=True,
        validate_default=True,
        allow_inf_nan=False,
    )

    database: str
    """Where everything is kept: a folder, an SQLite file, or the address of a PostgreSQL database."""
    bots: SkipValidation[Bots] = Field(default_factory=BotCatalogue, exclude=True, repr=False)
    language: Language = SOURCE
    """The language for whoever has chosen none, and whose browser names none that is spoken here."""
    bot_delay: float = Field(default=1.1, ge=0, le=60)
    """How long a bot pauses before it acts: people want to see what it does."""
    zero_delay: float = Field(default=2.5, ge=0, le=60)
    """How long it stands on the table that somebody's time was up, before a bot plays this one move."""
    origins: tuple[str, ...] = ()
    """Further origins ("https://cards.example") whose pages may post and open live tables; our own always may."""
    body_limit: int = Field(default=64 * 1024, ge=1024)
    """How large the body of a request may be."""
    message_limit: int = Field(default=8 * 1024, ge=1024)
    """How long a message over a live line may be."""
    send_timeout: float = Field(default=10.0, gt=0)
    """A client that does not take a message for so long is dropped; it comes back and is given the whole table."""
    silence: float = Field(default=75.0, gt=0)
    """A client that says nothing for so long is taken to be gone (it pings every 20 s)."""
    waiting_messages: int = Field(default=32, ge=1)
    """How many small messages may wait for one client."""
    messages_a_second: float = Field(default=8.0, gt=0)
    """How many messages one live line may send in the long run."""
    messages_at_once: int = Field(default=40, ge=1)
    """How many of them may come at once."""
    new_things_a_minute: float = Field(default=60.0, gt=0)
    """New tables, seats and guests from one address."""
    pictures_a_minute: float = Field(default=60.0, gt=0)
    """Preview pictures that one address may ask for."""
    hint_tries: int = Field(default=2000, ge=1)
    """How often moves are tried in imagined worlds for one hint."""
    review_tries: int = Field(default=300, ge=1)
    """The same for each move of a finished match."""
    reviews_kept: int = Field(default=256, ge=1)
    """How many looks back at a match from one seat are kept in memory."""
    reviews_waiting: int = Field(default=32, ge=0)
    """How many of them may wait for the coach."""
    warm_up: bool = False
    """Load and compile the rules of every game at the start, on the side."""
    sweep: float = Field(default=20.0, gt=0)
    """How often tables are looked for whose bots nobody drives."""
    pulse: float = Field(default=5.0, gt=0)
    """How often the server writes down that it is alive, so that clocks rest while it is not."""
    idle: float = Field(default=900.0, ge=0)
    """A table that nobody uses is put out of memory after so long."""

    # --- where it listens, and how long it keeps what it knows (docs/operating.md) ----------------------------------

    host: str = "127.0.0.1"
    """The address to listen on: 127.0.0.1 lets in this machine only, 0.0.0.0 the whole network."""
    port: int = Field(default=0, ge=0, le=65535)
    """The port to listen on; 0 takes a free one."""
    keep_finished_days: int = Field(default=0, ge=0, le=36_500)
    """After so many days finished matches are deleted, with their replays; 0 keeps them for ever, which suits a
    laptop. A public server may want 365."""
    keep_lobby_days: int = Field(default=7, ge=0, le=36_500)
    """After so many days a table is deleted at which nobody began to play; 0 keeps them for ever."""
    keep_people_days: int = Field(default=0, ge=0, le=36_500)
    """After so many days somebody is forgotten who was not here and has a seat at no table that is kept; 0: never.
    A public server may want 400: so long does a browser keep the cookie by which they would be known."""
