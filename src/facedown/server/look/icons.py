"""Small drawings that are no cards: the brand, the lids' emblems, icons, coins and pennants."""

from __future__ import annotations

from markupsafe import Markup

#: The mark on every back, 24 by 24, equal to itself when turned by 180°.
BACK_MARK = "M11.5 1.5H17A2.5 2.5 0 0 1 19.5 4V14.5L12.5 22.5H7A2.5 2.5 0 0 1 4.5 20V9.5Z"
#: Its fold, drawn twice, the second time turned.
BACK_FOLD = "M19.5 14.5h-4.5a2.5 2.5 0 0 0-2.5 2.5v5.5Z"

_ICONS = {
    "back": '<path d="M15 5l-7 7 7 7"/>',
    "log": '<path d="M4 6h16M4 12h16M4 18h10"/>',
    "dots": '<g fill="currentColor" stroke="none"><circle cx="5" cy="12" r="1.8"/><circle cx="12" cy="12" r="1.8"/><circle cx="19" cy="12" r="1.8"/></g>',
    "book": '<path d="M12 6c-2-1.6-4.6-2-8-2v14c3.4 0 6 .4 8 2 2-1.6 4.6-2 8-2V4c-3.4 0-6 .4-8 2Zm0 0v14"/>',
    "sound": '<path d="M4 9.500v5h3.500L12 18.500v-13L7.5 9.500ZM15.5 9a4 4 0 0 1 0 6M18 6.500a8 8 0 0 1 0 11"/>',
    "mute": '<path d="M4 9.500v5h3.500L12 18.500v-13L7.5 9.500ZM16 9.500l5 5m0-5-5 5"/>',
    "sun": '<circle cx="12" cy="12" r="4"/><path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.400M18.4 5.6 17 7M7 17l-1.4 1.4"/>',
    "bulb": '<path d="M9 17.500h6M10 20.500h4M9 17.500c0-2.500-3-3.800-3-7.500a6 6 0 0 1 12 0c0 3.700-3 5-3 7.500"/>',
    "pause": '<path d="M9 6v12M15 6v12"/>',
    "first": '<path d="M6 6v12M18 6l-7 6 7 6"/>',
    "last": '<path d="M18 6v12M6 6l7 6-7 6"/>',
    "play": '<path d="M8 5.500v13L18.5 12Z"/>',
    "check": '<path d="M5 12.5 10 17.5 19.5 7"/>',
    "eye": '<path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z"/><circle cx="12" cy="12" r="3"/>',
    "eye-off": '<path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z"/><circle cx="12" cy="12" r="3"/><path d="M4 4l16 16"/>',
    "undo": '<path d="M8.5 5 4.5 9l4 4M5 9h9a5.5 5.5 0 0 1 0 11H9"/>',
    "swap": '<path d="M4 8h15l-4-4M20 16H5l4 4"/>',
    "turn": '<path d="M8 4v15l-4-4M16 20V5l4 4"/>',
    "copy": '<rect x="9" y="9" width="11" height="11" rx="2.5"/><path d="M15 9V6.500A2.5 2.5 0 0 0 12.5 4h-6A2.5 2.5 0 0 0 4 6.500v6A2.5 2.5 0 0 0 6.5 15H9"/>',
    "link": '<path d="M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.700L12 7M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.700L12 17"/>',
    "share": '<path d="M12 15V4M8 7.5 12 3.500l4 4M5 12v6.500A1.5 1.5 0 0 0 6.5 20h11a1.5 1.5 0 0 0 1.5-1.500V12"/>',
    "plus": '<path d="M12 5v14M5 12h14"/>',
    "minus": '<path d="M5 12h14"/>',
    "bot": '<rect x="4" y="7.5" width="16" height="10.5" rx="4"/><path d="M12 7.500V5"/><g fill="currentColor" stroke="none"><circle cx="9" cy="12.6" r="1.4"/><circle cx="15" cy="12.6" r="1.4"/></g>',
    "offline": '<path d="M3 3l18 18M8.5 15.500a5 5 0 0 1 7 0M5 12a10 10 0 0 1 4-2.400M19 12a10 10 0 0 0-6-2.800M2 8.500a15 15 0 0 1 4-2.600M22 8.500a15 15 0 0 0-11-4"/><circle cx="12" cy="19" r="1" fill="currentColor"/>',
    "shield": '<path d="M12 3 5 5.500v5.500c0 4.5 3 8 7 10 4-2 7-5.5 7-10V5.500ZM9 11.500l2.2 2.500L15.5 9.5"/>',
    "down": '<path d="M12 5v14M6 13.5 12 19.500l6-6"/>',
    "next": '<path d="M9 5l7 7-7 7"/>',
    "qr": '<path d="M4 4h6v6H4ZM14 4h6v6h-6ZM4 14h6v6H4ZM14 14h2.500v2.500H14ZM20 14v3M17 20h3M14 20h.01"/>',
    "close": '<path d="M6 6l12 12M18 6 6 18"/>',
    "keys": '<rect x="3" y="6.5" width="18" height="11" rx="2.5"/><path d="M7 10.500h.01M10.5 10.500h.01M14 10.500h.01M17 10.500h.01M8 14h8"/>',
}


def icon(name: str, extra: str = "") -> Markup:
    """A line icon in the current colour, 24 by 24; `extra` is one more class."""
    return Markup(
        f'<svg class="icon {extra}" viewBox="0 0 24 24" aria-hidden="true" focusable="false" fill="none" stroke="currentColor"'
        f' stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round">{_ICONS[name]}</svg>'
    )


def brand() -> Markup:
    """The brand: a card face down with one corner turned up. It stands on pages, never on an object."""
    return Markup(
        '<svg class="brand" viewBox="0 0 28 36" aria-hidden="true" focusable="false">'
        '<path d="M5 1H22a4 4 0 0 1 4 4V22L16 35H5a4 4 0 0 1-4-4V5A4 4 0 0 1 5 1Z" fill="currentColor"/>'
        '<path d="M26 22 16 35V27a5 5 0 0 1 5-5Z" fill="var(--bg)" stroke="currentColor" stroke-width="1.8" stroke-linejoin="round"/></svg>'
    )


def _emblems() -> dict[str, str]:
    from facedown.server.look.art import numeral, shape

    paper, gleam = "#FFF9EC", "var(--gleam)"
    tile = '<rect x="{x}" y="{y}" width="23" height="29" rx="4.5" fill="{fill}" fill-opacity="{o}"/>'
    tiles = "".join(tile.format(x=x, y=y, fill=paper, o=0.32) for x in (8, 65) for y in (0, 33.5, 67)) + "".join(
        tile.format(x=36.5, y=y, fill=paper, o=1) for y in (0, 33.5, 67)
    )
    rays = "".join(
        f'<path d="M48 26V12" transform="rotate({a} 48 46)" stroke="var(--gleam-reveille)" stroke-width="5" stroke-linecap="round"/>'
        for a in (-60, -30, 0, 30, 60)
    )
    return {
        "reveal": (
            f'<rect x="4" y="14" width="50" height="70" rx="7" fill="{paper}" fill-opacity=".34" transform="rotate(-13 29 49)"/>'
            f'<g transform="rotate(8 58 48)"><path d="M40 9H76a7 7 0 0 1 7 7V62L66 84H40a7 7 0 0 1-7-7V16a7 7 0 0 1 7-7Z" fill="{paper}"/>'
            f'<path d="M83 62 66 84c-.500-6 .500-11-3-17 6-4 13-1.5 20-5Z" fill="{gleam}"/>'
            f'<g color="var(--reveal-lid)">{shape("heart", 57, 38, 26)}</g></g>'
        ),
        "detect": (
            f'{tiles}<g color="var(--detect-lid)">{numeral("5", 48, 14, 22)}{numeral("5", 48, 82, 22)}</g>'
            f'<path d="M67 68 84 85" stroke="{gleam}" stroke-width="8" stroke-linecap="round"/>'
            f'<circle cx="48" cy="48" r="25" fill="{paper}" stroke="{gleam}" stroke-width="7"/>'
            f'<g color="var(--detect-lid)">{numeral("5", 48, 48, 36)}</g>'
        ),
        "reveille": (
            f'<rect x="24" y="-2" width="48" height="100" rx="8" fill="{paper}"/>'
            f'<svg x="25" y="1" width="46" height="46" viewBox="25 0 46 46">{rays}'
            f'<path d="M34 43a14 14 0 0 1 28 0Z" fill="var(--gleam-reveille)"/>'
            '<path d="M30 46.500H66" stroke="var(--reveille-lid)" stroke-width="3" stroke-linecap="round"/></svg>'
            + "".join(
                f'<circle cx="{x}" cy="{y}" r="4.8" fill="var(--reveille-lid)"/>'
                for x, y in ((36, 60), (60, 60), (48, 73), (36, 86), (60, 86))
            )
        ),
        "uncovered": (
            f'<rect x="6" y="22" width="34" height="44" rx="5" fill="{paper}" fill-opacity=".32" transform="rotate(-15 23 44)"/>'
            f'<rect x="56" y="22" width="34" height="44" rx="5" fill="{paper}" fill-opacity=".32" transform="rotate(15 73 44)"/>'
            f'<path d="M32.5 1.500H63.500a5 5 0 0 1 5 5.500L64.5 51a5 5 0 0 1-5 4.500H36.500a5 5 0 0 1-5-4.500L27.5 7a5 5 0 0 1 5-5.500Z" fill="{paper}"/>'
            '<g fill="none" stroke="var(--uncovered-lid)" stroke-width="3.6" stroke-linejoin="round"><path d="M33 28S38.5 18.5 48 18.5 63 28 63 28 57.5 37.5 48 37.5 33 28 33 28Z"/></g>'
            f'<circle cx="48" cy="28" r="5.6" fill="var(--uncovered-lid)"/><circle cx="48" cy="78" r="12.5" fill="{gleam}"/>'
        ),
        "scout": (
            f'<rect x="6" y="26" width="36" height="54" rx="5" fill="{paper}" fill-opacity=".3" transform="rotate(-20 24 53)"/>'
            f'<rect x="54" y="26" width="36" height="54" rx="5" fill="{paper}" fill-opacity=".3" transform="rotate(20 72 53)"/>'
            f'<path d="M26 61V18a5 5 0 0 1 5-5H65a5 5 0 0 1 5 5V36Z" fill="{paper}"/>'
            f'<path d="M70 36V75a5 5 0 0 1-5 5H31a5 5 0 0 1-5-5V61Z" fill="{gleam}"/>'
            f'<g color="var(--scout-lid)">{numeral("7", 40, 29, 26)}<g transform="rotate(180 48 46.5)">{numeral("2", 40, 29, 22)}</g></g>'
        ),
    }


_DRAWN: dict[str, str] = {}


def emblem(game: str) -> Markup:
    """The emblem of a game's lid, 96 by 96; a game without one gets the back mark."""
    if not _DRAWN:
        _DRAWN.update(_emblems())
    plain = (
        f'<g transform="scale(4)"><path d="{BACK_MARK}" fill="#FFF9EC"/><path d="{BACK_FOLD}" fill="var(--gleam)"/></g>'
    )
    return Markup(
        f'<svg class="emblem" viewBox="0 -3 96 102" aria-hidden="true" focusable="false">{_DRAWN.get(game, plain)}</svg>'
    )


def coin() -> Markup:
    """A brass disc."""
    return Markup(
        '<svg class="coin" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><circle cx="10" cy="10" r="8.6" fill="var(--brass)"'
        ' stroke="var(--brass-edge)" stroke-width="1.5"/></svg>'
    )


def pennant() -> Markup:
    """The pennant of Scout and Show."""
    return Markup(
        '<svg class="pennant" viewBox="0 0 20 20" aria-hidden="true" focusable="false" fill="currentColor"><path d="M3.5 2v16" stroke="currentColor"'
        ' stroke-width="2" stroke-linecap="round"/><path d="M4 3H17.500L14.5 7.5 17.5 12H4Z"/></svg>'
    )


def small_back() -> Markup:
    """A small back beside a number of won cards."""
    return Markup(
        '<svg class="won" viewBox="0 0 15 20" aria-hidden="true" focusable="false"><rect x=".7" y=".7" width="13.6" height="18.6" rx="3" fill="var(--card)"'
        ' stroke="var(--edge)" stroke-width="1"/><rect x="3" y="3" width="9" height="14" rx="1.6" fill="var(--lid)"/></svg>'
    )
