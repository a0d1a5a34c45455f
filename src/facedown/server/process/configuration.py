"""Configuration of a server from a TOML file, environment variables and the command line, each overriding the previous.

``facedown serve --config FILE`` (or ``FACEDOWN_CONFIG``) names a TOML file whose keys are the fields of
`ServerSettings`. Each field also has an environment variable: ``FACEDOWN_BOT_DELAY=2`` sets `bot_delay`. Items of a
list are separated by commas. Two variables have other names than their fields:

* ``FACEDOWN_DATABASE_URL`` sets `database`.
* ``FACEDOWN_BUS_URL`` sets `bus`.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path
from textwrap import fill
from typing import Any, Literal, get_origin
from urllib.parse import urlsplit

import sqlalchemy as sa
from pydantic import SecretStr, ValidationError
from pydantic.fields import FieldInfo

from facedown.core.translation import language
from facedown.server.i18n import _
from facedown.server.process.server_settings import ServerSettings
from facedown.store import url_of

PREFIX = "FACEDOWN_"
#: Environment variable with the path of the configuration file.
FILE = "FACEDOWN_CONFIG"
#: Environment variables that begin with ``FACEDOWN_`` but are no settings. They are ignored here.
OTHER_VARIABLES = frozenset(
    PREFIX + name
    for name in ("CACHE", "CHROMIUM", "CONFIG", "DATA", "INTERPRETED", "LANG", "PLAIN_NUMBA", "TEST_SEED", "TEST_TIMES")
)
#: Names of environment variables (without the prefix ``FACEDOWN_``) that differ from the names of their fields.
VARIABLE_NAMES = {"database": "DATABASE_URL", "bus": "BUS_URL"}

Origin = Literal["default", "file", "environment", "option"]
PASSWORD = re.compile(r"(://[^:/@\s]*:)[^/\s]*@")
PASSWORD_ASKED = re.compile(r"([?&](?:ssl)?password=)[^&\s]*")


class BadSettings(ValueError):
    """Error in the settings. The message names the setting and the reason in one line."""


@dataclass(frozen=True)
class Configuration:
    """The effective settings, and for each field the source of its value, such as "file" or "environment"."""

    settings: ServerSettings
    origins: Mapping[str, Origin]


def configurable_fields() -> dict[str, FieldInfo]:
    """Return all configurable fields of `ServerSettings` by name. `bots` is not among them: only code can set it."""
    return {name: field for name, field in ServerSettings.model_fields.items() if not field.exclude}


def environment_variable_name(name: str) -> str:
    """Return the name of the environment variable that sets a field of `ServerSettings`.

    The name is "FACEDOWN_" followed by the field's name in upper case. The fields `database` and `bus` are exceptions:
    the names of their variables are in `VARIABLE_NAMES`, without "FACEDOWN_".

    >>> environment_variable_name("bot_delay"), environment_variable_name("database")
    ('FACEDOWN_BOT_DELAY', 'FACEDOWN_DATABASE_URL')
    """
    return PREFIX + VARIABLE_NAMES.get(name, name.upper())


def load_configuration(
    options: Mapping[str, Any] | None = None,
    file: str | Path | None = None,
    variables: Mapping[str, str] = os.environ,
) -> Configuration:
    """Load and check the settings from all sources. Raise `BadSettings` if a setting is invalid.

    * `options`: the command-line options by field name. A value None means that the option was not given.
    * `file`: the path of the configuration file. If None, the environment variable ``FACEDOWN_CONFIG`` gives the path.
      If that is not set either, no file is read.
    * `variables`: the environment variables.

    A command-line option overrides an environment variable, which overrides the file, which overrides the default.
    """
    path = Path(file or variables.get(FILE, "")) if file or variables.get(FILE) else None
    found: dict[str, Any] = {"database": url_of(None), "language": language()}
    origins: dict[str, Origin] = dict.fromkeys(configurable_fields(), "default")
    sources: list[tuple[Origin, dict[str, Any]]] = [
        ("file", _values_from_file(path) if path else {}),
        ("environment", _values_from_environment(variables)),
        ("option", {name: value for name, value in (options or {}).items() if value is not None}),
    ]
    for origin, said in sources:
        found |= said
        origins |= dict.fromkeys(said, origin)
    found["database"] = url_of(found["database"]) if isinstance(found["database"], str | Path) else found["database"]
    try:
        settings = ServerSettings(**found)
    except ValidationError as wrong:
        raise BadSettings(_first_error_text(wrong, found, origins, path)) from None
    for name, check in CHECKS.items():
        if why := check(getattr(settings, name)):
            raise BadSettings(f"{_setting_name_at_source(name, origins, path)}: {why}")
    return Configuration(settings, origins)


def _values_from_environment(variables: Mapping[str, str]) -> dict[str, Any]:
    known = {environment_variable_name(name) for name in configurable_fields()}
    for name in sorted(variables):
        if name.startswith(PREFIX) and name not in known | OTHER_VARIABLES:
            raise BadSettings(
                _(
                    "unknown environment variable {name}{meant}",
                    name=name,
                    meant=_did_you_mean_text(name, known | {FILE}),
                )
            )
    said = {name: variables.get(environment_variable_name(name), "") for name in configurable_fields()}
    lists = {name for name, field in configurable_fields().items() if get_origin(field.annotation) is tuple}
    return {
        name: [part.strip() for part in text.split(",") if part.strip()] if name in lists else text
        for name, text in said.items()
        # Leave out empty variables, as if they were not set.
        if text
    }


def _values_from_file(path: Path) -> dict[str, Any]:
    try:
        said = tomllib.loads(path.read_text("utf-8"))
    except OSError as wrong:
        raise BadSettings(_("cannot read {path}: {why}", path=path, why=wrong.strerror)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise BadSettings(_("{path}: not valid TOML: {why}", path=path, why=wrong)) from None
    for name in said:
        if name not in configurable_fields():
            raise BadSettings(
                _(
                    "{path}: unknown setting {name}{meant}",
                    path=path,
                    name=name,
                    meant=_did_you_mean_text(name, configurable_fields()),
                )
            )
    return said


def _did_you_mean_text(word: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(word, list(known), 1, 0.6)
    return _(": did you mean {meant}?", meant=near[0]) if near else ""


# --- validation errors ------------------------------------------------------------------------------------------------


def _setting_name_at_source(name: str, origins: Mapping[str, Origin], path: Path | None) -> str:
    """Return the name of a setting to use in an error text.

    The name depends on where the value was set (`origins`):

    * in the configuration file at `path`: "PATH: key";
    * in the environment: the name of the environment variable;
    * anywhere else: `name`, the name of the field.
    """
    called = {"file": f"{path}: {name}", "environment": environment_variable_name(name)}
    return called.get(origins.get(name, "default"), name)


def _first_error_text(
    wrong: ValidationError, found: Mapping[str, Any], origins: Mapping[str, Origin], path: Path | None
) -> str:
    """Return the first validation error as one line that contains no secret.

    * `found`: the values by field name.
    * `origins`: the sources of the values.
    * `path`: the configuration file.
    """
    error = wrong.errors()[0]
    name = str(error["loc"][0]) if error["loc"] else ""
    limits = error.get("ctx", {})
    bounds = {
        "greater_than_equal": _("must be at least {least}", least=limits.get("ge")),
        "greater_than": _("must be greater than {least}", least=limits.get("gt")),
        "less_than_equal": _("must be at most {most}", most=limits.get("le")),
        "literal_error": _("must be {known}", known=limits.get("expected")),
    }
    # The name of a pydantic error begins with the expected type: "int_parsing".
    kinds = {
        "int": _("must be a whole number"),
        "float": _("must be a number"),
        "finite": _("must be a number"),
        "bool": _("must be true or false"),
        "string": _("must be a string"),
        "tuple": _("must be a list"),
    }
    said = bounds.get(error["type"]) or kinds.get(error["type"].partition("_")[0])
    said = said or error["msg"].removeprefix("Value error, ")
    if not name:
        return said
    # Show only numbers and the language code, because URLs and other strings may contain passwords.
    value = found.get(name)
    given = f" ({value!r})" if isinstance(value, int | float) or name in ("language",) else ""
    return f"{_setting_name_at_source(name, origins, path)}: {said}{given}"


def _database_url_error(url: str) -> str:
    try:
        kind = sa.engine.make_url(url).get_backend_name()
    except sa.exc.ArgumentError:
        return _("must be the URL of a database")
    return "" if kind in ("sqlite", "postgresql") else _("must be SQLite or PostgreSQL, not {kind}", kind=kind)


def _bus_url_error(url: str) -> str:
    fits = not url or (urlsplit(url).scheme in ("redis", "rediss") and urlsplit(url).hostname)
    return "" if fits else _("must start with redis:// or rediss://")


def _networks_error(networks: Iterable[object]) -> str:
    for network in networks:
        try:
            ip_network(str(network))
        except ValueError as wrong:
            return str(wrong)
    return ""


#: Additional checks by field name: each returns an error text, empty if the value is valid.
CHECKS: dict[str, Callable[[Any], str]] = {
    "database": _database_url_error,
    "bus": _bus_url_error,
    "proxies": _networks_error,
}


# --- output -----------------------------------------------------------------------------------------------------------


def mask_password(text: str) -> str:
    """Return a URL with its password replaced by asterisks.

    >>> mask_password("postgresql://cards:secret@db/cards"), mask_password("redis://:s@bus"), mask_password("postgresql:///c?password=s")
    ('postgresql://cards:***@db/cards', 'redis://:***@bus', 'postgresql:///c?password=***')
    """
    return PASSWORD_ASKED.sub(r"\1***", PASSWORD.sub(r"\1***@", text))


def to_toml_value_with_masked_secrets(value: object) -> str:
    """Return a value in TOML notation, with secrets and passwords replaced by asterisks."""
    if isinstance(value, SecretStr):
        value = "***" if value.get_secret_value() else ""
    elif isinstance(value, str):
        value = mask_password(value)
    elif isinstance(value, tuple):
        value = list(map(mask_password, value))
    return json.dumps(value, ensure_ascii=False)


def settings_lines(found: Configuration) -> list[str]:
    """Return one line for each setting, with its value and the source of the value."""
    said = {
        name: f"{name} = {to_toml_value_with_masked_secrets(getattr(found.settings, name))}"
        for name in configurable_fields()
    }
    width = min(60, max(map(len, said.values())))
    details = {
        name: f": {environment_variable_name(name)}"
        for name, origin in found.origins.items()
        if origin == "environment"
    }
    return [f"{text:<{width}}  # {found.origins[name]}{details.get(name, '')}" for name, text in said.items()]


def example_configuration() -> str:
    """Return a configuration file that lists all settings with their descriptions and default values."""
    settings = load_configuration(variables={}).settings
    parts = [fill(ABOUT, 100, initial_indent="# ", subsequent_indent="# ")]
    for name, field in configurable_fields().items():
        words = " ".join((field.description or "").split())
        about = fill(words, 100, initial_indent="# ", subsequent_indent="# ")
        parts.append(
            f"{about}\n# ({environment_variable_name(name)})\n"
            f"{name} = {to_toml_value_with_masked_secrets(getattr(settings, name))}"
        )
    return "\n\n".join(parts) + "\n"


ABOUT = (
    "Settings of a Facedown server, with their default values. Times are in seconds, sizes in bytes. Use this file "
    "with “facedown serve --config FILE”, or set FACEDOWN_CONFIG to its path. The environment variables in brackets "
    "and the options of “facedown serve” override what is set here."
)
