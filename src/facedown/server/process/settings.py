"""What can be set of the web table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    SkipValidation,
    model_validator,
)

from facedown.core.language import SOURCE_LANGUAGE, languages
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


def _check_language(code: str) -> str:
    if code not in languages():
        raise ValueError(f"there are {', '.join(languages())}")
    return code


def _normalize_path(given: str) -> str:
    """A path of plain names, without a slash at its end; `ValueError` for anything else."""
    if not re.fullmatch(r"(/[A-Za-z0-9._~-]+)*/?", given) or "/." in given:
        raise ValueError("a path such as /cards")
    return given.rstrip("/")


def _normalize_url(given: str) -> str:
    """An address without a slash at its end; `ValueError` says what one looks like."""
    parts = urlsplit(given)
    if given and (parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment):
        raise ValueError("an address such as https://cards.example or https://example.org/cards")
    _normalize_path(parts.path)
    return given.rstrip("/")


Language = Annotated[str, AfterValidator(_check_language)]
Path = Annotated[str, AfterValidator(_normalize_path)]
Address = Annotated[str, AfterValidator(_normalize_url)]


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
    language: Language = SOURCE_LANGUAGE
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
    idle: float = Field(default=120.0, ge=0)
    """A table that nobody uses is put out of memory after so long."""
    bus: str = ""
    """The address of a Redis or Valkey by which several processes on one PostgreSQL database hear of each other's
    changes; without one they hear of them by the database itself."""
    look_every: float = Field(default=10.0, gt=0)
    """How often tables in memory are compared with the database, in case that some news was not heard."""

    # --- what a stranger can send, and how much (docs/limits.md) -----------------------------------------------------

    proxies: tuple[str, ...] = ()
    """Networks ("127.0.0.1", "10.0.0.0/8") of the proxies before this server. Only what comes from these has its
    `X-Forwarded-For`, `-Proto` and `-Host` believed."""
    hosts: tuple[str, ...] = ()
    """The names that a request's `Host` may have ("cards.example", "*.cards.example"); without any, every name."""
    public_url: Address = ""
    """The address under which others find this server ("https://cards.example", "https://example.org/cards"): shared
    links begin with it. Without one they begin with the address of each request."""
    connections: int = Field(default=8192, ge=16)
    """How many connections may be open; fewer where the system gives fewer."""
    connections_of_address: int = Field(default=256, ge=1)
    """How many of them one address may have (of IPv6, one network of 64 bits); a proxy may have all."""
    head_timeout: float = Field(default=10.0, gt=0)
    """A request whose headers are not complete after so long is dropped."""
    body_timeout: float = Field(default=30.0, gt=0)
    """The same for what follows them."""
    take_timeout: float = Field(default=30.0, gt=0)
    """An answer that is not taken for so long is dropped with its connection."""
    keep_alive: int = Field(default=30, ge=1)
    """A connection over which nothing was asked for so long is closed."""
    head_limit: int = Field(default=16 * 1024, ge=1024)
    """How large the headers of a request may be."""
    headers_limit: int = Field(default=100, ge=10)
    """How many headers a request may have."""
    frames_a_second: float = Field(default=50.0, gt=0)
    """What may come over one live line, whatever it is; beyond that it is cut."""
    frames_at_once: int = Field(default=400, ge=1)
    """How much of that may come at once."""
    sockets_of_person_at_table: int = Field(default=8, ge=1)
    """Live lines of one person to one table."""
    sockets_of_person: int = Field(default=32, ge=1)
    """Live lines of one person."""
    sockets_of_address: int = Field(default=200, ge=1)
    """Live lines of one address."""
    watchers_of_table: int = Field(default=200, ge=0)
    """Pages of people who only watch one table."""
    sockets_a_minute: float = Field(default=60.0, gt=0)
    """Live lines that one person may open; one address, five times as many."""
    hellos_a_minute: float = Field(default=60.0, gt=0)
    """Whole pages that one person may ask for at one table; beyond that they come later."""
    hellos_at_once: int = Field(default=20, ge=1)
    """How many of them may be asked for at once."""
    requests_a_second: float = Field(default=60.0, gt=0)
    """Requests of one address."""
    requests_at_once: int = Field(default=600, ge=1)
    """How many of them may come at once."""
    wrong_codes_a_minute: float = Field(default=10.0, gt=0)
    """Codes of tables that there are not, from one address; beyond that only who sits at a table finds it."""
    wrong_codes_at_once: int = Field(default=20, ge=1)
    """How many of them may come at once."""
    wrong_tokens_a_minute: float = Field(default=30.0, gt=0)
    """Cookies and seat tokens that nobody has, from one address."""
    wrong_tokens_at_once: int = Field(default=60, ge=1)
    """How many of them may come at once."""
    polls_of_person: int = Field(default=8, ge=1)
    """Requests of one person that wait for news at the same time."""
    polls_of_address: int = Field(default=64, ge=1)
    """The same of one address."""

    # --- memory ------------------------------------------------------------------------------------------------------

    rests: float = Field(default=30.0, ge=0)
    """When nobody has looked at a table for so long, what only onlookers need of it is put out of memory."""

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

    # --- where it lives (docs/host.md) -------------------------------------------------------------------------------

    prefix: Path = ""
    """The path below which a proxy serves the table ("/cards"); the path of `public_url` where that has one."""

    # --- who may think for how long (docs/thinking.md) ---------------------------------------------------------------

    quick_threads: int = Field(default=2, ge=1, le=64)
    """Threads for bots that answer in a moment."""
    slow_threads: int = Field(default=0, ge=0, le=256)
    """Threads for bots that think ahead, hints, looks back and sums; 0: one for each core but one."""
    think_here: bool = True
    """Whether this process lets strong bots think and looks back at matches; else `facedown think` is to do it."""
    slow_patience: float = Field(default=2.0, gt=0)
    """Bots that think ahead are to answer within so many seconds; where more wait, they think less."""
    slow_floor: float = Field(default=1.5, ge=0)
    """A bot that thinks ahead answers after so many seconds, so that nobody learns from how long it thought."""
    questions_waiting: int = Field(default=3, ge=1)
    """Hints and sums that may wait for the coach from one address."""
    reviews_of_origin: int = Field(default=8, ge=1)
    """Looks back that may wait for the coach from one address."""
    bots_alone: int = Field(default=4, ge=0)
    """Running matches of bots alone from one address."""
    unseen_for: float = Field(default=30.0, ge=0)
    """Bots among themselves wait once nobody has looked at them for so many seconds."""
    jobs_every: float = Field(default=2.0, gt=0)
    """How often it is looked for work that another process left, or has done."""
    job_lease: float = Field(default=30.0, gt=1)
    """Work that a process took and did not speak of for so many seconds is anybody's again."""

    # --- what a host sees of what goes on (docs/metrics.md) ---------------------------------------------------------

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
    def _check_consistency(self) -> Self:
        """`ValueError` where settings exclude each other."""
        if self.prefix and self.public_url and urlsplit(self.public_url).path != self.prefix:
            raise ValueError(f"public_url ends in {urlsplit(self.public_url).path or '/'}, but prefix is {self.prefix}")
        if self.metrics == "token" and not self.metrics_token.get_secret_value():
            raise ValueError("metrics is token, but metrics_token is empty")
        return self

    @property
    def root(self) -> str:
        """What stands before every path of ours: "" or "/cards"."""
        return self.prefix or urlsplit(self.public_url).path
