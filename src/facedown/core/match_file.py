"""Match files: reading, writing and verifying. A file has headers and then numbered moves as text.

::

    # Facedown match
    Game: whist
    Rules: 1
    Players: 2
    Seat 0: Mara
    Seat 1: Juniper
    Bot 1: greedy
    Option set_optional: yes
    Seed: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
    Commitment: sha256:…
    Result: P0 -54, P1 -102

    1. P0 open a1 c3
    2. P1 open a1 b1
    3. P1 draw

* A seed is 64 hexadecimal digits, or any other text, which is hashed.
* The headers ``Deal`` and ``First`` are for a match with cards that were dealt by hand or chosen. ``Deal`` lists the
  first cards of the deck, from the top; the seed determines the other cards. ``First`` is the seat of the dealer or
  start player; if it is missing, the seed determines this seat.
* The file of an unfinished match contains the seed and therefore every hidden card. So it is only for a person who may
  see all cards.

* A move is an action of the game, or one of ``take back``, ``resign`` and ``agreed end``. A take-back undoes the last
  move of its player and all moves since. The moves that it undoes stay in the file.
* Empty lines and lines that begin with ``#`` are ignored. So is text after ``" #"`` in a move.
* Any white space counts as a space, because text copied from a web page may contain other white space.
* A file may contain several matches, one after another. A header that follows a move begins the next match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from facedown.core import game_registry as registry
from facedown.core.game_module import GameModule
from facedown.core.game_registry import UnknownGame
from facedown.core.i18n import N_, _, n_
from facedown.core.match import BY_CHANCE, Match
from facedown.core.match_actions import RESIGN, action_words, parse_match_action
from facedown.core.seeds import commitment_of, seed_from_text
from facedown.core.state import MAX_SEATS, to_bytes

#: Text that is hashed into the seed if a file has a header ``Deal`` and no header ``Seed``.
NO_SEED = "no seed"
UNFINISHED = "unfinished"
ABANDONED = "abandoned"

_PLAIN_HEADERS = ("Game", "Rules", "Players", "Seed", "Commitment", "Deal", "First", "Result", "Date", "Note")
_INDEXED_HEADERS = ("Seat", "Bot", "Option")
_HEADER = re.compile(rf"({'|'.join(_PLAIN_HEADERS)}|(?:{'|'.join(_INDEXED_HEADERS)}) \S+)\s*:\s*(.*)")
_MOVE = re.compile(r"(\d{1,9})\s*\.\s*(P\d{1,2}\s+.+)")
_SEAT = re.compile(r"P(\d+)\s+(.*)", re.DOTALL)

#: Zero-width characters, which copied text may contain anywhere. They are removed.
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u2060\ufeff"))


class NotationError(ValueError):
    """Error: a match file is invalid. The error message begins with the line number."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(_("line {line}: {reason}", line=line, reason=reason))
        self.line = line
        self.reason = reason


@contextmanager
def _errors_at_line(line: int) -> Iterator[None]:
    """Convert a `ValueError` or `UnknownGame` raised in the ``with`` block to a `NotationError` for that line."""
    try:
        yield
    except (ValueError, UnknownGame) as problem:
        raise NotationError(line, str(problem)) from None


@dataclass(frozen=True, slots=True)
class MatchFile:
    """Contents of a match file: the match, and the names, bots, date and note in its headers."""

    match: Match
    names: tuple[str, ...]
    bots: dict[int, str] = field(default_factory=dict)
    """Level of each bot, by the number of its seat."""
    date: str = ""
    note: str = ""


# --- writing --------------------------------------------------------------------------------------------------------


def result_text(match: Match) -> str:
    """Return the result of a match in match-file notation: "P0 -54, P1 -102", "unfinished" or "abandoned".

    If a player of two resigned, the result is "P1 resigned".
    """
    if not match.over:
        return UNFINISHED
    if match.views.ending is not None and match.views.ending.action == RESIGN:
        return f"P{match.views.ending.seat} resigned"
    if match.abandoned:
        return ABANDONED
    return ", ".join(f"P{seat} {score:g}" for seat, score in enumerate(match.game.returns(match.state)))


def write(
    match: Match, names: Sequence[str] = (), bots: dict[int, str] | None = None, date: str = "", note: str = ""
) -> str:
    """Return a match as the text of a match file.

    `names` are the players' names in seat order; `bots` maps the seats of bots to their levels. The text contains the
    seed. While the match is running, it must therefore be given only to someone who may see all hidden cards.
    """
    words = match.game.words
    lines = ["# Facedown match", f"Game: {match.game.name}", f"Rules: {match.game.info.version}"]
    lines += [f"Players: {match.seats}"]
    lines += [f"Seat {seat}: {_one_line(name)}" for seat, name in enumerate(names)]
    lines += [f"Bot {seat}: {_one_line(level)}" for seat, level in sorted((bots or {}).items())]
    lines += [f"Option {name}: {value}" for name, value in match.options.items()]
    lines += [f"Date: {_one_line(date)}"] if date else []
    lines += [f"Note: {_one_line(note)}"] if note else []
    lines += [f"Seed: {match.seed.hex()}", f"Commitment: {match.commitment}"]
    lines += [f"Deal: {' '.join(map(words.card_word, match.deal))}"] if match.deal else []
    lines += [f"First: P{match.first}"] if match.first != BY_CHANCE else []
    lines += [f"Result: {result_text(match)}", ""]
    lines += [f"{i}. P{move.seat} {action_words(match.game, move.action)}" for i, move in enumerate(match.moves, 1)]
    return "\n".join(lines).rstrip() + "\n"


def _one_line(text: str) -> str:
    return " ".join(text.split())


# --- reading --------------------------------------------------------------------------------------------------------


class _Headers(dict[str, str]):
    """Headers of a match file: a mapping from names to values. `lines` maps the names to line numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, int] = {}
        self.last = 1
        """Number of the last line with a header; errors about a missing header give this line number."""

    def add(self, name: str, line: int, value: str) -> None:
        if name in self:
            raise NotationError(line, _("{name} already appears on line {line}", name=name, line=self.lines[name]))
        self[name], self.lines[name], self.last = value, line, line

    def line_of_header(self, name: str) -> int:
        return self.lines.get(name, self.last)

    def parse_number(self, name: str, low: int, high: int) -> int:
        if name not in self:
            raise NotationError(self.last, _("the {name} header is missing", name=name))
        value = self[name]
        if not re.fullmatch(r"\d{1,9}", value) or not low <= int(value) <= high:
            given = value or _("(empty)")
            wrong = N_("{name} must be a number from {low} to {high}, not {given}")
            raise NotationError(self.line_of_header(name), _(wrong, name=name, low=low, high=high, given=given))
        return int(value)

    def parse_zero_based_seat(self, name: str, word: str, seats: int) -> int:
        """Return the seat number that `word` contains. Seats are numbered from 0 to ``seats - 1``.

        `name` is the name of a header, such as "Seat 0", and `word` is the last word of this name, here "0". Raises
        `NotationError`, with the line number of the header, if `word` is not a single digit or no such seat exists.
        """
        if not re.fullmatch(r"\d", word) or int(word) >= seats:
            wrong = N_("seat {word} does not exist; seats are numbered 0 to {last}")
            raise NotationError(self.line_of_header(name), _(wrong, word=word, last=seats - 1))
        return int(word)

    def of_kind(self, kind: str) -> Iterator[tuple[str, str]]:
        """Yield a pair for each header whose name begins with `kind` ("Seat", "Bot" or "Option").

        The pair is the name and its part after `kind`: the header "Seat 0" gives ("Seat 0", "0").
        """
        return ((name, name.removeprefix(f"{kind} ")) for name in self if name.startswith(f"{kind} "))


def _strip_invisible_and_extra_spaces(raw: str) -> str:
    """Return the line with single spaces between its words and without invisible characters."""
    return " ".join(raw.translate(_INVISIBLE).split())


def split_matches(text: str) -> list[str]:
    """Split a file into the texts of its matches. Return the texts in the order of the file.

    A file without any match is returned as a single text. Each text begins with an empty line for each earlier line of
    the file. So the line numbers in error messages about the text are those of the file.
    """
    lines = text.splitlines()
    starts, games, moved = [0], 0, False
    for number, line in enumerate(map(_strip_invisible_and_extra_spaces, lines)):
        if _MOVE.match(line):
            moved = True
        elif (header := _HEADER.fullmatch(line)) and not line.startswith("#"):
            games += header[1] == "Game"
            if moved or games > 1:
                starts.append(number)
                games, moved = int(header[1] == "Game"), False
    ends = [*starts[1:], len(lines)]
    return ["\n" * start + "\n".join(lines[start:end]) for start, end in zip(starts, ends, strict=True)]


def _parse_lines(text: str) -> tuple[_Headers, list[tuple[int, str]]]:
    """Return the headers of a match file, and its moves as pairs (line number, text such as "P1 draw").

    The texts of the moves are not checked against the rules. Raises `NotationError` in these cases:

    * A line is neither a header nor a move.
    * A header appears twice, or follows a move.
    * The numbers of the moves are not 1, 2, 3 and so on, without gaps.
    """
    headers = _Headers()
    moves: list[tuple[int, str]] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = _strip_invisible_and_extra_spaces(raw)
        if not line or line.startswith("#"):
            continue
        header = _HEADER.fullmatch(line)
        if header and not moves:
            headers.add(header[1], number, header[2].strip())
            continue
        move = _MOVE.fullmatch(re.split(r"\s#", line, maxsplit=1)[0].rstrip())
        if not move:
            if header:
                raise NotationError(number, _("a second match begins here, but a file can hold only one"))
            if moves:
                raise NotationError(number, _("expected a move such as “3. P0 draw”, not “{line}”", line=line[:60]))
            known = ", ".join((*_PLAIN_HEADERS, *(f"{kind} …" for kind in _INDEXED_HEADERS)))
            wrong = N_("expected a header ({known}) or a move such as “1. P0 draw”, not “{line}”")
            raise NotationError(number, _(wrong, line=line[:60], known=known))
        if int(move[1]) != len(moves) + 1:
            wrong = N_("expected move number {wanted}, not {given}")
            raise NotationError(number, _(wrong, wanted=len(moves) + 1, given=move[1]))
        moves.append((number, move[2]))
    return headers, moves


def read(text: str) -> MatchFile:
    """Read the text of a match file with one match, and play its moves.

    Raises `NotationError`, with a line number, if the text is invalid, a move is illegal, the commitment does not
    belong to the seed, or the result does not follow from the moves.
    """
    return _build_match_file(*_parse_lines(text))


def _build_match_file(headers: _Headers, moves: Sequence[tuple[int, str]]) -> MatchFile:
    game = _game_from_headers(headers)
    seats = headers.parse_number("Players", 1, MAX_SEATS)
    match = _match_from_headers(headers, game, seats)
    for line, move in moves:
        with _errors_at_line(line):
            play_words(match, move)
    given, result = headers.get("Result", ""), result_text(match)
    if given not in ("", result):
        wrong = _("after move {ply} the result is {result}, not {given}", result=result, given=given, ply=match.ply)
        raise NotationError(headers.line_of_header("Result"), wrong)
    bots = {headers.parse_zero_based_seat(name, word, seats): headers[name] for name, word in headers.of_kind("Bot")}
    names = [_("Player {number}", number=seat + 1) for seat in range(seats)]
    for name, word in headers.of_kind("Seat"):
        names[headers.parse_zero_based_seat(name, word, seats)] = headers[name]
    if not all(names):
        raise NotationError(moves[-1][0] if moves else headers.last, _("a player’s name must not be empty"))
    return MatchFile(match, tuple(names), bots, headers.get("Date", ""), headers.get("Note", ""))


def _game_from_headers(headers: _Headers) -> GameModule:
    name = headers.get("Game")
    if not name:
        raise NotationError(headers.last, _("the Game header is missing"))
    with _errors_at_line(headers.line_of_header("Game")):
        game = registry.game(name)
    version = headers.parse_number("Rules", 0, 999_999_999) if "Rules" in headers else game.info.version
    if version != game.info.version:
        wrong = N_(
            "this match was played with version {given} of the {game} rules; this program uses version {version}"
        )
        told = _(wrong, version=game.info.version, game=game.info.title, given=version)
        raise NotationError(headers.line_of_header("Rules"), told)
    return game


def _match_from_headers(headers: _Headers, game: GameModule, seats: int) -> Match:
    options = {option: headers[name] for name, option in headers.of_kind("Option")}
    for name, option in headers.of_kind("Option"):
        with _errors_at_line(headers.line_of_header(name)):
            game.info.options.complete({option: headers[name]})
    with _errors_at_line(headers.line_of_header("Players")):
        options = game.check_options(seats, options)
    with _errors_at_line(headers.line_of_header("Deal")):
        deal = parse_cards(game, headers.get("Deal", ""))
    seed_text = headers.get("Seed", "")
    if not seed_text and not deal:
        raise NotationError(headers.last, _("a Seed or Deal header is required"))
    seed = seed_from_text(seed_text or NO_SEED)
    if headers.get("Commitment", "") not in ("", commitment_of(seed)):
        wrong = _("the commitment does not match the seed: the deal was changed")
        raise NotationError(headers.line_of_header("Commitment"), wrong)
    first = BY_CHANCE
    if "First" in headers:
        word = headers["First"]
        if not re.fullmatch(r"P\d", word) or int(word[1:]) >= seats:
            wrong = _("the First header must name a seat from P0 to P{last}, not {word}", last=seats - 1, word=word)
            raise NotationError(headers.line_of_header("First"), wrong)
        first = int(word[1:])
    with _errors_at_line(headers.line_of_header("Deal")):
        return Match(game, seats, options, seed, deal, first)


def parse_cards(game: GameModule, text: str) -> tuple[int, ...]:
    """Return the cards listed in `text`, which is written like the value of the header ``Deal`` of a match file.

    Each card is returned as a number: its kind, an integer from 0 that equal cards share. In games whose cards can be
    dealt either way up, a card has two numbers instead, one for each way up. Raises `ValueError`, with a reason, if a
    word in `text` is not a card.
    """
    return tuple(map(game.words.card_kind, text.replace(",", " ").split()))


def play_words(match: Match, text: str) -> None:
    """Play a move given in match-file notation.

    "P1 draw" is a move by seat 1. "draw" is a move by the seat to act (the one with the lowest number, if several are).
    In some games a text may also contain several actions of one turn, in a notation that the game defines
    (`Words.parse_turn`).

    Raises `ValueError` with a reason if the text is invalid or the move illegal.
    """
    named = _SEAT.fullmatch(text)
    seat = int(named[1]) if named else min(match.acting, default=0)
    words, parse_turn = named[2] if named else text, match.game.words.parse_turn
    if (of_match := parse_match_action(words)) is not None:
        match.play(seat, of_match)
        return
    for action in parse_turn(words) if parse_turn else [match.game.words.parse(words)]:
        match.play(seat, action)


# --- verifying ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Verdict:
    """Result of `verify` for a match file that passed all checks: what was checked, and what could not be checked."""

    file: MatchFile
    found: tuple[str, ...]
    """Sentences about facts that were checked and are true."""
    open: tuple[str, ...]
    """Sentences about facts that could not be checked, with the reason."""


def is_first_seat_from_seed(match: Match) -> bool:
    """Return whether the match begins exactly as if the seed had chosen the dealer or start player.

    This is true in three cases:

    * ``match.first`` is `BY_CHANCE`: the seed did choose the seat.
    * ``match.first`` is the seat that the seed would have chosen.
    * The game ignores ``match.first``, because no seat begins or because an option names the seat that begins.
    """
    by_chance = Match(match.game, match.seats, match.options, match.seed, match.deal)
    return to_bytes(by_chance.state) == to_bytes(match.at(0).state)


def _is_first_ignored(match: Match) -> bool:
    """Return whether ``match.first`` has no effect, because no seat begins or an option names the seat that begins."""
    other = Match(match.game, match.seats, match.options, match.seed, match.deal, (match.first + 1) % match.seats)
    return to_bytes(other.state) == to_bytes(match.at(0).state)


def verify(text: str, published: str = "") -> Verdict:
    """Check the text of a match file against the rules and the commitment. Raises `NotationError` if a check fails.

    `published` is the commitment that was published before the deal, if the caller knows it. The commitment inside the
    file proves nothing by itself.
    """
    headers, moves = _parse_lines(text)
    file = _build_match_file(headers, moves)
    match = file.match
    found, unknown = [], []
    if published:
        if not headers.get("Seed", ""):
            raise NotationError(1, _("there is no seed to check against the published commitment"))
        if match.commitment != published.strip().lower():
            raise NotationError(headers.line_of_header("Seed"), _("the seed does not match the published commitment"))
        found.append(_("The seed matches the published commitment."))
    if not headers.get("Seed", ""):
        unknown.append(
            _("There is no seed, so any cards not listed in the deal are made up, not taken from a real match.")
        )
    elif headers.get("Commitment", ""):
        found.append(_("The seed matches the commitment in the file."))
    else:
        unknown.append(_("There is no commitment, so nothing proves that the seed was chosen before the match."))
    if match.first != BY_CHANCE and not _is_first_ignored(match):
        who = f"P{match.first}"
        if headers.get("Seed", "") and is_first_seat_from_seed(match):
            found.append(_("{who} goes first, according to the seed.", who=who))
        else:
            unknown.append(_("{who} goes first because the file says so, not because of the seed.", who=who))
    if match.deal:
        unknown.append(
            n_(
                "The first card comes from the file, not from the seed.",
                "The first {count} cards come from the file, not from the seed.",
                len(match.deal),
            )
        )
    found.append(n_("The only move is legal.", "All {count} moves are legal.", len(moves)))
    if not match.over:
        unknown.append(_("The match is not over."))
    elif headers.get("Result", ""):
        found.append(_("The result matches the moves: {result}.", result=result_text(match)))
    else:
        unknown.append(_("The file gives no result; the moves lead to {result}.", result=result_text(match)))
    return Verdict(file, tuple(found), tuple(unknown))
