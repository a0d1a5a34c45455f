"""Small SVG drawings other than cards: the logo, line icons, coins and pennants."""

from __future__ import annotations

from markupsafe import Markup

_ICONS = {
    "back": '<path d="M15 5l-7 7 7 7"/>',
    "log": '<path d="M4 6h16M4 12h16M4 18h10"/>',
    "dots": '<g fill="currentColor" stroke="none"><circle cx="5" cy="12" r="1.8"/><circle cx="12" cy="12" r="1.8"/><circle cx="19" cy="12" r="1.8"/></g>',
    "book": '<path d="M12 6c-2-1.6-4.6-2-8-2v14c3.4 0 6 .4 8 2 2-1.6 4.6-2 8-2V4c-3.4 0-6 .4-8 2Zm0 0v14"/>',
    "sound": '<path d="M4 9.500v5h3.500L12 18.500v-13L7.5 9.500ZM15.5 9a4 4 0 0 1 0 6M18 6.500a8 8 0 0 1 0 11"/>',
    "mute": '<path d="M4 9.500v5h3.500L12 18.500v-13L7.5 9.500ZM16 9.500l5 5m0-5-5 5"/>',
    "sun": '<circle cx="12" cy="12" r="4"/><path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.400M18.4 5.6 17 7M7 17l-1.4 1.4"/>',
    "bulb": '<path d="M9 17.500h6M10 20.500h4M9 17.500c0-2.500-3-3.800-3-7.500a6 6 0 0 1 12 0c0 3.700-3 5-3 7.500"/>',
    "bell": '<path d="M6 16.500V11a6 6 0 0 1 12 0v5.500l1.500 1.500h-15ZM10 20.500a2.100 2.100 0 0 0 4 0"/>',
    "bell-off": '<path d="M6 16.500V11a6 6 0 0 1 12 0v5.500l1.500 1.500h-15ZM10 20.500a2.100 2.100 0 0 0 4 0M4 4l16 17"/>',
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
    "pace": '<path d="M4.5 17.500a9 9 0 1 1 15 0M12 14.500l4-5"/><circle cx="12" cy="14.5" r="1.5"/>',
    "vibration": '<rect x="8" y="4.5" width="8" height="15" rx="2.2"/><path d="M4.5 9v6M1.8 10.500v3M19.5 9v6M22.2 10.500v3"/>',
    "install": '<path d="M12 4v10M7.5 10 12 14.500l4.5-4.500M5 19.500h14"/>',
    "hands": '<path d="M3 7.500 6.5 6l4 1M21 7.500 17.5 6 13 7l-4.2 4.200a1.7 1.7 0 0 0 2.4 2.400L13.500 11.500l4.500 4.500M3 14.500h2.500l4.500 4.200a1.8 1.8 0 0 0 2.500 0l.500-.500M21 14.500h-2L13.500 18"/>',
    "flag": '<path d="M6 21V4M6 4.500h11.500L15 8.500l2.5 4H6"/>',
    "door": '<path d="M10.500 5H6a1.5 1.5 0 0 0-1.5 1.500v11A1.5 1.5 0 0 0 6 19h4.500M10 12h10M16.500 8.500 20 12l-3.5 3.500"/>',
    "search": '<circle cx="10.5" cy="10.5" r="6"/><path d="m15 15 5 5"/>',
    "people": '<circle cx="9" cy="8" r="3.5"/><path d="M2.5 20c0-4 3-6 6.500-6s6.500 2 6.500 6M16 5a3.500 3.500 0 0 1 0 6.500M18 14.500c2.200.7 3.500 2.600 3.500 5.500"/>',
    "keys": '<rect x="3" y="6.5" width="18" height="11" rx="2.5"/><path d="M7 10.500h.01M10.5 10.500h.01M14 10.500h.01M17 10.500h.01M8 14h8"/>',
}


def svg_element(kind: str, box: str, inside: str, more: str = "") -> Markup:
    """Return an SVG element, hidden from screen readers.

    * `kind`: CSS class.
    * `box`: value of the viewBox.
    * `inside`: SVG content.
    * `more`: further attributes.
    """
    return Markup(f'<svg class="{kind}" viewBox="{box}" aria-hidden="true" focusable="false"{more}>{inside}</svg>')


def icon(name: str, extra: str = "") -> Markup:
    """Return a line icon of 24 by 24 units in the text colour; `extra` is an additional CSS class."""
    line = ' fill="none" stroke="currentColor" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round"'
    return svg_element(f"icon {extra}", "0 0 24 24", _ICONS[name], line)


def brand() -> Markup:
    """Return the site's logo: a face-down card with one corner folded up."""
    return svg_element(
        "brand",
        "0 0 28 36",
        '<path d="M5 1H22a4 4 0 0 1 4 4V22L16 35H5a4 4 0 0 1-4-4V5A4 4 0 0 1 5 1Z" fill="currentColor"/>'
        '<path d="M26 22 16 35V27a5 5 0 0 1 5-5Z" fill="var(--bg)" stroke="currentColor" stroke-width="1.8" stroke-linejoin="round"/>',
    )


def coin() -> Markup:
    """Return the drawing of a brass coin."""
    disc = '<circle cx="10" cy="10" r="8.6" fill="var(--brass)" stroke="var(--brass-edge)" stroke-width="1.5"/>'
    return svg_element("coin", "0 0 20 20", disc)


def pennant() -> Markup:
    """Return the drawing of a pennant (a small flag), the sign for an action that a player can use once."""
    staff = '<path d="M3.5 2v16" stroke="currentColor" stroke-width="2" stroke-linecap="round"/>'
    return svg_element(
        "pennant", "0 0 20 20", f'{staff}<path d="M4 3H17.500L14.5 7.5 17.5 12H4Z"/>', ' fill="currentColor"'
    )


def small_card_back() -> Markup:
    """Return the drawing of a small card back, shown next to the number of cards that a player has won."""
    card = '<rect x=".7" y=".7" width="13.6" height="18.6" rx="3" fill="var(--card)" stroke="var(--edge)" stroke-width="1"/>'
    return svg_element(
        "won", "0 0 15 20", f'{card}<rect x="3" y="3" width="9" height="14" rx="1.6" fill="var(--lid)"/>'
    )
