"""Design tokens (CSS custom properties) as Python values.

They come from ``static/tokens.css`` and from the colours that each game defines for its drawings (`core.art`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Literal

from facedown.core.game_registry import art, catalogue

Theme = Literal["light", "dark"]

TOKENS_CSS = Path(__file__).parents[1] / "static" / "tokens.css"

_BLOCK = re.compile(r"(?P<selector>[^{}]+)\{(?P<body>[^{}]*)\}")
_PAIR = re.compile(r"light-dark\((#\w{6}), (#\w{6})\)")
_TOKEN = re.compile(r"--([\w-]+)\s*:\s*([^;]+);")


@lru_cache(maxsize=2)
def tokens(theme: Theme = "light") -> dict[str, str]:
    """Return the values of all design tokens (CSS custom properties) in a theme, by name without the leading dashes.

    The names of a game's colours begin with the game's name.

    >>> tokens()["bg"], tokens("dark")["bg"]
    ('#F6F1E8', '#171310')
    """
    text = re.sub(r"/\*.*?\*/", "", TOKENS_CSS.read_text("utf-8"), flags=re.S)
    found: dict[str, str] = {}
    for block in _BLOCK.finditer(text):
        if block["selector"].strip() == ":root":
            for name, value in _TOKEN.findall(block["body"]):
                pair = _PAIR.fullmatch(value.strip())
                found[name] = (pair[1] if theme == "light" else pair[2]) if pair else value.strip()
    for game in catalogue():
        found |= {f"{game}-{name}": art(game).colour(name, theme) for name in art(game).colours}
    return found


def colour(name: str, theme: Theme = "light") -> str:
    """Return the hex value of a colour token. Raise `KeyError` if the token is missing or is not a colour."""
    value = tokens(theme)[name]
    if not re.fullmatch(r"#[0-9A-Fa-f]{6}", value):
        raise KeyError(f"{name} is {value}, not a colour")
    return value
