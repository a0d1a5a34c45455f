# ruff: noqa: RUF001
"""Names and chat texts that are invisible, or that look like others."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from facedown.core.translation import languages, use_language
from facedown.play import Refusal, clean_chat, clean_name
from facedown.play.bot_interface import BOT_NAMES, unused_bot_name
from facedown.play.unicode_safety import MOST_MARKS, UNSEEN, ZWJ, ZWNJ, confusable_skeletons, strip_invisible
from facedown.play.user_input import CHAT_LENGTH, NAME_LENGTH, RESERVED_NAMES, unique_name
from facedown.server.i18n import _

INVISIBLE_SIGNS = [
    *sorted(UNSEEN),
    *"\u200b\u2060\u00ad\u202e\u2066\ufeff\ufe00\ufe0f\u180b",
    "\U000e0041",
    "\U000e0101",
]
#: Letters, marks, joiners and invisible characters, in mixtures that random text would rarely contain.
SIGNS = st.sampled_from(
    [*INVISIBLE_SIGNS, *"aB1 \u0301\u0308\u0327", ZWJ, ZWNJ, *"کنम्षর্য", "👩", "🚀", "❤", "🏽", "ි", "ො", "්"]
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(SIGNS, max_size=40).map("".join))


@pytest.mark.parametrize("sign", [*INVISIBLE_SIGNS, ZWJ, ZWNJ, "\u0301", "\u20e3", " ", "\t", "\u3000", "\0"])
def test_names_and_chat_of_invisible_characters_only_are_refused(sign: str) -> None:
    for text in (sign, sign * 5, f" {sign} {sign}", f"{sign}\u200b{sign}"):
        with pytest.raises(Refusal):
            clean_name(text)
        with pytest.raises(Refusal):
            clean_chat(text)


@pytest.mark.parametrize("sign", INVISIBLE_SIGNS)
def test_invisible_characters_are_removed_from_names_and_chat(sign: str) -> None:
    assert clean_name(f"R{sign}avi{sign}") == "Ravi"
    assert clean_chat(f"so{sign}on") == "soon"


@pytest.mark.parametrize(
    "text",
    [
        "👩‍🚀", "👩🏽‍🚀", "👨‍👩‍👧‍👦", "❤️‍🔥", "🏃‍♀️", "1️⃣", "☕️", "🇩🇪",
        # Persian needs the non-joiner inside a word; Hindi and Bengali need a joiner after a sign or before it.
        "می‌خواهم", "نمی‌دانم", "क्‍ष", "श्री", "র‍্যাব", "ශ්‍රී",
        "Zoë", "Đặng", "יוֹסֵף", "ภัสสร", "བསྒྲུབས", "O’Neill", "Mary-Jane", "김민수", "山田", "مُحَمَّد",
    ],
)  # fmt: skip
def test_ordinary_names_and_emoji_are_not_changed(text: str) -> None:
    text = unicodedata.normalize("NFC", text)
    assert clean_name(text) == text
    assert clean_chat(text) == text


def test_the_number_of_combining_marks_stacked_on_a_character_is_limited() -> None:
    heap = "Z" + "\u0301\u0316\u0331\u034a" * 20 + "a\u0300l"
    tall = clean_name(heap)
    assert tall.startswith("Ź")
    assert tall.endswith("àl")
    assert len(tall) <= 3 + MOST_MARKS
    assert clean_chat(heap) == tall


@given(TEXTS)
@example("a" + ZWJ + "\u0301")
@example("ෝ" + ZWJ + "ර")
def test_a_second_removal_of_invisible_characters_from_a_text_changes_nothing(text: str) -> None:
    assert strip_invisible(strip_invisible(text)) == strip_invisible(text)


@given(TEXTS)
def test_any_text_is_refused_or_cleaned_to_visible_characters(text: str) -> None:
    for clean, most in ((clean_name, NAME_LENGTH), (clean_chat, CHAT_LENGTH)):
        try:
            found = clean(text)
        except Refusal:
            continue
        assert 0 < len(found) <= most
        found.encode()
        assert any(unicodedata.category(sign)[0] in "LNPS" and sign not in UNSEEN for sign in found)
        assert {unicodedata.category(s) for s in found if s not in (ZWJ, ZWNJ)}.isdisjoint(
            {"Cc", "Cf", "Cs", "Cn", "Co"}
        )
        assert not any("\u202a" <= sign <= "\u202e" or "\u2066" <= sign <= "\u2069" for sign in found)
        # Joiners are inside the text, one at a time.
        assert {found[0], found[-1]}.isdisjoint({ZWJ, ZWNJ})
        assert not any(a in (ZWJ, ZWNJ) and b in (ZWJ, ZWNJ) for a, b in pairwise(found))
        run = 0
        for sign in found:
            run = run + 1 if unicodedata.category(sign) in ("Mn", "Me") else 0
            assert run <= MOST_MARKS


@pytest.mark.parametrize(
    "other",
    ["ravi", "RAVI", "Ｒａｖｉ", "Rаvi", "Ravі", "𝐑𝐚𝐯𝐢", "Rαvi", "raνi", "\u200bRavi", "Rㅤavi", "Ravi️"],
)
def test_a_name_that_looks_like_a_taken_one_gets_a_number(other: str) -> None:
    for name, taken in ((clean_name(other), "Ravi"), ("Ravi", clean_name(other))):
        given = unique_name(name, ["Mara", taken])
        assert given.endswith(" 2"), (name, taken)
        assert not confusable_skeletons(given) & confusable_skeletons(taken)


#: Strokes, rings and other alphabets do not make names distinct.
ALIKE = [("Ida", "lda"), ("Bo", "B0"), ("Ilse", "|lse"), ("МАРТА", "MAPTA"), ("Νίκος", "νίκος")]
DIFFERENT = [("Mara", "Lara"), ("Jose", "José"), ("Ann", "Anna"), ("Иван", "Ivan"), ("Ada", "Ada 2")]


@pytest.mark.parametrize(("one", "other"), ALIKE + DIFFERENT)
def test_only_confusable_names_get_a_number(one: str, other: str) -> None:
    assert unique_name(one, [other]) == (f"{one} 2" if (one, other) in ALIKE else one)


@given(st.lists(TEXTS, max_size=8))
def test_no_two_names_at_a_table_look_alike(texts: list[str]) -> None:
    taken: list[str] = []
    for text in texts:
        try:
            taken.append(unique_name(clean_name(text), taken))
        except Refusal:
            continue
    looks = [confusable_skeletons(name) for name in taken]
    assert not any(a & b for i, a in enumerate(looks) for b in looks[:i])


@pytest.mark.parametrize("name", ["You", "YOU", "y\u043eu", "Ｙou", "Du", "DU", "d\u200bu", " you "])
def test_the_player_name_you_is_refused_in_all_spellings(name: str) -> None:
    with pytest.raises(Refusal, match="can’t be used as a name"):
        clean_name(name)


def test_translations_of_the_word_you_are_reserved_player_names() -> None:
    for code in languages():
        with use_language(code):
            assert confusable_skeletons(_("You")) & frozenset().union(*map(confusable_skeletons, RESERVED_NAMES)), code


def test_bot_names_and_player_names_do_not_look_alike() -> None:
    assert unused_bot_name(["J\u03c5niper"]) != "Juniper"
    assert unique_name("WR\u0415N", list(BOT_NAMES)) == "WR\u0415N 2"
