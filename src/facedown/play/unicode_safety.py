"""Unicode safety of typed text: removal of invisible characters, and comparison of names that look alike.

A *joiner* is an invisible character that joins or separates the characters next to it. Joiners are kept inside emoji,
such as the astronaut, and inside words of languages that need them, such as Persian and Hindi.

The emoji of national flags are kept. But the flags of England, Scotland and Wales become plain black flags, because
most of their characters are invisible and are removed.
"""

from __future__ import annotations

import unicodedata

ZWNJ, ZWJ, EMOJI_STYLE, KEYCAP = "\u200c", "\u200d", "\ufe0f", "\u20e3"
#: Characters that are drawn as nothing or as a blank, although their Unicode class is neither space nor control: Hangul
#: fillers, Khmer inherent vowels, the Braille blank, a musical null, the object replacement character, the grapheme
#: joiner.
UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\ufffc\uffa0\U0001d159")
#: Maximum number of combining marks on one character; enough for every written language.
MOST_MARKS = 3
#: Code point ranges of cursive scripts, in which a zero-width joiner or non-joiner is part of the spelling: Arabic,
#: Syriac, N'Ko, Mongolian.
_JOINING = ((0x0600, 0x07FF), (0x0860, 0x08FF), (0x1800, 0x18AF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFC))
#: Characters that can be drawn as emoji although their Unicode category is not that of a symbol.
_EMOJI_TOO = frozenset("\u203c\u2049\u2194\u2195\u2196\u2197\u2198\u2199\u21a9\u21aa\u3030\u303d")


def strip_invisible(text: str) -> str:
    r"""Return the text without invisible characters, in Unicode form NFC, with runs of white space as one space.

    >>> strip_invisible(" A\u200bda  Lind\u202e ")
    'Ada Lind'
    """
    text = unicodedata.normalize("NFC", text)
    # If a character is removed, its neighbours come together, and one of them may then have to be removed too. So the
    # pass is repeated until nothing changes. Ordinary texts need two passes. The limit of four is for texts that were
    # written to make this slow.
    for _round in range(4):
        seen = " ".join(unicodedata.normalize("NFC", _strip_invisible_once(text)).split())
        if seen == text:
            break
        text = seen
    return text


def _strip_invisible_once(text: str) -> str:
    """Return the text after one pass, which removes invisible characters and unwanted combining marks.

    A combining mark is unwanted if it has no base character, or if its base character already has `MOST_MARKS` marks.
    """
    kept: list[str] = []
    marks, joiner = 0, ""
    for sign in text:
        category = unicodedata.category(sign)
        if sign in (ZWNJ, ZWJ):
            # Decide about a joiner later, because that depends on the next character that is kept.
            joiner = sign
        elif sign.isspace():
            kept.append(" ")
            marks, joiner = 0, ""
        elif category[0] == "C" or sign in UNSEEN:
            # These characters are left out:
            #
            # * Categories Cc and Cf: control and format characters, some of which change the text direction.
            # * Categories Cs, Cn and Co: surrogates, unassigned and private characters. They have no fixed appearance.
            # * `UNSEEN`: characters that are drawn as nothing or as a blank.
            continue
        elif category[0] != "M" or _is_mark_allowed(sign, kept, marks, text):
            if joiner and _is_joiner_allowed(kept, joiner, sign):
                kept.append(joiner)
            kept.append(sign)
            marks, joiner = marks + (category != "Mc") if category[0] == "M" else 0, ""
    return "".join(kept)


def _is_mark_allowed(mark: str, kept: list[str], marks: int, text: str) -> bool:
    """Return whether to keep a combining mark: its base character must exist and have fewer than `MOST_MARKS` marks so
    far.

    `kept` has the characters kept so far, `marks` is the number of marks on the last one, and `text` is the whole text.
    """
    if not kept or kept[-1] == " ":
        return False
    if mark == EMOJI_STYLE:
        # A keycap emoji consists of a digit, # or *, then the emoji style selector, then the keycap mark.
        return _is_symbol(kept[-1]) or (kept[-1] in "0123456789#*" and f"{kept[-1]}{mark}{KEYCAP}" in text)
    if _is_variation_selector(mark):
        return False
    return marks < MOST_MARKS or unicodedata.category(mark) == "Mc"


def _is_variation_selector(mark: str) -> bool:
    """Return whether a mark is a variation selector, which only chooses the glyph of the character before it."""
    code = ord(mark)
    return 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF or 0x180B <= code <= 0x180F


def _is_symbol(sign: str) -> bool:
    return unicodedata.category(sign) in ("So", "Sm") or sign in _EMOJI_TOO


def _is_joiner_allowed(kept: list[str], joiner: str, after: str) -> bool:
    """Return whether a joiner between two characters is part of an emoji or of the spelling of a word.

    The joiner is between the last character of `kept` and the character `after`.
    """
    before = kept[-1] if kept else " "
    if joiner == ZWJ and _is_symbol(after) and (_is_symbol(before) or before == EMOJI_STYLE or _is_skin_tone(before)):
        return True
    # In Indic scripts a joiner belongs to the spelling if it is next to a virama (the mark of a consonant without a
    # vowel, combining class 9). Most often the joiner is after the virama. In Bengali it can also be before the virama,
    # as in ra + joiner + virama + ya.
    if unicodedata.combining(before) == 9 or (unicodedata.combining(after) == 9 and before.isalpha()):
        return True
    return _uses_joiners(before) and _uses_joiners(after)


def _is_skin_tone(sign: str) -> bool:
    return 0x1F3FB <= ord(sign) <= 0x1F3FF


def _uses_joiners(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LM" and any(low <= ord(sign) <= high for low, high in _JOINING)


# --- names that look alike -------------------------------------------------------------------------------------------

#: For each Latin letter, the characters of other scripts that look like it.
_HOMOGLYPHS = {
    "A": "\u0391\u0410", "B": "\u0392\u0412", "C": "\u03f9\u0421", "E": "\u0395\u0415", "H": "\u0397\u041d",
    "I": "\u0399\u0406\u04c0", "J": "\u037f\u0408", "K": "\u039a\u041a\u212a", "M": "\u039c\u041c", "N": "\u039d",
    "O": "\u039f\u041e\u0555", "P": "\u03a1\u0420", "Q": "\u051a", "S": "\u0405", "T": "\u03a4\u0422",
    "U": "\u054d", "V": "\u0474", "W": "\u051c", "X": "\u03a7\u0425", "Y": "\u03a5\u0423\u04ae", "Z": "\u0396",
    "a": "\u03b1\u0430\u0251", "b": "\u042c", "c": "\u03f2\u0441", "d": "\u0501", "e": "\u0435", "g": "\u0261\u0581",
    "h": "\u04bb\u0570", "i": "\u03b9\u0456\u0131", "j": "\u03f3\u0458", "k": "\u03ba\u043a", "l": "\u04cf",
    "n": "\u0578", "o": "\u03bf\u043e\u0585", "p": "\u03c1\u0440", "q": "\u051b", "s": "\u0455", "t": "\u03c4\u0442",
    "u": "\u03c5\u057d", "v": "\u03bd\u0475", "w": "\u051d", "x": "\u03c7\u0445", "y": "\u03b3\u0443\u04af",
}  # fmt: skip
_LATIN = {ord(other): latin for latin, others in _HOMOGLYPHS.items() for other in others}
#: In many sans-serif fonts these characters look like a vertical stroke (mapped to "l") or a ring (mapped to "o").
_STROKES = {ord(sign): "l" for sign in "I1|\u01c0"} | {ord("0"): "o", ord("O"): "o"}


def confusable_skeletons(name: str) -> frozenset[str]:
    r"""Return the skeletons (simplified forms) of a name. Two names that share a skeleton look the same or nearly so.

    Skeletons ignore case, compatibility forms (wide or bold letters), invisible characters, and the difference between
    Latin letters and their look-alikes.

    >>> confusable_skeletons("Ravi") & confusable_skeletons("RAVI") != set()
    True
    >>> confusable_skeletons("Ravi") & confusable_skeletons("R\u0430vi") != set()
    True
    >>> confusable_skeletons("Ravi") & confusable_skeletons("Ravina")
    frozenset()
    """
    bare = "".join(sign for sign in unicodedata.normalize("NFKC", name) if sign not in (ZWJ, ZWNJ, EMOJI_STYLE))
    plain = " ".join(bare.split())
    folded = plain.casefold()
    latin = plain.translate(_LATIN)
    stroked = latin.translate(_STROKES).casefold()
    return frozenset((folded, folded.translate(_LATIN), latin.casefold(), stroked))
