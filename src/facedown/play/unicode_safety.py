"""Letters that cannot be seen, or that look like others: what people type is shown without the one, and told apart
in spite of the other.

Emoji that are joined from several (an astronaut), flags, and the languages that need joiners inside their words
(Persian, Hindi) are left as they are.
"""

from __future__ import annotations

import unicodedata

ZWNJ, ZWJ, EMOJI_STYLE, KEYCAP = "\u200c", "\u200d", "\ufe0f", "\u20e3"
#: What shows as nothing, or as a blank of its own, without being called a space or a control by Unicode: fillers of
#: Hangul, vowels of Khmer that are not written, a blank of Braille, of music, a place for an object, a grapheme joiner.
UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\ufffc\uffa0\U0001d159")
#: So many marks may stand on one letter: every language that people write gets along with it.
MOST_MARKS = 3
#: Letters that join each other, in which a joiner or its contrary inside a word is spelling: Arabic, Syriac, N'Ko,
#: Mongolian.
_JOINING = ((0x0600, 0x07FF), (0x0860, 0x08FF), (0x1800, 0x18AF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFC))
#: Signs that are no symbols to Unicode, but have an emoji.
_EMOJI_TOO = frozenset("\u203c\u2049\u2194\u2195\u2196\u2197\u2198\u2199\u21a9\u21aa\u3030\u303d")


def strip_invisible(text: str) -> str:
    r"""Only what can be seen, runs of white space as one space; composed where letters and marks have one form.

    >>> strip_invisible(" A\u200bda  Lind\u202e ")
    'Ada Lind'
    """
    text = unicodedata.normalize("NFC", text)
    # What one round leaves out may join what stood beside it; two are enough but for texts made to need more.
    for _round in range(4):
        seen = " ".join(unicodedata.normalize("NFC", _strip_invisible_once(text)).split())
        if seen == text:
            break
        text = seen
    return text


def _strip_invisible_once(text: str) -> str:
    """The text without what cannot be seen, and without marks that stand on nothing or in heaps."""
    kept: list[str] = []
    marks, joiner = 0, ""
    for sign in text:
        category = unicodedata.category(sign)
        if sign in (ZWNJ, ZWJ):
            # Kept with the next sign, if it is kept.
            joiner = sign
        elif sign.isspace():
            kept.append(" ")
            marks, joiner = 0, ""
        elif category[0] == "C" or sign in UNSEEN:
            # Cc, Cf: controls, also those that turn writing round; Cs, Cn, Co: nothing that all see alike.
            continue
        elif category[0] != "M" or _is_mark_allowed(sign, kept, marks, text):
            if joiner and _is_joiner_allowed(kept, joiner, sign):
                kept.append(joiner)
            kept.append(sign)
            marks, joiner = marks + (category != "Mc") if category[0] == "M" else 0, ""
    return "".join(kept)


def _is_mark_allowed(mark: str, kept: list[str], marks: int, text: str) -> bool:
    """Has this mark something to stand on, and room?"""
    if not kept or kept[-1] == " ":
        return False
    if mark == EMOJI_STYLE:
        # A keycap's digit is followed by the key.
        return _symbol(kept[-1]) or (kept[-1] in "0123456789#*" and f"{kept[-1]}{mark}{KEYCAP}" in text)
    if _is_variation_selector(mark):
        return False
    return marks < MOST_MARKS or unicodedata.category(mark) == "Mc"


def _is_variation_selector(mark: str) -> bool:
    """Does this mark only choose how the sign before it looks?"""
    code = ord(mark)
    return 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF or 0x180B <= code <= 0x180F


def _symbol(sign: str) -> bool:
    return unicodedata.category(sign) in ("So", "Sm") or sign in _EMOJI_TOO


def _is_joiner_allowed(kept: list[str], joiner: str, after: str) -> bool:
    """Does a joiner between these belong to how they are written?"""
    before = kept[-1] if kept else " "
    if joiner == ZWJ and _symbol(after) and (_symbol(before) or before == EMOJI_STYLE or _skin(before)):
        return True
    # Behind a virama, or before one (the ya of Bengali).
    if unicodedata.combining(before) == 9 or (unicodedata.combining(after) == 9 and before.isalpha()):
        return True
    return _joins(before) and _joins(after)


def _skin(sign: str) -> bool:
    return 0x1F3FB <= ord(sign) <= 0x1F3FF


def _joins(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LM" and any(low <= ord(sign) <= high for low, high in _JOINING)


# --- looking alike ---------------------------------------------------------------------------------------------------

#: Letters of other alphabets (and two digits) by the Latin ones that look the same.
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
#: What a sans serif draws with one stroke, and with one ring.
_STROKES = {ord(sign): "l" for sign in "I1|\u01c0"} | {ord("0"): "o", ord("O"): "o"}


def confusable_skeletons(name: str) -> frozenset[str]:
    r"""What a name may be taken for: two names that share one of these look the same, or nearly so.

    Neither case counts, nor compatibility forms (wide or bold letters), nor letters that look like Latin ones, nor what
    cannot be seen.

    >>> confusable_skeletons("Ravi") & confusable_skeletons("RAVI") != set(), confusable_skeletons("Ravi") &
    confusable_skeletons("R\u0430vi") != set() (True, True)
    >>> confusable_skeletons("Ravi") & confusable_skeletons("Ravina")
    frozenset()
    """
    bare = "".join(sign for sign in unicodedata.normalize("NFKC", name) if sign not in (ZWJ, ZWNJ, EMOJI_STYLE))
    plain = " ".join(bare.split())
    folded = plain.casefold()
    latin = plain.translate(_LATIN)
    stroked = latin.translate(_STROKES).casefold()
    return frozenset((folded, folded.translate(_LATIN), latin.casefold(), stroked))
