"""Settings of the web server, with their types, limits, defaults and descriptions."""

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

from facedown.core.translation import SOURCE_LANGUAGE, languages
from facedown.play import Bot, Bots, Level


class BotCatalogue:
    """The bots of `facedown.bots`, imported at first use, so that the server starts faster."""

    @property
    def levels(self) -> Sequence[Level]:
        """The bot levels, weakest first."""
        from facedown.bots import LEVELS

        return LEVELS

    def bot(self, level: str) -> Bot:
        """Return the bot of a level. Raise `KeyError` if the level does not exist."""
        from facedown.bots import bot

        return bot(level)


def _check_language(code: str) -> str:
    if code not in languages():
        raise ValueError(f"must be one of these: {', '.join(languages())}")
    return code


def _normalize_path(given: str) -> str:
    """Return a URL path without a trailing slash.

    Raise `ValueError` unless each part between slashes consists of letters, digits and the characters "._~-".
    """
    if not re.fullmatch(r"(/[A-Za-z0-9._~-]+)*/?", given) or "/." in given:
        raise ValueError("must be a path such as /cards")
    return given.rstrip("/")


def _normalize_url(given: str) -> str:
    """Return an HTTP URL without a trailing slash; "" stays "".

    Raise `ValueError`, with an example of a valid URL, for any other text.
    """
    parts = urlsplit(given)
    if given and (parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment):
        raise ValueError("must be a URL such as https://cards.example or https://example.org/cards")
    _normalize_path(parts.path)
    return given.rstrip("/")


Language = Annotated[str, AfterValidator(_check_language)]
Path = Annotated[str, AfterValidator(_normalize_path)]
Address = Annotated[str, AfterValidator(_normalize_url)]


class ServerSettings(BaseModel):
    """Settings of the web server. Times are in seconds, sizes in bytes."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        arbitrary_types_allowed=True,
        use_attribute_docstrings=True,
        validate_default=True,
        allow_inf_nan=False,
    )

    database: str
    """Storage of all data: a folder, an SQLite file, or the URL of a PostgreSQL database."""
    bots: SkipValidation[Bots] = Field(default_factory=BotCatalogue, exclude=True, repr=False)
    language: Language = SOURCE_LANGUAGE
    """Language of visitors who have chosen none and whose browser asks for no available language."""
    bot_delay: float = Field(default=1.1, ge=0, le=60)
    """Pause before a bot acts, so that people can follow its moves."""
    zero_delay: float = Field(default=2.5, ge=0, le=60)
    """Time for which a table shows that a player's time ran out, before a bot plays one move for that player."""
    origins: tuple[str, ...] = ()
    """Additional web origins ("https://cards.example") whose pages may post forms and open WebSockets. The server's own
    origin is always allowed."""
    body_limit: int = Field(default=64 * 1024, ge=1024)
    """Maximum size of a request body."""
    message_limit: int = Field(default=8 * 1024, ge=1024)
    """Maximum size of a WebSocket message from a client."""
    send_timeout: float = Field(default=10.0, gt=0)
    """Time after which a client that does not accept a message is disconnected. It receives the whole table when it
    reconnects."""
    silence: float = Field(default=75.0, gt=0)
    """Time after which a client that sends nothing is disconnected (clients ping every 20 s)."""
    waiting_messages: int = Field(default=32, ge=1)
    """Maximum number of small messages waiting to be sent to one client."""
    messages_a_second: float = Field(default=8.0, gt=0)
    """Average number of WebSocket messages per second that a person may send to one table.
    Spectators at the same address share five times this number."""
    messages_at_once: int = Field(default=40, ge=1)
    """Number of messages that may be sent in a burst, under the same limit."""
    new_things_a_minute: float = Field(default=60.0, gt=0)
    """Number of new tables, seats and guests per minute and address."""
    pictures_a_minute: float = Field(default=60.0, gt=0)
    """Number of link preview images per minute and address."""
    hint_tries: int = Field(default=2000, ge=1)
    """Number of simulations for one hint."""
    review_tries: int = Field(default=300, ge=1)
    """Number of simulations for each move of a reviewed match."""
    reviews_kept: int = Field(default=256, ge=1)
    """Maximum number of reviews kept in memory."""
    reviews_waiting: int = Field(default=32, ge=0)
    """Maximum number of reviews waiting to be computed."""
    warm_up: bool = False
    """Load and compile the rules of every game at startup, in the background."""
    sweep: float = Field(default=20.0, gt=0)
    """Interval between searches for tables whose bots and clocks no process runs."""
    pulse: float = Field(default=5.0, gt=0)
    """Interval at which the server records that it is alive, so that clocks can be stopped for the time it was down."""
    idle: float = Field(default=120.0, ge=0)
    """Time after which an unused table is removed from memory."""
    bus: str = ""
    """URL of a Redis or Valkey server through which several processes on one PostgreSQL database tell each other about
    changes; if empty, they use the database itself."""
    look_every: float = Field(default=10.0, gt=0)
    """Interval at which tables in memory are compared with the database, in case a message between processes was
    lost."""

    # --- limits for clients (docs/limits.md) -------------------------------------------------------------------------

    proxies: tuple[str, ...] = ()
    """Networks ("127.0.0.1", "10.0.0.0/8") of trusted proxies in front of this server. `X-Forwarded-For`, `-Proto` and
    `-Host` are accepted only from them."""
    hosts: tuple[str, ...] = ()
    """Host names accepted in a request's `Host` header ("cards.example", "*.cards.example"); if empty, any name."""
    public_url: Address = ""
    """Public URL of this server ("https://cards.example", "https://example.org/cards"), with which shared links begin.
    If empty, they begin with the address of each request."""
    connections: int = Field(default=8192, ge=16)
    """Maximum number of open connections; fewer if the system allows fewer."""
    connections_of_address: int = Field(default=256, ge=1)
    """Maximum number of open connections per address (for IPv6 per /64 network); trusted proxies are exempt."""
    head_timeout: float = Field(default=10.0, gt=0)
    """Time within which a request's headers must be complete."""
    body_timeout: float = Field(default=30.0, gt=0)
    """Time within which a request's body must be complete."""
    take_timeout: float = Field(default=30.0, gt=0)
    """Time after which a connection is closed if the client does not accept the response."""
    keep_alive: int = Field(default=30, ge=1)
    """Time after which an idle connection is closed."""
    head_limit: int = Field(default=16 * 1024, ge=1024)
    """Maximum size of a request's headers."""
    headers_limit: int = Field(default=100, ge=10)
    """Maximum number of headers of a request."""
    frames_a_second: float = Field(default=50.0, gt=0)
    """Average number of WebSocket frames of any kind per second and connection; the connection is closed above it."""
    frames_at_once: int = Field(default=400, ge=1)
    """Number of WebSocket frames that one connection may send in a burst."""
    sockets_of_person_at_table: int = Field(default=8, ge=1)
    """Maximum number of WebSocket connections of one person to one table."""
    sockets_of_person: int = Field(default=32, ge=1)
    """Maximum number of WebSocket connections of one person."""
    sockets_of_address: int = Field(default=200, ge=1)
    """Maximum number of WebSocket connections of one address."""
    watchers_of_table: int = Field(default=200, ge=0)
    """Maximum number of spectators' pages for one table."""
    sockets_a_minute: float = Field(default=60.0, gt=0)
    """Number of WebSocket connections that one person may open per minute; five times as many for one address."""
    hellos_a_minute: float = Field(default=60.0, gt=0)
    """Number of full page updates per minute that one person may request at one table; further ones are delayed."""
    hellos_at_once: int = Field(default=20, ge=1)
    """Number of full page updates that one person may request in a burst."""
    requests_a_second: float = Field(default=60.0, gt=0)
    """Average number of requests per second and address."""
    requests_at_once: int = Field(default=600, ge=1)
    """Number of requests that one address may send in a burst."""
    wrong_codes_a_minute: float = Field(default=10.0, gt=0)
    """Number of wrong table codes per minute and address. Above it, only persons with a seat at a table can find it."""
    wrong_codes_at_once: int = Field(default=20, ge=1)
    """Number of wrong table codes that one address may send in a burst."""
    wrong_tokens_a_minute: float = Field(default=30.0, gt=0)
    """Number of unknown cookies and seat tokens per minute and address."""
    wrong_tokens_at_once: int = Field(default=60, ge=1)
    """Number of unknown cookies and seat tokens that one address may send in a burst."""
    polls_of_person: int = Field(default=8, ge=1)
    """Maximum number of simultaneous long-polling requests of one person."""
    polls_of_address: int = Field(default=64, ge=1)
    """Maximum number of simultaneous long-polling requests of one address."""

    # --- memory ------------------------------------------------------------------------------------------------------

    rests: float = Field(default=30.0, ge=0)
    """Time without viewers after which a table's cached views are removed from memory."""

    # --- listening address and retention (docs/operating.md) --------------------------------------------------------

    host: str = "127.0.0.1"
    """Address to listen on: 127.0.0.1 accepts connections from this machine only, 0.0.0.0 from the whole network."""
    port: int = Field(default=0, ge=0, le=65535)
    """Port to listen on; 0 chooses a free one."""
    keep_finished_days: int = Field(default=0, ge=0, le=36_500)
    """Days after which finished matches are deleted, with their replays; 0 keeps them for ever, which suits a laptop. A
    public server may want 365."""
    keep_lobby_days: int = Field(default=7, ge=0, le=36_500)
    """Days after which a table is deleted if its match never began; 0 keeps it for ever."""
    keep_people_days: int = Field(default=0, ge=0, le=36_500)
    """Days of absence after which a person without a seat at a stored table is deleted; 0 for never. A public server
    may want 400, since browsers keep the identifying cookie for that long."""

    # --- URL path (docs/host.md) -------------------------------------------------------------------------------------

    prefix: Path = ""
    """URL path under which a proxy serves this server ("/cards"); by default the path of `public_url`."""

    # --- computing time (docs/thinking.md) ---------------------------------------------------------------------------

    quick_threads: int = Field(default=2, ge=1, le=64)
    """Number of threads for bots that answer immediately."""
    slow_threads: int = Field(default=0, ge=0, le=256)
    """Number of threads for bots that think ahead, hints, reviews and statistics; 0 for the number of cores minus
    one."""
    think_here: bool = True
    """Whether this process computes the moves of strong bots and reviews; if not, `facedown think` processes do."""
    slow_patience: float = Field(default=2.0, gt=0)
    """Time within which bots that think ahead should answer; they think less if many are waiting."""
    slow_floor: float = Field(default=1.5, ge=0)
    """Minimum time before a bot that thinks ahead answers, so that its thinking time reveals nothing."""
    questions_waiting: int = Field(default=3, ge=1)
    """Maximum number of hints and statistics of one address waiting to be computed."""
    reviews_of_origin: int = Field(default=8, ge=1)
    """Maximum number of reviews of one address waiting to be computed."""
    bots_alone: int = Field(default=4, ge=0)
    """Maximum number of running bots-only matches of one address."""
    unseen_for: float = Field(default=30.0, ge=0)
    """Time without viewers after which a bots-only match is paused."""
    jobs_every: float = Field(default=2.0, gt=0)
    """Interval between checks for jobs that other processes have left or finished."""
    job_lease: float = Field(default=30.0, gt=1)
    """Time after which a job can be claimed again if the process that claimed it has not renewed its lease."""

    # --- logs and metrics (docs/metrics.md) -------------------------------------------------------------------------

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Lowest level of logged events."""
    log_form: Literal["auto", "text", "json"] = "auto"
    """Log format: JSON lines, text, or (auto) text on a terminal and JSON elsewhere."""
    log_requests: bool = False
    """Log every request by its route. The URL is not logged, because it may contain a table's code."""
    log_addresses: Literal["none", "hash", "network"] = "hash"
    """How client addresses are logged: not at all, as a hash with a new key at every start, or as a network (/24,
    /48)."""
    metrics: Literal["local", "token", "off"] = "local"
    """Access to `/metrics`: programs on this machine without a proxy, or with the token from anywhere (local); only
    with the token (token); no access (off)."""
    metrics_token: SecretStr = SecretStr("")
    """Token sent as `Authorization: Bearer …` to read `/metrics`; if empty, no token is accepted."""

    write_patience: float = Field(default=8.0, gt=0)
    """Time after which a request that waits for the database is answered that its result is not known yet."""

    @model_validator(mode="after")
    def _check_consistency(self) -> Self:
        """Raise `ValueError` if settings contradict each other."""
        if self.prefix and self.public_url and urlsplit(self.public_url).path != self.prefix:
            raise ValueError(f"public_url ends in {urlsplit(self.public_url).path or '/'}, but prefix is {self.prefix}")
        if self.metrics == "token" and not self.metrics_token.get_secret_value():
            raise ValueError("metrics is token, but metrics_token is empty")
        return self

    @property
    def root(self) -> str:
        """Path prefix of all URLs of this server, such as "/cards"; "" without a prefix."""
        return self.prefix or urlsplit(self.public_url).path
